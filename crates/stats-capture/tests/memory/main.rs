//! What captures allocate: nothing on the thread of the game, and no more for a damaged file than
//! for a good one.

mod allocator;
mod hostile;

use stats_capture::{Capture, CaptureOptions};
use stats_core::{DeferredSource, MarkEvent, counter, gauge, timer};
use stats_testing::Folder;

#[test]
fn a_frame_allocates_nothing_on_the_thread_of_the_game() {
    let folder = Folder::new("steady");
    let path = folder.0.join("run.parquet");
    let (sum, set, time) = (counter("steady/a"), gauge("steady/b"), timer("steady/c"));
    let gpu = DeferredSource::new();
    let pass = gpu.timer("steady/gpu");
    let mut capture = Capture::create(path, CaptureOptions::default()).unwrap();
    let mut frame = |frame: u32| {
        sum.add(frame);
        set.set(f64::from(frame) / 3.0);
        time.record_ms(1.5);
        let stamp = gpu.issue();
        capture.end_frame_at(f64::from(frame));
        gpu.deliver(stamp, &[(pass, 2.0)]);
        if frame.is_multiple_of(10) {
            capture.mark("tick", MarkEvent::Point);
        }
        capture.dropped_frames()
    };
    // All blocks, and all of what the core keeps.
    (0..12_000).for_each(|at| drop(frame(at)));
    std::thread::sleep(std::time::Duration::from_secs(1));
    let (allocations, _) = allocator::measured(|| {
        // With a pause, so that no frame is dropped, which would cost less.
        for at in 12_000..24_000 {
            frame(at);
        }
    });
    assert_eq!(allocations, 0);
    assert!(frame(24_000) < 24_000);
    capture.finish().unwrap();
}
