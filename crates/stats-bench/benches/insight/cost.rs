//! The cost of a frame and of a ranking.

use std::time::Instant;

use stats_analysis::insight::Insight;

use crate::engine;
use crate::scenario::{Family, Game};

pub(crate) fn measure() {
    println!("| cost | result | bar |");
    println!("|---|---|---|");
    for series in [10_000, 100_000] {
        let mut game = Game::new(Family::Scope(8.0, 40.0), series, 7);
        let mut insight = engine(&game);
        let mut frames = Vec::new();
        let mut rankings = Vec::new();
        for frame in 0..600 {
            let frame_ms = game.step();
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
        let frame_us = median(frames);
        println!(
            "| a frame of {series} series | {frame_us:.1} µs, {:.2} ns a series | {} |",
            frame_us * 1e3 / f64::from(series as u32),
            if series > 10_000 {
                "≤ 2 ns a series"
            } else {
                "≤ 50 µs"
            }
        );
        println!(
            "| ranking {series} series | {:.2} ms | ≤ {} ms |",
            median(rankings) / 1e3,
            series / 10_000
        );
    }
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
