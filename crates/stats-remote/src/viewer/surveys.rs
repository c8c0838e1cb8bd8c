//! The values of all series in a frame, for views that look for something among them: hitches, and
//! what is over budget.
//!
//! While a view asks, the game sends as many series as a [recording](super::source::RemoteSource) may
//! have, so a survey needs no message of its own, and costs the game what watching costs.

use std::ops::ControlFlow;

use stats_core::limits::LATE_FRAMES;
use stats_core::source::{Listed, Survey, SurveyValue};
use stats_core::{SeriesId, SeriesInfo, SeriesKind, Source, Watch};

use super::history::History;
use super::source::RemoteSource;

/// How often [`RemoteSource::pump`] is called before a survey that nobody asks for ends.
const LASTS: u32 = 120;

/// The share of the series that a game sends at a time. The rest is for what views show.
const SHARE: (usize, usize) = (15, 16);

/// The most frames between two surveys in which changes are looked for.
const MOST_FRAMES: u64 = 256;

/// The change of a series that did not change.
const NEVER: u32 = u32::MAX;

/// The series that are surveyed, and their values in a frame.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    /// The calls of `pump` that are left; 0 while nobody asks.
    left: u32,
    /// The generation of the listing whose series are surveyed.
    generation: u64,
    series: Vec<Series>,
    /// By the viewer's numbers.
    values: Vec<f64>,
    changes: Vec<u32>,
    earlier: Vec<(SeriesId, SurveyValue)>,
    /// The frame after the last one in which changes were looked for.
    end: u64,
}

#[derive(Debug)]
struct Series {
    watch: Watch,
    /// Whether a change is another value, instead of one other than 0.
    is_level: bool,
    /// The frame after the last known value, if values arrive late.
    end: u64,
}

impl RemoteSource {
    /// Watches the series that are surveyed, or stops to do so. Nothing is watched before the whole
    /// listing arrived.
    pub(super) fn sync_survey(&mut self) {
        self.surveyed.left = self.surveyed.left.saturating_sub(1);
        if self.surveyed.left == 0 {
            if self.surveyed.generation > 0 {
                self.surveyed = Surveyed::default();
                self.status.unsurveyed = 0;
            }
            return;
        }
        if !self.listing.is_complete || self.surveyed.generation == self.listing.generation {
            return;
        }
        self.surveyed.generation = self.listing.generation;
        let room = self.status.max_watches.saturating_mul(SHARE.0) / SHARE.1;
        let (mut own, mut parts) = (Vec::new(), Vec::new());
        let _ = self.list(Listed::All, &mut |info| {
            if is_surveyed(&info) {
                let is_level = matches!(
                    info.kind,
                    SeriesKind::Gauge | SeriesKind::UpDownCounter | SeriesKind::FrameTime
                );
                own.push((info.id, is_level));
                parts.extend(info.self_time.map(|id| (id, false)));
                parts.extend(info.calls.map(|id| (id, false)));
            }
            ControlFlow::Continue(())
        });
        let known: std::collections::HashSet<u32> = (self.surveyed.series.iter())
            .map(|series| series.watch.id().number())
            .collect();
        let all = own.len() + parts.len();
        for (id, is_level) in own.into_iter().chain(parts) {
            if self.surveyed.series.len() >= room {
                break;
            }
            if !known.contains(&id.number()) {
                let (watch, end) = (self.watch(id), 0);
                self.surveyed.series.push(Series {
                    watch,
                    is_level,
                    end,
                });
            }
        }
        self.status.unsurveyed = all.saturating_sub(self.surveyed.series.len());
    }

    /// Returns the values of the surveyed series in a frame that readers see, and keeps the survey
    /// going. All are unknown when it begins.
    pub(super) fn survey_in(&mut self, frame: u64) -> Survey<'_> {
        self.surveyed.left = LASTS;
        let (shown_end, numbers) = (self.shown_end(), self.listing.end() as usize);
        let Surveyed {
            series,
            values,
            changes,
            earlier,
            end,
            ..
        } = &mut self.surveyed;
        values.clear();
        values.resize(numbers, f64::NAN);
        changes.resize(numbers, NEVER);
        earlier.clear();
        let unread = (*end).max(frame.saturating_sub(MOST_FRAMES))..frame.saturating_add(1);
        *end = unread.end.max(*end);
        for series in series {
            let (id, number) = (series.watch.id(), series.watch.id().number() as usize);
            let Some(history) = self.watches.get(&series.watch) else {
                continue;
            };
            let (Some(place), Some(changed)) = (values.get_mut(number), changes.get_mut(number))
            else {
                continue;
            };
            if history.is_deferred {
                for (frame, value) in series.new_values(history, shown_end) {
                    if value != 0.0 {
                        *changed = frame as u32;
                        earlier.push((id, SurveyValue::new(value, Some(frame))));
                    }
                }
                *place = history.at(series.end.wrapping_sub(1));
                continue;
            }
            let of = match history.is_clock {
                true => &self.durations_ms,
                false => history,
            };
            *place = of.at(frame);
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
        Survey::new(values, changes, shown_end.max(*end)).with_earlier(earlier)
    }
}

impl Series {
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
