//! What the card says.

use std::fmt::Write as _;

use stats_analysis::format::{count_text, fixed_text, percent_text, value_text, whole_text};
use stats_analysis::insight::{Finding, Hitch, Role, ThreadTimes};
use stats_core::{FrameSlice, Unit};
use stats_ui::text::one_line;

use crate::insight::findings::{Findings, RowId, drawable, path_of};
use crate::insight::row_texts::{RowTexts, duration, name_of, share_of_time};

/// The number of frames before and after the marked one in the graph.
pub(super) const AROUND: u64 = 30;
/// The number of lines below the excess.
pub(super) const LINES: usize = 3;
/// The number of passes that draw the first finding.
pub(super) const PARTS: u8 = 6;
/// The age in seconds at which the card dims.
const DIMS_SECS: f64 = 10.0;
/// The minimum share of a culprit that has a line.
const LISTED: f64 = 0.03;
/// A part of the time of the frame is named if it is at least this share of the frame.
const NAMED: f64 = 0.05;
/// The maximum number of characters of a path and of a text.
const CHARS: usize = 200;

/// A line of the card: a part of the excess, or a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    /// The share from 0 to 1 that the bar shows, and its text; `None` for a line without a bar.
    pub(super) share: Option<(f64, String)>,
    /// The path of a series, or a text.
    pub(super) name: String,
    /// The slot of the color of its path.
    pub(super) slot: Option<usize>,
    /// The path, whose color the bar has; `None` for a text, or for the time in no scope.
    path: Option<String>,
}

/// The card's texts, and the frame times around its frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Card {
    /// The revision of the findings, and the finding on the card.
    of: Option<(u64, RowId)>,
    /// The excess, the slope, or the times before and after.
    pub(super) excess: String,
    /// How often it happened, the time to the budget, or the factor.
    pub(super) repeat: String,
    pub(super) age: String,
    /// The number and the unit of `age`.
    age_of: (u64, &'static str),
    /// The frame as text; empty for a leak.
    pub(super) frame: String,
    pub(super) lines: Vec<Line>,
    /// Where the system says that the time went; empty if it is not known.
    pub(super) system: String,
    /// The marked frame, and the times from [`AROUND`] frames before it on. A time is NaN until it
    /// is known.
    pub(super) marked: Option<u64>,
    pub(super) times_ms: Vec<f64>,
    pub(super) is_dim: bool,
    /// The number of passes that have drawn the finding, up to [`PARTS`].
    pub(super) drawn: u8,
    revision: u64,
}

impl Card {
    /// Returns a number that changes with everything that the card shows.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns whether the finding is no longer new.
    pub(crate) fn is_dim(&self) -> bool {
        self.is_dim
    }

    /// Returns the finding on the card.
    pub(crate) fn row(&self) -> Option<RowId> {
        Some(self.of?.1)
    }

    /// Returns whether another finding is to be shown, or the same one has changed.
    pub(crate) fn is_outdated(&self, found: &Findings, first: u64) -> bool {
        self.of != found.newest(first).map(|row| (found.revision(), row))
    }

    /// Draws the first finding part after part, one more in each pass, because egui rasterizes
    /// glyphs that were never drawn. A hitch must not make a frame after it long.
    pub(crate) fn draw_more(&mut self) {
        if self.of.is_some() && self.drawn < PARTS {
            self.drawn += 1;
            self.revision += 1;
        }
    }

    /// Brings the card up to date. Findings before the frame `first` are not shown. `times` are
    /// those of all kept frames, and `slot_of` returns the slot of the color of a path.
    pub(crate) fn update(
        &mut self,
        found: &Findings,
        first: u64,
        times: FrameSlice<'_>,
        now_secs: f64,
        slot_of: impl Fn(&str) -> usize,
    ) {
        if self.is_outdated(found, first) {
            let of = found.newest(first).map(|row| (found.revision(), row));
            self.read(found, of);
        }
        if self.of.is_some() {
            self.read_times(times);
            self.read_age(found.noticed_secs().map(|noticed| now_secs - noticed));
            self.read_colors(slot_of);
        }
    }

