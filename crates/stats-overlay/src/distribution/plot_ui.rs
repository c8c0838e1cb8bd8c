//! Shows the bars of one series with their axes, the labels of the lines, and a tooltip.

use std::sync::Arc;

use egui::{
    Align2, Galley, Painter, Pos2, Rect, Response, Sense, Stroke, TextWrapMode, pos2, vec2,
};

use crate::distribution::axis::{count_marks, height};
use crate::distribution::labels::{LabelPlace, Named, place};
use crate::distribution::paint::{Picture, PictureOf, bar_rect, x_at};
use crate::distribution::row::{Bars, Row, RowTexts, counted, share_text};
use crate::distribution::ui::{COUNTS, DistributionUi};
use crate::paint::canvas::Canvas;
use stats_analysis::distribution::SHARES;
use stats_analysis::format::{NumberStyle, whole_text};
use stats_core::Unit;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::small_font;
use stats_ui::tooltip;

/// The height of a line's label, in points.
const NAME: f32 = 14.0;
/// The minimum distance between count lines and between their labels, in points.
const COUNT_DISTANCE: f32 = 26.0;
const LABEL_DISTANCE: f32 = 12.0;
/// The minimum height of a plot with count labels, in points.
const MIN_FOR_LABELS: f32 = 24.0;
/// The number of labeled lines: the quantiles and the budget.
const NAMES: usize = SHARES.len() + 1;
/// The lines by the priority of their labels: the median, the budget, and the other quantiles, which the
/// head names if their lines have no labels.
const BY_PRIORITY: [usize; NAMES] = [0, SHARES.len(), 1, 2];

/// The labels of lines, laid out, and their positions.
struct Names {
    /// The whole texts, and the short ones.
    galleys: [Option<[Arc<Galley>; 2]>; NAMES],
    places: [Option<LabelPlace>; NAMES],
}

