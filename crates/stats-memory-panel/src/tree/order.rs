//! The order of rows.

/// The column by which the rows below one parent are sorted.
///
/// A change is the newer value minus the older one, so the largest growth comes first in descending
/// order. Labels are sorted in natural order: numbers by value, letters regardless of case, and
/// sizes after texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortBy {
    Label,
    Bytes,
    Count,
    BytesChange,
    /// The growth of the owner in the row that grew most.
    Growth,
    CountChange,
}

/// The order of rows: by size by default, the largest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) by: SortBy,
    pub(crate) descending: bool,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            by: SortBy::Bytes,
            descending: true,
        }
    }
}