    /// Reads everything that depends only on the finding.
    fn read(&mut self, found: &Findings, of: Option<(u64, RowId)>) {
        let before = self.row();
        *self = Self {
            of,
            revision: self.revision + 1,
            times_ms: std::mem::take(&mut self.times_ms),
            marked: self.marked,
            // A finding after a complete one changes all texts at once.
            drawn: if before.is_some() { self.drawn } else { 0 },
            ..Self::default()
        };
        let Some((_, row)) = of else { return };
        self.excess = RowTexts::of(found, row).excess;
        match row {
            RowId::Leak(series) => self.read_leak(found, series),
            RowId::Slowdown(first) => self.read_slowdown(found, first),
            _ => {}
        }
        if let Some(hitch) = found.hitch_of(row) {
            self.read_hitch(hitch);
            let is_slowdown = matches!(row, RowId::Slowdown(_));
            if !is_slowdown {
                let stall = found.stall_of(hitch.frame);
                self.repeat = match (stall, hitch.repeats) {
                    (Some(stall), _) => format!("every {}", stall.interval_text()),
                    (None, Some(repeats)) if repeats.on > 1 => {
                        format!("{} time", ordinal(repeats.on))
                    }
                    _ => String::new(),
                };
            }
        }
        let marked = Some(found.frames_of(row).start).filter(|_| !matches!(row, RowId::Leak(_)));
        if marked != self.marked || before != Some(row) {
            self.times_ms.clear();
        }
        self.marked = marked;
        if let Some(frame) = marked {
            self.frame = format!("frame {}", whole_text(frame as f64));
        }
    }

    fn read_leak(&mut self, found: &Findings, series: u32) {
        let Some(growth) = found.growth(series) else {
            return;
        };
        self.repeat = match growth.leak.seconds_to_budget {
            Some(0.0) => "over budget".to_owned(),
            Some(secs) => format!("over budget in {}", duration(secs)),
            None => "keeps growing".to_owned(),
        };
        self.lines.push(Line {
            share: growth
                .budget_share()
                .map(|share| (share, percent_text(share))),
            name: one_line(&growth.leak.path, CHARS).into(),
            slot: None,
            path: Some(growth.leak.path.clone()),
        });
        if let Some(budget) = growth.budget {
            let budget = value_text(budget, growth.unit);
            self.lines
                .push(text_line(format!("of its budget of {budget}")));
        }
        if !growth.alike.is_empty() {
            let count = growth.alike.len() as u64;
            let more = count_text(count, "more grows alike", "more grow alike");
            self.lines.push(text_line(more));
        }
    }

    fn read_slowdown(&mut self, found: &Findings, first: u64) {
        let Some(slow) = found.slow_of(first) else {
            return;
        };
        let (from_ms, to_ms) = (slow.slowdown.from_ms, slow.slowdown.to_ms);
        self.excess = format!("{} to {} ms", fixed_text(from_ms, 1), fixed_text(to_ms, 1));
        let times = to_ms / from_ms.max(f64::MIN_POSITIVE);
        let is_slow = found.slow().is_some_and(|(_, is_slow)| is_slow);
        let lasts = if is_slow { "slower, " } else { "" };
        self.repeat = format!("{lasts}{} ×", fixed_text(times, 1));
    }

    fn read_hitch(&mut self, hitch: &Hitch) {
        let has_bar = |finding: &&Finding| {
            let is_part = matches!(finding.role, Role::Culprit | Role::Unaccounted | Role::Wait);
            is_part && share_of_time(finding).is_some_and(|share| share >= LISTED)
        };
        let parts = hitch.findings.iter().filter(has_bar).take(LINES);
        self.lines.extend(parts.map(part_line));
        let is_explained = hitch
            .findings
            .iter()
            .any(|finding| has_bar(&finding) && finding.role != Role::Unaccounted);
        // A count that leads has no share of the time.
        let moved = hitch.findings.iter().find(|finding| {
            let leads = finding.role == Role::Culprit && finding.unit != Unit::Milliseconds;
            leads || finding.is_named()
        });
        let verdict = hitch.verdict.split_once(": ").map_or("", |(_, rest)| rest);
        let work = hitch.work_text();
        let end = work
            .as_ref()
            .map_or_else(String::new, |work| format!("; {work}"));
        let verdict = verdict.strip_suffix(&end).unwrap_or(verdict);
        // The bar of the time in no scope says as much.
        let says_more = !verdict.ends_with("% in no scope");
        if self.lines.is_empty() || !is_explained && moved.is_none() && says_more {
            self.lines.insert(0, text_line(drawable(verdict)));
        }
        if let Some(moved) = moved {
            let [usual, value] = [moved.usual, moved.value].map(|v| value_text(v, moved.unit));
            let path = name_of(moved);
            self.lines
                .push(text_line(format!("with it {path} {usual} to {value}")));
        }
        self.lines.extend(work.map(text_line));
        self.lines.truncate(LINES);
        self.system = hitch
            .thread_times
            .map_or_else(String::new, |times| system_text(&times, hitch.frame_ms));
    }

