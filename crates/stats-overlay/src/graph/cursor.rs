//! Single frames in a graph: the frame under the pointer with its values, and the selected range.

use egui::{Rect, Response, Stroke, TextWrapMode, Ui};
use egui_plot::PlotTransform;
use stats_core::Unit;

use crate::data::selection::SelectedSeries;
use crate::graph::input::frame_at;
use crate::graph::ui::GraphUi;
use crate::paint::canvas::Canvas;
use stats_analysis::format::{NO_VALUE, exact_text, whole_text};
use stats_analysis::pace::BY_SLACK;
use stats_analysis::spike::Over;
use stats_ui::text::one_line;

/// The most series in the tooltip of the cursor; the legend has all of them.
const MOST_SHOWN: usize = 12;

impl GraphUi<'_> {
    /// Draws the selected range, and the frame under the pointer of any pane.
    pub(super) fn marks_ui(&self, ui: &Canvas, transform: &PlotTransform) {
        let plot = *transform.frame();
        let painter = ui.painter().with_clip_rect(plot.intersect(ui.clip_rect()));
        let x = |at: f64| transform.position_from_point_x(at);
        if let Some(range) = &self.pane.timeline.selected_range {
            let (left, right) = (x(range.start as f64 - 0.5), x(range.end as f64 - 0.5));
            let band = Rect::from_x_y_ranges(left..=right.max(left + 1.0), plot.y_range());
            painter.rect_filled(band, 0.0, self.pane.theme.accent.gamma_multiply(0.13));
            for edge in [left, right] {
                painter.vline(
                    edge,
                    plot.y_range(),
                    Stroke::new(1.0, self.pane.theme.accent),
                );
            }
        }
        for (marked, color) in [
            (self.pane.timeline.stepped, self.pane.theme.accent),
            (self.pane.timeline.cursor, self.pane.theme.weak),
        ] {
            if let Some(frame) = marked.filter(|&frame| self.pane.data.frame(frame).is_some()) {
                painter.vline(x(frame as f64), plot.y_range(), Stroke::new(1.0, color));
            }
        }
    }

    /// Shows the exact values of the frame under the pointer, which all panes mark.
    pub(super) fn cursor_ui(&mut self, ui: &Ui, response: &Response, transform: &PlotTransform) {
        let Some(pointer) = response.hover_pos() else {
            return;
        };
        if transform.value_from_position(pointer).x < -0.5 {
            return;
        }
        let pointed_at = frame_at(transform, pointer);
        if self.pane.data.frame(pointed_at).is_some() {
            self.pane.timeline.point_at(pointed_at);
        }
        // All panes show the frame of the previous pass, so that they agree.
        let told = self.pane.timeline.cursor.unwrap_or(pointed_at);
        let Some(frame) = self.pane.data.frame(told) else {
            return;
        };
        if self.pane.timeline.cursor.is_none() {
            // No frame was marked in this pass yet, since the pointer has only just entered.
            let painter = ui.painter().with_clip_rect(*transform.frame());
            let x = transform.position_from_point_x(frame.index as f64);
            painter.vline(
                x,
                transform.frame().y_range(),
                Stroke::new(1.0, self.pane.theme.weak),
            );
        }
        response.clone().on_hover_ui_at_pointer(|ui| {
            // Each series has one line with its name and value.
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            ui.strong(format!(
                "frame {}{}",
                whole_text(frame.index as f64),
                self.marks_of(frame.index)
            ));
            if !self.pane.selected.iter().any(SelectedSeries::is_frame_time) {
                ui.label(format!(
                    "frame time  {}",
                    exact_text(round_us(frame.duration_ms), Unit::Milliseconds)
                ));
            }
            for at in self.shown_at(frame.index) {
                self.value_ui(ui, at, frame.index);
            }
            if self.pane.selected.len() > MOST_SHOWN {
                ui.small(format!(
                    "and {} more, in the legend",
                    self.pane.selected.len() - MOST_SHOWN
                ));
            }
        });
    }

    /// Returns the series in the tooltip. If there are too many, series with a spike come first.
    fn shown_at(&self, frame: u64) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.pane.selected.len()).collect();
        if places.len() > MOST_SHOWN {
            places.sort_by_key(|&at| {
                !self
                    .pane
                    .data
                    .track(at)
                    .is_some_and(|track| track.spikes.is_spike(frame))
            });
            places.truncate(MOST_SHOWN);
            places.sort_unstable();
        }
        places
    }

    /// Adds a line to the tooltip: name, value, and the reason for a spike.
    fn value_ui(&self, ui: &mut Ui, at: usize, frame: u64) {
        let selected = &self.pane.selected[at];
        let window = self.pane.data.values(at);
        let told = |value: f64| {
            if selected.is_frame_time() {
                round_us(value)
            } else {
                value
            }
        };
        let text = window.at(frame).map_or(NO_VALUE.to_owned(), |value| {
            exact_text(told(value), selected.unit())
        });
        let spike = self
            .pane
            .data
            .track(at)
            .is_some_and(|track| track.spikes.is_spike(frame));
        let note = if spike {
            spike_note(self, at, frame)
        } else {
            String::new()
        };
        ui.colored_label(
            self.pane.theme.series(selected.slot),
            format!("{}  {text}{note}", one_line(&selected.name, 60)),
        );
    }
}

/// Returns by how much a frame exceeds its series' budget or usual value.
fn spike_note(graph: &GraphUi<'_>, at: usize, frame: u64) -> String {
    let selected = &graph.pane.selected[at];
    let found = graph
        .pane
        .data
        .track(at)
        .and_then(|track| track.verdict(graph.pane.data.values(at), frame));
    let Some(found) = found else {
        return "  spike".to_owned();
    };
    let excess = exact_text(round_us(found.excess()), selected.unit());
    match found.over {
        Over::Budget(limit) => budget_note(selected, found.excess(), limit),
        Over::Usual { usual, .. } => {
            let times = found
                .times()
                .map_or(String::new(), |times| format!(", {times:.1} times as much"));
            format!(
                "  spike: {excess} over its usual {}{times}",
                exact_text(round_us(usual), selected.unit())
            )
        }
    }
}

/// Returns by how much a frame exceeds `limit`. The excess is relative to the budget, where the
/// graph has its line; the limit of the frame time is a little above that.
fn budget_note(selected: &SelectedSeries, excess: f64, limit: f64) -> String {
    let budget = selected.budget().unwrap_or(limit);
    let text = |value| exact_text(round_us(value), selected.unit());
    let slack = if limit > budget {
        format!(", {BY_SLACK} or more")
    } else {
        String::new()
    };
    format!(
        "  spike: {} over its budget of {}{slack}",
        text(excess + limit - budget),
        text(budget)
    )
}

/// Rounds to microseconds, the resolution that a clock is worth.
fn round_us(time_ms: f64) -> f64 {
    (time_ms * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::{FRAME_TIME, Selection};

    #[test]
    fn an_excess_is_relative_to_the_budget_rather_than_the_limit() {
        let mut selection = Selection::of([FRAME_TIME]);
        selection.set_frame_budget(Some(1000.0 / 60.0));
        let selected = &selection.selected()[0];
        let limit = selected.limit().unwrap();
        assert_eq!(
            budget_note(selected, 97.872 - limit, limit),
            "  spike: 81.205 ms over its budget of 16.667 ms, by 10 % or more"
        );
        selection.set_frame_budget(None);
        assert_eq!(
            budget_note(&selection.selected()[0], 2.0, 10.0),
            "  spike: 2 ms over its budget of 10 ms"
        );
    }
}
