//! How much is kept of each allocation: a type, so that nothing is asked at run time.

use crate::backend::Track;

/// Totals alone. No header, no bytes per allocation.
#[derive(Clone, Copy, Debug)]
pub enum Count {}

/// Totals for each group, stack of scopes and name. Each allocation carries a header of 8 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Tags {}

/// What [`Tags`] has, and a record of each live allocation with its thread: 16 bytes more for each.
#[derive(Clone, Copy, Debug)]
pub enum Records {}

/// A mode of [`TrackingAllocator`](crate::TrackingAllocator). Sealed: [`Count`], [`Tags`] and [`Records`] are all there
/// is.
pub trait Mode: Track {}

impl Mode for Count {}
impl Mode for Tags {}
impl Mode for Records {}
