//! A mapping of the process.

use std::ops::Range;

/// A range of addresses, and the file or name that backs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) addresses: Range<usize>,
    pub(super) is_executable: bool,
    pub(super) is_shared: bool,
    /// The path of the file, or a name such as `[heap]`; empty for anonymous memory.
    pub(super) name: String,
    pub(super) resident_bytes: u64,
}
