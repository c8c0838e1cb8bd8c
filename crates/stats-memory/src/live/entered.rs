//! The scopes that a thread holds, in the order in which it entered them, whatever the order in
//! which they end.

use std::cell::Cell as LocalCell;

use super::tags;

/// Places, the lowest of which is the root's: a power of two, so that an index needs no check.
const PLACES: usize = 256;

/// What the scope of no place has: no scope ever has so high a number.
const NO_PLACE: u64 = u64::MAX;

/// A scope that lives.
#[derive(Clone, Copy)]
struct Place {
    /// Which one it is, from 1 on; 0 for the root.
    number: u64,
    tag: u32,
}

/// All that live, the last entered on top, and nothing else: what ends is taken out, so that scopes
/// which replace each other for ever take two places.
struct Entered {
    places: [LocalCell<Place>; PLACES],
    top: LocalCell<usize>,
    last_number: LocalCell<u64>,
}

// Zeroes, which no thread has to copy, and without a destructor: scopes work in the destructors of
// other thread-locals. The tag on its own, for allocations: `with` and all that it is given to do
// would not be inlined there.
thread_local! {
    static TAG: LocalCell<u32> = const { LocalCell::new(0) };
    static ENTERED: Entered = const {
        Entered {
            places: [const { LocalCell::new(Place { number: 0, tag: 0 }) }; PLACES],
            top: LocalCell::new(0),
            last_number: LocalCell::new(0),
        }
    };
}

/// The tag that the thread is in.
#[inline(always)]
pub(crate) fn tag() -> u32 {
    TAG.get()
}

/// Puts the thread into a tag; a number to [`leave`] by. Where there is no place left it stays in
/// the tag that it is in.
#[inline(always)]
pub(crate) fn enter(tag: u32) -> u64 {
    ENTERED.with(|entered| {
        let top = entered.top.get() + 1;
        if top >= PLACES {
            tags::refuse();
            return NO_PLACE;
        }
        let number = entered.last_number.get() + 1;
        entered.last_number.set(number);
        entered.places[top % PLACES].set(Place { number, tag });
        entered.top.set(top);
        TAG.set(tag);
        number
    })
}

/// Ends a scope: afterwards the thread is in the last entered of those that it still holds.
#[inline(always)]
pub(crate) fn leave(number: u64) {
    ENTERED.with(|entered| {
        let top = entered.top.get();
        if entered.places[top % PLACES].get().number != number {
            return entered.remove(number);
        }
        // Not the root: its number is nobody's.
        let below = top.wrapping_sub(1);
        entered.top.set(below);
        TAG.set(entered.places[below % PLACES].get().tag);
    });
}

impl Entered {
    /// Takes a scope out that is not the last entered one; nothing where it had no place.
    #[cold]
    #[inline(never)]
    fn remove(&self, number: u64) {
        let held = &self.places[..=self.top.get() % PLACES];
        // The last ones first: that is where a scope stands which the next one replaced.
        let Some(at) = held.iter().rposition(|place| place.get().number == number) else {
            return;
        };
        held[at..]
            .windows(2)
            .for_each(|pair| pair[0].set(pair[1].get()));
        self.top.set(self.top.get().wrapping_sub(1));
    }
}
