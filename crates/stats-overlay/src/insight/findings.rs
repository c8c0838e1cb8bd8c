//! The findings of the insight, as the views show them.
//!
//! The line of the HUD names only leaks that will soon be over budget. Most levels that grow for
//! some seconds, such as a cache that fills, do so by design. The list contains all of them.

use std::collections::VecDeque;
use std::ops::Range;

use egui::Context;
use stats_analysis::format::{count_text, whole_text};
use stats_analysis::insight::{
    self, Finding, Hitch, Insight, Leak, MAX_HITCHES, Periodic, Role, Slowdown, WARM_UP_FRAMES,
};
use stats_core::Unit;

use crate::insight::headline::{Headline, with_path};
use crate::insight::pictures::{HitchPicture, HitchPictures};
use crate::insight::row_texts::{RowTexts, paths_of, shares_of, with_short_paths};

/// The maximum number of characters of a path in the HUD's line.
const HEADLINE_PATH: usize = 30;

/// The line of the HUD names a level that will be over its budget within this time.
const URGENT_SECS: f64 = 60.0;

/// The least share of a series that moved with a culprit and is shown beside it.
const SHOWN: f64 = 0.25;

/// The hitch with which a slowdown begins is at most this many frames before its first slow frame.
const AROUND_SLOWDOWN: u64 = 30;

/// Levels whose slopes differ by less than this share grow at the same rate.
const ALIKE: f64 = 0.1;

/// Levels of one unit that grow at the same rate, for example because one is part of another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Growth {
    /// The level that is shown: the first to reach its budget, or, if none will, the one with the
    /// longest path.
    pub(crate) leak: Leak,
    pub(crate) unit: Unit,
    /// The budget of that level, in its unit, if it is known.
    pub(crate) budget: Option<f64>,
    /// The paths of the others.
    pub(crate) alike: Vec<String>,
}

/// A level that grows, its unit, and its budget, if that is known.
pub(super) type Growing = (Leak, Unit, Option<f64>);

impl Growth {
    /// Groups levels. Keeps their order.
    fn of(leaks: impl IntoIterator<Item = Growing>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for (leak, unit, budget) in leaks {
            let is_alike = |one: &&mut Self| {
                let (a, b) = (one.leak.per_second, leak.per_second);
                one.unit == unit && (a - b).abs() <= ALIKE * a.max(b)
            };
            match all.iter_mut().find(is_alike) {
                Some(one) => one.add(leak, budget),
                None => all.push(Self {
                    leak,
                    unit,
                    budget,
                    alike: Vec::new(),
                }),
            }
        }
        all
    }

    fn add(&mut self, leak: Leak, budget: Option<f64>) {
        let until = |leak: &Leak| leak.seconds_to_budget.unwrap_or(f64::INFINITY);
        let segments = |leak: &Leak| leak.path.split('/').count();
        let (old, new) = (until(&self.leak), until(&leak));
        let is_better = new < old || new == old && segments(&leak) > segments(&self.leak);
        let other = if is_better {
            self.budget = budget;
            std::mem::replace(&mut self.leak, leak)
        } else {
            leak
        };
        self.alike.push(other.path);
    }

    /// Returns the level as a share of its budget, from 0 to 1; `None` without a budget.
    pub(crate) fn budget_share(&self) -> Option<f64> {
        let (budget, secs) = (self.budget?, self.leak.seconds_to_budget?);
        let left = (secs * self.leak.per_second / budget).clamp(0.0, 1.0);
        Some(1.0 - left)
    }
}

/// A slowdown that lasts, or lasted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slow {
    pub(crate) slowdown: Slowdown,
    /// The frame of the hitch with which it began, if one was noticed.
    hitch: Option<u64>,
}

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowId {
    /// The frames that the user asked about.
    Explained,
    /// A growing level, by the number of its series.
    Leak(u32),
    /// A periodic stall, by its first frame.
    Periodic(u64),
    /// A slowdown that lasts, by its first frame.
    Slowdown(u64),
    /// A hitch, by its frame.
    Hitch(u64),
}

/// What the search for hitches still has to learn before it can notice a hitch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ToLearn {
    /// The number of further frames.
    frames: u32,
    /// About how long they will take, in whole seconds; 0 if that is not known yet.
    secs: f64,
}

