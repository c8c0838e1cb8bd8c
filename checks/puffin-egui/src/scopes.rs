//! The scopes that both draw.

use std::ops::Range;

use stats_testing::Random;

/// The time of a frame, in nanoseconds.
pub(crate) const FRAME_NS: i64 = 16_666_667;
/// The names of the threads.
pub(crate) const THREADS: [&str; 4] = ["main", "worker-1", "worker-2", "worker-3"];
/// How many scopes a thread has in the whole frame, and in each of these.
const SYSTEMS: usize = 8;
/// How many scopes are in each of those within the systems.
const PARTS: usize = 4;

/// A scope.
pub(crate) struct Call {
    /// Its name among [`names`].
    pub(crate) name: usize,
    pub(crate) depth: u32,
    /// Nanoseconds since the first frame began.
    pub(crate) time: Range<i64>,
}

/// The scopes of a frame.
pub(crate) struct Played {
    pub(crate) time: Range<i64>,
    /// By thread, in the order in which they began.
    pub(crate) calls: [Vec<Call>; THREADS.len()],
}

/// Returns the paths of the timers. The name of a puffin scope is the last part of such a path.
pub(crate) fn names() -> Vec<String> {
    let of_system = |system| {
        let parts = ["update", "read", "solve", "write", "send"];
        let path = format!("bench/system-{system}");
        let parts = parts.map(|part| format!("{path}/{part}-{system}"));
        std::iter::once(path).chain(parts)
    };
    let frame = std::iter::once("bench/frame".to_owned());
    frame.chain((0..SYSTEMS).flat_map(of_system)).collect()
}

impl Played {
    /// Returns frames of about `scopes` scopes each.
    pub(crate) fn frames(count: usize, scopes: usize) -> Vec<Self> {
        let mut random = Random::new(scopes as u64);
        (0..count as i64)
            .map(|frame| {
                let time = frame * FRAME_NS..(frame + 1) * FRAME_NS;
                let calls = THREADS.map(|_| of_thread(&mut random, time.clone(), scopes / 4));
                Self { time, calls }
            })
            .collect()
    }

    /// Returns the number of scopes.
    pub(crate) fn len(&self) -> usize {
        self.calls.iter().map(Vec::len).sum()
    }
}

fn of_thread(random: &mut Random, time: Range<i64>, scopes: usize) -> Vec<Call> {
    let mut calls = vec![Call {
        name: 0,
        depth: 0,
        time: time.clone(),
    }];
    let updates = scopes.saturating_sub(1 + SYSTEMS) / SYSTEMS / (1 + PARTS);
    for (system, of_system) in split(random, time, SYSTEMS).into_iter().enumerate() {
        let first = 1 + system * (2 + PARTS);
        calls.push(Call {
            name: first,
            depth: 1,
            time: of_system.clone(),
        });
        for update in split(random, of_system, updates) {
            calls.push(Call {
                name: first + 1,
                depth: 2,
                time: update.clone(),
            });
            let parts = split(random, update, PARTS).into_iter().enumerate();
            calls.extend(parts.map(|(part, time)| Call {
                name: first + 2 + part,
                depth: 3,
                time,
            }));
        }
    }
    calls
}

/// Divides a time into parts of random lengths, with gaps.
fn split(random: &mut Random, time: Range<i64>, parts: usize) -> Vec<Range<i64>> {
    // Most are short, and some take ten times as long.
    let weights: Vec<i64> = (0..parts)
        .map(|_| {
            let slow = if random.below(8) == 0 { 10 } else { 1 };
            (1 + random.below(100) as i64) * slow
        })
        .collect();
    let whole: i64 = weights.iter().sum();
    let mut before = 0;
    let place = |sum: i64| {
        let share = i128::from(time.end - time.start) * i128::from(sum) / i128::from(whole.max(1));
        time.start + share as i64
    };
    weights
        .iter()
        .map(|weight| {
            let (begin, end) = (place(before), place(before + weight));
            before += weight;
            begin..end - (end - begin) / 8
        })
        .collect()
}
