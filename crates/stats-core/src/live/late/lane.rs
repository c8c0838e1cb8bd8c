//! The outstanding stamps of one source.

use std::collections::VecDeque;

use super::next_number;
use super::order::{lock, try_lock};
use crate::live::sync::Mutex;

/// The largest number of outstanding stamps of a source. Issuing another gives up the oldest.
pub(in crate::live) const MAX_OUTSTANDING: usize = 1 << 16;

/// The stamps that a source has issued and not yet delivered or given up.
#[derive(Debug, Default)]
pub(in crate::live) struct Lane {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// In ascending order.
    outstanding: VecDeque<Outstanding>,
    /// The newest stamp; 0 before the first.
    newest: u64,
    is_closed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Outstanding {
    stamp: u64,
    is_being_delivered: bool,
}

impl Lane {
    /// Issues a new stamp, which is outstanding from now on.
    pub(in crate::live) fn issue(&self) -> u64 {
        let mut state = lock(&self.state);
        // Under the lock: a recorder that ends a frame after this number sees the stamp.
        let stamp = next_number();
        state.newest = stamp;
        if state.outstanding.len() == MAX_OUTSTANDING {
            state.outstanding.pop_front();
        }
        state.outstanding.push_back(Outstanding {
            stamp,
            is_being_delivered: false,
        });
        stamp
    }

    /// Reserves a stamp for the caller to deliver. Returns `false` if it is not outstanding or
    /// another thread reserved it.
    pub(in crate::live) fn claim(&self, stamp: u64) -> bool {
        let mut state = lock(&self.state);
        let Some(at) = state.find(stamp) else {
            return false;
        };
        !std::mem::replace(&mut state.outstanding[at].is_being_delivered, true)
    }

    /// Ends a delivery: the stamp is no longer outstanding.
    pub(in crate::live) fn complete(&self, stamp: u64) {
        let mut state = lock(&self.state);
        if let Some(at) = state.find(stamp) {
            state.outstanding.remove(at);
        }
    }

    /// Returns the oldest outstanding stamp if another one would displace it.
    #[cfg(not(loom))]
    pub(in crate::live) fn displaced(&self) -> Option<u64> {
        let state = lock(&self.state);
        let oldest = state.outstanding.front()?.stamp;
        (state.outstanding.len() >= MAX_OUTSTANDING).then_some(oldest)
    }

    /// Returns the oldest outstanding stamp.
    #[cfg(not(loom))]
    pub(in crate::live) fn oldest(&self) -> Option<u64> {
        lock(&self.state).outstanding.front().map(|one| one.stamp)
    }

    /// Returns the newest stamp that was ever issued; 0 if there is none.
    #[cfg(not(loom))]
    pub(in crate::live) fn newest(&self) -> u64 {
        lock(&self.state).newest
    }

    /// Closes the lane, because its source is dropped.
    pub(in crate::live) fn close(&self) {
        lock(&self.state).is_closed = true;
    }

    pub(in crate::live) fn is_closed(&self) -> bool {
        lock(&self.state).is_closed
    }

    /// Returns the oldest outstanding stamp after a number, or `u64::MAX` if there is none; `None`
    /// while another thread uses the lane.
    pub(in crate::live) fn oldest_after(&self, number: u64) -> Option<u64> {
        let state = try_lock(&self.state)?;
        let at = state
            .outstanding
            .partition_point(|outstanding| outstanding.stamp <= number);
        Some(
            state
                .outstanding
                .get(at)
                .map_or(u64::MAX, |outstanding| outstanding.stamp),
        )
    }
}

impl State {
    fn find(&self, stamp: u64) -> Option<usize> {
        self.outstanding
            .binary_search_by_key(&stamp, |outstanding| outstanding.stamp)
            .ok()
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
