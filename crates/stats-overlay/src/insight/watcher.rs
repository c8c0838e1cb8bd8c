//! Feeds each frame of the source to the insight.

use std::ops::{ControlFlow, Range};

use egui::Context;
use stats_analysis::bottleneck::Limit;
use stats_analysis::insight::{self, Event, Insight, Leak};
use stats_core::limits::{LATE_FRAMES, SURVEY_GROWTH};
use stats_core::source::{Listed, Survey};
use stats_core::{SeriesInfo, Source, Unit};

use crate::data::allowance::Allowance;
use crate::data::listing::list_or_all;
use crate::data::recent::Recent;
use crate::data::throttle::Throttle;
use crate::insight::engine::{Engine, Progress};
use crate::insight::findings::Findings;
use crate::insight::frame_limit::FrameLimit;
use crate::insight::known_series::KnownSeries;
use crate::insight::top_timers::TopTimers;

/// Explained frames are compared with this many frames before and after them.
const AROUND: u64 = 120;

/// The maximum number of series that are surveyed, calls and self times included. A frame with this
/// number takes about 4 ms.
pub(super) const MAX_SERIES: u32 = 1 << 18;

/// The most frames before the newest one that wait to be examined. Frames of a game on another machine
/// arrive several at once.
const MAX_EARLIER: u64 = 64;

/// The number of series whose values are examined in a unit of an allowance.
const SERIES_IN_A_UNIT: usize = 16;

/// The interval between searches for growing levels, in seconds. It is also the minimum interval
/// between searches for periodic stalls.
const LONG_TASK_SECS: f64 = 1.0;

/// The maximum number of frames in a row in which hitches put off these searches.
const MOST_PUT_OFF: u32 = 30;

/// A frame is the overlay's if at least this share of the time beyond the usual was spent in it.
const OWN_SHARE: f64 = 0.5;

/// Finds hitches in the frames of a source.
///
/// Surveys the source only while [`update`](Self::update) is called. A hidden overlay calls it only
/// if the settings say so. Frames that are recorded during a pause are examined as well. A frame
/// that ends while another one is being ranked on a thread is skipped. A source with more than
/// [`MAX_SERIES`] is not surveyed.
#[derive(Default)]
pub(crate) struct Hitches {
    listed: KnownSeries,
    engine: Engine,
    found: Findings,
    /// The time that the overlay took in the newest frame beyond its usual time, in milliseconds.
    pub(crate) own_ms: f64,
    /// The number of series in the survey of the newest frame.
    surveyed: usize,
    /// The number of frames that were examined.
    taken: u64,
    /// The end of the source's frames at the last call.
    end: u64,
    /// The first frame that was neither examined nor skipped.
    next: u64,
    /// The first noticed frame that is not ranked.
    unranked: Option<u64>,
    /// Whether the noticed frames have been ranked, and are to be taken.
    is_ranked: bool,
    /// Whether they were taken in this pass, which draws them.
    has_taken: bool,
    /// The number of frames in a row in which hitches put off the searches for what recurs or grows.
    put_off: u32,
    late: LateValues,
    wants_periodic: bool,
    /// Whether a search for periodic stalls goes on.
    searches: bool,
    /// The values of all series while panes are on screen.
    recent: Recent,
    /// The end of the frames whose values were kept.
    kept: u64,
    /// The frames to explain as soon as the engine is available.
    to_explain: Option<Range<u64>>,
    leaks: Throttle,
    periodic: Throttle,
    /// The timers that took most of the newest second.
    pub(crate) top: TopTimers,
}

/// Deferred values of the newest noticed frame.
#[derive(Debug, Default)]
struct LateValues {
    frame: Option<u64>,
    /// The numbers of the series whose values are known.
    known: Vec<u32>,
    /// The numbers, frames and values that became known in this frame.
    new: Vec<(u32, u64, f64)>,
}

impl Hitches {
    /// Returns the findings so far.
    pub(crate) fn found(&self) -> &Findings {
        &self.found
    }

    /// Notes at which frame the user looks, during a pause.
    pub(crate) fn look_at(&mut self, frame: Option<u64>) {
        self.found.look_at(frame);
    }

