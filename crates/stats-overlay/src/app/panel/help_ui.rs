//! The help: all keys, the gestures of the pointer, the search words, and the rule for spikes.

use egui::{Align2, Key, Rect, ScrollArea, Ui, pos2, vec2};

use crate::input::action::Action;
use crate::input::key_bindings;
use crate::paint::canvas::clipped_child;
use stats_ui::shapes;
use stats_ui::theme::{Theme, number_font, small_font, text_font};

/// The height of a line, in points.
const ROW: f32 = 20.0;
/// The width of a column and of the keys in it, in points.
const COLUMN: f32 = 268.0;
const KEY_WIDTH: f32 = 96.0;

/// The effect of pasting a line. It is not an [`Action`], because it needs the pasted text.
const PASTE: &str = "show a pasted view";

/// The gestures of the pointer.
const POINTER: &[(&str, &str)] = &[
    ("drag", "move in a graph"),
    ("Shift+drag", "select frames"),
    ("right drag", "zoom to a box"),
    ("wheel", "zoom"),
    ("Shift+wheel", "move sideways"),
    ("double click", "newest frames"),
    ("click a name", "show it alone"),
    ("drag a row", "into any pane"),
    ("right click", "menu of a counter"),
];

/// The search words.
const SEARCH: &[(&str, &str)] = &[
    ("draw calls", "both words in the path"),
    ("rend/draw", "parts of segments"),
    ("-ui", "without this word"),
    ("changed", "in the last second"),
    ("moved", "out of A's band, ranked"),
    ("spiking", "recent spikes, ranked"),
    ("over-budget", "above its budget"),
    ("zero", "0 in the last frame"),
    ("unit:ms", "of this unit"),
];

/// The rule for spikes in plain words. [`spike`](stats_analysis::spike) has the numbers and their
/// sources.
const RULE: &str = "A spike is a value far above the series' own past, the last 120 values that \
                    are not 0. It exceeds their median by more than half of the median, and by \
                    more than five times the distance from the median to the 87.5th percentile. A \
                    whole number also exceeds the median by more than three times the median's \
                    square root. A budget plays no part: frames over budget (for the frame time, \
                    by more than a tenth) are spans. One spike does not raise the threshold for \
                    the next.";

/// Draws the help into `rect`. `toggle` is the toggle key.
pub(super) fn help_ui(ui: &mut Ui, theme: &Theme, toggle: Option<Key>, rect: Rect) {
    let mut ui = clipped_child(ui, "help", rect);
    let groups = [
        ("Keys", keys(toggle)),
        ("Pointer", owned(POINTER)),
        ("Search", owned(SEARCH)),
    ];
    let rows: usize = groups.iter().map(|(_, rows)| rows.len() + 2).sum();
    let columns = ((rect.width() / COLUMN).floor() as usize).clamp(1, 4);
    let per_column = rows.div_ceil(columns).max(1);
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(&mut ui, |ui| {
            let (_, area) =
                ui.allocate_space(vec2(ui.available_width(), (per_column + 5) as f32 * ROW));
            let mut row = 0;
            for (title, lines) in &groups {
                // Keep a title with its first lines: it must not be alone at the bottom of a
                // column.
                row = if row % per_column + 3 > per_column {
                    row.next_multiple_of(per_column)
                } else {
                    row
                };
                let at = |row: usize| {
                    area.min
                        + vec2(
                            (row / per_column) as f32 * COLUMN,
                            (row % per_column) as f32 * ROW,
                        )
                };
                ui.painter().text(
                    at(row) + vec2(0.0, 4.0),
                    Align2::LEFT_TOP,
                    title,
                    text_font(),
                    theme.accent,
                );
                row += 1;
                for (key, what) in lines {
                    line_ui(ui, theme, at(row), key, what);
                    row += 1;
                }
                row += 1;
            }
            let galley = ui.painter().layout(
                RULE.to_owned(),
                small_font(),
                theme.weak,
                area.width().min(900.0),
            );
            let place = area.left_bottom() - vec2(0.0, 4.5 * ROW);
            ui.painter().galley(place, galley, theme.weak);
        });
}

fn line_ui(ui: &Ui, theme: &Theme, at: egui::Pos2, key: &str, what: &str) {
    let name = Rect::from_min_size(at, vec2(KEY_WIDTH, ROW));
    shapes::text_in(ui.painter(), name, key, number_font(), theme.text);
    let text = Rect::from_min_size(
        pos2(at.x + KEY_WIDTH + 6.0, at.y),
        vec2(COLUMN - KEY_WIDTH - 14.0, ROW),
    );
    shapes::text_in(ui.painter(), text, what, text_font(), theme.weak);
    let id = ui.make_persistent_id(("help", key, what));
    stats_ui::accessibility::describe(ui.ctx(), id, name.union(text), || {
        (format!("help {what}"), key.to_owned())
    });
}

/// Returns the keys of every action, with the toggle key first.
fn keys(toggle: Option<Key>) -> Vec<(String, String)> {
    let mut keys: Vec<(Action, String)> = Vec::new();
    if let Some(key) = toggle {
        keys.push((Action::CycleMode, key.name().to_owned()));
    }
    for (chord, action) in key_bindings::keys() {
        match keys.iter_mut().find(|(of, _)| *of == action) {
            // Show a second key of an action if there is room. Leave out keys with Shift, which
            // type the same character on other keyboards.
            Some((_, text))
                if !text.contains(' ')
                    && text.len() + chord.text().len() < 10
                    && !chord.text().starts_with("Shift+") =>
            {
                *text = format!("{text}  {}", chord.text())
            }
            Some(_) => {}
            None => keys.push((action, chord.text())),
        }
    }
    let lines = keys
        .into_iter()
        .map(|(action, key)| (key, action.describe().to_owned()));
    let mut lines: Vec<(String, String)> = lines.collect();
    // Pasting a view comes right after copying one.
    let copies = lines
        .iter()
        .position(|(_, what)| what == Action::CopyView.describe())
        .map_or(lines.len(), |at| at + 1);
    lines.insert(copies, ("Ctrl+V".to_owned(), PASTE.to_owned()));
    lines
}

fn owned(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter()
        .map(|&(key, what)| (key.to_owned(), what.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_some_keyboards_type_with_shift_is_listed_once() {
        let keys = keys(None);
        let of = |action: Action| {
            let line = keys.iter().find(|(_, what)| what == action.describe());
            line.map(|(keys, _)| keys.as_str())
        };
        assert_eq!(of(Action::PreviousOverBudget), Some("{"));
        assert_eq!(of(Action::ZoomIn), Some("+  ="));
    }
}
