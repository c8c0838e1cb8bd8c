//! The global profiler, for one test at a time, and what came of it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use puffin::GlobalProfiler;
use stats_core::{Recorder, SeriesId, Watch};

/// There is one global profiler: tests take turns.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    puffin::set_scopes_on(true);
    // What other tests left behind.
    GlobalProfiler::lock().new_frame();
    turn
}

pub(crate) fn new_frame() {
    GlobalProfiler::lock().new_frame();
}

/// The series of the calls of a timer, waited for: it is registered by another thread.
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

/// What each of the frames from `first` on brought.
pub(crate) fn values(recorder: &Recorder, watch: &Watch, first: u64) -> Vec<Option<f64>> {
    let window = recorder.history(watch, 4096);
    (first..recorder.frames().end)
        .map(|frame| window.at(frame))
        .collect()
}
