//! Single frames in a graph: the frame under the pointer with its values, and the selected range.

use egui::{Rect, Response, Stroke, TextWrapMode, Ui};
use stats_analysis::sort::sort_by;
use stats_core::Unit;

use crate::data::selection::SelectedSeries;
use crate::data::spike_text::{round_us, spike_text};
use crate::graph::graph_ui::GraphUi;
use crate::graph::input::frame_at;
use crate::graph::transform::Transform;
use crate::paint::canvas::Canvas;
use stats_analysis::format::{NO_VALUE, exact_text, whole_text};
use stats_analysis::track::Track;
use stats_ui::text::one_line;
use stats_ui::tooltip;

/// The maximum number of series in the tooltip of the cursor.
const MAX_SHOWN: usize = 12;

impl GraphUi<'_> {
    /// Draws the selected range, and the frame under the pointer of any pane.
    pub(super) fn marks_ui(&self, ui: &Canvas<'_>, transform: &Transform) {
        let (plot, theme) = (transform.plot(), self.pane.theme);
        let painter = ui.painter_in(plot);
        let x = |at: f64| transform.x(at);
        if let Some(range) = &self.pane.frame_axis.selected_range {
            let (left, right) = (x(range.start as f64 - 0.5), x(range.end as f64 - 0.5));
            let band = Rect::from_x_y_ranges(left..=right.max(left + 1.0), plot.y_range());
            painter.rect_filled(band, 0.0, theme.accent.gamma_multiply(0.13));
            for edge in [left, right] {
                painter.vline(edge, plot.y_range(), (1.0, theme.accent));
            }
        }
        for (marked, color) in [
            (self.pane.frame_axis.stepped, theme.accent),
            (self.pane.frame_axis.cursor, theme.weak),
        ] {
            if let Some(frame) = marked.filter(|&frame| self.pane.data.frame(frame).is_some()) {
                painter.vline(x(frame as f64), plot.y_range(), Stroke::new(1.0, color));
            }
        }
    }

    /// Shows the exact values of the frame under the pointer. All panes mark this frame.
    pub(super) fn cursor_ui(&mut self, ui: &Ui, response: &Response, transform: &Transform) {
        let Some(pointer) = response.hover_pos() else {
            return;
        };
        if transform.frame_at(pointer.x) < -0.5 {
            return;
        }
        let marked = self.marked_at(transform, pointer);
        let pointed_at = marked.unwrap_or_else(|| frame_at(transform, pointer));
        if self.pane.data.frame(pointed_at).is_some() {
            self.pane.frame_axis.point_at(pointed_at);
        }
        // All panes show the frame of the previous pass, so that they agree.
        let index = self.pane.frame_axis.cursor.unwrap_or(pointed_at);
        let Some(frame) = self.pane.data.frame(index) else {
            return;
        };
        if self.pane.frame_axis.cursor.is_none() {
            // The pointer has just entered, so no pane has marked a frame in this pass.
            let painter = ui.painter().with_clip_rect(transform.plot());
            let x = transform.x(frame.index as f64);
            let weak = self.pane.theme.weak;
            painter.vline(x, transform.plot().y_range(), (1.0, weak));
        }
        tooltip::at_pointer(response.clone(), &mut |ui| {
            // Keep the name and the value of a series on one line.
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            ui.strong(format!(
                "frame {}{}",
                whole_text(frame.index as f64),
                self.marks_of(frame.index)
            ));
            (self.view.mark_lanes).lines_ui(ui, self.pane.data.marks(), frame.index);
            if !self.pane.selected.iter().any(SelectedSeries::is_frame_time) {
                ui.label(format!(
                    "frame time  {}",
                    exact_text(round_us(frame.duration_ms), Unit::Milliseconds)
                ));
            }
            for at in self.shown_at(frame.index) {
                self.value_ui(ui, at, frame.index);
            }
            if self.pane.selected.len() > MAX_SHOWN {
                ui.small(format!(
                    "and {} more, in the legend",
                    self.pane.selected.len() - MAX_SHOWN
                ));
            }
        });
    }

    /// Returns the series in the tooltip. If there are too many, series with a spike come first.
    fn shown_at(&self, frame: u64) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.pane.selected.len()).collect();
        if places.len() > MAX_SHOWN {
            let has_spike = |at: usize| {
                let track = self.pane.data.track(at);
                track.is_some_and(|track| track.spikes.is_spike(frame))
            };
            sort_by(&mut places, |&a, &b| has_spike(b).cmp(&has_spike(a)));
            places.truncate(MAX_SHOWN);
            places.sort_unstable();
        }
        places
    }

    /// Adds a line to the tooltip: the name, the value, why it is a spike, and by how much it is
    /// over budget.
    fn value_ui(&self, ui: &mut Ui, at: usize, frame: u64) {
        let selected = &self.pane.selected[at];
        let window = self.pane.data.values(at);
        let rounded = |value: f64| {
            if selected.is_frame_time() {
                round_us(value)
            } else {
                value
            }
        };
        let text = window.at(frame).map_or(NO_VALUE.to_owned(), |value| {
            exact_text(rounded(value), selected.unit())
        });
        let track = self.pane.data.track(at).zip(window.at(frame));
        let note = track.map_or_else(String::new, |(track, value)| {
            note(selected, track, frame, value)
        });
        ui.colored_label(
            self.pane.theme.series(selected.slot),
            format!("{}  {text}{note}", one_line(&selected.frame_name(), 60)),
        );
    }
}

/// Returns why a frame is a spike, and by how much it is over budget; empty if it is neither.
fn note(selected: &SelectedSeries, track: &Track, frame: u64, value: f64) -> String {
    let text = |value| exact_text(round_us(value), selected.unit());
    let spike = track.spikes.verdict(frame);
    let mut note = spike.map_or_else(String::new, |found| {
        format!("  {}", spike_text(&found, selected.unit()))
    });
    let over = track.over_budget.at(frame).zip(selected.budget());
    if let Some((span, budget)) = over {
        let (excess, budget) = (text(value - budget), text(budget));
        note += &format!("  {excess} over its budget of {budget}");
        let length = span.end - span.start;
        if length > 1 {
            let (at, length) = ((frame - span.start + 1) as f64, length as f64);
            note += &format!(
                ", frame {} of {} in a row",
                whole_text(at),
                whole_text(length)
            );
        }
    }
    note
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::{FRAME_TIME, Selection};
    use stats_core::FrameSlice;

    #[test]
    fn a_note_names_the_usual_value_and_the_budget_rather_than_the_limit() {
        let mut values = vec![16.5; 300];
        (values[200], values[250], values[251], values[252]) = (97.872, 18.5, 18.5, 18.5);
        let mut selection = Selection::of([FRAME_TIME]);
        let of = |selection: &Selection, frame: u64| {
            let selected = &selection.selected()[0];
            let mut track = Track::default();
            let window = FrameSlice::new(0, &values, &[]);
            track.update(window, selected.limit(), &mut usize::MAX.clone());
            note(selected, &track, frame, values[frame as usize])
        };
        let spike = "  spike: 81.372 ms over its usual 16.5 ms, 5.9 times as much";
        assert_eq!(of(&selection, 200), spike);
        assert_eq!(of(&selection, 199), "");
        selection.set_frame_budget(Some(1000.0 / 60.0));
        assert_eq!(
            of(&selection, 200),
            spike.to_owned() + "  81.205 ms over its budget of 16.667 ms"
        );
        assert_eq!(
            of(&selection, 251),
            "  1.833 ms over its budget of 16.667 ms, frame 2 of 3 in a row"
        );
    }
}
