//! Threads of this process.

use std::io;
use std::thread::{self, JoinHandle};

use stats_core::{OwnProcess, own_memory};

/// The name of all threads of this crate.
pub(crate) const NAME: &str = "stats-capture";

/// A thread, to be joined in the process that started it.
///
/// A child of `fork` has only the thread that forked. Joining any other one there would panic.
#[derive(Debug)]
pub(crate) struct Thread<T>(OwnProcess<JoinHandle<T>>);

impl<T: Send + 'static> Thread<T> {
    pub(crate) fn start(work: impl FnOnce() -> T + Send + 'static) -> io::Result<Self> {
        let builder = thread::Builder::new().name(NAME.to_owned());
        let handle = builder.spawn(|| {
            let _memory = own_memory("stats-capture");
            work()
        })?;
        Ok(Self(OwnProcess::new(handle)))
    }
}

impl<T> Thread<T> {
    /// Returns whether this process is a child that was forked after the start.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.0.is_elsewhere()
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for the result of the thread; `None` if it panicked, or is elsewhere.
    pub(crate) fn join(self) -> Option<T> {
        // A thread that panicked has printed a message.
        self.0.take()?.join().ok()
    }
}
