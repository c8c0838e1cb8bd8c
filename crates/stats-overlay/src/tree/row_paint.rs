//! Paints a row of the tree: its name with highlighted matches, and its values. Painters read
//! nothing: they get [`RowValues`](crate::tree::row_values::RowValues).

use std::borrow::Cow;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Galley, Painter, Rect, Vec2, pos2, vec2};

use crate::search::query::Query;
use crate::tree::painted::{Between, RowPlace};
use crate::tree::ranking::{Columns, RankingColumn};
use crate::tree::row_values::{RowText, Shows};
use stats_analysis::format::NO_VALUE;
use stats_ui::list::highlight;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, number_font, small_font, text_font};

/// The width of a star or pin button, in points.
pub(super) const ICON_WIDTH: f32 = 17.0;
/// The maximum number of characters of a name. Longer names end in "…".
const NAME_LIMIT: usize = 160;
/// The indentation per level, in points, and the maximum number of indented levels.
const INDENT: f32 = 12.0;
const INDENTS: u32 = 12;
pub(super) const CHECKBOX: f32 = 13.0;
/// The maximum width of a value, in points.
const VALUE_WIDTH: f32 = 96.0;
/// The minimum width of a name beside both numbers of a histogram, in points.
const LEAST_NAME: f32 = 64.0;
/// The minimum width of a name beside a sparkline, in points.
const NAME_WIDTH: f32 = 96.0;
/// The width of a sparkline, and the minimum width of a row with one, in points.
const SPARK_WIDTH: f32 = 44.0;
/// The width of the cost of a folder, in points. A wider one has a bar further left.
const COST_WIDTH: f32 = 58.0;
pub(super) const SPARK_FROM: f32 = 200.0;
/// The minimum width of a row that shows its range, in points.
const RANGE_FROM: f32 = 380.0;
/// The minimum space for a text, in points.
const MIN_TEXT: f32 = 12.0;

/// Paints the parts of a row in one theme.
#[derive(Clone, Copy)]
pub(super) struct RowPaint<'a> {
    pub(super) theme: &'a Theme,
    /// The search whose matches are highlighted; `None` if there is none.
    pub(super) query: Option<&'a Query>,
}

