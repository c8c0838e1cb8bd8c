//! The layout of the distribution view: a row of bars for each series.

use std::ops::Range;

use egui::{Align2, Rect, ScrollArea, Sense, Ui, UiBuilder, Vec2, pos2, vec2};

use crate::distribution::row::{Row, RowSource};
use crate::distribution::view::DistributionView;
use crate::paint::canvas::clipped_child;
use crate::view::{PaneContext, PaneRequest};
use stats_analysis::distribution::SHARES;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{small_font, text_font};

/// The minimum height of a row if there are several, in points.
const MIN_ROW: f32 = 84.0;
/// The height of a line of text about the bars.
const LINE: f32 = 17.0;
/// The height of the note about rows out of sight.
const FOOT: f32 = 14.0;
/// The height of the values along the axis.
const AXIS: f32 = 15.0;
/// A row narrower than this has its figures below its name, if it is tall enough for two lines.
const WIDE: f32 = 820.0;
const MIN_FOR_TWO_LINES: f32 = 104.0;
/// The space for counts on the left, and the minimum width of a row with it, in points.
pub(super) const COUNTS: f32 = 44.0;
const MIN_FOR_COUNTS: f32 = 420.0;
/// The minimum width of a bar, in points.
const BAR: f32 = 6.0;
/// The space for the cross that deselects the series, in points.
const REMOVE: f32 = 20.0;

/// Draws the distribution view of a pane.
pub(super) struct DistributionUi<'a> {
    pub(super) pane: PaneContext<'a>,
    pub(super) view: &'a mut DistributionView,
}

