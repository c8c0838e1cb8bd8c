//! A worker that takes longer at regular intervals, in a game whose frame times vary.

use stats_analysis::insight::{Facts, Insight, Role};
use stats_core::{SeriesKind, Unit};
use stats_testing::Random;

const FRAMES: u64 = 600;
/// The interval at which the worker takes longer, in frames.
const EVERY: u64 = 45;

/// The numbers of the timers.
const WORK: u32 = 0;
const WAIT: u32 = 1;
const SEARCH: u32 = 2;

/// Returns the frames that were noticed, with the path of the first culprit. The thread of each frame
/// waits for a processor for up to `ready_ms`.
fn noticed(seed: u64, search_ms: f64, ready_ms: u64) -> Vec<(u64, String)> {
    let mut insight = Insight::new();
    insight.set_frame_thread(Some("main"));
    for (number, path, thread) in [
        (WORK, "draw", "main"),
        (WAIT, "jobs/wait", "main"),
        (SEARCH, "paths/search", "worker-0"),
    ] {
        let mut timer = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
        timer.is_wait = number == WAIT;
        timer.thread = Some(thread.to_owned());
        insight.set_series(number, timer);
    }
    for (number, path) in [(3, "frame/running"), (4, "frame/ready")] {
        let time = Facts::new(path, SeriesKind::Counter, Unit::Milliseconds);
        insight.set_series(number, time);
    }
    let mut random = Random::new(seed);
    let mut away_ms = 0.0;
    for frame in 0..FRAMES {
        // Two cores for three threads: for a while, the frames take longer by some milliseconds.
        away_ms *= 0.8;
        if random.below(12) == 0 {
            away_ms += random.below(4_000) as f64 / 1e3;
        }
        let noise_ms = random.below(800) as f64 / 1e3;
        let is_long = frame % EVERY == 0 && frame > 0;
        let search_ms = if is_long { search_ms } else { 0.0 } + random.below(40) as f64 / 1e3;
        let wait_ms = 3.5 + away_ms + noise_ms + search_ms;
        let ready_ms = random.below(1_000 * ready_ms + 1) as f64 / 1e3;
        let values = [1.0 + ready_ms, wait_ms, search_ms, 1.2, ready_ms];
        insight.take_frame(frame, 1.2 + ready_ms + wait_ms, &values);
        insight.rank_noticed();
    }
    let named = |hitch: &stats_analysis::insight::Hitch| {
        let mut culprits = (hitch.findings.iter()).filter(|one| one.role == Role::Culprit);
        let first = culprits.next();
        (
            hitch.frame,
            first.map_or(String::new(), |one| one.path.clone()),
        )
    };
    insight.hitches().iter().map(named).collect()
}

#[test]
fn each_frame_that_waits_for_a_worker_is_noticed_however_much_frames_vary() {
    // The frame in the warm-up shows what is usual.
    let planted = 20 * ((FRAMES - 1) / EVERY - 1);
    for ready_ms in [0, 2] {
        let (mut found, mut wrong, mut others) = (0, 0, 0);
        for seed in 0..20 {
            for (frame, path) in noticed(seed, 9.0, ready_ms) {
                match (frame % EVERY == 0, path.as_str()) {
                    (true, "paths/search") => found += 1,
                    (true, _) => wrong += 1,
                    (false, _) => others += 1,
                }
            }
        }
        println!("{found} of {planted}, {wrong} without the worker, {others} others");
        assert!(
            found * 100 >= planted * 98,
            "{ready_ms}: {found} of {planted}"
        );
        assert!(wrong <= 2, "{ready_ms}: {wrong}");
        assert!(others <= 20, "{ready_ms}: {others}");
    }
}

#[test]
fn without_a_late_worker_the_same_frames_are_usual() {
    for ready_ms in [0, 2] {
        let others: usize = (0..20).map(|seed| noticed(seed, 0.0, ready_ms).len()).sum();
        assert!(
            others <= 20,
            "{ready_ms}: {others} in {} frames",
            20 * FRAMES
        );
    }
}
