//! Surveys of all series. These tests have their own process, because a survey takes several frames
//! to complete if other tests have registered more than `SURVEY_GROWTH` series.
#![cfg(feature = "enabled")]

use std::collections::HashMap;
use std::sync::Arc;

use stats_core::limits::{PEEK_FRAMES, SURVEY_GROUP};
use stats_core::source::SurveyValue;
use stats_core::{
    Computation, DeferredSource, Evaluate, FrameSlice, Problem, Recorder, SeriesId, Unit, Watch,
    add_computed, counter, gauge, histogram, problems, timer, up_down_counter,
};
use stats_testing::Random;

/// Returns the survey of every series that has a value.
fn surveyed(recorder: &mut Recorder) -> HashMap<SeriesId, SurveyValue> {
    recorder.survey().unwrap_or_default().iter().collect()
}

/// Returns the value of one series in a survey.
fn surveyed_value(recorder: &mut Recorder, id: SeriesId) -> Option<f64> {
    Some(surveyed(recorder).get(&id)?.value)
}

#[test]
fn a_survey_has_the_values_and_changes_of_all_series() {
    let (sum, level, set, timer) = (
        counter("test/surveys/sum"),
        up_down_counter("test/surveys/level"),
        gauge("test/surveys/gauge"),
        timer("test/surveys/timer"),
    );
    sum.add(99);
    level.add(5);
    set.set(1);
    let mut recorder = Recorder::new();
    recorder.end_frame();
    assert_eq!(surveyed_value(&mut recorder, sum.id()), None);
    sum.add(3);
    timer.record_ms(2);
    recorder.end_frame();
    let survey = surveyed(&mut recorder);
    let value = |id| Some(survey.get(&id)?.value);
    assert_eq!(
        [sum.id(), level.id(), set.id()].map(value),
        [Some(3.0), Some(5.0), Some(1.0)]
    );
    assert_eq!(
        [timer.id(), timer.calls_id(), timer.self_id()].map(value),
        [Some(2.0), Some(1.0), Some(2.0)]
    );
    assert_eq!(
        [sum.id(), level.id(), timer.id()].map(|id| survey[&id].last_change),
        [Some(1), None, Some(1)]
    );
    level.sub(1);
    recorder.end_frame();
    let survey = surveyed(&mut recorder);
    let value = SurveyValue::new;
    assert_eq!(
        [sum.id(), level.id()].map(|id| survey[&id]),
        [value(0.0, Some(1)), value(4.0, Some(2))]
    );
}

#[test]
fn a_series_registered_during_a_survey_has_a_value_from_that_frame_on() {
    let mut recorder = Recorder::new();
    surveyed(&mut recorder);
    recorder.end_frame();
    let late = counter("test/surveys/late");
    late.add(5);
    let (level, set) = (
        up_down_counter("test/surveys/late-level"),
        gauge("test/surveys/late-gauge"),
    );
    set.set(2);
    assert_eq!(surveyed_value(&mut recorder, late.id()), None);
    recorder.end_frame();
    let survey = surveyed(&mut recorder);
    let value = SurveyValue::new;
    assert_eq!(
        [late.id(), level.id(), set.id()].map(|id| survey[&id]),
        [value(5.0, Some(1)), value(0.0, None), value(2.0, Some(1))]
    );
    late.add(6);
    recorder.end_frame();
    assert_eq!(surveyed_value(&mut recorder, late.id()), Some(6.0));
}

#[test]
fn a_survey_agrees_with_the_histories_of_all_series_and_ends_if_not_repeated() {
    let all: Vec<_> = (0..1500)
        .map(|n| counter(&format!("test/surveys/many/{n}")))
        .collect();
    let mut recorder = Recorder::new();
    let watches: Vec<_> = all
        .iter()
        .map(|series| recorder.watch(series.id()))
        .collect();
    surveyed(&mut recorder);
    for round in 0..5 {
        all.iter()
            .enumerate()
            .for_each(|(n, series)| series.add(n * round));
        std::thread::spawn({
            let all = all.clone();
            move || all.iter().for_each(|series| series.add(0.5))
        })
        .join()
        .unwrap();
        recorder.end_frame();
        let survey = surveyed(&mut recorder);
        for (series, watch) in all.iter().zip(&watches) {
            let expected = recorder.history(watch, 1).last();
            assert_eq!(Some(survey[&series.id()].value), expected);
        }
    }
    (0..PEEK_FRAMES * 2).for_each(|_| recorder.end_frame());
    assert_eq!(surveyed_value(&mut recorder, all[0].id()), None);
}

