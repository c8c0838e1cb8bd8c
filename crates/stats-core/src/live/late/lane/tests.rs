//! Tests of lanes outside a model.

use super::{Lane, MAX_OUTSTANDING};

#[test]
fn a_stamp_is_delivered_once_and_not_after_it_was_given_up() {
    let lane = Lane::default();
    let [first, second, third] = [(); 3].map(|()| lane.issue());
    assert_eq!(
        (lane.oldest_after(0), lane.oldest_after(first)),
        (Some(first), Some(second))
    );
    assert!(lane.claim(second) && !lane.claim(second));
    lane.give_up(second);
    assert_eq!(
        lane.oldest_after(first),
        Some(second),
        "it is being delivered"
    );
    lane.complete(second);
    lane.give_up(first);
    assert!(!lane.claim(first) && !lane.claim(second));
    assert_eq!(lane.oldest_after(0), Some(third));
    lane.close();
    assert_eq!(lane.oldest_after(0), Some(u64::MAX));
    assert!(lane.is_closed() && !lane.claim(third));
}

#[test]
fn the_oldest_of_too_many_outstanding_stamps_is_given_up() {
    let lane = Lane::default();
    let stamps: Vec<u64> = (0..=MAX_OUTSTANDING).map(|_| lane.issue()).collect();
    assert!(!lane.claim(stamps[0]) && lane.claim(stamps[1]));
}