impl ToLearn {
    /// Returns a short line for the HUD and the list.
    pub(crate) fn text(self) -> String {
        let frames = count_text(self.frames.into(), "more frame", "more frames");
        if self.secs < 1.0 {
            return format!("Learning what is usual: {frames}");
        }
        format!(
            "Learning what is usual: {frames} ({} s)",
            whole_text(self.secs)
        )
    }
}

/// The findings, oldest first.
#[derive(Default)]
pub(crate) struct Findings {
    /// What has to be learned; `None` before the first frame.
    to_learn: Option<ToLearn>,
    /// The newest frames that were examined without a gap; `None` while what is usual is learned.
    examined: Option<Range<u64>>,
    hitches: VecDeque<Hitch>,
    /// The growing levels.
    growths: Vec<Growth>,
    periodic: Vec<Periodic>,
    /// The newest slowdown, and whether it lasts.
    slow: Option<Slow>,
    is_slow: bool,
    /// The frames that the user last asked about, and their explanation.
    explained: Option<(Range<u64>, Hitch)>,
    /// The newest finding, and its frame.
    newest: Option<(u64, RowId)>,
    /// When it was noticed, in seconds of egui's clock; `None` if the program found it.
    noticed_secs: Option<f64>,
    /// The time of the current pass.
    pub(super) now_secs: f64,
    /// The newest finding in one line, with a short path.
    headline: Headline,
    /// The frame that the user looks at, and its hitch in one line, empty without one.
    looked_at: Option<(u64, Headline)>,
    /// Whether the program found the hitches, instead of the overlay.
    is_given: bool,
    /// Whether the source reports the values of all series; `None` before it is asked.
    pub(super) can_tell: Option<bool>,
    /// Whether the source has too many series to survey them.
    pub(crate) has_too_many: bool,
    pub(super) pictures: HitchPictures,
    revision: u64,
}

impl Findings {
    /// Returns a number that changes whenever the findings change.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns whether hitches can be found: the source reports the values of all series, as far as
    /// is known, or the program found them.
    pub(crate) fn can_tell(&self) -> bool {
        self.is_given || self.can_tell != Some(false)
    }

    /// Returns what has to be learned before a hitch can be noticed; `None` if nothing has, or if
    /// the overlay does not search.
    pub(crate) fn to_learn(&self) -> Option<ToLearn> {
        let all = ToLearn {
            frames: WARM_UP_FRAMES,
            secs: 0.0,
        };
        let to_learn = self.to_learn.unwrap_or(all);
        let searches = !self.is_given && self.can_tell() && !self.has_too_many;
        (to_learn.frames > 0 && searches).then_some(to_learn)
    }

    /// Copies what an insight has to learn.
    pub(super) fn take_to_learn(&mut self, insight: &Insight) {
        let (frames, ms) = insight.frames_to_learn();
        let secs = (ms / 1e3).ceil();
        self.to_learn = Some(ToLearn { frames, secs });
    }

    /// Notes that a frame was examined. `has_learned` says whether what is usual was known before.
    pub(super) fn note_examined(&mut self, frame: u64, has_learned: bool) {
        self.examined = match self.examined.take() {
            _ if !has_learned => None,
            Some(frames) if frames.end == frame => Some(frames.start..frame + 1),
            _ => Some(frame..frame + 1),
        };
    }

    /// Returns the first of the frames that were all examined up to the newest examined one; `None` if
    /// none was.
    pub(crate) fn examined_from(&self) -> Option<u64> {
        if self.is_given {
            return Some(0);
        }
        self.examined.as_ref().map(|frames| frames.start)
    }

    /// Returns whether there are hitches, even if their frames are no longer kept.
    pub(crate) fn has_hitches(&self) -> bool {
        !self.hitches.is_empty()
    }

    /// Returns whether the program found the hitches.
    pub(crate) fn is_given(&self) -> bool {
        self.is_given
    }

    /// Replaces everything with the findings of the program.
    pub(super) fn give(&mut self, findings: insight::Findings) {
        self.hitches = findings.hitches.into();
        let leaks = findings.leaks.into_iter();
        self.growths = Growth::of(leaks.map(|(leak, unit)| (leak, unit, None)));
        self.periodic = findings.periodic;
        self.is_given = true;
        self.newest = self.newest_hitch();
        self.note_change();
        self.noticed_secs = None;
    }

