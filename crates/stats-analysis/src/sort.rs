//! Sorting the short lists that people read.
//!
//! [`slice::sort_by`] is compiled again for each type and each comparison, to 2,500 lines of the
//! compiler's code. The algorithm of this module is compiled once: it knows the items only by their
//! positions. It merges in place, so it allocates nothing, and takes O(n log² n) comparisons. Lists
//! that a program fills, such as all series or all frames, have the sort of the standard library.

use std::cmp::Ordering;

/// Sorts a list as [`slice::sort_by`] does: equal items keep their order. `compare` must be a total
/// order. A list that is in order takes one comparison for each item.
pub fn sort_by<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    let count = items.len();
    sort(&mut Items(items, compare), 0, count);
}

/// Sorts a list as [`slice::sort_by_key`] does, as [`sort_by`].
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// A list whose items are known by their positions.
trait List {
    fn is_less(&mut self, one: usize, other: usize) -> bool;
    fn swap(&mut self, one: usize, other: usize);
}

/// Items, and their comparison.
struct Items<'a, T, F>(&'a mut [T], F);

impl<T, F: FnMut(&T, &T) -> Ordering> List for Items<'_, T, F> {
    fn is_less(&mut self, one: usize, other: usize) -> bool {
        self.1(&self.0[one], &self.0[other]).is_lt()
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.0.swap(one, other);
    }
}

fn sort(list: &mut dyn List, start: usize, end: usize) {
    if end - start < 2 {
        return;
    }
    let middle = start.midpoint(end);
    sort(list, start, middle);
    sort(list, middle, end);
    if list.is_less(middle, middle - 1) {
        merge(list, start, middle, end);
    }
}

/// Merges the sorted parts before and after `middle`: splits the longer part in half and the other
/// one at the same item, swaps the inner two of the four, and merges both sides.
fn merge(list: &mut dyn List, start: usize, middle: usize, end: usize) {
    let (left, right) = (middle - start, end - middle);
    if left == 0 || right == 0 {
        return;
    }
    if left + right == 2 {
        if list.is_less(middle, start) {
            list.swap(start, middle);
        }
        return;
    }
    let (first, second) = if left > right {
        let first = start + left / 2;
        let second = first_not(middle, end, &mut |at| list.is_less(at, first));
        (first, second)
    } else {
        let second = middle + right / 2;
        // Items equal to the one at `second` stay before it.
        let first = first_not(start, middle, &mut |at| !list.is_less(second, at));
        (first, second)
    };
    reverse(list, first, middle);
    reverse(list, middle, second);
    reverse(list, first, second);
    let middle = first + (second - middle);
    merge(list, start, first, middle);
    merge(list, middle, second, end);
}

/// Returns the first position that is not before a point; the positions that are come first.
fn first_not(mut start: usize, mut end: usize, is_before: &mut dyn FnMut(usize) -> bool) -> usize {
    while start < end {
        let at = start.midpoint(end);
        if is_before(at) {
            start = at + 1;
        } else {
            end = at;
        }
    }
    start
}

fn reverse(list: &mut dyn List, mut start: usize, mut end: usize) {
    while start + 1 < end {
        end -= 1;
        list.swap(start, end);
        start += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn lists_are_in_the_order_of_the_standard_library() {
        let mut random = Random::new(39);
        for count in (0..300).chain([1000, 4097]) {
            for kinds in [1, 2, 7, 100, 1 << 20] {
                // The position tells equal items apart.
                let item = |at| (random.below(kinds), at);
                let mut items: Vec<(u64, usize)> = (0..count).map(item).collect();
                let mut expected = items.clone();
                expected.sort_by_key(|item| std::cmp::Reverse(item.0));
                sort_by(&mut items, |a, b| b.0.cmp(&a.0));
                assert_eq!(items, expected);
            }
        }
    }

    #[test]
    fn a_list_in_order_takes_one_comparison_for_each_item() {
        let (mut items, mut count): (Vec<u32>, _) = ((0..1000).collect(), 0);
        sort_by(&mut items, |a, b| {
            count += 1;
            a.cmp(b)
        });
        assert_eq!(count, 999);
    }

    #[test]
    fn no_list_takes_the_square_of_its_length() {
        let mut random = Random::new(40);
        let count = 4096_u64;
        let lists: [Vec<u64>; 4] = [
            (0..count).rev().collect(),
            (0..count).map(|at| at % 2).collect(),
            (0..count).map(|at| at % 64).collect(),
            (0..count).map(|_| random.below(count)).collect(),
        ];
        for mut items in lists {
            let mut compared = 0;
            sort_by(&mut items, |a, b| {
                compared += 1;
                a.cmp(b)
            });
            // n log² n.
            assert!(compared < count * 12 * 12, "{compared}");
            assert!(items.is_sorted());
        }
    }
}
