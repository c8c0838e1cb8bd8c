//! The filter, which decides which entries the tree shows.

use super::sums::Change;

/// The conditions that an entry must meet to be shown. An empty text or list sets no condition.
///
/// A text consists of words. All of them must be found, ignoring case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// The accepted threads, by name. Empty accepts all.
    pub(crate) threads: Vec<String>,
    /// The accepted groups, by name. Empty accepts all.
    pub(crate) groups: Vec<String>,
    /// Words. Each must be in one of the entry's scopes, not necessarily in the same one.
    pub(crate) scope: String,
    /// Words that must all be in the entry's name.
    pub(crate) name: String,
    /// The changes that a comparison shows. Has no effect without a comparison.
    pub(crate) changes: Changes,
}

/// The changes between two snapshots that are shown; all by default.
///
/// The filter judges units: all allocations that pass the rest of the filter and have the same
/// thread, group, scopes and name, as far as these are levels of the tree. Sizes do not distinguish
/// units. If allocations of 64 bytes are replaced by others of 128, the unit has grown; nothing is
/// gone or new. If threads are hidden, a job that moved to another thread has not changed. A row's
/// own allocations are judged apart from those of the rows below it: a scope may have shrunk while
/// a scope within it has grown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Changes {
    /// All entries, whether they changed or not.
    #[default]
    All,
    /// Those with more bytes than before, including new ones.
    Grown,
    /// Those with fewer bytes, including gone ones.
    Shrunk,
    /// Those that were not there before.
    New,
    /// Those that are no longer there.
    Gone,
    /// Those that grew in every snapshot, from the older one of the comparison to the newer one.
    EveryStep,
}

impl Changes {
    /// Returns whether a change is among them, as far as the two snapshots of the comparison tell.
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
