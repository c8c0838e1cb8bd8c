//! An insight tells what it found as events.

use std::time::Duration;

use stats_analysis::derived;
use stats_analysis::insight::{Event, Facts, Finding, Insight, MAX_EVENTS};
use stats_core::{MarkEvent, Recorder, SeriesKind, Unit, counter, gauge, up_down_counter};

/// Takes all events.
fn drain(insight: &mut Insight) -> Vec<Event> {
    std::iter::from_fn(|| insight.poll_event()).collect()
}

fn names(events: &[Event]) -> Vec<(&'static str, Option<u64>)> {
    let parts = events.iter().map(|event| (event.name(), event.frame()));
    parts.collect()
}

/// An insight of one timer in frames of 8 ms and the time of the timer.
struct Game {
    insight: Insight,
    frame: u64,
}

impl Game {
    fn new() -> Self {
        let mut insight = Insight::new();
        let mut facts = Facts::new("ai/paths", SeriesKind::Timer, Unit::Milliseconds);
        facts.budget = Some(5.0);
        insight.set_series(0, facts);
        let frame = 0;
        Self { insight, frame }
    }

    fn step(&mut self, paths_ms: f64) {
        let noticed = self
            .insight
            .take_frame(self.frame, 8.0 + paths_ms, &[paths_ms]);
        if noticed {
            self.insight.rank_noticed();
        }
        self.frame += 1;
    }

    fn steps(&mut self, frames: u64, paths_ms: f64) {
        (0..frames).for_each(|_| self.step(paths_ms));
    }
}

#[test]
fn a_hitch_and_a_crossing_of_a_budget_are_one_event_each() {
    let mut game = Game::new();
    game.steps(200, 1.0);
    assert_eq!(drain(&mut game.insight), []);
    game.step(30.0);
    game.steps(3, 1.0);
    let events = drain(&mut game.insight);
    assert_eq!(
        names(&events),
        [("over-budget", Some(200)), ("hitch", Some(200))]
    );
    let [Event::OverBudget(over), Event::Hitch(hitch)] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!((over.value, over.budget, over.series), (30.0, 5.0, Some(0)));
    assert_eq!(over.unit, Unit::Milliseconds);
    assert_eq!(hitch, &game.insight.hitches()[0]);
    assert_eq!(
        events.iter().map(Event::to_string).collect::<Vec<_>>(),
        [
            "frame 200: ai/paths is over budget: 30.00 ms of 5.00 ms",
            "frame 200: +29.0 ms: 100 % ai/paths",
        ]
    );
    assert_eq!(drain(&mut game.insight), []);
}

#[test]
fn the_frame_time_crosses_its_budget_beyond_the_slack() {
    let mut insight = Insight::new();
    insight.set_frame_budget(Some(10.0));
    for (frame, frame_ms) in [(0, 10.0), (1, 11.0), (2, 11.1), (3, 12.0)] {
        insight.take_frame(frame, frame_ms, &[]);
    }
    let events = drain(&mut insight);
    assert_eq!(names(&events), [("over-budget", Some(2))]);
    assert!(
        events[0].to_string().contains("frame time"),
        "{}",
        events[0]
    );
    // A budget that is set again can be crossed at once, and the same one cannot.
    insight.set_frame_budget(Some(10.0));
    insight.take_frame(4, 12.0, &[]);
    assert_eq!(drain(&mut insight), []);
    insight.set_frame_budget(Some(9.0));
    insight.take_frame(5, 12.0, &[]);
    assert_eq!(names(&drain(&mut insight)), [("over-budget", Some(5))]);
}

#[test]
fn a_source_that_is_followed_keeps_the_frame_budget_of_the_caller() {
    if !stats_core::ENABLED {
        return;
    }
    let mut insight = Insight::new();
    insight.set_frame_budget(Some(10.0));
    let mut recorder = Recorder::new();
    for frame in 0..20 {
        recorder.end_frame_at(Duration::from_millis(9 * frame + 40 * (frame / 19)));
        insight.follow(&mut recorder);
    }
    let events = drain(&mut insight);
    let over = events.iter().find(|event| event.name() == "over-budget");
    assert_eq!(over.and_then(Event::frame), Some(19), "{events:?}");
}

