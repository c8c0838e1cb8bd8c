//! The legend of a graph: the names of series, and the statistics of their visible or selected
//! values.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use egui::{Painter, Rect, ScrollArea, Sense, Stroke, Ui, UiBuilder, Vec2, pos2, vec2};

use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::legend::{Cell, LegendTexts};
use crate::graph::view::Shown;
use crate::paint::canvas::Canvas;
use stats_analysis::format::{NumberStyle, whole_text};
use stats_ui::accessibility;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, small_font, text_font};

const ROW: f32 = 18.0;
const COLUMN: f32 = 84.0;
const UNIT_COLUMN: f32 = 44.0;
const RANGE_COLUMN: f32 = 150.0;
const LEAST_NAME: f32 = 110.0;
const REMOVE: f32 = 20.0;
/// A graph with a legend lower than this, in points, has the legend beside it.
const LEAST_BELOW: f32 = 220.0;
/// A graph narrower than this, in points, has no room for a legend beside it.
const LEAST_BESIDE: f32 = 420.0;
/// A graph lower than this, in points, has no legend.
const LEAST_GRAPH: f32 = 60.0;

/// The columns for visible frames, from left to right, and in the order in which they are dropped
/// last.
const OF_VISIBLE: [Cell; 5] = [Cell::Now, Cell::Min, Cell::Mean, Cell::Max, Cell::Deviation];
const VISIBLE_FIRST: [Cell; 5] = [Cell::Now, Cell::Max, Cell::Min, Cell::Mean, Cell::Deviation];
/// The columns for selected frames, likewise.
const OF_SELECTED: [Cell; 8] = [
    Cell::Min,
    Cell::Mean,
    Cell::Median,
    Cell::P95,
    Cell::Max,
    Cell::Deviation,
    Cell::Sum,
    Cell::Spikes,
];
const SELECTED_FIRST: [Cell; 8] = [
    Cell::Mean,
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
    /// Changes with the texts.
    pub(super) numbers: u64,
    /// Changes with the selection.
    pub(super) revision: u64,
    /// The ranges of the series, if each has its own.
    pub(super) own_ranges: Option<&'a [Shown]>,
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

/// What a click in the legend asks for, by the places of series.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    pub(super) deselect: Option<usize>,
    pub(crate) solo: Option<usize>,
}

/// Returns the width of a legend beside its graph.
fn beside(rect: Rect) -> f32 {
    (rect.width() * 0.36).clamp(200.0, 420.0)
}

/// The places of the legend's columns.
struct Columns {
    /// All columns from left to right, and those that fit.
    order: &'static [Cell],
    kept: &'static [Cell],
    unit_left: f32,
    range_right: Option<f32>,
    name_right: f32,
}

impl Columns {
    /// Returns the columns that fit, and their right edges.
    fn numbers(&self) -> impl Iterator<Item = (Cell, f32)> {
        let shown = self.order.iter().filter(|cell| self.kept.contains(cell));
        let right = |at: usize| self.name_right + COLUMN * (at + 1) as f32;
        shown.enumerate().map(move |(at, &cell)| (cell, right(at)))
    }
}

/// The shapes of a legend, kept until what they show changes.
#[derive(Debug, Default)]
pub(super) struct LegendShapes {
    head: Retained<LegendKey>,
    rows: Retained<LegendKey>,
}

/// Everything that the shapes of a legend depend on.
#[derive(Clone, Debug, PartialEq)]
struct LegendKey {
    area: Rect,
    visible: Range<usize>,
    pointed: Pointed,
    theme: Theme,
    /// Change with the selection and the numbers.
    revision: u64,
    numbers: u64,
    solo: Option<usize>,
    range_frames: Option<u64>,
    cursor: Option<u64>,
    newest: bool,
    marks: String,
    /// A hash of the own ranges, of the values at the cursor, and of the reasons why series have
    /// none.
    others: u64,
}

/// The rows under the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pointed {
    row: Option<usize>,
    /// The row whose cross is under the pointer.
    cross: Option<usize>,
}