    /// Forgets everything about one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        *self = Self::default();
    }

    /// Sets the budget of the frame time in milliseconds.
    pub(crate) fn set_frame_budget(&mut self, ms: Option<f64>) {
        if let Some(insight) = self.engine.get() {
            insight.set_frame_budget(ms);
        }
    }

    /// Returns the frame of the hitch whose picture is wanted.
    pub(crate) fn wanted_picture(&self) -> Option<u64> {
        self.found.pictures.wanted()
    }

    /// Takes a picture that shows a frame; ignores one that is not wanted.
    pub(crate) fn add_picture(&mut self, shows: u64, size: (u32, u32), rgba: &[u8]) {
        self.found.add_picture(shows, size, rgba);
    }

    /// Loads a picture that is not loaded yet.
    pub(crate) fn load_picture(&mut self, ctx: &Context) {
        self.found.load_picture(ctx);
    }

    /// Returns the oldest event that was not taken yet; `None` if there is none, or while frames
    /// are ranked on another thread.
    pub(crate) fn poll_event(&mut self) -> Option<Event> {
        self.engine.get()?.poll_event()
    }

    /// Replaces the findings with those of the program.
    pub(crate) fn give(&mut self, findings: insight::Findings) {
        self.found.give(findings);
    }

    /// Returns what limits most of the newest second; `None` if nothing tells it.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.listed.limit.newest()
    }

    /// Returns what limits the frame rate in any frames.
    pub(crate) fn frame_limit(&self) -> &FrameLimit {
        &self.listed.limit
    }

    /// Keeps what tells what limits the frame rate while the views are paused at the frames before
    /// `paused_end`.
    pub(crate) fn follow(&mut self, source: &dyn Source, paused_end: Option<u64>) {
        self.listed.limit.follow(source, paused_end);
    }

    /// Reads what limits the frame rate, twice a second at most.
    pub(crate) fn read_limit(
        &mut self,
        source: &mut dyn Source,
        now_secs: f64,
        display_hz: Option<f64>,
    ) {
        self.listed.limit.read(source, now_secs, display_hz);
    }

    /// Explains frames, at once or in a later frame. Returns false if their values are not kept.
    pub(crate) fn explain(&mut self, source: &dyn Source, frames: Range<u64>) -> bool {
        let is_known = self.recent.count(frames.clone()) > 0;
        self.to_explain = is_known.then_some(frames);
        self.explain_requested(source);
        is_known
    }

    /// Forgets the values of all series in the last frames.
    pub(crate) fn forget_recent(&mut self) {
        if !self.recent.is_empty() {
            self.recent.clear();
        }
    }

    /// Frees the memory that only a search for hitches needs. What is usual for each series is
    /// kept.
    pub(crate) fn rest(&mut self) {
        self.listed.limit.rest();
        if let Some(insight) = self.engine.get() {
            insight.rest();
        }
    }

    /// Returns the values of all series in the last examined frames.
    pub(crate) fn recent(&self) -> &Recent {
        &self.recent
    }

    /// Returns what is usual; `None` while frames are ranked on another thread.
    pub(crate) fn insight(&self) -> Option<&Insight> {
        self.engine.insight()
    }

    fn explain_requested(&mut self, source: &dyn Source) {
        let Some(insight) = self.engine.get() else {
            return;
        };
        let Some(frames) = self.to_explain.take() else {
            return;
        };
        let recent = &self.recent;
        let before = frames.start.saturating_sub(AROUND)..frames.start;
        let after = frames.end..frames.end.saturating_add(AROUND);
        let hitch = insight.explain_among(
            frames.start,
            |visit| recent.visit(frames.clone(), &mut |_, values| visit(values)),
            |visit| {
                recent.visit(before, &mut |_, values| visit(values));
                recent.visit(after, &mut |_, values| visit(values));
            },
            |number| path_of(source, number),
        );
        if let Some(hitch) = hitch {
            self.found.set_explained(frames, hitch);
        }
    }

    /// Examines the newest frame if it ended since the last call. If several did, examines as many as
    /// `allowance` permits, at least one, and the others in the next calls. Keeps the values of all series
    /// in them if `has_panes`, and otherwise those of the last hitches. Reads the listing of the source
    /// as far as `allowance` permits.
    pub(crate) fn update(
        &mut self,
        source: &mut dyn Source,
        now_secs: f64,
        has_panes: bool,
        allowance: &mut Allowance,
    ) {
        self.has_taken = false;
        match self.engine.poll() {
            // The pass that draws a finding is not the one that ranks it, so that neither is long.
            Progress::Here if self.is_ranked => self.take_ranked(),
            Progress::Here => {}
            Progress::Away => {
                self.found.now_secs = now_secs;
                return self.keep_unexamined(source, has_panes, allowance);
            }
            Progress::Back => self.take_ranked(),
            Progress::New => {
                self.listed = KnownSeries::default();
                self.is_ranked = false;
                if let Some(insight) = self.engine.get() {
                    self.found.take_to_learn(insight);
                }
            }
        }
        // What was ranked in the last update was noticed then, even if the overlay was hidden since.
        self.found.now_secs = now_secs;
        self.explain_requested(source);
        let end = source.frames().end;
        let has_more = std::mem::replace(&mut self.end, end) != end || self.next < end;
        let Some(insight) = self.engine.get() else {
            return;
        };
        if !has_more {
            // A capture has no further frame after which the rest of a long listing could be read.
            if end > 0 && !self.listed.has_been_read() && !self.found.has_too_many {
                self.listed.read(source, insight, allowance);
            }
            return;
        }
        let next = std::mem::replace(&mut self.next, end);
        let nothing = Listed::Numbers(0..0);
        let series = source.list(nothing, &mut |_| ControlFlow::Continue(()));
        self.found.has_too_many = series.is_some_and(|series| series > MAX_SERIES);
        if self.found.has_too_many {
            return;
        }
        self.listed.read(source, insight, allowance);
        if !self.listed.has_been_read() {
            // A hitch is ranked only among series whose properties have been read.
            return;
        }
        self.late.new.clear();
        let is_known = self.examine_frames(source, next..end, has_panes, allowance);
        if let Some(insight) = self.engine.get() {
            let path_of = |number| path_of(source, number);
            insight.look_up_event_paths(path_of);
            self.top.rank_if_due(insight, path_of);
        }
        // They belong to frames before: the newest one need not be known.
        self.take_late_values();
        if !is_known {
            return;
        }
        self.answer(source, now_secs);
    }

    /// Examines frames up to the newest one, as far as `allowance` permits. Several wait in a game on another
    /// machine, and after the engine was away. Skips those whose values the source does not have, and all
    /// but the last [`MAX_EARLIER`] before the newest one. Returns whether the values of the last examined
    /// one are known.
    fn examine_frames(
        &mut self,
        source: &mut dyn Source,
        frames: Range<u64>,
        has_panes: bool,
        allowance: &mut Allowance,
    ) -> bool {
        let newest = frames.end.saturating_sub(1);
        let waiting = if self.taken == 0 { 0 } else { MAX_EARLIER };
        let first = frames.start.max(newest.saturating_sub(waiting)).min(newest);
        if first > frames.start && self.taken > 0 {
            let skipped = source.frame_times(usize::MAX).within(frames.start..first);
            self.skip(skipped.iter().sum());
        }
        let (mut is_known, mut has_examined) = (false, false);
        for frame in first..frames.end {
            // One is the work of a pass in any case.
            if has_examined && !allowance.has_left() {
                self.next = frame;
                break;
            }
            is_known = self.examine(source, frame, has_panes);
            if is_known && std::mem::replace(&mut has_examined, true) {
                allowance.spend(self.surveyed.div_ceil(SERIES_IN_A_UNIT));
            }
            if !is_known
                && frame < newest
                && let Some(ms) = source.frame_times(usize::MAX).at(frame)
            {
                self.skip(ms);
            }
        }
        is_known
    }

    /// Examines a frame that ended. Returns whether its values are known.
    fn examine(&mut self, source: &mut dyn Source, frame: u64, has_panes: bool) -> bool {
        let Some(insight) = self.engine.get() else {
            return false;
        };
        let stood_still = insight.note_marks(frame, source.marks());
        let frame_ms = source.frame_times(usize::MAX).at(frame);
        let source_first = source.frames().start;
        let Some(survey) = self.survey(source, frame) else {
            return false;
        };
        let values = survey.values();
        let before = std::mem::replace(&mut self.surveyed, values.len());
        // Values are not known yet: the survey has just begun, or is being extended.
        let is_new = values.len() >= before + SURVEY_GROWTH || values.iter().all(|v| v.is_nan());
        // Frame 0 began when the recorder was created, not when another frame ended.
        if is_new || frame == 0 {
            return false;
        }
        let Some(ms) = frame_ms else {
            return true;
        };
        self.top.take_frame(ms, values);
        // A frame may have been kept while the engine was away.
        let is_kept = frame < self.kept;
        if has_panes && !is_kept {
            (self.recent).take(frame, ms, values, survey.still_groups());
        }
        let is_newest = frame + 1 == self.end;
        if stood_still || is_newest && self.is_of_overlay(ms) {
            self.skip(ms);
        } else {
            self.take_frame(frame, ms, survey, has_panes);
        }
        self.recent.aftermath.take(frame, values);
        self.recent.aftermath.drop_before(source_first);
        self.kept = self.kept.max(frame + 1);
        true
    }

    /// Returns whether a frame was long mainly because of the overlay, as when it opens or shows
    /// something else. A game runs without the overlay, so such a frame is no hitch of the game.
    fn is_of_overlay(&mut self, ms: f64) -> bool {
        let usual = self.engine.get().and_then(|insight| insight.usual_frame());
        usual.is_some_and(|usual| {
            let beyond_ms = ms - usual.value;
            beyond_ms > usual.bar() && self.own_ms >= OWN_SHARE * beyond_ms
        })
    }

    /// Keeps the values of the frames that ended while the engine is ranking, as far as `allowance` permits.
    fn keep_unexamined(
        &mut self,
        source: &mut dyn Source,
        has_panes: bool,
        allowance: &mut Allowance,
    ) {
        let end = source.frames().end;
        let first = self.kept.max(end.saturating_sub(1 + MAX_EARLIER));
        let mut has_kept = false;
        for frame in first..end {
            if has_kept && !allowance.has_left() {
                return;
            }
            self.kept = frame + 1;
            let frame_ms = source.frame_times(usize::MAX).at(frame);
            let (Some(ms), Some(survey)) = (frame_ms, survey_of(source, frame)) else {
                continue;
            };
            let values = survey.values();
            if std::mem::replace(&mut has_kept, true) {
                allowance.spend(values.len().div_ceil(SERIES_IN_A_UNIT));
            }
            if values.len() == self.surveyed && !values.iter().all(|value| value.is_nan()) {
                if has_panes {
                    (self.recent).take(frame, ms, values, survey.still_groups());
                }
                self.recent.aftermath.take(frame, values);
            }
        }
    }

    /// Returns the survey of a frame, and collects the deferred values of the noticed one; `None` if
    /// the source does not have it.
    fn survey<'a>(&mut self, source: &'a mut dyn Source, frame: u64) -> Option<Survey<'a>> {
        let is_newest = frame + 1 == source.frames().end;
        let survey = survey_of(source, frame);
        if is_newest || survey.is_some() {
            self.found.can_tell = Some(survey.is_some());
        }
        let survey = survey?;
        self.collect_late(survey);
        Some(survey)
    }

    /// Collects the deferred values of the noticed frame that became known.
    fn collect_late(&mut self, survey: Survey<'_>) {
        let Self { late, engine, .. } = self;
        let insight = engine.get().filter(|insight| insight.has_deferred());
        if let (Some(noticed), Some(insight)) = (late.frame, insight) {
            for (id, value) in survey.iter() {
                let number = id.number();
                // A value of 0 belongs to a later frame, which changed nothing.
                let is_late = value.last_change == Some(noticed) && value.value != 0.0;
                if is_late && insight.is_deferred(number) && !late.known.contains(&number) {
                    late.known.push(number);
                    late.new.push((number, noticed, value.value));
                }
            }
        }
    }

    /// Skips a frame in which the whole program stood still.
    fn skip(&mut self, ms: f64) {
        if let Some(insight) = self.engine.get() {
            insight.skip(ms);
        }
    }

    fn take_frame(&mut self, frame: u64, frame_ms: f64, survey: Survey<'_>, has_panes: bool) {
        let Some(insight) = self.engine.get() else {
            return;
        };
        self.taken += 1;
        if self.taken.is_power_of_two() {
            self.listed.read_all();
        }
        let has_learned = insight.frames_to_learn().0 == 0;
        let is_noticed = insight.take_survey(frame, frame_ms, survey);
        self.found.take_to_learn(insight);
        self.found.note_examined(frame, has_learned);
        self.found.pictures.give_up(frame);
        if is_noticed {
            self.found.pictures.want(frame);
            self.unranked = self.unranked.or(Some(frame));
            self.late.frame = Some(frame);
            self.late.known.clear();
            if !has_panes {
                self.recent.aftermath.begin(frame, insight.candidates());
            }
            // Stalls in quick succession would restart a long reading forever.
            if self.listed.is_read() {
                self.listed.read_all();
            }
            // Some deferred values are known at once, such as those computed from series of the processor.
            self.collect_late(survey);
        }
        if self
            .late
            .frame
            .is_some_and(|noticed| frame > noticed + LATE_FRAMES)
        {
            self.late.frame = None;
        }
    }

    /// Passes deferred values to the insight, which then ranks the hitch once more.
    fn take_late_values(&mut self) {
        let Some(insight) = self.engine.get() else {
            return;
        };
        for (number, frame, value) in self.late.new.drain(..) {
            insight.set_late_value(number, frame, value);
            self.unranked = Some(self.unranked.map_or(frame, |first| first.min(frame)));
        }
    }

    /// Performs at most one of the longer tasks: ranks the noticed frames once the listing has been
    /// read again, looks for leaks, or does a part of a search for periodic stalls.
    fn answer(&mut self, source: &dyn Source, now_secs: f64) {
        let Some(insight) = self.engine.get() else {
            return;
        };
        self.found.set_slowdown(insight.slowdown(), self.end - 1);
        let is_busy = self.has_taken || self.unranked.is_some();
        if is_busy && self.put_off < MOST_PUT_OFF {
            self.put_off += 1;
            if !self.has_taken && self.listed.is_read() {
                insight.look_up_paths(|number, text| {
                    with_info(source, number, &mut |info| text.push_str(info.path));
                });
                self.engine.rank(self.listed.count());
                self.is_ranked = true;
            }
            return;
        }
        self.put_off = 0;
        if !self.searches && self.wants_periodic && self.periodic.take(now_secs, LONG_TASK_SECS) {
            (self.wants_periodic, self.searches) = (false, true);
        } else if self.leaks.take(now_secs, LONG_TASK_SECS) {
            let mut leaks = insight.leaks();
            let info_of = |leak: &mut Leak| {
                let (mut unit, mut budget) = (Unit::Count, None);
                with_info(source, leak.series, &mut |info| {
                    (leak.path, unit) = (info.path.to_owned(), info.unit);
                    budget = info.budget;
                });
                (unit, budget)
            };
            let infos: Vec<_> = leaks.iter_mut().map(info_of).collect();
            insight.note_leaks(&leaks);
            let growing = leaks.into_iter().zip(infos);
            let growing = growing.map(|(leak, (unit, budget))| (leak, unit, budget));
            return self.found.set_leaks(growing.collect(), self.end - 1);
        }
        if self.searches
            && let Some(mut stalls) = insight.look_for_periodic()
        {
            self.searches = false;
            stalls.retain(|stall| !stall.has_ended(self.end));
            insight.note_periodic(&stalls);
            self.found.set_periodic(stalls);
        }
    }

    /// Copies the hitches that were ranked, unless the engine is still ranking.
    fn take_ranked(&mut self) {
        (self.is_ranked, self.has_taken) = (false, true);
        if let (Some(insight), Some(from)) = (self.engine.get(), self.unranked) {
            self.found.take_hitches(insight, from);
            self.recent
                .aftermath
                .narrow_from(from, |frame| self.found.series_of(frame));
            (self.unranked, self.wants_periodic) = (None, true);
        }
    }
}

