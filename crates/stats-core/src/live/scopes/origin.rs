//! Where a timer last ran: the timer around it, the thread, and roughly when.
//!
//! ```text
//! 63         52 51          28 27         20 19            0
//! | 2⁻⁵¹², f64 |    stamp     |    thread   |  slot around |
//! ```
//!
//! A timer's fourth cell contains an origin in each thread's block. Surveys add up all cells of a
//! block. So it has the form of a normal `f64`, because denormal numbers would be slow to add, and
//! of a small one, because a survey reports large sums as inexact totals.

use super::threads::ThreadNumber;
use crate::live::counter::{SINK, SLOTS};

const SLOT_BITS: u32 = 20;
const THREAD_BITS: u32 = 8;
const STAMP_SHIFT: u32 = SLOT_BITS + THREAD_BITS;
const STAMP_BITS: u32 = 24;

const _: () = assert!(SLOTS <= 1 << SLOT_BITS);

/// The bits of 2⁻⁵¹², to which 52 more can be added.
const NORMAL: u64 = 0x1ff << 52;

/// If the stamps of two threads are fewer steps apart than this (a few seconds), the timer runs on
/// several threads.
const RECENT: u64 = 1 << 10;

/// Where a timer last ran on one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin(u64);

impl Origin {
    /// Returns the origin of a scope on this thread, without the scope around it.
    pub(super) const fn of(thread: ThreadNumber) -> Self {
        Self(NORMAL | (thread.number() as u64) << SLOT_BITS)
    }

    /// Adds the slot of the timer around the scope; [`SINK`] if there is none.
    #[inline(always)]
    pub(super) const fn within(self, slot: u32) -> Self {
        Self(self.0 | slot as u64)
    }

    /// Adds the time of the end, in any unit and from any origin, as long as both are the same for
    /// all threads. Keeps it in steps of 2²³ units: a few milliseconds.
    #[inline(always)]
    pub(crate) const fn at(self, time: u64) -> Self {
        const STAMP: u64 = (1 << STAMP_BITS) - 1;
        Self(self.0 | ((time >> 23) & STAMP) << STAMP_SHIFT)
    }

    #[inline(always)]
    pub(crate) const fn to_f64(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// Returns the origin in a cell; `None` if no scope has ended there.
    pub(crate) fn from_f64(cell: f64) -> Option<Self> {
        Some(Self(cell.to_bits())).filter(|origin| origin.0 & NORMAL == NORMAL)
    }

    /// Returns the newest of a timer's origins on all threads. Calls `visit` more than once; each
    /// time, `visit` passes on all origins. The thread is unknown if there were several within a
    /// few seconds.
    pub(crate) fn newest(visit: impl Fn(&mut dyn FnMut(Self))) -> Option<Self> {
        let mut newest: Option<Self> = None;
        visit(&mut |next| {
            if newest.is_none_or(|newest| newest.is_before(next)) {
                newest = Some(next);
            }
        });
        let newest = newest?;
        let mut is_of_one_thread = true;
        visit(&mut |other| {
            let is_recent = newest.steps_since(other) < RECENT;
            is_of_one_thread &= !is_recent || other.thread() == newest.thread();
        });
        Some(if is_of_one_thread {
            newest
        } else {
            Self::of(ThreadNumber::UNKNOWN).within(newest.around().unwrap_or(SINK))
        })
    }

    /// Returns the slot of the timer around the scope; `None` if there was none.
    pub(crate) fn around(self) -> Option<u32> {
        Some(self.0 as u32 & ((1 << SLOT_BITS) - 1)).filter(|slot| *slot != SINK)
    }

    pub(crate) fn thread(self) -> ThreadNumber {
        ThreadNumber::new((self.0 >> SLOT_BITS) as u8)
    }

    fn is_before(self, other: Self) -> bool {
        let steps = other.steps_since(self);
        steps > 0 && steps < 1 << (STAMP_BITS - 1)
    }

    /// Stamps wrap after some hours.
    fn steps_since(self, other: Self) -> u64 {
        let stamp = |origin: Self| origin.0 >> STAMP_SHIFT;
        stamp(self).wrapping_sub(stamp(other)) & ((1 << STAMP_BITS) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, RECENT, ThreadNumber};
    use crate::live::counter::SLOTS;

    fn origin(slot: u32, thread: u8, step: u64) -> Origin {
        Origin::of(ThreadNumber::new(thread))
            .within(slot)
            .at(step << 23)
    }

    #[test]
    fn an_origin_keeps_its_parts_and_is_a_normal_number() {
        for slot in [1, 2, 4711, SLOTS - 1] {
            for thread in [0, 1, 128, 255] {
                for step in [0, 1, (1 << 24) - 1] {
                    let origin = origin(slot, thread, step);
                    assert!(origin.to_f64().is_normal());
                    assert_eq!(Origin::from_f64(origin.to_f64()), Some(origin));
                    assert_eq!(
                        (origin.around(), origin.thread()),
                        (Some(slot), ThreadNumber::new(thread))
                    );
                }
            }
        }
        assert_eq!(Origin::from_f64(0.0), None);
        assert_eq!(origin(0, 1, 5).around(), None);
    }

    #[test]
    fn the_newest_origin_is_found_even_if_stamps_wrap() {
        let last = (1 << 24) - 1;
        for [older, newer] in [[3, 5000], [last - 9, last], [last - 2000, 5]] {
            let origins = [origin(7, 1, older), origin(8, 2, newer)];
            let mut reversed = origins;
            reversed.reverse();
            for origins in [origins, reversed] {
                let newest = Origin::newest(|visit| origins.into_iter().for_each(visit)).unwrap();
                assert_eq!(newest.around(), Some(8));
                let is_apart = newer.wrapping_sub(older) & last >= RECENT;
                let thread = if is_apart { 2 } else { 0 };
                assert_eq!(newest.thread(), ThreadNumber::new(thread));
            }
        }
        assert_eq!(Origin::newest(|_| {}), None);
    }
}
