//! Shows the rows of the tree: series, folders and headings.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

use egui::{Color32, DragAndDrop, Painter, PointerButton, Rect, Response, Sense, Ui, vec2};
use stats_core::{SeriesId, SeriesKind, Unit};

use crate::data::selection::slot_of;
use crate::paint::sparkline::RANGE_FRAMES;
use crate::search::query::Word;
use crate::tree::painted::{Between, RowPlace};
use crate::tree::ranking::{MOVED, RankingColumn, SPIKES, TOGETHER};
use crate::tree::request::{Dragged, TreeRequest};
use crate::tree::row_menu_ui::MenuOf;
use crate::tree::row_paint::{
    CHECKBOX, Cost, Folded, ICON_WIDTH, RowPaint, SPARK_FROM, Values, checkbox_left, checkbox_rect,
    triangle_rect,
};
use crate::tree::row_values::{RowText, RowValues, Shows};
use crate::tree::rows::Row;
use crate::tree::ui::TreeUi;
use stats_analysis::format::{exact_text, value_text, whole_text};
use stats_ui::accessibility;
use stats_ui::icons;
use stats_ui::palette::preferred_slot;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::small_font;
use stats_ui::tooltip;

/// The minimum widths, in points, of a row with a star or a pin: of the row under the pointer or the
/// cursor, and of all others. Names have priority in a narrow tree.
const ICONS_FROM: f32 = 150.0;
const SET_ICONS_FROM: f32 = 200.0;

/// The contents of a row with a series.
struct Leaf<'a> {
    /// Distinguishes widgets: two series with one path, or a series that is both a favorite and a
    /// match, must not share an id.
    id: Option<SeriesId>,
    path: &'a str,
    /// The number of bytes shown from the end of the path.
    label_len: usize,
    /// The node, if it also has children.
    folder: Option<u32>,
    depth: u32,
    is_favorite: bool,
}

impl<'a> Leaf<'a> {
    /// Returns the contents of a row whose path is not in the listing.
    fn unlisted(path: &'a str, is_favorite: bool) -> Self {
        Self {
            id: None,
            path,
            label_len: path.len(),
            folder: None,
            depth: 0,
            is_favorite,
        }
    }
}

