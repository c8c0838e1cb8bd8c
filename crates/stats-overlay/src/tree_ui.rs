//! The tree: search box, rows with check boxes, live values.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Rect, Response, ScrollArea, Sense, Ui, UiBuilder, Vec2, pos2, vec2};
use stats_core::{SeriesId, Source, Unit};

use crate::access;
use crate::color::{preferred_slot, series_color};
use crate::format::{NO_VALUE, exact_text, value_text, whole_text};
use crate::names::one_line;
use crate::paint;
use crate::selection::{FRAME_TIME, MAX_TICKED, Selection};
use crate::theme::{ROW_HEIGHT, Theme, number_font, small_font, text_font};
use crate::tree::Row;
use crate::tree_panel::TreePanel;

/// How much of a name is laid out: longer ones end in …
const NAME_LIMIT: usize = 160;
/// How far children stand to the right of their folder, in points, and how often that is repeated at most.
const INDENT: f32 = 12.0;
const INDENTS: u32 = 12;
const CHECKBOX: f32 = 13.0;
/// Room for a value, in points.
const VALUE_WIDTH: f32 = 96.0;
/// In less room than this no text is begun, in points.
const LEAST_TEXT: f32 = 12.0;

/// What the tree draws from and changes.
pub(crate) struct TreeUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) panel: &'a mut TreePanel,
    pub(crate) selection: &'a mut Selection,
    pub(crate) source: &'a mut dyn Source,
    pub(crate) paused: bool,
}

