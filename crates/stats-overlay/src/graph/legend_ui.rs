//! The legend of a graph: the names of series, and the statistics of their visible or selected
//! values.

mod columns;
mod compact_ui;
mod head_ui;
mod row_texts;
mod row_ui;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use egui::{Rect, Ui, Vec2};

use self::columns::{Columns, MIN_NAME, Widest};
pub(super) use self::compact_ui::CompactLegend;
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::graph::choices::ValueRange;
use crate::graph::legend::LegendTexts;
use crate::graph::shown::Shown;
use crate::paint::canvas::clipped_child;
use stats_analysis::axis::Mapping;
use stats_ui::accessibility;
use stats_ui::list::{List, View};
use stats_ui::retained::Retained;
use stats_ui::theme::Theme;

const ROW: f32 = 18.0;
/// In a pane shorter than this, in points, the legend is beside the graph.
const MIN_BELOW: f32 = 220.0;
/// A pane narrower than this, in points, has no room for a legend beside the graph.
const MIN_BESIDE: f32 = 420.0;
/// A pane shorter than this, in points, has no legend.
const MIN_GRAPH: f32 = 60.0;

/// Draws the legend.
pub(super) struct LegendUi<'a> {
    pub(super) theme: &'a Theme,
    pub(super) data: &'a dyn Data,
    pub(super) selected: &'a [SelectedSeries],
    pub(super) texts: &'a [LegendTexts],
    /// Changes with the texts, and with the selected series.
    pub(super) numbers: u64,
    pub(super) shown: &'a [Shown],
    /// Which series share a range.
    pub(super) ranges: ValueRange,
    pub(super) mapping: Mapping,
    /// The row of the first series that was added. It is moved into view, with as many of the next ones as
    /// fit: the first one added for a hitch is its culprit.
    pub(super) added: Option<usize>,
    /// Whether there is a baseline, so that a column shows the differences from it.
    pub(super) has_baseline: bool,
    pub(super) solo: Option<&'a str>,
    /// The selected frames; `None` if the numbers are not those of a selected range.
    pub(super) range: Option<RangeOf>,
    /// The frame whose values are in the first column.
    pub(super) cursor: Option<u64>,
    /// The marks of that frame, such as `, loading`; empty if it has none.
    pub(super) marks: String,
    /// Whether the first column has the values of the newest frame.
    pub(super) newest: bool,
    pub(super) absent: &'a dyn Fn(&SelectedSeries) -> &str,
    /// The number of rows that are painted at most.
    pub(super) max_rows: usize,
}

/// The numbers of selected frames, and of the hitches among them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RangeOf {
    pub(super) frames: u64,
    pub(super) hitches: usize,
}

/// The series that the user clicked or pointed at, by index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LegendClicks {
    pub(super) deselect: Option<usize>,
    pub(super) solo: Option<usize>,
    /// The series whose budget is to be edited.
    pub(super) budget: Option<usize>,
    /// The row that is under the pointer or has the focus.
    pub(super) pointed: Option<usize>,
}

/// The shapes of a legend, kept until its contents change, and the rows on screen.
#[derive(Debug, Default)]
pub(super) struct LegendShapes {
    head: Retained<LegendKey>,
    rows: Retained<LegendKey>,
    list: List,
    /// The widest texts, the numbers that they belong to, and the length of the cursor's number.
    widest: Option<((u64, Option<u32>), Widest)>,
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
    range: Option<RangeOf>,
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

impl LegendUi<'_> {
    /// Returns the places of a graph over a game and of the legend of `series` series.
    pub(super) fn split_over_game(rect: Rect, series: usize) -> (Rect, Rect) {
        compact_ui::split(rect, series)
    }

    /// Returns whether a pane of this size is too short for a legend below its graph, and has room for
    /// one beside it.
    pub(super) fn is_beside(size: Vec2) -> bool {
        size.y < MIN_BELOW && size.y >= MIN_GRAPH && size.x >= MIN_BESIDE
    }

