//! The peak, and one that misses some.

#[path = "../../../stats-memory/src/live/balance.rs"]
mod balance;

use loom::sync::Arc;
use loom::sync::atomic::{self as sync, AtomicI64, Ordering};
use loom::thread;

use balance::{Known, Told};

/// As in the tracker, where it is 64 KiB.
const STEP: i64 = 2;

/// Two threads whose balances move, beyond the step by which the others hear of it and below.
#[test]
fn it_is_within_a_step_of_each_thread() {
    loom::model(|| {
        let zero = || AtomicI64::new(0);
        let known = Arc::new(Known {
            live: zero(),
            peak: zero(),
        });
        let live = move |known: &Known| {
            let told = Told {
                high: zero(),
                low: zero(),
                balance: zero(),
            };
            told.rise(4, known);
            // A step is 2.
            told.rise(6, known);
            told.fall(4, known);
            told
        };
        let other = {
            let known = Arc::clone(&known);
            thread::spawn(move || live(&known))
        };
        let threads = [live(&known), other.join().unwrap()];
        // Both held 4 at the same time in the end, and up to 6 before.
        assert_eq!(known.peak(0), 8);
        known.reset_peak(1);
        assert_eq!(known.peak(0), 8);
        threads.iter().for_each(|told| told.fall(0, &known));
        assert_eq!(known.live.load(Ordering::Relaxed), 0);
        known.reset_peak(1);
        assert_eq!(known.peak(0), 1);
    });
}

#[test]
#[should_panic(expected = "missed")]
fn a_peak_that_is_looked_at_and_then_stored() {
    loom::model(|| {
        let known = Arc::new((AtomicI64::new(0), AtomicI64::new(0)));
        let rise = |known: &(AtomicI64, AtomicI64)| {
            let live = known.0.fetch_add(4, Ordering::Relaxed) + 4;
            if live > known.1.load(Ordering::Relaxed) {
                known.1.store(live, Ordering::Relaxed);
            }
        };
        let other = {
            let known = Arc::clone(&known);
            thread::spawn(move || rise(&known))
        };
        rise(&known);
        other.join().unwrap();
        assert_eq!(known.1.load(Ordering::Relaxed), 8, "missed");
    });
}
