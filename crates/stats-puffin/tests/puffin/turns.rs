//! Gives tests the global profiler one at a time, and reads what was recorded.

use std::sync::{Mutex, MutexGuard, PoisonError};

use puffin::GlobalProfiler;
use stats_core::{Recorder, SeriesId, Watch};

/// Waits for the turn of a test: there is only one global profiler.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    puffin::set_scopes_on(true);
    // Ends the frame with scopes that other tests left.
    GlobalProfiler::lock().new_frame();
    turn
}

pub(crate) fn new_frame() {
    GlobalProfiler::lock().new_frame();
}

/// Returns the series of the calls of a timer. Waits for it, since another thread registers it.
pub(crate) fn calls_of(path: &str) -> SeriesId {
    for _ in 0..1000 {
        let mut calls = None;
        stats_core::for_each_series(|info| {
            if info.path == path {
                calls = info.calls;
            }
        });
        if let Some(calls) = calls {
            return calls;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("{path} is not listed");
}

/// Returns the values of the frames from `first` on.
pub(crate) fn values(recorder: &Recorder, watch: &Watch, first: u64) -> Vec<Option<f64>> {
    let history = recorder.history(watch, 4096);
    (first..recorder.frames().end)
        .map(|frame| history.at(frame))
        .collect()
}
