//! Which frame each deferred value belongs to, and what happens to the rest.

use stats_core::limits::LATE_FRAMES;
use stats_core::source::SurveyValue;
use stats_core::{
    DeferredSeries, DeferredSource, Problem, Recorder, SeriesId, Watch, counter, find, problems,
    timer,
};
use stats_testing::grown_bytes;

use crate::{alone, dropped, known, values};

#[test]
fn a_value_belongs_to_the_frame_that_issued_its_stamp() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.timer("test/late/frame");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    let mut stamps = Vec::new();
    for frame in 0..10_u32 {
        stamps.push(late.issue());
        if let Some(back) = frame.checked_sub(3) {
            late.deliver(
                stamps[back as usize],
                &[(series, f64::from(back)), (series, 0.5)],
            );
        }
        recorder.end_frame();
        let known: Vec<f64> = (0..(frame + 1).saturating_sub(3))
            .map(|frame| f64::from(frame) + 0.5)
            .collect();
        assert_eq!(values(&recorder, &watch), known);
        assert_eq!(
            recorder.history(&watch, 2).last(),
            known.last().copied(),
            "the newest complete frame"
        );
        assert_eq!(recorder.history(&watch, 2).len(), known.len().min(2));
    }
}

#[test]
fn calls_are_counted_in_the_frame_of_their_time() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.timer("test/late/calls");
    let mut calls = None;
    stats_core::for_each_series(|info| {
        calls = calls.or((info.id == series.id()).then_some(info.calls).flatten())
    });
    let mut recorder = Recorder::new();
    let watch = recorder.watch(calls.unwrap());
    let stamp = late.issue();
    recorder.end_frame();
    late.deliver(stamp, &[(series, 3.0), (series, 0.0), (series, 5.0)]);
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [3.0, 0.0]);
}

#[test]
fn a_later_watch_gets_values_as_soon_as_the_first_watch_does() {
    let _alone = alone();
    for delay in [0, 1, 3, LATE_FRAMES - 1] {
        let late = DeferredSource::new();
        let series = ["first", "later"]
            .map(|name| late.counter(&format!("test/late/joined-{delay}/{name}")));
        let mut recorder = Recorder::new();
        let first = recorder.watch(series[0].id());
        recorder.end_frame();
        let later = recorder.watch(series[1].id());
        let mut stamps = Vec::new();
        let dropped = dropped(|| {
            for frame in 1..4 * LATE_FRAMES {
                stamps.push(late.issue());
                if frame > delay {
                    let stamp = stamps[(frame - delay) as usize - 1];
                    late.deliver(
                        stamp,
                        &series.map(|series| (series, (frame - delay) as f64)),
                    );
                }
                recorder.end_frame();
                let known: Vec<f64> = (1..=frame.saturating_sub(delay))
                    .map(|frame| frame as f64)
                    .collect();
                assert_eq!(
                    values(&recorder, &later),
                    known,
                    "{delay} frames late, in frame {frame}"
                );
                assert_eq!(values(&recorder, &first)[1..], known);
            }
        });
        assert_eq!(dropped, 0.0);
    }
}

#[test]
fn a_value_may_be_late_up_to_the_limit_and_no_later() {
    let _alone = alone();
    for too_late in [false, true] {
        let late = DeferredSource::new();
        let series = late.counter("test/late/boundary");
        let mut recorder = Recorder::new();
        let watch = recorder.watch(series.id());
        let stamp = late.issue();
        // The current frame is `LATE_FRAMES` after the stamp's, or the next one.
        let frames = LATE_FRAMES + u64::from(too_late);
        (0..frames).for_each(|_| recorder.end_frame());
        assert_eq!(
            recorder.history(&watch, usize::MAX).len() as u64,
            if too_late { frames } else { 0 }
        );
        let dropped = dropped(|| {
            late.deliver(stamp, &[(series, 7.0), (series, 8.0)]);
            recorder.end_frame();
        });
        assert_eq!(dropped, if too_late { 2.0 } else { 0.0 });
        let expected = (!too_late).then_some(15.0);
        assert_eq!(known(&recorder, &watch)[0], expected);
        assert_eq!(
            recorder.history(&watch, usize::MAX).frames(),
            recorder.frames(),
            "nothing is outstanding"
        );
    }
}

#[test]
fn a_stamp_that_is_never_delivered_does_not_block_forever() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.counter("test/late/leaked");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    let _leaked = late.issue();
    for frame in 0..LATE_FRAMES * 3 {
        let stamp = late.issue();
        late.deliver(stamp, &[(series, 1.0)]);
        recorder.end_frame();
        let known = recorder.history(&watch, usize::MAX).len() as u64;
        assert_eq!(known, if frame < LATE_FRAMES { 0 } else { frame + 1 });
    }
    let known = known(&recorder, &watch);
    assert_eq!(known[0], None, "its frame was never measured");
    assert!(known[1..].iter().all(|value| *value == Some(1.0)));
}

