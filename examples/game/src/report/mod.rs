//! The report that a scripted run prints when it ends: a line that sums it up, every histogram, the
//! frame times, the marks, and the memory.
mod frames;
mod memory;

use std::time::Duration;

use crate::overlay::Overlay;
use crate::sim::Sim;

/// The number of frames after which every series should exist. Shorter runs do not list the missing
/// ones.
const LONG_RUN_FRAMES: u64 = 200;

/// The report that a scripted run prints when it ends.
pub(crate) struct Report {
    /// The whole text.
    pub(crate) text: String,
    /// The memory groups that exceeded their budgets, as a list for people; empty if none did.
    pub(crate) over_budget: String,
}

impl Report {
    /// Returns the report of a run of `frames` frames that took `wall` of real time.
    pub(crate) fn new(sim: &Sim, overlay: &mut Overlay, frames: u64, wall: Duration) -> Self {
        let mut text = summary(sim, overlay, frames, wall);
        text += &missing_series(overlay, frames);
        let settings = overlay.settings().clone();
        text += &frames::section(overlay.recorder_mut(), &settings);
        text += &memory::section(overlay.recorder_mut());
        Self {
            text,
            over_budget: memory::over_budget(),
        }
    }
}

/// Returns the line that sums up the run. Its last word is a digest of the simulation, which is
/// equal for equal runs.
fn summary(sim: &Sim, overlay: &mut Overlay, frames: u64, wall: Duration) -> String {
    let overlay = overlay
        .median_ms()
        .map_or_else(String::new, |ms| format!("overlay {ms:.2} ms per frame, "));
    format!(
        "smoke: {frames} frames, {} steps, {:.1} s of game time in {:.1} s, score {}, {} workers, {overlay}simulation {:016x}",
        sim.steps(),
        sim.seconds(),
        wall.as_secs_f64(),
        sim.score,
        sim.workers(),
        sim.hash()
    )
}

/// Returns the series that the overlay's presets name but nothing registered.
fn missing_series(overlay: &Overlay, frames: u64) -> String {
    let missing = overlay.missing_series();
    if missing.is_empty() || frames < LONG_RUN_FRAMES {
        String::new()
    } else {
        format!(", missing series: {}", missing.join(", "))
    }
}
