//! The open scopes of a thread, in the order of entry. They may end in any order.

use std::cell::Cell as LocalCell;

use super::table;

/// The number of places. The lowest belongs to the root. A power of two, so that an index needs no
/// bounds check.
const PLACES: usize = 256;

/// The number of a scope that found no place. No scope ever gets a number that high.
const NO_PLACE: u64 = u64::MAX;

/// An open scope.
#[derive(Clone, Copy)]
struct Place {
    /// The scope's ordinal, starting at 1; 0 for the root.
    number: u64,
    tag: u32,
    /// Whether reallocations take over the tag.
    adopts: bool,
}

/// The open scopes, the last entered on top. A scope that ends is removed, so that scopes that
/// replace one another forever take only two places.
struct Entered {
    places: [LocalCell<Place>; PLACES],
    top: LocalCell<usize>,
    last_number: LocalCell<u64>,
}

// All zeroes, so that no thread has to copy an initial value; and without a destructor, so that
// scopes work in the destructors of other thread-locals. The tag is a variable of its own for the
// sake of allocations, where `with` and its closure would not be inlined.
thread_local! {
    static TAG: LocalCell<u32> = const { LocalCell::new(0) };
    static ENTERED: Entered = const {
        Entered {
            places: [const { LocalCell::new(Place { number: 0, tag: 0, adopts: false }) }; PLACES],
            top: LocalCell::new(0),
            last_number: LocalCell::new(0),
        }
    };
}

/// Returns the tag that the thread is in.
#[inline(always)]
pub(crate) fn tag() -> u32 {
    TAG.get()
}

/// Returns the tag that a reallocation takes over: that of the scope that the thread entered last,
/// if it adopts.
#[inline(always)]
pub(crate) fn adopting() -> Option<u32> {
    ENTERED.with(|entered| {
        let place = entered.places[entered.top.get() % PLACES].get();
        place.adopts.then_some(place.tag)
    })
}

/// Puts the thread into a tag, and returns the number for [`leave`]. If there is no place left, the
/// thread stays in its tag, and a refusal is counted.
#[inline(always)]
pub(super) fn enter(tag: u32, adopts: bool) -> u64 {
    let number = enter_if_possible(tag, adopts);
    if number == NO_PLACE {
        table::refuse();
    }
    number
}

/// Like [`enter`], without counting a refusal.
#[inline(always)]
pub(super) fn enter_if_possible(tag: u32, adopts: bool) -> u64 {
    ENTERED.with(|entered| {
        let top = entered.top.get() + 1;
        if top >= PLACES {
            return NO_PLACE;
        }
        let number = entered.last_number.get() + 1;
        entered.last_number.set(number);
        entered.places[top % PLACES].set(Place {
            number,
            tag,
            adopts,
        });
        entered.top.set(top);
        TAG.set(tag);
        number
    })
}

/// Ends a scope. The thread is then in the last entered of the scopes that are still open.
#[inline(always)]
pub(super) fn leave(number: u64) {
    ENTERED.with(|entered| {
        let top = entered.top.get();
        if entered.places[top % PLACES].get().number != number {
            return entered.remove(number);
        }
        // Never the root, whose number belongs to no scope.
        let below = top.wrapping_sub(1);
        entered.top.set(below);
        TAG.set(entered.places[below % PLACES].get().tag);
    });
}

impl Entered {
    /// Removes a scope that was not entered last. Does nothing if it had no place.
    #[cold]
    #[inline(never)]
    fn remove(&self, number: u64) {
        let held = &self.places[..=self.top.get() % PLACES];
        // From the top, because a scope that was replaced by the next one is near the top.
        let Some(at) = held.iter().rposition(|place| place.get().number == number) else {
            return;
        };
        held[at..]
            .windows(2)
            .for_each(|pair| pair[0].set(pair[1].get()));
        self.top.set(self.top.get().wrapping_sub(1));
    }
}
