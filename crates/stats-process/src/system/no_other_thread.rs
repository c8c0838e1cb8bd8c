//! Systems that tell a thread only about itself, and on which a child of `fork` reads nothing: there
//! is none, or it must not use the system's libraries before it calls `exec`.

/// Returns the number of forks that led from the first process to this one.
pub(crate) fn forks() -> u32 {
    0
}

/// A thread that another one reads: none.
#[derive(Debug)]
pub(crate) struct OtherThread;

impl OtherThread {
    /// Returns `None`.
    pub(crate) fn of_this_thread() -> Option<Self> {
        None
    }

    /// Returns unknown times.
    pub(crate) fn times(&self) -> [f64; 2] {
        [f64::NAN; 2]
    }
}
