//! Contests: several ways to do one thing, run in turn.

use std::time::{Duration, Instant};

/// How often each contender runs.
pub const ROUNDS: usize = 61;

/// Several ways to do one thing, run in turn.
#[derive(Default)]
pub struct Contest<'a> {
    contenders: Vec<Contender<'a>>,
}

struct Contender<'a> {
    ops: u64,
    /// Runs once, and says how long that took.
    run: Box<dyn FnMut() -> Duration + 'a>,
    ns_per_op: Vec<f64>,
}

/// What a contest showed, by the order of the contenders.
#[derive(Clone, Debug)]
pub struct Outcome {
    ns_per_op: Vec<Vec<f64>>,
}

impl<'a> Contest<'a> {
    /// A contest without contenders.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a contender whose `run` does `ops` operations: enough for some tens of microseconds.
    #[must_use]
    pub fn with(self, ops: u64, mut run: impl FnMut() + 'a) -> Self {
        self.with_own_clock(ops, move || {
            let begun = Instant::now();
            run();
            begun.elapsed()
        })
    }

    /// Adds a contender that says itself how long its `ops` operations took, where part of what it
    /// does is not to count.
    #[must_use]
    pub fn with_own_clock(mut self, ops: u64, run: impl FnMut() -> Duration + 'a) -> Self {
        self.contenders.push(Contender {
            ops,
            run: Box::new(run),
            ns_per_op: Vec::new(),
        });
        self
    }

    /// Runs all contenders in turn, once to warm up and then round after round.
    #[must_use]
    pub fn run(mut self) -> Outcome {
        for contender in &mut self.contenders {
            (contender.run)();
        }
        for _ in 0..ROUNDS {
            for contender in &mut self.contenders {
                let taken = (contender.run)();
                contender
                    .ns_per_op
                    .push(taken.as_secs_f64() * 1e9 / contender.ops as f64);
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
    /// The median nanoseconds of one operation of a contender.
    #[must_use]
    pub fn ns(&self, contender: usize) -> f64 {
        median(self.ns_per_op[contender].clone())
    }

    /// How many nanoseconds longer one operation of a contender takes than one of another: the
    /// median of the rounds' differences.
    #[must_use]
    pub fn beyond(&self, contender: usize, floor: usize) -> f64 {
        let rounds = self.ns_per_op[contender].iter().zip(&self.ns_per_op[floor]);
        median(rounds.map(|(ns, floor)| ns - floor).collect())
    }

    /// How many times longer a contender takes than another: the median of the rounds' ratios.
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