/// Without a reader, the number of waiting events is bounded. The number of lost ones comes first.
#[test]
fn the_oldest_events_are_replaced_and_counted() {
    for extra in [0, 1, 40] {
        let mut insight = Insight::new();
        let count = MAX_EVENTS + extra;
        for number in 0..count {
            let mut facts = Facts::new(format!("series/{number}"), SeriesKind::Gauge, Unit::Count);
            facts.budget = Some(0.5);
            insight.set_series(number as u32, facts);
        }
        insight.take_frame(7, 10.0, &vec![1.0; count]);
        let mut events = drain(&mut insight);
        if extra > 0 {
            assert_eq!(events.remove(0), Event::Lost(extra as u64));
        }
        let series = events.iter().map(|event| match event {
            Event::OverBudget(over) => over.series,
            _ => None,
        });
        assert!(series.eq((extra as u32..count as u32).map(Some)));
        assert_eq!(drain(&mut insight), []);
    }
}

#[test]
fn a_compact_insight_looks_up_the_paths_of_its_events() {
    let mut insight = Insight::compact();
    let mut facts = Facts::new("net/bytes", SeriesKind::Counter, Unit::Bytes);
    facts.budget = Some(100.0);
    insight.set_series(0, facts);
    insight.take_frame(0, 10.0, &[200.0]);
    insight.look_up_event_paths(|number| (number == 0).then(|| "net/bytes".to_owned()));
    let events = drain(&mut insight);
    assert!(matches!(&events[..], [Event::OverBudget(over)] if over.path == "net/bytes"));
}

#[test]
fn a_leak_is_told_once_until_it_stops() {
    let mut game = Game::new();
    let leak = |series: u32| stats_analysis::insight::Leak {
        path: format!("level/{series}"),
        series,
        per_second: 10.0,
        is_slower: false,
        seconds_to_budget: (series == 1).then_some(12.4),
    };
    game.step(1.0);
    game.insight.note_leaks(&[leak(1)]);
    game.step(1.0);
    game.insight.note_leaks(&[leak(1), leak(2)]);
    game.insight.note_leaks(&[leak(2)]);
    game.step(1.0);
    game.insight.note_leaks(&[leak(2), leak(1)]);
    let events = drain(&mut game.insight);
    let texts: Vec<String> = events.iter().map(Event::to_string).collect();
    assert_eq!(
        texts,
        [
            "frame 0: level/1 keeps growing; it reaches its budget in 12 s",
            "frame 1: level/2 keeps growing",
            "frame 2: level/1 keeps growing; it reaches its budget in 12 s",
        ]
    );
}

#[test]
fn a_periodic_stall_is_told_once_however_often_it_is_found() {
    let mut game = Game::new();
    for _ in 0..12 {
        game.steps(100, 1.0);
        game.step(30.0);
        let stalls = game.insight.periodic();
        game.insight.note_periodic(&stalls);
    }
    let events = drain(&mut game.insight);
    let periodic: Vec<&Event> = (events.iter())
        .filter(|event| matches!(event, Event::Periodic { .. }))
        .collect();
    assert_eq!(periodic.len(), 1, "{periodic:?}");
    let text = periodic[0].to_string();
    assert!(text.contains("ai/paths stalls every 101 frames"), "{text}");
    assert_eq!(periodic[0].name(), "periodic");
}

/// A server: a recorder, and an insight that follows it. Its clock is that of the test.
#[test]
fn an_insight_follows_a_recorder_without_an_overlay() {
    if !stats_core::ENABLED {
        return;
    }
    let requests = counter("events/requests");
    let players = up_down_counter("events/players");
    let (mut recorder, mut insight) = (Recorder::new(), Insight::new());
    let (mut events, mut secs) = (Vec::new(), 0.0);
    for frame in 0..12_000_u64 {
        let is_slow = frame == 500 || frame == 700;
        requests.add(if is_slow { 400 } else { 3 });
        if frame % 4 == 0 {
            players.increment();
        }
        secs += if is_slow { 0.08 } else { 0.01 };
        recorder.end_frame_at(secs);
        let noticed = insight.follow(&mut recorder);
        assert_eq!(noticed, is_slow, "{frame}");
        assert!(!insight.follow(&mut recorder), "the frame was taken before");
        events.extend(drain(&mut insight));
    }
    let of = |kind: &'static str| events.iter().filter(move |event| event.name() == kind);
    let hitches: Vec<_> = of("hitch").filter_map(Event::frame).collect();
    assert_eq!(hitches, [500, 700]);
    assert!(of("hitch").all(|hitch| hitch.to_string().contains("events/requests")));
    let leaks: Vec<String> = of("leak").map(Event::to_string).collect();
    assert!(
        matches!(&leaks[..], [leak] if leak.contains("events/players")),
        "{leaks:?}"
    );
}

