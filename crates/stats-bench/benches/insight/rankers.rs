//! The peers of the insight: rankers of all series that do not use the call tree.

use stats_core::SeriesKind;
use stats_testing::Random;

use crate::scenario::Game;

/// The values of every series in the frames before the fault.
pub(crate) struct History {
    series: Vec<Vec<f32>>,
}

impl History {
    pub(crate) fn new(series: usize) -> Self {
        Self {
            series: vec![Vec::new(); series],
        }
    }

    pub(crate) fn push(&mut self, values: &[f64]) {
        for (series, value) in self.series.iter_mut().zip(values) {
            series.push(*value as f32);
        }
    }

    /// Returns the paths with the largest distances from the mean in standard deviations.
    pub(crate) fn max_z(&self, game: &Game) -> Vec<String> {
        best(game, |at, value| {
            let series = &self.series[at];
            let mean = mean(series);
            let squares = series
                .iter()
                .map(|value| (f64::from(*value) - mean).powi(2));
            let deviation = (squares.sum::<f64>() / series.len() as f64).sqrt();
            (value - mean).abs() / deviation.max(1e-9)
        })
    }

    /// The score of BARO (Pham et al., 2024): the distance from the median in interquartile ranges.
    pub(crate) fn baro(&self, game: &Game) -> Vec<String> {
        best(game, |at, value| {
            let mut series = self.series[at].clone();
            series.sort_unstable_by(f32::total_cmp);
            let quantile = |part: usize| f64::from(series[(series.len() - 1) * part / 4]);
            (value - quantile(2)).abs() / (quantile(3) - quantile(1)).max(1e-9)
        })
    }

    /// Ranks timers by the difference of their inclusive times.
    pub(crate) fn inclusive(&self, game: &Game) -> Vec<String> {
        best(game, |at, value| {
            if game.facts[at].kind == SeriesKind::Timer {
                value - mean(&self.series[at])
            } else {
                0.0
            }
        })
    }

    pub(crate) fn random(&self, game: &Game, seed: u64) -> Vec<String> {
        let mut random = Random::new(seed);
        best(game, |_, _| random.below(1 << 40) as f64)
    }
}

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value)).sum::<f64>() / values.len().max(1) as f64
}

/// Returns the paths of the three best scores.
fn best(game: &Game, mut score: impl FnMut(usize, f64) -> f64) -> Vec<String> {
    let mut best: Vec<(f64, usize)> = Vec::new();
    for (at, value) in game.values.iter().enumerate() {
        best.push((score(at, *value), at));
    }
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut paths: Vec<String> = Vec::new();
    for (_, at) in best {
        let path = &game.facts[at].path;
        if !paths.contains(path) {
            paths.push(path.clone());
        }
        if paths.len() == 3 {
            break;
        }
    }
    paths
}