#[test]
fn a_survey_visits_every_series_that_has_a_value() {
    let (moved, still) = (
        counter("test/surveys/source/moved"),
        gauge("test/surveys/source/still"),
    );
    let mut recorder = Recorder::new();
    let survey = |recorder: &mut Recorder| {
        let mut seen = Vec::new();
        seen.extend(recorder.survey().unwrap_or_default().iter());
        seen.retain(|(id, _)| [moved.id(), still.id()].contains(id));
        seen
    };
    assert_eq!(survey(&mut recorder), []);
    moved.add(3);
    recorder.end_frame();
    let seen = survey(&mut recorder);
    let value = SurveyValue::new;
    assert_eq!(
        seen,
        [
            (moved.id(), value(3.0, Some(0))),
            (still.id(), value(0.0, None))
        ]
    );
}

#[test]
fn a_watch_that_begins_late_has_the_values_of_one_that_began_early() {
    let (sum, set, timer) = (
        counter("test/past/sum"),
        gauge("test/past/gauge"),
        timer("test/past/timer"),
    );
    let ids = [sum.id(), set.id(), timer.id(), timer.calls_id()];
    let (mut early, mut late) = (Recorder::new(), Recorder::new());
    let early_watches = ids.map(|id| early.watch(id));
    let mut known: [Vec<f64>; 4] = Default::default();
    let count = |frame: u64| {
        sum.add(frame);
        set.set(frame);
        timer.record_ms(2);
    };
    let end_frame = |early: &mut Recorder, late: &mut Recorder| {
        early.end_frame();
        late.end_frame();
    };
    late.survey();
    for frame in 0..20 {
        count(frame);
        end_frame(&mut early, &mut late);
        let values = late.survey().unwrap_or_default().values();
        for (known, id) in known.iter_mut().zip(ids) {
            known.push(values[id.number() as usize]);
        }
    }
    // In the middle of a frame.
    count(20);
    let late_watches: Vec<Watch> = ids
        .iter()
        .zip(&known)
        .map(|(id, known)| late.watch_with_past(*id, FrameSlice::new(0, known, &[])))
        .collect();
    count(21);
    end_frame(&mut early, &mut late);
    for (early_watch, late_watch) in early_watches.iter().zip(&late_watches) {
        let all = early.history(early_watch, usize::MAX);
        let with_past = late.history(late_watch, usize::MAX);
        assert_eq!(all.len(), 21);
        assert_eq!(with_past.first_frame(), 0);
        assert!(all.iter().eq(with_past.iter()), "{all:?}\n{with_past:?}");
    }
    // A past with a gap before the current frame is ignored, and so is one of a known history.
    let other = up_down_counter("test/past/level");
    let gap = late.watch_with_past(other.id(), FrameSlice::new(0, &[1.0; 5], &[]));
    let again = late.watch_with_past(sum.id(), FrameSlice::new(20, &[7.0], &[]));
    assert!(late.history(&gap, usize::MAX).is_empty());
    assert_eq!(late.history(&again, usize::MAX).len(), 21);
}

/// Returns the problems of a path whose total is not exact: whether the line is known.
fn inexact(path: &str) -> Vec<bool> {
    let is_line_known = |problem: &Problem| match problem {
        Problem::InexactTotal { path: of, location } if of == path => Some(location.is_some()),
        _ => None,
    };
    problems().iter().filter_map(is_line_known).collect()
}