impl TreeUi<'_> {
    pub(super) fn row_ui(&mut self, ui: &Ui, place: RowPlace, row: Row) {
        match row {
            Row::Missing(_) => self.missing_ui(ui, place, row, false),
            Row::Node(node) => self.node_ui(ui, place, node),
            Row::Similar(entry) => self.entry_ui(ui, place, entry, 0, None, false),
            Row::Favorite(at) => match self.panel.favorites.entry(at) {
                Some(entry) => self.entry_ui(ui, place, entry, 0, None, true),
                None => self.missing_ui(ui, place, row, true),
            },
            Row::FavoritesHeading => self.heading_ui(ui, place, "Favorites"),
            Row::AllHeading => self.heading_ui(ui, place, "All"),
            Row::SimilarHeading => self.heading_ui(ui, place, "Similar"),
            Row::NoneFoundHeading => {
                let text = self.none_found_text();
                self.heading_ui(ui, place, &text);
                let id = ui.make_persistent_id("none found");
                accessibility::describe(ui.ctx(), id, place.rect, || (text, String::new()));
            }
            Row::RankedHeading => {
                let with = one_line(&self.panel.together_with, 60);
                let (title, columns): (_, &[RankingColumn]) =
                    match self.panel.search.query().ranked_by() {
                        Some(Word::Together) => (format!("Together with {with}"), &TOGETHER),
                        Some(Word::Moved) => ("Moved since A".to_owned(), &MOVED),
                        _ => ("Spikes".to_owned(), &SPIKES),
                    };
                let of = (title.as_str(), columns);
                self.paint_row(ui, place, of.0, &mut |paint, painter, _| {
                    paint.ranking_heading(painter, place.rect, of);
                    Between::default()
                });
            }
            Row::Ranked(id) => {
                if let Some(entry) = self.panel.listing().entry_of(id) {
                    self.entry_ui(ui, place, entry, 0, None, false);
                }
            }
        }
    }

    fn heading_ui(&mut self, ui: &Ui, place: RowPlace, text: &str) {
        self.paint_row(ui, place, text, &mut |paint, painter, _| {
            let rect = place.rect.shrink2(vec2(8.0, 0.0));
            shapes::text_in(painter, rect, text, small_font(), paint.theme.weak);
            Between::default()
        });
    }

    /// Shows a path that is not registered.
    fn missing_ui(&mut self, ui: &Ui, place: RowPlace, row: Row, is_favorite: bool) {
        let Some(path) = self.panel.row_path(row).map(str::to_owned) else {
            return;
        };
        let leaf = Leaf::unlisted(&path, is_favorite);
        let (response, _) = self.leaf_ui(ui, place, &leaf);
        let chosen = if is_favorite {
            "A favorite"
        } else {
            "Selected"
        };
        tooltip::beside(&response, |ui| {
            ui.label(format!(
                "{chosen}, but no series with this path has been registered yet"
            ));
        });
    }

    fn node_ui(&mut self, ui: &Ui, place: RowPlace, node: u32) {
        let (depth, entry) = (
            self.panel.tree().node(node).depth(),
            self.panel.tree().node(node).entry(),
        );
        let has_children = self.panel.tree().node(node).has_children();
        match entry {
            Some(entry) => {
                self.entry_ui(ui, place, entry, depth, has_children.then_some(node), false)
            }
            None => self.folder_ui(ui, place, node, depth),
        }
    }

    /// Shows a row with a series; `folder` is its node if it also has children.
    fn entry_ui(
        &mut self,
        ui: &Ui,
        place: RowPlace,
        entry: u32,
        depth: u32,
        folder: Option<u32>,
        is_favorite: bool,
    ) {
        let listed = self.panel.listing().entry(entry);
        let mut path = std::mem::take(&mut self.panel.path);
        path.clear();
        path.push_str(self.panel.listing().path(entry));
        let in_place = self
            .panel
            .tree()
            .label(self.panel.listing(), self.panel.tree().node_of_entry(entry))
            .len();
        // Rows outside their folders, such as favorites and fuzzy matches, show the whole path.
        let label_len = if depth == 0 && folder.is_none() {
            path.len()
        } else {
            in_place
        };
        let id = Some(listed.id);
        let leaf = Leaf {
            id,
            path: &path,
            label_len,
            folder,
            depth,
            is_favorite,
        };
        let (response, text) = self.leaf_ui(ui, place, &leaf);
        let description = self.panel.listing().description(entry);
        tooltip::beside(&response, |ui| {
            ui.strong(one_line(&path, 600));
            ui.label(kind_text(listed.kind, listed.unit));
            if let Some(budget) = self.panel.listing().budget(entry) {
                ui.label(format!("budget {}", exact_text(budget, listed.unit)));
            }
            if !description.is_empty() {
                ui.label(one_line(description, 600));
            }
            ui.label(match self.panel.values[place.on_screen].shows {
                Shows::Reason | Shows::Columns(_) => text.value.clone(),
                _ if !text.samples.is_empty() => text.samples.clone(),
                _ => format!("now {}", text.value),
            });
            range_label(ui, &text);
        });
        self.panel.path = path;
    }

    /// Shows a checkbox with a name and a value. A click anywhere on the row toggles it.
    fn leaf_ui(&mut self, ui: &Ui, place: RowPlace, leaf: &Leaf<'_>) -> (Response, Arc<RowText>) {
        let RowPlace { rect, .. } = place;
        let left = checkbox_left(rect, leaf.depth);
        let id = ui.make_persistent_id((
            "leaf",
            leaf.id,
            leaf.path,
            leaf.is_favorite,
            leaf.folder.is_some(),
        ));
        let response = ui.interact(rect.with_min_x(left - 3.0), id, row_sense(ui));
        let mut selected = self.selection.contains(leaf.path);
        if response.clicked() {
            selected = !selected;
            self.selection.set(leaf.path, selected);
            self.panel.click_row(place.at);
        }
        let pointed = self.is_pointed(ui, rect);
        let color = self.color_of(leaf.path);
        let text = Arc::clone(&self.panel.values[place.on_screen].text);
        let icons = self.icons_of(rect, leaf.path, pointed || place.is_cursor);
        // Each button has a fixed place, so that none moves when the pointer enters the row.
        let icons_width = if icons.iter().all(Option::is_none) {
            0.0
        } else {
            2.0 * ICON_WIDTH
        };
        let values = &self.panel.values[place.on_screen];
        let has_spark = rect.width() >= SPARK_FROM && !values.newest().is_empty();
        let is_bright = pointed || response.has_focus();
        self.paint().highlight(ui.painter(), place, is_bright);
        let folded = leaf.folder.map(|node| {
            let triangle = triangle_rect(rect, leaf.depth);
            let (_, folded) = self.triangle_ui(ui, triangle, (node, rect), leaf.path);
            folded
        });
        let contents = (
            (leaf.path, leaf.label_len, leaf.depth, folded),
            (
                discriminant(&self.panel.values[place.on_screen].shows),
                &text.value,
                &text.range,
                has_spark,
                icons_width > 0.0,
            ),
            (selected, color),
        );
        let between = self.paint_row(ui, place, contents, &mut |paint, painter, values| {
            if let Some(folded) = folded {
                paint.triangle(painter, triangle_rect(rect, leaf.depth), folded);
            }
            let checkbox = checkbox_rect(rect, leaf.depth);
            shapes::checkbox(painter, checkbox, Some(selected), color, paint.theme);
            let text_color = if selected {
                paint.theme.text
            } else {
                paint.theme.text.gamma_multiply(0.88)
            };
            let is_folder = leaf.folder.is_some();
            let name = paint.marked(leaf.path, leaf.label_len, is_folder, text_color);
            let left = left + CHECKBOX + 7.0;
            let values = Values {
                text: &values.text,
                shows: &values.shows,
                icons_width,
                has_spark,
            };
            paint.name_and_values(painter, rect, left, (name, text_color), &values)
        });
        if let Some(spark) = between.spark {
            let newest = self.panel.values[place.on_screen].newest();
            (self.panel.painted).add_spark(ui.painter(), spark, newest, color);
        }
        accessibility::describe_checkbox(ui.ctx(), id, Some(selected), || {
            let name = if leaf.is_favorite {
                format!("{} (favorite)", leaf.path)
            } else {
                leaf.path.to_owned()
            };
            let gone = if place.is_dimmed {
                ", no longer found"
            } else {
                ""
            };
            (name, format!("{}{gone}", text.value))
        });
        for icon in icons.into_iter().flatten() {
            let right = between.icons_right - icon.0 as u8 as f32 * ICON_WIDTH;
            let place = rect.with_min_x(right - ICON_WIDTH).with_max_x(right);
            self.icon_ui(ui, place, leaf, icon);
        }
        self.drag_and_menu(ui, &response, &MenuOf::Series(leaf.path));
        (response, text)
    }

    /// Returns the buttons of a row: those that can be set if `all` is true, otherwise those that
    /// are set.
    fn icons_of(&self, rect: Rect, path: &str, all: bool) -> [Option<(Icon, bool)>; 2] {
        let icons = [
            (Icon::Star, self.panel.favorites.contains(path)),
            (Icon::Pin, self.is_pinned(path)),
        ];
        let has_room = rect.width() >= if all { ICONS_FROM } else { SET_ICONS_FROM };
        icons.map(|(icon, set)| (has_room && (set || all)).then_some((icon, set)))
    }

    fn icon_ui(&mut self, ui: &Ui, rect: Rect, leaf: &Leaf<'_>, (icon, set): (Icon, bool)) {
        let id = ui.make_persistent_id((
            "icon",
            icon,
            leaf.id,
            leaf.path,
            leaf.is_favorite,
            leaf.folder.is_some(),
        ));
        let response = ui.interact(rect, id, Sense::click());
        let path = leaf.path;
        let color = if set || response.hovered() {
            self.theme.accent
        } else {
            self.theme.weak
        };
        let (paint, verbs, help): (fn(&egui::Painter, egui::Pos2, bool, egui::Color32), _, _) =
            match icon {
                Icon::Star => (
                    icons::star,
                    ["Add to favorites", "Remove from favorites"],
                    "Show above the tree",
                ),
                Icon::Pin => (icons::pin, ["Pin", "Unpin"], "Show in the HUD"),
            };
        paint(ui.painter(), rect.center(), set, color);
        accessibility::describe_button(ui.ctx(), id, || {
            format!("{} {path}", verbs[usize::from(set)])
        });
        if response.clicked() {
            match icon {
                Icon::Star => self.panel.set_favorite(path, !set),
                Icon::Pin => self.requests.push(TreeRequest::Pin {
                    path: path.to_owned(),
                    on: !set,
                }),
            }
        }
        tooltip::hint(&response, help);
    }

    fn folder_ui(&mut self, ui: &Ui, place: RowPlace, node: u32, depth: u32) {
        let RowPlace { rect, .. } = place;
        let mut path = std::mem::take(&mut self.panel.path);
        path.clear();
        path.push_str(self.panel.tree().path(self.panel.listing(), node));
        let series = self.panel.tree().node(node).series_below();
        let count = || format!("{} series", whole_text(f64::from(series)));
        let cost = self.panel.costs.of(node).map(|cost| {
            let text = value_text(cost.ms, Unit::Milliseconds);
            match cost.may_overlap {
                true => Cost {
                    text: format!("sum {text}"),
                    share: None,
                },
                false => Cost {
                    text,
                    share: Some(self.panel.costs.share(cost.ms)),
                },
            }
        });
        let is_pointed = self.is_pointed(ui, rect);
        let box_rect = checkbox_rect(rect, depth);
        let state = self.panel.folder_selected(node);
        let label_len = self.panel.tree().label(self.panel.listing(), node).len();
        self.paint().highlight(ui.painter(), place, is_pointed);
        let (opened, folded) = self.triangle_ui(ui, rect, (node, rect), &path);
        let shown = cost
            .as_ref()
            .map(|cost| (&cost.text, cost.share.map(|share| (share * 100.0) as u32)));
        let contents = (
            path.as_str(),
            label_len,
            depth,
            series,
            state,
            folded,
            shown,
        );
        self.paint_row(ui, place, contents, &mut |paint, painter, _| {
            paint.triangle(painter, triangle_rect(rect, depth), folded);
            shapes::checkbox(painter, box_rect, state, paint.theme.accent, paint.theme);
            let left = checkbox_left(rect, depth) + CHECKBOX + 7.0;
            let name = paint.marked(&path, label_len, true, paint.theme.text);
            let right = cost
                .as_ref()
                .map(|cost| paint.cost(painter, rect, left, cost));
            let rest = rect.with_max_x(right.unwrap_or(rect.right()));
            paint.folder_name(painter, rest, left, name, &count());
            Between::default()
        });
        let id = ui.make_persistent_id(("folder", node));
        let checkbox = ui.interact(box_rect.expand(3.0), id, Sense::click());
        if opened.clicked() || checkbox.clicked() {
            self.panel.click_row(place.at);
        }
        if checkbox.clicked() {
            self.panel.select_folder(node, self.selection);
        }
        accessibility::describe_checkbox(ui.ctx(), id, state, || {
            let cost = cost
                .as_ref()
                .map_or_else(String::new, |Cost { text, share }| match share {
                    Some(share) => {
                        let percent = share * 100.0;
                        format!(", {text} a frame, {percent:.0} % of the usual frame")
                    }
                    None => format!(", {text} of times that may overlap, a frame"),
                });
            (path.clone(), count() + &cost)
        });
        tooltip::hint(&checkbox, "Select everything in this folder");
        self.drag_and_menu(ui, &opened, &MenuOf::Folder(node, &path));
        tooltip::beside(&opened, |ui| {
            ui.label(one_line(&path, 600));
            if cost.as_ref().is_some_and(|cost| cost.share.is_none()) {
                ui.small(
                    "The sum of times that may overlap: of several threads, or without scopes",
                );
            }
        });
        self.panel.path = path;
    }

    /// Makes `rect` the control that opens and closes a folder. Returns its state for painting.
    fn triangle_ui(
        &mut self,
        ui: &Ui,
        rect: Rect,
        (node, row): (u32, Rect),
        path: &str,
    ) -> (Response, Folded) {
        let id = ui.make_persistent_id(("fold", node));
        let sense = if rect == row {
            row_sense(ui)
        } else {
            Sense::click()
        };
        let response = ui.interact(rect, id, sense);
        if response.clicked() {
            self.panel.fold(node);
        }
        let open = self.panel.is_open(node);
        accessibility::describe_button(ui.ctx(), id, || {
            format!("{} {path}", if open { "Close" } else { "Open" })
        });
        let is_bright = response.hovered();
        (response, Folded { open, is_bright })
    }

    /// Paints a row if `contents` changed, or if anything that all rows depend on changed.
    fn paint_row(
        &mut self,
        ui: &Ui,
        place: RowPlace,
        contents: impl Hash,
        paint: &mut dyn FnMut(RowPaint<'_>, &Painter, &RowValues) -> Between,
    ) -> Between {
        let panel = &mut *self.panel;
        let query = panel.search.is_active().then(|| panel.search.query());
        let mut hash = DefaultHasher::new();
        (contents, query.map(|_| panel.search.text())).hash(&mut hash);
        let (theme, values) = (self.theme, &panel.values[place.on_screen]);
        let painters = RowPaint { theme, query };
        (panel.painted).row(
            ui.painter(),
            (place, theme),
            hash.finish(),
            &mut |painter| paint(painters, painter, values),
        )
    }

    fn paint(&self) -> RowPaint<'_> {
        let (theme, query) = (self.theme, None);
        RowPaint { theme, query }
    }

    fn color_of(&self, path: &str) -> Color32 {
        let slot = slot_of(self.selection.selected(), path, preferred_slot(path));
        self.theme.series(slot)
    }

    /// Makes a row draggable and shows its menu.
    fn drag_and_menu(&mut self, ui: &Ui, response: &Response, of: &MenuOf<'_>) {
        if response.drag_started_by(PointerButton::Primary) {
            let paths = self.paths_of(of);
            DragAndDrop::set_payload(ui.ctx(), Dragged { paths });
        }
        self.row_menu_ui(ui, response, of);
    }

    /// Returns whether the pointer is over a row or its buttons.
    fn is_pointed(&self, ui: &Ui, rect: Rect) -> bool {
        ui.rect_contains_pointer(rect) && !DragAndDrop::has_any_payload(ui.ctx())
    }
}

