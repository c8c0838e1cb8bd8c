//! Does the same work in each of 1,000 frames, and writes the capture that `STATS_CAPTURE` names.
//!
//! `steady PERCENT` does that much more work. `scripts/gate-power` records runs of it.

use std::hint::black_box;

use stats_core::Timer;

static WORK: Timer = Timer::new("work");

const FRAMES: u32 = 1_000;
/// The steps of a frame.
const STEPS: u64 = 2_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let percent: u64 = match std::env::args().nth(1) {
        Some(text) => text.parse().map_err(|_| "PERCENT is no whole number")?,
        None => 0,
    };
    let steps = STEPS + STEPS * percent / 100;
    let mut capture = stats_capture::from_env()?.ok_or("STATS_CAPTURE names no file")?;
    for _ in 0..FRAMES {
        WORK.time(|| black_box((0..steps).fold(0, |sum, step| sum ^ black_box(step))));
        capture.end_frame();
    }
    capture.finish()?;
    Ok(())
}
