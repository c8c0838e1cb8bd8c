//! The values of all series in a frame, for views that look for something among them: hitches, and
//! what is over budget.
//!
//! While a view asks, the game sends up to half of the series that it sends at a time, so a survey needs
//! no message of its own, and costs the game what watching costs.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::time::Duration;

use stats_core::limits::LATE_FRAMES;
use stats_core::source::{Listed, Survey, SurveyValue};
use stats_core::{SeriesId, SeriesInfo, SeriesKind, Source, Watch};

use super::Instant;
use super::history::History;
use super::source::RemoteSource;

/// How long a survey still goes on after a view last asked for it. A request since the last call of
/// [`pump`](RemoteSource::pump) always counts, so a long frame of the viewer does not end it.
const STILL_SURVEYED: Duration = Duration::from_secs(2);

/// The largest number of series that are surveyed. It is also limited to half of the series that a game
/// sends at a time, so that the other half is left for what views show and record.
const MOST: usize = 512;

/// The largest number of frames between two surveys that is searched for changes.
const MOST_FRAMES: u64 = 256;

/// The frames that are kept of a series that nobody but the survey reads.
pub(super) const FRAMES: usize = (MOST_FRAMES + LATE_FRAMES) as usize;

/// The last change of a series that never changed.
const NEVER: u32 = u32::MAX;

/// The series that are surveyed, and their values in a frame.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    /// When a view last asked; `None` while nobody asks.
    asked: Option<Instant>,
    /// Whether a view asked since the last call of `pump`.
    is_new: bool,
    /// The generation of the listing whose series are surveyed.
    generation: u64,
    series: Vec<SurveyedSeries>,
    /// The number of series that are not surveyed, because they are too many.
    pub(super) left_out: usize,
    /// By the viewer's numbers.
    values: Vec<f64>,
    changes: Vec<u32>,
    /// The last values that arrived late, each with the frame in whose survey it is.
    late: VecDeque<(u64, SeriesId, SurveyValue)>,
    /// The late values in the survey of the frame that was surveyed last.
    earlier: Vec<(SeriesId, SurveyValue)>,
    /// The frame after the last one in which changes were looked for.
    end: u64,
}

#[derive(Debug)]
struct SurveyedSeries {
    watch: Watch,
    /// Whether a change is another value, instead of one other than 0.
    is_level: bool,
    /// The frame after the last known value, if values arrive late.
    end: u64,
}

impl Surveyed {
    /// Begins again with the series of a game that was started again.
    pub(super) fn begin_session(&mut self) {
        *self = Self {
            asked: self.asked,
            is_new: self.is_new,
            ..Self::default()
        };
    }
}

impl RemoteSource {
    /// Watches the series that are surveyed, or stops watching them. Nothing is watched before the whole
    /// listing arrived.
    pub(super) fn sync_survey(&mut self) {
        let is_new = std::mem::take(&mut self.surveyed.is_new);
        let is_recent = |asked: Instant| asked.elapsed() < STILL_SURVEYED;
        if !is_new && !self.surveyed.asked.is_some_and(is_recent) {
            self.surveyed = Surveyed::default();
            return;
        }
        if !self.listing.is_complete || self.surveyed.generation == self.listing.generation {
            return;
        }
        self.surveyed.generation = self.listing.generation;
        let room = (self.status.max_watches / 2).min(MOST);
        let (mut own, mut parts) = (Vec::new(), Vec::new());
        let _ = self.list(Listed::All, &mut |info| {
            // A game that was started again may not have it any more.
            if is_surveyed(&info) && self.listing.to_game(info.id.number()).is_some() {
                let is_level = matches!(
                    info.kind,
                    SeriesKind::Gauge | SeriesKind::UpDownCounter | SeriesKind::FrameTime
                );
                own.push((info.id, is_level, info.is_deferred));
                let of_it = [info.self_time, info.calls].into_iter().flatten();
                parts.extend(of_it.map(|id| (id, false, info.is_deferred)));
            }
            ControlFlow::Continue(())
        });
        let all = own.len() + parts.len();
        let before = std::mem::take(&mut self.surveyed.series).into_iter();
        let mut before: HashMap<SeriesId, SurveyedSeries> =
            before.map(|series| (series.watch.id(), series)).collect();
        // A series that is listed takes the place of a part.
        for (id, is_level, is_deferred) in own.into_iter().chain(parts).take(room) {
            let series = before.remove(&id).unwrap_or_else(|| SurveyedSeries {
                watch: self.keep(id, is_deferred),
                is_level,
                end: 0,
            });
            self.surveyed.series.push(series);
        }
        self.surveyed.left_out = all - self.surveyed.series.len();
        self.surveyed.values.clear();
    }

