//! The filters, all of which apply at once, and the levels of the tree.

use std::borrow::Cow;
use std::collections::HashSet;

use egui::{
    Align, Button, ComboBox, Layout, RichText, ScrollArea, Sense, TextEdit, Ui, UiBuilder, vec2,
};

use super::figures::bytes_text;
use super::layout_ui::menu_ui;
use super::memory_panel::MemoryPanel;
use super::snapshots::{ListedSnapshot, Snapshots};
use crate::tree::{Changes, Filter, Levels};
use stats_ui::accessibility;
use stats_ui::popup;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, small_font};
use stats_ui::tooltip;

/// The width of a text field, in points.
const FIELD: f32 = 116.0;
/// The width of a menu, in points.
const MENU: f32 = 240.0;
/// The minimum width of the panel, in points, that shows the levels outside a menu. In a narrower
/// panel, they would push the filters to a second line.
const MIN_WITH_LEVELS: f32 = 970.0;
/// The maximum number of characters of a name in a menu.
const NAME_CHARS: usize = 60;

/// The tooltip of a level that is not available.
const NO_LEVEL: &str = "A dump with one line per tag (mode Tags) has neither threads nor sizes. Dumps in mode Records have both";

const CHANGES: [(Changes, &str); 6] = [
    (Changes::All, "all"),
    (Changes::Grown, "grown"),
    (Changes::EveryStep, "grown in every step"),
    (Changes::Shrunk, "shrunk"),
    (Changes::New, "new"),
    (Changes::Gone, "gone"),
];

impl MemoryPanel {
    pub(super) fn filter_ui(&mut self, ui: &mut Ui, theme: &Theme) {
        ui.horizontal_wrapped(|ui| {
            self.facet_ui(ui, theme, "Threads");
            self.facet_ui(ui, theme, "Groups");
            self.field_ui(ui, "Scope filter", "scope");
            self.field_ui(ui, "Name filter", "name");
            if self.is_comparison() {
                self.changes_ui(ui, theme);
            }
            let is_set = self.filter != Filter::default();
            if ui
                .add_enabled(is_set, Button::new("Clear filters"))
                .clicked()
            {
                self.filter = Filter::default();
            }
            if ui.max_rect().width() < MIN_WITH_LEVELS {
                self.levels_menu_ui(ui, theme);
            } else {
                ui.label(RichText::new("levels").font(small_font()).color(theme.weak));
                self.levels_ui(ui);
            }
            if ui
                .button(RichText::new("Close all").font(small_font()))
                .clicked()
            {
                self.list.close_all();
            }
        });
    }

    /// Draws the menu of threads or groups, each with its bytes and a check box.
    fn facet_ui(&mut self, ui: &mut Ui, theme: &Theme, title: &str) {
        let is_threads = title == "Threads";
        if is_threads && !self.snapshots.has_threads() {
            return;
        }
        let text = match self.filter.chosen(is_threads).len() {
            0 => RichText::new(format!("{title}: all")),
            count => RichText::new(format!("{title}: {count}")).color(theme.accent),
        };
        menu_ui(ui, Button::new(text), &mut |ui| {
            ui.set_width(MENU);
            self.names_ui(ui, theme, is_threads);
        });
    }

    /// Draws a check box for "all" and one for each name. "All" is checked if no name is. Only the
    /// names on screen are laid out.
    fn names_ui(&mut self, ui: &mut Ui, theme: &Theme, is_threads: bool) {
        let Self {
            filter, snapshots, ..
        } = self;
        let chosen = filter.chosen(is_threads);
        let mut all = chosen.is_empty();
        if ui.checkbox(&mut all, "all").changed() {
            chosen.clear();
        }
        let listed = chosen.clone();
        let names = names(snapshots, &listed, is_threads);
        let height = ui.spacing().interact_size.y;
        ScrollArea::vertical()
            .max_height(300.0)
            .auto_shrink([false, true])
            .show_rows(ui, height, names.len(), |ui, seen| {
                names[seen]
                    .iter()
                    .for_each(|(name, bytes)| name_ui(ui, theme, chosen, name, *bytes));
            });
    }