impl RowPaint<'_> {
    /// Paints the name of a series at `left` and its value on the right. If there is space, also
    /// paints its recent range. Returns the space between them.
    pub(super) fn name_and_values(
        &self,
        painter: &Painter,
        row: Rect,
        left: f32,
        name: (Name<'_>, Color32),
        values: &Values<'_>,
    ) -> Between {
        let icons_right = match values.shows {
            Shows::Reason => self.name_and_reason(painter, row, left, name, &values.text.value),
            Shows::Columns(columns) => {
                let of = (columns, values.icons_width);
                self.name_and_columns(painter, row, left, name, of)
            }
            Shows::Nothing | Shows::Value => {
                return self.name_and_value(painter, row, left, name, values);
            }
        };
        let spark = None;
        Between { icons_right, spark }
    }

    fn name_and_value(
        &self,
        painter: &Painter,
        row: Rect,
        left: f32,
        (name, color): (Name<'_>, Color32),
        values: &Values<'_>,
    ) -> Between {
        // Not clipped to the row: each clip rectangle costs a draw call.
        let mut right = self.value_at(painter, row, row.right() - 10.0, left, values.text);
        let mut spark = None;
        let after_spark = right - SPARK_WIDTH - 8.0;
        let whole = name.laid_out(painter, color, f32::INFINITY).size().x;
        if values.has_spark && after_spark - values.icons_width - left >= whole.min(NAME_WIDTH) {
            let place = row.shrink2(vec2(0.0, 4.0)).with_max_x(right);
            spark = Some(place.with_min_x(right - SPARK_WIDTH));
            right = after_spark;
        }
        let icons_right = right;
        right -= values.icons_width;
        if row.width() >= RANGE_FROM && !values.text.range.is_empty() {
            let (range, weak) = (&values.text.range, self.theme.weak);
            let galley = shapes::fitted(painter, range, small_font(), weak, 130.0);
            right -= galley.size().x;
            shapes::galley_in(painter, row.with_min_x(right), galley, weak);
            right -= 8.0;
        }
        let name_rect = row.with_min_x(left).with_max_x(right);
        if name_rect.width() >= MIN_TEXT {
            let galley = name.laid_out(painter, color, name_rect.width());
            shapes::galley_in(painter, name_rect, galley, color);
        }
        Between { icons_right, spark }
    }

    /// Paints the name at `left` and, on the right, the reason for having no values. The name takes
    /// at most half of the space. Returns the right edge of the space for buttons.
    fn name_and_reason(
        &self,
        painter: &Painter,
        row: Rect,
        left: f32,
        (name, color): (Name<'_>, Color32),
        why: &str,
    ) -> f32 {
        let right = row.right() - 10.0;
        let room = right - left - 2.0 * ICON_WIDTH;
        if room < 2.0 * MIN_TEXT {
            return right;
        }
        let galley = name.laid_out(painter, color, room / 2.0);
        let reason_room = room - galley.size().x - 8.0;
        shapes::galley_in(painter, row.with_min_x(left), galley, color);
        let weak = self.theme.weak;
        let galley = shapes::fitted(painter, why, small_font(), weak, reason_room);
        let reason = row.with_min_x(right - galley.size().x);
        shapes::galley_in(painter, reason, galley, weak);
        reason.left() - 8.0
    }

    /// Paints the name at `left` and the columns of a ranking at the right. Returns the right edge of
    /// the space before the columns.
    fn name_and_columns(
        &self,
        painter: &Painter,
        row: Rect,
        left: f32,
        (name, color): (Name<'_>, Color32),
        (columns, icons_width): (&Columns, f32),
    ) -> f32 {
        let texts = columns.texts.iter().map(String::as_str);
        let right = self.columns_ui(painter, row, (columns.of, texts), number_font());
        let name_rect = row.with_min_x(left).with_max_x(right - icons_width);
        if name_rect.width() >= MIN_TEXT {
            let galley = name.laid_out(painter, color, name_rect.width());
            shapes::galley_in(painter, name_rect, galley, color);
        }
        right
    }

    /// Paints the heading of a ranking.
    pub(super) fn ranking_heading(
        &self,
        painter: &Painter,
        row: Rect,
        (title, columns): (&str, &[RankingColumn]),
    ) {
        let headings = columns.iter().map(|column| column.heading);
        let right = self.columns_ui(painter, row, (columns, headings), small_font());
        let name = row.shrink2(vec2(8.0, 0.0)).with_max_x(right);
        shapes::text_in(painter, name, title, small_font(), self.theme.weak);
    }

    /// Paints the columns for which the row is wide enough. Returns their left edge.
    fn columns_ui<'a>(
        &self,
        painter: &Painter,
        row: Rect,
        (columns, texts): (
            &[RankingColumn],
            impl DoubleEndedIterator<Item = &'a str> + ExactSizeIterator,
        ),
        font: FontId,
    ) -> f32 {
        let mut right = row.right() - 10.0;
        for (column, text) in columns.iter().zip(texts).rev() {
            if row.width() < column.from {
                continue;
            }
            let (weak, room) = (self.theme.weak, column.width - 6.0);
            let galley = shapes::fitted(painter, text, font.clone(), weak, room);
            let place = row.with_min_x(right - galley.size().x);
            shapes::galley_in(painter, place, galley, weak);
            right -= column.width;
        }
        right
    }

    /// Paints a right-aligned value. Returns the right edge of the space before it.
    fn value_at(&self, painter: &Painter, row: Rect, right: f32, left: f32, text: &RowText) -> f32 {
        let room = (right - left).max(0.0);
        let width = |value: &str| {
            let galley = shapes::laid_out(painter, value, number_font(), self.theme.weak);
            galley.size().x
        };
        // A number that is cut off would be a wrong one.
        let is_whole = text.mean.is_empty() || width(&text.value) <= room - LEAST_NAME;
        let value = if is_whole { &text.value } else { &text.mean };
        let most = if is_whole && !text.mean.is_empty() {
            room
        } else {
            room.min(VALUE_WIDTH)
        };
        let color = if value == NO_VALUE {
            self.theme.weak.gamma_multiply(0.7)
        } else {
            self.theme.weak
        };
        let galley = shapes::fitted(painter, value, number_font(), color, most);
        let value = row.with_min_x(right - galley.size().x);
        shapes::galley_in(painter, value, galley, color);
        value.left() - 8.0
    }

    /// Paints the cost of a folder at the right, and its share of the frame as a bar if there is
    /// space. Returns the left edge of both.
    pub(super) fn cost(&self, painter: &Painter, row: Rect, left: f32, cost: &Cost) -> f32 {
        let (right, weak) = (row.right() - 10.0, self.theme.weak);
        let room = (right - left - LEAST_NAME).max(0.0);
        let galley = shapes::laid_out(painter, &cost.text, number_font(), weak);
        if galley.size().x > room {
            return row.right();
        }
        let value = row.with_min_x(right - galley.size().x);
        shapes::galley_in(painter, value, galley, weak);
        // All bars begin at one place, so that they can be compared.
        let end = value.left().min(right - COST_WIDTH) - 8.0;
        let bar = row.shrink2(vec2(0.0, 8.0)).with_max_x(end);
        let bar = bar.with_min_x(bar.right() - SPARK_WIDTH);
        let Some(share) = cost.share else {
            return value.left() - 8.0;
        };
        if row.width() < SPARK_FROM || bar.left() - left < LEAST_NAME {
            return value.left() - 8.0;
        }
        let theme = self.theme;
        shapes::share_bar(painter, (bar, 2.0), share, theme.accent, theme);
        bar.left() - 8.0
    }

    /// Paints the name of a folder at `left`, and then its number of series.
    pub(super) fn folder_name(
        &self,
        painter: &Painter,
        rect: Rect,
        left: f32,
        name: Name<'_>,
        count: &str,
    ) {
        let rect = rect.with_min_x(left).with_max_x(rect.right() - 10.0);
        if rect.width() < MIN_TEXT {
            return;
        }
        let color = self.theme.text;
        let galley = name.laid_out(painter, color, rect.width());
        let after = rect.with_min_x(rect.left() + galley.size().x + 8.0);
        shapes::galley_in(painter, rect, galley, color);
        if after.width() >= 2.0 * MIN_TEXT {
            shapes::text_in(painter, after, count, small_font(), self.theme.weak);
        }
    }

    /// Returns the last `label_len` bytes of a path with highlighted matches.
    pub(super) fn marked<'a>(
        &self,
        path: &'a str,
        label_len: usize,
        folder: bool,
        color: Color32,
    ) -> Name<'a> {
        let (above, name) = path.split_at(path.len() - label_len);
        let name = one_line(name, NAME_LIMIT);
        let Some(query) = self.query else {
            return Name::Plain(name);
        };
        let plain = TextFormat::simple(text_font(), color);
        let marked = TextFormat {
            background: self.theme.highlight,
            color: self.theme.text,
            ..plain.clone()
        };
        let mut job = LayoutJob::default();
        let mut end = 0;
        for mark in query.marks(&format!("{above}{name}"), folder) {
            let mark = mark.start.saturating_sub(above.len())..mark.end.saturating_sub(above.len());
            if mark.is_empty() {
                continue;
            }
            job.append(&name[end..mark.start], 0.0, plain.clone());
            job.append(&name[mark.clone()], 0.0, marked.clone());
            end = mark.end;
        }
        job.append(&name[end..], 0.0, plain);
        Name::Marked(job)
    }

    /// Highlights the row under the pointer or the cursor.
    pub(super) fn highlight(&self, painter: &Painter, place: RowPlace, pointed: bool) {
        let cursor = place.is_cursor.then_some(1.0);
        highlight(painter, place.rect, self.theme, pointed, cursor);
    }

    /// Paints the triangle that opens and closes a folder.
    pub(super) fn triangle(&self, painter: &Painter, rect: Rect, folded: Folded) {
        let color = self.theme.text_if(folded.is_bright);
        painter.add(shapes::fold_triangle(rect.center(), folded.open, color));
    }
}

