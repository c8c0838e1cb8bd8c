//! The layout of the distribution view: a row of bars for each series.

use egui::{Align2, Color32, Painter, Rect, Sense, pos2, vec2};

use crate::distribution::row::{Row, RowSource};
use crate::distribution::view::DistributionView;
use crate::paint::canvas::Canvas;
use crate::view::{PaneContext, PaneRequest};
use stats_analysis::distribution::SHARES;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{small_font, text_font};

/// The minimum height of a row if there are several, in points.
const MIN_ROW: f32 = 84.0;
const MIN_ROW_OVER_GAME: f32 = 66.0;
/// The height of a line of text about the bars.
const LINE: f32 = 17.0;
/// The height of the note about rows out of sight.
const FOOT: f32 = 14.0;
/// The height of the values along the axis.
const AXIS: f32 = 15.0;
/// A row narrower than this has its figures below its name, if it is tall enough for two lines.
const WIDE: f32 = 820.0;
const WIDE_OVER_GAME: f32 = 420.0;
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
    pub(super) fn distribution_ui(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
    ) -> Option<PaneRequest> {
        canvas.ground(rect, self.pane.theme);
        let count = self.pane.selected.len();
        let stamp = self.view.begin(&self.pane);
        if count == 0 {
            self.hint_ui(canvas, rect);
            return None;
        }
        let (least, over_game) = match canvas.is_over_game() {
            true => (MIN_ROW_OVER_GAME, true),
            false => (MIN_ROW, false),
        };
        let mut removed = None;
        if count as f32 * least <= rect.height() || (count == 1 && !over_game) {
            let size = vec2(rect.width(), rect.height() / count as f32);
            for at in 0..count {
                let corner = rect.min + vec2(0.0, at as f32 * size.y);
                let row = Rect::from_min_size(corner, size);
                removed = removed.or(self.row_ui(canvas, row, at, stamp));
            }
            return removed;
        }
        // As many whole rows as fit, and a note about the others.
        let (rows, foot) = rect.split_top_bottom_at_y(rect.bottom() - FOOT.min(rect.height()));
        let high = rows.height() / (rows.height() / least).floor().max(1.0);
        let mut last = 0;
        let mut list = std::mem::take(&mut self.view.list);
        let height = count as f64 * f64::from(high);
        canvas.list(rows, (&mut list, height, 0.0), &mut |canvas, view| {
            for at in view.rows(high, count) {
                let row = view.row(at, high);
                if canvas.row(row, high.max(least)).is_some() {
                    let request = self.row_ui(canvas, row, at, stamp);
                    removed = removed.take().or(request);
                    if row.bottom() <= rows.bottom() + high * 0.5 {
                        last = at + 1;
                    }
                }
            }
        });
        self.view.list = list;
        if last < count {
            let text = format!("and {} more below", count - last);
            let (foot, weak) = (foot.shrink2(vec2(8.0, 0.0)), canvas.weak(self.pane.theme));
            shapes::text_in(canvas.painter(), foot, &text, small_font(), weak);
        }
        removed
    }

    fn hint_ui(&self, canvas: &Canvas<'_>, rect: Rect) {
        let text =
            "Select counters in the tree to see how often each value occurs, or drag them in";
        let (painter, weak) = (canvas.painter(), canvas.weak(self.pane.theme));
        let galley = shapes::fitted(painter, text, text_font(), weak, rect.width() - 8.0);
        let place = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
        painter.galley(place.min, galley, weak);
    }

    /// Recomputes the bars of a series for this plot if they are out of date.
    fn update_row(&mut self, row: &mut Row, at: usize, plot: Rect, stamp: u64) {
        let buckets = (plot.width() / BAR) as usize;
        let source = RowSource {
            data: self.pane.data,
            selected: &self.pane.selected[at],
            at,
            frames: self.pane.frame_axis.chosen(&self.pane.data.frames()),
            is_range: self.pane.frame_axis.selected_range.is_some(),
            per_frame: self.view.choices.per_frame,
            choice: self.view.choices.scale,
        };
        row.update(&source, stamp, buckets, &mut self.view.scratch);
    }

    /// Draws one series. Returns a request if the user deselects it.
    fn row_ui(
        &mut self,
        canvas: &Canvas<'_>,
        rect: Rect,
        at: usize,
        stamp: u64,
    ) -> Option<PaneRequest> {
        let theme = self.pane.theme;
        let (wide, has_counts, two_from) = match canvas.is_over_game() {
            true => (WIDE_OVER_GAME, false, 0.0),
            false => (WIDE, rect.width() >= MIN_FOR_COUNTS, MIN_FOR_TWO_LINES),
        };
        let counts = if has_counts { COUNTS } else { 6.0 };
        let two_lines = rect.width() < wide && rect.height() >= two_from;
        let head = if two_lines { 2.0 * LINE } else { LINE } + 2.0;
        let axis = if rect.height() >= head + AXIS + 12.0 {
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
        let is_named = self.plot_ui(canvas, plot, at, &mut row, axis > 0.0);
        let head = rect.with_max_y(plot.top() - 2.0);
        let removed = self.head_ui(canvas, head, at, &row, is_named);
        if at > 0 {
            let line = (1.0, theme.line);
            canvas.painter().hline(rect.x_range(), rect.top(), line);
        }
        self.view.rows[at] = row;
        removed.then(|| PaneRequest::Deselect(self.pane.selected[at].path.clone()))
    }

    /// Draws the name and the figures; over a game, only the quantiles. `is_named` says whether the
    /// plot labels each quantile. Returns whether the user deselects the series.
    fn head_ui(
        &self,
        canvas: &Canvas<'_>,
        rect: Rect,
        at: usize,
        row: &Row,
        is_named: [bool; SHARES.len()],
    ) -> bool {
        let (theme, painter) = (self.pane.theme, canvas.painter());
        let selected = &self.pane.selected[at];
        let (first, second) = rect.split_top_bottom_at_y(rect.top() + LINE);
        let two_lines = second.height() >= LINE - 2.0;
        let color = theme.series(selected.slot);
        shapes::swatch(painter, pos2(rect.left() + 12.0, first.center().y), color);
        let line = first
            .with_min_x(rect.left() + 22.0)
            .with_max_x(rect.right() - REMOVE - 4.0);
        let texts = &row.texts;
        let quantiles = texts.quantiles(is_named);
        let (of, figures) = match &row.bars {
            None => (self.absent_text(at).to_owned(), String::new()),
            Some(_) if canvas.is_over_game() => (String::new(), quantiles),
            Some(_) => {
                let figures = format!("{}  {quantiles}", texts.figures);
                (texts.of.clone(), figures.trim_end().to_owned())
            }
        };
        let name = if two_lines && of.is_empty() {
            line
        } else {
            line.with_max_x(line.left() + line.width() * 0.5)
        };
        let text = one_line(&selected.name, 120);
        let width = shapes::text_in(painter, name, &text, text_font(), theme.text);
        let (rest, weak) = (
            line.with_min_x(line.left() + width + 12.0),
            canvas.weak(theme),
        );
        let whole_in = |place: Rect, text: &str| {
            let text = whole_figures(painter, text, place.width());
            shapes::text_in(painter, place, text, small_font(), weak);
        };
        if two_lines {
            whole_in(rest, &of);
            let second = second
                .with_min_x(line.left())
                .with_max_x(rect.right() - 6.0);
            whole_in(second, &figures);
        } else {
            let both = format!("{of}   {figures}");
            whole_in(rest, both.trim());
        }
        canvas.describe(("said", at), rect, || {
            let description = match &row.bars {
                None => of,
                Some(_) if canvas.is_over_game() => figures,
                Some(_) => texts.description.clone(),
            };
            (format!("distribution of {}", selected.path), description)
        });
        self.remove_ui(canvas, first, at)
    }

    /// Returns the reason for having no bars.
    fn absent_text(&self, at: usize) -> &str {
        match self.pane.data.values(at).is_empty() {
            _ if !self.view.choices.per_frame && self.pane.data.distribution(at).is_some() => {
                "no samples in this run yet"
            }
            true => (self.pane.absent)(&self.pane.selected[at]),
            false => "no frames here",
        }
    }

    /// Draws the cross that deselects the series. Returns whether it was clicked.
    fn remove_ui(&self, canvas: &Canvas<'_>, line: Rect, at: usize) -> bool {
        let rect = line.with_min_x(line.right() - REMOVE);
        let id = canvas.make_persistent_id(("remove", at));
        let Some(response) = canvas.interact(rect, id, Sense::click()) else {
            return false;
        };
        let color = if response.hovered() {
            self.pane.theme.text
        } else {
            self.pane.theme.weak.gamma_multiply(0.6)
        };
        shapes::cross(canvas.painter(), rect.center(), color);
        accessibility::describe_button(canvas.ctx(), id, || {
            format!("Deselect {}", self.pane.selected[at].path)
        });
        response.clicked()
    }
}

/// Returns the longest beginning of a text that fits, without the last of its figures, which two spaces
/// separate: a number that is cut reads as another number.
fn whole_figures<'t>(painter: &Painter, text: &'t str, width: f32) -> &'t str {
    let mut shown = text;
    let fits = |text: &str| {
        let whole = shapes::laid_out(painter, text, small_font(), Color32::PLACEHOLDER);
        whole.size().x <= width
    };
    while !fits(shown) {
        let Some(gap) = shown.rfind("  ") else {
            break;
        };
        shown = shown[..gap].trim_end();
    }
    shown
}
