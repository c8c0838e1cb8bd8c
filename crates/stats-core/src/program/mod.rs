//! What concerns the program as a whole.
//!
//! - [`problem`]: mistakes in the use of counters.
//! - [`run_report`]: everything that a run has counted, as a table.
//! - [`log_line`]: lines of the program's log, which mark frames.
//! - [`freeze`]: frames that do not end.
//! - [`recording`]: how an overlay starts and ends the recordings of a program.
//! - [`display`]: the display on which the program draws.
//! - [`own_memory`](mod@own_memory): which memory is that of the statistics.
//! - [`own_process`]: what a child of `fork` leaves to its parent.

mod display;
mod freeze;
mod log_line;
mod own_memory;
mod own_process;
mod problem;
mod recording;
mod run_report;

pub use display::{refresh_hz, set_refresh_hz};
pub use freeze::{FROZEN, Freeze, FreezeWatch, FrozenThread, STOOD_STILL, on_freeze};
#[cfg(all(feature = "enabled", not(loom)))]
pub(crate) use log_line::LineText;
pub use log_line::{LogLevel, LogLine};
pub use own_memory::{OwnMemory, own_memory, set_memory_tracker};
pub use own_process::OwnProcess;
pub use problem::Problem;
pub use recording::{RecordedLength, RecordingControl, RecordingStatus};
pub use run_report::report;
#[cfg(feature = "log")]
pub use run_report::{ReportAtExit, log_report, log_report_at_exit};
