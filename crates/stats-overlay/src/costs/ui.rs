//! The heads and the rows of the costs.

use std::ops::Range;

use egui::{Align2, CursorIcon, Painter, Rect, Response, Sense, pos2, vec2};
use stats_analysis::format::{count_text, fixed_text, value_text, whole_text};
use stats_core::Unit;
use stats_ui::accessibility;
use stats_ui::list::{View as ListView, highlight};
use stats_ui::shapes;
use stats_ui::theme::{Theme, number_font, small_font, text_font};
use stats_ui::tooltip;

use crate::costs::choices::CostColumn;
use crate::costs::columns::{COLUMNS, COMPARED, Column, fitting, places, width};
use crate::costs::sums::Cost;
use crate::costs::view::{CostsView, HeadsKey, RowsKey};
use crate::data::selection::slot_of;
use crate::paint::canvas::Canvas;
use crate::view::{PaneContext, PaneRequest};

/// The height of a row, of the heads and of the line above them, in points.
pub(super) const ROW: f32 = 20.0;
const HEAD: f32 = 20.0;
const TITLE: f32 = 18.0;
/// The distance from a row of a tree to those below it, in points.
const INDENT: f32 = 12.0;
/// Draws the costs of a pane.
pub(super) struct CostsUi<'a> {
    pub(super) pane: PaneContext<'a>,
    pub(super) view: &'a mut CostsView,
}