#[test]
fn a_frame_of_which_a_part_was_not_measured_is_unknown_in_all_series_of_the_source() {
    let _alone = alone();
    let (late, other) = (DeferredSource::new(), DeferredSource::new());
    let timer = late.timer("test/late/unknown/timer");
    let mut calls = None;
    stats_core::for_each_series(|info| {
        calls = calls.or((info.id == timer.id()).then_some(info.calls).flatten())
    });
    let ids = [
        timer.id(),
        calls.unwrap(),
        late.counter("test/late/unknown/counter").id(),
    ];
    let apart = other.counter("test/late/unknown/apart");
    let mut recorder = Recorder::new();
    let watches = ids.map(|id| recorder.watch(id));
    let apart_watch = recorder.watch(apart.id());
    for frame in 0..4 {
        // Measured, not measured, measured in part, nothing to measure.
        let (first, second) = (late.issue(), late.issue());
        other.deliver(other.issue(), &[(apart, 7.0)]);
        recorder.end_frame();
        match frame {
            0 => {
                late.deliver(first, &[(timer, 1.0)]);
                late.deliver(second, &[(timer, 2.0)]);
            }
            1 => [first, second]
                .into_iter()
                .for_each(|one| late.give_up(one)),
            2 => {
                late.deliver(first, &[(timer, 1.0)]);
                late.give_up(second);
            }
            _ => [first, second]
                .into_iter()
                .for_each(|one| late.deliver(one, &[])),
        }
    }
    recorder.end_frame();
    let [timer, calls, counter] = watches.map(|watch| known(&recorder, &watch));
    assert_eq!(timer, [Some(3.0), None, None, Some(0.0), Some(0.0)]);
    assert_eq!(calls, [Some(2.0), None, None, Some(0.0), Some(0.0)]);
    assert_eq!(counter, [Some(0.0), None, None, Some(0.0), Some(0.0)]);
    assert_eq!(known(&recorder, &apart_watch)[..4], [Some(7.0); 4]);
}

#[test]
fn a_frame_in_which_a_watch_began_after_a_stamp_is_unknown() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.counter("test/late/began");
    let mut recorder = Recorder::new();
    for is_missed in [false, true, false] {
        if is_missed {
            late.deliver(late.issue(), &[(series, 1.0)]);
        }
        let watch = recorder.watch(series.id());
        for _ in 0..3 {
            late.deliver(late.issue(), &[(series, 2.0)]);
            recorder.end_frame();
        }
        let first = (!is_missed).then_some(2.0);
        assert_eq!(known(&recorder, &watch), [first, Some(2.0), Some(2.0)]);
    }
}

#[test]
fn a_stamp_that_too_many_later_ones_displace_leaves_its_frame_unknown() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.counter("test/late/displaced");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    let mut stamps = vec![late.issue()];
    recorder.end_frame();
    stamps.extend((0..1 << 16).map(|_| late.issue()));
    recorder.end_frame();
    assert_eq!(known(&recorder, &watch), [None]);
    late.deliver(stamps[1], &[(series, 3.0)]);
    stamps[2..]
        .iter()
        .for_each(|&stamp| late.deliver(stamp, &[]));
    recorder.end_frame();
    assert_eq!(known(&recorder, &watch), [None, Some(3.0), Some(0.0)]);
}

#[test]
fn frames_of_values_without_room_are_unknown() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.counter("test/late/room");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    let room = 1 << 18;
    for too_many in [0, 1] {
        let before = late.issue();
        recorder.end_frame();
        let (full, after) = (late.issue(), late.issue());
        recorder.end_frame();
        late.deliver(before, &[(series, 1.0)]);
        late.deliver(full, &vec![(series, 1.0); room - 1]);
        let dropped = dropped(|| late.deliver(after, &vec![(series, 1.0); too_many]));
        assert_eq!(dropped, too_many as f64);
        recorder.end_frame();
        let newest = known(&recorder, &watch);
        let full = (too_many == 0).then_some((room - 1) as f64);
        assert_eq!(newest[newest.len() - 3..], [Some(1.0), full, Some(0.0)]);
    }
}

#[test]
fn series_watched_one_after_the_other_do_not_wait_once_all_is_delivered() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = ["late-many/a", "late-many/b", "late-many/c"].map(|path| late.counter(path));
    let mut recorder = Recorder::new();
    let watches = series.map(|series| recorder.watch(series.id()));
    for frame in 0..3 * LATE_FRAMES {
        let stamp = late.issue();
        recorder.end_frame();
        late.deliver(stamp, &series.map(|series| (series, 1.0)));
        for watch in &watches {
            assert_eq!(recorder.history(watch, 1).frames().end, frame);
        }
    }
}

