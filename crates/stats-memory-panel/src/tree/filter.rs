//! The filter that decides which entries the tree shows.

use super::sums::Change;

/// The conditions that an entry must meet to be shown. An empty text or list sets no condition.
///
/// A text consists of words that must all be found, ignoring case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// The names of the accepted threads; all if empty.
    pub(crate) threads: Vec<String>,
    /// The names of the accepted groups; all if empty.
    pub(crate) groups: Vec<String>,
    /// Words that must all be in the entry's scopes, not necessarily in the same one.
    pub(crate) scope: String,
    /// Words that must all be in the entry's name.
    pub(crate) name: String,
    /// The changes that a comparison shows. Without a comparison, it has no effect.
    pub(crate) changes: Changes,
}

impl Filter {
    /// Returns the chosen threads or groups.
    pub(crate) fn chosen(&mut self, of_threads: bool) -> &mut Vec<String> {
        match of_threads {
            true => &mut self.threads,
            false => &mut self.groups,
        }
    }
}

/// The changes between two snapshots to show; all by default.
///
/// The filter judges *units*. A unit consists of all allocations that pass the rest of the filter
/// and have the same thread, group, scopes and name, as far as these are levels of the tree. Sizes
/// do not distinguish units: if allocations of 64 bytes are replaced by others of 128, the unit has
/// grown, and nothing is gone or new. If threads are hidden, a job that moved to another thread has
/// not changed. A row's own allocations are judged apart from those of the rows below it: a scope
/// may have shrunk while a scope within it has grown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Changes {
    /// All units, whether they changed or not.
    #[default]
    All,
    /// Units with more bytes than before, including new ones.
    Grown,
    /// Units with fewer bytes than before, including gone ones.
    Shrunk,
    /// Units that did not exist before.
    New,
    /// Units that no longer exist.
    Gone,
    /// Units that grew from each snapshot to the next, from the older one of the comparison to the
    /// newer one.
    EveryStep,
}

impl Changes {
    /// Returns whether a change is among these. Ignores the snapshots between the two that are
    /// compared.
    pub(super) fn has(self, change: Change) -> bool {
        match self {
            Self::All => true,
            Self::Grown | Self::EveryStep => matches!(change, Change::Grown | Change::New),
            Self::Shrunk => matches!(change, Change::Shrunk | Change::Gone),
            Self::New => change == Change::New,
            Self::Gone => change == Change::Gone,
        }
    }
}
