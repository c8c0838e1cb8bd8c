//! The legend of a graph: the names of series, and the statistics of their visible or selected
//! values.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use egui::{Painter, Rect, Response, ScrollArea, Sense, Stroke, Ui, UiBuilder, Vec2, pos2, vec2};

use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::legend::{Cell, LegendTexts};
use crate::graph::ranges::Side;
use crate::graph::view::Shown;
use crate::persist::saved::ValueRange;
use stats_analysis::axis::Mapping;
use stats_analysis::format::{NumberStyle, whole_text};
use stats_ui::accessibility;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{SMALL_SIZE, Theme, small_font, text_font};
use stats_ui::tooltip;

const ROW: f32 = 18.0;
/// Room for the widest number, see [`CHARS`](crate::graph::legend::CHARS).
const COLUMN: f32 = 84.0;
const UNIT_COLUMN: f32 = 44.0;
const RANGE_COLUMN: f32 = 150.0;
const LEAST_NAME: f32 = 110.0;
const REMOVE: f32 = 20.0;
/// Room for the sign of the axis, if there are two.
const SIGN: f32 = 12.0;
/// A series lower than this share of its axis looks flat.
const FLAT: f64 = 0.02;
/// A graph with a legend lower than this, in points, has the legend beside it.
const LEAST_BELOW: f32 = 220.0;
/// A graph narrower than this, in points, has no room for a legend beside it.
const LEAST_BESIDE: f32 = 420.0;
/// A graph lower than this, in points, has no legend.
const LEAST_GRAPH: f32 = 60.0;

/// The columns for visible frames: from left to right, and by priority, for a legend without room
/// for all.
const OF_VISIBLE: [Cell; 6] = [
    Cell::Now,
    Cell::Min,
    Cell::Mean,
    Cell::Difference,
    Cell::Max,
    Cell::Deviation,
];
const VISIBLE_FIRST: [Cell; 6] = [
    Cell::Now,
    Cell::Difference,
    Cell::Max,
    Cell::Min,
    Cell::Mean,
    Cell::Deviation,
];
/// The columns for selected frames, likewise.
const OF_SELECTED: [Cell; 9] = [
    Cell::Min,
    Cell::Mean,
    Cell::Difference,
    Cell::Median,
    Cell::P95,
    Cell::Max,
    Cell::Deviation,
    Cell::Sum,
    Cell::Spikes,
];
const SELECTED_FIRST: [Cell; 9] = [
    Cell::Mean,
    Cell::Difference,
    Cell::Max,
    Cell::Median,
    Cell::P95,
    Cell::Min,
    Cell::Spikes,
    Cell::Deviation,
    Cell::Sum,
];

/// Draws the legend.
pub(super) struct LegendUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) data: &'a dyn Data,
    pub(crate) selected: &'a [SelectedSeries],
    pub(super) texts: &'a [LegendTexts],
    /// Changes with the texts, and with the selected series.
    pub(super) numbers: u64,
    pub(super) shown: &'a [Shown],
    /// Which series share a range.
    pub(super) ranges: ValueRange,
    pub(super) mapping: Mapping,
    /// Whether a series was added, so that the last one is moved into view.
    pub(super) added: bool,
    /// Whether there is a baseline, so that a column shows the differences from it.
    pub(super) has_baseline: bool,
    pub(crate) solo: Option<&'a str>,
    /// The number of selected frames, if the numbers are those of a selected range.
    pub(super) range_frames: Option<u64>,
    /// The frame whose values are in the first column.
    pub(crate) cursor: Option<u64>,
    /// The marks of that frame, such as `, loading`; empty if it has none.
    pub(crate) marks: String,
    /// Whether the first column has the values of the newest frame.
    pub(super) newest: bool,
    pub(crate) absent: &'a dyn Fn(&SelectedSeries) -> &str,
}

/// The request of a click in the legend, by the places of series.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    pub(super) deselect: Option<usize>,
    pub(crate) solo: Option<usize>,
    /// The row that is under the pointer or has the focus.
    pub(super) pointed: Option<usize>,
}

/// The shapes of a legend, kept until what they show changes.
#[derive(Debug, Default)]
pub(super) struct LegendShapes {
    head: Retained<LegendKey>,
    rows: Retained<LegendKey>,
}

