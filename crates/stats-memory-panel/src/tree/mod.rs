//! The tree of one snapshot or of two: thread, group, scopes, name and size.
//!
//! To build a tree, [`merged`] gives two snapshots common numbers, [`passing`] applies the
//! [`filter`] to their sites, [`build`] makes a [`node`] for each path of labels and adds up
//! [`sums`], and [`growth`] ranks the rows of a comparison. [`levels`] says which levels the paths
//! have. [`memory_tree`] lists each visible [`row`]. It does the rest only when a row is opened:
//! [`sizes`] builds the lowest level, and [`sort`] puts the children in an [`order`].

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