impl DistributionUi<'_> {
    /// Draws bars, lines and axes, with values below if there is space. Returns whether each
    /// quantile is labeled.
    pub(super) fn plot_ui(
        &self,
        canvas: &Canvas<'_>,
        plot: Rect,
        at: usize,
        row: &mut Row,
        with_values: bool,
    ) -> [bool; SHARES.len()] {
        let Row {
            bars: Some(bars),
            texts,
            picture,
            ..
        } = row
        else {
            let line = Stroke::new(1.0, self.pane.theme.line);
            canvas.painter().hline(plot.x_range(), plot.bottom(), line);
            return [true; SHARES.len()];
        };
        let names = self.names(canvas, plot, bars, texts);
        let levels = names
            .places
            .iter()
            .flatten()
            .map(|place| place.level + 1)
            .max()
            .unwrap_or(0);
        let of = PictureOf {
            plot,
            bars_top: (plot.top() + levels as f32 * NAME + 2.0).min(plot.bottom() - 1.0),
            color: self.pane.theme.series(self.pane.selected[at].slot),
            dark: self.pane.theme.dark,
            log_counts: self.view.choices.log_counts,
            pixels_per_point: canvas.pixels_per_point(),
        };
        self.counts_ui(canvas, &of, bars);
        if with_values {
            self.values_ui(canvas, &of, bars);
        }
        let id = canvas.make_persistent_id(("plot", at));
        let response = canvas.interact(plot, id, Sense::hover());
        let pointer = response.as_ref().and_then(Response::hover_pos);
        let share = pointer.map(|at| f64::from((at.x - plot.left()) / plot.width()));
        let hovered = share.and_then(|share| bars.at_share(share));
        let painter = canvas.painter();
        if let Some(bar) = hovered {
            let column = bar_rect(bars, bar, &of).with_min_y(plot.top());
            painter.rect_filled(column, 0.0, self.pane.theme.hover);
        }
        painter.add(Picture::shape(picture, bars, of, self.pane.theme));
        let is_named = std::array::from_fn(|line| names.places[line].is_some());
        self.names_ui(painter, plot, names);
        if let (Some(bar), Some(response)) = (hovered, response) {
            self.hover_ui(response, at, bars, bar);
        }
        is_named
    }

    /// Places the labels of the lines that fit into the upper half. Over a game, there are none.
    fn names(&self, canvas: &Canvas<'_>, plot: Rect, bars: &Bars, texts: &RowTexts) -> Names {
        let pixels_per_point = canvas.pixels_per_point();
        let [median, p95, p99] = bars.stats.quantiles;
        let values = [median, p95, p99, bars.budget.unwrap_or(0.0)];
        let galleys = std::array::from_fn(|line| {
            let (text, color) = (
                &texts.lines[line],
                if line < SHARES.len() {
                    self.pane.theme.text
                } else {
                    self.pane.theme.alert
                },
            );
            (!text.is_empty() && !canvas.is_over_game()).then(|| {
                [text.clone(), short_label(text)].map(|text| {
                    let painter = canvas.painter();
                    painter.layout_no_wrap(text, small_font(), color)
                })
            })
        });
        let extent = |line: usize| {
            let both: &[Arc<Galley>; 2] = galleys.get(line)?.as_ref()?;
            Some(Named {
                x: x_at(plot, bars.axis.share(values[line]), pixels_per_point),
                widths: both.each_ref().map(|galley| galley.size().x),
            })
        };
        let levels = ((plot.height() * 0.5 / NAME) as usize).min(NAMES);
        let placed = place(BY_PRIORITY.map(extent), (plot.left(), plot.right()), levels);
        let mut places = [None; NAMES];
        for (line, place) in BY_PRIORITY.into_iter().zip(placed) {
            places[line] = place;
        }
        Names { galleys, places }
    }

    fn names_ui(&self, painter: &Painter, plot: Rect, names: Names) {
        for (place, galleys) in names.places.into_iter().zip(names.galleys) {
            let (Some(place), Some([whole, short])) = (place, galleys) else {
                continue;
            };
            let galley = if place.is_short { short } else { whole };
            let min = pos2(place.left, plot.top() + place.level as f32 * NAME);
            let plate = Rect::from_min_size(min, galley.size()).expand2(vec2(2.0, 0.0));
            painter.rect_filled(plate, 2.0, self.pane.theme.plot.gamma_multiply(0.85));
            painter.galley(min, galley, self.pane.theme.text);
        }
    }

    /// Draws lines at round counts, and if there is space on the left, the counts and what they count.
    fn counts_ui(&self, canvas: &Canvas<'_>, of: &PictureOf, bars: &Bars) {
        let (plot, painter, theme) = (of.plot, canvas.painter(), self.pane.theme);
        let full = plot.bottom() - of.bars_top;
        let max_marks = ((full / COUNT_DISTANCE) as usize).max(1);
        let left = plot.left() - COUNTS;
        let is_labeled =
            plot.height() >= MIN_FOR_LABELS && left >= painter.clip_rect().left() - 1.0;
        let mut free = f32::INFINITY;
        if is_labeled {
            let corner = pos2(plot.left() - 2.0, plot.bottom() + 1.0);
            let (noun, anchor) = (format!("{}s", bars.noun), Align2::RIGHT_BOTTOM);
            let noun = shapes::text_at(painter, corner, anchor, &noun, small_font(), theme.weak);
            free = noun.center().y;
        }
        for count in count_marks(bars.tallest, max_marks, of.log_counts) {
            let y =
                (plot.bottom() - height(count, bars.tallest, of.log_counts) as f32 * full).round();
            painter.hline(plot.x_range(), y, (1.0, theme.grid));
            if is_labeled && y < free - LABEL_DISTANCE {
                let style = NumberStyle::steady_within(None, Unit::Count, (1e6, 1e6), true, 7);
                let short = style.for_step(count as f64).text(count as f64);
                let galley = [whole_text(count as f64), short]
                    .map(|count| painter.layout_no_wrap(count, small_font(), theme.weak));
                let fits = |galley: &Arc<Galley>| galley.size().x <= COUNTS - 6.0;
                if let Some(galley) = galley.into_iter().find(fits) {
                    let place =
                        Align2::RIGHT_CENTER.anchor_size(pos2(plot.left() - 5.0, y), galley.size());
                    painter.galley(place.min, galley, theme.weak);
                    free = y;
                }
            }
        }
        painter.hline(plot.x_range(), plot.bottom(), (1.0, theme.line));
    }

    /// Draws the values along the axis that do not overlap.
    fn values_ui(&self, canvas: &Canvas<'_>, of: &PictureOf, bars: &Bars) {
        let (plot, painter, weak) = (of.plot, canvas.painter(), canvas.weak(self.pane.theme));
        let end = pos2(plot.right() + 11.0, plot.bottom() + 2.0);
        let free = self.offset_ui(painter, plot.left(), end, bars);
        let mut right = f32::NEG_INFINITY;
        for mark in &bars.marks {
            let x = x_at(plot, mark.share, of.pixels_per_point);
            painter.vline(x, plot.bottom()..=plot.bottom() + 3.0, (1.0, weak));
            let galley = painter.layout_no_wrap(mark.text.clone(), small_font(), weak);
            let half = galley.size().x / 2.0;
            // Keep the text within the pane, even if it is then slightly off its mark.
            let left = (x - half)
                .min(end.x - 2.0 * half)
                .max(painter.clip_rect().left() + 1.0);
            if left > right + 8.0 && left + 2.0 * half <= free {
                right = left + 2.0 * half;
                painter.galley(pos2(left, plot.bottom() + 2.0), galley, weak);
            }
        }
    }

    /// Draws what to add to the numbers of the axis, between `left` and `end`. Returns the end of
    /// the space for the numbers: there is none if what to add does not fit.
    fn offset_ui(&self, painter: &Painter, left: f32, end: Pos2, bars: &Bars) -> f32 {
        let Some(offset) = &bars.offset else {
            return f32::INFINITY;
        };
        let accent = self.pane.theme.accent;
        let galley = shapes::laid_out(painter, offset, small_font(), accent);
        let place = Align2::RIGHT_TOP.anchor_size(end, galley.size());
        if place.left() < left {
            return f32::NEG_INFINITY;
        }
        painter.galley(place.min, galley, accent);
        place.left() - 8.0
    }

    /// Shows the contents of the bar under the pointer.
    fn hover_ui(&self, response: Response, at: usize, bars: &Bars, bar: usize) {
        let selected = &self.pane.selected[at];
        tooltip::at_pointer(response, &mut |ui| {
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            let count = bars.counts[bar];
            ui.strong(bars.range_text(bar));
            let color = self.pane.theme.series(selected.slot);
            ui.colored_label(color, one_line(&selected.name, 60));
            ui.label(format!(
                "{}, {}",
                counted(count, bars.noun),
                share_text(count, bars.stats.count)
            ));
            ui.label(format!(
                "{} up to here",
                share_text(bars.up_to(bar), bars.stats.count)
            ));
        });
    }
}

/// Returns the label of a line without what the other lines say as well.
fn short_label(label: &str) -> String {
    label
        .replacen(" of samples", "", 1)
        .replacen(" of frames", "", 1)
}
