//! The breakdown of the frame time: the self times of its scopes, which add up to the frame.

use std::collections::BTreeMap;

use stats_capture::RecordedKind;
use stats_config::Pattern;
use stats_core::Unit;

use super::metric::MetricList;
use super::series::SeriesFigures;
use super::teams::is_of;

/// The thread whose scopes make up a frame, if the program names its threads.
const FRAME_THREAD: &str = "main";

/// The mean frame time by subsystem and by team. A subsystem is the first segment of a path. The
/// subsystems add up to the frame. A scope of several teams counts in each of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Breakdown {
    /// The subsystems, the one with the most time first.
    pub(crate) subsystems: Vec<FramePart>,
    /// The teams, in the order of the rules; empty if the rules name none.
    pub(crate) teams: Vec<FramePart>,
    /// The time of the scopes that belong to no team, and the time that counts in further teams, in
    /// milliseconds.
    teamless_ms: f64,
    shared_ms: f64,
    /// The scopes, by path.
    scopes: Vec<FramePart>,
    /// The mean time of a frame in which no scope was open, in milliseconds. Negative if the scopes
    /// of several threads were counted as those of one.
    pub(super) unaccounted_ms: f64,
}

/// One part of a frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FramePart {
    /// The name of the subsystem, team or scope.
    pub(crate) name: String,
    /// The mean time in a frame, in milliseconds.
    pub(crate) ms: f64,
}

impl Breakdown {
    /// Adds up the self times of series; `None` if the run has none. `total_ms` is the time of
    /// `frames` frames, which a thread ended, if it is known.
    pub(super) fn of(
        series: &[SeriesFigures],
        thread: Option<&str>,
        teams: &[(String, Vec<Pattern>)],
        frames: usize,
        total_ms: f64,
    ) -> Option<Self> {
        let thread = thread.or_else(|| usual_frame_thread(series));
        let self_times = series.iter().filter_map(|series| self_time(series, thread));
        let mut scopes: Vec<(&str, f64)> = self_times.collect();
        if scopes.is_empty() || frames == 0 {
            return None;
        }
        let mut subsystems = BTreeMap::new();
        let mut of_teams = vec![0.0; teams.len()];
        let mut unaccounted_ms = total_ms;
        let (mut teamless_ms, mut shared_ms) = (0.0, 0.0);
        scopes.sort_by_key(|(path, _)| *path);
        for &(path, ms) in &scopes {
            let subsystem = path.split('/').next().unwrap_or(path);
            *subsystems.entry(subsystem).or_insert(0.0) += ms;
            unaccounted_ms -= ms;
            let mut counted = 0;
            for ((_, patterns), sum) in teams.iter().zip(&mut of_teams) {
                if is_of(patterns, path) {
                    *sum += ms;
                    counted += 1;
                }
            }
            match counted {
                0 => teamless_ms += ms,
                counted => shared_ms += ms * f64::from(counted - 1),
            }
        }
        let part = |name: &str, ms: f64| FramePart {
            name: name.to_owned(),
            ms: ms / frames as f64,
        };
        let mut subsystems: Vec<FramePart> = subsystems
            .into_iter()
            .map(|(name, ms)| part(name, ms))
            .collect();
        subsystems.sort_by(|a, b| b.ms.total_cmp(&a.ms));
        Some(Self {
            subsystems,
            teams: (teams.iter().zip(of_teams))
                .map(|((name, _), ms)| part(name, ms))
                .collect(),
            teamless_ms: teamless_ms / frames as f64,
            shared_ms: shared_ms / frames as f64,
            scopes: scopes.iter().map(|(path, ms)| part(path, *ms)).collect(),
            unaccounted_ms: unaccounted_ms / frames as f64,
        })
    }

    /// Returns the scopes and the rest, which add up to the frame.
    pub(crate) fn all_scopes(&self) -> Vec<FramePart> {
        self.with_rest(&self.scopes, "in no scope", self.unaccounted_ms)
    }

    /// Returns the teams and the rest, which add up to the frame. What counts in several teams is taken
    /// away once for each further one.
    pub(crate) fn all_teams(&self) -> Vec<FramePart> {
        let rest_ms = self.teamless_ms + self.unaccounted_ms;
        let mut parts = self.with_rest(&self.teams, "of no team", rest_ms);
        if self.shared_ms != 0.0 {
            parts.push(FramePart {
                name: "in several teams".to_owned(),
                ms: -self.shared_ms,
            });
        }
        parts
    }

