//! Marks the frames in which something happens: a level begins, a level is loading, a planted fault
//! is switched.
use stats_core::MarkEvent::{Begin, End, Point};

use super::Overlay;
use crate::sim::Sim;
use crate::sim::faults::Fault;
use crate::sim::level::MENU;

/// The mark on the frames in which a level is loaded and its textures are uploaded.
pub(crate) const LOADING: &str = "loading";

/// The mark on the first frames, which compile shaders and fill caches.
const STARTING: &str = "starting";
/// The number of these frames.
const STARTING_FRAMES: u32 = 10;

/// The state of the game that was last marked.
#[derive(Default)]
pub(crate) struct Marks {
    /// The number of calls so far.
    frames: u32,
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
        let is_first = self.stage.is_none();
        if is_first {
            overlay.mark(STARTING, Begin);
        } else if self.frames == STARTING_FRAMES {
            overlay.mark(STARTING, End);
        }
        self.frames = self.frames.saturating_add(1);
        if self.stage.replace(sim.stage_number) != Some(sim.stage_number) {
            let name = sim.stage.level.name;
            let loading = match sim.stage.level.index {
                MENU if !is_first => "back to menu".to_owned(),
                _ => format!("{LOADING} {name}"),
            };
            if let Some(loading) = self.loading.replace(loading.clone()) {
                overlay.mark(&loading, End);
                overlay.mark(LOADING, End);
            }
            overlay.mark(name, Point);
            overlay.mark(LOADING, Begin);
            overlay.mark(&loading, Begin);
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
