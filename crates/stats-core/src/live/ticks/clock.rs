//! The clocks of the program, by name.

use std::mem::take;
use std::ops::ControlFlow;
use std::sync::{
    Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError, TryLockResult,
};

use super::figure::{Figure, Of};
use crate::limits::{MAX_TICK_SERIES, TICK_HISTORY};
use crate::live::computed::{add_computed, computed_gauge};
use crate::live::recorder::Recorder;
use crate::live::reentrancy::OWNER;
use crate::live::registry::{change_catalog, generation, list};
use crate::series::repaired;
use crate::source::Listed;
use crate::{FrameTime, Problem, SeriesId, SeriesInfo, own_memory};

/// All clocks so far. None is removed, because the computations of their series are never removed.
static CLOCKS: Mutex<Vec<Arc<Clock>>> = Mutex::new(Vec::new());

/// One handle of a clock.
#[derive(Debug)]
pub(crate) struct TickClock(Arc<Clock>);

#[derive(Debug)]
pub(super) struct Clock {
    name: Box<str>,
    /// Frames read it at once, and do not shut each other out.
    state: RwLock<State>,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) handles: usize,
    /// It stays when the last handle is dropped, so that its ticks and times continue.
    pub(super) recorder: Recorder,
    /// The first tick that was counted as a whole since there was no handle.
    pub(super) whole: u64,
    /// The paths below which series are shown.
    roots: Vec<Box<str>>,
    /// The generation of the listing up to which series were looked for.
    seen: u64,
    /// Series that are shown after the next tick, when their units are known.
    found: Vec<SeriesId>,
    shown: Vec<SeriesId>,
}

impl TickClock {
    pub(crate) fn new(name: &str) -> Self {
        let _memory = own_memory(OWNER);
        let name = repaired(name);
        let mut clocks = CLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        let existing = clocks.iter().find(|clock| *clock.name == *name);
        let clock = existing.map(Arc::clone).unwrap_or_else(|| {
            let clock = Arc::new(Clock {
                name: name.as_ref().into(),
                state: RwLock::new(State {
                    handles: 0,
                    recorder: Recorder::of_ticks(TICK_HISTORY),
                    whole: 0,
                    roots: Vec::new(),
                    seen: 0,
                    found: Vec::new(),
                    shown: Vec::new(),
                }),
            });
            clocks.push(Arc::clone(&clock));
            clock
        });
        drop(clocks);
        let mut state = clock.write();
        state.handles += 1;
        let ended = state.recorder.frames().end;
        if state.handles == 1 && ended > 0 {
            // Its next tick has a part from before this moment.
            state.whole = ended + 1;
        }
        drop(state);
        clock.add("ticks", "ticks that ended in the frame", Of::Count);
        clock.add("tick time", "how long these ticks took", Of::Time);
        Self(clock)
    }

    pub(crate) fn show(&self, path: &str) {
        let _memory = own_memory(OWNER);
        let path = repaired(path);
        let mut state = self.0.write();
        if state.roots.iter().any(|root| **root == *path) {
            return;
        }
        state.roots.push(path.into());
        // Look again at the series that exist already.
        state.seen = 0;
    }

    pub(crate) fn begin(&self) {
        self.0.write().recorder.restart_frame();
    }

    pub(crate) fn end(&self, time: Option<FrameTime>) {
        let mut state = self.0.write();
        match time {
            Some(time) => state.recorder.end_frame_at(time),
            None => state.recorder.end_frame(),
        }
        if !state.roots.is_empty() && (state.seen != generation() || !state.found.is_empty()) {
            self.0.look_for_series(&mut state);
        }
    }
}

impl Drop for TickClock {
    fn drop(&mut self) {
        self.0.write().handles -= 1;
    }
}

