//! The function that writes a dump of this program.

use std::io::{self, Write};
use std::sync::Arc;

use stats_ui::job::Panicked;

/// A function that writes a dump and returns the number of its lines.
pub(super) type WriteDump = dyn Fn(&mut dyn Write) -> io::Result<u64> + Send + Sync;

/// The function, shared between threads. It works with any tracking allocator.
pub(super) type DumpFunction = Arc<WriteDump>;

/// Returns the text to show after the function panicked.
pub(super) fn panic_text(Panicked(message): &Panicked) -> String {
    format!("the function that writes the dump panicked: {message}")
}