    /// Copies the hitches of an insight, starting at a frame.
    pub(super) fn take_hitches(&mut self, insight: &Insight, from: u64) {
        let hitches = insight.hitches();
        let first = hitches.partition_point(|hitch| hitch.frame < from);
        self.replace_hitches(from, hitches.range(first..).cloned());
    }

    /// Replaces the hitches from a frame on.
    fn replace_hitches(&mut self, from: u64, new: impl Iterator<Item = Hitch>) {
        let known = self.hitches.partition_point(|hitch| hitch.frame < from);
        self.hitches.truncate(known);
        self.hitches.extend(new);
        let more = self.hitches.len().saturating_sub(MAX_HITCHES);
        self.hitches.drain(..more);
        let newest = self.newest_hitch();
        // A frame that no player sees does not take the place of a leak or a slowdown.
        let is_new = newest.is_some_and(|(frame, _)| frame >= from);
        let was_hitch = matches!(self.newest, None | Some((_, RowId::Hitch(_))));
        if (is_new || was_hitch) && !self.is_of_slowdown() {
            self.set_newest(newest);
        }
        self.note_change();
    }

    /// Returns whether the newest hitch that a player sees belongs to a slowdown that lasts and is
    /// shown: it has the same culprit.
    fn is_of_slowdown(&self) -> bool {
        let Some((_, RowId::Slowdown(_))) = self.newest.filter(|_| self.is_slow) else {
            return false;
        };
        let slow = self.slow.as_ref().and_then(|slow| self.hitch(slow.hitch?));
        // The time in no scope has no series.
        let first = |hitch: &Hitch| hitch.findings.first().map(|first| first.series);
        let both = (slow.and_then(first), self.newest_seen().and_then(first));
        matches!(both, (Some(one), Some(other)) if one == other)
    }

    /// Sets or ends the slowdown that lasts, as of a frame.
    pub(super) fn set_slowdown(&mut self, slowdown: Option<Slowdown>, frame: u64) {
        let was_slow = std::mem::replace(&mut self.is_slow, slowdown.is_some());
        let Some(slowdown) = slowdown else {
            if was_slow {
                self.note_change();
            }
            return;
        };
        let first = slowdown.first_frame;
        let known = self.slow.as_ref().map(|slow| slow.slowdown);
        if known.is_some_and(|known| known.first_frame == first) {
            if let Some(slow) = &mut self.slow {
                let before_ms = slow.slowdown.to_ms;
                slow.slowdown = slowdown;
                // Its text has one decimal.
                if (before_ms - slowdown.to_ms).abs() >= 0.05 {
                    self.note_change();
                }
            }
            return;
        }
        let from = first.saturating_sub(AROUND_SLOWDOWN);
        let began = self.hitches.partition_point(|hitch| hitch.frame < from);
        let hitch = self.hitches.get(began).map(|hitch| hitch.frame);
        self.slow = Some(Slow { slowdown, hitch });
        self.set_newest(Some((frame, RowId::Slowdown(first))));
        self.note_change();
    }

    /// Returns the newest slowdown, and whether it lasts.
    pub(crate) fn slow(&self) -> Option<(&Slow, bool)> {
        Some((self.slow.as_ref()?, self.is_slow))
    }

    fn set_newest(&mut self, newest: Option<(u64, RowId)>) {
        if self.newest != newest {
            self.noticed_secs = Some(self.now_secs);
        }
        self.newest = newest;
    }

    /// Sets the levels that grow, as of a frame.
    pub(super) fn set_leaks(&mut self, leaks: Vec<Growing>, frame: u64) {
        let growths = Growth::of(leaks);
        if growths == self.growths {
            return;
        }
        let was_urgent = |series| self.growth(series).is_some_and(|one| is_urgent(&one.leak));
        let is_news = |one: &&Growth| is_urgent(&one.leak) && !was_urgent(one.leak.series);
        if let Some(Growth { leak, .. }) = growths.iter().find(is_news) {
            self.set_newest(Some((frame, RowId::Leak(leak.series))));
        }
        self.growths = growths;
        if let Some((_, RowId::Leak(series))) = self.newest
            && self.growth(series).is_none()
        {
            self.set_newest(self.newest_hitch());
        }
        self.note_change();
    }

    pub(super) fn set_periodic(&mut self, periodic: Vec<Periodic>) {
        if periodic != self.periodic {
            self.periodic = periodic;
            self.note_change();
        }
    }