impl TreeUi<'_> {
    /// Draws the tree into `rect`.
    pub(crate) fn tree_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let search_rect = Rect::from_min_size(rect.min, vec2(rect.width(), 24.0));
        let note_rect = Rect::from_min_size(search_rect.left_bottom(), vec2(rect.width(), 20.0));
        let rows_rect = Rect::from_min_max(note_rect.left_bottom(), rect.max);
        self.search_ui(&mut child(ui, search_rect, "search"));
        self.note_ui(ui, note_rect.shrink2(vec2(8.0, 0.0)));
        self.rows_ui(&mut child(ui, rows_rect, "rows"));
    }

    fn note_ui(&self, ui: &Ui, rect: Rect) {
        let count = self.panel.listing().len();
        let text = if self.selection.ticked().len() >= MAX_TICKED {
            format!("{MAX_TICKED} series ticked: no more fit")
        } else if self.panel.is_searching() {
            format!("{} of {} found", whole_text(self.panel.found_count() as f64), whole_text(count as f64))
        } else {
            format!("{} series, {} ticked", whole_text(count as f64), self.selection.ticked().len())
        };
        paint::text_in(ui.painter(), rect, &text, small_font(), self.theme.weak);
        access::describe(ui.ctx(), ui.make_persistent_id("note"), rect, || ("Series".to_owned(), text.clone()));
    }

    fn rows_ui(&mut self, ui: &mut Ui) {
        if self.panel.rows().is_empty() {
            self.nothing_found_ui(ui);
            return;
        }
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let count = self.panel.rows().len();
        let area = ScrollArea::vertical().id_salt("rows").auto_shrink([false, false]);
        area.show_rows(ui, ROW_HEIGHT, count, |ui, visible| {
            for at in visible {
                let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW_HEIGHT));
                // A click on a row above may have changed the rows.
                if let Some(&row) = self.panel.rows().get(at) {
                    self.row_ui(ui, rect, row);
                }
            }
        });
    }

    fn nothing_found_ui(&self, ui: &mut Ui) {
        ui.add_space(12.0);
        ui.vertical_centered(|ui| {
            ui.label(format!("no counter matches “{}”", one_line(self.panel.typed.trim(), 40)));
            ui.small("Fewer letters find more; all words must occur in the path.");
        });
    }

    fn row_ui(&mut self, ui: &Ui, rect: Rect, row: Row) {
        match row {
            Row::FrameTime => self.frame_time_ui(ui, rect),
            Row::Missing(at) => self.missing_ui(ui, rect, at),
            Row::Node(node) => self.node_ui(ui, rect, node),
            Row::Similar(entry) => self.entry_ui(ui, rect, entry, 0, None),
            Row::SimilarHeading => {
                let rect = rect.shrink2(vec2(8.0, 0.0));
                paint::text_in(ui.painter(), rect, "Similar", small_font(), self.theme.weak);
            }
        }
    }

    fn frame_time_ui(&mut self, ui: &Ui, rect: Rect) {
        let value = self.value_text(SeriesId::new(u32::MAX), Unit::Milliseconds, |source| source.frame_times(1).last());
        let response = self.leaf_ui(
            ui,
            rect,
            Leaf { id: None, path: FRAME_TIME, label_len: FRAME_TIME.len(), folder: false, depth: 0, value },
        );
        response.on_hover_text("How long each frame took, from one call of the overlay to the next");
    }

    fn missing_ui(&mut self, ui: &Ui, rect: Rect, at: u32) {
        let Some(ticked) = self.selection.ticked().get(at as usize) else { return };
        let path = ticked.path.clone();
        let value = "missing".to_owned();
        let response =
            self.leaf_ui(ui, rect, Leaf { id: None, path: &path, label_len: path.len(), folder: false, depth: 0, value });
        response.on_hover_text("Ticked, but nothing of this path has been registered yet");
    }

    fn node_ui(&mut self, ui: &Ui, rect: Rect, node: u32) {
        let (depth, entry) = (self.panel.tree().node(node).depth, self.panel.tree().node(node).entry);
        let has_children = self.panel.tree().node(node).has_children(node);
        match entry {
            Some(entry) => self.entry_ui(ui, rect, entry, depth, has_children.then_some(node)),
            None => self.folder_ui(ui, rect, node, depth),
        }
    }

    /// A row with a series of its own; `folder` when there is something below it, too.
    fn entry_ui(&mut self, ui: &Ui, rect: Rect, entry: u32, depth: u32, folder: Option<u32>) {
        let listed = *self.panel.listing().entry(entry as usize);
        let path = self.panel.listing().path(entry as usize).to_owned();
        let watch = self.selection.watch_of(listed.id);
        let value = self.value_text(listed.id, listed.unit, |source| match watch {
            Some(watch) => source.window(&watch, 1).last(),
            None => source.peek(listed.id),
        });
        let in_place = self.panel.tree().label(self.panel.listing(), self.panel.tree().node_of_entry(entry)).len();
        // Similar paths stand outside their folders: with the whole path.
        let label_len = if depth == 0 && folder.is_none() { path.len() } else { in_place };
        let response =
            self.leaf_ui(ui, rect, Leaf { id: Some(listed.id), path: &path, label_len, folder: folder.is_some(), depth, value });
        if let Some(node) = folder {
            self.triangle_ui(ui, triangle_rect(rect, depth), node, &path);
        }
        let description = self.panel.listing().description(entry as usize);
        let now = self.panel.texts.get(&listed.id);
        response.on_hover_ui(|ui| {
            ui.set_max_width(420.0);
            ui.strong(one_line(&path, 600));
            ui.label(kind_text(listed.kind, listed.unit));
            if let Some(budget) = listed.budget {
                ui.label(format!("budget {}", exact_text(budget, listed.unit)));
            }
            if !description.is_empty() {
                ui.label(one_line(description, 600));
            }
            if let Some(now) = now {
                ui.label(format!("now {now}"));
            }
        });
    }

    /// A check box with a name and a value; the whole row ticks.
    fn leaf_ui(&mut self, ui: &Ui, rect: Rect, leaf: Leaf<'_>) -> Response {
        let left = checkbox_left(rect, leaf.depth);
        let id = ui.make_persistent_id(("leaf", leaf.id, leaf.path));
        let target = Rect::from_min_max(pos2(left - 3.0, rect.top()), rect.max);
        let response = ui.interact(target, id, Sense::click());
        let mut ticked = self.selection.contains(leaf.path);
        if response.clicked() {
            ticked = !ticked;
            self.selection.set(leaf.path, ticked);
        }
        self.paint_hover(ui, rect, &response);
        let color = self.color_of(leaf.path);
        paint::checkbox(ui.painter(), checkbox_rect(rect, leaf.depth), Some(ticked), color, self.theme);
        let text_color = if ticked { self.theme.text } else { self.theme.text.gamma_multiply(0.88) };
        let name = self.marked(leaf.path, leaf.label_len, leaf.folder, text_color);
        self.name_and_value(ui, rect, left + CHECKBOX + 7.0, (name, text_color), &leaf.value);
        let described = || (leaf.path.to_owned(), leaf.value.clone());
        access::describe_checkbox(ui.ctx(), id, Some(ticked), described);
        response
    }

    fn folder_ui(&mut self, ui: &Ui, rect: Rect, node: u32, depth: u32) {
        let path = self.panel.tree().path(self.panel.listing(), node).to_owned();
        let count = format!("{} series", whole_text(f64::from(self.panel.tree().node(node).series_below())));
        let opened = self.triangle_ui(ui, rect, node, &path);
        self.paint_hover(ui, rect, &opened);
        let box_rect = checkbox_rect(rect, depth);
        let id = ui.make_persistent_id(("folder", node));
        let ticking = ui.interact(box_rect.expand(3.0), id, Sense::click());
        let state = self.panel.folder_ticked(node);
        if ticking.clicked() {
            // Where only some are ticked and no more fit, all that a click can do is to untick.
            let full = state.is_none() && self.selection.ticked().len() >= MAX_TICKED;
            self.tick_folder(node, state != Some(true) && !full);
        }
        paint::checkbox(ui.painter(), box_rect, state, self.theme.accent, self.theme);
        let label_len = self.panel.tree().label(self.panel.listing(), node).len();
        let left = checkbox_left(rect, depth) + CHECKBOX + 7.0;
        let name = self.marked(&path, label_len, true, self.theme.text);
        self.folder_name(ui, rect, left, name, &count);
        access::describe_checkbox(ui.ctx(), id, state, || (path.clone(), count.clone()));
        ticking.on_hover_text("Tick everything in this folder");
        opened.on_hover_text_at_pointer(one_line(&path, 600));
    }

    /// The control that opens and closes a folder; it takes the clicks on all of `rect`.
    fn triangle_ui(&mut self, ui: &Ui, rect: Rect, node: u32, path: &str) -> Response {
        let id = ui.make_persistent_id(("fold", node));
        let response = ui.interact(rect, id, Sense::click());
        if response.clicked() {
            self.panel.fold(node);
        }
        let open = self.panel.is_open(node);
        let depth = self.panel.tree().node(node).depth;
        let center = triangle_rect(rect_of_row(rect, depth), depth).center();
        let color = if response.hovered() { self.theme.text } else { self.theme.weak };
        ui.painter().add(paint::fold_triangle(center, open, color));
        access::describe_button(ui.ctx(), id, || format!("{} {path}", if open { "Close" } else { "Open" }));
        response
    }

    fn tick_folder(&mut self, node: u32, on: bool) {
        for path in self.panel.paths_below(node) {
            if on && self.selection.ticked().len() >= MAX_TICKED {
                break;
            }
            self.selection.set(path, on);
        }
    }

    fn paint_hover(&self, ui: &Ui, rect: Rect, response: &Response) {
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect.shrink2(vec2(2.0, 0.0)), 3.0, self.theme.hover);
        }
    }

    /// The name from `left` on, matches of the search marked, and the value against the right edge.
    fn name_and_value(&self, ui: &Ui, rect: Rect, left: f32, (name, color): (LayoutJob, Color32), value: &str) {
        let right = rect.right() - 10.0;
        let value_rect = Rect::from_min_max(pos2(left.max(right - VALUE_WIDTH), rect.top()), pos2(right, rect.bottom()));
        // Not clipped to the row: each clip rectangle is a draw call of its own.
        let painter = ui.painter();
        let value_font = number_font();
        let value_color = if value == NO_VALUE { self.theme.weak.gamma_multiply(0.7) } else { self.theme.weak };
        let galley = paint::elided(painter, paint::line(value, value_font, value_color), value_rect.width());
        let value_left = value_rect.right() - galley.size().x;
        let top = (rect.center().y - galley.size().y / 2.0).round();
        painter.galley(pos2(value_left, top), galley, value_color);
        let name_rect = Rect::from_min_max(pos2(left, rect.top()), pos2(value_left - 8.0, rect.bottom()));
        if name_rect.width() >= LEAST_TEXT {
            let galley = paint::elided(painter, name, name_rect.width());
            paint::galley_in(painter, name_rect, galley, color);
        }
    }

    /// The name of a folder from `left` on, and how many series it has right behind.
    fn folder_name(&self, ui: &Ui, rect: Rect, left: f32, name: LayoutJob, count: &str) {
        let rect = Rect::from_min_max(pos2(left, rect.top()), pos2(rect.right() - 10.0, rect.bottom()));
        if rect.width() < LEAST_TEXT {
            return;
        }
        let galley = paint::elided(ui.painter(), name, rect.width());
        let behind = rect.with_min_x(rect.left() + galley.size().x + 8.0);
        paint::galley_in(ui.painter(), rect, galley, self.theme.text);
        if behind.width() >= 2.0 * LEAST_TEXT {
            paint::text_in(ui.painter(), behind, count, small_font(), self.theme.weak);
        }
    }

    /// The last `label_len` bytes of a path, with the matches of the search marked.
    fn marked(&self, path: &str, label_len: usize, folder: bool, color: Color32) -> LayoutJob {
        let (above, name) = path.split_at(path.len() - label_len);
        let name = one_line(name, NAME_LIMIT);
        if !self.panel.is_searching() {
            return paint::line(&name, text_font(), color);
        }
        let plain = TextFormat::simple(text_font(), color);
        let marked = TextFormat { background: self.theme.mark, color: self.theme.text, ..plain.clone() };
        let mut job = LayoutJob::default();
        let mut end = 0;
        for mark in self.panel.query().marks(&format!("{above}{name}"), folder) {
            let mark = mark.start.saturating_sub(above.len())..mark.end.saturating_sub(above.len());
            if mark.is_empty() {
                continue;
            }
            job.append(&name[end..mark.start], 0.0, plain.clone());
            job.append(&name[mark.clone()], 0.0, marked.clone());
            end = mark.end;
        }
        job.append(&name[end..], 0.0, plain);
        job
    }

    fn color_of(&self, path: &str) -> Color32 {
        let ticked = self.selection.ticked().iter().find(|ticked| ticked.path == path);
        series_color(ticked.map_or_else(|| preferred_slot(path), |ticked| ticked.slot), self.theme.dark)
    }

    /// The value of a series as it is shown: asked for in every frame, written anew when the numbers are refreshed.
    fn value_text(&mut self, id: SeriesId, unit: Unit, read: impl FnOnce(&mut dyn Source) -> Option<f64>) -> String {
        let shown = self.panel.texts.get(&id);
        if self.paused {
            return shown.map_or_else(|| NO_VALUE.to_owned(), String::clone);
        }
        let value = read(self.source);
        if let Some(shown) = shown {
            return shown.clone();
        }
        match value {
            None => NO_VALUE.to_owned(),
            Some(value) => {
                let text = value_text(value, unit);
                self.panel.texts.insert(id, text.clone());
                text
            }
        }
    }
}

