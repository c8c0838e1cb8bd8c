//! A worker that takes longer now and then, on a machine that other programs keep busy.

use super::system::is_ready_alone;
use stats_analysis::insight::{Facts, Insight, Role};
use stats_core::{SeriesKind, Unit};
use stats_testing::Random;

/// The interval of the searches, in frames: about 1.5 seconds.
const EVERY: u64 = 50;
/// How long a game is played, in seconds.
const SECS: f64 = 300.0;

/// A game that is crowded by other programs, and what a search on one of its two workers takes.
#[derive(Clone, Copy, Debug)]
struct Crowded {
    seed: u64,
    search_ms: f64,
    /// The mean time for which a thread waits for a processor when it does.
    ready_ms: f64,
}

/// What an insight noticed of a game.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// The frames with a search, and those of them whose answer names it.
    planted: u32,
    named: u32,
    /// The noticed frames without a search, and those of them that name a scope.
    others: u32,
    wrong: u32,
    frames: u32,
}

/// The timers with their threads, and the figures of the system.
const TIMERS: [(&str, &str); 6] = [
    ("draw", "main"),
    ("jobs/wait", "main"),
    ("render/fence", "main"),
    ("paths/search", ""),
    ("worker-0/busy", "worker-0"),
    ("worker-1/busy", "worker-1"),
];
const FIGURES: [&str; 7] = [
    "frame/running",
    "frame/ready",
    "frame/blocked",
    "threads/worker-0/ready",
    "threads/worker-1/ready",
    "threads/worker-0/running",
    "threads/worker-1/running",
];

impl Crowded {
    fn insight(self) -> Insight {
        let mut insight = Insight::new();
        insight.set_frame_thread(Some("main"));
        for (number, (path, thread)) in (0..).zip(TIMERS) {
            let mut timer = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
            timer.thread = (!thread.is_empty()).then(|| thread.to_owned());
            timer.is_wait = matches!(path, "jobs/wait" | "render/fence");
            insight.set_series(number, timer);
        }
        let mut calls = Facts::new("paths/search", SeriesKind::TimerCalls, Unit::Count);
        calls.of = Some(3);
        insight.set_series(6, calls);
        for (number, path) in (7..).zip(FIGURES) {
            let time = Facts::new(path, SeriesKind::Counter, Unit::Milliseconds);
            insight.set_series(number, time);
        }
        insight
    }

    /// Plays the game.
    fn play(self) -> Found {
        let mut insight = self.insight();
        let mut random = Random::new(self.seed);
        let (mut found, mut secs) = (Found::default(), 0.0);
        while secs < SECS {
            let frame = u64::from(found.frames);
            let uniform = |random: &mut Random| (random.below(1_000_000) + 1) as f64 / 1e6;
            let mut vary = |ms: f64| ms * (0.95 + 0.1 * uniform(&mut random));
            let (draw, jobs, search) = (vary(9.0), [vary(1.2), vary(1.0)], vary(self.search_ms));
            // Most threads find a processor, some wait for one turn, and some for several.
            let mut ready = |part: f64| match uniform(&mut random) {
                chance if chance < part => -self.ready_ms * uniform(&mut random).ln(),
                _ => 0.0,
            };
            let main = ready(0.6) + ready(0.3);
            let away = [ready(0.5), ready(0.5)];
            let gpu = 4.0 + ready(0.7);
            let is_planted = self.search_ms > 0.0 && frame % EVERY == 20 && frame > 100;
            let search = if is_planted { search } else { 0.02 };
            let in_search = if is_planted { ready(0.3) } else { 0.0 };
            let busy = [jobs[0] + away[0], jobs[1] + away[1]];
            let wait = f64::max(busy[0] + search + in_search, busy[1]) + 0.1;
            let times = [
                draw + main,
                wait,
                gpu,
                search + in_search,
                busy[0],
                busy[1],
                1.0,
                draw + 0.5,
                main,
                wait + gpu,
                away[0] + in_search,
                away[1],
                jobs[0] + search,
                jobs[1],
            ];
            let frame_ms = draw + 0.5 + main + wait + gpu;
            secs += frame_ms / 1e3;
            insight.take_frame(frame, frame_ms, &times);
            insight.rank_noticed();
            found.frames += 1;
            found.planted += u32::from(is_planted);
            let Some(hitch) = insight
                .hitches()
                .back()
                .filter(|hitch| hitch.frame == frame)
            else {
                continue;
            };
            let culprits = hitch.findings.iter();
            let mut scopes = culprits.filter(|one| one.role == Role::Culprit && !one.is_ready);
            if is_ready_alone(hitch) {
                assert_eq!(scopes.next(), None, "{}", hitch.verdict);
            }
            let is_named = hitch.verdict.contains("paths/search");
            if is_planted {
                found.named += u32::from(is_named);
            } else {
                found.others += 1;
                found.wrong += u32::from(scopes.next().is_some());
            }
        }
        found
    }
}

#[test]
fn a_search_that_frames_wait_for_is_named_every_seven_seconds_on_a_busy_machine_and_hardly_anything_else()
 {
    for ready_ms in [3.0, 6.0] {
        for search_ms in [0.0, 4.6] {
            let game = Crowded {
                seed: 0,
                search_ms,
                ready_ms,
            };
            let found = game.play();
            println!("{game:?} {found:?}");
            let least = if search_ms > 0.0 { SECS / 7.0 } else { 0.0 };
            assert!(f64::from(found.named) >= least, "{game:?} {found:?}");
            assert!(found.wrong <= 1, "{game:?} {found:?}");
            assert!(found.others * 300 <= found.frames, "{game:?} {found:?}");
        }
    }
}