    /// Copies the frame times around the marked frame, as far as they are known.
    fn read_times(&mut self, times: FrameSlice<'_>) {
        let Some(marked) = self.marked else { return };
        let begin = marked.saturating_sub(AROUND);
        let known = begin + self.times_ms.len() as u64;
        let new = times.within(known..marked + AROUND + 1);
        if new.is_empty() {
            return;
        }
        let missing = new.frames().start - known;
        (self.times_ms).extend((0..missing).map(|_| f64::NAN).chain(new.iter()));
        self.revision += 1;
    }

    fn read_age(&mut self, secs: Option<f64>) {
        let secs = secs.unwrap_or_default().max(0.0);
        let whole = secs as u64;
        let age = match secs {
            ..1.0 => (0, "now"),
            ..DIMS_SECS => (whole, " s ago"),
            // Rarely, because each change paints the card again.
            ..60.0 => (whole / 10 * 10, " s ago"),
            ..3600.0 => (whole / 60, " min ago"),
            _ => (whole / 3600, " h ago"),
        };
        if std::mem::replace(&mut self.age_of, age) != age {
            self.age.clear();
            // Writing to a string cannot fail.
            let _ = match age {
                (_, "now") => self.age.write_str("now"),
                (number, unit) => write!(self.age, "{number}{unit}"),
            };
            self.is_dim = secs >= DIMS_SECS;
            self.revision += 1;
        }
    }

    fn read_colors(&mut self, slot_of: impl Fn(&str) -> usize) {
        for line in &mut self.lines {
            let slot = line.path.as_deref().map(&slot_of);
            if line.slot != slot {
                line.slot = slot;
                self.revision += 1;
            }
        }
    }

    /// Returns the card in words, for screen readers.
    pub(super) fn description(&self) -> String {
        let lines = self.lines.iter().map(|line| match &line.share {
            Some((_, share)) => format!("{share} {}", line.name),
            None => line.name.clone(),
        });
        let texts = [&self.excess, &self.repeat].into_iter().cloned();
        let rest = [&self.system, &self.frame, &self.age].into_iter().cloned();
        let texts = texts.chain(lines).chain(rest);
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        texts.join(", ")
    }
}

fn text_line(text: String) -> Line {
    Line {
        name: one_line(&text, CHARS).into(),
        ..Line::default()
    }
}

fn part_line(finding: &Finding) -> Line {
    Line {
        share: Some((finding.share, percent_text(finding.share))),
        path: path_of(finding).map(str::to_owned),
        // Narrow cards cut the beginning.
        name: match finding.ready_thread() {
            Some(thread) => one_line(&format!("no processor for {thread}"), CHARS).into(),
            None => name_of(finding),
        },
        slot: None,
    }
}

/// Returns where the time of a frame went, without the parts that are short.
fn system_text(times: &ThreadTimes, frame_ms: f64) -> String {
    let parts = [
        ("ran", times.running_ms),
        ("no processor", times.ready_ms),
        ("blocked", times.blocked_ms),
    ];
    let long = parts.into_iter().filter(|(_, ms)| *ms >= NAMED * frame_ms);
    let long = long.map(|(name, ms)| format!("{name} {}", fixed_text(ms, 1)));
    let mut text = long.collect::<Vec<_>>().join(", ");
    if !text.is_empty() {
        text.push_str(" ms");
    }
    // A thousand page faults take about a millisecond.
    if let Some(faults) = times.page_faults.filter(|faults| *faults >= 1000.0) {
        let separator = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{separator}{} page faults", whole_text(faults));
    }
    text
}

