//! Scopes that another program has measured, as series of call paths.

mod series;
mod tree;

pub(super) use series::add_calls;
pub(super) use tree::{MAX_DEPTH, Tree};