#[test]
fn stamps_of_a_dropped_source_are_given_up_and_its_successor_continues() {
    let _alone = alone();
    let first = DeferredSource::new();
    let series = first.counter("test/late/successor");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    let _lost = first.issue();
    recorder.end_frame();
    assert!(recorder.history(&watch, 9).is_empty());
    let second = DeferredSource::new();
    let again = second.counter("test/late/successor");
    assert_eq!(again.id(), series.id());
    drop(first);
    let stamp = second.issue();
    recorder.end_frame();
    assert_eq!(known(&recorder, &watch), [None]);
    second.deliver(stamp, &[(again, 4.0)]);
    recorder.end_frame();
    assert_eq!(known(&recorder, &watch), [None, Some(4.0), Some(0.0)]);
}

#[test]
fn second_deliveries_and_values_that_are_not_finite_are_counted_and_not_recorded() {
    let _alone = alone();
    let (late, other) = (DeferredSource::new(), DeferredSource::new());
    let series = late.counter("test/late/refused");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    let refused = recorder.watch(find("stats/refused-samples").unwrap());
    let dropped = dropped(|| {
        let stamp = late.issue();
        other.deliver(stamp, &[(series, 1e9)]);
        late.deliver(
            stamp,
            &[(series, f64::NAN), (series, 1.0), (series, f64::INFINITY)],
        );
        late.deliver(stamp, &[(series, 1e9), (series, 1e9)]);
        recorder.end_frame();
        let stamp = late.issue();
        late.give_up(stamp);
        late.deliver(stamp, &[(series, 1e9)]);
        recorder.end_frame();
    });
    assert_eq!(dropped, 4.0);
    assert_eq!(known(&recorder, &watch), [Some(1.0), None]);
    assert!(values(&recorder, &refused)[0] >= 2.0);
}

#[test]
fn sums_that_would_overflow_stay_finite() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.counter("test/late/finite");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    late.deliver(
        late.issue(),
        &[(series, f64::MAX), (series, f64::MAX), (series, -f64::MAX)],
    );
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [f64::MAX]);
}

#[test]
fn a_path_has_either_deferred_or_immediate_values() {
    let _alone = alone();
    let late = DeferredSource::new();
    let mut recorder = Recorder::new();
    let plain = counter("test/late/clash/plain");
    let clash = late.counter("test/late/clash/plain");
    let first = late.timer("test/late/clash/late");
    let second = timer("test/late/clash/late");
    let watches = [plain.id(), first.id(), clash.id()].map(|id| recorder.watch(id));
    plain.add(1);
    second.record_ms(1e9);
    late.deliver(late.issue(), &[(clash, 1e9), (first, 2.0)]);
    recorder.end_frame();
    assert_eq!(
        watches
            .each_ref()
            .map(|watch| recorder.history(watch, 9).last()),
        [Some(1.0), Some(2.0), None]
    );
    let clashes = problems()
        .into_iter()
        .filter(|problem| matches!(problem, Problem::LateClash { .. }));
    let texts: Vec<String> = clashes.map(|problem| problem.to_string()).collect();
    assert!(
        texts.len() == 2 && texts.iter().all(|text| text.contains("rename one")),
        "{texts:?}"
    );
}

#[test]
fn a_history_shorter_than_the_delay_has_only_the_complete_frames_that_it_keeps() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.counter("test/late/short");
    for delay in 0..4_u64 {
        for history in 1..6 {
            let mut recorder = Recorder::with_history(history);
            let watch = recorder.watch(series.id());
            let mut stamps = Vec::new();
            for frame in 0..40_u64 {
                if frame == 20 {
                    recorder.set_history(3);
                }
                if frame == 30 {
                    recorder.set_history(history);
                }
                recorder.restart_frame();
                stamps.push(late.issue());
                if let Some(back) = frame.checked_sub(delay) {
                    late.deliver(stamps[back as usize], &[(series, back as f64 + 1.0)]);
                }
                recorder.end_frame();
                let held = recorder.frames();
                let known = held.start..(frame + 1).saturating_sub(delay).max(held.start);
                let expected: Vec<f64> = known.map(|frame| frame as f64 + 1.0).collect();
                assert_eq!(
                    values(&recorder, &watch),
                    expected,
                    "{delay} late, {history} held, frame {frame}"
                );
                let newest = (frame + 1).checked_sub(delay).filter(|value| *value > 0);
                let peeked = recorder.peek(series.id());
                assert!(
                    peeked.is_none() || peeked == newest.map(|value| value as f64),
                    "{peeked:?} {newest:?}"
                );
            }
        }
    }
}

