//! The levels of the tree.

/// The levels of the tree, from the top down; all by default.
///
/// Scopes nest within each other. Rows that differ only in a hidden level are added up. A level
/// without any text is hidden automatically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Levels {
    pub(crate) threads: bool,
    pub(crate) groups: bool,
    pub(crate) scopes: bool,
    pub(crate) names: bool,
    /// A row for each size of allocations, below the row of their name. A single size has no row:
    /// [`Row::size`](super::Row::size) contains it.
    pub(crate) sizes: bool,
}

impl Default for Levels {
    fn default() -> Self {
        Self {
            threads: true,
            groups: true,
            scopes: true,
            names: true,
            sizes: true,
        }
    }
}
