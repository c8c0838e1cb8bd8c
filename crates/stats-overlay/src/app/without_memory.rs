//! The memory view of an overlay without the feature `memory`: it never opens, and says why.

use std::path::Path;

use egui::{Rect, Ui};
use stats_core::Source;
use stats_ui::theme::Theme;

use crate::app::notice::Notice;
use crate::input::action::RowsAction;

pub(super) const NO_DUMP_MESSAGE: &str =
    "The memory view is not part of this program. Turn on the feature `memory` of `stats-overlay`.";

/// A memory view that is never on screen.
#[derive(Debug, Default)]
pub(crate) struct MemoryView {
    pub(super) is_open: bool,
    pub(super) was_drawn: bool,
    pub(super) is_seen: bool,
}

impl MemoryView {
    pub(super) fn has_source(&self) -> bool {
        false
    }

    pub(super) fn toggle(&mut self, notice: &mut Notice) {
        notice.warn(NO_DUMP_MESSAGE);
    }

    pub(super) fn toggle_video(&mut self, notice: &mut Notice) {
        notice.warn(NO_DUMP_MESSAGE);
    }

    pub(super) fn take(&mut self, _: bool, notice: &mut Notice) -> bool {
        notice.warn(NO_DUMP_MESSAGE);
        false
    }

    pub(super) fn perform(&mut self, _: RowsAction) {}

    pub(super) fn save(&mut self, _: &Path, notice: &mut Notice) {
        notice.warn(NO_DUMP_MESSAGE);
    }

    pub(super) fn settle(&mut self, _: &mut Notice, _: f64) {}

    pub(super) fn follow_marks(&mut self, _: &dyn Source) {}

    pub(super) fn memory_ui(&mut self, _: &mut Ui, _: &Theme, _: Rect, _: &mut dyn Source) -> bool {
        false
    }
}