impl CostsUi<'_> {
    pub(super) fn costs_ui(&mut self, canvas: &mut Canvas<'_>, rect: Rect) -> Option<PaneRequest> {
        canvas.ground(rect, self.pane.theme);
        let rect = rect.shrink2(vec2(6.0, 2.0));
        let (title, rest) = rect.split_top_bottom_at_y(rect.top() + TITLE);
        let made_of = Some((self.view.costs.revision, self.view.is_newest));
        if self.view.title.0 != made_of {
            self.view.title = (made_of, self.title());
        }
        let note = self.note();
        let text = note.unwrap_or(&self.view.title.1);
        let style = (text_font(), canvas.weak(self.pane.theme));
        canvas.label(("title", "About the costs"), title, text, style);
        if note.is_some() {
            return None;
        }
        let (head, body) = rest.split_top_bottom_at_y(rest.top() + HEAD);
        let columns = fitting(self.columns(), head.width());
        self.heads_ui(canvas, head, columns);
        let mut list = std::mem::take(&mut self.view.list);
        let rows = self.view.costs.rows.len();
        if let (Some(at), true) = (list.cursor, std::mem::take(&mut list.has_moved)) {
            let top = at as f64 * f64::from(ROW);
            list.reveal(top..top + f64::from(ROW), body.height());
        }
        let mut request = None;
        let whole = (&mut list, rows as f64 * f64::from(ROW), 0.0);
        canvas.list(body, whole, &mut |canvas, view| {
            request = self.rows_ui(canvas, view, columns);
        });
        self.view.list = list;
        request
    }

    /// Returns all columns of numbers.
    fn columns(&self) -> &'static [Column] {
        if self.pane.baseline.is_empty() {
            COLUMNS
        } else {
            COMPARED
        }
    }

    /// Returns the text to show instead of rows.
    fn note(&self) -> Option<&str> {
        let (scopes, costs) = (self.pane.scopes, &self.view.costs);
        if !scopes.can_tell() || costs.frames == 0 {
            return Some(scopes.why_nothing(self.view.range.clone(), self.view.is_newest));
        }
        let is_searching = self.pane.search.has_terms();
        costs.rows.is_empty().then_some(if is_searching {
            "The search finds no timer that ran in these frames."
        } else {
            "No timer ran in these frames."
        })
    }

    /// Says which frames the costs are of.
    fn title(&self) -> String {
        let costs = &self.view.costs;
        let frames = count_text(costs.frames as u64, "frame", "frames");
        let all = self.view.range.end - self.view.range.start;
        let left_out: Vec<_> = self.pane.scopes.left_out(&self.view.range).collect();
        let mut text = if self.view.is_newest {
            format!("Newest second: {frames}")
        } else if ((costs.frames + left_out.len()) as u64) < all {
            format!(
                "{frames} of {}, those that are kept",
                whole_text(all as f64)
            )
        } else {
            frames
        };
        let mean = costs.frames_ns as f64 / costs.frames.max(1) as f64;
        text += &format!(" of {}", time_text(mean));
        let calls: usize = left_out.iter().map(|of| of.scopes).sum();
        let calls = count_text(calls as u64, "call", "calls");
        match &left_out[..] {
            [] => {}
            [one] => {
                let frame = whole_text(one.index as f64);
                text += &format!(" · left out: frame {frame} with {calls}");
            }
            several => {
                let frames = whole_text(several.len() as f64);
                text += &format!(" · left out: {frames} frames with {calls} together");
            }
        }
        if self.pane.search.has_terms() {
            let found = count_text(costs.rows.len() as u64, "row", "rows");
            text += &format!(" · the search finds {found}");
        }
        if costs.lost > 0 {
            text += &format!(
                " · {} missing",
                count_text(costs.lost, "call is", "calls are")
            );
        }
        text
    }

    fn heads_ui(&mut self, canvas: &Canvas<'_>, head: Rect, columns: &[Column]) {
        let theme = self.pane.theme;
        let sort = self.view.choices.sort;
        let key = HeadsKey {
            sort,
            is_compared: !self.pane.baseline.is_empty(),
            size: head.size(),
            theme: *theme,
        };
        let heads = &mut self.view.heads;
        heads.paint_at(canvas.painter(), head.min, key, |painter| {
            painter.rect_filled(head, 0.0, theme.bar);
            for (of, name, _, cell) in cells(head, columns) {
                head_ui(painter, cell, (of, name), sort == of, theme);
            }
        });
        let mut clicked = None;
        for (of, name, help, cell) in cells(head, columns) {
            let id = canvas.make_persistent_id(("head", name));
            if let Some(response) = canvas.interact(cell, id, Sense::click()) {
                accessibility::describe_head(canvas.ctx(), id, || {
                    let order = if sort == of { "sorted" } else { "" };
                    (name.to_owned(), order.to_owned())
                });
                tooltip::hint(&response, help);
                if response.clicked() {
                    clicked = Some(of);
                }
            }
        }
        if let Some(of) = clicked {
            self.view.choices.sort = of;
            self.view.costs.sort(of);
        }
    }

    fn rows_ui(
        &mut self,
        canvas: &Canvas<'_>,
        view: &ListView,
        columns: &[Column],
    ) -> Option<PaneRequest> {
        let mut request = None;
        let rows = view.rows(ROW, self.view.costs.rows.len());
        for at in rows.clone() {
            let Some(rect) = canvas.row(view.row(at, ROW), ROW) else {
                continue;
            };
            let cost = &self.view.costs.rows[at];
            let key = cost.key();
            let id = canvas.make_persistent_id(("row", key));
            let response = canvas.interact(rect, id, Sense::click());
            let is_pointed = response.as_ref().is_some_and(Response::hovered);
            let is_selected = self.view.selected == Some(key);
            let cursor = is_selected.then_some(1.0);
            highlight(canvas.painter(), rect, self.pane.theme, is_pointed, cursor);
            let said = || (format!("Cost of {}", self.name(cost)), self.said(cost));
            match response {
                Some(response) => {
                    let row = (cost.level as u32, Some(is_selected));
                    accessibility::describe_row(canvas.ctx(), id, row, said);
                    if response.double_clicked() {
                        request = Some(PaneRequest::show(&cost.path, 0..0));
                    } else if response.clicked() {
                        self.view.selected = Some(key);
                    }
                    tooltip::hint(
                        &response.on_hover_cursor(CursorIcon::PointingHand),
                        "Double-click for its graph",
                    );
                }
                None => accessibility::describe(canvas.ctx(), id, rect, said),
            }
        }
        self.paint_rows(canvas, view, rows, columns);
        request
    }

    /// Paints the rows on screen. Their texts are laid out again only when the numbers change.
    fn paint_rows(
        &mut self,
        canvas: &Canvas<'_>,
        view: &ListView,
        rows: Range<usize>,
        columns: &[Column],
    ) {
        let is_on_screen = |at: &usize| canvas.row(view.row(*at, ROW), ROW).is_some();
        let first = rows.clone().find(is_on_screen).unwrap_or(rows.end);
        let last = rows.rev().find(is_on_screen).map_or(first, |at| at + 1);
        let top = view.row(first, ROW);
        let key = RowsKey {
            revision: self.view.costs.revision,
            rows: first..last,
            width: top.width(),
            theme: *self.pane.theme,
            of_pane: self.pane.revision,
        };
        let mut kept = std::mem::take(&mut self.view.rows);
        kept.paint_at(canvas.painter(), top.min, key, |painter| {
            for at in first..last {
                let rect = view.row(at, ROW);
                self.row_ui(painter, rect, &self.view.costs.rows[at], columns);
            }
        });
        self.view.rows = kept;
    }

    fn row_ui(&self, painter: &Painter, rect: Rect, cost: &Cost, columns: &[Column]) {
        let theme = self.pane.theme;
        let names = rect.with_max_x(rect.right() - width(columns) - 8.0);
        let indent = (cost.level as f32 * INDENT).min(names.width() / 2.0);
        let names = names.with_min_x(names.left() + indent);
        // A bar behind the name: the time in itself, as a part of the largest that is not a wait.
        let part = cost.self_ns as f32 / self.view.costs.most_self_ns.max(1) as f32;
        let slot = slot_of(self.pane.selected, &cost.path, cost.slot);
        let bar = names
            .shrink2(vec2(0.0, 2.0))
            .with_min_x(names.left() + 14.0);
        let bar = bar.with_max_x(bar.left() + bar.width() * part.clamp(0.0, 1.0));
        let strength = if cost.is_wait { 0.12 } else { 0.3 };
        painter.rect_filled(bar, 1.0, theme.series(slot).gamma_multiply(strength));
        shapes::swatch(
            painter,
            names.left_center() + vec2(6.0, 0.0),
            theme.series(slot),
        );
        let color = if cost.is_wait { theme.weak } else { theme.text };
        let place = names.with_min_x(names.left() + 16.0);
        shapes::name_in(painter, place, &self.name(cost), text_font(), color);
        for (column, cell) in places(rect, columns) {
            let text = self.cell_text(cost, column.of);
            shapes::text_at_end(painter, cell, &text, number_font(), color);
        }
    }

    fn name(&self, cost: &Cost) -> String {
        let lane = cost.lane.and_then(|lane| self.pane.scopes.lane(lane));
        let mut name = cost.path.clone();
        if let Some(lane) = lane {
            name += &format!(" on {}", lane.name);
        }
        if cost.is_wait {
            name += " (wait)";
        }
        name
    }

    fn cell_text(&self, cost: &Cost, column: CostColumn) -> String {
        let costs = &self.view.costs;
        let frames = costs.frames.max(1) as f64;
        match column {
            CostColumn::Name => cost.path.clone(),
            CostColumn::Itself => time_text(cost.self_ns as f64 / frames),
            CostColumn::Total => time_text(cost.total_ns as f64 / frames),
            CostColumn::Change => cost.change_ns.map_or_else(|| "–".to_owned(), change_text),
            CostColumn::Share => {
                let share = cost.total_ns as f64 / costs.frames_ns.max(1) as f64 * 100.0;
                format!("{} %", fixed_text(share, 1))
            }
            CostColumn::Calls => fixed_text(cost.calls as f64 / frames, 1),
            CostColumn::Mean => cost.mean_ns().map_or_else(|| "–".to_owned(), time_text),
            CostColumn::Longest if cost.calls == 0 => "–".to_owned(),
            CostColumn::Longest => time_text(cost.longest_ns as f64),
        }
    }

    /// Returns the numbers of a row for screen readers.
    fn said(&self, cost: &Cost) -> String {
        let said = (self.columns().iter())
            .map(|column| format!("{} {}", column.name, self.cell_text(cost, column.of)));
        said.collect::<Vec<_>>().join(", ")
    }
}

