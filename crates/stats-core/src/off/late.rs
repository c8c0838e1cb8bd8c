//! Deferred values without the feature `enabled`.

use super::Handle;
use crate::SeriesKind;

/// A source that delivers nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct LateSource;

/// A series without values.
pub(crate) type LatePlace = Handle;

/// A stamp without a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StampNumber;

impl LateSource {
    #[inline(always)]
    pub(crate) fn series(&self, _: &str, _: SeriesKind) -> LatePlace {
        Handle
    }

    #[inline(always)]
    pub(crate) fn issue(&self) -> StampNumber {
        StampNumber
    }

    #[inline(always)]
    pub(crate) fn deliver(
        &self,
        _: StampNumber,
        _: impl Iterator<Item = (LatePlace, f64)> + Clone,
    ) {
    }

    #[inline(always)]
    pub(crate) fn give_up(&self, _: StampNumber) {}
}