/// Returns `2nd` for 2.
fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_end_as_they_are_spoken() {
        let texts = [1, 2, 3, 4, 11, 12, 13, 21, 22, 33, 111].map(ordinal);
        let expected = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "33rd", "111th",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn an_age_is_written_without_an_allocation_and_changes_rarely() {
        let mut card = Card::default();
        let mut changes = 0;
        let mut ages = Vec::new();
        for step in 0..72_000 {
            let before = card.revision();
            card.read_age(Some(f64::from(step) / 10.0));
            if card.revision() != before {
                changes += 1;
                ages.push((card.age.clone(), card.is_dim));
            }
        }
        assert_eq!(changes, 10 + 5 + 59 + 1, "{ages:?}");
        assert_eq!(ages[0], ("now".to_owned(), false));
        assert_eq!(ages[9], ("9 s ago".to_owned(), false));
        assert_eq!(ages[10], ("10 s ago".to_owned(), true));
        assert_eq!(ages[15], ("1 min ago".to_owned(), true));
        card.read_age(Some(f64::INFINITY));
        card.read_age(Some(f64::NAN));
        card.read_age(None);
    }

    #[test]
    fn the_graph_grows_until_it_has_the_frames_after_the_marked_one() {
        let times: Vec<f64> = (0..200).map(f64::from).collect();
        let mut card = Card {
            marked: Some(100),
            ..Card::default()
        };
        for end in 90..200_u64 {
            // The oldest frames are forgotten.
            let first = end.saturating_sub(50);
            let held = &times[first as usize..end as usize];
            card.read_times(FrameSlice::new(first, held, &[]));
            let expected = end.min(131).saturating_sub(70);
            assert_eq!(card.times_ms.len() as u64, expected, "{end}");
        }
        let known: Vec<f64> = (70..131).map(f64::from).collect();
        assert_eq!(card.times_ms, known);
        let revision = card.revision();
        card.read_times(FrameSlice::new(150, &times[150..], &[]));
        assert_eq!(card.revision(), revision, "it is complete");
    }

    #[test]
    fn short_parts_of_the_time_are_left_out() {
        let mut insight = stats_analysis::insight::Insight::new();
        use stats_analysis::insight::Facts;
        use stats_core::SeriesKind;
        let names = ["running", "ready", "blocked", "page-faults"];
        for (number, name) in (0..).zip(names) {
            let unit = if number < 3 {
                Unit::Milliseconds
            } else {
                Unit::Count
            };
            let facts = Facts::new(format!("frame/{name}"), SeriesKind::Counter, unit);
            insight.set_series(number, facts);
        }
        let frames = |ready, faults| [10.0, ready, 0.2, faults];
        for frame in 0..200 {
            insight.take_frame(frame, 10.2, &frames(0.0, 3.0));
        }
        insight.take_frame(200, 22.2, &frames(12.0, 2500.0));
        insight.rank_noticed();
        let hitch = &insight.hitches()[0];
        let times = hitch.thread_times.expect("the system tells");
        assert_eq!(
            system_text(&times, hitch.frame_ms),
            "ran 10.0, no processor 12.0 ms, 2,500 page faults"
        );
        let mut card = Card::default();
        card.read_hitch(hitch);
        assert_eq!(card.lines[0].name, "waiting for a processor");
        assert_eq!(card.lines[0].path, None);
        // A timer of the program may have any path.
        for (path, is_ready, name) in [
            ("threads/worker-0/ready", true, "no processor for worker-0"),
            ("threads/worker-0/ready", false, "threads/worker-0/ready"),
            ("frame/ready", false, "frame/ready"),
            ("unaccounted", false, "unaccounted"),
        ] {
            let finding = Finding {
                path: path.to_owned(),
                is_ready,
                ..hitch.findings[0].clone()
            };
            let line = part_line(&finding);
            assert_eq!((line.name.as_str(), line.path.is_some()), (name, !is_ready));
        }
    }
}
