//! Paints a row of the list, and the lines below the selected row.

use egui::epaint::Mesh;
use egui::{Align2, Color32, Painter, Rect, Shape, pos2, vec2};
use stats_analysis::axis::Mapping;
use stats_analysis::format::percent_text;
use stats_analysis::insight::{Finding, Role};
use stats_core::FrameSlice;
use stats_ui::palette::preferred_slot;
use stats_ui::shapes;
use stats_ui::theme::{Theme, number_font, small_font, text_font};

use crate::data::selection::{FRAME_TIME, SelectedSeries, slot_of};
use crate::insight::findings::{Findings, RowId, path_of};
use crate::insight::pictures::HitchPicture;
use crate::insight::row_texts::{Detail, RowTexts, share_of_time};
use crate::paint::line_mesh::push_line;
use crate::paint::scale::Scale;
use crate::paint::series_shape::LineStyle;

/// The heights of a row and of a line below it, in points.
pub(super) const ROW: f32 = 22.0;
pub(super) const LINE: f32 = 18.0;
/// The height of the picture below a row, with its caption, in points.
pub(super) const PICTURE: f32 = 126.0;
/// The frames before and after a hitch in its graph.
pub(super) const AROUND: u64 = 30;
const FRAME_WIDTH: f32 = 68.0;
const EXCESS_WIDTH: f32 = 92.0;
const SHARE_WIDTH: f32 = 64.0;
const GRAPH_WIDTH: f32 = 96.0;
/// The width of the picture in a row, in points.
const PICTURE_WIDTH: f32 = 32.0;
const GAP: f32 = 8.0;
/// The minimum widths of a row with a graph, and of one with a bar of shares and a picture, in points.
const WITH_GRAPH: f32 = 600.0;
const WITH_SHARES: f32 = 440.0;
const ROLE_WIDTH: f32 = 52.0;
const PERCENT_WIDTH: f32 = 40.0;
const VALUES_WIDTH: f32 = 150.0;
const RECORD_WIDTH: f32 = 170.0;
/// The minimum widths of a line with a record, and of one with values, in points.
const WITH_RECORD: f32 = 580.0;
const WITH_VALUES: f32 = 340.0;
const STEP_VALUE: f32 = 64.0;
/// The width of the name of a step, and the minimum width of its bar, in points.
const STEP_NAME: f32 = 150.0;
const STEP_BAR: f32 = 40.0;
/// The usual width of a character, in points.
const CHAR: f32 = 6.6;

/// Paints rows in one theme.
pub(super) struct RowPaint<'a> {
    pub(super) theme: &'a Theme,
    pub(super) found: &'a Findings,
    /// The series of the pane, whose graph has the same colors.
    pub(super) selected: &'a [SelectedSeries],
    /// The frame times of the graph.
    pub(super) times: FrameSlice<'a>,
}

/// The places of the parts of a row.
struct Cells {
    name: Rect,
    excess: Rect,
    graph: Option<Rect>,
    picture: Option<Rect>,
    shares: Option<Rect>,
    verdict: Rect,
}

