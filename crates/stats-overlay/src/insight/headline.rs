//! The newest finding in one line, and the part of it that a narrow line keeps.
//!
//! The culprit is the answer, so it gives way last. The end of the line goes first. Then go the frame,
//! how often the finding recurs, how much longer the frame was, all but the last two segments of the
//! path, and at last the share. If a few culprits share a hitch, their shares are the answer. Further
//! facts about the first culprit go with the end of the line. The other culprits go before the path of
//! the first one is shortened to its last two segments.

use std::sync::Arc;

use egui::{Color32, FontId, Galley, Painter};
use stats_ui::shapes;

/// What may follow a culprit in a verdict.
const ENDS: [&str; 3] = [", ", "; ", ": "];
/// The number of segments of a path that a narrow line keeps beside the share.
const KEPT_SEGMENTS: usize = 2;

/// The newest finding as a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Headline {
    text: String,
    /// Where the line may begin, in bytes: with the frame, with how often it recurs, with the excess,
    /// and with the culprit.
    starts: [usize; 4],
    /// Where the path of the culprit begins, and where the culprit ends.
    path: usize,
    end: usize,
    /// The share and the last segments of the path; empty if the path has no more segments.
    short: String,
    /// What is before the culprit, and the shares of all culprits; empty if there are not several.
    shares: String,
    is_hitch: bool,
}

impl Headline {
    /// Returns the line `frame 90, every 45 frames, +4.0 ms: 84 % ai/paths, 1 call to 7`, given what is
    /// before the excess, the excess, the rest, and the path of the culprit in it, which is empty without
    /// one.
    pub(super) fn new([frame, repeat]: [&str; 2], excess: &str, rest: &str, path: &str) -> Self {
        let text = [frame, repeat, excess, rest].concat();
        let from_excess = frame.len() + repeat.len();
        let culprit = from_excess + excess.len();
        let found = place_of(rest, path);
        let begin = culprit + found.unwrap_or(0);
        let from = begin + found.map_or(0, |_| path.len());
        let ends = ENDS.iter().filter_map(|end| text[from..].find(end));
        let end = ends.min().map_or(text.len(), |at| from + at);
        let segments = path.rmatch_indices('/').nth(KEPT_SEGMENTS - 1);
        let tail = segments
            .filter(|_| found.is_some())
            .map(|(at, _)| begin + at);
        let short = tail.map(|at| format!("{}…{}", &text[culprit..begin], &text[at..end]));
        Self {
            starts: [0, frame.len(), from_excess, culprit],
            path: begin,
            end,
            short: short.unwrap_or_default(),
            text,
            shares: String::new(),
            is_hitch: false,
        }
    }

