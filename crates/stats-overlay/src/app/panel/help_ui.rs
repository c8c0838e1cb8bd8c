//! The help: eight first steps, and below them, folded, all keys by group, the buttons
//! of game pads, the gestures of the pointer, the search words, and the rule for spikes.

use egui::{Align2, CollapsingHeader, FontId, Key, Rect, RichText, ScrollArea, Ui, pos2, vec2};
use stats_ui::tree::RowAction;

use crate::app::panel::panel_ui::BACK_WIDTH;
use crate::input::action::{Action, Reach};
use crate::input::bindings::Bindings;
use crate::input::pane_view::PaneView;
use crate::input::settings::Settings;
use crate::paint::canvas::clipped_child;
use stats_ui::shapes;
use stats_ui::theme::{Theme, number_font, small_font, text_font};

/// The heights of a line and of a first step, in points.
const ROW: f32 = 22.0;
const STEP: f32 = 34.0;
/// The width of a column, of the keys in it, and of a first step, in points.
const COLUMN: f32 = 268.0;
const KEY_WIDTH: f32 = 96.0;
const STEP_WIDTH: f32 = 430.0;
/// The size of the text of a first step.
const STEP_SIZE: f32 = 15.0;

/// The first steps, in the order in which a new user needs them.
const STEPS: [(Action, &str); 8] = [
    (
        Action::CycleMode,
        "hides the overlay; then HUD, panes, and this again",
    ),
    (Action::Search, "finds a counter by a part of its name"),
    (
        Action::Rows(RowAction::Activate),
        "shows the counter under the cursor as a graph",
    ),
    (
        Action::GoToHitch,
        "goes to the newest hitch and what caused it",
    ),
    (
        Action::ToggleView(PaneView::Hitches),
        "lists all long frames with their causes",
    ),
    (Action::TogglePause, "stops the picture; the game goes on"),
    (
        Action::TogglePin,
        "keeps a counter in the HUD while you play",
    ),
    (
        Action::Back,
        "goes one step back, and never leaves the overlay",
    ),
];

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
    ("team:ai", "of this team"),
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

/// Draws the help into `rect`. `settings` have the keys.
pub(super) fn help_ui(ui: &mut Ui, theme: &Theme, settings: &Settings, rect: Rect) {
    let mut ui = clipped_child(ui, "help", rect);
    ScrollArea::vertical()
        .auto_shrink([false, false])
        .show(&mut ui, |ui| {
            steps_ui(ui, theme, settings);
            ui.add_space(10.0);
            for (title, lines) in groups(&settings.bindings) {
                group_ui(ui, theme, title, |ui| lines_ui(ui, theme, &lines));
            }
            group_ui(ui, theme, "What a spike is", |ui| {
                ui.label(RichText::new(RULE).font(small_font()).color(theme.weak));
            });
        });
}

/// Draws a group, which is folded until its title is clicked.
fn group_ui(ui: &mut Ui, theme: &Theme, title: &str, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(title).color(theme.accent))
        .id_salt(title)
        .show(ui, contents);
}

/// Draws the first steps, in one or two columns.
fn steps_ui(ui: &mut Ui, theme: &Theme, settings: &Settings) {
    let width = ui.available_width() - BACK_WIDTH;
    let columns = if width >= 2.0 * STEP_WIDTH { 2 } else { 1 };
    let rows = STEPS.len().div_ceil(columns);
    let size = vec2(width, rows as f32 * STEP);
    let (_, area) = ui.allocate_space(size);
    let width = area.width() / columns as f32;
    for (at, (action, what)) in STEPS.into_iter().enumerate() {
        let key = match action {
            Action::CycleMode => settings.key.map_or("", Key::name).to_owned(),
            _ => settings.bindings.key_text(action),
        };
        if key.is_empty() {
            continue;
        }
        let corner = vec2((at / rows) as f32 * width, (at % rows) as f32 * STEP);
        let line = Rect::from_min_size(area.min + corner, vec2(width - 10.0, STEP));
        let cap = cap_ui(ui, theme, line, &key, STEP_SIZE);
        let text = line.with_min_x((line.left() + 74.0).max(cap.right() + 10.0));
        let font = FontId::proportional(STEP_SIZE);
        shapes::text_in(ui.painter(), text, what, font, theme.text);
        let id = ui.make_persistent_id(("step", at));
        stats_ui::accessibility::describe(ui.ctx(), id, line, || {
            (format!("help {}", action.describe()), key.clone())
        });
    }
}

/// Paints a key as a cap at the left of a line. Returns its place.
fn cap_ui(ui: &Ui, theme: &Theme, line: Rect, key: &str, size: f32) -> Rect {
    let painter = ui.painter();
    let galley = shapes::laid_out(painter, key, FontId::monospace(size), theme.text);
    let room = (galley.size() + vec2(12.0, 4.0)).max(vec2(26.0, 0.0));
    let cap = Align2::LEFT_CENTER.anchor_size(line.left_center(), room);
    shapes::plate(painter, cap, 4.0, theme.bar, theme.line);
    let place = Align2::CENTER_CENTER.anchor_size(cap.center(), galley.size());
    painter.galley(place.min, galley, theme.text);
    cap
}

