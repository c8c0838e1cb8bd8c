//! The thread to which an allocation or a free is attributed.

/// A thread: the number of its name, 0 without one, and its number in the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ThreadIdentity {
    pub(super) name: u16,
    pub(super) id: u32,
}