impl Clock {
    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the state to read; `None` while another thread changes it.
    pub(super) fn try_read(&self) -> Option<RwLockReadGuard<'_, State>> {
        without_waiting(self.state.try_read())
    }

    /// Returns the state to change; `None` while another thread uses it.
    pub(super) fn try_write(&self) -> Option<RwLockWriteGuard<'_, State>> {
        without_waiting(self.state.try_write())
    }

    /// Adds a series of the clock.
    fn add(self: &Arc<Self>, path: &str, description: &str, of: Of) {
        let path = format!("{}/{path}", self.name);
        let figure = Arc::new(Figure::new(Arc::clone(self), of));
        if add_computed(&path, description, figure).is_err() {
            // Its path belongs to another series. To register it says which one to rename.
            change_catalog(|catalog| catalog.register(computed_gauge(&path)));
        }
    }

    /// Shows the series that the last tick found, and finds those that were registered since. It runs
    /// twice for each, so that a unit that is set after the registration is known.
    #[cold]
    fn look_for_series(self: &Arc<Self>, state: &mut State) {
        let _memory = own_memory(OWNER);
        for id in take(&mut state.found) {
            let number = id.number();
            list(Listed::Numbers(number..number + 1), &mut |info| {
                self.show(state, &info);
                ControlFlow::Break(())
            });
        }
        let since = std::mem::replace(&mut state.seen, generation());
        list(Listed::ChangedSince(since), &mut |info| {
            let is_read = !info.is_deferred && !info.kind.is_companion();
            if is_read && state.roots.iter().any(|root| is_below(info.path, root)) {
                state.found.push(info.id);
            }
            ControlFlow::Continue(())
        });
    }

    fn show(self: &Arc<Self>, state: &mut State, info: &SeriesInfo<'_>) {
        if state.shown.contains(&info.id) {
            return;
        }
        if state.shown.len() == MAX_TICK_SERIES {
            let clock = self.name.as_ref().into();
            change_catalog(|catalog| catalog.report(Problem::TooManyTickSeries { clock }));
            return;
        }
        state.shown.push(info.id);
        let description = format!("{}, in the ticks of {}", info.path, self.name);
        self.add(info.path, &description, Of::series(info));
    }
}

fn without_waiting<G>(guard: TryLockResult<G>) -> Option<G> {
    match guard {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Returns whether a path is `root`, or below it.
fn is_below(path: &str, root: &str) -> bool {
    let rest = path.strip_prefix(root);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Figure, Of, TickClock, is_below};
    use crate::Computation;

    #[test]
    fn readers_share_a_clock_and_the_frame_in_which_one_begins_late_is_unknown() {
        let clock = TickClock::new("tick-readers");
        let figure = Figure::new(Arc::clone(&clock.0), Of::Count);
        let change = clock.0.write();
        let mut late = figure.begin();
        drop(change);
        clock.end(None);
        let other = clock.0.try_read();
        let mut early = figure.begin();
        assert!(late(&[], 0.0).is_nan(), "one tick ended, or more");
        drop(other);
        clock.end(None);
        let other = clock.0.try_read();
        assert!(other.is_some());
        assert_eq!([late(&[], 0.0), early(&[], 0.0)], [1.0, 1.0]);
        assert_eq!([late(&[], 0.0), early(&[], 0.0)], [0.0, 0.0]);
    }

    #[test]
    fn a_path_that_is_shown_is_not_looked_for_again() {
        let clock = TickClock::new("tick-roots");
        clock.show("tick-roots-of/net");
        clock.end(None);
        clock.end(None);
        clock.show("tick-roots-of//net/");
        let again = TickClock::new("tick-roots");
        again.show("tick-roots-of/net");
        let state = again.0.try_read().expect("nobody else uses it");
        assert_eq!(state.roots.len(), 1);
        assert!(state.seen > 0);
    }

    #[test]
    fn a_path_is_below_itself_and_below_its_folders() {
        for (path, root, expected) in [
            ("net", "net", true),
            ("net/in", "net", true),
            ("network", "net", false),
            ("net", "net/in", false),
            ("a/net", "net", false),
        ] {
            assert_eq!(is_below(path, root), expected, "{path} below {root}");
        }
    }
}
