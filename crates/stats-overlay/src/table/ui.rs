//! The layout of the table: a row for each frame, the newest at the top, and a column for each
//! selected series.
//!
//! The newest frame stays at the top. A table that is scrolled down does not move, and new frames
//! are added above the visible rows. Sorted rows change their places only when numbers are
//! refreshed. A strip along the right edge shows where the spikes are. The numbers of frames stay at the
//! left edge while columns that do not fit are scrolled sideways; the head counts those to the right.

use std::ops::Range;

use egui::{Id, Painter, Rect, Ui, vec2};
use stats_core::{Frame, FrameSlice};

use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::paint::canvas::{Canvas, clipped_child};
use crate::table::view::{TableColumn, TableView};
use crate::view::PaneContext;
use stats_ui::list::View;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::theme::small_font;

pub(super) const ROW: f32 = 18.0;
const HEAD: f32 = 38.0;
/// The height of the names of the columns.
pub(super) const NAMES: f32 = 21.0;
/// Room for the number of columns that do not fit, in points.
const MORE: f32 = 36.0;
/// The newest frame is followed up to this scroll offset, in points.
const FOLLOWS: f64 = ROW as f64 * 0.5;
/// The width of the strip of spikes, in points.
const STRIP: f32 = 12.0;
/// The width of the numbers of frames, and of the seconds before them, in points.
const FRAME_WIDTH: f32 = 92.0;
pub(super) const SECONDS_WIDTH: f32 = 76.0;
pub(super) const PADDING: f32 = 10.0;

/// Draws the table of a pane.
pub(super) struct TableUi<'a> {
    pub(super) pane: PaneContext<'a>,
    pub(super) view: &'a mut TableView,
}

