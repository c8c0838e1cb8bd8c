//! Which entries are shown.

/// Which entries are shown: all of it has to hold. Empty texts and lists hold for everything.
///
/// A text is words, each of which has to be found; without regard to case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Names of threads; an entry's is one of them.
    pub(crate) threads: Vec<String>,
    /// Names of groups; an entry's is one of them.
    pub(crate) groups: Vec<String>,
    /// Each word is found in one of the entry's scopes, not all in the same.
    pub(crate) scope: String,
    /// Each word is found in the entry's name.
    pub(crate) name: String,
    /// Of a comparison, which changes are shown. Without one it holds for everything.
    pub(crate) changes: Changes,
}

/// Which changes between two snapshots are shown; all by default.
///
/// What is judged is what the tree tells apart, sizes aside: what passed the rest of the filter and
/// has the same thread, group, scopes and name, or those of them that are levels of the tree. So
/// allocations of 64 bytes that became ones of 128 have grown, rather than gone and come; and with
/// threads left out, a job that moved from one to another has not changed. What a row has beside
/// the rows below it is judged by itself: a scope may have shrunk and one within it have grown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Changes {
    /// All entries, whether they changed or not.
    #[default]
    All,
    /// Those that hold more bytes than before, new ones among them.
    Grown,
    /// Those that hold fewer, gone ones among them.
    Shrunk,
    /// Those that were not there before.
    New,
    /// Those that are not there any more.
    Gone,
}

impl Changes {
    /// Whether what became of something is among them.
    pub(super) fn has(self, change: super::tree::Change) -> bool {
        use super::tree::Change;
        match self {
            Self::All => true,
            Self::Grown => matches!(change, Change::Grown | Change::New),
            Self::Shrunk => matches!(change, Change::Shrunk | Change::Gone),
            Self::New => change == Change::New,
            Self::Gone => change == Change::Gone,
        }
    }
}
