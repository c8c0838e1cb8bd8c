//! Tests of lanes outside a model.

use super::{Lane, MAX_OUTSTANDING};

#[test]
fn a_stamp_is_claimed_once_and_not_after_it_was_completed() {
    let lane = Lane::default();
    let [first, second, third] = [(); 3].map(|()| lane.issue());
    assert_eq!(
        (lane.oldest_after(0), lane.oldest_after(first)),
        (Some(first), Some(second))
    );
    assert!(lane.claim(second) && !lane.claim(second));
    assert_eq!(
        lane.oldest_after(first),
        Some(second),
        "it is being delivered"
    );
    lane.complete(second);
    assert!(lane.claim(first));
    lane.complete(first);
    assert!(!lane.claim(first) && !lane.claim(second));
    assert_eq!(
        (lane.oldest(), lane.oldest_after(0)),
        (Some(third), Some(third))
    );
    lane.complete(third);
    assert_eq!((lane.oldest(), lane.newest()), (None, third));
    assert_eq!(lane.oldest_after(0), Some(u64::MAX));
    assert!(!lane.is_closed());
    lane.close();
    assert!(lane.is_closed());
}

#[test]
fn the_oldest_of_too_many_outstanding_stamps_is_displaced() {
    let lane = Lane::default();
    let mut stamps: Vec<u64> = (1..MAX_OUTSTANDING).map(|_| lane.issue()).collect();
    assert_eq!(lane.displaced(), None);
    stamps.push(lane.issue());
    assert_eq!(lane.displaced(), Some(stamps[0]));
    stamps.push(lane.issue());
    assert!(!lane.claim(stamps[0]) && lane.claim(stamps[1]));
}
