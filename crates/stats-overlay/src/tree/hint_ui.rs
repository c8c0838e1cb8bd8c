//! The list of search words and other syntax below the search box.

use egui::{Rect, Sense, Ui, vec2};

use crate::search::query::Word;
use crate::tree::ui::TreeUi;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{small_font, text_font};

const LINE: f32 = 19.0;
/// The left edge of the explanations, in points.
const HELP_LEFT: f32 = 92.0;

/// The number of teams in the list; the search knows the others, too.
const MOST_TEAMS: usize = 8;

/// The explanation of a team.
const TEAM_HELP: &str = "this team's series and hitches";

/// Other search syntax.
const FORMS: [(&str, &str); 4] = [
    ("unit:ms", "has this unit: ms, bytes, count, %, …"),
    ("-word", "excludes matches: -zero, -total"),
    ("draw/mesh", "parts of consecutive segments"),
    ("= a / b", "Enter adds this series: + - * / rate() mean()"),
];

impl TreeUi<'_> {
    /// Returns the rectangle of the list, below the search box.
    pub(super) fn hint_rect(&self, search: Rect, rows: Rect) -> Rect {
        let teams = self.panel.search.teams().words().len();
        let lines = (1 + Word::ALL.len() + FORMS.len() + teams.min(MOST_TEAMS)) as f32;
        let height = (lines * LINE + 8.0).min(rows.bottom() - search.bottom());
        Rect::from_min_size(
            search.left_bottom() + vec2(0.0, 2.0),
            vec2(search.width(), height.max(0.0)),
        )
    }

    /// Lists the search syntax. A click on a word adds it to the search.
    pub(super) fn hint_ui(&mut self, ui: &mut Ui, rect: Rect) {
        // Keeps the pointer from the rows below.
        let cover = ui.interact(rect, ui.make_persistent_id("hint"), Sense::click());
        let (bar, line) = (self.theme.bar, self.theme.line);
        shapes::plate(ui.painter(), rect, 4.0, bar, line);
        accessibility::describe(ui.ctx(), cover.id, rect, || {
            ("Search words".to_owned(), String::new())
        });
        let mut line =
            Rect::from_min_size(rect.min + vec2(8.0, 4.0), vec2(rect.width() - 16.0, LINE));
        let text = "Parts of a path in any order, and words about a counter's behavior:";
        shapes::text_in(ui.painter(), line, text, small_font(), self.theme.weak);
        let words = Word::ALL.iter().map(|word| (word.name(), word.help()));
        let teams = self.panel.search.teams().words().take(MOST_TEAMS);
        let mut clicked = None;
        for (at, (word, help)) in words.chain(teams.map(|word| (word, TEAM_HELP))).enumerate() {
            line = line.translate(vec2(0.0, LINE));
            if self.is_word_clicked(ui, line, at, (word, help)) {
                clicked = Some(word.to_owned());
            }
        }
        if let Some(word) = clicked {
            self.panel.search_box.add_word(&word);
        }
        for (form, help) in FORMS {
            line = line.translate(vec2(0.0, LINE));
            self.line_ui(ui, line, form, help);
        }
    }

    /// Draws the word with this index. Returns whether it was clicked.
    fn is_word_clicked(&self, ui: &Ui, rect: Rect, at: usize, (word, help): (&str, &str)) -> bool {
        // Two teams may have the same word.
        let id = ui.make_persistent_id(("word", at));
        let response = ui.interact(rect, id, Sense::click());
        if response.hovered() {
            ui.painter()
                .rect_filled(rect.expand2(vec2(4.0, 0.0)), 3.0, self.theme.hover);
        }
        self.line_ui(ui, rect, word, help);
        accessibility::describe_button(ui.ctx(), id, || format!("Search for {word}"));
        response.clicked()
    }

    fn line_ui(&self, ui: &Ui, rect: Rect, name: &str, help: &str) {
        // The name of a team may be longer than those of the other words.
        let width = shapes::text_in(ui.painter(), rect, name, text_font(), self.theme.accent);
        let helps = rect.with_min_x(rect.left() + HELP_LEFT.max(width + 6.0));
        if helps.width() > 20.0 {
            shapes::text_in(ui.painter(), helps, help, small_font(), self.theme.weak);
        }
    }
}
