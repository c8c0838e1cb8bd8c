//! The bar above the tree: lists to choose snapshots, buttons to take new ones, the button for the
//! filters, and the damaged lines of dumps.

use egui::{Align, Button, ComboBox, Layout, Rect, RichText, ScrollArea, Stroke, Ui, vec2};

use super::figures::{allocations_text, bytes_change, bytes_text, count_change, share_text};
use super::layout_ui::menu_ui;
use super::memory_panel::{MemoryKind, MemoryPanel, PanelRequest};
use super::snapshots::ListedSnapshot;
use crate::tree::Filter;
use stats_analysis::format::{count_text, whole_text};
use stats_ui::accessibility;
use stats_ui::popup;
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font, text_font};
use stats_ui::tooltip;

/// The maximum width of the lists of snapshots, in points.
const LIST: f32 = 240.0;
/// The same in a bar that is narrower than [`WIDE`] and has buttons for new snapshots.
const SHORT_LIST: f32 = 148.0;
/// The minimum width of a bar with room for long texts, in points.
const WIDE: f32 = 900.0;
/// The height of a note, in points.
const LINE: f32 = 19.0;

impl MemoryPanel {
    /// Draws the bar at the top of `ui`, in as many lines as it needs.
    pub(super) fn bar_ui(
        &mut self,
        ui: &mut Ui,
        theme: &Theme,
        in_overlay: bool,
    ) -> Option<PanelRequest> {
        let mut request = None;
        ui.horizontal_wrapped(|ui| {
            let help = "Back to the panes. Esc";
            if in_overlay && tooltip::with_text(ui.button("Back"), help).clicked() {
                request = Some(PanelRequest::Back);
            }
            if in_overlay && self.has_switch {
                let other = self.switch_ui(ui);
                request = other.map(PanelRequest::Show).or(request);
            }
            self.lists_ui(ui, theme);
            self.take_ui(ui);
            if in_overlay && self.dump.is_some() {
                let help = "Saves a dump as a file, to open and compare later. Shift+B";
                if tooltip::with_text(ui.button("Save dump"), help).clicked() {
                    request = Some(PanelRequest::SaveDump);
                }
            }
            self.filters_button_ui(ui, theme);
            self.pages_button_ui(ui);
            self.damage_ui(ui, theme);
        });
        request
    }

    /// Draws the buttons to choose the kind of memory. Returns the kind that is to be shown instead.
    fn switch_ui(&self, ui: &mut Ui) -> Option<MemoryKind> {
        let mut chosen = None;
        for (kind, name, help) in [
            (MemoryKind::Main, "Main", "The memory of the program. B"),
            (
                MemoryKind::Video,
                "Video",
                "The memory of the graphics device: which texture, which buffer. Shift+G",
            ),
        ] {
            let is_shown = kind == self.kind;
            if toggle_ui(ui, name, help, is_shown) && !is_shown {
                chosen = Some(kind);
            }
        }
        chosen
    }

    /// Draws the lists to choose the shown snapshot and the one to compare with.
    fn lists_ui(&mut self, ui: &mut Ui, theme: &Theme) {
        let (shown, before) = (
            self.snapshots.shown_number(),
            self.snapshots.before_number(),
        );
        let Some(label) = self.snapshots.shown().map(|kept| kept.label.clone()) else {
            return;
        };
        if let Some(number) = self.list_ui(ui, "Snapshot", &label, shown, false) {
            self.show(number.unwrap_or_default());
        }
        if self.snapshots.list().len() < 2 {
            return;
        }
        let with = if ui.max_rect().width() < WIDE {
            "with"
        } else {
            "compared with"
        };
        ui.label(RichText::new(with).font(small_font()).color(theme.weak));
        let label = self
            .snapshots
            .before()
            .map_or("none".to_owned(), |kept| kept.label.clone());
        if let Some(number) = self.list_ui(ui, "Compare with", &label, before, true) {
            self.compare_with(number);
        }
    }

