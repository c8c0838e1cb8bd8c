//! The layout of the tree: the search box, a note, and the visible rows.

use std::borrow::Cow;
use std::ops::Range;

use crate::data::listing::Progress;
use crate::data::selection::{MAX_SELECTED, Selection};
use crate::paint::canvas::clipped_child;
use crate::paint::choice_ui::{choice, width_of};
use crate::search::formula::TypedFormula;
use crate::search::query::Word;
use crate::search::teams::Teams;
use crate::tree::painted::RowPlace;
use crate::tree::panel::TreePanel;
use crate::tree::request::{Dragged, TreeRequest};
use crate::tree::row_values::{RowReader, RowValues};
use egui::{DragAndDrop, LayerId, Order, Rect, Ui, vec2};
use stats_analysis::format::whole_text;
use stats_ui::accessibility;
use stats_ui::palette::fnv1a;
use stats_ui::pointer::pointer_pos;
use stats_ui::retained::paint_kept;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{ROW_HEIGHT, Theme, small_font, text_font};

/// The minimum width of the choice of the order, and that of a tree with it, in points.
const ORDER: f32 = 84.0;
const WITH_ORDER: f32 = 240.0;
/// The name of the choice of the order.
const BY_COST: &str = "sort by cost";

/// Draws the tree.
pub(crate) struct TreeUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) panel: &'a mut TreePanel,
    pub(crate) selection: &'a mut Selection,
    /// The counters pinned to the HUD.
    pub(crate) pinned: &'a Selection,
    /// Whether the user computes the series at a path from others.
    pub(crate) has_formula: &'a dyn Fn(&str) -> bool,
    /// The requests to other parts, from the clicks in this pass.
    pub(crate) requests: Vec<TreeRequest>,
}

