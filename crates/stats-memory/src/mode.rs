//! The modes: how much is kept about each allocation. A mode is a type, so nothing is decided at
//! run time.

/// Totals only, without a header or any other bytes per allocation.
#[derive(Clone, Copy, Debug)]
pub enum Count {}

/// Totals for each group, stack of scopes and name. Each allocation carries a header of 8 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Tags {}

/// Everything that [`Tags`] keeps, and a record of each live allocation with its thread, which
/// takes 16 more bytes.
#[derive(Clone, Copy, Debug)]
pub enum Records {}
