//! Marks the frames in which something happens: a level begins, a level is loading, a planted fault
//! is switched.
use stats_core::MarkEvent::{Begin, End, Point};

use super::Overlay;
use crate::sim::Sim;
use crate::sim::faults::Fault;
use crate::sim::level::MENU;

/// The mark on the frames in which a level is loaded and its textures are uploaded.
pub(crate) const LOADING: &str = "loading";

/// The state of the game that was last marked.
#[derive(Default)]
pub(crate) struct Marks {
    stage: Option<u64>,
    /// The mark of the loading in progress.
    loading: Option<String>,
    faults: [bool; Fault::ALL.len()],
}

impl Marks {
    /// Marks the changes since the last call in the current frame. Call it once per frame, before
    /// the overlay ends the frame.
    pub(crate) fn update(&mut self, sim: &Sim, overlay: &mut Overlay) {
        let _memory = stats_memory::scope!("marks");
        if self.stage.replace(sim.stage_number) != Some(sim.stage_number) {
            let name = sim.stage.level.name;
            if let Some(loading) = self.loading.replace(loading(sim)) {
                overlay.mark(&loading, End);
                overlay.mark(LOADING, End);
            }
            overlay.mark(name, Point);
            overlay.mark(LOADING, Begin);
            overlay.mark(&loading(sim), Begin);
        } else if let Some(loading) = self.loading.take() {
            // One frame after the loading itself: drawing comes after the overlay, so the uploads
            // belong to the frame that follows.
            overlay.mark(LOADING, End);
            overlay.mark(&loading, End);
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

/// Returns the mark of the loading of the current level, or of the menu.
fn loading(sim: &Sim) -> String {
    match sim.stage.level.index {
        MENU => "back to menu".to_owned(),
        _ => format!("{LOADING} {}", sim.stage.level.name),
    }
}