/// Returns the place of a row in the area of all visible ones.
fn row_of(area: Rect, place: usize) -> Rect {
    let top = area.top() + place as f32 * ROW;
    area.with_min_y(top).with_max_y(top + ROW)
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
        self.head_ui(&Canvas::within(&ui, rect), head, &columns, &mut kept.head);
        let mut rows_ui = ui.new_child(UiBuilder::new().id_salt("rows").max_rect(rows));
        let area = ScrollArea::vertical().auto_shrink([false, false]);
        area.show_rows(&mut rows_ui, ROW, self.selected.len(), |ui, visible| {
            let size = vec2(ui.available_width(), ROW * visible.len() as f32);
            let (_, area) = ui.allocate_space(size);
            let mut pointed = Pointed::default();
            for (place, at) in visible.clone().enumerate() {
                self.row_ui(ui, row_of(area, place), at, &mut asked, &mut pointed);
            }
            let canvas = Canvas::within(ui, ui.clip_rect());
            self.rows_ui(&canvas, area, visible, &columns, pointed, &mut kept.rows);
        });
        asked
    }

    /// Paints the legend: the rows that fit.
    pub(super) fn paint(&self, canvas: &Canvas, rect: Rect, kept: &mut LegendShapes) {
        if rect.height() < ROW || rect.width() < LEAST_NAME {
            return;
        }
        let columns = self.columns(rect);
        let (head, rows) = rect.split_top_bottom_at_y(rect.top() + ROW);
        self.head_ui(canvas, head, &columns, &mut kept.head);
        let visible = 0..self.selected.len().min((rows.height() / ROW) as usize);
        let pointed = Pointed::default();
        self.rows_ui(canvas, rows, visible, &columns, pointed, &mut kept.rows);
    }

    fn columns(&self, rect: Rect) -> Columns {
        let mut right = rect.right() - REMOVE - 4.0;
        let left = rect.left() + LEAST_NAME.min(rect.width() * 0.45);
        let mut range_right = None;
        if self.own_ranges.is_some()
            && self.range_frames.is_none()
            && right - left > RANGE_COLUMN + UNIT_COLUMN + 3.0 * COLUMN
        {
            range_right = Some(right);
            right -= RANGE_COLUMN;
        }
        let unit_left = right - UNIT_COLUMN + 6.0;
        right -= UNIT_COLUMN;
        let room = ((right - left) / COLUMN).floor().max(1.0) as usize;
        let (order, first): (&'static [Cell], &'static [Cell]) = if self.range_frames.is_some() {
            (&OF_SELECTED, &SELECTED_FIRST)
        } else {
            (&OF_VISIBLE, &VISIBLE_FIRST)
        };
        let kept = &first[..room.min(first.len())];
        Columns {
            order,
            kept,
            unit_left,
            range_right,
            name_right: right - COLUMN * kept.len() as f32,
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

    fn head_ui(&self, ui: &Canvas, rect: Rect, columns: &Columns, kept: &mut Retained<LegendKey>) {
        let key = self.key(rect, 0..0, Pointed::default(), columns);
        kept.paint(ui.painter(), key, |painter| {
            self.paint_head(painter, rect, columns);
        });
        if !self.marks.is_empty() && self.range_frames.is_none() {
            let name = name_place(rect, columns);
            accessibility::describe(ui.ctx(), ui.make_persistent_id("marks"), name, || {
                ("Frame at the cursor".to_owned(), self.title())
            });
        }
        if let Some(right) = columns.range_right {
            let cell = rect.with_max_x(right).with_min_x(right - RANGE_COLUMN);
            accessibility::describe(ui.ctx(), ui.make_persistent_id("own range"), cell, || {
                ("own range".to_owned(), String::new())
            });
        }
    }

    fn paint_head(&self, painter: &Painter, rect: Rect, columns: &Columns) {
        let weak = self.theme.weak;
        let right_aligned = |text: &str, right: f32| {
            painter.text(
                pos2(right, rect.center().y),
                egui::Align2::RIGHT_CENTER,
                text,
                small_font(),
                weak,
            );
        };
        shapes::text_in(
            painter,
            name_place(rect, columns),
            &self.title(),
            small_font(),
            if self.range_frames.is_some() {
                self.theme.accent
            } else {
                weak
            },
        );
        for (cell, right) in columns.numbers() {
            right_aligned(&self.name_of(cell), right);
        }
        if let Some(right) = columns.range_right {
            right_aligned("own range", right);
        }
        painter.hline(
            rect.x_range(),
            rect.bottom(),
            Stroke::new(1.0, self.theme.line),
        );
    }

    /// Does what a click in a row demands.
    fn row_ui(&self, ui: &Ui, row: Rect, at: usize, asked: &mut Asked, pointed: &mut Pointed) {
        let selected = &self.selected[at];
        let id = ui.make_persistent_id(("legend", at));
        let target = row.with_max_x(row.right() - REMOVE);
        let response = ui.interact(target, id, Sense::click());
        if response.clicked() {
            asked.solo = Some(at);
        }
        if response.hovered() {
            pointed.row = Some(at);
        }
        accessibility::describe_button(ui.ctx(), id, || format!("Solo {}", selected.path));
        response.on_hover_ui(|ui| {
            ui.label(self.tip(selected));
        });
        let id = ui.make_persistent_id(("remove", at));
        let cross = ui.interact(cross_rect(row), id, Sense::click());
        if cross.hovered() {
            pointed.cross = Some(at);
        }
        accessibility::describe_button(ui.ctx(), id, || format!("Deselect {}", selected.path));
        if cross.clicked() {
            asked.deselect = Some(at);
        }
    }

    /// Paints the visible rows, or repeats them.
    fn rows_ui(
        &self,
        ui: &Canvas,
        area: Rect,
        visible: Range<usize>,
        columns: &Columns,
        pointed: Pointed,
        kept: &mut Retained<LegendKey>,
    ) {
        let key = self.key(area, visible.clone(), pointed, columns);
        kept.paint(ui.painter(), key, |painter| {
            for (place, at) in visible.clone().enumerate() {
                self.paint_row(painter, row_of(area, place), at, columns, pointed);
            }
        });
        for (place, at) in visible.enumerate() {
            let (row, id) = (row_of(area, place), ui.make_persistent_id(("said", at)));
            accessibility::describe(ui.ctx(), id, row, || {
                let label = format!("legend {}", self.selected[at].path);
                (label, self.said(at, columns))
            });
        }
    }

    fn key(
        &self,
        area: Rect,
        visible: Range<usize>,
        pointed: Pointed,
        columns: &Columns,
    ) -> LegendKey {
        let mut others = DefaultHasher::new();
        for at in visible.clone() {
            match self.numbers_of(at) {
                None => (self.absent)(&self.selected[at]).hash(&mut others),
                Some(_) => {
                    let at_cursor = self.cursor.and_then(|frame| self.data.values(at).at(frame));
                    at_cursor.map(f64::to_bits).hash(&mut others);
                }
            }
            if let (Some(_), Some(shown)) = (columns.range_right, self.own_ranges) {
                let (lo, hi) = shown[at].range;
                (lo.to_bits(), hi.to_bits()).hash(&mut others);
            }
        }
        let solo = self.solo.and_then(|solo| {
            let mut paths = self.selected.iter().map(|selected| &selected.path);
            paths.position(|path| path == solo)
        });
        LegendKey {
            area,
            visible,
            pointed,
            theme: *self.theme,
            revision: self.revision,
            numbers: self.numbers,
            solo,
            range_frames: self.range_frames,
            cursor: self.cursor,
            newest: self.newest,
            marks: self.marks.clone(),
            others: others.finish(),
        }
    }

    /// Returns the numbers of a series, if it has any.
    fn numbers_of(&self, at: usize) -> Option<&LegendTexts> {
        self.texts.get(at).filter(|texts| !texts.is_empty())
    }

    /// Returns the contents of a row as text.
    fn said(&self, at: usize, columns: &Columns) -> String {
        let Some(texts) = self.numbers_of(at) else {
            return self.absent_text(at);
        };
        let mut said = String::new();
        for (cell, _) in columns.numbers() {
            said.push_str(&format!(
                "{} {} ",
                self.name_of(cell),
                self.number(at, cell, texts)
            ));
        }
        said + &texts.unit
    }

    /// Returns the tooltip of a row.
    fn tip(&self, selected: &SelectedSeries) -> String {
        let alone = self.solo == Some(selected.path.as_str());
        let hint = if alone {
            "Click to show all again"
        } else {
            "Click to show it alone"
        };
        let why = match selected.unavailable() {
            "" => String::new(),
            why => format!("\n{}", one_line(why, 600)),
        };
        format!("{}{why}\n{hint}", one_line(&selected.path, 600))
    }

    /// Paints a row: the color and the name of a series, and its numbers.
    fn paint_row(
        &self,
        painter: &Painter,
        row: Rect,
        at: usize,
        columns: &Columns,
        pointed: Pointed,
    ) {
        let selected = &self.selected[at];
        let muted = self.solo.is_some_and(|solo| solo != selected.path);
        let color = self.theme.series(selected.slot);
        if pointed.row == Some(at) {
            painter.rect_filled(row, 2.0, self.theme.hover);
        }
        let swatch = pos2(row.left() + 12.0, row.center().y);
        let text_color = if muted {
            shapes::swatch_outline(painter, swatch, color);
            self.theme.weak
        } else {
            shapes::swatch(painter, swatch, color);
            self.theme.text
        };
        let name = one_line(&selected.name, 120);
        shapes::text_in(
            painter,
            name_place(row, columns),
            &name,
            text_font(),
            text_color,
        );
        match self.numbers_of(at) {
            Some(texts) => self.paint_numbers(painter, row, columns, at, texts),
            None => self.paint_absent(painter, row, columns, at),
        }
        let color = if pointed.cross == Some(at) {
            self.theme.text
        } else {
            self.theme.weak.gamma_multiply(0.6)
        };
        shapes::cross(painter, cross_rect(row).center(), color);
    }

    /// Returns the reason why a series has no numbers.
    fn absent_text(&self, at: usize) -> String {
        one_line((self.absent)(&self.selected[at]), 600)
    }

    fn paint_absent(&self, painter: &Painter, row: Rect, columns: &Columns, at: usize) {
        let text = self.absent_text(at);
        let right = columns
            .range_right
            .unwrap_or(columns.unit_left + UNIT_COLUMN);
        let rect = row.with_min_x(columns.name_right).with_max_x(right);
        shapes::text_at_end(painter, rect, &text, small_font(), self.theme.weak);
    }

    fn paint_numbers(
        &self,
        painter: &Painter,
        row: Rect,
        columns: &Columns,
        at: usize,
        texts: &LegendTexts,
    ) {
        for (cell, right) in columns.numbers() {
            let strong = cell == Cell::Now || self.range_frames.is_some();
            let color = if strong {
                self.theme.text
            } else {
                self.theme.weak
            };
            let text = self.number(at, cell, texts);
            shapes::number_in(painter, row.with_max_x(right), &text, color);
        }
        let unit = row.with_min_x(columns.unit_left);
        shapes::text_in(painter, unit, &texts.unit, small_font(), self.theme.weak);
        if let (Some(right), Some(shown)) = (columns.range_right, self.own_ranges) {
            let (lo, hi) = shown[at].range;
            let style = NumberStyle::new(self.selected[at].unit(), lo.abs().max(hi.abs()), true);
            let text = format!("{} … {}", style.number(lo), style.text(hi));
            shapes::number_in(painter, row.with_max_x(right), &text, self.theme.weak);
        }
    }

    /// Returns the text of a cell: in the first column, that of the frame under the cursor.
    fn number<'a>(&self, at: usize, cell: Cell, texts: &'a LegendTexts) -> Cow<'a, str> {
        match self.cursor.filter(|_| cell == Cell::Now) {
            Some(frame) => self.value_at(at, frame, texts).into(),
            None => texts.cells[cell as usize].as_str().into(),
        }
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

/// Returns the place of a name in a row or in the head.
fn name_place(row: Rect, columns: &Columns) -> Rect {
    row.with_min_x(row.left() + 22.0)
        .with_max_x(columns.name_right - 4.0)
}

/// Returns the place of the cross that deselects the series of a row.
fn cross_rect(row: Rect) -> Rect {
    row.with_min_x(row.right() - REMOVE)
}
