//! The tree of one snapshot or of two: thread, group, scopes, name and size.
//!
//! A tree is built in steps. [`merged`] gives two snapshots common numbers, [`passing`] applies the
//! filter to their sites, [`build`] makes a [`node`] for each path of labels and adds up [`sums`].
//! [`memory_tree`] lists the visible rows, and does the rest only for rows that are opened:
//! [`sort`] orders their children, and [`sizes`] builds the lowest level. [`growth`] ranks
//! the rows of a comparison.

mod build;
mod filter;
mod growth;
mod levels;
mod memory_tree;
mod merged;
mod node;
mod order;
mod passing;
mod row;
mod sizes;
mod sort;
mod sums;

#[cfg(test)]
mod tests;

pub(crate) use filter::{Changes, Filter};
pub(crate) use growth::Growth;
pub(crate) use levels::Levels;
pub(crate) use memory_tree::MemoryTree;
pub(crate) use order::{Order, SortBy};
pub(crate) use row::{Row, RowKind};
pub(crate) use sums::Change;
