//! Deferred values compared with a naive model.

use std::collections::HashMap;

use stats_core::limits::LATE_FRAMES;
use stats_core::{DeferredSeries, DeferredSource, FrameStamp, Recorder, SeriesId, Watch};

use crate::{Random, alone};

/// A stamp in the model.
struct Issued {
    stamp: FrameStamp,
    source: usize,
    at: u64,
    /// Whether it is outstanding.
    waits: bool,
    /// Whether it was given up.
    is_lost: bool,
    /// The values of each series.
    delivered: [f64; 6],
}

/// A recorder and the values that it must have.
struct Watcher {
    recorder: Recorder,
    history: usize,
    ends: Vec<u64>,
    watches: HashMap<usize, (Watch, Expected)>,
}

struct Expected {
    since: u64,
    begins: usize,
    /// `None` for a frame that was not measured in full.
    known: Vec<Option<f64>>,
}

/// The sources that deliver to each of the six series.
const SOURCES: [&[usize]; 6] = [&[0], &[0], &[0], &[0, 1], &[1], &[1]];

impl Watcher {
    fn end_frame(&mut self, now: u64, issued: &[Issued]) {
        self.recorder.end_frame();
        self.ends.push(now);
        for (series, (watch, expected)) in &mut self.watches {
            expected.end_frame(*series, &self.ends, issued);
            let first = expected
                .begins
                .max(self.ends.len().saturating_sub(self.history));
            let end = expected.begins + expected.known.len();
            let held = if first < end {
                &expected.known[first - expected.begins..]
            } else {
                &[]
            };
            let window = self.recorder.history(watch, usize::MAX);
            let values = window.frames().map(|frame| window.at(frame));
            assert_eq!(values.collect::<Vec<_>>(), held);
            assert!(held.is_empty() || window.first_frame() == first as u64);
        }
    }
}

impl Expected {
    /// Adds the frames that are complete now. Each is added once, so a history that changes it
    /// later fails.
    fn end_frame(&mut self, series: usize, ends: &[u64], issued: &[Issued]) {
        let own = |issued: &&Issued| SOURCES[series].contains(&issued.source);
        while self.begins + self.known.len() < ends.len() {
            let frame = self.begins + self.known.len();
            let start = frame.checked_sub(1).map_or(0, |before| ends[before]);
            let of_frame = |issued: &&Issued| start < issued.at && issued.at < ends[frame];
            let inside = issued.iter().filter(own).filter(of_frame);
            let (missed, inside): (Vec<_>, Vec<_>) =
                inside.partition(|issued| issued.at < self.since);
            let is_waiting = inside.iter().any(|issued| issued.waits);
            if is_waiting && ends.len() - 1 - frame < LATE_FRAMES as usize {
                return;
            }
            let is_measured =
                missed.is_empty() && !is_waiting && inside.iter().all(|issued| !issued.is_lost);
            // Not `sum`, whose zero is negative.
            let sum = (inside.iter()).fold(0.0, |sum, issued| sum + issued.delivered[series]);
            self.known.push(is_measured.then_some(sum));
        }
    }
}

#[test]
fn recorders_agree_with_a_naive_model_for_any_order_of_events() {
    let _alone = alone();
    for seed in 0..40 {
        run(seed);
    }
}

fn run(seed: u64) {
    let mut random = Random::new(seed);
    let sources = [DeferredSource::new(), DeferredSource::new()];
    let ids: [[DeferredSeries; 2]; 6] = std::array::from_fn(|series| {
        let path = format!("test/late/model/{seed}/{series}");
        std::array::from_fn(|source| {
            sources[if SOURCES[series].contains(&source) {
                source
            } else {
                SOURCES[series][0]
            }]
            .counter(&path)
        })
    });
    let mut watchers: Vec<Watcher> = [1, 5, 70, 1000]
        .map(|history| Watcher {
            recorder: Recorder::with_history(history),
            history,
            ends: vec![],
            watches: HashMap::new(),
        })
        .into();
    let mut issued: Vec<Issued> = Vec::new();
    // How long stamps wait, and how often one is lost.
    let patience = [3, 20, 200][(seed % 3) as usize];
    // How rarely watches change: in half of the runs most watches outlive the largest delay.
    let persistence = [1, 40][(seed / 3 % 2) as usize];
    for now in 1..2000_u64 {
        match random.below(12) {
            0..4 => {
                let source = random.below(2) as usize;
                issued.push(Issued {
                    stamp: sources[source].issue(),
                    source,
                    at: now,
                    waits: true,
                    is_lost: false,
                    delivered: [0.0; 6],
                });
            }
            4..8 => {
                let waiting: Vec<usize> =
                    (0..issued.len()).filter(|at| issued[*at].waits).collect();
                if waiting.len() as u64 > random.below(patience) {
                    let at = waiting[random.below(waiting.len() as u64) as usize];
                    finish(&sources, &ids, &mut issued[at], &mut random);
                }
            }
            8..11 => {
                let at = random.below(watchers.len() as u64) as usize;
                watchers[at].end_frame(now, &issued);
            }
            _ if now > 50 && random.below(persistence) > 0 => {}
            _ => {
                let at = random.below(watchers.len() as u64) as usize;
                change_watch(&mut watchers[at], random.below(6) as usize, now, &ids);
            }
        }
    }
}

fn finish(
    sources: &[DeferredSource; 2],
    ids: &[[DeferredSeries; 2]; 6],
    issued: &mut Issued,
    random: &mut Random,
) {
    let source = &sources[issued.source];
    issued.waits = false;
    issued.is_lost = random.below(5) == 0;
    if issued.is_lost {
        return source.give_up(issued.stamp);
    }
    let mut batch = Vec::new();
    for _ in 0..random.below(9) {
        let series = random.below(6) as usize;
        if SOURCES[series].contains(&issued.source) {
            let value = random.below(1000) as f64;
            batch.push((ids[series][issued.source], value));
            issued.delivered[series] += value;
        }
    }
    source.deliver(issued.stamp, &batch);
}

fn change_watch(watcher: &mut Watcher, series: usize, now: u64, ids: &[[DeferredSeries; 2]; 6]) {
    if watcher.watches.remove(&series).is_none() {
        let id: SeriesId = ids[series][0].id();
        let expected = Expected {
            since: now,
            begins: watcher.ends.len(),
            known: vec![],
        };
        watcher
            .watches
            .insert(series, (watcher.recorder.watch(id), expected));
    }
}
