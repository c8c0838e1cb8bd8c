//! The title in the header: the program, its frame time and rate, whether the views are paused, and a
//! finding: the hitch of the frame that the user looks at, or else the newest finding.

use egui::{Color32, Painter, Rect, Sense, Ui, vec2};

use crate::app::panel::header_ui::HeaderUi;
use crate::app::program::Program;
use crate::input::action::Action;
use crate::input::key_hint::hint_with_keys;
use crate::insight::headline::Headline;
use stats_analysis::format::{count_text, whole_text};
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::text_font;
use stats_ui::tooltip;

/// The minimum width of the title for each of its parts, and that of the finding, in points.
const WITH_NAME: f32 = 120.0;
const WITH_BUILD: f32 = 420.0;
const WITH_RATE: f32 = 240.0;
const WITH_TIME: f32 = 320.0;
const MIN_VERDICT: f32 = 60.0;
/// The minimum width of a build or a name that is cut, in points.
const MIN_BUILD: f32 = 60.0;
/// The width of the frame time and of the frame rate, that of the sign before a hitch, and the gap after
/// each part, in points.
const RATE_WIDTH: f32 = 78.0;
const VERDICT_SIGN: f32 = 16.0;
const GAP: f32 = 14.0;
/// The labels of the frame time and the frame rate, and what their tooltip says.
const TIME: &str = "Frame time";
const RATE: &str = "Frame rate";
const PACE_HINT: &str = "The means of the last second. The tree shows the newest frame";
/// What a narrow title says of the frame at which the views are paused.
const PAUSED: &str = "PAUSED";
/// What the key and the button do that leave the overlay.
const LEAVES: &str = "leaves the overlay, which has the input";
/// What a click on the finding does.
const VERDICT_HINT: &str =
    "Goes to the newest one, with its culprits and what moved far with them (Q)";
/// The parts of the title, in their order.
const NAME: usize = 0;
const BUILD: usize = 1;
const FRAME_TIME: usize = 2;
const FRAME_RATE: usize = 3;
const AT_PAUSE: usize = 4;

/// A part of the title.
struct Part<'t> {
    label: &'static str,
    text: &'t str,
    /// What a title without room for the text shows.
    short: &'t str,
    /// The minimum width of a title with it, in points.
    least: f32,
    color: Color32,
}

impl Part<'_> {
    /// Returns whether it is a number, whose place does not depend on its value.
    fn is_number(&self) -> bool {
        [TIME, RATE].contains(&self.label)
    }

    /// Returns the width that a text of it takes.
    fn width(&self, painter: &Painter, text: &str) -> f32 {
        if self.is_number() {
            return RATE_WIDTH;
        }
        let galley = shapes::laid_out(painter, text, text_font(), self.color);
        galley.size().x
    }

    /// Draws a text of it at the left of `rect`, and returns its area.
    fn draw(&self, painter: &Painter, rect: Rect, text: &str) -> Rect {
        let width = self.width(painter, text).min(rect.width());
        let place = rect.with_max_x(rect.left() + width);
        if self.is_number() {
            shapes::number_in(painter, place, text, self.color);
        } else {
            shapes::text_in(painter, place, text, text_font(), self.color);
        }
        place
    }
}

