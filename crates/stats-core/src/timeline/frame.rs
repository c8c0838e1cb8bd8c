//! The scopes of one frame.

use super::lanes::{Lane, Lanes};
use super::scope::Scope;

/// The scopes of one frame of a [`Timeline`](super::Timeline).
#[derive(Clone, Copy, Debug)]
pub struct FrameScopes<'a> {
    pub(super) lanes: &'a Lanes,
    pub(super) index: u64,
    pub(super) duration_ns: i64,
    pub(super) lost: u64,
    pub(super) revision: u32,
    pub(super) scopes: &'a [Scope],
}

impl<'a> FrameScopes<'a> {
    /// Returns the index of the frame.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// Returns how long the frame took on the machine's clock, on which scopes are timed. Differs
    /// from [`Frame::duration_ms`](crate::Frame) if the host gives the times of frames.
    #[must_use]
    pub const fn duration_ns(&self) -> i64 {
        self.duration_ns
    }

    /// Returns the number of scopes that are missing; 0 if the frame is complete. Scopes are missing if
    /// a thread ended more of them than its buffer takes, if they arrived too late, or if there was no
    /// memory left.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }

    /// Returns a number that changes when scopes are added to the frame. Scopes of the GPU and of
    /// other profilers are known some frames later.
    #[must_use]
    pub const fn revision(&self) -> u32 {
        self.revision
    }

    /// Returns the scopes lane by lane, in the order in which they began, outer ones before those
    /// inside them.
    #[must_use]
    pub const fn scopes(&self) -> &'a [Scope] {
        self.scopes
    }

    /// Returns the lanes that have scopes, each with its scopes in the order in which they began.
    /// The order of lanes is that in which they first had scopes.
    pub fn lanes(&self) -> impl Iterator<Item = (Lane<'a>, &'a [Scope])> + use<'a> {
        let lanes = self.lanes;
        self.scopes
            .chunk_by(|one, other| one.lane == other.lane)
            .map(|scopes| (lanes.get(scopes[0].lane), scopes))
    }
}
