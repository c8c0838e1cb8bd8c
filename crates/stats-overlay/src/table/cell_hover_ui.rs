//! Why the cell under the pointer is marked as a spike, or why it is not.
//!
//! A value is compared with the past of its own frame. So a column may mark a value and not mark a
//! larger one, and only the past explains both.

use egui::{Response, TextWrapMode, Ui};

use crate::data::spike_text::{bar_text, spike_text};
use crate::table::ui::TableUi;
use stats_analysis::format::{exact_text, whole_text};
use stats_analysis::spike::against_past;
use stats_ui::text::one_line;
use stats_ui::tooltip;

impl TableUi<'_> {
    /// Tells the value of the cell under the pointer, if it is in sight, and what is usual there.
    /// `left` is the x coordinate at which the rows begin.
    pub(super) fn cell_hover_ui(&self, response: &Response, left: f32, frame: u64) {
        let Some(x) = response.hover_pos().map(|at| at.x - left) else {
            return;
        };
        let visible = response.rect.left() - left..response.rect.right() - left;
        let mut columns = self.columns_within(visible);
        let column = columns.find(|column| (column.left..column.left + column.width).contains(&x));
        let Some(at) = column.and_then(|column| column.selected) else {
            return;
        };
        let selected = &self.pane.selected[at];
        let (values, unit) = (self.pane.data.values(at), selected.unit());
        let Some(value) = values.at(frame) else {
            return;
        };
        tooltip::at_pointer(response.clone(), &mut |ui: &mut Ui| {
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            let name = one_line(&selected.path, 60);
            let number = whole_text(frame as f64);
            ui.label(format!(
                "{name}  {} in frame {number}",
                exact_text(value, unit)
            ));
            let track = self.pane.data.track(at);
            let spike = track.and_then(|track| track.spikes.verdict(frame));
            let found = spike.or_else(|| against_past(values, frame));
            if let Some(found) = &spike {
                ui.label(spike_text(found, unit));
            }
            // Of several frames in a row above the bar, only the first is a spike.
            let found = found.filter(|found| spike.is_some() || found.value <= found.bar);
            match found {
                Some(found) => ui.small(bar_text(&found, unit)),
                None => return,
            };
        });
    }
}
