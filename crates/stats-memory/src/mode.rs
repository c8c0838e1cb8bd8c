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
pub enum Full {}

/// A mode of [`Tracking`](crate::Tracking). Sealed: [`Count`], [`Tags`] and [`Full`] are all there
/// is.
pub trait Mode: Track {}

impl Mode for Count {}
impl Mode for Tags {}
impl Mode for Full {}
