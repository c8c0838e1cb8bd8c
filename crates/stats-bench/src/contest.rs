//! Contests: several ways to do the same thing, run in turn.

use std::time::{Duration, Instant};

/// The number of times that each contender runs, after one run to warm up.
pub const ROUNDS: usize = 61;

/// Several ways to do the same thing, run in turn.
#[derive(Default)]
pub struct Contest<'a> {
    contenders: Vec<Contender<'a>>,
}

struct Contender<'a> {
    ops: u64,
    /// Runs once, and returns how long that took.
    run: Box<dyn FnMut() -> Duration + 'a>,
    ns_per_op: Vec<f64>,
}

/// The times of a contest, by contender in the order in which they were added.
#[derive(Clone, Debug)]
pub struct Outcome {
    ns_per_op: Vec<Vec<f64>>,
}

impl<'a> Contest<'a> {
    /// Creates a contest without contenders.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a contender whose `run` does `ops` operations. Choose a number that takes a few tens of
    /// microseconds.
    #[must_use]
    pub fn with(self, ops: u64, mut run: impl FnMut() + 'a) -> Self {
        self.with_own_clock(ops, move || {
            let begun = Instant::now();
            run();
            begun.elapsed()
        })
    }

    /// Adds a contender that returns how long its `ops` operations took, for work that is only
    /// partly measured.
    #[must_use]
    pub fn with_own_clock(mut self, ops: u64, run: impl FnMut() -> Duration + 'a) -> Self {
        self.contenders.push(Contender {
            ops,
            run: Box::new(run),
            ns_per_op: Vec::new(),
        });
        self
    }

    /// Runs all contenders in turn: once to warm up, then [`ROUNDS`] times.
    #[must_use]
    pub fn run(mut self) -> Outcome {
        for contender in &mut self.contenders {
            (contender.run)();
        }
        for _ in 0..ROUNDS {
            for contender in &mut self.contenders {
                let elapsed = (contender.run)();
                contender
                    .ns_per_op
                    .push(elapsed.as_secs_f64() * 1e9 / contender.ops as f64);
            }
        }
        Outcome {
            ns_per_op: self
                .contenders
                .into_iter()
                .map(|contender| contender.ns_per_op)
                .collect(),
        }
    }
}

impl Outcome {
    /// Returns the median time of one operation of a contender, in nanoseconds.
    #[must_use]
    pub fn ns(&self, contender: usize) -> f64 {
        median(self.ns_per_op[contender].clone())
    }

    /// Returns how many nanoseconds longer one operation of a contender takes than one of `floor`:
    /// the median of the differences within a round.
    #[must_use]
    pub fn beyond(&self, contender: usize, floor: usize) -> f64 {
        let rounds = self.ns_per_op[contender].iter().zip(&self.ns_per_op[floor]);
        median(rounds.map(|(ns, floor)| ns - floor).collect())
    }

    /// Returns how many times longer one operation of a contender takes than one of `to`: the
    /// median of the ratios within a round.
    #[must_use]
    pub fn ratio(&self, contender: usize, to: usize) -> f64 {
        let rounds = self.ns_per_op[contender].iter().zip(&self.ns_per_op[to]);
        median(rounds.map(|(ns, floor)| ns / floor).collect())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