/// Draws lines in as many columns as fit.
fn lines_ui(ui: &mut Ui, theme: &Theme, lines: &[(String, String)]) {
    let columns = ((ui.available_width() / COLUMN).floor() as usize).clamp(1, 4);
    let rows = lines.len().div_ceil(columns).max(1);
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), rows as f32 * ROW));
    for (at, (key, what)) in lines.iter().enumerate() {
        let corner = vec2((at / rows) as f32 * COLUMN, (at % rows) as f32 * ROW);
        line_ui(ui, theme, area.min + corner, key, what);
    }
}

fn line_ui(ui: &Ui, theme: &Theme, at: egui::Pos2, key: &str, what: &str) {
    let name = Rect::from_min_size(at, vec2(KEY_WIDTH, ROW));
    let is_word = key.contains(' ') && !key.contains("  ");
    if is_word {
        shapes::text_in(ui.painter(), name, key, number_font(), theme.text);
    } else {
        let mut place = name;
        for key in key.split("  ") {
            place.min.x = cap_ui(ui, theme, place, key, 11.0).right() + 4.0;
        }
    }
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

/// The titles of the groups of keys.
const OVERLAY: &str = "Keys: the overlay and its windows";
const FRAMES: &str = "Keys: frames and time";
const PANES: &str = "Keys: panes and their views";
const TREE: &str = "Keys: the tree and other lists";

fn group_of(action: Action) -> &'static str {
    match action {
        Action::Search | Action::TogglePin | Action::ToggleFavorite => TREE,
        Action::StepForward
        | Action::StepBackward
        | Action::NextSpike
        | Action::PreviousSpike
        | Action::NextOverBudget
        | Action::PreviousOverBudget
        | Action::ZoomIn
        | Action::ZoomOut
        | Action::PanLeft
        | Action::PanRight
        | Action::TogglePause
        | Action::ResetView
        | Action::ClearHistory
        | Action::Explain
        | Action::GoToHitch
        | Action::MarkMoment
        | Action::FindTogether
        | Action::MarkBaseline
        | Action::ClearBaseline => FRAMES,
        _ => match action.reach() {
            Reach::Overlay => OVERLAY,
            Reach::Panes => PANES,
            Reach::Rows(_) => TREE,
        },
    }
}

/// Lines of the help: keys, and what they do.
type Lines = Vec<(String, String)>;

fn groups(bindings: &Bindings) -> Vec<(&'static str, Lines)> {
    let mut groups: Vec<(&str, Lines)> = [FRAMES, PANES, TREE, OVERLAY]
        .map(|title| (title, Vec::new()))
        .into();
    for (group, key, what) in keys(bindings) {
        if let Some((_, lines)) = groups.iter_mut().find(|(title, _)| *title == group) {
            lines.push((key, what));
        }
    }
    let others = bindings.iter().filter(|(press, _)| !press.is_key());
    let others = others.map(|(press, action)| (press.label(), action.describe().to_owned()));
    groups.push(("Game pad and touch", others.collect()));
    groups.push(("Pointer", owned(POINTER)));
    groups.push(("Search words", owned(SEARCH)));
    groups
}

/// Returns the group, the keys and the description of every action that is not a first step.
fn keys(bindings: &Bindings) -> Vec<(&'static str, String, String)> {
    let mut keys: Vec<(Action, String)> = Vec::new();
    for (press, action) in bindings.iter().filter(|(press, _)| press.is_key()) {
        let key = press.label();
        match keys.iter_mut().find(|(of, _)| *of == action) {
            // Show a second key of an action if there is room. Leave out keys with Shift, which
            // type the same character on other keyboards.
            Some((_, text))
                if !text.contains(' ')
                    && text.len() + key.len() < 10
                    && !key.starts_with("Shift+") =>
            {
                *text = format!("{text}  {key}")
            }
            Some(_) => {}
            None => keys.push((action, key)),
        }
    }
    let is_step = |(action, _): &(Action, String)| STEPS.iter().any(|(step, _)| step == action);
    let lines = keys
        .into_iter()
        .filter(|line| !is_step(line))
        .map(|(action, key)| (group_of(action), key, action.describe().to_owned()));
    let mut lines: Vec<(&str, String, String)> = lines.collect();
    // Pasting a view comes right after copying one.
    let copies = lines
        .iter()
        .position(|(_, _, what)| what == Action::CopyView.describe())
        .map_or(lines.len(), |at| at + 1);
    let group = group_of(Action::CopyView);
    lines.insert(copies, (group, "Ctrl+V".to_owned(), PASTE.to_owned()));
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
        let keys = keys(&Bindings::default());
        let of = |action: Action| {
            let line = keys.iter().find(|(_, _, what)| what == action.describe());
            line.map(|(_, keys, _)| keys.as_str())
        };
        assert_eq!(of(Action::PreviousOverBudget), Some("{"));
        assert_eq!(of(Action::ZoomIn), Some("+  ="));
    }

    #[test]
    fn every_key_is_in_a_group_and_every_first_step_has_a_key() {
        let bindings = Bindings::default();
        let all = keys(&bindings).len();
        let pads = bindings.iter().filter(|(press, _)| !press.is_key()).count();
        let groups = groups(&bindings);
        let grouped: usize = groups.iter().map(|(_, lines)| lines.len()).sum();
        assert_eq!(grouped, all + pads + POINTER.len() + SEARCH.len());
        assert!(groups.iter().all(|(_, lines)| lines.len() > 3));
        for (action, _) in STEPS {
            let has_key = action == Action::CycleMode || !bindings.key_text(action).is_empty();
            assert!(has_key, "{action:?}");
        }
    }
}