    /// Draws a list of the snapshots, with "none" if `with_none`. Returns the new choice.
    fn list_ui(
        &self,
        ui: &mut Ui,
        name: &str,
        text: &str,
        chosen: Option<u32>,
        with_none: bool,
    ) -> Option<Option<u32>> {
        let is_short = self.dump.is_some() && ui.max_rect().width() < WIDE;
        let width = if is_short { SHORT_LIST } else { LIST }.min(ui.max_rect().width() * 0.6);
        // A list is as wide as its text, up to `width`.
        let room = vec2(width, ui.spacing().interact_size.y);
        let list = ComboBox::from_id_salt(name)
            .selected_text(text)
            .width(SHORT_LIST.min(width))
            .truncate();
        let layout = Layout::left_to_right(Align::Center);
        let mut clicked = None;
        let mut choices_ui = |ui: &mut Ui| clicked = self.choices_ui(ui, chosen, with_none);
        let shown = ui.allocate_ui_with_layout(room, layout, |ui| {
            popup::combo_box(ui, list, &mut choices_ui)
        });
        accessibility::name_field(ui.ctx(), shown.inner.id, name);
        tooltip::with_text(shown.inner, text);
        clicked
    }

    /// Draws the entries of a list. Returns the one that was clicked.
    fn choices_ui(&self, ui: &mut Ui, chosen: Option<u32>, with_none: bool) -> Option<Option<u32>> {
        let mut clicked = None;
        if with_none && ui.selectable_label(chosen.is_none(), "none").clicked() {
            clicked = Some(None);
        }
        for kept in self.snapshots.list() {
            // A snapshot is not compared with itself.
            let is_self = with_none && Some(kept.number) == self.snapshots.shown_number();
            if !is_self
                && ui
                    .selectable_label(Some(kept.number) == chosen, &kept.label)
                    .clicked()
            {
                clicked = Some(Some(kept.number));
            }
        }
        clicked
    }

    fn take_ui(&mut self, ui: &mut Ui) {
        if self.dump.is_none() {
            return;
        }
        let can_take = !self.is_taking();
        let take = ui.add_enabled(can_take, Button::new("Take snapshot"));
        let help = "Takes a snapshot of the memory in use and shows it, without stopping the game. It is listed by the time since the start. G";
        if tooltip::with_text(take, help).clicked() {
            self.take_snapshot();
        }
        if self.snapshots.shown().is_none() {
            return;
        }
        let compare = ui.add_enabled(can_take, Button::new("Compare with now"));
        let help = "Takes a snapshot and shows what changed since the shown one, the largest growth first. C";
        if tooltip::with_text(compare, help).clicked() {
            self.compare_with_now();
        }
        // A narrower bar has no room for the buttons for marks.
        if ui.max_rect().width() >= WIDE {
            self.marks_ui(ui);
        }
    }

    /// Draws the button that turns on snapshots at marks, and the one that compares two of them.
    fn marks_ui(&mut self, ui: &mut Ui) {
        let help = "Takes a snapshot whenever a mark begins or ends, such as the loading of a level, and keeps it for later. The view does not change";
        let is_on = self.takes_at_marks();
        if toggle_ui(ui, "At marks", help, is_on) {
            self.set_takes_at_marks(!is_on);
        }
        if !self.has_left_behind() {
            return;
        }
        let help = "Compares the newest snapshot at a mark with the previous one at that mark: \
                    what a level left behind";
        if tooltip::with_text(ui.button("Left behind"), help).clicked() {
            self.compare_left_behind();
        }
    }

    /// Draws the button that shows and hides the filters. It is highlighted while a filter is set.
    fn filters_button_ui(&mut self, ui: &mut Ui, theme: &Theme) {
        if self.snapshots.shown().is_none() {
            return;
        }
        let is_open = self.shows_filters();
        let is_set = self.filter != Filter::default();
        let mut button = Button::new("Filters").selected(is_open);
        if is_set {
            button = button.stroke(Stroke::new(1.0, theme.accent));
        }
        let button = ui.add(button);
        let help = if is_set {
            "Some allocations are filtered out"
        } else {
            "By thread, group, scope and name"
        };
        if tooltip::with_text(button, help).clicked() {
            self.shows_filters = Some(!is_open);
        }
    }

    /// Draws the button that shows and hides the map of pages.
    fn pages_button_ui(&mut self, ui: &mut Ui) {
        if !self.has_pages() {
            return;
        }
        let help = "Which pages of memory the allocations are in, how much is free between them, and who holds nearly empty ones";
        self.shows_pages ^= toggle_ui(ui, "Pages", help, self.shows_pages);
    }

