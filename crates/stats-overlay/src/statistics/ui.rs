//! The layout of the statistics: groups of lines, in as many columns as fit.

use egui::{Color32, Context, CursorIcon, FontId, Painter, Rect, Response, Sense, pos2, vec2};

use crate::paint::canvas::Canvas;
use crate::statistics::row::{Figure, Group, Row, Target};
use crate::statistics::view::{StatisticsView, Subject};
use crate::view::{PaneContext, PaneRequest};
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{number_font, small_font, text_font};
use stats_ui::tooltip;

/// The minimum width of a column if there are several, in points. In a narrower column, a row may
/// take two lines.
const COLUMN: f32 = 404.0;
const MAX_COLUMNS: usize = 3;
/// The gap between columns.
const GUTTER: f32 = 26.0;
const TITLE: f32 = 24.0;
const LINE: f32 = 18.0;
/// A column narrower than this shows a name and its figure in two lines, in points.
const MIN_WIDTH: f32 = 180.0;
/// The space above the groups.
const SPACE: f32 = 8.0;
/// The gap between groups.
const GAP: f32 = 10.0;
/// Room for a time, and for a rate.
const NUMBER: f32 = 86.0;
/// Room for anything else, in a narrow column.
const TEXT: f32 = 220.0;
/// The height of the figures in large type with their names, and the sizes of such a figure.
const HEAD: f32 = 74.0;
const LARGE: std::ops::RangeInclusive<f32> = 13.0..=26.0;
/// The width of a figure in large type, in multiples of its size.
const LARGE_CHARS: f32 = 6.5;
/// Room for the name and the text of a share.
const RATE_NAME: f32 = 64.0;
const SHARE_TEXT: f32 = 58.0;

/// Draws the statistics view of a pane.
pub(super) struct StatisticsUi<'a> {
    pub(super) pane: PaneContext<'a>,
    pub(super) view: &'a mut StatisticsView,
}

/// The number and the width of the columns into which groups flow.
struct Flow {
    columns: usize,
    width: f32,
}

impl Flow {
    fn of(width: f32) -> Self {
        let columns =
            (((width + GUTTER) / (COLUMN + GUTTER)).floor() as usize).clamp(1, MAX_COLUMNS);
        let width = (width - GUTTER * (columns - 1) as f32) / columns as f32;
        Self { columns, width }
    }

    fn height(&self, painter: &Painter, group: &Group) -> f32 {
        TITLE
            + group
                .rows
                .iter()
                .map(|row| self.row_height(painter, row))
                .sum::<f32>()
            + GAP
    }

    /// Returns the height of a row: two lines if name and figure do not fit into one. It does not
    /// depend on the digits of the figure, so that nothing moves when numbers change.
    fn row_height(&self, painter: &Painter, row: &Row) -> f32 {
        let width = |text: &str, font| {
            painter
                .layout_no_wrap(text.to_owned(), font, Color32::WHITE)
                .size()
                .x
        };
        let figure = match &row.figure {
            Figure::Share { .. } => return LINE,
            Figure::Time { .. } => 2.0 * NUMBER,
            Figure::Text(_) => TEXT,
        };
        if self.width >= COLUMN || width(&row.name, text_font()) + 8.0 + figure <= self.width {
            LINE
        } else {
            2.0 * LINE
        }
    }
}

/// Places each group in the shortest column so far. Returns the column and the top of each group,
/// and the total height.
fn places(heights: impl Iterator<Item = f32>, columns: usize) -> (Vec<(usize, f32)>, f32) {
    let mut filled = [0.0_f32; MAX_COLUMNS];
    let place = |height: f32| {
        let column = (0..columns).fold(0, |shortest, at| {
            if filled[at] < filled[shortest] {
                at
            } else {
                shortest
            }
        });
        let top = filled[column];
        filled[column] += height;
        (column, top)
    };
    let places = heights.map(place).collect();
    (places, filled.into_iter().fold(0.0, f32::max))
}