/// What one row with a series shows.
struct Leaf<'a> {
    /// Of series: two of one path must not be one widget.
    id: Option<SeriesId>,
    path: &'a str,
    /// How much of the path's end is shown.
    label_len: usize,
    /// Whether there is something below it, too.
    folder: bool,
    depth: u32,
    value: String,
}

fn child(ui: &mut Ui, rect: Rect, salt: &str) -> Ui {
    let mut child = ui.new_child(UiBuilder::new().id_salt(salt).max_rect(rect));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    child
}

/// `rect` or, where that is a triangle alone, something that has its triangle at the same place.
fn rect_of_row(rect: Rect, depth: u32) -> Rect {
    if rect.width() > 16.0 { rect } else { rect.translate(vec2(-(6.0 + indent(depth)), 0.0)) }
}

fn indent(depth: u32) -> f32 {
    depth.min(INDENTS) as f32 * INDENT
}

fn triangle_rect(row: Rect, depth: u32) -> Rect {
    Rect::from_min_size(pos2(row.left() + 6.0 + indent(depth), row.top()), vec2(14.0, row.height()))
}

fn checkbox_left(row: Rect, depth: u32) -> f32 {
    row.left() + 22.0 + indent(depth)
}

fn checkbox_rect(row: Rect, depth: u32) -> Rect {
    let center = pos2(checkbox_left(row, depth) + CHECKBOX / 2.0, row.center().y);
    Rect::from_center_size(center, Vec2::splat(CHECKBOX))
}

fn kind_text(kind: stats_core::Kind, unit: Unit) -> String {
    use stats_core::Kind;
    let kind = match kind {
        Kind::Counter => "counter: what was added during each frame",
        Kind::UpDownCounter => "up-down counter: its level at the end of each frame",
        Kind::Gauge => "gauge: the value last set",
        Kind::Timer => "timer: time spent during each frame",
        Kind::TimerCalls => "calls: how often the timer ran during each frame",
        _ => "series",
    };
    match unit.symbol() {
        "" => kind.to_owned(),
        symbol => format!("{kind}, in {symbol}"),
    }
}