    /// Draws a button with the number of damaged lines, which opens a list of them.
    fn damage_ui(&self, ui: &mut Ui, theme: &Theme) {
        let lines: u64 = self
            .snapshots
            .on_screen()
            .map(|kept| kept.snapshot.damage().lines)
            .sum();
        if lines == 0 {
            return;
        }
        let text = count_text(lines, "damaged line", "damaged lines");
        let chip = Button::new(RichText::new(text).color(theme.alert))
            .stroke(Stroke::new(1.0, theme.alert));
        menu_ui(ui, chip, &mut |ui| {
            ui.set_min_width(220.0);
            ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
                self.snapshots
                    .on_screen()
                    .for_each(|kept| damaged_lines_ui(ui, theme, kept))
            });
        });
    }

    /// Draws the notes: the memory of the system, the last problem, the totals or the progress, and a
    /// hint.
    pub(super) fn notes_ui(&self, ui: &mut Ui, theme: &Theme) {
        if !self.system_note.is_empty() {
            note_ui(ui, "Process and system", &self.system_note, theme.weak);
        }
        if let Some(problem) = &self.problem {
            note_ui(ui, "Problem", problem, theme.alert);
        }
        let Some(shown) = self.snapshots.shown() else {
            return;
        };
        let (text, color) = if self.is_taking() {
            ("Taking a snapshot …".to_owned(), theme.accent)
        } else if self.is_building() {
            ("Building the tree …".to_owned(), theme.accent)
        } else {
            (self.totals_text(shown), theme.text)
        };
        note_ui(ui, "Memory", &text, color);
        let is_main = self.kind == MemoryKind::Main;
        if is_main && !shown.facets.has_detail && shown.snapshot.allocations() > 0 {
            note_ui(
                ui,
                "Hint",
                "The allocator only counts (mode Count). To see the owners of the memory, start it in mode Tags or Records.",
                theme.weak,
            );
        }
    }

    fn totals_text(&self, shown: &ListedSnapshot) -> String {
        let total = self.list.tree().total();
        let mut text = if self.filter == Filter::default() {
            format!(
                "{} in {}",
                bytes_text(shown.snapshot.bytes()),
                allocations_text(shown.snapshot.allocations())
            )
        } else {
            share_text(total.sums.bytes, shown.snapshot.bytes(), total.sums.count)
        };
        if let Some(before) = self.snapshots.before() {
            let (bytes, count) = (
                bytes_change(total.sums.bytes, total.sums.bytes_before),
                count_change(total.sums.count, total.sums.count_before),
            );
            let bytes = if bytes.number.is_empty() {
                "0 B".to_owned()
            } else {
                format!("{} {}", bytes.number, bytes.unit)
            };
            let count = if count.is_empty() { "0" } else { &count };
            text.push_str(&format!("; {bytes}, {count} since {}", before.short));
        }
        text
    }
}

/// A button that is on or off. Returns whether it was clicked.
fn toggle_ui(ui: &mut Ui, name: &str, help: &str, is_on: bool) -> bool {
    let button = ui.add(Button::new(name).selected(is_on));
    accessibility::describe_toggle(ui.ctx(), button.id, is_on, || name.to_owned());
    tooltip::with_text(button, help).clicked()
}

/// Draws the damaged lines of a dump.
fn damaged_lines_ui(ui: &mut Ui, theme: &Theme, kept: &ListedSnapshot) {
    let damage = kept.snapshot.damage();
    if damage.lines == 0 {
        return;
    }
    ui.label(RichText::new(&kept.short).color(theme.accent));
    for (line, problem) in &damage.first {
        ui.label(format!("line {}: {problem}", whole_text(*line as f64)));
    }
    let more = damage.lines.saturating_sub(damage.first.len() as u64);
    if more > 0 {
        ui.label(RichText::new(format!("and {} more", whole_text(more as f64))).color(theme.weak));
    }
    ui.label(
        RichText::new("These lines are left out; all others are shown.")
            .font(small_font())
            .color(theme.weak),
    );
}

/// Draws a note on its own line. If it does not fit, a tooltip shows the full text.
fn note_ui(ui: &mut Ui, name: &str, text: &str, color: egui::Color32) {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), LINE), egui::Sense::hover());
    let inner = Rect::from_min_max(rect.min + vec2(2.0, 0.0), rect.max);
    let galley = shapes::fitted(ui.painter(), text, text_font(), color, inner.width());
    let is_elided = galley.elided;
    shapes::galley_in(ui.painter(), inner, galley, color);
    accessibility::describe(
        ui.ctx(),
        ui.make_persistent_id(("memory note", name)),
        rect,
        || (name.to_owned(), text.to_owned()),
    );
    if is_elided {
        tooltip::with_text(response, text);
    }
}