/// Returns the heads from left to right: the column, its name, its explanation, and its place.
fn cells(
    head: Rect,
    columns: &[Column],
) -> impl Iterator<Item = (CostColumn, &'static str, &'static str, Rect)> {
    let names = head.with_max_x(head.right() - width(columns));
    let name = (CostColumn::Name, "timer", "The path of the timer", names);
    let places = places(head, columns);
    let numbers = places.map(|(column, cell)| (column.of, column.name, column.help, cell));
    std::iter::once(name).chain(numbers)
}

/// Paints the head of a column.
fn head_ui(
    painter: &Painter,
    cell: Rect,
    (of, name): (CostColumn, &str),
    is_sorted: bool,
    theme: &Theme,
) {
    let color = if is_sorted { theme.text } else { theme.weak };
    let place = if of == CostColumn::Name {
        let place = cell.left_center() + vec2(16.0, 0.0);
        let anchor = Align2::LEFT_CENTER;
        shapes::text_at(painter, place, anchor, name, small_font(), color)
    } else {
        shapes::text_at_end(painter, cell, name, small_font(), color)
    };
    if is_sorted {
        let tip = pos2(place.left() - 8.0, cell.center().y + 3.0);
        let is_descending = of != CostColumn::Name;
        painter.add(shapes::sort_arrow(tip, is_descending, theme.accent));
    }
}

fn time_text(ns: f64) -> String {
    value_text(ns * 1e-6, Unit::Milliseconds)
}

/// Returns a difference of times with its sign.
fn change_text(ns: f64) -> String {
    let sign = if ns > 0.0 { "+" } else { "" };
    format!("{sign}{}", time_text(ns))
}
