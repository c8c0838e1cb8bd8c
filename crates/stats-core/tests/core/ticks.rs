//! A second clock, whose ticks are read in the frames of recorders.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use stats_core::limits::{MAX_SERIES, MAX_TICK_SERIES, SURVEY_GROWTH, TICK_HISTORY};
use stats_core::{
    DeferredSource, Problem, Recorder, SeriesId, SeriesKind, Ticks, Unit, counter, find,
    for_each_series, gauge, problems, set_budget, timer,
};
use stats_testing::{Random, allocations};

use crate::{known, surveyed_value};

fn listed(path: &str) -> SeriesId {
    find(path).unwrap_or_else(|| panic!("{path} is not listed"))
}

/// Ends the ticks after which the series of a clock are listed.
fn list_series(ticks: &Ticks) {
    ticks.end();
    ticks.end();
}

/// The first value of a series in a survey, in frames with a tick each.
fn first_surveyed(frames: &mut Recorder, ticks: &Ticks, id: SeriesId) -> Option<f64> {
    // A survey grows over some frames, if other tests have registered many series.
    (0..MAX_SERIES / SURVEY_GROWTH + 3).find_map(|_| {
        crate::survey(frames);
        ticks.end();
        frames.end_frame();
        surveyed_value(frames, id)
    })
}

/// The paths that begin with a path, without it.
fn paths_below(begin: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for_each_series(|info| paths.extend(info.path.strip_prefix(begin).map(str::to_owned)));
    paths.sort();
    paths
}

#[test]
fn a_tick_belongs_as_a_whole_to_the_frame_in_which_it_ends() {
    let _alone = crate::without_surveys();
    let (added, level) = (counter("tick-rule/added"), gauge("tick-rule/level"));
    added.add(0);
    level.set(0.0);
    let ticks = Ticks::new("tick-rule clock").with_series("tick-rule");
    list_series(&ticks);
    let mut frames = [Recorder::new(), Recorder::new()];
    let paths = ["ticks", "tick-rule/added", "tick-rule/level"]
        .map(|path| listed(&format!("tick-rule clock/{path}")));
    let watches = [0, 1].map(|at| paths.map(|id| frames[at].watch(id)));
    // The first tick is not counted from its beginning.
    added.add(1);
    ticks.end();
    frames.iter_mut().for_each(Recorder::end_frame);
    let first = vec![Some(1.0), None, Some(0.0)];
    let mut expected = [0, 1].map(|_| vec![first.clone()]);
    let mut random = Random::new(7);
    // What both have to expect of their current frames, and the part of the current tick.
    let mut current = [0, 1].map(|_| vec![Some(0.0), None, None]);
    let mut tick = 0.0;
    for _ in 0..2_000 {
        let value = random.below(100) as f64;
        match random.below(4) {
            0 => {
                added.add(value);
                tick += value;
            }
            1 => {
                level.set(value);
                ticks.end();
                for frame in &mut current {
                    let sum = |known: Option<f64>, value| Some(known.unwrap_or(0.0) + value);
                    frame[0] = sum(frame[0], 1.0);
                    frame[1] = sum(frame[1], tick);
                    frame[2] = Some(value);
                }
                tick = 0.0;
            }
            at => {
                let at = at as usize - 2;
                frames[at].end_frame();
                let next = vec![Some(0.0), None, None];
                expected[at].push(std::mem::replace(&mut current[at], next));
            }
        }
    }
    for at in 0..2 {
        for (series, watch) in watches[at].iter().enumerate() {
            let expected: Vec<_> = expected[at].iter().map(|frame| frame[series]).collect();
            assert_eq!(known(&frames[at], watch), expected, "{at}, {series}");
        }
    }
}

#[test]
fn timers_are_added_up_and_nothing_allocates() {
    let _alone = crate::without_surveys();
    let work = timer("tick-time/work");
    work.record_ms(0.0);
    let ticks = Ticks::new("tick-time clock").with_series("tick-time");
    list_series(&ticks);
    let mut frames = Recorder::new();
    let time = frames.watch(listed("tick-time clock/tick time"));
    let of_work = frames.watch(listed("tick-time clock/tick-time/work"));
    ticks.end();
    frames.end_frame();
    assert_eq!(known(&frames, &of_work), [None]);
    loop {
        let (first, generation) = (frames.frames().end as usize, stats_core::generation());
        let allocated = allocations(|| {
            for frame in 0..6_u32 {
                for tick in 1..=frame % 3 {
                    ticks.begin();
                    work.record_ms(tick);
                    ticks.end();
                }
                frames.end_frame();
            }
        });
        let sums = [None, Some(1.0), Some(3.0)];
        let of_work = known(&frames, &of_work);
        assert_eq!(of_work[first..first + 3], sums);
        assert_eq!(of_work[first + 3..], sums);
        // How long they took is not known to the test.
        let time = known(&frames, &time);
        let time: Vec<bool> = time[first..].iter().map(Option::is_some).collect();
        assert_eq!(time, [false, true, true, false, true, true]);
        // A clock looks at the series that other tests register, and they do so at any time.
        if generation == stats_core::generation() {
            assert_eq!(allocated, 0);
            break;
        }
    }
}

