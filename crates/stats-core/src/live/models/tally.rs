//! The tally of a histogram.

use loom::sync::Arc;
use loom::thread;

use crate::distribution::summary::DistributionSummary;
use crate::live::histogram::{Reading, Tally, Total};
use crate::live::sync::weakened;

/// Checks another thread's reading of a tally while this thread writes it.
///
/// The spawned thread is the reader and this thread is the owner, on purpose: loom looks for
/// another order only at the last access to an atomic, and an owner that loads before it stores
/// would hide a reader that came before.
fn read_beside(own: fn(&Tally), check: fn(Reading)) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    // Each load of a dozen numbers may see any of their values, which is too much to try. Known
    // bugs are found within seconds.
    builder.max_duration = Some(std::time::Duration::from_secs(10));
    builder.check(move || {
        let tally = Arc::new(Tally::new());
        let reader = {
            let tally = Arc::clone(&tally);
            thread::spawn(move || tally.try_read().map_or((), check))
        };
        own(&tally);
        reader.join().unwrap();
        check(tally.try_read().unwrap());
    });
}

fn three_samples_beside_a_reader() {
    // The second sample takes the last place; the third takes one that the fold made free.
    let own = |tally: &Tally| {
        [5.0, 1.0, 9.0]
            .into_iter()
            .for_each(|sample| tally.add(sample, 0))
    };
    // Sum, minimum, maximum and squared distances after each sample.
    const AFTER: [(f64, f64, f64, f64); 4] = [
        (0.0, f64::INFINITY, f64::NEG_INFINITY, 0.0),
        (5.0, 5.0, 5.0, 0.0),
        (6.0, 1.0, 5.0, 8.0),
        (15.0, 1.0, 9.0, 32.0),
    ];
    read_beside(own, |reading| {
        let DistributionSummary {
            count,
            sum,
            min,
            max,
            squares,
            ..
        } = reading.moments;
        assert_eq!((sum, min, max, squares), AFTER[count as usize], "torn");
    });
}

#[test]
fn a_reading_of_a_tally_is_of_one_moment() {
    three_samples_beside_a_reader();
}

#[test]
#[should_panic(expected = "torn")]
fn without_orderings_a_reading_of_a_tally_is_torn() {
    weakened(three_samples_beside_a_reader);
}

fn two_runs_beside_a_reader() {
    let own = |tally: &Tally| {
        [(5.0, 0), (1.0, 1)]
            .into_iter()
            .for_each(|(sample, run)| tally.add(sample, run))
    };
    read_beside(own, |reading| {
        let of = |DistributionSummary {
                      count,
                      sum,
                      min,
                      max,
                      ..
                  }: DistributionSummary| (count, sum, min, max);
        let none = of(DistributionSummary::NONE);
        let (five, one) = ((1, 5.0, 5.0, 5.0), (1, 1.0, 1.0, 1.0));
        let Total { count, sum } = reading.before;
        let found = (reading.run, of(reading.moments), (count, sum));
        let ended = of(reading.ended.1);
        let first = [(0, none, (0, 0.0)), (0, five, (0, 0.0))].contains(&found) && ended.0 == 0;
        let second = [(1, none, (1, 5.0)), (1, one, (1, 5.0))].contains(&found)
            && (reading.ended.0, ended) == (0, five);
        assert!(first || second, "torn: {reading:?}");
    });
}

#[test]
fn a_reading_does_not_mix_the_sums_of_two_runs() {
    two_runs_beside_a_reader();
}

#[test]
#[should_panic(expected = "torn")]
fn without_orderings_a_reading_mixes_two_runs() {
    weakened(two_runs_beside_a_reader);
}
