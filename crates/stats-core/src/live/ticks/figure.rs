//! One series of a clock, and its readers.

use std::mem::replace;
use std::sync::Arc;

use super::clock::{Clock, State};
use crate::computed::{Computation, Evaluate};
use crate::live::recorder::Watch;
use crate::{SeriesId, SeriesInfo, Unit};

/// What a series of a clock is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    /// The number of ticks.
    Count,
    /// The time that they took.
    Time,
    /// The values of a series in them.
    Series {
        id: SeriesId,
        unit: Unit,
        /// Whether the values of several ticks are added up.
        is_per_tick: bool,
    },
}

impl Of {
    pub(super) const fn series(info: &SeriesInfo<'_>) -> Self {
        Self::Series {
            id: info.id,
            unit: info.unit,
            is_per_tick: info.kind.is_per_frame(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Figure {
    clock: Arc<Clock>,
    of: Of,
}

impl Figure {
    pub(super) const fn new(clock: Arc<Clock>, of: Of) -> Self {
        Self { clock, of }
    }
}

impl Computation for Figure {
    fn inputs(&self) -> &[String] {
        &[]
    }

    fn unit(&self, _: &[Unit]) -> Result<Unit, String> {
        Ok(match self.of {
            Of::Count => Unit::Count,
            Of::Time => Unit::Milliseconds,
            Of::Series { unit, .. } => unit,
        })
    }

    fn begin(&self) -> Box<Evaluate> {
        let clock = Arc::clone(&self.clock);
        let mut reader = Reader::new(self.of);
        // If a tick ends just now, the first frame begins it.
        if let Some(mut state) = clock.try_lock() {
            reader.follow(&mut state);
        }
        Box::new(move |_, _| {
            let state = clock.try_lock();
            let value = state.and_then(|mut state| reader.frame_value(&mut state));
            value.unwrap_or(f64::NAN)
        })
    }
}

/// A reader of a series: one recorder.
#[derive(Debug)]
struct Reader {
    of: Of,
    /// The number of the clock's recorder that it follows; 0 before the first.
    session: u64,
    watch: Option<Watch>,
    /// The first tick that belongs to no frame yet.
    next: u64,
    /// The first tick that was counted as a whole.
    whole: u64,
}

impl Reader {
    const fn new(of: Of) -> Self {
        Self {
            of,
            session: 0,
            watch: None,
            next: 0,
            whole: 0,
        }
    }

    /// Begins to read the clock's recorder, or continues to.
    fn follow(&mut self, state: &mut State) {
        let session = state.session;
        let Some(recorder) = &mut state.recorder else {
            return;
        };
        if replace(&mut self.session, session) == session {
            return;
        }
        self.next = recorder.frames().end;
        self.whole = self.next;
        if let Of::Series {
            id, is_per_tick, ..
        } = self.of
        {
            self.watch = Some(recorder.watch(id));
            self.whole += u64::from(is_per_tick);
        }
    }

    /// Returns the value of the frame that ends; `None` if it is unknown.
    fn frame_value(&mut self, state: &mut State) -> Option<f64> {
        self.follow(state);
        let recorder = state.recorder.as_ref()?;
        let end = recorder.frames().end;
        let first = replace(&mut self.next, end);
        let ticks = usize::try_from(end - first).ok()?;
        let Of::Series { is_per_tick, .. } = self.of else {
            return match self.of {
                Of::Count => Some(ticks as f64),
                _ => {
                    let times = recorder.frame_times(ticks);
                    (ticks > 0 && times.len() == ticks).then(|| times.iter().sum())
                }
            };
        };
        let values = recorder.history(self.watch.as_ref()?, ticks);
        let is_known = ticks > 0 && first >= self.whole && values.len() == ticks;
        is_known.then(|| match is_per_tick {
            true => values.iter().sum(),
            false => values.last().unwrap_or(f64::NAN),
        })
    }
}