    /// Returns the values of the surveyed series in a frame that readers see, and keeps the survey
    /// going. All are unknown when it begins, and in a frame whose values were lost on the way. Late values
    /// are in the survey of the frame that was the newest one asked for when they arrived. Every reader of
    /// that frame gets them.
    pub(super) fn survey_in(&mut self, frame: u64) -> Survey<'_> {
        (self.surveyed.asked, self.surveyed.is_new) = (Some(Instant::now()), true);
        let (shown_end, numbers) = (self.shown_end(), self.listing.end() as usize);
        let Surveyed {
            series,
            values,
            changes,
            late,
            earlier,
            end,
            ..
        } = &mut self.surveyed;
        values.resize(numbers, f64::NAN);
        changes.resize(numbers, NEVER);
        let unread = (*end).max(frame.saturating_sub(MOST_FRAMES))..frame.saturating_add(1);
        *end = unread.end.max(*end);
        let newest = end.saturating_sub(1);
        while late
            .front()
            .is_some_and(|(of, ..)| of + LATE_FRAMES < newest)
        {
            late.pop_front();
        }
        // The number of counters and timers that the game sends, and how many of them have a value.
        let (mut sent, mut known) = (0, 0);
        for series in series.iter_mut() {
            let (id, number) = (series.watch.id(), series.watch.id().number() as usize);
            let (Some(place), Some(changed)) = (values.get_mut(number), changes.get_mut(number))
            else {
                continue;
            };
            let Some(history) = self.watches.get(&series.watch) else {
                *place = f64::NAN;
                continue;
            };
            if history.is_deferred {
                for (of, value) in series.new_values(history, *end) {
                    if value != 0.0 {
                        *changed = of as u32;
                        late.push_back((newest, id, SurveyValue::new(value, Some(of))));
                    }
                }
                let last = series.end.min(frame.saturating_add(1)).wrapping_sub(1);
                *place = history.at(last);
                continue;
            }
            let of = match history.is_clock {
                true => &self.durations_ms,
                false => history,
            };
            *place = of.at(frame);
            if !series.is_level && !self.refused.contains(&id.number()) {
                sent += 1;
                known += usize::from(!place.is_nan());
            }
            let is_change = |frame: &u64| {
                let (value, before) = (of.at(*frame), of.at(frame.wrapping_sub(1)));
                match series.is_level {
                    true => value != before && !value.is_nan() && !before.is_nan(),
                    false => value != 0.0 && !value.is_nan(),
                }
            };
            if let Some(frame) = unread.clone().rev().find(is_change) {
                *changed = frame as u32;
            }
        }
        if 2 * known < sent {
            // With the duration alone, nothing could explain the frame, so all of its values are unknown.
            for series in &*series {
                if let Some(place) = values.get_mut(series.watch.id().number() as usize) {
                    *place = f64::NAN;
                }
            }
        }
        let of_frame = late.iter().filter(|(of, ..)| *of == frame);
        earlier.clear();
        earlier.extend(of_frame.map(|(_, id, value)| (*id, *value)));
        Survey::new(values, changes, shown_end.max(*end)).with_earlier(earlier)
    }
}

impl SurveyedSeries {
    /// Returns the values before `end` that became known since the last call.
    fn new_values(&mut self, history: &History, end: u64) -> Vec<(u64, f64)> {
        let known = history.window(end, LATE_FRAMES as usize + 1);
        let new = known.within(self.end..u64::MAX);
        self.end = self.end.max(known.frames().end);
        new.frames()
            .zip(new.iter())
            .filter(|(_, value)| !value.is_nan())
            .collect()
    }
}

/// Returns whether a series is surveyed: a gauge that the game cannot read would be 0.
fn is_surveyed(info: &SeriesInfo<'_>) -> bool {
    info.kind != SeriesKind::Gauge || info.unavailable.is_none()
}

#[cfg(all(test, feature = "enabled"))]
mod tests;