impl RowPaint<'_> {
    /// Paints a row with its texts into `rect`.
    pub(super) fn row_ui(&self, painter: &Painter, rect: Rect, row: RowId, texts: &RowTexts) {
        let theme = self.theme;
        let cells = self.cells(rect, row);
        match row {
            RowId::Hitch(_) | RowId::Explained => {
                _ = shapes::number_in(painter, cells.name, &texts.name, theme.text)
            }
            _ => _ = shapes::text_in(painter, cells.name, &texts.name, small_font(), theme.accent),
        }
        let color = if matches!(row, RowId::Hitch(_)) {
            theme.alert
        } else {
            theme.text
        };
        shapes::text_at_end(painter, cells.excess, &texts.excess, number_font(), color);
        if let Some(hitch) = self.found.hitch_of(row) {
            if let Some(graph) = cells.graph {
                self.graph_ui(painter, graph.shrink2(vec2(0.0, 3.0)), hitch.frame);
            }
            if let (Some(place), Some(picture)) = (cells.picture, self.found.picture(row)) {
                image_ui(painter, place.shrink2(vec2(0.0, 2.0)), picture);
            }
            if let Some(bar) = cells.shares {
                self.shares_ui(painter, bar.shrink2(vec2(0.0, 6.0)), &hitch.findings);
            }
        }
        let verdict = texts.verdict_within(chars_in(cells.verdict));
        shapes::text_in(painter, cells.verdict, &verdict, text_font(), theme.text);
    }

    /// Returns whether the verdict of a row in `rect` is cut.
    pub(super) fn is_cut(
        &self,
        painter: &Painter,
        rect: Rect,
        row: RowId,
        texts: &RowTexts,
    ) -> bool {
        let place = self.cells(rect, row).verdict;
        let shown = texts.verdict_within(chars_in(place));
        let whole = shapes::laid_out(painter, &shown, text_font(), self.theme.text);
        shown != texts.verdict || whole.size().x > place.width()
    }

    /// Lays out a row.
    fn cells(&self, rect: Rect, row: RowId) -> Cells {
        let mut rest = rect.shrink2(vec2(6.0, 0.0));
        let name = take_left(&mut rest, FRAME_WIDTH);
        let excess = take_left(&mut rest, EXCESS_WIDTH);
        let is_hitch = self.found.hitch_of(row).is_some();
        let has_shares = is_hitch && rect.width() >= WITH_SHARES;
        let has_picture = has_shares && self.found.picture(row).is_some();
        let graph =
            (is_hitch && rect.width() >= WITH_GRAPH).then(|| take_right(&mut rest, GRAPH_WIDTH));
        let picture = has_picture.then(|| take_right(&mut rest, PICTURE_WIDTH));
        let shares = has_shares.then(|| take_left(&mut rest, SHARE_WIDTH));
        Cells {
            name,
            excess,
            graph,
            picture,
            shares,
            verdict: rest,
        }
    }

    /// Paints the shares of the scopes side by side.
    fn shares_ui(&self, painter: &Painter, rect: Rect, findings: &[Finding]) {
        painter.rect_filled(rect, 2.0, self.theme.grid);
        let mut left = rect.left();
        let is_shown = |role| matches!(role, Role::Culprit | Role::Unaccounted);
        for finding in findings.iter().filter(|finding| is_shown(finding.role)) {
            let Some(share) = share_of_time(finding) else {
                continue;
            };
            let right = (left + rect.width() * share as f32).min(rect.right());
            let part = Rect::from_x_y_ranges(left..=right, rect.y_range());
            let color = self.color(path_of(finding));
            painter.rect_filled(part, 2.0, color);
            left = right;
        }
    }

    /// Returns the color of the share of a path, or of what is no scope.
    fn color(&self, path: Option<&str>) -> Color32 {
        let Some(path) = path else {
            return self.theme.weak;
        };
        let slot = slot_of(self.selected, path, preferred_slot(path));
        self.theme.series(slot)
    }

    /// Paints the frame times around a hitch, with a line at the hitch.
    fn graph_ui(&self, painter: &Painter, rect: Rect, frame: u64) {
        let times = self
            .times
            .within(frame.saturating_sub(AROUND)..frame + AROUND + 1);
        let most_ms = times.iter().fold(0.0, f64::max);
        painter.rect_filled(rect, 0.0, self.theme.plot);
        if times.is_empty() || most_ms <= 0.0 {
            return;
        }
        let frames = (frame as f64 - AROUND as f64, (frame + AROUND) as f64);
        let scale = Scale::new(rect, frames, (0.0, most_ms), Mapping::Linear);
        let x = scale.x(frame as f64);
        let color = self.theme.alert.gamma_multiply(0.6);
        painter.vline(x, rect.y_range(), (1.0, color));
        let first = times.frames().start;
        let points = (first..).zip(times.iter());
        let points = points.map(|(frame, ms)| pos2(scale.x(frame as f64), scale.y(ms)));
        let mut mesh = Mesh::default();
        let style = LineStyle {
            color: self.theme.series(preferred_slot(FRAME_TIME)),
            width: 1.0,
            feather: 1.0 / painter.pixels_per_point(),
        };
        push_line(&mut mesh, points, style);
        painter.add(Shape::mesh(mesh));
    }

    /// Paints the picture of a hitch and its caption into `rect`, which [`picture_of`] returns.
    pub(super) fn picture_ui(&self, painter: &Painter, rect: Rect, picture: &HitchPicture) {
        let (caption, image) = rect.split_top_bottom_at_y(rect.top() + LINE);
        let text = picture.caption();
        shapes::text_in(painter, caption, &text, small_font(), self.theme.weak);
        image_ui(painter, image.shrink2(vec2(0.0, 2.0)), picture);
    }

    /// Paints the lines below a row that fit into `rect`.
    pub(super) fn details_ui(&self, painter: &Painter, rect: Rect, details: &[Detail]) {
        for (at, detail) in details.iter().enumerate() {
            let line = line_of(rect, at);
            if line.bottom() <= rect.bottom() + 1.0 {
                self.detail_ui(painter, line, detail);
            }
        }
    }

    fn detail_ui(&self, painter: &Painter, line: Rect, detail: &Detail) {
        let theme = self.theme;
        match detail {
            Detail::Title(text) => {
                _ = shapes::text_in(painter, line, text, small_font(), theme.weak)
            }
            Detail::Finding {
                role,
                name,
                path,
                share,
                values,
                record,
            } => {
                let (mut rest, width) = (line, line.width());
                let role_rect = take_left(&mut rest, ROLE_WIDTH);
                shapes::text_in(painter, role_rect, role, small_font(), theme.weak);
                if width >= WITH_RECORD {
                    let cell = take_right(&mut rest, RECORD_WIDTH);
                    shapes::text_at_end(painter, cell, record, small_font(), theme.weak);
                }
                if width >= WITH_VALUES {
                    let cell = take_right(&mut rest, VALUES_WIDTH);
                    shapes::text_at_end(painter, cell, values, small_font(), theme.text);
                }
                let cell = take_right(&mut rest, PERCENT_WIDTH);
                let bar = take_right(&mut rest, SHARE_WIDTH);
                if let Some(share) = *share {
                    let text = percent_text(share);
                    shapes::text_at_end(painter, cell, &text, small_font(), theme.text);
                    let color = self.color(path.as_deref());
                    self.bar_ui(painter, bar, (0.0, share), color);
                }
                self.name_ui(painter, rest, name, path.is_some());
            }
            Detail::Step {
                name,
                from,
                to,
                path,
                value,
            } => {
                let mut rest = line;
                if line.width() >= WITH_VALUES {
                    take_left(&mut rest, ROLE_WIDTH);
                }
                let cell = take_right(&mut rest, STEP_VALUE);
                shapes::text_at_end(painter, cell, value, small_font(), theme.text);
                // Names win over bars in a narrow list.
                let least = (rest.width() - STEP_BAR).min(STEP_NAME);
                let bar_width = rest.width() - least.max(rest.width() / 2.0);
                let bar = take_right(&mut rest, bar_width);
                let color = self.color(path.as_deref());
                self.bar_ui(painter, bar, (*from, *to), color);
                self.name_ui(painter, rest, name, path.is_some());
            }
        }
    }

    /// Paints a path, which loses its beginning if it is too wide, or words, which lose their end.
    fn name_ui(&self, painter: &Painter, rect: Rect, name: &str, is_path: bool) {
        if is_path {
            shapes::name_in(painter, rect, name, text_font(), self.theme.text);
        } else {
            shapes::text_in(painter, rect, name, text_font(), self.theme.text);
        }
    }

    /// Paints the part of a bar between two shares.
    fn bar_ui(&self, painter: &Painter, rect: Rect, (from, to): (f64, f64), color: Color32) {
        let rect = rect.shrink2(vec2(0.0, 5.0));
        painter.rect_filled(rect, 1.0, self.theme.grid);
        let x = |share: f64| rect.left() + rect.width() * share.clamp(0.0, 1.0) as f32;
        let (left, right) = (x(from.min(to)), x(from.max(to)));
        let part = Rect::from_x_y_ranges(left..=right.max(left + 1.0), rect.y_range());
        painter.rect_filled(part, 1.0, color);
    }
}