/// What the timers in a folder cost.
pub(super) struct Cost {
    /// The time in a frame.
    pub(super) text: String,
    /// Its share of the frame, from 0 to 1; `None` for times that may overlap.
    pub(super) share: Option<f32>,
}

/// The state of the triangle of a folder.
#[derive(Clone, Copy, Debug, Hash)]
pub(super) struct Folded {
    pub(super) open: bool,
    /// Whether the pointer is on it.
    pub(super) is_bright: bool,
}

/// The name in a row.
pub(super) enum Name<'a> {
    Plain(Cow<'a, str>),
    /// With highlighted matches.
    Marked(LayoutJob),
}

impl Name<'_> {
    /// Lays out the name. If it is wider than `width`, a path begins with … and keeps its last
    /// segments. The color is that of the text between the matches.
    pub(super) fn laid_out(&self, painter: &Painter, color: Color32, width: f32) -> Arc<Galley> {
        match self {
            Self::Plain(name) if name.contains('/') => {
                shapes::fitted_name(painter, name, text_font(), color, width)
            }
            Self::Plain(name) => shapes::fitted(painter, name, text_font(), color, width),
            Self::Marked(job) => shapes::fitted_path(painter, job, width),
        }
    }
}

/// The right side of a row.
pub(super) struct Values<'a> {
    pub(super) text: &'a RowText,
    pub(super) shows: &'a Shows,
    /// The space for buttons before the values, in points.
    pub(super) icons_width: f32,
    pub(super) has_spark: bool,
}

fn indent(depth: u32) -> f32 {
    depth.min(INDENTS) as f32 * INDENT
}

pub(super) fn triangle_rect(row: Rect, depth: u32) -> Rect {
    Rect::from_min_size(
        pos2(row.left() + 6.0 + indent(depth), row.top()),
        vec2(14.0, row.height()),
    )
}

pub(super) fn checkbox_left(row: Rect, depth: u32) -> f32 {
    row.left() + 22.0 + indent(depth)
}

pub(super) fn checkbox_rect(row: Rect, depth: u32) -> Rect {
    let center = pos2(checkbox_left(row, depth) + CHECKBOX / 2.0, row.center().y);
    Rect::from_center_size(center, Vec2::splat(CHECKBOX))
}
