//! Usual values and records of whole values are whole.

use stats_analysis::insight::{Facts, Finding, FrameValues, Insight};
use stats_core::{SeriesKind, Unit};
use stats_testing::Random;

/// Returns an engine of a timer, of rare and of frequent counts and bytes, and of a gauge that
/// turns.
fn engine() -> Insight {
    let mut insight = Insight::new();
    let all = [
        ("work", SeriesKind::Timer, Unit::Milliseconds),
        ("rare", SeriesKind::Counter, Unit::Count),
        ("often", SeriesKind::Counter, Unit::Count),
        ("bytes", SeriesKind::UpDownCounter, Unit::Bytes),
        ("things", SeriesKind::Gauge, Unit::Count),
        ("angle", SeriesKind::Gauge, Unit::Count),
    ];
    for (number, (path, kind, unit)) in (0..).zip(all) {
        insight.set_series(number, Facts::new(path, kind, unit));
    }
    insight
}

/// Returns the duration of a frame, and its values.
fn frame(random: &mut Random, frame: u64) -> (f64, [f64; 6]) {
    let is_slow = frame.is_multiple_of(170) && frame > 300;
    let mut one_in = |frames: u64, value: u64| {
        let hit = random.below(frames) == 0 || is_slow && random.below(2) == 0;
        if hit { value as f64 } else { 0.0 }
    };
    let (rare, often) = (one_in(400, 6), 7.0 + one_in(3, 4));
    let (bytes, things) = (4096.0 + one_in(50, 999_999), one_in(900, 3));
    let angle = 0.1 + (frame as f64 / 40.0).sin().abs();
    let ms = if is_slow { 30.0 } else { 8.0 };
    (ms, [8.0, rare, often, bytes, things, angle])
}

fn assert_whole(finding: &Finding) {
    let numbers = [finding.usual, finding.value, finding.record];
    match &*finding.path {
        "rare" | "often" | "bytes" | "things" => {
            assert!(numbers.iter().all(|one| one.fract() == 0.0), "{finding:?}");
            assert!(
                numbers.iter().all(|one| one.is_sign_positive()),
                "{finding:?}"
            );
        }
        "angle" => assert!(finding.usual.fract() != 0.0, "{finding:?}"),
        _ => {}
    }
}

#[test]
fn usual_values_and_records_of_counts_and_bytes_are_whole() {
    let mut found = 0;
    for seed in 0..20 {
        let (mut insight, mut random) = (engine(), Random::new(seed));
        let mut recent = Vec::new();
        for at in 0..3_000 {
            let (ms, values) = frame(&mut random, at);
            let asked = insight.explain(at, ms + 10.0, &values);
            insight.take_frame(at, ms, &values);
            insight.rank_noticed();
            recent.push((ms, values));
            for finding in &asked.findings {
                assert_whole(finding);
            }
        }
        for hitch in insight.hitches() {
            found += hitch.findings.len();
            hitch.findings.iter().for_each(assert_whole);
            for small in [" p ", " n ", " µ ", " m "] {
                assert!(!hitch.verdict.contains(small), "{}", hitch.verdict);
            }
        }
        // One frame, compared with those around it.
        let all = || {
            recent
                .iter()
                .map(|(ms, values)| FrameValues { ms: *ms, values })
        };
        let hitch = insight.explain_among(
            510,
            |visit| all().skip(510).take(1).for_each(visit),
            |visit| all().take(500).for_each(visit),
            |_| None,
        );
        let hitch = hitch.expect("frames are known");
        hitch.findings.iter().for_each(assert_whole);
    }
    assert!(found > 100, "{found}");
}

#[test]
fn the_verdict_on_a_rare_count_is_whole() {
    let mut insight = engine();
    for at in 0..2_000 {
        let is_slow = at == 1_900;
        let rare = if is_slow || at == 40 { 6.0 } else { 0.0 };
        let bytes = if is_slow { 9_000_000.0 } else { 0.0 };
        let ms = if is_slow { 30.0 } else { 8.0 };
        insight.take_frame(at, ms, &[8.0, rare, 7.0, bytes, 0.0, 0.5]);
        insight.rank_noticed();
    }
    let hitch = &insight.hitches()[0];
    for (path, text) in [("rare", 6.0), ("bytes", 9_000_000.0)] {
        let mut findings = hitch.findings.iter();
        let finding = findings.find(|one| one.path == path);
        let finding = finding.expect("it moved");
        assert_eq!((finding.usual, finding.value), (0.0, text), "{finding:?}");
    }
    assert!(
        hitch.verdict.contains(" 0 B → 8.58 MiB"),
        "{}",
        hitch.verdict
    );
}

#[test]
fn a_negligible_estimate_of_a_time_is_zero() {
    let mut insight = engine();
    for at in 0..2_000 {
        let ms = if at == 10 { 0.5 } else { 0.0 };
        insight.take_frame(at, 8.0, &[ms, 0.0, 0.0, 0.0, 0.0, 0.5]);
    }
    let hitch = insight.explain(2_000, 30.0, &[22.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
    assert_eq!(
        (&*hitch.findings[0].path, hitch.findings[0].usual),
        ("work", 0.0)
    );
}
