//! The text in place of the rows: why there are none, and what to do about it.

use egui::{Rect, RichText, Ui, UiBuilder, vec2};

use super::memory_panel::{MemoryKind, MemoryPanel};
use super::snapshots::ListedSnapshot;
use crate::tree::Filter;
use stats_ui::accessibility;
use stats_ui::theme::Theme;

/// The message to show while no function that writes dumps is set: what to call.
pub const NO_DUMP_MESSAGE: &str = "No memory dump is set. Call `overlay.set_memory_dump(stats_memory::dump)` in a program whose \
    `#[global_allocator]` is `stats_memory::TrackingAllocator`; the documentation of `stats-memory` has an example.";
/// The same for the memory of a graphics device.
pub const NO_VIDEO_DUMP_MESSAGE: &str = "No report of the video memory is set. Call `overlay.set_video_memory_dump(stats_gpu::memory_dump(&device))` \
    in a program that draws with wgpu.";
const NO_SNAPSHOT: &str = "No snapshot yet.";
const NO_LINES: &str = "The dump is empty. Make the tracking allocator the `#[global_allocator]` and turn on its feature `enabled`.";
const NO_VIDEO_MEMORY: &str = "The report of the video memory is empty: nothing is allocated on the device, or the feature `enabled` \
    of `stats-gpu` is off.";
const NO_MATCH: &str = "Nothing matches the filters.";
const NO_LINES_IN_BOTH: &str = "The dumps of both snapshots are empty. Make the tracking allocator the `#[global_allocator]` and turn on its \
    feature `enabled`.";

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
        let is_empty = |shown: &ListedSnapshot| shown.snapshot.allocations() == 0;
        match self.snapshots.shown() {
            _ if self.is_taking() => "Taking a snapshot …",
            None if self.dump.is_none() && in_overlay => match self.kind {
                MemoryKind::Main => NO_DUMP_MESSAGE,
                MemoryKind::Video => NO_VIDEO_DUMP_MESSAGE,
            },
            None => NO_SNAPSHOT,
            Some(_) if self.is_building() => "Building the tree …",
            Some(_) if self.filter != Filter::default() => NO_MATCH,
            Some(_) if self.kind == MemoryKind::Video => NO_VIDEO_MEMORY,
            Some(shown) if is_empty(shown) && self.is_comparison() => NO_LINES_IN_BOTH,
            Some(_) => NO_LINES,
        }
    }
}
