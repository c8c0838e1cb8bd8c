//! The modes, which determine on which side of an allocation its guard is.

use sealed::Side;

/// Catches reads and writes after the end of an allocation at the moment they happen.
#[derive(Clone, Copy, Debug)]
pub enum Overrun {}

/// Catches reads and writes before the start of an allocation at the moment they happen.
#[derive(Clone, Copy, Debug)]
pub enum Underrun {}

/// A mode of [`Stomp`](crate::Stomp). Sealed: the modes are [`Overrun`] and [`Underrun`].
pub trait StompMode: sealed::Guarded {}

impl StompMode for Overrun {}
impl StompMode for Underrun {}

pub(super) mod sealed {
    /// The side of an allocation on which its guard page is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Side {
        /// Right after the allocation.
        After,
        /// Right before the allocation.
        Before,
    }

    pub trait Guarded {
        const SIDE: Side;
    }
}

impl sealed::Guarded for Overrun {
    const SIDE: Side = Side::After;
}

impl sealed::Guarded for Underrun {
    const SIDE: Side = Side::Before;
}