    /// Returns the line of a frame that `is_hitch` says a player sees. `culprits` are the shares of
    /// several: `54 % ai/paths, 43 % sim`.
    pub(super) fn of_frame(self, culprits: &str, is_hitch: bool) -> Self {
        let before = &self.text[..self.starts[3]];
        let shares = match culprits {
            "" => String::new(),
            _ => [before, culprits].concat(),
        };
        Self {
            shares,
            is_hitch,
            ..self
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether it is about a hitch that a player sees.
    pub(crate) fn is_hitch(&self) -> bool {
        self.is_hitch
    }

    /// Returns the culprits with their shares: `84 % ai/paths`.
    pub(crate) fn culprits(&self) -> &str {
        match self.shares.is_empty() {
            true => &self.text[self.starts[3]..self.end],
            false => &self.shares[self.starts[3]..],
        }
    }

    /// Returns the longest part of the line that fits with all culprits, or else with the whole first
    /// one, and `false`. If none does, returns the name of the series alone, and `true`.
    fn within(&self, fits: impl Fn(&str) -> bool) -> (&str, bool) {
        if !self.shares.is_empty() {
            let shares = self.starts.iter().map(|start| &self.shares[*start..]);
            let mut lines = std::iter::once(self.text()).chain(shares);
            if let Some(line) = lines.find(|line| fits(line)) {
                return (line, false);
            }
            if fits(&self.text[self.starts[3]..self.end]) {
                return (self.culprits(), false);
            }
        }
        let mut starts = self.starts.iter();
        if let Some(start) = starts.find(|start| fits(&self.text[**start..self.end])) {
            return (&self.text[*start..], false);
        }
        if !self.short.is_empty() && fits(&self.short) {
            return (&self.short, false);
        }
        (&self.text[self.path..self.end], true)
    }

    /// Lays out the line. It keeps the culprit if it is wider than `width` points. Allocates nothing
    /// if it was laid out in a recent pass.
    pub(crate) fn fitted(
        &self,
        painter: &Painter,
        font: FontId,
        color: Color32,
        width: f32,
    ) -> Arc<Galley> {
        let fits = |text: &str| {
            let whole = shapes::laid_out(painter, text, font.clone(), color);
            whole.size().x <= width
        };
        match self.within(fits) {
            (name, true) => shapes::fitted_name(painter, name, font, color, width),
            (text, false) => shapes::fitted(painter, text, font, color, width),
        }
    }
}

/// Returns a verdict with another text in the place of its path.
pub(super) fn with_path(verdict: &str, path: &str, text: &str) -> String {
    match place_of(verdict, path) {
        Some(at) => [&verdict[..at], text, &verdict[at + path.len()..]].concat(),
        None => verdict.to_owned(),
    }
}

/// Returns where a verdict names its path, in bytes: at its end after a colon, or else where it is
/// whole for the first time. The letters of a short path may be in other words and paths, too.
pub(super) fn place_of(verdict: &str, path: &str) -> Option<usize> {
    if path.is_empty() {
        return None;
    }
    let before = verdict.strip_suffix(path);
    if let Some(before) = before.filter(|before| before.ends_with(": ")) {
        return Some(before.len());
    }
    let is_of_word = |c: char| c.is_alphanumeric() || "/_-".contains(c);
    let is_whole = |&(at, _): &(usize, &str)| {
        let (before, after) = (&verdict[..at], &verdict[at + path.len()..]);
        !before.ends_with(is_of_word) && !after.starts_with(is_of_word)
    };
    let whole = verdict.match_indices(path).find(is_whole);
    whole.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line within a number of characters. A text that does not fit is cut.
    fn within(line: &Headline, chars: usize) -> String {
        let (text, is_name) = line.within(|text| text.chars().count() <= chars);
        let skipped = text.chars().count().saturating_sub(chars);
        let (from, to) = if is_name { (skipped, 0) } else { (0, skipped) };
        let kept = text.chars().count() - from - to;
        text.chars().skip(from).take(kept).collect()
    }

    #[test]
    fn the_culprit_is_the_last_to_give_way() {
        let path = "game/ai/paths/a-star";
        let rest = format!("84 % {path}, 1 call to 7; with it {path}/requests 3 to 212");
        let line = Headline::new(["frame 9, ", "every 45 frames, "], "+4.0 ms: ", &rest, path);
        assert_eq!(line.culprits(), "84 % game/ai/paths/a-star");
        for (chars, text) in [
            (500, line.text()),
            (
                60,
                "frame 9, every 45 frames, +4.0 ms: 84 % game/ai/paths/a-star",
            ),
            (
                59,
                "every 45 frames, +4.0 ms: 84 % game/ai/paths/a-star, 1 call",
            ),
            (51, "every 45 frames, +4.0 ms: 84 % game/ai/paths/a-star"),
            (50, "+4.0 ms: 84 % game/ai/paths/a-star, 1 call to 7; w"),
            (34, "+4.0 ms: 84 % game/ai/paths/a-star"),
            (33, "84 % game/ai/paths/a-star, 1 call"),
            (25, "84 % game/ai/paths/a-star"),
            (24, "84 % …/paths/a-star"),
            (19, "84 % …/paths/a-star"),
            (18, "me/ai/paths/a-star"),
            (6, "a-star"),
        ] {
            assert_eq!(within(&line, chars), *text, "{chars}");
        }
    }

    #[test]
    fn the_shares_of_several_culprits_come_before_what_else_the_line_tells_of_the_first() {
        let rest = "55 % audio/mix, 0 calls to 1, 44 % dialogue/parse";
        let line = Headline::new(["frame 9, ", ""], "+4.0 ms: ", rest, "audio/mix");
        let line = line.of_frame("55 % audio/mix, 44 % dialogue/parse", true);
        assert_eq!(line.culprits(), "55 % audio/mix, 44 % dialogue/parse");
        for (chars, text) in [
            (67, line.text()),
            (66, "frame 9, +4.0 ms: 55 % audio/mix, 44 % dialogue/parse"),
            (52, "+4.0 ms: 55 % audio/mix, 44 % dialogue/parse"),
            (35, "55 % audio/mix, 44 % dialogue/parse"),
            (34, "55 % audio/mix, 44 % dialogue/pars"),
            (14, "55 % audio/mix"),
            (9, "audio/mix"),
        ] {
            assert_eq!(within(&line, chars), *text, "{chars}");
        }
    }

    #[test]
    fn a_finding_without_a_path_keeps_what_is_before_the_first_break() {
        let of = |rest| {
            Headline::new(["", ""], "+4.0 ms: ", rest, "")
                .culprits()
                .to_owned()
        };
        assert_eq!(
            of("no single culprit: sim 1.2 × as long"),
            "no single culprit"
        );
        assert_eq!(
            of("61 % in no scope, or in load, which began"),
            "61 % in no scope"
        );
        assert_eq!(of("not longer than others"), "not longer than others");
        assert!(Headline::new(["", ""], "", "", "").is_empty());
    }

    #[test]
    fn a_path_may_contain_what_else_ends_a_culprit() {
        let path = "Level 1: \"a, b\"; c/load";
        let line = Headline::new(
            ["", ""],
            "+1.0 ms: ",
            &format!("50 % {path}, blocked"),
            path,
        );
        assert_eq!(line.culprits(), format!("50 % {path}"));
    }

    #[test]
    fn a_path_that_is_part_of_other_words_is_found_where_it_is_whole() {
        for path in ["s", "frame", "every", "3", "e"] {
            let rest = format!("every 9 frames since frame 3: {path}");
            assert_eq!(place_of(&rest, path), Some(rest.len() - path.len()));
            let text = with_path(&rest, path, "…/path");
            assert_eq!(text, "every 9 frames since frame 3: …/path");
            let rest = format!("{path}, slower now, over budget in 3 s");
            assert_eq!(place_of(&rest, path), Some(0));
            let rest = format!("84 % {path}, 1 call to 7; with it {path}/ms 3 to 212");
            assert_eq!(place_of(&rest, path), Some("84 % ".len()));
        }
        assert_eq!(place_of("84 % frames", "frame"), None, "not whole");
        assert_eq!(place_of("84 % ai", ""), None);
    }

    #[test]
    fn a_culprit_after_other_words_is_kept_with_them() {
        let line = Headline::new(
            ["", ""],
            "5 times: ",
            "every 9 frames since frame 3: a/b",
            "a/b",
        );
        assert_eq!(line.culprits(), "every 9 frames since frame 3: a/b");
        assert_eq!(within(&line, 20), "a/b");
    }
}