#[test]
fn a_tick_takes_the_time_since_the_last_one_unless_it_begins() {
    let _alone = crate::without_surveys();
    let ticks = Ticks::new("tick-length");
    let mut frames = Recorder::new();
    let time = frames.watch(listed("tick-length/tick time"));
    for frame in [&[0.5][..], &[], &[0.75, 2.0], &[2.0]] {
        frame.iter().for_each(|&end| ticks.end_at(end));
        frames.end_frame();
    }
    assert_eq!(
        known(&frames, &time),
        [Some(500.0), None, Some(1500.0), Some(0.0)]
    );
}

#[test]
fn a_frame_with_more_ticks_than_are_kept_is_unknown_and_the_next_one_is_not() {
    let _alone = crate::without_surveys();
    let added = counter("tick-many/added");
    added.add(0);
    let ticks = Ticks::new("tick-many clock").with_series("tick-many/added");
    list_series(&ticks);
    let mut frames = Recorder::new();
    let sum = frames.watch(listed("tick-many clock/tick-many/added"));
    let time = frames.watch(listed("tick-many clock/tick time"));
    let count = frames.watch(listed("tick-many clock/ticks"));
    ticks.end();
    frames.end_frame();
    for many in [TICK_HISTORY, TICK_HISTORY + 1, 1] {
        for _ in 0..many {
            added.add(2);
            ticks.end_at(0.0);
        }
        frames.end_frame();
    }
    let many = TICK_HISTORY as f64;
    let counts = [1.0, many, many + 1.0, 1.0];
    assert_eq!(known(&frames, &count), counts.map(Some));
    assert_eq!(
        known(&frames, &sum),
        [None, Some(2.0 * many), None, Some(2.0)]
    );
    assert_eq!(known(&frames, &time)[1..], [Some(0.0), None, Some(0.0)]);
}

#[test]
fn a_clock_that_is_created_again_continues_its_series() {
    let _alone = crate::without_surveys();
    let added = counter("tick-again/added");
    added.add(0);
    let new = || Ticks::new("tick-again clock").with_series("tick-again");
    let ticks = new();
    list_series(&ticks);
    let mut frames = Recorder::new();
    let sum = frames.watch(listed("tick-again clock/tick-again/added"));
    let count = frames.watch(listed("tick-again clock/ticks"));
    let mut end = |ticks: Option<&Ticks>| {
        added.add(1);
        ticks.inspect(|ticks| ticks.end());
        frames.end_frame();
    };
    end(Some(&ticks));
    end(Some(&ticks));
    let second = new();
    drop(ticks);
    end(Some(&second));
    drop(second);
    end(None);
    let third = new();
    end(None);
    end(Some(&third));
    end(Some(&third));
    let sums = [None, Some(1.0), Some(1.0), None, None, None, Some(1.0)];
    assert_eq!(known(&frames, &sum), sums);
    let counts = [1.0, 1.0, 1.0, f64::NAN, 0.0, 1.0, 1.0];
    let counts = counts.map(|v| Some(v).filter(|v| !v.is_nan()));
    assert_eq!(known(&frames, &count), counts);
}

#[test]
fn the_ticks_and_times_of_a_clock_continue_in_the_frame_in_which_it_is_created_again() {
    let _alone = crate::without_surveys();
    let added = counter("tick-restart/added");
    added.add(0);
    let new = || Some(Ticks::new("tick-restart clock").with_series("tick-restart"));
    let mut ticks = new();
    let end = |ticks: &Option<Ticks>, at: f64| {
        added.add(1);
        ticks.iter().for_each(|ticks| ticks.end_at(at));
    };
    end(&ticks, 0.0);
    end(&ticks, 0.0);
    let mut frames = Recorder::new();
    let watches = ["ticks", "tick time", "tick-restart/added"].map(|path| {
        let path = format!("tick-restart clock/{path}");
        frames.watch(listed(&path))
    });
    end(&ticks, 0.5);
    frames.end_frame();
    end(&ticks, 1.0);
    drop(ticks.take());
    ticks = new();
    end(&ticks, 600.0);
    end(&ticks, 600.25);
    frames.end_frame();
    end(&ticks, 600.5);
    frames.end_frame();
    end(&ticks, 601.0);
    drop(ticks.take());
    frames.end_frame();
    frames.end_frame();
    ticks = new();
    frames.end_frame();
    end(&ticks, 900.0);
    frames.end_frame();
    end(&ticks, 900.25);
    frames.end_frame();
    let [one, no] = [Some(1.0), None];
    assert_eq!(
        watches.each_ref().map(|watch| known(&frames, watch)),
        [
            vec![one, Some(3.0), one, one, no, Some(0.0), one, one],
            vec![
                Some(500.0),
                no,
                Some(250.0),
                Some(500.0),
                no,
                no,
                no,
                Some(250.0)
            ],
            vec![no, no, one, one, no, no, no, one],
        ]
    );
}