impl DistributionUi<'_> {
    /// Draws the view into `rect`. Returns the request to deselect a series, if one was clicked.
    pub(super) fn distribution_ui(&mut self, ui: &mut Ui, rect: Rect) -> Option<PaneRequest> {
        let theme = self.pane.theme;
        let mut ui = clipped_child(ui, "distribution", rect);
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        ui.painter().rect_filled(rect, 0.0, theme.plot);
        let count = self.pane.selected.len();
        let stamp = self.view.begin(&self.pane);
        if count == 0 {
            let text =
                "Select counters in the tree to see how often each value occurs, or drag them in";
            let room = rect.width() - 8.0;
            let galley = shapes::fitted(ui.painter(), text, text_font(), theme.weak, room);
            let place = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
            ui.painter().galley(place.min, galley, theme.weak);
            return None;
        }
        if count == 1 || count as f32 * MIN_ROW <= rect.height() {
            let high = rect.height() / count as f32;
            let rows = (0..count).map(|at| {
                Rect::from_min_size(
                    pos2(rect.left(), rect.top() + at as f32 * high),
                    vec2(rect.width(), high),
                )
            });
            let mut removed = None;
            for (at, row) in rows.enumerate() {
                removed = self.row_ui(&mut ui, row, at, stamp).or(removed);
            }
            return removed;
        }
        self.scrolled_ui(&mut ui, rect, stamp)
    }

    /// Draws as many whole rows as fit, and a note about the others.
    fn scrolled_ui(&mut self, ui: &mut Ui, rect: Rect, stamp: u64) -> Option<PaneRequest> {
        let (rows, foot) = rect.split_top_bottom_at_y(rect.bottom() - FOOT);
        let fitting = (rows.height() / MIN_ROW).floor().max(1.0);
        let high = rows.height() / fitting;
        let (mut removed, mut last, count) = (None, 0, self.pane.selected.len());
        let mut rows_ui = ui.new_child(UiBuilder::new().id_salt("rows").max_rect(rows));
        let area = ScrollArea::vertical().auto_shrink([false, false]);
        area.show_rows(&mut rows_ui, high, count, |ui, visible| {
            for at in visible {
                let (_, row) = ui.allocate_space(vec2(ui.available_width(), high));
                removed = self.row_ui(ui, row, at, stamp).or_else(|| removed.take());
                if row.bottom() <= rows.bottom() + high * 0.5 {
                    last = at + 1;
                }
            }
        });
        if last < count {
            let text = format!("and {} more below", count - last);
            let (foot, weak) = (foot.shrink2(vec2(8.0, 0.0)), self.pane.theme.weak);
            shapes::text_in(ui.painter(), foot, &text, small_font(), weak);
        }
        removed
    }

    /// Returns the frames whose values are shown, and whether the user selected them.
    fn frames(&self) -> (Range<u64>, bool) {
        if let Some(range) = &self.pane.timeline.selected_range {
            return (range.clone(), true);
        }
        let (left, right) = self.pane.timeline.visible(&self.pane.data.frames());
        (
            left.max(0.0).ceil() as u64..(right.max(0.0).floor() as u64).saturating_add(1),
            false,
        )
    }

    /// Recomputes the bars of a series for this plot if they are out of date.
    pub(super) fn update_row(&mut self, row: &mut Row, at: usize, plot: Rect, stamp: u64) {
        let ((frames, is_range), buckets) = (self.frames(), (plot.width() / BAR) as usize);
        let (per_frame, choice) = (self.view.choices.per_frame, self.view.choices.scale);
        let source = RowSource {
            data: self.pane.data,
            selected: &self.pane.selected[at],
            at,
            frames,
            is_range,
            per_frame,
            choice,
        };
        row.update(&source, stamp, buckets, &mut self.view.scratch);
    }

    /// Draws one series. Returns a request if the user deselects it.
    fn row_ui(&mut self, ui: &mut Ui, rect: Rect, at: usize, stamp: u64) -> Option<PaneRequest> {
        let theme = self.pane.theme;
        let counts = if rect.width() >= MIN_FOR_COUNTS {
            COUNTS
        } else {
            6.0
        };
        let two_lines = rect.width() < WIDE && rect.height() >= MIN_FOR_TWO_LINES;
        let head = if two_lines { 2.0 * LINE } else { LINE } + 2.0;
        let axis = if rect.height() >= head + AXIS + 16.0 {
            AXIS
        } else {
            0.0
        };
        let plot = Rect::from_min_max(
            pos2(rect.left() + counts, rect.top() + head),
            pos2(
                (rect.right() - 12.0).max(rect.left() + counts + 1.0),
                (rect.bottom() - axis - 1.0).max(rect.top() + head + 1.0),
            ),
        );
        let mut row = std::mem::take(&mut self.view.rows[at]);
        self.update_row(&mut row, at, plot, stamp);
        let is_named = self.plot_ui(ui, plot, at, &mut row, axis > 0.0);
        let head = rect.with_max_y(plot.top() - 2.0);
        let removed = self.head_ui(ui, head, at, &row, is_named);
        if at > 0 {
            ui.painter()
                .hline(rect.x_range(), rect.top(), (1.0, theme.line));
        }
        self.view.rows[at] = row;
        removed.then(|| PaneRequest::Deselect(self.pane.selected[at].path.clone()))
    }

    /// Draws the name and the figures. `is_named` says whether the plot labels each quantile.
    /// Returns whether the user deselects the series.
    fn head_ui(
        &self,
        ui: &Ui,
        rect: Rect,
        at: usize,
        row: &Row,
        is_named: [bool; SHARES.len()],
    ) -> bool {
        let (theme, painter) = (self.pane.theme, ui.painter());
        let selected = &self.pane.selected[at];
        let (first, second) = rect.split_top_bottom_at_y(rect.top() + LINE);
        let color = theme.series(selected.slot);
        shapes::swatch(painter, pos2(rect.left() + 12.0, first.center().y), color);
        let line = first
            .with_min_x(rect.left() + 22.0)
            .with_max_x(rect.right() - REMOVE - 4.0);
        let name = line.with_max_x(line.left() + line.width() * 0.5);
        let width = shapes::text_in(
            painter,
            name,
            &one_line(&selected.name, 120),
            text_font(),
            theme.text,
        );
        let rest = line.with_min_x(line.left() + width + 12.0);
        let texts = &row.texts;
        let (of, figures) = match &row.bars {
            None => (self.absent_text(at).to_owned(), String::new()),
            Some(_) => {
                let quantiles = texts.quantiles(is_named);
                let figures = format!("{}  {quantiles}", texts.figures);
                (texts.of.clone(), figures.trim_end().to_owned())
            }
        };
        if second.height() >= LINE - 2.0 {
            shapes::text_in(painter, rest, &of, small_font(), theme.weak);
            let second = second
                .with_min_x(line.left())
                .with_max_x(rect.right() - 6.0);
            shapes::text_in(painter, second, &figures, small_font(), theme.weak);
        } else {
            shapes::text_in(
                painter,
                rest,
                &format!("{of}   {figures}"),
                small_font(),
                theme.weak,
            );
        }
        let description = if row.bars.is_some() {
            &texts.description
        } else {
            &of
        };
        let id = ui.make_persistent_id(("said", at));
        accessibility::describe(ui.ctx(), id, rect, || {
            (
                format!("distribution of {}", selected.path),
                description.clone(),
            )
        });
        self.remove_ui(ui, first, at)
    }

    /// Returns the reason for having no bars.
    pub(super) fn absent_text(&self, at: usize) -> &str {
        match self.pane.data.values(at).is_empty() {
            _ if !self.view.choices.per_frame && self.pane.data.distribution(at).is_some() => {
                "no samples in this run yet"
            }
            true => (self.pane.absent)(&self.pane.selected[at]),
            false => "no frames here",
        }
    }

    /// Draws the cross that deselects the series. Returns whether it was clicked.
    fn remove_ui(&self, ui: &Ui, line: Rect, at: usize) -> bool {
        let rect = line.with_min_x(line.right() - REMOVE);
        let id = ui.make_persistent_id(("remove", at));
        let response = ui.interact(rect, id, Sense::click());
        let color = if response.hovered() {
            self.pane.theme.text
        } else {
            self.pane.theme.weak.gamma_multiply(0.6)
        };
        shapes::cross(ui.painter(), rect.center(), color);
        accessibility::describe_button(ui.ctx(), id, || {
            format!("Deselect {}", self.pane.selected[at].path)
        });
        response.clicked()
    }
}
