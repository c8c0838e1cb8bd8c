//! What the overlay is told of the game's frames: when a level is loading, which level begins,
//! which planted fault comes and goes.
use stats_core::MarkEvent::{Begin, End, Point};

use crate::overlay::Overlay;
use crate::sim::Sim;
use crate::sim::faults::Fault;

/// The span of frames in which a level is loaded, and its textures are handed to the device.
pub(crate) const LOADING: &str = "loading";

/// What was told so far.
#[derive(Default)]
pub(crate) struct Events {
    stage: Option<u64>,
    is_loading: bool,
    faults: [bool; Fault::ALL.len()],
}

impl Events {
    /// Marks what is new in the frame under way; once a frame, before the overlay ends it.
    pub(crate) fn tell(&mut self, sim: &Sim, overlay: &mut Overlay) {
        let _memory = stats_memory::scope!("events");
        if self.stage.replace(sim.stage_number) != Some(sim.stage_number) {
            overlay.mark(sim.stage.level.name, Point);
            overlay.mark(LOADING, Begin);
            self.is_loading = true;
        } else if std::mem::take(&mut self.is_loading) {
            // A frame later than the loading: drawing comes after the overlay, so uploads are part
            // of the frame that follows.
            overlay.mark(LOADING, End);
        }
        for fault in Fault::ALL {
            let is_on = sim.faults.is_on(fault);
            if std::mem::replace(&mut self.faults[fault as usize], is_on) != is_on {
                overlay.mark(
                    &format!("{} {}", fault.name(), if is_on { "on" } else { "off" }),
                    Point,
                );
            }
        }
    }
}