    pub(super) fn set_explained(&mut self, frames: Range<u64>, hitch: Hitch) {
        self.explained = Some((frames, hitch));
        self.revision += 1;
    }

    /// Returns the newest hitch that a player sees: its frame and its row.
    pub(crate) fn newest_hitch(&self) -> Option<(u64, RowId)> {
        let frame = self.newest_seen()?.frame;
        Some((frame, RowId::Hitch(frame)))
    }

    fn newest_seen(&self) -> Option<&Hitch> {
        self.hitches.iter().rfind(|hitch| hitch.is_seen())
    }

    fn note_change(&mut self) {
        self.revision += 1;
        let newest = self.newest.map(|(_, row)| row);
        self.headline = newest.map(|row| self.headline_of(row)).unwrap_or_default();
        let frame = self.looked_at.take().map(|(frame, _)| frame);
        self.look_at(frame);
    }

    /// Notes at which frame the user looks. Its hitch, if it has one, comes before newer ones in
    /// [`shown_headline`](Self::shown_headline).
    pub(super) fn look_at(&mut self, frame: Option<u64>) {
        if self.looked_at.as_ref().map(|(frame, _)| *frame) != frame {
            self.looked_at = frame.map(|frame| (frame, self.headline_of(RowId::Hitch(frame))));
        }
    }

    /// Returns the row of the newest finding; `None` if its frame is before `first`.
    pub(crate) fn newest(&self, first: u64) -> Option<RowId> {
        let (frame, row) = self.newest?;
        (frame >= first).then_some(row)
    }

    /// Returns when the newest finding was noticed, in seconds of egui's clock; `None` if the
    /// program found it.
    pub(crate) fn noticed_secs(&self) -> Option<f64> {
        self.noticed_secs
    }

    /// Returns the periodic stall that a frame belongs to.
    pub(crate) fn stall_of(&self, frame: u64) -> Option<&Periodic> {
        self.periodic.iter().find(|stall| stall.has(frame))
    }

    /// Returns a finding as a line. A long path is shortened to its last segments.
    fn headline_of(&self, row: RowId) -> Headline {
        let (before, verdict, path) = match row {
            RowId::Hitch(frame) => {
                let Some(hitch) = self.hitch(frame) else {
                    return Headline::default();
                };
                let repeat = self.stall_of(frame).map_or_else(String::new, |stall| {
                    format!("every {}, ", stall.interval_text())
                });
                let first = hitch.findings.first();
                let named = first.filter(|first| first.role != Role::Unaccounted);
                let path = named.map_or("", |named| &named.path);
                let at = format!("frame {}, ", whole_text(frame as f64));
                let verdict = drawable(&hitch.verdict);
                let others = paths_of(hitch).filter(|other| *other != path);
                let verdict = with_short_paths(&verdict, others, HEADLINE_PATH);
                ([at, repeat], verdict, path)
            }
            _ => {
                let RowTexts {
                    excess, verdict, ..
                } = RowTexts::of(self, row);
                let path = self.path_of(row).unwrap_or_default();
                (Default::default(), format!("{excess}: {verdict}"), path)
            }
        };
        let short = tail(path, HEADLINE_PATH);
        let (excess, rest) = match verdict.find(": ") {
            Some(at) => verdict.split_at(at + 2),
            None => ("", verdict.as_str()),
        };
        let rest = with_path(rest, path, &short);
        let line = Headline::new(before.each_ref().map(String::as_str), excess, &rest, &short);
        match self
            .hitch_of(row)
            .filter(|_| matches!(row, RowId::Hitch(_)))
        {
            Some(hitch) => line.of_frame(&shares_of(hitch, HEADLINE_PATH), hitch.is_seen()),
            None => line,
        }
    }

    /// Returns the newest finding as a short line; `None` if its frame is before `first`.
    pub(crate) fn headline(&self, first: u64) -> Option<&Headline> {
        let (frame, _) = self.newest?;
        let headline = Some(&self.headline);
        headline.filter(|line| frame >= first && !line.is_empty())
    }

    /// Returns the hitch of the frame that the user looks at, or else the [newest
    /// finding](Self::headline).
    pub(crate) fn shown_headline(&self, first: u64) -> Option<&Headline> {
        self.shown_hitch()
            .map(|(_, headline)| headline)
            .or_else(|| self.headline(first))
    }

