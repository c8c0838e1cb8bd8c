//! Sorting lists of many types without a sorting algorithm for each.
//!
//! The sorts of the standard library are compiled once for each type and comparison. Each stable sort has
//! about 3,000 lines of LLVM IR. [`sort_by`] sorts places, always with the same code, and then swaps the items.

use std::cmp::Ordering;

/// The length up to which a list is sorted without an allocation.
const SHORT: usize = 32;

/// Sorts a list; equal items keep their order. Does the same as [`slice::sort_by`].
///
/// For lists that are short or rarely sorted. A list of up to 32 items allocates nothing.
///
/// ```
/// let mut names = ["frame", "ai", "gpu"];
/// stats_analysis::sort::sort_by(&mut names, |a, b| a.len().cmp(&b.len()));
/// assert_eq!(names, ["ai", "gpu", "frame"]);
/// ```
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = Order::new(items.len());
    order.sort(&|a, b| compare(&items[a], &items[b]));
    order.apply(&mut |a, b| items.swap(a, b));
}

/// The place from which each item comes.
struct Order {
    short: [usize; SHORT],
    /// Empty if the list is short.
    long: Vec<usize>,
    len: usize,
}

impl Order {
    fn new(len: usize) -> Self {
        let mut short = [0; SHORT];
        for (at, place) in short.iter_mut().enumerate() {
            *place = at;
        }
        let long = if len > SHORT { len } else { 0 };
        let long = (0..long).collect();
        Self { short, long, len }
    }

    fn places(&mut self) -> &mut [usize] {
        match self.long.as_mut_slice() {
            [] => &mut self.short[..self.len],
            long => long,
        }
    }

    fn sort(&mut self, compare: &dyn Fn(usize, usize) -> Ordering) {
        (self.places()).sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
    }

    /// Swaps the items of each cycle of places, and leaves each place its own.
    fn apply(&mut self, swap: &mut dyn FnMut(usize, usize)) {
        let places = self.places();
        for start in 0..places.len() {
            let mut at = start;
            loop {
                let from = std::mem::replace(&mut places[at], at);
                if from == start {
                    break;
                }
                swap(at, from);
                at = from;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn lists_of_any_length_equal_those_that_the_standard_library_sorts() {
        let mut random = Random::new(5);
        for len in (0..100).chain([1000]) {
            for different in [1, 3, 1_000_000] {
                let mut items: Vec<(u64, usize)> =
                    (0..len).map(|at| (random.below(different), at)).collect();
                let mut expected = items.clone();
                expected.sort_by_key(|item| std::cmp::Reverse(item.0));
                sort_by(&mut items, |a, b| b.0.cmp(&a.0));
                assert_eq!(items, expected);
            }
        }
    }
}