/// A button of a row, from the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Icon {
    Star,
    Pin,
}

/// A mouse drags rows; a finger scrolls the list.
fn row_sense(ui: &Ui) -> Sense {
    if ui.input(egui::InputState::any_touches) {
        Sense::click()
    } else {
        Sense::click_and_drag()
    }
}

fn range_label(ui: &mut Ui, text: &RowText) {
    if !text.range.is_empty() {
        ui.label(format!(
            "{} in the last {RANGE_FRAMES} frames or since it was selected",
            text.range
        ));
    }
}

fn kind_text(kind: SeriesKind, unit: Unit) -> String {
    let kind = match kind {
        SeriesKind::Counter => "counter: the sum added in each frame",
        SeriesKind::UpDownCounter => "up-down counter: its level at the end of each frame",
        SeriesKind::Gauge => "gauge: the value last set",
        SeriesKind::Timer => "timer: the time spent in each frame",
        SeriesKind::TimerCalls => "calls: the number of times the timer ran in each frame",
        SeriesKind::TimerSelf => "self time: the time without the scopes inside",
        SeriesKind::Histogram => {
            "histogram: the samples of this run; in a graph or a table, the sum of each frame"
        }
        SeriesKind::HistogramSamples => "samples: the number of samples of each frame",
        SeriesKind::FrameTime => "frame time: the duration of each frame",
        _ => "series",
    };
    match unit.symbol() {
        "" => kind.to_owned(),
        symbol => format!("{kind}, in {symbol}"),
    }
}
