//! The cost of a frame and of a ranking, and that of a survey.

use std::time::{Duration, Instant};

use stats_analysis::insight::Insight;
use stats_core::{CounterHandle, Recorder, Source, counter};

use crate::engine;
use crate::scenario::{Family, Game};

pub(crate) fn measure() {
    println!("| cost | result | bar |");
    println!("|---|---|---|");
    for series in [10_000, 100_000] {
        let (frame_us, ranking_us) = frame_and_ranking_us(series, 0.0);
        println!(
            "| a frame of {series} series | {} | {} |",
            each(frame_us, series),
            if series > 10_000 {
                "≤ 2 ns a series"
            } else {
                "≤ 50 µs"
            }
        );
        let (of_kinds_us, _) = frame_and_ranking_us(series, 20.0);
        println!(
            "| the same, if every second frame takes longer | {} | – |",
            each(of_kinds_us, series)
        );
        println!(
            "| ranking {series} series | {:.2} ms | ≤ {} ms |",
            ranking_us / 1e3,
            series / 10_000
        );
    }
    surveys();
}

fn each(frame_us: f64, series: usize) -> String {
    let ns = frame_us * 1e3 / series as f64;
    format!("{frame_us:.1} µs, {ns:.2} ns a series")
}

/// Returns the time of a usual frame, and of ranking one. Every second frame takes `longer_ms` longer.
fn frame_and_ranking_us(series: usize, longer_ms: f64) -> (f64, f64) {
    let mut game = Game::new(Family::Scope(8.0, 40.0), series, 7);
    let mut insight = engine(&game);
    let (mut frames, mut rankings) = (Vec::new(), Vec::new());
    for frame in 0..600 {
        let frame_ms = game.step() + (frame % 2) as f64 * longer_ms;
        let begun = Instant::now();
        let is_noticed = insight.take_frame(frame, frame_ms, &game.values);
        // The first frames prepare the lists, and update all series one by one.
        if frame > 80 && !is_noticed {
            frames.push(begun.elapsed().as_secs_f64() * 1e6);
        }
        if is_noticed {
            rankings.extend((0..15).map(|_| ranking_us(&insight)));
            insight.rank_noticed();
        }
    }
    (median(frames), median(rankings))
}

/// The number of counters that are surveyed.
const COUNTERS: usize = 100_000;

/// Prints the time of a survey alone, and with the insight that follows it, for each series.
fn surveys() {
    let path = |number| format!("surveyed/{}/count-{number}", number % 300);
    let counters: Vec<CounterHandle> = (0..COUNTERS).map(|number| counter(&path(number))).collect();
    counters.iter().for_each(CounterHandle::increment);
    let part = COUNTERS / 100;
    let changes: [(&str, Vec<usize>, &str); 4] = [
        ("none changes", Vec::new(), "–"),
        ("1 % in few blocks change", (0..part).collect(), "≤ 0.4 ns"),
        (
            "1 % everywhere change",
            (0..part).map(|at| at * 100 + at % 7).collect(),
            "≤ 1.4 ns",
        ),
        ("all change", (0..COUNTERS).collect(), "≤ 2.5 ns"),
    ];
    for (name, changing, bar) in changes {
        let (mut recorder, mut insight) = (Recorder::new(), Insight::compact());
        let (mut surveys, mut both) = (Vec::new(), Vec::new());
        for frame in 0..400 {
            for &at in &changing {
                counters[at].add((frame * 7 + at) % 13 + 1);
            }
            let _ = recorder.survey();
            let begun = Instant::now();
            recorder.end_frame_at(frame as f64 / 60.0);
            let surveyed = begun.elapsed();
            insight.follow(&mut recorder as &mut dyn Source);
            // The first frames list the series, and learn one by one how they vary.
            if frame > 200 {
                surveys.push(ns_each(surveyed));
                both.push(ns_each(begun.elapsed()));
            }
        }
        println!(
            "| a frame of {COUNTERS} counters, of which {name}: survey / with the insight | {:.2} / {:.2} ns a series | {bar} |",
            median(surveys),
            median(both)
        );
    }
}

fn ns_each(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9 / COUNTERS as f64
}

fn ranking_us(insight: &Insight) -> f64 {
    let mut copy = insight.clone();
    let begun = Instant::now();
    copy.rank_noticed();
    begun.elapsed().as_secs_f64() * 1e6
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
