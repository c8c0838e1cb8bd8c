//! The mailbox of a recorder: values delivered since it last took them.

use std::sync::{Arc, RwLock};

use super::drop_values;
use super::order::{lock, try_lock};
use crate::live::sync::Mutex;

/// The capacity of a mailbox in values: 4 MiB. If more arrive before the recorder ends a frame, it
/// misses the rest.
const MAX_VALUES: usize = 1 << 18;

/// Deliveries, in the order of arrival.
#[derive(Debug, Default)]
pub(in crate::live) struct Post {
    /// The stamp of each delivery, and the number of its values.
    deliveries: Vec<(u64, usize)>,
    /// Slots and their values; NaN for a value that will never be known.
    values: Vec<(u32, f64)>,
    /// The least and the greatest stamp for whose values there was no room.
    left_out: Option<(u64, u64)>,
}

impl Post {
    pub(in crate::live) fn clear(&mut self) {
        self.deliveries.clear();
        self.values.clear();
        self.left_out = None;
    }

    /// Returns the least and the greatest stamp some of whose values are missing.
    #[cfg(not(loom))]
    pub(super) fn left_out(&self) -> Option<(u64, u64)> {
        self.left_out
    }

    /// Notes that values of the stamps from one to another are missing.
    pub(super) fn leave_out(&mut self, (first, last): (u64, u64)) {
        let (least, greatest) = self.left_out.unwrap_or((first, last));
        self.left_out = Some((least.min(first), greatest.max(last)));
    }

    /// Adds the part of a delivery for which there is room. Returns the number of values left out.
    pub(in crate::live) fn put(
        &mut self,
        stamp: u64,
        values: impl Iterator<Item = (u32, f64)>,
    ) -> usize {
        let (before, mut left_out) = (self.values.len(), 0);
        for (slot, value) in values {
            if self.values.len() < MAX_VALUES {
                self.values.push((slot, value));
            } else {
                self.leave_out((stamp, stamp));
                left_out += usize::from(!value.is_nan());
            }
        }
        let taken = self.values.len() - before;
        if taken > 0 {
            self.deliveries.push((stamp, taken));
        }
        left_out
    }

    /// Returns the deliveries, each with its values.
    pub(in crate::live) fn iter(&self) -> impl Iterator<Item = (u64, &[(u32, f64)])> {
        let mut rest = self.values.as_slice();
        self.deliveries.iter().map(move |&(stamp, len)| {
            let (values, others) = rest.split_at(len);
            rest = others;
            (stamp, values)
        })
    }
}

/// The mailbox of a recorder.
#[derive(Debug, Default)]
pub(in crate::live) struct Mailbox {
    inbox: Mutex<Inbox>,
}

#[derive(Debug, Default)]
struct Inbox {
    /// For each slot, the number of the recorder's columns that want its values.
    subscriptions: Vec<u8>,
    post: Post,
}

/// The mailboxes of all recorders that read deferred values.
static MAILBOXES: RwLock<Vec<Arc<Mailbox>>> = RwLock::new(Vec::new());

/// Delivers to every mailbox that subscribes to any of the values.
pub(in crate::live) fn post(stamp: u64, values: impl Iterator<Item = (u32, f64)> + Clone) {
    let mailboxes = MAILBOXES
        .read()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    for mailbox in mailboxes.iter() {
        mailbox.post(stamp, values.clone());
    }
}

impl Mailbox {
    /// Returns a new mailbox, which receives deliveries from now on.
    pub(in crate::live) fn open() -> Arc<Self> {
        let mailbox = Arc::default();
        MAILBOXES
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .push(Arc::clone(&mailbox));
        mailbox
    }

    /// Stops deliveries to a mailbox.
    pub(in crate::live) fn close(this: &Arc<Self>) {
        let mut mailboxes = MAILBOXES
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        mailboxes.retain(|mailbox| !Arc::ptr_eq(mailbox, this));
    }

    /// Takes a delivery, limited to the values that are subscribed to.
    pub(in crate::live) fn post(&self, stamp: u64, values: impl Iterator<Item = (u32, f64)>) {
        let mut inbox = lock(&self.inbox);
        let Inbox {
            subscriptions,
            post,
        } = &mut *inbox;
        let is_wanted = |slot: u32| {
            subscriptions
                .get(slot as usize)
                .is_some_and(|count| *count > 0)
        };
        drop_values(post.put(stamp, values.filter(|(slot, _)| is_wanted(*slot))));
    }

    /// Subscribes to the values of a slot.
    pub(in crate::live) fn subscribe(&self, slot: u32) {
        let mut inbox = lock(&self.inbox);
        let slot = slot as usize;
        if slot >= inbox.subscriptions.len() {
            inbox.subscriptions.resize(slot + 1, 0);
        }
        inbox.subscriptions[slot] += 1;
    }

    /// Withdraws a subscription.
    pub(in crate::live) fn unsubscribe(&self, slot: u32) {
        lock(&self.inbox).unsubscribe(slot);
    }

    /// Withdraws a subscription. Returns `false` and does nothing while another thread delivers.
    pub(in crate::live) fn try_unsubscribe(&self, slot: u32) -> bool {
        try_lock(&self.inbox)
            .map(|mut inbox| inbox.unsubscribe(slot))
            .is_some()
    }

    /// Swaps the deliveries for an empty post; returns `false` while another thread delivers.
    pub(in crate::live) fn take(&self, empty: &mut Post) -> bool {
        let Some(mut inbox) = try_lock(&self.inbox) else {
            return false;
        };
        std::mem::swap(&mut inbox.post, empty);
        true
    }
}

impl Inbox {
    fn unsubscribe(&mut self, slot: u32) {
        if let Some(count) = self.subscriptions.get_mut(slot as usize) {
            *count = count.saturating_sub(1);
        }
    }
}