    /// Returns the places of a graph and of the legend of `series` series. The legend is below the
    /// graph, or beside it if that of any pane is. Without series, it has no place, but the graph
    /// is as wide as the others.
    pub(super) fn split(rect: Rect, series: usize, is_beside: bool) -> (Rect, Rect) {
        if series == 0 && !is_beside {
            return rect.split_top_bottom_at_y(rect.bottom());
        }
        if rect.height() >= MIN_BELOW && !is_beside {
            let wanted = (series as f32 + 1.0) * ROW + 6.0;
            // Show whole rows: half a row would hide whether more rows follow.
            let max = (rect.height() * 0.4 / ROW).floor().clamp(2.0, 9.0) * ROW;
            let height = if wanted - 6.0 <= max { wanted } else { max };
            return rect.split_top_bottom_at_y(rect.bottom() - height);
        }
        let width = if is_beside {
            (rect.width() * 0.38).clamp(200.0, 420.0)
        } else {
            0.0
        };
        rect.split_left_right_at_x(rect.right() - width)
    }

    /// Draws the legend. Returns the effects of a click.
    pub(super) fn legend_ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        kept: &mut LegendShapes,
    ) -> LegendClicks {
        let mut clicks = LegendClicks::default();
        if rect.height() < ROW || rect.width() < MIN_NAME {
            return clicks;
        }
        let mut ui = clipped_child(ui, "legend", rect);
        let digits = self.cursor.map(|frame| frame.checked_ilog10().unwrap_or(0));
        let widest_of = (self.numbers, digits);
        let widest = match kept.widest {
            Some((of, widest)) if of == widest_of => widest,
            _ => self.widest(ui.painter()),
        };
        kept.widest = Some((widest_of, widest));
        let columns = self.columns(rect, widest);
        let (head, rows) = rect.split_top_bottom_at_y(rect.top() + ROW);
        // Half a row could not be read.
        let whole = (rows.height() / ROW + 0.01).floor();
        let rows = rows.with_max_y(rows.top() + whole.max(1.0) * ROW);
        self.head_ui(&ui, head, &columns, &mut kept.head);
        let count = self.selected.len();
        let more = count.saturating_sub((rows.height() / ROW + 0.01) as usize);
        let next_page = more > 0 && self.more_ui(&ui, head, more, &columns);
        let height = count as f64 * f64::from(ROW);
        let LegendShapes {
            list, rows: shapes, ..
        } = kept;
        if let Some(added) = self.added {
            let row = f64::from(ROW);
            let top = added as f64 * row;
            list.reveal(height - row..height, rows.height());
            list.reveal(top..top + row, rows.height());
        }
        if next_page {
            let is_end = list.offset() + f64::from(rows.height()) >= height - 1.0;
            let next = list.offset() + f64::from(rows.height());
            list.scroll_to(if is_end { 0.0 } else { next });
        }
        list.show(&mut ui, rows, (0.0, height), &mut |ui, view| {
            self.rows_ui(ui, (rows, view), &columns, shapes, &mut clicks);
        });
        clicks
    }

    /// Draws the rows on screen.
    fn rows_ui(
        &self,
        ui: &mut Ui,
        (area, view): (Rect, &View),
        columns: &Columns,
        kept: &mut Retained<LegendKey>,
        clicks: &mut LegendClicks,
    ) {
        let row = |at: usize| view.row(at, ROW);
        let rows = view.rows(ROW, self.selected.len());
        // The rows next to the visible ones can take the focus, which moves them into view.
        let mut pointed = Pointed::default();
        let mut seen = 0..0;
        for at in rows.start.saturating_sub(1)..(rows.end + 1).min(self.selected.len()) {
            let row = row(at);
            let response = self.row_button(ui, row, at);
            if area.shrink(1.0).intersects(row) {
                self.row_ui(ui, row, at, response, clicks, &mut pointed);
                let first = if seen.is_empty() { at } else { seen.start };
                seen = first..at + 1;
                let id = ui.make_persistent_id(("said", at));
                accessibility::describe(ui.ctx(), id, row, || {
                    let label = format!("legend {}", self.selected[at].path);
                    (label, self.row_text(at, columns))
                });
            }
        }
        seen.end = seen.end.min(seen.start + self.max_rows);
        let key = self.key(row(0), seen.clone(), pointed);
        kept.paint(ui.painter(), key, |painter| {
            for at in seen {
                self.paint_row(painter, row(at), at, columns, pointed);
            }
        });
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
            range: self.range,
            cursor: self.cursor,
            newest: self.newest,
            others: others.finish(),
        }
    }

    /// Returns the numbers of a series, if it has any.
    fn numbers_of(&self, at: usize) -> Option<&LegendTexts> {
        self.texts.get(at).filter(|texts| !texts.is_empty())
    }
}
