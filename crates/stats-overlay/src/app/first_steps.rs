//! What the cards of the first steps show.

use std::ops::ControlFlow;

use egui::Context;
use stats_core::source::Listed;
use stats_core::{Source, Unit};

use crate::app::state::App;
use crate::data::selection::FRAME_TIME;
use crate::input::action::Action;
use crate::input::pane_view::PaneView;
use crate::persist::saved::SavedPane;

/// The maximum number of series of draw calls that are shown.
const MAX_DRAWS: usize = 4;
/// The notice if no series counts draw calls.
const NO_DRAWS: &str = "No series has “draw” in its path yet. One line counts them: \
     stats_core::count!(\"renderer/draw-calls\", n)";

/// A question of a new user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstStep {
    Slow,
    Stutters,
    Memory,
    Draws,
}

impl FirstStep {
    pub(crate) const ALL: [Self; 4] = [Self::Slow, Self::Stutters, Self::Memory, Self::Draws];

    /// Returns the question, and what its card shows.
    pub(crate) fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Slow => ("It is slow", "what takes most of a frame"),
            Self::Stutters => ("It stutters", "the long frames, and why"),
            Self::Memory => ("Memory grows", "who owns it, and what grows"),
            Self::Draws => ("Too many draw calls", "how many, frame by frame"),
        }
    }
}

impl App {
    /// Shows what answers a question, or nothing if the cards were dismissed. They are not shown
    /// again.
    pub(super) fn take_first_step(
        &mut self,
        ctx: &Context,
        step: Option<FirstStep>,
        source: &mut dyn Source,
    ) {
        self.settings.first_steps = false;
        match step {
            None => {}
            Some(FirstStep::Slow) => {
                let top = self
                    .hitches
                    .top
                    .get()
                    .iter()
                    .map(|timer| timer.path.as_str());
                let timers: Vec<&str> = top.collect();
                let mut stacked = SavedPane::new(timers);
                stacked.graph.stacked = true;
                self.panes.show(&[SavedPane::new([FRAME_TIME]), stacked], 1);
                // All timers, which the tree sorts by their cost on request.
                self.tree.search_box.text = "unit:ms".to_owned();
            }
            Some(FirstStep::Stutters) => {
                let mut list = SavedPane::new([FRAME_TIME]);
                list.view = PaneView::Hitches;
                self.panes.show(&[SavedPane::new([FRAME_TIME]), list], 1);
            }
            Some(FirstStep::Memory) if self.memory.has_source() => {
                self.perform(ctx, Action::ToggleMemory, source);
            }
            Some(FirstStep::Memory) => self.tree.search_box.text = "unit:bytes".to_owned(),
            Some(FirstStep::Draws) => {
                let mut paths = Vec::new();
                source.list(Listed::All, &mut |info| {
                    let is_one = info.unit == Unit::Count && info.path.contains("draw");
                    if is_one {
                        paths.push(info.path.to_owned());
                    }
                    if paths.len() < MAX_DRAWS {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
                if paths.is_empty() {
                    return self.notice.say(NO_DRAWS);
                }
                let draws = SavedPane::new(paths.iter().map(String::as_str));
                self.panes.show(&[draws, SavedPane::new([FRAME_TIME])], 0);
            }
        }
    }
}
