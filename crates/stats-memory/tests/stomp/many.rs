//! A great many allocations at a time.

use std::hint::black_box;
use std::thread;

pub(crate) fn many() {
    let live: Vec<Box<[u8]>> = (0..200_000_usize)
        .map(|number| vec![number as u8; 1 + number % 100].into_boxed_slice())
        .collect();
    for (number, one) in live.iter().enumerate() {
        assert!(one.len() == 1 + number % 100 && one.iter().all(|byte| *byte == number as u8));
    }
    // Threads can still be started.
    thread::spawn(|| black_box(vec![1; 1000])).join().unwrap();
}