/// Returns the survey of the newest frame or of an earlier one; `None` if the source does not have it.
fn survey_of(source: &mut dyn Source, frame: u64) -> Option<Survey<'_>> {
    match frame + 1 == source.frames().end {
        true => source.survey(),
        false => source.survey_of(frame),
    }
}

/// Returns the path of a series by its number.
fn path_of(source: &dyn Source, number: u32) -> Option<String> {
    let mut path = None;
    with_info(source, number, &mut |info| {
        path = Some(info.path.to_owned())
    });
    path
}

/// Calls `visit` with the listing of a series by its number, if it has one of its own.
fn with_info(source: &dyn Source, number: u32, visit: &mut dyn FnMut(SeriesInfo<'_>)) {
    let one = Listed::Numbers(number..number.saturating_add(1));
    list_or_all(source, one, &mut |info| {
        if info.id.number() != number {
            return ControlFlow::Continue(());
        }
        visit(info);
        ControlFlow::Break(())
    });
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::testing::{Paths, Surveyed};

    #[test]
    fn hitches_in_every_frame_put_off_a_search_for_leaks_for_a_moment() {
        let (mut hitches, source) = (Hitches::default(), Paths::default());
        hitches.end = 2;
        let is_due = |hitches: &Hitches| hitches.leaks.is_due(5.0, LONG_TASK_SECS);
        for frame in 0..MOST_PUT_OFF {
            hitches.has_taken = frame % 2 == 0;
            hitches.unranked = Some(1);
            hitches.answer(&source, 5.0);
            assert!(is_due(&hitches), "{frame}");
        }
        hitches.answer(&source, 5.0);
        assert!(!is_due(&hitches));
        // The next hitch is ranked again.
        hitches.listed.read(
            &source,
            hitches.engine.get().expect("it is here"),
            &mut Allowance::of_units(usize::MAX),
        );
        hitches.is_ranked = false;
        hitches.answer(&source, 5.0);
        assert!(hitches.is_ranked);
    }

    #[test]
    fn a_frame_that_is_long_because_the_overlay_opened_is_no_hitch_of_the_game() {
        for (own_ms, is_hitch) in [(0.0, true), (12.0, true), (20.0, false)] {
            let (mut hitches, mut source) = (Hitches::default(), Surveyed::default());
            source.paths = Paths::of(&["a"]);
            let mut update = |hitches: &mut Hitches, end| {
                source.end_frames(end);
                if end == 200 {
                    source.times_ms[199] = 40.0;
                }
                let allowance = &mut Allowance::of_units(usize::MAX);
                hitches.update(&mut source, end as f64 / 100.0, true, allowance);
            };
            for end in 1..200 {
                update(&mut hitches, end);
            }
            hitches.own_ms = own_ms;
            update(&mut hitches, 200);
            hitches.own_ms = 0.0;
            for end in 201..300 {
                update(&mut hitches, end);
            }
            assert_eq!(hitches.found().has_hitch(199), is_hitch, "{own_ms}");
        }
    }

    #[test]
    fn a_usual_frame_is_learned_from_whatever_the_overlay_takes() {
        let (mut hitches, mut source) = (Hitches::default(), Surveyed::default());
        source.paths = Paths::of(&["a"]);
        hitches.own_ms = 20.0;
        for end in 1..600 {
            source.end_frames(end);
            if end > 200 {
                source.times_ms[end as usize - 1] = 12.0;
            }
            let allowance = &mut Allowance::of_units(usize::MAX);
            hitches.update(&mut source, end as f64 / 100.0, true, allowance);
        }
        let usual = hitches
            .engine
            .get()
            .and_then(|insight| insight.usual_frame());
        assert!(usual.is_some_and(|usual| usual.value > 11.9), "{usual:?}");
    }

    #[test]
    fn frames_that_end_while_the_engine_is_away_are_kept_once_and_in_order() {
        let (mut hitches, mut source) = (Hitches::default(), Surveyed::default());
        source.paths = Paths::of(&["a"]);
        let update = |hitches: &mut Hitches, source: &mut Surveyed| {
            let allowance = &mut Allowance::of_units(usize::MAX);
            hitches.update(source, 0.0, true, allowance);
        };
        for end in 1..100 {
            source.end_frames(end);
            update(&mut hitches, &mut source);
        }
        let (back, wait) = std::sync::mpsc::channel();
        hitches.engine = Engine::Away(stats_ui::job::Job::start(None, move || {
            let _: Result<(), _> = wait.recv();
            Box::new(Insight::compact())
        }));
        for end in [104, 107] {
            source.end_frames(end);
            update(&mut hitches, &mut source);
            assert!(matches!(hitches.engine, Engine::Away(_)));
        }
        back.send(()).expect("it waits");
        source.end_frames(109);
        while matches!(hitches.engine, Engine::Away(_)) {
            update(&mut hitches, &mut source);
            std::thread::yield_now();
        }
        let mut kept = Vec::new();
        hitches.recent.visit(50..u64::MAX, &mut |frame, values| {
            assert_eq!(values.values, [frame as f64]);
            kept.push(frame);
        });
        assert!(kept.iter().copied().eq(50..109), "{kept:?}");
    }

    #[test]
    fn frames_beyond_the_allowance_wait_for_the_next_passes_and_are_left_out_if_too_many_wait() {
        let (mut hitches, mut source) = (Hitches::default(), Surveyed::default());
        source.paths = Paths::of(&["a"]);
        source.values = vec![0.0; 100 * SERIES_IN_A_UNIT];
        let units = |units| Allowance::of_units(units);
        for end in 1..=40 {
            source.end_frames(end);
            hitches.update(&mut source, 0.0, true, &mut units(usize::MAX));
        }
        // Ten frames that end at once: one in any case, and three for 100 units each. None ends then.
        source.asked.clear();
        source.end_frames(50);
        for end in [44, 48, 50, 50] {
            hitches.update(&mut source, 0.0, true, &mut units(250));
            assert!(source.asked.iter().copied().eq(40..end), "{end}");
        }
        // A game that is faster than the viewer makes no pass longer.
        let mut end = 50;
        for _ in 0..50 {
            end += 20;
            source.end_frames(end);
            source.asked.clear();
            hitches.update(&mut source, 0.0, true, &mut units(250));
            // Now and then, the listing is read as well.
            assert!((1..=4).contains(&source.asked.len()), "{:?}", source.asked);
            let newest = source.asked.last().copied().unwrap_or(0);
            assert!(newest + MAX_EARLIER + 1 >= end, "{newest} {end}");
        }
        // Nothing is left for a pass: one frame.
        source.asked.clear();
        hitches.update(&mut source, 0.0, true, &mut units(0));
        assert_eq!(source.asked.len(), 1);
        let mut last = None;
        hitches.recent.visit(0..u64::MAX, &mut |frame, _| {
            assert!(last < Some(frame), "{last:?} {frame}");
            last = Some(frame);
        });
    }

    #[test]
    fn each_of_several_frames_is_asked_for_once_and_a_hole_among_them_takes_its_time() {
        let (mut hitches, mut source) = (Hitches::default(), Surveyed::default());
        source.paths = Paths::of(&["a"]);
        source.holes = (41..44).collect();
        for end in (1..=40).chain([50]) {
            source.end_frames(end);
            source.asked.clear();
            let allowance = &mut Allowance::of_units(usize::MAX);
            hitches.update(&mut source, 0.0, true, allowance);
        }
        assert!(
            source.asked.iter().copied().eq(40..50),
            "{:?}",
            source.asked
        );
        assert_eq!(hitches.recent.count(0..50), 46);
    }
}