#[test]
fn a_survey_that_begins_does_not_know_the_ticks_before_it() {
    let _surveys = crate::with_surveys();
    let ticks = Ticks::new("tick-survey");
    let id = listed("tick-survey/ticks");
    let mut frames = Recorder::new();
    assert_eq!(first_surveyed(&mut frames, &ticks, id), Some(1.0));
}

#[test]
fn every_tick_of_another_thread_is_in_one_frame_of_each_recorder() {
    let _alone = crate::without_surveys();
    const TICKS: u32 = 2_000;
    let added = counter("tick-threads/added");
    added.add(0);
    let ticks = Ticks::new("tick-threads clock").with_series("tick-threads");
    list_series(&ticks);
    let mut frames = Recorder::with_history(1 << 20);
    let count = frames.watch(listed("tick-threads clock/ticks"));
    let sum = frames.watch(listed("tick-threads clock/tick-threads/added"));
    ticks.end();
    frames.end_frame();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..TICKS {
                added.add(5);
                ticks.end();
            }
            is_done.store(true, Ordering::Release);
        });
        while !is_done.load(Ordering::Acquire) && frames.frames().end < (1 << 20) - 1 {
            frames.end_frame();
        }
    });
    frames.end_frame();
    let values = known(&frames, &count);
    let (first, rest) = values.split_first().expect("some frames");
    assert_eq!(*first, Some(1.0));
    assert_eq!(rest.iter().flatten().sum::<f64>(), f64::from(TICKS));
    let sums = known(&frames, &sum);
    let sums: Vec<f64> = sums.into_iter().flatten().collect();
    assert!(sums.iter().all(|sum| sum % 5.0 == 0.0), "whole ticks");
    assert!(sums.iter().sum::<f64>() <= 5.0 * f64::from(TICKS));
}

#[test]
fn series_of_their_own_are_shown_below_the_name_also_if_they_come_later() {
    let _surveys = crate::with_surveys();
    timer("tick-list/a/timer").record_ms(1.0);
    gauge("tick-list/gauge").set(1.0);
    gauge("tick-lists/other").set(1.0);
    let source = DeferredSource::new();
    let _ = source.counter("tick-list/late");
    let ticks = Ticks::new("tick-list").with_series("tick-list//");
    list_series(&ticks);
    let shown = ["a/timer", "gauge"];
    let below = |path: &str| paths_below(path);
    assert_eq!(below("tick-list/tick-list/"), shown);
    list_series(&ticks);
    assert_eq!(below("tick-list/tick-list/"), shown, "not their own");
    // Its unit is set after its registration, and after a tick.
    let bytes = counter("tick-list/bytes");
    ticks.end();
    let _ = bytes.unit(Unit::Bytes);
    ticks.end();
    let mut facts = None;
    for_each_series(|info| {
        if info.path == "tick-list/tick-list/bytes" {
            facts = Some((info.unit, info.kind, info.description));
        }
    });
    let description = Some("tick-list/bytes, in the ticks of tick-list");
    let expected = (Unit::Bytes, SeriesKind::Gauge, description);
    assert_eq!(facts, Some(expected));
    set_budget("tick-list/tick-list/bytes", Some(4.0));

    // Read without a history: by a peek, and by a survey.
    let id = listed("tick-list/tick-list/gauge");
    let mut frames = Recorder::new();
    assert_eq!(frames.peek(id), None);
    ticks.end();
    frames.end_frame();
    assert_eq!(frames.peek(id), Some(1.0));
    frames.end_frame();
    assert_eq!(frames.peek(id), None, "no tick");
    assert_eq!(first_surveyed(&mut frames, &ticks, id), Some(1.0));
}

#[test]
fn a_clock_shows_so_many_series_and_reports_the_others() {
    for at in 0..=MAX_TICK_SERIES {
        counter(&format!("tick-limit/{at}")).add(1);
    }
    let ticks = Ticks::new("tick-limit clock").with_series("tick-limit");
    list_series(&ticks);
    list_series(&ticks);
    assert_eq!(
        paths_below("tick-limit clock/tick-limit/").len(),
        MAX_TICK_SERIES
    );
    let clock = "tick-limit clock".to_owned();
    let problem = Problem::TooManyTickSeries { clock };
    assert_eq!(problems().iter().filter(|of| **of == problem).count(), 1);
    let text = "the clock \"tick-limit clock\" shows 64 series, and no further ones: \
                give `with_series` paths of fewer series";
    assert_eq!(problem.to_string(), text);
}

#[test]
fn a_path_of_another_series_is_reported() {
    let own = counter("tick-clash/ticks");
    own.add(1);
    let ticks = Ticks::new("tick-clash");
    assert!(problems().contains(&Problem::KindClash {
        path: "tick-clash/ticks".to_owned(),
        first: SeriesKind::Counter,
        second: SeriesKind::Gauge,
    }));
    let mut frames = Recorder::new();
    let watch = frames.watch(own.id());
    own.add(2);
    ticks.end();
    frames.end_frame();
    assert_eq!(known(&frames, &watch), [Some(2.0)], "it is the program's");
}