impl HeaderUi<'_> {
    /// Draws the program, its frame time and rate, and whether the views are paused. The finding takes
    /// the rest; a click goes to it.
    pub(super) fn title_ui(&mut self, ui: &Ui, rect: Rect) {
        let theme = *self.theme;
        let rect = rect.with_max_x(rect.right().max(rect.left()));
        let paused = self.paused_text();
        let Program { name, build } = self.program;
        let parts = [
            ("Title", name.as_str(), "", WITH_NAME, theme.text),
            ("Build", build, "", WITH_BUILD, theme.weak),
            (TIME, self.pace[0].as_str(), "", WITH_TIME, theme.text),
            (RATE, self.pace[1].as_str(), "", WITH_RATE, theme.text),
            ("Paused", &paused, PAUSED, 0.0, theme.accent),
        ]
        .map(|(label, text, short, least, color)| Part {
            label,
            text,
            short: if text.is_empty() { "" } else { short },
            least,
            color,
        });
        let (shown, [name_room, build_room]) = self.shown_parts(ui, &parts, rect.width());
        let mut rest = rect;
        let id = ui.make_persistent_id("title");
        for (at, (part, text)) in parts.iter().zip(shown).enumerate() {
            if text.is_empty() {
                continue;
            }
            let room = match at {
                NAME => name_room,
                BUILD => build_room,
                _ => f32::INFINITY,
            };
            let room = rest.with_max_x(rest.right().min(rest.left() + room));
            let place = part.draw(ui.painter(), room, text);
            rest.min.x = (place.right() + GAP).min(rest.right());
            accessibility::describe(ui.ctx(), id.with(part.label), place, || {
                (part.label.to_owned(), part.text.to_owned())
            });
            if part.is_number() {
                let response = ui.interact(place, id.with((part.label, "hint")), Sense::hover());
                tooltip::hint(&response, PACE_HINT);
                continue;
            }
            // Such as why a viewer is not connected.
            if place.width() + 0.5 < part.width(ui.painter(), part.text) {
                let response = ui.interact(place, id.with((part.label, "whole")), Sense::hover());
                tooltip::hint(&response, part.text);
            }
        }
        if rest.width() >= MIN_VERDICT {
            self.verdict_ui(ui, rest);
        }
    }

    /// Returns what the title shows of each part, empty if it is left out, and the room for the name
    /// and the build. The culprits are more important than the title, so the parts give way to them:
    /// first the number of the paused frame, then the frame time, the build, the name and the frame
    /// rate. Without a culprit, the name gives way to the build.
    fn shown_parts<'t>(
        &self,
        ui: &Ui,
        parts: &[Part<'t>; 5],
        width: f32,
    ) -> ([&'t str; 5], [f32; 2]) {
        let painter = ui.painter();
        let needed = self.verdict.map_or(0.0, |verdict| {
            let color = self.theme.text;
            let culprits = shapes::laid_out(painter, verdict.culprits(), text_font(), color);
            (culprits.size().x + sign_width(verdict)).max(MIN_VERDICT)
        });
        let mut shown = parts.each_ref().map(|part| {
            let is_shown = width >= part.least;
            if is_shown { part.text } else { "" }
        });
        let left = |shown: &[&str; 5]| {
            let all = parts.iter().zip(shown).filter(|(_, text)| !text.is_empty());
            let taken = all.map(|(part, text)| part.width(painter, text) + GAP);
            width - needed - taken.sum::<f32>()
        };
        if left(&shown) < 0.0 {
            shown[AT_PAUSE] = parts[AT_PAUSE].short;
        }
        if left(&shown) < 0.0 {
            shown[FRAME_TIME] = "";
        }
        let mut build_room = f32::INFINITY;
        if left(&shown) < 0.0 && !shown[BUILD].is_empty() {
            // It may say why a viewer is not connected.
            build_room = left(&shown) + parts[BUILD].width(painter, shown[BUILD]);
            if build_room >= MIN_BUILD {
                return (shown, [f32::INFINITY, build_room]);
            }
            if self.verdict.is_none() {
                let name = parts[NAME].width(painter, shown[NAME]);
                let name_room = name.min(MIN_BUILD);
                return (shown, [name_room, build_room + name - name_room]);
            }
            shown[BUILD] = "";
        }
        for part in [NAME, FRAME_RATE] {
            if left(&shown) < 0.0 && self.verdict.is_some() {
                shown[part] = "";
            }
        }
        (shown, [f32::INFINITY, build_room])
    }

    /// Draws the finding as a link to it.
    fn verdict_ui(&mut self, ui: &Ui, rect: Rect) {
        let theme = self.theme;
        let id = ui.make_persistent_id("verdict");
        let Some(verdict) = self.verdict else {
            let Some(key) = self.key.filter(|_| !self.embedded) else {
                return;
            };
            let (painter, font) = (ui.painter(), text_font());
            let width = shapes::text_in(painter, rect, key.name(), font.clone(), theme.weak);
            let rest = rect.with_min_x((rect.left() + width + 4.0).min(rect.right()));
            shapes::text_in(painter, rest, LEAVES, font, theme.weak);
            return;
        };
        if verdict.is_hitch() {
            let sign = rect.left_center() + vec2(6.0, 0.0);
            ui.painter().add(shapes::hitch_sign(sign, theme.alert));
        }
        let text = rect.with_min_x(rect.left() + sign_width(verdict));
        let response = ui.interact(rect, id, Sense::click());
        let color = if response.hovered() {
            theme.accent
        } else {
            theme.text
        };
        let galley = verdict.fitted(ui.painter(), text_font(), color, text.width());
        let is_whole = galley.text() == verdict.text() && !galley.elided;
        shapes::galley_in(ui.painter(), text, galley, color);
        accessibility::describe_button(ui.ctx(), id, || "Newest finding".to_owned());
        accessibility::describe(ui.ctx(), id.with("text"), rect, || {
            ("Hitch".to_owned(), verdict.text().to_owned())
        });
        if is_whole || !response.hovered() {
            hint_with_keys(&response, VERDICT_HINT);
        } else {
            let hint = format!("{}\n{VERDICT_HINT}", verdict.text());
            hint_with_keys(&response, &hint);
        }
        self.perform_if(response.clicked(), Action::GoToHitch);
    }

    /// Returns the text about the frame at which the views are paused; empty if they are not.
    fn paused_text(&self) -> String {
        let Some(snapshot) = self.playback.snapshot() else {
            return String::new();
        };
        let newer = self.newest.saturating_sub(snapshot.end());
        let at = whole_text(snapshot.end().saturating_sub(1) as f64);
        format!(
            "PAUSED at frame {at} — {} recorded since",
            count_text(newer, "new frame", "new frames")
        )
    }
}

/// Returns the width of the sign before a finding, in points: of a hitch alone.
fn sign_width(verdict: &Headline) -> f32 {
    match verdict.is_hitch() {
        true => VERDICT_SIGN,
        false => 0.0,
    }
}