impl TreeUi<'_> {
    /// Draws the tree into `rect`, with the values that `reader` reads. Returns the requests to other
    /// parts.
    pub(crate) fn tree_ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        reader: &mut RowReader<'_>,
    ) -> Vec<TreeRequest> {
        drop_stale_payload(ui);
        let search_rect = Rect::from_min_size(rect.min, vec2(rect.width(), 24.0));
        let note_rect = Rect::from_min_size(search_rect.left_bottom(), vec2(rect.width(), 20.0));
        let rows_rect = Rect::from_min_max(note_rect.left_bottom(), rect.max);
        let hint_rect = self.hint_rect(search_rect, rows_rect);
        let hint_drawn = if self.panel.search_box.draws_hint {
            hint_rect
        } else {
            Rect::NOTHING
        };
        let wants_hint = self.search_ui(&mut clipped_child(ui, "search", search_rect), hint_drawn);
        // A press in the hint takes the keyboard from the box, but is a click only on release.
        self.panel.search_box.draws_hint = wants_hint || is_pressed_in(ui, hint_drawn);
        self.note_ui(ui, note_rect.shrink2(vec2(8.0, 0.0)));
        if self.panel.costs.are_known() && rect.width() >= WITH_ORDER {
            let width = width_of(ui, BY_COST).max(ORDER);
            let order = note_rect.with_min_x(note_rect.right() - width);
            self.order_ui(&mut clipped_child(ui, "order", order));
        }
        self.rows_ui(&mut clipped_child(ui, "rows", rows_rect), reader);
        if self.panel.search_box.draws_hint {
            self.hint_ui(&mut clipped_child(ui, "hint", hint_rect), hint_rect);
        }
        self.dragged_ui(ui);
        std::mem::take(&mut self.requests)
    }

    /// Draws the choice to sort rows by cost.
    fn order_ui(&mut self, ui: &mut Ui) {
        let help = "Sort by the usual times of the timers in a folder, then levels in bytes and numbers \
                    by their usual values, the largest first";
        let is_by_cost = self.panel.is_by_cost;
        if choice(ui, self.theme, (BY_COST, help), is_by_cost).clicked() {
            self.panel.set_by_cost(!is_by_cost);
        }
    }

    fn note_ui(&self, ui: &Ui, rect: Rect) {
        let text = self.note();
        let id = ui.make_persistent_id("note");
        let key = (rect, fnv1a(&text), *self.theme);
        paint_kept(ui.painter(), id, key, |painter| {
            shapes::text_in(painter, rect, &text, small_font(), self.theme.weak);
        });
        accessibility::describe(ui.ctx(), id, rect, || ("Series".to_owned(), text.clone()));
    }

    fn note(&self) -> String {
        let count = self.panel.listing().len();
        if let Some(Progress { read, end, .. }) = self.panel.outline.progress() {
            format!(
                "reading {} of {} counters…",
                whole_text(read.into()),
                whole_text(end.into())
            )
        } else if let Some(typed) = TypedFormula::of(&self.panel.search_box.text) {
            typed.note()
        } else if self.selection.selected().len() >= MAX_SELECTED {
            format!("{MAX_SELECTED} series selected, the maximum")
        } else if let Some(searched) = self.panel.searching() {
            format!(
                "searching {} of {}…",
                whole_text(searched as f64),
                whole_text(count as f64)
            )
        } else if self.panel.search.lacks_values() {
            "this source reports only the values of watched counters".to_owned()
        } else if let Some(obstacle) = self.panel.search.obstacle() {
            obstacle.to_owned()
        } else if self.panel.search.waits_for_a_frame() {
            "waiting for a frame to end".to_owned()
        } else if let Some(spiking) = self.panel.ranking() {
            let count = whole_text(self.panel.found_count() as f64);
            format!("{count} spiked in {}", spiking.searched_text())
        } else if self.panel.search.query().ranked_by() == Some(Word::Together) {
            self.panel.together_note.clone()
        } else if self.panel.search.query().ranked_by() == Some(Word::Moved) {
            let count = whole_text(self.panel.found_count() as f64);
            format!("{count} moved since A")
        } else if self.panel.is_searching() {
            format!(
                "{} of {} found",
                whole_text(self.panel.found_count() as f64),
                whole_text(count as f64)
            )
        } else {
            format!(
                "{} series, {} selected",
                whole_text(count as f64),
                self.selection.selected().len()
            )
        }
    }

    fn rows_ui(&mut self, ui: &mut Ui, reader: &mut RowReader<'_>) {
        if self.panel.rows.len() == 0 {
            self.nothing_found_ui(ui);
            return;
        }
        let rect = ui.max_rect();
        self.panel.is_pointed = pointer_pos(ui).is_some_and(|at| rect.contains(at));
        let top = |at: usize| at as f64 * f64::from(ROW_HEIGHT);
        let (count, cursor) = (self.panel.rows.len(), self.panel.cursor_at());
        let mut list = std::mem::take(&mut self.panel.cursor.list);
        if let (Some(at), true) = (cursor, std::mem::take(&mut list.has_moved)) {
            list.reveal(top(at)..top(at + 1), rect.height());
        }
        // A click in a row moves the cursor.
        self.panel.cursor.list.cursor = list.cursor;
        list.show(ui, rect, (0.0, top(count)), &mut |ui, view| {
            let visible = view.rows(ROW_HEIGHT, count);
            self.read(reader, visible.clone());
            for (on_screen, at) in visible.clone().enumerate() {
                // A click on a row above may have changed the rows.
                if let Some(row) = self.panel.rows.get(at) {
                    let place = RowPlace {
                        rect: view.row(at, ROW_HEIGHT),
                        at,
                        on_screen,
                        is_cursor: cursor == Some(at),
                        is_dimmed: self.panel.is_dimmed(row),
                    };
                    self.row_ui(ui, place, row);
                }
            }
            self.panel.painted.paint(ui.painter(), visible.len());
        });
        let now = &self.panel.cursor.list;
        (list.cursor, list.has_moved) = (now.cursor, now.has_moved);
        self.panel.cursor.list = list;
        if let Some(path) = self.panel.cursor_path() {
            let id = ui.make_persistent_id("cursor");
            accessibility::describe(ui.ctx(), id, rect, || {
                ("Row of the cursor".to_owned(), path.to_owned())
            });
        }
    }

    /// Reads what the rows on screen show.
    fn read(&mut self, reader: &mut RowReader<'_>, rows: Range<usize>) {
        let (mut texts, mut values) = (
            std::mem::take(&mut self.panel.texts),
            std::mem::take(&mut self.panel.values),
        );
        if values.len() < rows.len() {
            values.resize_with(rows.len(), RowValues::default);
        }
        for (at, values) in rows.zip(&mut values) {
            let subject = self.panel.subject(at);
            reader.read(subject, self.selection, &mut texts, values);
        }
        (self.panel.texts, self.panel.values) = (texts, values);
    }

    /// Returns the heading above the whole tree while the words of the search find nothing.
    pub(super) fn none_found_text(&self) -> String {
        let search = &self.panel.search;
        match search.obstacle() {
            Some(obstacle) => obstacle.to_owned(),
            None if search.lacks_values() || search.waits_for_a_frame() => "All".to_owned(),
            None => self.nothing_text().0,
        }
    }

    fn nothing_found_ui(&self, ui: &mut Ui) {
        let is_empty = self.panel.search.query().is_empty();
        if is_empty || self.panel.is_finding() {
            return;
        }
        ui.add_space(12.0);
        let (title, help) = self.nothing_text();
        ui.vertical_centered(|ui| {
            ui.label(title);
            ui.small(help);
        });
    }

    /// Returns the text for a search without results, and a hint.
    fn nothing_text(&self) -> (String, Cow<'static, str>) {
        let query = self.panel.search.query();
        let typed = one_line(self.panel.search_box.text.trim(), 40);
        let predicate = query
            .predicate()
            .map(|predicate| match self.panel.ranking() {
                // The search may have begun less than a minute ago.
                Some(spiking) => format!("has spiked in {}", spiking.searched_text()),
                None => predicate.to_owned(),
            });
        if let Some(team) = query.unknown_team() {
            let title = format!("No team is called “{}”", one_line(team, 40));
            return (title, known_teams(self.panel.search.teams()));
        }
        let (title, help) = match predicate {
            Some(predicate) if !query.has_text() => (format!("No counter {predicate}"), ""),
            Some(predicate) => (
                format!("No counter that matches the other words {predicate}"),
                "A counter must match all words.",
            ),
            None => (
                format!("No counter matches “{typed}”"),
                match query.asks_team() {
                    true => {
                        "A team's word matches what the team owns. A counter must match all words."
                    }
                    false => "All words must occur in the path. Fewer letters find more.",
                },
            ),
        };
        (title, help.into())
    }

    /// Draws the dragged series at the pointer.
    fn dragged_ui(&self, ui: &Ui) {
        let Some(dragged) = DragAndDrop::payload::<Dragged>(ui.ctx()) else {
            return;
        };
        let Some(at) = ui.input(|input| input.pointer.interact_pos()) else {
            return;
        };
        let text = match dragged.paths.as_slice() {
            [path] => one_line(path, 60).into(),
            paths => format!("{} series", whole_text(paths.len() as f64)),
        };
        let layer = LayerId::new(Order::Tooltip, ui.make_persistent_id("dragged"));
        let painter = ui.ctx().layer_painter(layer);
        let galley = shapes::fitted(&painter, &text, text_font(), self.theme.text, 320.0);
        let rect = Rect::from_min_size(at + vec2(12.0, 8.0), galley.size() + vec2(12.0, 6.0));
        shapes::plate(&painter, rect, 4.0, self.theme.bar, self.theme.accent);
        painter.galley(rect.min + vec2(6.0, 3.0), galley, self.theme.text);
        accessibility::describe(ui.ctx(), ui.make_persistent_id("dragged"), rect, || {
            ("Dragged".to_owned(), text.clone())
        });
    }
}

/// Says which teams the search knows.
fn known_teams(teams: &Teams) -> Cow<'static, str> {
    /// The number of teams that are named.
    const NAMED: usize = 8;
    let words: Vec<&str> = teams.words().take(NAMED).collect();
    match teams.words().len() {
        0 => "No teams are set. A program sets them with StatsOverlay::set_teams; stats view reads them \
              from stats.toml."
            .into(),
        1..=NAMED => format!("The teams are {}.", words.join(", ")).into(),
        more => format!("Among the {more} teams are {}.", words.join(", ")).into(),
    }
}

fn is_pressed_in(ui: &Ui, rect: Rect) -> bool {
    let is_pressed = ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    is_pressed && pointer_pos(ui).is_some_and(|at| rect.contains(at))
}

/// Drops a payload that was released where nothing accepts it. egui does this itself, except in
/// hosts that begin and end passes themselves.
fn drop_stale_payload(ui: &Ui) {
    let is_over = ui.input(|input| !input.pointer.any_down() && !input.pointer.any_released());
    if is_over && DragAndDrop::has_payload_of_type::<Dragged>(ui.ctx()) {
        DragAndDrop::clear_payload(ui.ctx());
    }
}