    /// Returns the hitch of the frame that the user looks at, in one line; `None` if it has none.
    pub(crate) fn shown_hitch(&self) -> Option<(RowId, &Headline)> {
        let (frame, headline) = self.looked_at.as_ref()?;
        (!headline.is_empty()).then_some((RowId::Hitch(*frame), headline))
    }

    /// Returns the rows to show for these frames: the explained frames, then a slowdown that lasts,
    /// leaks, periodic stalls and hitches, newest first.
    pub(crate) fn rows(&self, frames: Range<u64>) -> impl Iterator<Item = RowId> {
        let growths = self.growths.iter();
        let leaks = growths.map(|one| RowId::Leak(one.leak.series));
        let periodic = self
            .periodic
            .iter()
            .map(|stall| RowId::Periodic(stall.first_frame));
        let hitches = self.hitches.iter().rev().map(|hitch| hitch.frame);
        let slow = self.slow.as_ref().filter(|_| self.is_slow);
        let slow = slow.map(|slow| RowId::Slowdown(slow.slowdown.first_frame));
        let hitches = hitches.filter(move |frame| frames.contains(frame));
        let explained = self.explained.as_ref().map(|_| RowId::Explained);
        let certain = (explained.into_iter().chain(slow))
            .chain(leaks)
            .chain(periodic);
        certain.chain(hitches.map(RowId::Hitch))
    }

    /// Returns the path that a row is about. For a hitch and for a slowdown, this is the path of the single
    /// culprit; `None` without one.
    pub(crate) fn path_of(&self, row: RowId) -> Option<&str> {
        match row {
            RowId::Leak(series) => Some(self.growth(series)?.leak.path.as_str()),
            RowId::Periodic(first) => Some(self.stall(first)?.path.as_str()),
            RowId::Hitch(_) | RowId::Explained | RowId::Slowdown(_) => {
                Some(self.hitch_of(row)?.culprit()?.path.as_str())
            }
        }
    }

    /// Returns the hitch of a row, or the explanation of the frames that the user asked about.
    pub(crate) fn hitch_of(&self, row: RowId) -> Option<&Hitch> {
        match row {
            RowId::Hitch(frame) => self.hitch(frame),
            RowId::Explained => self.explained.as_ref().map(|(_, hitch)| hitch),
            RowId::Slowdown(first) => self.hitch(self.slow_of(first)?.hitch?),
            RowId::Leak(_) | RowId::Periodic(_) => None,
        }
    }

    /// Returns the picture of a row's hitch, if the host handed one over.
    pub(crate) fn picture(&self, row: RowId) -> Option<&HitchPicture> {
        let frame = match row {
            RowId::Hitch(frame) => frame,
            _ => self.hitch_of(row)?.frame,
        };
        self.pictures.of(frame)
    }

    /// Takes a picture that shows a frame: that of a hitch of the program, or the wanted one. Ignores
    /// any other.
    pub(super) fn add_picture(&mut self, shows: u64, size: (u32, u32), rgba: &[u8]) {
        if self.is_given && self.hitch(shows).is_some() {
            self.pictures.give_of(shows, shows, size, rgba);
        } else {
            self.pictures.give(shows, size, rgba);
        }
    }

    /// Loads a picture that is not loaded yet.
    pub(super) fn load_picture(&mut self, ctx: &Context) {
        if self.pictures.load(ctx) {
            self.revision += 1;
        }
    }

    /// Returns the frames of a row: the newest one of a periodic stall, and none for a leak.
    pub(crate) fn frames_of(&self, row: RowId) -> Range<u64> {
        match row {
            RowId::Hitch(frame) => frame..frame + 1,
            RowId::Explained => self
                .explained
                .as_ref()
                .map_or(0..0, |(frames, _)| frames.clone()),
            RowId::Leak(_) => 0..0,
            RowId::Slowdown(first) => first..first + 1,
            RowId::Periodic(first) => self.stall(first).map_or(0..0, |stall| {
                let frame = stall.newest_frame();
                frame..frame + 1
            }),
        }
    }

    /// Returns the numbers of the series of the hitch in a frame; none if there is no hitch.
    pub(super) fn series_of(&self, frame: u64) -> Vec<u32> {
        let findings = self.hitch(frame).map_or(&[][..], |hitch| &hitch.findings);
        findings
            .iter()
            .filter_map(|finding| finding.series)
            .collect()
    }

