//! What stands where there are no rows: why, and what to do about it.

use egui::{Rect, RichText, Ui, UiBuilder, vec2};

use super::filter::Filter;
use super::panel::MemoryPanel;
use stats_ui::accessibility;
use stats_ui::theme::Theme;

/// Why there is nothing to see where no function for dumps was set.
pub const NO_SOURCE: &str = "No memory dump is set. `overlay.set_memory_dump(stats_memory::dump)` sets it, in a program whose `#[global_allocator]` \
                                    is `stats_memory::TrackingAllocator`; the documentation of `stats-memory` shows how.";
const NO_SNAPSHOT: &str = "No snapshot yet.";
const NO_LINES: &str = "Nothing is held: the dump has no lines. Is the tracking allocator the `#[global_allocator]`, and its feature \
                        `enabled` on?";
const NO_MATCH: &str = "Nothing matches the filters.";
const NO_CHANGE: &str = "Nothing is held in either snapshot: the dumps have no lines. Is the tracking allocator the `#[global_allocator]`, and \
                         its feature `enabled` on?";

impl MemoryPanel {
    pub(super) fn empty_ui(&mut self, ui: &mut Ui, theme: &Theme, rect: Rect, in_overlay: bool) {
        let text = self.empty_text(in_overlay);
        let place = rect
            .shrink2(vec2(12.0, 10.0))
            .with_max_x(rect.right().min(rect.left() + 620.0));
        let mut ui = ui.new_child(UiBuilder::new().id_salt("empty").max_rect(place));
        let label = ui.label(RichText::new(text).color(theme.weak));
        accessibility::describe(
            ui.ctx(),
            ui.make_persistent_id("empty note"),
            label.rect,
            || ("Nothing to show".to_owned(), text.to_owned()),
        );
        if text == NO_MATCH && ui.button("Show everything").clicked() {
            self.filter = Filter::default();
        }
    }

    fn empty_text(&self, in_overlay: bool) -> &'static str {
        let is_empty = |shown: &super::kept::Kept| shown.snapshot.allocations() == 0;
        match self.snapshots.shown() {
            _ if self.is_taking() => "Taking a snapshot …",
            None if self.dump.is_none() && in_overlay => NO_SOURCE,
            None => NO_SNAPSHOT,
            Some(_) if self.is_building() => "Reading the tree …",
            Some(_) if self.filter != Filter::default() => NO_MATCH,
            Some(shown) if is_empty(shown) && self.is_comparison() => NO_CHANGE,
            Some(_) => NO_LINES,
        }
    }
}