impl StatisticsUi<'_> {
    /// Draws the view into `rect`. Returns a click that affects more than the view.
    pub(super) fn statistics_ui(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
    ) -> Option<PaneRequest> {
        self.update(canvas.ctx());
        canvas.ground(rect, self.pane.theme);
        let mut request = None;
        canvas.scroll(rect.shrink2(vec2(8.0, 4.0)), &mut |canvas, area| {
            let mut free = area;
            self.title_ui(canvas, &mut free);
            let left_out = self.marks_ui(canvas, &mut free);
            free.min.y += SPACE;
            let (clicked, height) = self.groups_ui(canvas, free);
            request = left_out.or(clicked);
            free.top() + height - area.top()
        });
        request
    }

    /// Updates the figures if a refresh is due.
    fn update(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        self.view.update(
            self.pane.data,
            self.pane.selected,
            self.pane.frame_axis,
            self.pane.settings,
            self.pane.limit,
            (self.pane.refresh, now_secs),
        );
    }

    /// Draws the groups below the top of `area`. Returns a click, and the height of the groups.
    fn groups_ui(&self, canvas: &Canvas<'_>, area: Rect) -> (Option<PaneRequest>, f32) {
        let (theme, painter) = (self.pane.theme, canvas.painter());
        let groups = &self.view.groups;
        if groups.is_empty() {
            let text = match self.view.subject(self.pane.selected) {
                Subject::Series(at, selected) if self.pane.data.values(at).is_empty() => {
                    (self.pane.absent)(selected)
                }
                Subject::Series(..) if self.view.frames > 0 => "it took no time in these frames",
                _ if self.view.left_out.is_empty() => "no frames yet",
                _ => "no frames are left",
            };
            let line = area.with_max_y(area.top() + LINE);
            let id = canvas.make_persistent_id("none");
            shapes::text_in(painter, line, text, text_font(), canvas.weak(theme));
            accessibility::describe(canvas.ctx(), id, line, || (text.to_owned(), String::new()));
            return (None, LINE);
        }
        let mut clicked = self.head_ui(canvas, area);
        let area = area.with_min_y(area.top() + HEAD);
        let flow = Flow::of(area.width());
        let heights = groups.iter().map(|group| flow.height(painter, group));
        let (places, height) = places(heights, flow.columns);
        for (group, (column, top)) in groups.iter().zip(places) {
            let corner = area.min + vec2(column as f32 * (flow.width + GUTTER), top);
            let mut line = Rect::from_min_size(corner, vec2(flow.width, TITLE));
            let first = group.rows.first();
            let first = TITLE + first.map_or(0.0, |row| flow.row_height(painter, row));
            // A title is not drawn alone.
            if canvas
                .row(line.with_max_y(line.top() + first), first)
                .is_some()
            {
                let weak = canvas.weak(theme);
                shapes::text_in(painter, line, group.title, text_font(), weak);
                painter.hline(line.x_range(), line.bottom() - 2.0, (1.0, theme.line));
            }
            for row in &group.rows {
                let size = vec2(flow.width, flow.row_height(painter, row));
                line = Rect::from_min_size(line.left_bottom(), size);
                if canvas.row(line, line.height()).is_some()
                    && self.row_ui(canvas, line, row, Self::figure_ui)
                {
                    clicked = row.target;
                }
            }
        }
        let request = clicked.and_then(|target| match target {
            Target::Settings => Some(PaneRequest::OpenSettings),
            target => self
                .view
                .frame_of(target, self.pane.frame_axis.stepped)
                .map(PaneRequest::LookAt),
        });
        (request, HEAD + height)
    }

    /// Draws the figures that come first, side by side in large type, at the top of `area`. Returns
    /// a click.
    fn head_ui(&self, canvas: &Canvas<'_>, area: Rect) -> Option<Target> {
        let head = &self.view.head;
        let width = area.width() / head.len().max(1) as f32;
        let mut clicked = None;
        for (at, row) in head.iter().enumerate() {
            let corner = area.min + vec2(at as f32 * width, 0.0);
            let cell = Rect::from_min_size(corner, vec2((width - GAP).max(1.0), HEAD - GAP));
            if canvas.row(cell, cell.height()).is_some()
                && self.row_ui(canvas, cell, row, Self::large_ui)
            {
                clicked = row.target;
            }
        }
        clicked
    }

    /// Draws a row's name, its figure in large type, and what follows it, one below the other.
    fn large_ui(&self, painter: &Painter, cell: Rect, row: &Row) {
        let theme = self.pane.theme;
        let (name, rest) = cell.split_top_bottom_at_y(cell.top() + LINE);
        let (large, small) = rest.split_top_bottom_at_y(rest.bottom() - LINE);
        let figure = row.figure.parts();
        let font = FontId {
            size: (cell.width() / LARGE_CHARS).clamp(*LARGE.start(), *LARGE.end()),
            ..number_font()
        };
        let name_color = if row.target.is_some() {
            theme.accent
        } else {
            theme.weak
        };
        shapes::text_in(painter, name, &row.name, text_font(), name_color);
        shapes::text_in(painter, large, &figure.0, font, theme.text);
        shapes::text_in(painter, small, &figure.1, small_font(), theme.weak);
    }

    /// Draws a row with `paint`. Returns whether it was clicked.
    fn row_ui(
        &self,
        canvas: &Canvas<'_>,
        line: Rect,
        row: &Row,
        paint: fn(&Self, &Painter, Rect, &Row),
    ) -> bool {
        let id = canvas.make_persistent_id(("row", row.name.as_str()));
        let (sense, cursor) = match row.target {
            Some(_) => (Sense::click(), CursorIcon::PointingHand),
            None => (Sense::hover(), CursorIcon::Default),
        };
        let response = canvas.interact(line, id, sense);
        if response.as_ref().is_some_and(Response::hovered) {
            let (ground, hover) = (line.expand2(vec2(4.0, 0.0)), self.pane.theme.hover);
            canvas.painter().rect_filled(ground, 2.0, hover);
        }
        paint(self, canvas.painter(), line, row);
        accessibility::describe(canvas.ctx(), id.with("figure"), line, || {
            (row.name.clone(), row.figure.text())
        });
        let Some(response) = response else {
            return false;
        };
        if let Some(target) = row.target {
            accessibility::describe_button(canvas.ctx(), id, || target.name().to_owned());
        }
        let response = tooltip::with(response.on_hover_cursor(cursor), &mut |ui| {
            ui.set_max_width(420.0);
            ui.label(&row.help);
        });
        response.clicked()
    }

    fn figure_ui(&self, painter: &Painter, line: Rect, row: &Row) {
        let theme = self.pane.theme;
        if line.width() < MIN_WIDTH {
            let (upper, lower) = line.split_top_bottom_at_y(line.center().y);
            shapes::text_in(painter, upper, &row.name, text_font(), theme.text);
            let figure = row.figure.text();
            shapes::text_at_end(painter, lower, &figure, small_font(), theme.text);
            return;
        }
        let name_color = if row.target.is_some() {
            theme.accent
        } else {
            theme.text
        };
        let two_lines = line.height() > LINE;
        let (upper, lower) = line.split_top_bottom_at_y(line.top() + LINE);
        let below = if two_lines { lower } else { upper };
        match &row.figure {
            Figure::Time { ms, fps } => {
                let fps_cell = below.with_min_x(below.right() - NUMBER);
                let ms_cell = fps_cell.translate(vec2(-NUMBER, 0.0));
                let name = if two_lines {
                    upper
                } else {
                    upper.with_max_x(ms_cell.left())
                };
                shapes::text_in(painter, name, &row.name, text_font(), name_color);
                shapes::number_in(
                    painter,
                    ms_cell.with_min_x(ms_cell.left() + 4.0),
                    ms,
                    theme.text,
                );
                shapes::number_in(
                    painter,
                    fps_cell.with_min_x(fps_cell.left() + 4.0),
                    fps,
                    theme.text,
                );
            }
            Figure::Text(text) => {
                let width = shapes::text_in(painter, upper, &row.name, text_font(), name_color);
                let cell = if two_lines {
                    lower
                } else {
                    upper.with_min_x(upper.left() + width + 8.0)
                };
                shapes::number_in(painter, cell, text, theme.text);
            }
            Figure::Share { text, share } => {
                shapes::text_in(painter, upper, &row.name, text_font(), name_color);
                shapes::number_in(
                    painter,
                    upper.with_min_x(upper.right() - SHARE_TEXT),
                    text,
                    theme.text,
                );
                let bar = upper
                    .with_min_x(upper.left() + RATE_NAME)
                    .with_max_x(upper.right() - SHARE_TEXT - 4.0);
                if bar.width() > 8.0 {
                    let bar = bar.shrink2(vec2(0.0, 4.5));
                    painter.rect_filled(bar, 2.0, theme.grid);
                    let end = pos2(
                        bar.left() + bar.width() * share.clamp(0.0, 1.0),
                        bar.bottom(),
                    );
                    painter.rect_filled(Rect::from_min_max(bar.min, end), 2.0, theme.accent);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_columns_as_fit_are_used() {
        for width in (60..2400).map(|width| width as f32) {
            let flow = Flow::of(width);
            assert!((1..=MAX_COLUMNS).contains(&flow.columns));
            assert!(flow.columns == 1 || flow.width >= COLUMN, "{width}");
            assert!(
                (flow.width * flow.columns as f32 + GUTTER * (flow.columns - 1) as f32 - width)
                    .abs()
                    < 0.01
            );
            let one_more = (width - GUTTER * flow.columns as f32) / (flow.columns + 1) as f32;
            assert!(
                flow.columns == MAX_COLUMNS || one_more < COLUMN + 0.01,
                "{width}"
            );
        }
    }

    #[test]
    fn groups_are_placed_in_the_least_filled_column() {
        let (placed, height) = places([5.0, 3.0, 4.0, 1.0, 6.0].into_iter(), 2);
        assert_eq!(placed, [(0, 0.0), (1, 0.0), (1, 3.0), (0, 5.0), (0, 6.0)]);
        assert_eq!(height, 12.0);
        let (placed, height) = places([5.0, 3.0].into_iter(), 1);
        assert_eq!((placed, height), (vec![(0, 0.0), (0, 5.0)], 8.0));
    }
}