#[test]
fn an_insight_that_follows_a_recorder_tells_a_periodic_stall_while_there_are_many_hitches() {
    if !stats_core::ENABLED {
        return;
    }
    let saves = counter("events/saves");
    let (mut recorder, mut insight) = (Recorder::new(), Insight::new());
    let (mut stalls, mut secs) = (Vec::new(), 0.0);
    let mut random = stats_testing::Random::new(3);
    let mut other = 300;
    for frame in 0..8_000_u64 {
        let is_other = frame == other;
        other += u64::from(is_other) * (80 + random.below(200));
        let is_slow = frame > 5_000 && frame % 90 == 45;
        saves.add(if is_slow { 400 } else { 3 });
        secs += if is_slow || is_other { 0.08 } else { 0.01 };
        recorder.end_frame_at(secs);
        insight.follow(&mut recorder);
        let events = drain(&mut insight).into_iter();
        stalls.extend(events.filter(|event| event.name() == "periodic"));
    }
    let texts: Vec<String> = stalls.iter().map(Event::to_string).collect();
    let is_told = |text: &String| text.contains("stalls every 90 frames");
    assert!(!texts.is_empty() && texts.iter().all(is_told), "{texts:?}");
}

#[test]
fn a_series_that_is_computed_is_among_the_findings() {
    if !stats_core::ENABLED {
        return;
    }
    let (cost, agents) = (gauge("events/cost"), gauge("events/agents"));
    derived::define("events/cost per agent", "events/cost / events/agents").expect("a new path");
    agents.set(4);
    let (mut recorder, mut insight) = (Recorder::new(), Insight::new());
    let mut secs = 0.0;
    for frame in 0..203 {
        let is_slow = frame == 200;
        cost.set(if is_slow { 400 } else { 12 });
        secs += if is_slow { 0.08 } else { 0.01 };
        recorder.end_frame_at(secs);
        assert_eq!(insight.follow(&mut recorder), is_slow, "{frame}");
    }
    let hitch = &insight.hitches()[0];
    let of = |finding: &&Finding| finding.path == "events/cost per agent";
    let finding = hitch.findings.iter().find(of).expect("a finding");
    assert_eq!((finding.value, finding.usual), (100.0, 3.0));
}

/// Plays frames of 10 ms. Frame 200 takes half a second, and has some marks. Returns the events.
fn played(marks: &[&str]) -> Vec<Event> {
    let (mut recorder, mut insight) = (Recorder::new(), Insight::new());
    let (mut secs, mut events) = (0.0, Vec::new());
    for frame in 0..300 {
        if frame == 200 {
            marks
                .iter()
                .for_each(|name| recorder.mark(name, MarkEvent::Point));
        }
        secs += if frame == 200 { 0.5 } else { 0.01 };
        recorder.end_frame_at(secs);
        insight.follow(&mut recorder);
        events.extend(drain(&mut insight));
    }
    events
}

#[test]
fn a_frame_that_was_frozen_is_an_event_with_what_was_open() {
    if !stats_core::ENABLED {
        return;
    }
    let events = played(&[
        "log info game: loading",
        "log error stats::frozen: no frame for 2.0 s",
        "log error stats::frozen: main: load 2.0 s > lock 1.9 s",
    ]);
    assert_eq!(
        names(&events),
        [("frozen", Some(200)), ("hitch", Some(200))]
    );
    assert_eq!(
        events[0].to_string(),
        "frame 200: no frame for 2.0 s; main: load 2.0 s > lock 1.9 s"
    );
}

#[test]
fn a_frame_in_which_the_program_stood_still_is_no_hitch() {
    if !stats_core::ENABLED {
        return;
    }
    assert_eq!(names(&played(&[])), [("hitch", Some(200))]);
    let line = "log warn stats::stopped: the whole program stood still for 0.5 s";
    assert_eq!(played(&[line]), []);
}
