//! The outstanding stamps of one source.

use std::collections::VecDeque;

use super::next_number;
use super::order::{lock, try_lock};
use crate::live::sync::Mutex;

/// Stamps that a source can have outstanding; with one more, the oldest is given up.
pub(in crate::live) const MAX_OUTSTANDING: usize = 1 << 16;

/// What a source has still to say.
#[derive(Debug, Default)]
pub(in crate::live) struct Lane {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// In the order of their numbers.
    outstanding: VecDeque<Outstanding>,
    is_closed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Outstanding {
    stamp: u64,
    is_being_delivered: bool,
}

impl Lane {
    /// A new stamp, outstanding from now on.
    pub(in crate::live) fn issue(&self) -> u64 {
        let mut state = lock(&self.state);
        // Under the lock: a recorder that ends a frame after this number finds the stamp when it
        // looks.
        let stamp = next_number();
        if state.outstanding.len() == MAX_OUTSTANDING {
            state.outstanding.pop_front();
        }
        state.outstanding.push_back(Outstanding {
            stamp,
            is_being_delivered: false,
        });
        stamp
    }

    /// Makes the caller the one who delivers the stamp; `false` where it is not outstanding, or
    /// another does.
    pub(in crate::live) fn claim(&self, stamp: u64) -> bool {
        let mut state = lock(&self.state);
        let Some(at) = state.find(stamp) else {
            return false;
        };
        !std::mem::replace(&mut state.outstanding[at].is_being_delivered, true)
    }

    /// Ends a delivery: the stamp is outstanding no more.
    pub(in crate::live) fn complete(&self, stamp: u64) {
        let mut state = lock(&self.state);
        if let Some(at) = state.find(stamp) {
            state.outstanding.remove(at);
        }
    }

    /// Takes back a stamp that nobody delivers.
    pub(in crate::live) fn give_up(&self, stamp: u64) {
        let mut state = lock(&self.state);
        if let Some(at) = state.find(stamp)
            && !state.outstanding[at].is_being_delivered
        {
            state.outstanding.remove(at);
        }
    }

    /// Takes back all stamps, for ever: the source is gone.
    pub(in crate::live) fn close(&self) {
        *lock(&self.state) = State {
            is_closed: true,
            ..State::default()
        };
    }

    pub(in crate::live) fn is_closed(&self) -> bool {
        lock(&self.state).is_closed
    }

    /// The oldest outstanding stamp after a number, `u64::MAX` where there is none; `None` while
    /// the lane is in use.
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