/// The cache key of a legend's shapes.
#[derive(Clone, Debug, PartialEq)]
struct LegendKey {
    area: Rect,
    visible: Range<usize>,
    pointed: Pointed,
    theme: Theme,
    numbers: u64,
    ranges: ValueRange,
    range_frames: Option<u64>,
    cursor: Option<u64>,
    newest: bool,
    /// A hash of everything else.
    others: u64,
}

/// The rows under the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pointed {
    row: Option<usize>,
    /// The row whose cross is under the pointer.
    cross: Option<usize>,
}

/// Returns the width of a legend beside its graph.
fn beside(rect: Rect) -> f32 {
    (rect.width() * 0.36).clamp(200.0, 420.0)
}

/// The places of the legend's columns.
struct Columns {
    name_left: f32,
    /// The columns that fit, and their right edges.
    numbers: Vec<(Cell, f32)>,
    unit_left: f32,
    range_right: Option<f32>,
    name_right: f32,
}

impl LegendUi<'_> {
    /// Returns the places of a graph and of the legend of `series` series: below the graph, or
    /// beside it if the pane is too low.
    pub(crate) fn split(rect: Rect, series: usize) -> (Rect, Rect) {
        if rect.height() >= LEAST_BELOW {
            let wanted = (series as f32 + 1.0) * ROW + 6.0;
            // Whole rows: after half a row, the user could not tell whether more follow.
            let most = (rect.height() * 0.4 / ROW).floor().clamp(2.0, 9.0) * ROW;
            let height = if wanted - 6.0 <= most { wanted } else { most };
            return rect.split_top_bottom_at_y(rect.bottom() - height);
        }
        let width = if rect.width() < LEAST_BESIDE || rect.height() < LEAST_GRAPH {
            0.0
        } else {
            beside(rect)
        };
        rect.split_left_right_at_x(rect.right() - width)
    }

    /// Draws the legend. Returns what a click asks for.
    pub(super) fn legend_ui(&self, ui: &mut Ui, rect: Rect, kept: &mut LegendShapes) -> Asked {
        let mut asked = Asked::default();
        if rect.height() < ROW || rect.width() < LEAST_NAME {
            return asked;
        }
        let mut ui = ui.new_child(UiBuilder::new().id_salt("legend").max_rect(rect));
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let columns = self.columns(rect);
        let (head, rows) = rect.split_top_bottom_at_y(rect.top() + ROW);
        self.head_ui(&ui, head, &columns, &mut kept.head);
        let count = self.selected.len();
        let more = count.saturating_sub((rows.height() / ROW + 0.01) as usize);
        let next_page = more > 0 && self.more_ui(&ui, head, more, &columns);
        let mut rows_ui = ui.new_child(UiBuilder::new().id_salt("rows").max_rect(rows));
        let area = ScrollArea::vertical().auto_shrink([false, false]);
        area.show_rows(&mut rows_ui, ROW, count, |ui, visible| {
            let corner = ui.max_rect().left_top() - vec2(0.0, visible.start as f32 * ROW);
            let row = |at: usize| {
                let size = vec2(ui.available_width(), ROW);
                Rect::from_min_size(corner + vec2(0.0, at as f32 * ROW), size)
            };
            if self.added {
                ui.scroll_to_rect(row(count - 1), None);
            }
            if next_page {
                let is_last = row(count - 1).bottom() <= rows.bottom() + 1.0;
                let down = if is_last {
                    corner.y - rows.top()
                } else {
                    rows.height()
                };
                ui.scroll_with_delta(vec2(0.0, -down));
            }
            // The rows just out of sight can take the focus, which moves them into view.
            let mut pointed = Pointed::default();
            let mut seen = 0..0;
            for at in visible.start.saturating_sub(1)..visible.end {
                let row = row(at);
                let response = self.row_button(ui, row, at);
                if rows.shrink(1.0).intersects(row) {
                    self.row_ui(ui, row, at, response, &mut asked, &mut pointed);
                    let first = if seen.is_empty() { at } else { seen.start };
                    seen = first..at + 1;
                    accessibility::describe(
                        ui.ctx(),
                        ui.make_persistent_id(("said", at)),
                        row,
                        || {
                            let label = format!("legend {}", self.selected[at].path);
                            (label, self.said(at, &columns))
                        },
                    );
                }
            }
            let key = self.key(row(0), seen.clone(), pointed);
            kept.rows.paint(ui.painter(), key, |painter| {
                for at in seen {
                    self.paint_row(painter, row(at), at, &columns, pointed);
                }
            });
        });
        asked
    }

    fn key(&self, area: Rect, visible: Range<usize>, pointed: Pointed) -> LegendKey {
        let mut others = DefaultHasher::new();
        (self.solo, &self.marks).hash(&mut others);
        // The columns depend on the ranges of all series, visible or not.
        for (at, shown) in self.shown.iter().enumerate() {
            (shown.hidden, shown.side as u8).hash(&mut others);
            [shown.range.0.to_bits(), shown.range.1.to_bits()].hash(&mut others);
            let values = self.data.values(at);
            let at_cursor = self.cursor.and_then(|frame| values.at(frame));
            at_cursor.map(f64::to_bits).hash(&mut others);
            self.selected[at].slot.hash(&mut others);
            if self.numbers_of(at).is_none() {
                (self.absent)(&self.selected[at]).hash(&mut others);
            }
        }
        LegendKey {
            area,
            visible,
            pointed,
            theme: *self.theme,
            numbers: self.numbers,
            ranges: self.ranges,
            range_frames: self.range_frames,
            cursor: self.cursor,
            newest: self.newest,
            others: others.finish(),
        }
    }

    /// Returns the numbers of a series, if it has any.
    fn numbers_of(&self, at: usize) -> Option<&LegendTexts> {
        self.texts.get(at).filter(|texts| !texts.is_empty())
    }

    /// Says how many rows are out of sight. Returns whether a click asks for the next ones.
    fn more_ui(&self, ui: &Ui, head: Rect, more: usize, columns: &Columns) -> bool {
        let text = format!("+ {more} more");
        let left = match columns.range_right {
            Some(right) => right - RANGE_COLUMN - UNIT_COLUMN + 6.0,
            None => columns.unit_left,
        };
        let place = head.with_min_x(left);
        let id = ui.make_persistent_id("more");
        let response = ui.interact(place, id, Sense::click());
        let color = if response.hovered() || response.has_focus() {
            self.theme.text
        } else {
            self.theme.accent
        };
        shapes::text_in(ui.painter(), place, &text, small_font(), color);
        accessibility::describe_button(ui.ctx(), id, || text.clone());
        let clicked = response.clicked();
        tooltip::hint(
            &response,
            "Click or scroll for the next series; Tab goes from row to row",
        );
        clicked
    }

    fn columns(&self, rect: Rect) -> Columns {
        let mut right = rect.right() - REMOVE - 4.0;
        let left = rect.left() + LEAST_NAME.min(rect.width() * 0.45);
        let mut range_right = None;
        if self.has_ranges()
            && self.range_frames.is_none()
            && right - left > RANGE_COLUMN + UNIT_COLUMN + 2.0 * COLUMN
        {
            range_right = Some(right);
            right -= RANGE_COLUMN;
        }
        let unit_left = right - UNIT_COLUMN + 6.0;
        right -= UNIT_COLUMN;
        let room = ((right - left) / COLUMN).floor().max(1.0) as usize;
        let (order, first): (&[Cell], &[Cell]) = if self.range_frames.is_some() {
            (&OF_SELECTED, &SELECTED_FIRST)
        } else {
            (&OF_VISIBLE, &VISIBLE_FIRST)
        };
        let applies = |cell: &Cell| self.has_baseline || *cell != Cell::Difference;
        let first = first.iter().copied().filter(applies);
        let kept: Vec<Cell> = first.take(room).collect();
        let first = right - COLUMN * kept.len() as f32;
        let shown = order.iter().filter(|cell| kept.contains(cell));
        let numbers = shown
            .enumerate()
            .map(|(at, &cell)| (cell, first + COLUMN * (at + 1) as f32))
            .collect();
        let sign = if self.has_signs() { SIGN } else { 0.0 };
        Columns {
            name_left: rect.left() + 22.0 + sign,
            numbers,
            unit_left,
            range_right,
            name_right: first,
        }
    }

    /// Returns whether the legend shows the range of each series: if an axis cannot show all.
    fn has_ranges(&self) -> bool {
        let visible = self.shown.iter().filter(|shown| !shown.hidden);
        visible.clone().count() > 1
            && (self.ranges == ValueRange::Own
                || visible.clone().any(|shown| shown.side == Side::Legend))
    }

    /// Returns whether rows have the sign of their axis: if there are two.
    fn has_signs(&self) -> bool {
        let mut visible = self.shown.iter().filter(|shown| !shown.hidden);
        visible.any(|shown| shown.side == Side::Right)
    }

    /// Returns where the numbers of a row's range are, in words; empty if there is one axis for
    /// all.
    fn side_text(&self, at: usize) -> &'static str {
        match self.shown[at].side {
            _ if self.ranges == ValueRange::Own && self.has_ranges() => "own scale",
            Side::Left if self.has_signs() => "left axis",
            Side::Right => "right axis",
            Side::Legend if self.has_ranges() => "range in the legend",
            Side::Left | Side::Legend => "",
        }
    }

    /// Returns the name of a column.
    fn name_of(&self, cell: Cell) -> String {
        match (cell, self.cursor) {
            (Cell::Now, Some(frame)) => format!("at {}", whole_text(frame as f64)),
            (Cell::Now, None) if !self.newest => "last".to_owned(),
            _ => cell.name().to_owned(),
        }
    }

    /// Returns the number of selected frames, or the marks of the frame under the cursor.
    fn title(&self) -> String {
        match (self.range_frames, self.cursor) {
            (Some(frames), _) => format!("of {} frames", whole_text(frames as f64)),
            (None, Some(frame)) if !self.marks.is_empty() => {
                format!("frame {}{}", whole_text(frame as f64), self.marks)
            }
            _ => "series".to_owned(),
        }
    }

    fn head_ui(&self, ui: &Ui, rect: Rect, columns: &Columns, kept: &mut Retained<LegendKey>) {
        let name = rect
            .with_min_x(columns.name_left)
            .with_max_x(columns.name_right - 4.0);
        let key = self.key(rect, 0..0, Pointed::default());
        kept.paint(ui.painter(), key, |painter| {
            self.paint_head(painter, rect, name, columns);
        });
        if !self.marks.is_empty() && self.range_frames.is_none() {
            accessibility::describe(ui.ctx(), ui.make_persistent_id("marks"), name, || {
                ("Frame at the cursor".to_owned(), self.title())
            });
        }
        if let Some(right) = columns.range_right {
            let cell = rect
                .with_max_x(right)
                .with_min_x(right - RANGE_COLUMN / 2.0);
            accessibility::describe(ui.ctx(), ui.make_persistent_id("own range"), cell, || {
                (self.range_name().to_owned(), String::new())
            });
        }
    }

    fn paint_head(&self, painter: &Painter, rect: Rect, name: Rect, columns: &Columns) {
        let weak = self.theme.weak;
        // Digits are as wide as each other.
        let font = egui::FontId::monospace(SMALL_SIZE);
        let right_aligned = |text: &str, right: f32, width: f32| {
            let cell = rect.with_max_x(right).with_min_x(right - width + 4.0);
            shapes::text_at_end(painter, cell, text, font.clone(), weak);
        };
        let color = if self.range_frames.is_some() {
            self.theme.accent
        } else {
            weak
        };
        shapes::text_in(painter, name, &self.title(), small_font(), color);
        for &(cell, right) in &columns.numbers {
            right_aligned(&self.name_of(cell), right, COLUMN);
        }
        if let Some(right) = columns.range_right {
            right_aligned(self.range_name(), right, RANGE_COLUMN / 2.0);
        }
        let line = Stroke::new(1.0, self.theme.line);
        painter.hline(rect.x_range(), rect.bottom(), line);
    }

    /// Returns the name of the column of ranges.
    fn range_name(&self) -> &'static str {
        match self.ranges {
            ValueRange::Own => "own range",
            _ => "range",
        }
    }

    /// Makes a row a button that moves into view when it takes the focus.
    fn row_button(&self, ui: &Ui, row: Rect, at: usize) -> Response {
        let id = ui.make_persistent_id(("legend", at));
        let target = row.with_max_x(row.right() - REMOVE);
        let response = ui.interact(target, id, Sense::click());
        if response.gained_focus() {
            ui.scroll_to_rect(row, None);
        }
        let path = &self.selected[at].path;
        accessibility::describe_button(ui.ctx(), id, || format!("Solo {path}"));
        response
    }

    /// Handles clicks in a row, and finds out whether the pointer is on it.
    fn row_ui(
        &self,
        ui: &Ui,
        row: Rect,
        at: usize,
        response: Response,
        asked: &mut Asked,
        pointed: &mut Pointed,
    ) {
        if response.clicked() {
            asked.solo = Some(at);
        }
        if response.hovered() || response.has_focus() {
            asked.pointed = Some(at);
        }
        if response.hovered() {
            pointed.row = Some(at);
        }
        if response.hovered() {
            response.on_hover_ui(|ui| _ = ui.label(self.tip(at)));
        }
        let id = ui.make_persistent_id(("remove", at));
        let cross = ui.interact(cross_rect(row), id, Sense::click());
        if cross.hovered() {
            pointed.cross = Some(at);
        }
        let path = &self.selected[at].path;
        accessibility::describe_button(ui.ctx(), id, || format!("Deselect {path}"));
        if cross.clicked() {
            asked.deselect = Some(at);
        }
    }

    fn paint_row(
        &self,
        painter: &Painter,
        row: Rect,
        at: usize,
        columns: &Columns,
        pointed: Pointed,
    ) {
        let (selected, theme) = (&self.selected[at], self.theme);
        let muted = self.solo.is_some_and(|solo| solo != selected.path);
        let color = theme.series(selected.slot);
        if pointed.row == Some(at) {
            painter.rect_filled(row, 2.0, theme.hover);
        }
        let swatch = pos2(row.left() + 12.0, row.center().y);
        if muted {
            shapes::swatch_outline(painter, swatch, color);
        } else {
            shapes::swatch(painter, swatch, color);
        }
        if self.has_signs() && !muted {
            self.paint_sign(painter, row, at);
        }
        let color = if muted { theme.weak } else { theme.text };
        let name = row
            .with_min_x(columns.name_left)
            .with_max_x(columns.name_right - 4.0);
        let text = one_line(&selected.name, 120);
        shapes::text_in(painter, name, &text, text_font(), color);
        match self.numbers_of(at) {
            Some(texts) => self.paint_numbers(painter, row, columns, at, texts),
            None => self.paint_absent(painter, row, columns, at),
        }
        let color = if pointed.cross == Some(at) {
            theme.text
        } else {
            theme.weak.gamma_multiply(0.6)
        };
        shapes::cross(painter, cross_rect(row).center(), color);
    }

    /// Returns the tooltip of a row.
    fn tip(&self, at: usize) -> String {
        let selected = &self.selected[at];
        let hint = if self.solo == Some(selected.path.as_str()) {
            "Click to show all again"
        } else {
            "Click to show it alone"
        };
        let why = match selected.unavailable() {
            "" => String::new(),
            why => format!("\n{}", one_line(why, 600)),
        };
        let axis = self.axis_hint(at);
        format!("{}{why}{axis}\n{hint}", one_line(&selected.path, 600))
    }

    /// Paints a triangle that points at the axis of the series, if it has one.
    fn paint_sign(&self, painter: &Painter, row: Rect, at: usize) {
        let toward = match self.shown[at].side {
            Side::Left => -1.0,
            Side::Right => 1.0,
            Side::Legend => return,
        };
        let center = pos2(row.left() + 24.0, row.center().y);
        let points = [(3.0, 0.0), (-2.0, -3.5), (-2.0, 3.5)]
            .map(|(x, y)| center + vec2(x * toward, y * toward));
        let color = self.theme.weak;
        let sign = egui::Shape::convex_polygon(points.to_vec(), color, Stroke::NONE);
        painter.add(sign);
    }

    /// Returns where the numbers of the series are, and a hint if it looks flat.
    fn axis_hint(&self, at: usize) -> String {
        let shown = &self.shown[at];
        let side = match self.side_text(at) {
            "" => String::new(),
            side => format!("\n{side}"),
        };
        let (bottom, top) = shown.range;
        let is_flat = shown.summary.is_some_and(|summary| {
            summary.max.abs().max(summary.min.abs()) < (top - bottom) * FLAT
        });
        if is_flat && self.mapping == Mapping::Linear && self.ranges != ValueRange::Own {
            format!(
                "{side}\nToo small to see here: press L for a logarithmic axis, Y for own ranges"
            )
        } else {
            side
        }
    }

    fn paint_absent(&self, painter: &Painter, row: Rect, columns: &Columns, at: usize) {
        let text = self.absent_text(at);
        let rect = row.with_min_x(columns.name_right).with_max_x(
            columns
                .range_right
                .unwrap_or(columns.unit_left + UNIT_COLUMN),
        );
        let galley = painter.layout_no_wrap(text.clone(), small_font(), self.theme.weak);
        let left = rect.right() - galley.size().x - 2.0;
        let rect = rect.with_min_x(left.max(rect.left()));
        shapes::text_in(painter, rect, &text, small_font(), self.theme.weak);
    }

    /// Returns why a series has no numbers.
    fn absent_text(&self, at: usize) -> String {
        one_line((self.absent)(&self.selected[at]), 600)
    }

    fn paint_numbers(
        &self,
        painter: &Painter,
        row: Rect,
        columns: &Columns,
        at: usize,
        texts: &LegendTexts,
    ) {
        let weak = self.theme.weak;
        for &(cell, right) in &columns.numbers {
            let strong = cell == Cell::Now || self.range_frames.is_some();
            let color = if strong { self.theme.text } else { weak };
            let place = row.with_max_x(right).with_min_x(right - COLUMN + 2.0);
            shapes::number_in(painter, place, &self.cell_text(at, cell, texts), color);
        }
        let unit = row
            .with_min_x(columns.unit_left)
            .with_max_x(columns.unit_left + UNIT_COLUMN - 8.0);
        shapes::text_in(painter, unit, &texts.unit, small_font(), weak);
        if let Some(right) = columns.range_right {
            let place = row.with_max_x(right).with_min_x(right - RANGE_COLUMN + 4.0);
            shapes::number_in(painter, place, &self.range_text(at), weak);
        }
    }

    /// Returns the number in a column: for the first column, that of the frame under the cursor.
    fn cell_text<'t>(&self, at: usize, cell: Cell, texts: &'t LegendTexts) -> Cow<'t, str> {
        match self.cursor.filter(|_| cell == Cell::Now) {
            Some(frame) => self.value_at(at, frame, texts).into(),
            None => texts.cells[cell as usize].as_str().into(),
        }
    }

    /// Returns the contents of a row as text.
    fn said(&self, at: usize, columns: &Columns) -> String {
        let Some(texts) = self.numbers_of(at) else {
            return self.absent_text(at);
        };
        let mut said = String::new();
        for &(cell, _) in &columns.numbers {
            let text = self.cell_text(at, cell, texts);
            said.push_str(&format!("{} {text} ", self.name_of(cell)));
        }
        said.push_str(&texts.unit);
        match self.side_text(at) {
            "" => said,
            "own scale" | "range in the legend" => {
                format!("{}, range {}", said.trim_end(), self.range_text(at))
            }
            side => format!("{}, {side}", said.trim_end()),
        }
    }

    /// Returns the range of a series: `0 – 500 MiB`.
    fn range_text(&self, at: usize) -> String {
        let (lo, hi) = self.shown[at].range;
        let style = NumberStyle::new(self.selected[at].unit(), lo.abs().max(hi.abs()), false);
        let short = |value| {
            let number = style.number(value);
            match number.split_once('.') {
                Some(_) => number
                    .trim_end_matches('0')
                    .trim_end_matches('.')
                    .to_owned(),
                None => number,
            }
        };
        format!("{} – {} {}", short(lo), short(hi), style.symbol())
            .trim_end()
            .to_owned()
    }

    /// Returns the value of a series in one frame, in the style of its row.
    fn value_at(&self, at: usize, frame: u64, texts: &LegendTexts) -> String {
        let value = self.data.values(at).at(frame).zip(texts.style);
        value.map_or(
            stats_analysis::format::NO_VALUE.to_owned(),
            |(value, style)| style.number(value),
        )
    }
}

/// Returns the place of the cross that deselects a series.
fn cross_rect(row: Rect) -> Rect {
    row.with_min_x(row.right() - REMOVE)
}