    /// Returns whether a hitch that a player sees was noticed in a frame.
    pub(crate) fn has_hitch(&self, frame: u64) -> bool {
        self.hitch(frame).is_some_and(Hitch::is_seen)
    }

    /// Returns the frames of the hitches that a player sees, oldest first.
    pub(crate) fn hitches(&self, frames: Range<u64>) -> impl Iterator<Item = u64> {
        let first = (self.hitches).partition_point(|hitch| hitch.frame < frames.start);
        let from = self.hitches.range(first..);
        from.take_while(move |hitch| hitch.frame < frames.end)
            .filter(|hitch| hitch.is_seen())
            .map(|hitch| hitch.frame)
    }

    fn hitch(&self, frame: u64) -> Option<&Hitch> {
        let at = self.hitches.partition_point(|hitch| hitch.frame < frame);
        self.hitches.get(at).filter(|hitch| hitch.frame == frame)
    }

    /// Returns the slowdown that began in a frame.
    pub(crate) fn slow_of(&self, first_frame: u64) -> Option<&Slow> {
        let slow = self.slow.as_ref();
        slow.filter(|slow| slow.slowdown.first_frame == first_frame)
    }

    pub(crate) fn growth(&self, series: u32) -> Option<&Growth> {
        self.growths.iter().find(|one| one.leak.series == series)
    }

    pub(super) fn stall(&self, first_frame: u64) -> Option<&Periodic> {
        self.periodic
            .iter()
            .find(|stall| stall.first_frame == first_frame)
    }

    /// Returns the paths of a row's series. For a hitch: the culprits, the scopes around them, and
    /// what moved far with them. What moved a little would hide them in a graph.
    pub(crate) fn paths(&self, row: RowId) -> Vec<&str> {
        match row {
            RowId::Leak(series) => {
                let growth = self.growth(series).into_iter();
                let paths = growth.flat_map(|one| [&one.leak.path].into_iter().chain(&one.alike));
                paths.map(String::as_str).collect()
            }
            RowId::Periodic(first) => {
                let stall = self.stall(first).filter(|stall| stall.series.is_some());
                stall.map(|stall| stall.path.as_str()).into_iter().collect()
            }
            RowId::Hitch(_) | RowId::Explained | RowId::Slowdown(_) => {
                let findings = self.hitch_of(row).map_or(&[][..], |hitch| &hitch.findings);
                let is_shown = |finding: &&Finding| {
                    finding.series.is_some()
                        && (finding.role != Role::MovedWith || finding.share > SHOWN)
                };
                findings
                    .iter()
                    .filter(is_shown)
                    .map(|finding| finding.path.as_str())
                    .collect()
            }
        }
    }
}

/// Returns whether a level will soon be over its budget.
fn is_urgent(leak: &Leak) -> bool {
    leak.seconds_to_budget
        .is_some_and(|secs| secs <= URGENT_SECS)
}

/// Returns the path of a series that has a color of its own; `None` for the time in no scope, or for the
/// time in which a thread waits for a processor.
pub(crate) fn path_of(finding: &Finding) -> Option<&str> {
    let is_path = finding.role != Role::Unaccounted && !finding.is_ready;
    is_path.then_some(&finding.path)
}

/// Returns a verdict without arrows, which egui's default font lacks.
pub(crate) fn drawable(verdict: &str) -> String {
    verdict.replace('→', "to")
}

