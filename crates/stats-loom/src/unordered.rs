//! Names of orderings that all mean none, for files that are expected to fail their models without.

use loom::sync::atomic::Ordering as Loom;

pub(crate) struct Ordering;

#[expect(non_upper_case_globals, reason = "the names of what they stand for")]
impl Ordering {
    pub(crate) const Relaxed: Loom = Loom::Relaxed;
    pub(crate) const Acquire: Loom = Self::Relaxed;
    pub(crate) const Release: Loom = Self::Relaxed;
    pub(crate) const AcqRel: Loom = Self::Relaxed;
}
