//! The figures of a child of `fork`. It has a process of its own, because a child may end a frame
//! only if no other thread held a lock.
#![cfg(all(feature = "enabled", target_os = "linux"))]

use std::time::{Duration, Instant};

use stats_core::{Recorder, find};
use stats_process::{follow_frames, follow_thread};

#[test]
fn a_child_sees_its_own_time_only() {
    assert!(follow_frames() && follow_thread());
    let running = find("frame/running").expect("it is listed");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(running);
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(50) {}
    (0..2).for_each(|_| recorder.end_frame());
    assert!(recorder.history(&watch, 1).last().is_some());
    assert!(stats_testing::in_child(|| {
        let mut of_child = Recorder::new();
        let watch_of_child = of_child.watch(running);
        for recorder in [&mut recorder, &mut of_child] {
            (0..3).for_each(|_| recorder.end_frame());
        }
        let kept = recorder.history(&watch, 3);
        let kept: Vec<_> = kept.frames().map(|frame| kept.at(frame)).collect();
        let new = of_child.history(&watch_of_child, 3);
        // The totals begin again, so the first difference is unknown.
        kept[0].is_none()
            && kept[1].is_some_and(|ms| ms < 40.0)
            && new.last().is_some()
            && follow_thread()
    }));
}