/// Returns the last segments of a path that has more characters than `max_chars`, after `…/`.
pub(crate) fn tail(path: &str, max_chars: usize) -> String {
    let mut rest = path;
    while rest.chars().count() > max_chars
        && let Some((_, inner)) = rest.split_once('/')
    {
        rest = inner;
    }
    if rest.len() == path.len() {
        path.to_owned()
    } else {
        format!("…/{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_grow_alike_share_a_row_with_all_of_their_paths() {
        let leak = |path: &str, series, per_second, seconds_to_budget| {
            let leak = Leak {
                path: path.to_owned(),
                series,
                per_second,
                is_slower: seconds_to_budget == Some(720.0),
                seconds_to_budget,
            };
            (leak, Unit::Bytes)
        };
        let (entities, _) = leak("entities", 5, 100.0, None);
        let mut found = Findings::default();
        let mut growing = insight::Findings::default();
        growing.leaks = vec![
            leak("memory/total", 1, 102.0, None),
            leak("memory/level/history", 2, 100.0, None),
            leak("memory/level", 3, 99.0, Some(720.0)),
            leak("memory/level/history/bytes", 4, 101.0, Some(900.0)),
            (entities, Unit::Count),
        ];
        found.give(growing);
        let rows: Vec<RowId> = found.rows(0..0).collect();
        assert_eq!(rows, [RowId::Leak(3), RowId::Leak(5)]);
        let mut paths = found.paths(rows[0]);
        assert_eq!(paths.remove(0), "memory/level");
        assert_eq!(paths.len(), 3);
        let verdict = RowTexts::of(&found, rows[0]).verdict;
        assert_eq!(
            verdict,
            "memory/level, slower now, over budget in 12 min; 3 more grow alike"
        );
    }

    /// Returns a hitch of a culprit, which took this much longer than the usual 16 ms.
    fn hitch(frame: u64, longer_ms: f64, path: &str) -> Hitch {
        Hitch {
            frame,
            frame_ms: 16.0 + longer_ms,
            usual_ms: 16.0,
            excess_ms: 12.0,
            work_ms: 12.0,
            verdict: format!("+12.0 ms: 100 % {path}"),
            single_culprit: true,
            findings: vec![insight::Finding {
                path: path.to_owned(),
                series: path.bytes().next().map(u32::from),
                role: Role::Culprit,
                share: 1.0,
                is_part: true,
                is_ready: false,
                value: 13.0,
                usual: 1.0,
                record: 1.0,
                unit: Unit::Milliseconds,
            }],
            repeats: None,
            thread_times: None,
        }
    }

    #[test]
    fn a_frame_that_no_player_sees_takes_the_place_of_no_finding_and_has_no_mark() {
        let leak = Leak {
            path: "memory/level".to_owned(),
            series: 3,
            per_second: 100.0,
            is_slower: false,
            seconds_to_budget: Some(5.0),
        };
        for slowdown in [false, true] {
            let mut found = Findings::default();
            found.replace_hitches(900, [hitch(900, 12.0, "ai")].into_iter());
            assert_eq!(found.newest(0), Some(RowId::Hitch(900)));
            let newest = if slowdown {
                found.set_slowdown(Some(Slowdown::new(901, 16.0, 28.0)), 5000);
                RowId::Slowdown(901)
            } else {
                found.set_leaks(vec![(leak.clone(), Unit::Bytes, None)], 5000);
                RowId::Leak(3)
            };
            assert_eq!(found.newest(0), Some(newest));
            found.replace_hitches(5100, [hitch(5100, 0.5, "ui")].into_iter());
            assert_eq!(found.newest(0), Some(newest));
            found.replace_hitches(5200, [hitch(5200, 12.0, "ui")].into_iter());
            assert_eq!(found.newest(0), Some(RowId::Hitch(5200)));
            found.replace_hitches(5300, [hitch(5300, 0.5, "ui")].into_iter());
            assert_eq!(found.newest(0), Some(RowId::Hitch(5200)));
            assert!(found.has_hitch(900) && found.has_hitch(5200));
            assert!(!found.has_hitch(5100) && !found.has_hitch(5300));
            assert!(found.hitches(0..u64::MAX).eq([900, 5200]));
            assert!(
                found.hitches(900..5200).eq([900]) && found.hitches(901..5200).next().is_none()
            );
            let headline = found.headline(0).map(Headline::text);
            assert_eq!(headline, Some("frame 5,200, +12.0 ms: 100 % ui"));
        }
    }

    #[test]
    fn frames_are_examined_since_the_last_gap_and_since_what_is_usual_is_known() {
        let mut found = Findings::default();
        let mut after = |frames: Range<u64>, has_learned| {
            frames.for_each(|frame| found.note_examined(frame, has_learned));
            found.examined_from()
        };
        assert_eq!(after(0..60, false), None);
        assert_eq!(after(60..100, true), Some(60));
        assert_eq!(after(101..120, true), Some(101));
        assert_eq!(after(120..121, false), None);
    }

    #[test]
    fn a_long_path_is_shortened_to_its_last_segments() {
        assert_eq!(tail("ai/paths", 8), "ai/paths");
        assert_eq!(tail("ai/paths", 7), "…/paths");
        assert_eq!(tail("game/ai/paths", 8), "…/ai/paths");
        assert_eq!(tail("one-long-segment", 4), "one-long-segment");
        assert_eq!(tail("", 4), "");
    }
}
