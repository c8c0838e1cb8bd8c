//! A frame of a capture allocates nothing on the game thread.

use stats_capture::{Capture, CaptureFile, CaptureOptions};
use stats_core::limits::LATE_FRAMES;
use stats_core::{DeferredSource, MarkEvent, Source, counter, gauge, timer};
use stats_testing::{Folder, allocations};

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

/// The number of frames in a block.
const BLOCK: u32 = 128;

#[test]
fn a_frame_allocates_nothing_on_the_game_thread() {
    let folder = Folder::new("steady");
    let path = folder.0.join("run.parquet");
    let (sum, set, time) = (counter("steady/a"), gauge("steady/b"), timer("steady/c"));
    let gpu = DeferredSource::new();
    let pass = gpu.timer("steady/gpu");
    let mut capture = Capture::create(&path, CaptureOptions::default()).unwrap();
    let mut outstanding = [None; 3];
    let mut end_frame = |frame: u32| {
        sum.add(frame);
        set.set(f64::from(frame) / 3.0);
        time.record_ms(1.5);
        let late = outstanding[frame as usize % 3].replace(gpu.issue());
        if let Some(stamp) = late {
            gpu.deliver(stamp, &[(pass, 2.0)]);
        }
        if frame.is_multiple_of(10) {
            capture.mark("tick", MarkEvent::Point);
        }
        capture.end_frame_at(f64::from(frame));
        assert_eq!(capture.dropped_frames(), 0);
    };
    let journal = folder.0.join("run.parquet.journal");
    let written = || CaptureFile::open(&journal).map_or(0, |written| written.frames().end);
    let mut in_all = 0;
    // The first blocks allocate, and so does the core.
    for block in 0..40 {
        let frames = block * BLOCK..(block + 1) * BLOCK;
        let made = allocations(|| frames.for_each(&mut end_frame));
        in_all += if block < 20 { 0 } else { made };
        // Waits for all blocks but the last, so that an empty one is always available. Frames with
        // unknown values are not written yet.
        while written() + LATE_FRAMES < u64::from(block * BLOCK) {
            std::thread::yield_now();
        }
    }
    assert_eq!(in_all, 0);
    capture.finish().unwrap();
}