    fn with_rest(&self, parts: &[FramePart], name: &str, ms: f64) -> Vec<FramePart> {
        let rest = FramePart {
            name: name.to_owned(),
            ms,
        };
        parts.iter().cloned().chain([rest]).collect()
    }

    pub(super) fn add_to(&self, list: &mut MetricList) {
        let ms = Unit::Milliseconds;
        for part in &self.subsystems {
            list.lower(format!("subsystems/{}/self", part.name), part.ms, ms);
        }
        for part in &self.teams {
            list.lower(format!("teams/{}/self", part.name), part.ms, ms);
        }
        list.lower("subsystems/unaccounted".into(), self.unaccounted_ms, ms);
    }
}

/// Returns the thread that most likely ended the frames: `main`, or else the first thread of a scope. A
/// scope that runs on several threads has none. `None` if no thread is known.
fn usual_frame_thread(series: &[SeriesFigures]) -> Option<&str> {
    let scopes = series
        .iter()
        .filter(|series| series.record.kind == RecordedKind::TimerSelf);
    let mut threads = scopes.filter_map(|series| series.record.thread.as_deref());
    let first = threads.next();
    threads.find(|thread| *thread == FRAME_THREAD).or(first)
}

/// Returns the path of a scope and its total self time; `None` for other series, or for scopes
/// that do not run only on the thread of the frame.
fn self_time<'a>(series: &'a SeriesFigures, thread: Option<&str>) -> Option<(&'a str, f64)> {
    let record = &series.record;
    let is_on_thread = thread.is_none() || record.thread.as_deref() == thread;
    let is_self = record.kind == RecordedKind::TimerSelf && is_on_thread;
    let path = record.of.as_deref().unwrap_or(&record.path);
    Some((path, series.numbers.as_ref().filter(|_| is_self)?.sum))
}

#[cfg(test)]
mod tests {
    use stats_capture::SeriesRecord;
    use stats_core::FrameSlice;

    use super::super::series::Numbers;
    use super::*;

    fn scope(path: &str, kind: RecordedKind, thread: Option<&str>, ms: f64) -> SeriesFigures {
        let mut record = SeriesRecord::default();
        record.path = format!("{path}/self");
        record.of = Some(path.to_owned());
        record.kind = kind;
        record.thread = thread.map(str::to_owned);
        SeriesFigures {
            record,
            unit: Unit::Milliseconds,
            numbers: Numbers::of(0, &mut vec![ms; 4], None, FrameSlice::default()),
        }
    }

    #[test]
    fn self_times_of_the_frames_thread_add_up_to_the_frame() {
        let own = RecordedKind::TimerSelf;
        let series = [
            scope("ai/paths", own, Some("main"), 3.0),
            scope("ai/on-several-threads", own, None, 70.0),
            scope("ai/flock", own, Some("main"), 1.0),
            scope("render/world", own, Some("main"), 5.0),
            scope("jobs/run", own, Some("worker-0"), 50.0),
            scope("ai", RecordedKind::Timer, None, 4.0),
        ];
        let pattern = |text: &str| vec![Pattern::try_from(text.to_owned()).unwrap()];
        let teams = [
            ("ai".to_owned(), pattern("ai/**")),
            ("paths".to_owned(), pattern("ai/paths")),
        ];
        let found = Breakdown::of(&series, None, &teams, 4, 40.0).unwrap();
        let part = |name: &str, ms| FramePart {
            name: name.into(),
            ms,
        };
        assert_eq!(found.subsystems, [part("render", 5.0), part("ai", 4.0)]);
        assert_eq!(found.teams, [part("ai", 4.0), part("paths", 3.0)]);
        let all = found.all_teams();
        assert_eq!(all.iter().map(|part| part.ms).sum::<f64>(), 10.0);
        assert_eq!(
            all[2..],
            [part("of no team", 6.0), part("in several teams", -3.0)]
        );
        assert_eq!(found.unaccounted_ms, 1.0);
        assert_eq!(Breakdown::of(&series[5..], None, &[], 4, 40.0), None);
        let unknown = [scope("ai", own, None, 3.0), scope("render", own, None, 5.0)];
        let found = Breakdown::of(&unknown, None, &[], 4, 40.0).unwrap();
        assert_eq!(
            found.unaccounted_ms, 2.0,
            "without threads, all of them count"
        );
    }
}
