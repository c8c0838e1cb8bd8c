//! One series of a clock, and its readers.

use std::sync::Arc;

use super::clock::{Clock, State};
use crate::live::recorder::Watch;
use crate::providers::{Computation, Evaluate};
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
        reader.next = reader.follow(&clock);
        Box::new(move |_, _| {
            let Some(first) = reader.next else {
                // The ticks before are not known.
                reader.next = reader.follow(&clock);
                return f64::NAN;
            };
            let state = clock.try_read();
            let value = state.and_then(|state| reader.frame_value(first, &state));
            value.unwrap_or(f64::NAN)
        })
    }
}

/// A reader of a series: one recorder.
#[derive(Debug)]
struct Reader {
    of: Of,
    watch: Option<Watch>,
    /// The first tick that belongs to no frame yet; `None` before it follows the clock.
    next: Option<u64>,
    /// The first tick that was counted as a whole.
    whole: u64,
}

impl Reader {
    const fn new(of: Of) -> Self {
        Self {
            of,
            watch: None,
            next: None,
            whole: 0,
        }
    }

    /// Begins to read the clock's recorder. Returns the tick with which it begins; `None` while
    /// another thread uses the clock.
    fn follow(&mut self, clock: &Clock) -> Option<u64> {
        let Of::Series {
            id, is_per_tick, ..
        } = self.of
        else {
            return Some(clock.try_read()?.recorder.frames().end);
        };
        let mut state = clock.try_write()?;
        self.watch = Some(state.recorder.watch(id));
        let next = state.recorder.frames().end;
        self.whole = next + u64::from(is_per_tick);
        Some(next)
    }

    /// Returns the value of the frame that ends, with the ticks from `first` on; `None` if it is
    /// unknown.
    fn frame_value(&mut self, first: u64, state: &State) -> Option<f64> {
        let recorder = &state.recorder;
        let end = recorder.frames().end;
        self.next = Some(end);
        let ticks = usize::try_from(end - first).ok()?;
        if ticks == 0 {
            let is_counted = matches!(self.of, Of::Count) && state.handles > 0;
            return is_counted.then_some(0.0);
        }
        let is_whole = first >= self.whole.max(state.whole);
        let values = match self.of {
            Of::Count => return Some(ticks as f64),
            Of::Time => recorder.frame_times(ticks),
            Of::Series { .. } => recorder.history(self.watch.as_ref()?, ticks),
        };
        let is_kept = values.len() == ticks;
        match self.of {
            Of::Series {
                is_per_tick: false, ..
            } => is_kept.then(|| values.last().unwrap_or(f64::NAN)),
            _ => (is_kept && is_whole).then(|| values.iter().sum()),
        }
    }
}