impl TableUi<'_> {
    /// Returns the width of the column of frames, which may have their seconds.
    pub(super) fn frame_width(&self) -> f32 {
        let seconds = self.pane.settings.seconds;
        FRAME_WIDTH + if seconds { SECONDS_WIDTH } else { 0.0 }
    }

    /// Draws the table into `rect`. Over a game, there are as many rows and columns as fit, and
    /// neither units nor the strip of spikes.
    pub(super) fn table_ui(&mut self, canvas: &mut Canvas<'_>, rect: Rect) {
        canvas.ground(rect, self.pane.theme);
        let strip = if canvas.is_over_game() { 0.0 } else { STRIP };
        self.prepare(canvas.painter(), rect.width() - strip);
        let head = if canvas.is_over_game() { NAMES } else { HEAD };
        let (head, below) = rect.split_top_bottom_at_y(rect.top() + head.min(rect.height()));
        let Some(ui) = canvas.ui() else {
            if rect.width() >= self.frame_width() {
                self.still_ui(canvas, head, below);
            }
            return;
        };
        let mut ui = clipped_child(ui, "table", rect);
        let (body, strip) = below.split_left_right_at_x((below.right() - STRIP).max(below.left()));
        let offset = self.body_ui(&mut ui, body);
        let columns = 0..self.view.columns.len();
        let canvas = Canvas::in_panel(&mut ui);
        let end = offset + body.width() + 0.5;
        let beyond = |column: &&TableColumn| column.left + column.width > end;
        let hidden = self.view.columns.iter().filter(beyond).count();
        let more = if hidden > 0 { MORE } else { 0.0 };
        let (heads, cell) = head.split_left_right_at_x(head.right() - more);
        self.head_ui(&canvas, heads, offset, columns);
        self.more_ui(&canvas, cell, hidden);
        self.strip_ui(&ui, strip);
    }

    /// Draws the rows and columns that fit: the newest frames, the first rows of a sorted table, or
    /// the rows around the marked frame.
    fn still_ui(&mut self, canvas: &Canvas<'_>, head: Rect, body: Rect) {
        let painter = canvas.painter();
        self.read_styles(painter, 0.0..body.width());
        let held = self.pane.data.frames();
        self.view.end = held.end;
        let ends = (self.view.columns.iter()).map(|column| column.left + column.width);
        let fits = |room: f32| ends.clone().take_while(|end| *end <= room).count();
        let (all, mut fitting) = (ends.len(), fits(body.width()));
        if fitting < all {
            fitting = fits(body.width() - MORE);
        }
        let last = fitting
            .checked_sub(1)
            .and_then(|last| ends.clone().nth(last));
        let width = last.unwrap_or(self.frame_width());
        let right = body.left() + width;
        self.head_ui(canvas, head.with_max_x(right), 0.0, 0..fitting);
        let cell = head.with_max_x(head.right() - PADDING).with_min_x(right);
        self.more_ui(canvas, cell, all - fitting);
        let fitting = (body.height() / ROW).max(0.0) as u64;
        let marked = self.pane.frame_axis.marked();
        let marked = marked.and_then(|frame| self.view.row_of(frame, &held));
        let first = marked.unwrap_or(0).saturating_sub(fitting / 2);
        let rows = first..(first + fitting).min(self.view.rows(&held));
        let painter = canvas.painter_in(body.with_max_x(right));
        let view = View::at(body.with_max_x(right), first as f64 * f64::from(ROW));
        let id = canvas.make_persistent_id("rows");
        self.rows_ui((&painter, id), &view, rows, None);
    }

    /// Writes the number of columns that do not fit into `cell`, if there are any.
    fn more_ui(&self, canvas: &Canvas<'_>, cell: Rect, columns: usize) {
        if columns > 0 {
            let (more, theme) = (format!("+{columns}"), self.pane.theme);
            let painter = canvas.painter();
            if !canvas.is_over_game() {
                painter.rect_filled(cell, 0.0, theme.bar);
                painter.hline(cell.x_range(), cell.bottom(), (1.0, theme.line));
            }
            shapes::text_at_end(painter, cell, &more, small_font(), theme.text);
            canvas.describe("more columns", cell, || ("More columns".to_owned(), more));
        }
    }

    /// Draws some rows. `pointed` is the frame under the pointer.
    fn rows_ui(
        &mut self,
        (painter, id): (&Painter, Id),
        view: &View,
        rows: Range<u64>,
        pointed: Option<u64>,
    ) {
        let mut painted = std::mem::take(&mut self.view.painted);
        let on_screen = rows.end.saturating_sub(rows.start) as usize + 1;
        if painted.len() < on_screen {
            painted.resize_with(on_screen, Retained::default);
        }
        for row in rows {
            let rect = view.row(row as usize, ROW);
            let frame = self.view.frame_in(row);
            if let Some(frame) = frame.and_then(|index| self.pane.data.frame(index)) {
                let slot = (frame.index % painted.len() as u64) as usize;
                let id = id.with(row % painted.len() as u64);
                self.row_ui(painter, id, rect, &frame, pointed, &mut painted[slot]);
            }
        }
        self.view.painted = painted;
    }

    /// Brings columns, marks, spikes and rows up to date.
    fn prepare(&mut self, painter: &Painter, room: f32) {
        self.view.settle_selection(self.pane.frame_axis);
        self.view.mark_lanes.read(self.pane.data.marks());
        self.lay_out(painter, room);
        let (searched, count) = (self.searched_frames(), self.pane.selected.len());
        let (revision, refresh) = (self.pane.revision, self.pane.refresh);
        let is_spike = |at, frame| self.pane.is_spike(at, frame);
        (self.view.spikes).look(&searched, revision, count, refresh, &is_spike);
        self.sort_rows();
    }

    /// Returns the frames that have been searched for spikes in every series. A long history takes
    /// several passes.
    fn searched_frames(&self) -> Range<u64> {
        let held = self.pane.data.frames();
        let has_values = |at: &usize| !self.pane.data.values(*at).is_empty();
        let tracks = (0..self.pane.selected.len())
            .filter(has_values)
            .filter_map(|at| self.pane.data.track(at));
        let searched = tracks
            .map(|track| track.spikes.seen_until())
            .min()
            .unwrap_or(held.end);
        held.start..searched.clamp(held.start, held.end)
    }

    /// Sorts the rows again if a refresh is due.
    fn sort_rows(&mut self) {
        let column = self.view.sort_column(self.pane.selected);
        let view = &mut *self.view;
        view.sorted = column.is_some();
        let (Some(column), Some(sort)) = (column, &view.choices.sort) else {
            return view.order.clear();
        };
        let is_kept = view.order.is_of(Some(sort));
        if is_kept && !self.pane.refresh {
            return;
        }
        let mut held = self.pane.data.frames();
        let dropped = if is_kept {
            held.start.saturating_sub(view.sorted_from)
        } else {
            0
        };
        view.sorted_from = held.start;
        // Leave out frames that will be dropped before the rows are sorted again: their rows would
        // become blank.
        held.start += (dropped * 2).min((held.end - held.start) / 16);
        match column.map(|at| &view.columns[at]) {
            None => view.order.update(sort, held, |frame| Some(frame as f64)),
            Some(column) => {
                let window = window_of(self.pane.data, column);
                view.order.update(sort, held, |frame| window.at(frame));
            }
        }
        view.spike_rows.clear();
        let spikes = &view.spikes;
        view.spike_rows.extend(
            view.order
                .frames()
                .enumerate()
                .filter(|&(_, frame)| spikes.contains(frame))
                .map(|(row, _)| row),
        );
    }

    /// Draws the rows. Returns the horizontal scroll offset.
    fn body_ui(&mut self, ui: &mut Ui, body: Rect) -> f32 {
        let held = self.pane.data.frames();
        self.scroll(&held, body.height());
        let (mut list, mut left) = (std::mem::take(&mut self.view.list), 0.0);
        let rows = self.view.rows(&held);
        let width = (self.view.columns.last())
            .map_or(self.frame_width(), |column| column.left + column.width);
        let id = ui.make_persistent_id("rows");
        let height = rows as f64 * f64::from(ROW);
        list.show(ui, body, (width, height), &mut |ui, view| {
            left = body.left() - view.rect.left();
            let rows = rows.saturating_sub(self.hold_still(ui, view.offset() > FOLLOWS, held.end));
            self.read_styles(ui.painter(), left..left + body.width());
            let pointed = self.select_ui(ui, body, view, rows);
            let visible = view.rows(ROW, rows as usize);
            let visible = visible.start as u64..visible.end as u64;
            self.rows_ui((ui.painter(), id), view, visible, pointed);
        });
        self.view.list = list;
        left
    }

    /// Scrolls to the top or to the frame to reveal, if any.
    fn scroll(&mut self, held: &Range<u64>, height: f32) {
        if std::mem::take(&mut self.view.to_top) {
            self.view.list.scroll_to(0.0);
        }
        let Some(frame) = self.view.reveal.take() else {
            return;
        };
        let offset = self.view.list.offset();
        self.view.end = self.shown_end(offset > FOLLOWS, held.end);
        let Some(row) = self.view.row_of(frame, held) else {
            return;
        };
        let (row_height, height) = (f64::from(ROW), f64::from(height));
        let top = row as f64 * row_height;
        if top < offset || top + row_height > offset + height {
            let most = self.view.rows(held) as f64 * row_height - height;
            let middle = top - (height - row_height) / 2.0;
            self.view.list.scroll_to(middle.min(most));
        }
    }

    /// Returns the end of the frames to show. If the table is scrolled down, returns the end of the
    /// previous pass.
    fn shown_end(&self, scrolled: bool, newest: u64) -> u64 {
        if scrolled && !self.view.sorted {
            self.view.newest.min(newest)
        } else {
            newest
        }
    }

    /// Decides which frames to show, and returns the number of frames without a row. If the table
    /// is scrolled down, the next pass adds these frames above. It scrolls by their height instead
    /// of to a position, because a position would undo the effect of the wheel and the scroll bar.
    fn hold_still(&mut self, ui: &Ui, scrolled: bool, newest: u64) -> u64 {
        self.view.end = self.shown_end(scrolled, newest);
        self.view.newest = newest;
        let arrived = newest - self.view.end;
        if arrived > 0 {
            ui.scroll_with_delta(vec2(0.0, arrived as f32 * -ROW));
        }
        arrived
    }

    /// Iterates over the columns that begin right of the numbers of frames, which stay at the left
    /// edge of the part `x` on screen.
    pub(super) fn columns_within(&self, x: Range<f32>) -> impl Iterator<Item = &TableColumn> {
        let from = x.start + self.frame_width() - 0.5;
        let columns = self.view.columns.iter();
        columns.filter(move |column| (from..x.end).contains(&column.left))
    }

    pub(super) fn value(&self, column: &TableColumn, frame: &Frame) -> Option<f64> {
        match column.selected {
            Some(at) => self.pane.data.values(at).at(frame.index),
            None => Some(frame.duration_ms),
        }
    }

    pub(super) fn is_over(&self, column: &TableColumn, value: f64) -> bool {
        column
            .series(self.pane.selected)
            .and_then(SelectedSeries::limit)
            .is_some_and(|limit| value > limit)
    }
}

/// Returns the values of a column.
pub(super) fn window_of<'a>(data: &'a dyn Data, column: &TableColumn) -> FrameSlice<'a> {
    match column.selected {
        Some(at) => data.values(at),
        None => data.frame_times(),
    }
}
