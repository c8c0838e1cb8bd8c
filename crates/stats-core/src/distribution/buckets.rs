//! Merges and subtracts the counts of buckets, which are in ascending order.
//! [`Precision`](super::Precision) determines the bucket of a value.

/// A bucket and its number of samples, which is at least one.
pub(crate) type Entry = (i32, u64);

/// Adds buckets in ascending order, which may be empty or repeated. The cost is linear in the sum
/// of both lengths.
pub(crate) fn merge(into: &mut Vec<Entry>, ascending: impl Iterator<Item = Entry>) {
    let held = std::mem::take(into);
    let mut merged = Vec::with_capacity(held.len());
    let mut held = held.into_iter().peekable();
    for entry in ascending.filter(|(_, count)| *count > 0) {
        while let Some(before) = held.next_if(|(bucket, _)| *bucket <= entry.0) {
            push(&mut merged, before);
        }
        push(&mut merged, entry);
    }
    merged.extend(held);
    *into = merged;
}

fn push(entries: &mut Vec<Entry>, (bucket, count): Entry) {
    #[cfg(test)]
    tests::PUSHED.set(tests::PUSHED.get() + 1);
    match entries.last_mut() {
        Some(last) if last.0 == bucket => last.1 += count,
        _ => entries.push((bucket, count)),
    }
}

/// Returns `whole` without `part`; `None` if `part` is not a part of it. The cost is linear in the
/// sum of both lengths.
pub(crate) fn subtract(whole: &[Entry], part: &[Entry]) -> Option<Vec<Entry>> {
    let mut part = part.iter().peekable();
    let mut rest = Vec::new();
    for &(bucket, count) in whole {
        let before = part
            .next_if(|entry| entry.0 == bucket)
            .map_or(0, |entry| entry.1);
        match count.checked_sub(before)? {
            0 => {}
            left => rest.push((bucket, left)),
        }
    }
    part.next().is_none().then_some(rest)
}

/// Returns `count` of the samples, taken evenly from all buckets, or all samples if there are
/// fewer.
#[cfg(any(all(feature = "enabled", not(loom)), test))]
pub(crate) fn thinned(entries: Vec<Entry>, count: u64) -> Vec<Entry> {
    let all = entries
        .iter()
        .map(|entry| u128::from(entry.1))
        .sum::<u128>();
    if all <= u128::from(count) {
        return entries;
    }
    let (mut seen, mut taken) = (0, 0);
    let thinned = entries.into_iter().filter_map(|(bucket, samples)| {
        seen += u128::from(samples);
        let before = std::mem::replace(&mut taken, (seen * u128::from(count) / all) as u64);
        (taken > before).then_some((bucket, taken - before))
    });
    thinned.collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{merge, subtract, thinned};

    thread_local! {
        /// The number of entries that were appended, which is the work of a merge.
        pub(super) static PUSHED: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn merging_handles_each_entry_once() {
        const ENTRIES: i32 = 10_000;
        let mut even: Vec<_> = (0..ENTRIES).map(|n| (2 * n, 1)).collect();
        let mut seen = 0;
        PUSHED.set(0);
        merge(
            &mut even,
            (0..ENTRIES).map(|n| (2 * n + 1, 1)).inspect(|_| seen += 1),
        );
        assert_eq!((even.len(), seen), (20_000, 10_000));
        assert!(PUSHED.get() <= 20_000, "{}", PUSHED.get());
    }

    #[test]
    fn thinning_takes_the_requested_number_of_existing_samples() {
        let entries = vec![(-3, 1), (0, 200), (7, 5), (9, 1), (10, 93)];
        for count in 0..310 {
            let some = thinned(entries.clone(), count);
            assert_eq!(
                some.iter().map(|entry| entry.1).sum::<u64>(),
                count.min(300)
            );
            assert!(
                subtract(&entries, &some).is_some() && some.iter().all(|entry| entry.1 > 0),
                "{some:?}"
            );
        }
    }

    #[test]
    fn merged_buckets_can_be_subtracted_again() {
        let merged = |mut into: Vec<_>, others: &[(i32, u64)]| {
            merge(&mut into, others.iter().copied());
            into
        };
        let (first, second) = (
            vec![(-3, 1), (0, 2), (7, 5)],
            [(-9, 0), (-4, 1), (0, 1), (0, 3), (8, 2)],
        );
        let both = merged(first.clone(), &second);
        assert_eq!(both, [(-4, 1), (-3, 1), (0, 6), (7, 5), (8, 2)]);
        assert_eq!(merged(Vec::new(), &second), [(-4, 1), (0, 4), (8, 2)]);
        assert_eq!(merged(first.clone(), &[]), first);
        assert_eq!(subtract(&both, &first), Some(vec![(-4, 1), (0, 4), (8, 2)]));
        assert_eq!(subtract(&both, &both), Some(vec![]));
        for alien in [vec![(-5, 1)], vec![(0, 7)], vec![(9, 1)], vec![(1, 1)]] {
            assert_eq!(subtract(&both, &alien), None);
        }
    }
}