    /// Draws the field for words in scopes or names.
    fn field_ui(&mut self, ui: &mut Ui, label: &str, hint: &str) {
        let is_name = hint == "name";
        // The id does not depend on the widgets before the field. Otherwise, the field would lose
        // the focus when one of them appears or disappears.
        let id = self.id.with(label);
        if is_name && std::mem::take(&mut self.focus_name) {
            // Requested before the field is drawn, so that it gets text typed right after the key.
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let text = if is_name {
            &mut self.filter.name
        } else {
            &mut self.filter.scope
        };
        let field = ui.add(
            TextEdit::singleline(text)
                .id(id)
                .hint_text(hint)
                .desired_width(FIELD),
        );
        accessibility::name_field(ui.ctx(), field.id, label);
        let help = format!("Words that must all appear in the {hint}, in upper or lower case");
        tooltip::with_text(field, &help);
    }

    fn changes_ui(&mut self, ui: &mut Ui, theme: &Theme) {
        let name = CHANGES
            .iter()
            .find(|(changes, _)| *changes == self.filter.changes)
            .map_or("all", |(_, name)| name);
        let is_all = self.filter.changes == Changes::All;
        let color = if is_all { theme.text } else { theme.accent };
        let text = RichText::new(format!("changes: {name}")).color(color);
        let list = ComboBox::from_id_salt("changes")
            .selected_text(text)
            .width(116.0);
        let list = popup::combo_box(ui, list, &mut |ui| {
            for (changes, name) in CHANGES {
                ui.selectable_value(&mut self.filter.changes, changes, name);
            }
        });
        accessibility::name_field(ui.ctx(), list.id, "Changes");
    }

    /// Draws the menu of levels, for a panel that is too narrow for buttons.
    fn levels_menu_ui(&mut self, ui: &mut Ui, theme: &Theme) {
        let is_default = self.levels == Levels::default();
        let color = if is_default { theme.text } else { theme.accent };
        let button = Button::new(RichText::new("Levels").color(color));
        menu_ui(ui, button, &mut |ui| self.levels_ui(ui));
    }

    /// Draws a button for each level. The last visible level cannot be turned off.
    fn levels_ui(&mut self, ui: &mut Ui) {
        let (available, levels) = (self.snapshots.available_levels(), &mut self.levels);
        let buttons = [
            ("thread", &mut levels.threads, available.threads),
            ("group", &mut levels.groups, true),
            ("scope", &mut levels.scopes, true),
            ("name", &mut levels.names, true),
            ("size", &mut levels.sizes, available.sizes),
        ];
        let count = buttons
            .iter()
            .filter(|(_, on, enabled)| **on && *enabled)
            .count();
        for (name, on, enabled) in buttons {
            let button = ui.add_enabled(
                enabled,
                Button::new(RichText::new(name).font(small_font())).selected(*on && enabled),
            );
            accessibility::describe_toggle(ui.ctx(), button.id, *on && enabled, || {
                format!("level {name}")
            });
            let clicked = button.clicked() && (!*on || count > 1);
            let button = tooltip::while_disabled(button, NO_LEVEL);
            tooltip::with_text(button, &format!("Shows a level of rows for each {name}"));
            if clicked {
                *on = !*on;
            }
        }
    }
}

/// Returns the threads or groups to list, in this order: in the shown snapshot, only in the snapshot to
/// compare with, only in the filter.
fn names<'a>(
    snapshots: &'a Snapshots,
    chosen: &'a [String],
    is_threads: bool,
) -> Vec<(&'a str, u64)> {
    let of = |kept: Option<&'a ListedSnapshot>| {
        let facets = kept.map(|kept| &kept.facets);
        facets.map_or(&[][..], |facets| {
            if is_threads {
                &facets.threads
            } else {
                &facets.groups
            }
        })
    };
    let now = of(snapshots.shown())
        .iter()
        .map(|(name, bytes)| (name.as_str(), *bytes));
    let others = of(snapshots.before())
        .iter()
        .map(|(name, _)| name)
        .chain(chosen)
        .map(|name| (name.as_str(), 0));
    let mut listed = HashSet::new();
    now.chain(others)
        .filter(|&(name, _)| listed.insert(name))
        .collect()
}

/// Draws a name with its check box, and its bytes on the right.
fn name_ui(ui: &mut Ui, theme: &Theme, chosen: &mut Vec<String>, name: &str, bytes: u64) {
    let mut is_in = chosen.iter().any(|other| other == name);
    let shown = if name.is_empty() {
        Cow::Borrowed("(none)")
    } else {
        one_line(name, NAME_CHARS)
    };
    let (rect, _) = ui.allocate_exact_size(
        vec2(ui.available_width(), ui.spacing().interact_size.y),
        Sense::hover(),
    );
    let size = shapes::text_at_end(
        ui.painter(),
        rect.shrink2(vec2(8.0, 0.0)),
        &bytes_text(bytes),
        small_font(),
        theme.weak,
    );
    let place = rect.with_max_x((size.left() - 8.0).max(rect.left()));
    let mut inside = ui.new_child(
        UiBuilder::new()
            .id_salt(("name", name))
            .max_rect(place)
            .layout(Layout::left_to_right(Align::Center)),
    );
    inside.set_clip_rect(place.intersect(ui.clip_rect()));
    if inside.checkbox(&mut is_in, shown).changed() {
        chosen.retain(|other| other != name);
        chosen.extend(is_in.then(|| name.to_owned()));
    }
}
