//! The report of the current run, as a value and for the program's logger.

#[cfg(feature = "log")]
use log::{Level, log, log_enabled};

use crate::{Report, backend};

/// Returns the report of the current run: all counters, timers, levels, gauges and histograms.
/// Copies all buckets that have samples, and reads all totals, all of the same run.
///
/// ```
/// stats_core::count!("renderer/primitives", 36);
/// println!("{}", stats_core::report());
/// ```
#[must_use]
pub fn report() -> Report {
    backend::report()
}

/// Logs the [report](report()) of the current run: one record for each line that is not empty. If
/// nothing was recorded, a single record reports that. Uses the facade [`log`](mod@log); needs the
/// feature `log`.
///
/// All records have the target `stats`. If the logger does not accept the level for that target,
/// the function does nothing. Otherwise it copies all buckets that have samples and formats the
/// text: call it at the end of a level, not in every frame.
///
/// ```
/// stats_core::log_report(log::Level::Info);
/// ```
///
/// writes
///
/// ```text
/// INFO stats: counter              total
/// INFO stats: renderer/draw-calls  3 326
/// INFO stats: histogram       sum  average  deviation  count  minimum   median      99 %   maximum
/// INFO stats: ai/delta          0        0         ±3      2       -3 <     -3 <       3 <       3
/// INFO stats: io/pack [ms]  836.9      279     ±384.8      3      5.5 <   8.25 <   823.2 <   823.2
/// ```
#[cfg(feature = "log")]
pub fn log_report(level: Level) {
    const TARGET: &str = "stats";
    if !log_enabled!(target: TARGET, level) {
        return;
    }
    for line in report().to_string().lines().filter(|line| !line.is_empty()) {
        log!(target: TARGET, level, "{line}");
    }
}

/// Logs the [report](report()) of everything when the returned guard is dropped, as [`log_report`]
/// does. Bind it first in `main`, so that it is dropped last. A panic of `main` drops it, too;
/// [`std::process::exit`] does not. Needs the feature `log`.
///
/// ```
/// let _summary = stats_core::log_report_at_exit(log::Level::Info);
/// // … the program
/// ```
#[cfg(feature = "log")]
#[must_use = "the report is logged when the guard is dropped: bind it with `let _summary = …`"]
pub fn log_report_at_exit(level: Level) -> ReportAtExit {
    ReportAtExit { level }
}

/// Logs the report of a run when it is dropped; see [`log_report_at_exit`].
#[cfg(feature = "log")]
#[derive(Debug)]
pub struct ReportAtExit {
    level: Level,
}

#[cfg(feature = "log")]
impl Drop for ReportAtExit {
    fn drop(&mut self) {
        log_report(self.level);
    }
}
