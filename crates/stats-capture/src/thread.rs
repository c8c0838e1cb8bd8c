//! Threads of this process.

use std::io;
use std::mem;
use std::process;
use std::thread::{self, JoinHandle};

use stats_core::own_memory;

/// A thread, to be joined in the process that started it.
///
/// A child of `fork` has only the thread that forked. Joining any other one there would panic.
#[derive(Debug)]
pub(crate) struct Thread<T> {
    handle: JoinHandle<T>,
    process: u32,
}

impl<T: Send + 'static> Thread<T> {
    pub(crate) fn start(work: impl FnOnce() -> T + Send + 'static) -> io::Result<Self> {
        let builder = thread::Builder::new().name("stats-capture".to_owned());
        Ok(Self {
            handle: builder.spawn(|| {
                let _memory = own_memory("stats-capture");
                work()
            })?,
            process: process::id(),
        })
    }
}

impl<T> Thread<T> {
    /// Returns whether this process is a child that was forked after the start.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.process != process::id()
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.handle.is_finished()
    }

    /// Waits for the result of the thread; `None` if it panicked, or is elsewhere.
    pub(crate) fn join(self) -> Option<T> {
        if self.is_elsewhere() {
            // Detaching it is undefined as well.
            mem::forget(self.handle);
            return None;
        }
        // A thread that panicked has printed a message.
        self.handle.join().ok()
    }
}