#[test]
fn a_recorder_reports_the_inexact_totals_that_no_single_add_shows() {
    let exact = 1_u64 << 53;
    for (name, is_survey) in [("watched", false), ("surveyed", true)] {
        let path = |kind: &str| format!("test/surveys/inexact/{name}/{kind}");
        let (narrow, samples, threads) = (
            counter(&path("narrow")),
            histogram(&path("samples")),
            counter(&path("threads")),
        );
        let ids = [narrow.id(), samples.id(), threads.id()];
        let paths = ["narrow", "samples", "threads"].map(path);
        let mut recorder = Recorder::new();
        let _watches = ids.map(|id| (!is_survey).then(|| recorder.watch(id)));
        let mut end_frame = || {
            if is_survey {
                assert!(recorder.survey().is_some());
            }
            recorder.end_frame();
        };
        end_frame();
        let half = exact / 2;
        let on_two_threads = |n: u64| {
            std::thread::scope(|scope| {
                scope.spawn(move || threads.add(n));
                threads.add(n);
            });
        };
        narrow.add(exact - 1);
        samples.record(exact - 1);
        on_two_threads(half - 1);
        end_frame();
        assert!(paths.iter().all(|path| inexact(path).is_empty()));
        narrow.add(1_u32);
        samples.record(1);
        on_two_threads(1);
        end_frame();
        end_frame();
        for path in &paths {
            assert_eq!(inexact(path), [false], "{path}");
        }
    }
}

/// The core reports 64 series. Where a timer last ran is stored like a total, and takes no place.
#[test]
fn timers_on_several_threads_leave_room_for_the_report_of_an_inexact_total() {
    let timers: Vec<_> = (0..80)
        .map(|at| timer(&format!("test/surveys/threads/{at}")))
        .collect();
    let barrier = std::sync::Barrier::new(2);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                timers.iter().for_each(|timer| timer.time(|| {}));
                barrier.wait();
            });
        }
    });
    let mut recorder = Recorder::new();
    for _ in 0..2 {
        surveyed(&mut recorder);
        recorder.end_frame();
    }
    let path = "test/surveys/inexact/after-timers";
    counter(path).add(1e18);
    assert_eq!(inexact(path), [true]);
}

/// Few totals change in a frame, many, or none, and series are registered between frames, so that
/// blocks and lines of totals are still for some frames and not for others.
#[test]
fn a_survey_of_any_changes_has_the_values_of_watches_and_the_frames_of_the_last_changes() {
    let mut random = stats_testing::Random::new(2026);
    let mut recorder = Recorder::new();
    let mut series: Vec<(SeriesId, Watch, Option<u64>)> = Vec::new();
    let mut add: Vec<Box<dyn Fn(u64) -> bool>> = Vec::new();
    recorder.survey();
    for frame in 0..400 {
        // In all, fewer than a survey adds in one frame, for the tests that run later in this process.
        for _ in 0..random.below(10) {
            let path = format!("test/surveys/any/{}", series.len());
            let ids = match random.below(4) {
                0 => {
                    let sum = counter(&path);
                    add.push(Box::new(move |n| {
                        sum.add(n);
                        n != 0
                    }));
                    vec![sum.id()]
                }
                1 => {
                    let level = up_down_counter(&path);
                    add.push(Box::new(move |n| {
                        level.add(n as f64 - 2.0);
                        n != 2
                    }));
                    vec![level.id()]
                }
                2 => {
                    let set = gauge(&path);
                    add.push(Box::new(move |n| {
                        set.set(n);
                        true
                    }));
                    vec![set.id()]
                }
                _ => {
                    let timer = timer(&path);
                    add.push(Box::new(move |n| {
                        timer.record_ms(n);
                        true
                    }));
                    vec![timer.id()]
                }
            };
            for id in ids {
                series.push((id, recorder.watch(id), None));
            }
        }
        let share = [0, 1, 10, 1000][random.below(4) as usize];
        for (at, (_, _, last_change)) in series.iter_mut().enumerate() {
            if random.below(1000) < share && add[at](random.below(5)) {
                *last_change = Some(frame);
            }
        }
        recorder.end_frame();
        let known: HashMap<_, _> = surveyed(&mut recorder);
        for (id, watch, last_change) in &series {
            let value = recorder.history(watch, 1).last();
            let found = known.get(id);
            assert_eq!(found.map(|found| found.value), value, "{id:?} in {frame}");
            let found = found.and_then(|found| found.last_change);
            // A sum of 0, or the same level again, is no change.
            assert!(found <= *last_change, "{id:?} in {frame}");
        }
    }
}

/// One divided by an input, unknown if that is 0.
struct Inverse([String; 1]);

impl Computation for Inverse {
    fn inputs(&self) -> &[String] {
        &self.0
    }

    fn unit(&self, _: &[Unit]) -> Result<Unit, String> {
        Ok(Unit::Count)
    }

