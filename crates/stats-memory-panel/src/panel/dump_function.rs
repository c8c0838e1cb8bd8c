//! The function that writes a dump of this program.

use std::io::{self, Write};
use std::sync::Arc;
use std::{fmt, ops};

use stats_ui::job::Panicked;

/// A function that writes a dump and returns the number of its lines.
pub(super) type WriteDump = dyn Fn(&mut dyn Write) -> io::Result<u64> + Send + Sync;

/// The function, shared between threads. It works with any tracking allocator.
#[derive(Clone)]
pub(super) struct DumpFunction(Arc<WriteDump>);

impl DumpFunction {
    pub(super) fn new(
        dump: impl Fn(&mut dyn Write) -> io::Result<u64> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(dump))
    }
}

impl ops::Deref for DumpFunction {
    type Target = WriteDump;

    fn deref(&self) -> &WriteDump {
        &*self.0
    }
}

impl fmt::Debug for DumpFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DumpFunction")
    }
}

/// Returns the text to show after the function panicked.
pub(super) fn panic_text(Panicked(message): &Panicked) -> String {
    format!("the function that writes the dump panicked: {message}")
}
