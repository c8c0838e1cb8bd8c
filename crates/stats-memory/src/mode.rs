//! How much is kept about each allocation. A mode is a type, so nothing is decided at run time.

/// Totals only. No header, and no bytes for each allocation.
#[derive(Clone, Copy, Debug)]
pub enum Count {}

/// Totals for each group, stack of scopes and name. Each allocation carries a header of 8 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Tags {}

/// What [`Tags`] keeps, and a record of each live allocation and its thread: 16 bytes more for
/// each.
#[derive(Clone, Copy, Debug)]
pub enum Records {}