/// Returns the approximate number of characters that fit.
fn chars_in(rect: Rect) -> usize {
    (rect.width() / CHAR).max(0.0) as usize
}

/// Paints a picture as large as it fits, at the left.
fn image_ui(painter: &Painter, rect: Rect, picture: &HitchPicture) {
    let size = picture.texture.size_vec2();
    let scale = (rect.size() / size).min_elem();
    let place = Align2::LEFT_CENTER.align_size_within_rect(size * scale, rect);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    painter.image(picture.texture.id(), place, whole, Color32::WHITE);
}

/// Returns the place of the picture below a row and its lines; `None` if it does not fit.
pub(super) fn picture_of(rect: Rect, lines: usize) -> Option<Rect> {
    let first = line_of(rect, lines);
    let place = first.with_max_y(first.top() + PICTURE);
    (place.bottom() <= rect.bottom() + 1.0).then_some(place)
}

/// Returns the place of a line below a row.
pub(super) fn line_of(rect: Rect, at: usize) -> Rect {
    let top = rect.top() + at as f32 * LINE;
    let left = rect.left() + 14.0;
    Rect::from_x_y_ranges(left..=(rect.right() - 6.0).max(left), top..=top + LINE)
}

/// Takes a column and a gap from the left of `rest`, limited to its width.
fn take_left(rest: &mut Rect, width: f32) -> Rect {
    let right = (rest.left() + width).min(rest.right());
    let cell = rest.with_max_x(right);
    rest.min.x = (right + GAP).min(rest.right());
    cell
}

/// Takes a gap and a column from the right of `rest`, limited to its width.
fn take_right(rest: &mut Rect, width: f32) -> Rect {
    let left = (rest.right() - width).max(rest.left());
    let cell = rest.with_min_x(left);
    rest.max.x = (left - GAP).max(rest.left());
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::Selection;

    #[test]
    fn a_share_has_the_color_of_its_graph_in_the_pane() {
        let (theme, found) = (Theme::new(true), Findings::default());
        let mut selection = Selection::of(["hitch/here"]);
        let slot = preferred_slot("hitch/here") + 1;
        selection.color(&mut |_| slot);
        let paint = RowPaint {
            theme: &theme,
            found: &found,
            selected: selection.selected(),
            times: FrameSlice::default(),
        };
        assert_eq!(paint.color(Some("hitch/here")), theme.series(slot));
        let elsewhere = preferred_slot("hitch/elsewhere");
        assert_eq!(
            paint.color(Some("hitch/elsewhere")),
            theme.series(elsewhere)
        );
    }
}
