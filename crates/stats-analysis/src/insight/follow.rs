//! An insight that reads a source.

use std::ops::ControlFlow;

use stats_core::limits::{LATE_FRAMES, SURVEY_GROWTH};
use stats_core::source::{Listed, Survey};
use stats_core::{SeriesInfo, Source};

use super::engine::Insight;

/// The interval between searches for leaks, and the minimum interval between searches for periodic
/// stalls, in seconds.
const LONG_TASK_SECS: f64 = 1.0;

/// What is known about the source.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed {
    generation: u64,
    /// The end of its frames.
    end: u64,
    /// The number of series in the newest survey.
    surveyed: usize,
    has_thread: bool,
    /// The frame budget of the program at the last call.
    frame_budget_ms: Option<f64>,
    /// The time since the last search for leaks or stalls.
    secs_since_search: f64,
    wants_periodic: bool,
    /// Whether a search for periodic stalls goes on.
    is_searching: bool,
    late: Late,
}

/// Deferred values of the newest noticed frame.
#[derive(Clone, Debug, Default)]
struct Late {
    frame: Option<u64>,
    /// The numbers of the series whose values are known.
    known: Vec<u32>,
}

impl Insight {
    /// Takes the newest frame of a source, such as a [`Recorder`](stats_core::Recorder), if it ended
    /// since the last call. Explains it at once if it is noticed, and looks for leaks and periodic
    /// stalls once a second. [`poll_event`](Self::poll_event) then has what was found. Returns
    /// whether the frame was noticed.
    ///
    /// Call it after each frame, always with the same source. It takes a survey, lists the
    /// changes of the source's listing, and lists all series before a frame is ranked; see
    /// [*Cost and memory*](super#cost-and-memory). Frames that ended since the last call, apart
    /// from the newest one, are [skipped](Self::skip). A source that
    /// [cannot survey](Source::survey) its series has no hitches. The thread of the frame is the
    /// first one that the source knows, unless [`set_frame_thread`](Self::set_frame_thread) is
    /// called afterward.
    ///
    /// ```
    /// use stats_analysis::insight::Insight;
    /// use stats_core::Recorder;
    ///
    /// let mut recorder = Recorder::new();
    /// let mut insight = Insight::new();
    /// for _tick in 0..600 {
    ///     // … the tick …
    ///     recorder.end_frame();
    ///     insight.follow(&mut recorder);
    ///     while let Some(event) = insight.poll_event() {
    ///         println!("{event}");
    ///     }
    /// }
    /// ```
    pub fn follow(&mut self, source: &mut dyn Source) -> bool {
        let end = source.frames().end;
        let since = std::mem::replace(&mut self.followed.end, end);
        if since == end || end == 0 {
            return false;
        }
        self.follow_listing(source);
        if since + 1 < end && since > 0 {
            let skipped = source.frame_times(usize::MAX).within(since..end - 1);
            self.skip(skipped.iter().sum());
        }
        let frame_ms = source.frame_times(1).at(end - 1);
        let stood_still = self.note_marks(end - 1, source.marks());
        let Some(survey) = source.survey() else {
            return false;
        };
        let values = survey.values();
        let before = std::mem::replace(&mut self.followed.surveyed, values.len());
        // The survey has just begun, or is being extended.
        let is_new = values.len() >= before + SURVEY_GROWTH || values.iter().all(|v| v.is_nan());
        // Frame 0 began when the recorder was created, not when another frame ended.
        let Some(frame_ms) = frame_ms.filter(|_| !is_new && end >= 2) else {
            return false;
        };
        let has_late_values = self.take_late_values(survey);
        if stood_still {
            self.skip(frame_ms);
        }
        let is_noticed = !stood_still && self.take_survey(end - 1, frame_ms, survey);
        if is_noticed {
            self.followed.late.frame = Some(end - 1);
            self.followed.late.known.clear();
            // Some deferred values are known at once, such as those computed from series of the processor.
            self.take_late_values(survey);
        }
        if is_noticed || has_late_values {
            // The parents and the threads of timers change without a new generation.
            self.list(source, Listed::All);
            self.rank_noticed();
            self.followed.wants_periodic = true;
        }
        self.look_for_more(frame_ms / 1e3);
        is_noticed
    }

    fn follow_listing(&mut self, source: &dyn Source) {
        if !self.followed.has_thread
            && let Some(thread) = source.frame_thread()
        {
            self.followed.has_thread = true;
            self.set_frame_thread(Some(thread));
        }
        // Unless it changes, the program's budget does not replace one that the caller, or a listed frame
        // time, has set.
        let budget_ms = stats_core::frame_budget_ms();
        if std::mem::replace(&mut self.followed.frame_budget_ms, budget_ms) != budget_ms {
            self.set_frame_budget(budget_ms);
        }
        let generation = source.generation();
        let since = std::mem::replace(&mut self.followed.generation, generation);
        if since == generation {
            return;
        }
        if self.list(source, Listed::ChangedSince(since)).is_none() {
            self.list(source, Listed::All);
        }
    }

    fn list(&mut self, source: &dyn Source, series: Listed) -> Option<u32> {
        source.list(series, &mut |info: SeriesInfo<'_>| {
            self.set_listed(&info);
            ControlFlow::Continue(())
        })
    }

    /// Takes the values of the noticed frame that became known. Returns whether there are any.
    fn take_late_values(&mut self, survey: Survey<'_>) -> bool {
        let end = self.followed.end;
        let late = &mut self.followed.late;
        late.frame = late
            .frame
            .filter(|noticed| end <= noticed + LATE_FRAMES + 1);
        let Some(noticed) = self.followed.late.frame.filter(|_| self.has_deferred()) else {
            return false;
        };
        let known = self.followed.late.known.len();
        for (id, value) in survey.iter() {
            let number = id.number();
            // A 0 is the value of a later frame: a frame without a value leaves `last_change` as it was.
            let is_late = value.last_change == Some(noticed) && value.value != 0.0;
            if is_late && self.is_deferred(number) && !self.followed.late.known.contains(&number) {
                self.followed.late.known.push(number);
                self.set_late_value(number, noticed, value.value);
            }
        }
        self.followed.late.known.len() > known
    }

    /// Looks for leaks if it is time, or goes on with a search for periodic stalls.
    fn look_for_more(&mut self, secs: f64) {
        self.followed.secs_since_search += secs;
        if self.followed.secs_since_search >= LONG_TASK_SECS {
            self.followed.secs_since_search = 0.0;
            // Looking for both in one frame could make that frame long.
            if self.followed.is_searching || !std::mem::take(&mut self.followed.wants_periodic) {
                let leaks = self.leaks();
                return self.note_leaks(&leaks);
            }
            self.followed.is_searching = true;
        }
        if self.followed.is_searching
            && let Some(mut stalls) = self.look_for_periodic()
        {
            self.followed.is_searching = false;
            stalls.retain(|stall| !stall.has_ended(self.followed.end));
            self.note_periodic(&stalls);
        }
    }
}
