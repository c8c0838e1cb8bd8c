//! Marks what happened in which frame: a level begins, a level is loading, a planted fault is
//! switched.
use stats_core::MarkEvent::{Begin, End, Point};

use super::Overlay;
use crate::sim::Sim;
use crate::sim::faults::Fault;

/// The mark on the frames in which a level is loaded and its textures are uploaded.
pub(crate) const LOADING: &str = "loading";

/// The state of the game that was last marked.
#[derive(Default)]
pub(crate) struct Marks {
    stage: Option<u64>,
    is_loading: bool,
    faults: [bool; Fault::ALL.len()],
}

impl Marks {
    /// Marks in the current frame what changed since the last call. Call it once per frame, before
    /// the overlay ends the frame.
    pub(crate) fn update(&mut self, sim: &Sim, overlay: &mut Overlay) {
        let _memory = stats_memory::scope!("marks");
        if self.stage.replace(sim.stage_number) != Some(sim.stage_number) {
            overlay.mark(sim.stage.level.name, Point);
            overlay.mark(LOADING, Begin);
            self.is_loading = true;
        } else if std::mem::take(&mut self.is_loading) {
            // One frame after the loading itself: drawing comes after the overlay, so the uploads
            // belong to the frame that follows.
            overlay.mark(LOADING, End);
        }
        for fault in Fault::ALL {
            let is_on = sim.faults.is_on(fault);
            if std::mem::replace(&mut self.faults[fault as usize], is_on) != is_on {
                let state = if is_on { "on" } else { "off" };
                overlay.mark(&format!("{} {state}", fault.name()), Point);
            }
        }
    }
}
