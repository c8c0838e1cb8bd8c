//! The peers of the insight: rankers of all series that do not use the call tree.

use stats_core::SeriesKind;
use stats_testing::Random;

use crate::scenario::Game;

/// The number of series that are read together, so that each line of the cache is read once.
const GROUP: usize = 64;

/// The values of every series in the frames before the fault, frame after frame.
pub(crate) struct History {
    frames: Vec<f32>,
    series: usize,
}

impl History {
    pub(crate) fn new(series: usize) -> Self {
        Self {
            frames: Vec::new(),
            series,
        }
    }

    pub(crate) fn push(&mut self, values: &[f64]) {
        self.frames.extend(values.iter().map(|value| *value as f32));
    }

    /// Returns what the rankers need of each series.
    pub(crate) fn columns(&self) -> Columns {
        let frames = self.frames.len() / self.series;
        let mut group_values = vec![0.0; GROUP * frames];
        let mut all = Vec::with_capacity(self.series);
        for first in (0..self.series).step_by(GROUP) {
            let group = first..self.series.min(first + GROUP);
            for (frame, values) in self.frames.chunks_exact(self.series).enumerate() {
                for (at, value) in values[group.clone()].iter().enumerate() {
                    group_values[at * frames + frame] = *value;
                }
            }
            let columns = group_values.chunks_exact_mut(frames).take(group.len());
            all.extend(columns.map(Column::new));
        }
        Columns(all)
    }
}

/// What the rankers need of the values of a series.
struct Column {
    mean: f64,
    deviation: f64,
    median: f64,
    /// The interquartile range.
    range: f64,
}

impl Column {
    /// Reorders the values.
    fn new(values: &mut [f32]) -> Self {
        let mean = mean(values);
        let squares = values
            .iter()
            .map(|value| (f64::from(*value) - mean).powi(2));
        let deviation = (squares.sum::<f64>() / values.len() as f64).sqrt();
        let mut quantile = |part: usize| {
            let at = (values.len() - 1) * part / 4;
            f64::from(*values.select_nth_unstable_by(at, f32::total_cmp).1)
        };
        let [low, median, high] = [1, 2, 3].map(&mut quantile);
        Self {
            mean,
            deviation,
            median,
            range: high - low,
        }
    }
}

/// The columns of all series.
pub(crate) struct Columns(Vec<Column>);

impl Columns {
    /// Returns the first paths by the largest distance from the mean in standard deviations, by the
    /// score of BARO (Pham et al., 2024): the distance from the median in interquartile ranges, and
    /// by the difference of the inclusive times of timers.
    pub(crate) fn rankings(&self, game: &Game) -> [Vec<String>; 3] {
        let by_deviation =
            |of: &Column, value: f64| (value - of.mean).abs() / of.deviation.max(1e-9);
        let by_range = |of: &Column, value: f64| (value - of.median).abs() / of.range.max(1e-9);
        let is_timer = |at: usize| game.facts[at].kind == SeriesKind::Timer;
        [
            best(game, |at, value| by_deviation(&self.0[at], value)),
            best(game, |at, value| by_range(&self.0[at], value)),
            best(game, |at, value| {
                if is_timer(at) {
                    value - self.0[at].mean
                } else {
                    0.0
                }
            }),
        ]
    }
}

/// Returns the first paths in a random order.
pub(crate) fn random(game: &Game, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    best(game, |_, _| random.below(1 << 40) as f64)
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
    let order = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    // A timer has three series of one path.
    const FIRST: usize = 9;
    if best.len() > FIRST {
        best.select_nth_unstable_by(FIRST, order);
        best.truncate(FIRST);
    }
    best.sort_by(order);
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