    fn begin(&self) -> Box<Evaluate> {
        Box::new(|values, _| 1.0 / values[0])
    }
}

/// Returns the groups that have only these series.
fn own_groups(ids: &[SeriesId]) -> Vec<usize> {
    let mut own = HashMap::new();
    for id in ids {
        *own.entry(id.number() as usize / SURVEY_GROUP).or_insert(0) += 1;
    }
    own.retain(|_, own| *own == SURVEY_GROUP);
    own.into_keys().collect()
}

/// Registers series until a group has no others.
fn own_group(mut register: impl FnMut(usize) -> SeriesId) -> Vec<SeriesId> {
    let mut ids = Vec::new();
    while own_groups(&ids).is_empty() {
        ids.push(register(ids.len()));
    }
    ids
}

#[test]
fn a_still_group_has_the_values_of_the_frame_before() {
    let mut random = Random::new(64);
    let path = |kind: &str, number: usize| format!("test/surveys/still/{kind}-{number}");
    let counters: Vec<_> = (0..700).map(|at| counter(&path("counter", at))).collect();
    let levels: Vec<_> = (0..90)
        .map(|at| up_down_counter(&path("level", at)))
        .collect();
    let gauges: Vec<_> = (0..90).map(|at| gauge(&path("gauge", at))).collect();
    let timers: Vec<_> = (0..40).map(|at| timer(&path("timer", at))).collect();
    let computed = own_group(|at| {
        let inverse = Inverse([path("gauge", at % 3)]);
        add_computed(&path("computed", at), "", Arc::new(inverse)).expect("a new path")
    });
    let source = DeferredSource::new();
    let mut values = Vec::new();
    let late = own_group(|at| {
        let series = source.counter(&path("late", at));
        values.push((series, 1.0 + at as f64));
        series.id()
    });
    let mut recorder = Recorder::new();
    let (mut before, mut seen) = (Vec::new(), [0; 2]);
    for frame in 0..400 {
        // Some frames in which nothing happens, and some in which another thread counts.
        if frame % 9 < 6 {
            for _ in 0..random.below(6) {
                let n = 1 + random.below(3);
                counters[random.index(counters.len())].add(n);
                levels[random.index(levels.len())].add(n);
                levels[random.index(levels.len())].sub(n);
                gauges[random.index(gauges.len())].set(n);
                timers[random.index(timers.len())].record_ms(n);
            }
            gauges[random.index(3)].set(random.below(3));
        }
        // Their values are known at the end of the frame, and often those of the frame before.
        let stamp = source.issue();
        match random.below(4) {
            0 => source.give_up(stamp),
            _ => source.deliver(stamp, &values),
        }
        if frame % 50 == 49 {
            let counter = counters[random.index(counters.len())];
            std::thread::scope(|scope| {
                scope.spawn(move || counter.increment());
            });
        }
        if frame % 90 == 89 {
            let _ = counter(&path("new", frame));
        }
        recorder.end_frame();
        let survey = recorder.survey().unwrap_or_default();
        let (values, still) = (survey.values(), survey.still_groups());
        assert_eq!(still.len(), values.len().div_ceil(SURVEY_GROUP));
        for (group, values) in values.chunks(SURVEY_GROUP).enumerate() {
            let known: &[f64] = &before;
            let known = known.chunks(SURVEY_GROUP).nth(group).unwrap_or_default();
            let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            let is_same = bits(known) == bits(values);
            assert!(is_same || !still[group], "frame {frame}, group {group}");
            seen[usize::from(still[group])] += 1;
        }
        before = values.to_vec();
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    // Nothing changes any more, so the groups that have only these series become still.
    gauges.iter().for_each(|gauge| gauge.set(2));
    for _ in 0..3 {
        source.deliver(source.issue(), &values);
        recorder.end_frame();
    }
    let survey = recorder.survey().unwrap_or_default();
    let still = survey.still_groups();
    let counters: Vec<_> = counters.iter().map(|counter| counter.id()).collect();
    for (id, value) in [(computed[0], 0.5), (late[0], 1.0)] {
        assert_eq!(survey.value(id), Some(value));
    }
    for ids in [counters, computed, late] {
        for group in own_groups(&ids) {
            assert!(still[group], "{group}");
        }
    }
}