/// Returns the survey of one series.
fn surveyed(recorder: &mut Recorder, id: SeriesId) -> Option<SurveyValue> {
    let all = recorder.survey().unwrap_or_default().iter();
    all.filter(|(other, _)| *other == id)
        .map(|(_, value)| value)
        .last()
}

#[test]
fn peeks_and_surveys_have_the_newest_complete_frame() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.counter("test/late/peek");
    let mut recorder = Recorder::new();
    assert_eq!(recorder.peek(series.id()), None);
    assert_eq!(
        surveyed(&mut recorder, series.id()).map(|found| found.value),
        None
    );
    let first = late.issue();
    recorder.end_frame();
    assert_eq!(recorder.peek(series.id()), None);
    assert_eq!(
        surveyed(&mut recorder, series.id()).map(|found| found.value),
        None
    );
    let second = late.issue();
    late.deliver(first, &[(series, 5.0)]);
    recorder.end_frame();
    assert_eq!(recorder.peek(series.id()), Some(5.0));
    assert_eq!(
        surveyed(&mut recorder, series.id()).map(|found| found.value),
        Some(5.0)
    );
    late.give_up(second);
    let third = late.issue();
    recorder.end_frame();
    assert_eq!(
        recorder.peek(series.id()),
        None,
        "the frame was not measured"
    );
    assert_eq!(
        surveyed(&mut recorder, series.id()).map(|found| found.value),
        None
    );
    late.deliver(third, &[]);
    let young = late.counter("test/late/peek-young");
    recorder.end_frame();
    assert_eq!(recorder.peek(series.id()), Some(0.0));
    assert_eq!(
        surveyed(&mut recorder, series.id()).map(|found| (found.value, found.last_change)),
        Some((0.0, Some(0)))
    );
    late.deliver(late.issue(), &[(young, 1.0)]);
    recorder.end_frame();
    assert_eq!(
        surveyed(&mut recorder, young.id()).map(|found| found.value),
        Some(1.0)
    );
    // Peeks and surveys are forgotten if they are not repeated, and then start over.
    (0..2 * stats_core::limits::PEEK_FRAMES).for_each(|_| recorder.end_frame());
    assert_eq!(recorder.peek(series.id()), None);
    assert_eq!(
        surveyed(&mut recorder, series.id()).map(|found| found.value),
        None
    );
}

#[test]
fn a_survey_visits_every_value_that_arrives_at_once() {
    let _alone = alone();
    let late = DeferredSource::new();
    let series = late.counter("test/late/at-once");
    let mut recorder = Recorder::new();
    let visited = |recorder: &mut Recorder| {
        let all = recorder.survey().unwrap_or_default().iter();
        let all = all.filter(|(id, _)| *id == series.id());
        all.map(|(_, survey)| (survey.value, survey.last_change))
            .collect::<Vec<_>>()
    };
    assert_eq!(visited(&mut recorder), []);
    let mut stamps: Vec<_> = (0..5)
        .map(|_| {
            let stamp = late.issue();
            recorder.end_frame();
            visited(&mut recorder);
            stamp
        })
        .collect();
    let last = stamps.split_off(4);
    for (stamp, value) in stamps.into_iter().zip([1.0, 2.0, 0.0, 4.0]) {
        late.deliver(stamp, &[(series, value)]);
    }
    recorder.end_frame();
    let expected = [(1.0, Some(0)), (2.0, Some(1)), (4.0, Some(3))];
    assert_eq!(visited(&mut recorder), expected);
    // Twice in one frame: another reader gets the same.
    assert_eq!(visited(&mut recorder), expected);
    for stamp in last {
        late.give_up(stamp);
    }
    recorder.end_frame();
    assert_eq!(visited(&mut recorder), [(0.0, Some(3))]);
    recorder.end_frame();
    assert_eq!(visited(&mut recorder), [(0.0, Some(3))]);
}

#[test]
fn ending_frames_and_delivering_allocate_nothing_in_the_steady_state() {
    let _alone = alone();
    let late = DeferredSource::new();
    let all: Vec<DeferredSeries> = (0..100)
        .map(|n| late.timer(&format!("test/late/steady/{n}")))
        .collect();
    let batch: Vec<(DeferredSeries, f64)> = all.iter().map(|series| (*series, 1.0)).collect();
    let mut recorder = Recorder::with_history(100);
    let _watches: Vec<Watch> = all
        .iter()
        .step_by(20)
        .map(|series| recorder.watch(series.id()))
        .collect();
    let mut stamps = std::collections::VecDeque::with_capacity(8);
    let mut frame = |_| {
        stamps.push_back(late.issue());
        if stamps.len() > 3 {
            late.deliver(stamps.pop_front().unwrap(), &batch);
        }
        late.give_up(late.issue());
        recorder.end_frame();
    };
    (0..200).for_each(&mut frame);
    assert_eq!(grown_bytes(|| (0..200).for_each(&mut frame)), 0);
}
