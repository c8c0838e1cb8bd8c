//! Faults in games of many frame rates, with and without a display, workers, noise and the figures of the
//! system.

use stats_analysis::insight::{Facts, Hitch, Insight, Periodic, Slowdown};
use stats_core::{SeriesKind, Unit};
use stats_testing::Random;

/// A game.
#[derive(Clone, Copy, Debug)]
struct World {
    /// What a frame works, in milliseconds.
    work_ms: f64,
    /// The refresh that each frame waits for, if it waits for a display.
    refresh_ms: Option<f64>,
    noise: f64,
    workers: usize,
    has_system: bool,
    seed: u64,
}

/// What is different in a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Fault {
    /// Longer scopes, by their position in [`SCOPES`].
    scopes: [f64; SCOPES.len()],
    /// The time in which the thread had no processor, in the scope at this position, or in none.
    ready: (usize, f64),
    /// The time in which a scope waited for a disk, and the pages that were read.
    disk: (usize, f64, f64),
    /// The page faults, half a microsecond each.
    faults: f64,
    /// How much longer one worker takes.
    worker_ms: f64,
    /// The factor of all work.
    slower: f64,
}

const SCOPES: [(&str, f64); 7] = [
    ("input", 0.03),
    ("sim/physics", 0.22),
    ("sim/ai", 0.1),
    ("stream/read", 0.02),
    ("autosave", 0.0),
    ("render/draw", 0.5),
    ("ui", 0.08),
];
const PHYSICS: usize = 1;
const AI: usize = 2;
const READ: usize = 3;
const SAVE: usize = 4;
const DRAW: usize = 5;

struct Played {
    hitches: Vec<Hitch>,
    periodic: Vec<Periodic>,
    slowdowns: Vec<Slowdown>,
}

impl World {
    fn frame_ms(self) -> f64 {
        self.refresh_ms.unwrap_or(self.work_ms)
    }

    fn least_ms(self) -> f64 {
        (self.frame_ms() / 4.0).clamp(1.0, 1e3 / 240.0)
    }

    fn play(self, frames: u64, mut fault: impl FnMut(u64, f64) -> Fault) -> Played {
        let mut insight = Insight::new();
        insight.set_frame_thread(Some("main"));
        let mut count = 0;
        let mut add = |insight: &mut Insight, facts: Facts| {
            insight.set_series(count, facts);
            count += 1;
        };
        let ms = Unit::Milliseconds;
        let timer = |path: &str, thread: &str, is_wait| {
            let mut facts = Facts::new(path, SeriesKind::Timer, ms);
            facts.thread = Some(thread.to_owned());
            facts.is_wait = is_wait;
            facts
        };
        for (path, _) in SCOPES {
            add(&mut insight, timer(path, "main", false));
        }
        add(&mut insight, timer("jobs/wait", "main", true));
        add(&mut insight, timer("render/present", "main", true));
        for worker in 0..self.workers {
            let thread = format!("worker-{worker}");
            add(
                &mut insight,
                timer(&format!("{thread}/mesh"), &thread, false),
            );
        }
        if self.has_system {
            let figures = ["running", "ready", "blocked"].map(|name| format!("frame/{name}"));
            for path in figures {
                add(&mut insight, Facts::new(path, SeriesKind::Counter, ms));
            }
            for path in ["frame/page-faults", "frame/major-page-faults"] {
                add(
                    &mut insight,
                    Facts::new(path, SeriesKind::Counter, Unit::Count),
                );
            }
            for worker in 0..self.workers {
                for name in ["running", "ready"] {
                    let path = format!("threads/worker-{worker}/{name}");
                    add(&mut insight, Facts::new(path, SeriesKind::Counter, ms));
                }
            }
        }
        let mut random = Random::new(self.seed);
        let (mut secs, mut slowdowns) = (0.0, Vec::<Slowdown>::new());
        for frame in 0..frames {
            let fault = fault(frame, secs);
            let mut vary = |ms: f64| {
                let sum: u64 = (0..12).map(|_| random.below(1_000_000)).sum();
                ms * f64::exp(self.noise * (sum as f64 / 1e6 - 6.0))
            };
            let slower = if fault.slower > 0.0 {
                fault.slower
            } else {
                1.0
            };
            let mut values = Vec::new();
            let mut running = 0.0;
            for (at, (_, part)) in SCOPES.iter().enumerate() {
                let faults_ms = part * fault.faults * 0.0005;
                let work = vary(part * self.work_ms * slower) + fault.scopes[at] + faults_ms;
                let ready = if fault.ready.0 == at {
                    fault.ready.1
                } else {
                    0.0
                };
                let disk = if fault.disk.0 == at {
                    fault.disk.1
                } else {
                    0.0
                };
                running += work;
                values.push(work + ready + disk);
            }
            let outside = vary(0.05 * self.work_ms * slower);
            running += outside;
            // Workers begin with the frame, and are usually done at about 60 % of its work.
            let workers: Vec<f64> = (0..self.workers)
                .map(|at| {
                    let late = if at == 0 { fault.worker_ms } else { 0.0 };
                    vary(0.6 * self.work_ms * slower) + late
                })
                .collect();
            let longest = workers.iter().copied().fold(0.0, f64::max);
            let scopes_ms: f64 = values.iter().sum();
            let jobs = (longest - scopes_ms).max(0.0) + 0.02;
            let busy = scopes_ms
                + outside
                + jobs
                + if fault.ready.0 >= SCOPES.len() {
                    fault.ready.1
                } else {
                    0.0
                };
            let present = self.refresh_ms.map_or(0.0, |refresh| {
                (busy / refresh).ceil().max(1.0) * refresh - busy
            });
            let frame_ms = busy + present;
            values.extend([jobs, present]);
            values.extend(&workers);
            if self.has_system {
                let ready = fault.ready.1 + 0.01;
                values.extend([running, ready, frame_ms - running - ready]);
                values.extend([20.0 + fault.faults, fault.disk.2]);
                for ms in &workers {
                    values.extend([*ms, 0.01]);
                }
            }
            insight.take_frame(frame, frame_ms, &values);
            insight.rank_noticed();
            secs += frame_ms / 1e3;
            if let Some(found) = insight.slowdown() {
                match slowdowns.last_mut() {
                    Some(last) if last.first_frame == found.first_frame => *last = found,
                    _ => slowdowns.push(found),
                }
            }
        }
        Played {
            hitches: insight.hitches().iter().cloned().collect(),
            periodic: insight.periodic(),
            slowdowns,
        }
    }
}

/// Games with 26 to 260 frames a second.
fn worlds() -> Vec<World> {
    let mut all = Vec::new();
    for work_ms in [30.0, 10.0, 3.8] {
        for has_display in [false, true] {
            for noise in [0.01, 0.05] {
                for has_system in [false, true] {
                    all.push(World {
                        work_ms,
                        refresh_ms: has_display.then_some(work_ms * 1.25),
                        noise,
                        workers: 1 + all.len() % 3,
                        has_system,
                        seed: all.len() as u64,
                    });
                }
            }
        }
    }
    all
}

/// A fault, and whether the answer about it is right.
type Case = (&'static str, fn(World) -> Fault, fn(World, &Hitch) -> bool);

fn longer(scopes: &[(usize, f64)]) -> Fault {
    let mut fault = Fault::default();
    for (at, ms) in scopes {
        fault.scopes[*at] = *ms;
    }
    fault
}

fn leads(hitch: &Hitch, path: &str) -> bool {
    (hitch.findings.first()).is_some_and(|first| first.path == path)
}

fn names(hitch: &Hitch, text: &str) -> bool {
    hitch.verdict.contains(text)
}

const CASES: [Case; 11] = [
    (
        "a scope",
        |w| longer(&[(AI, 3.0 * w.least_ms())]),
        |_, h| leads(h, "sim/ai"),
    ),
    (
        "two scopes",
        |w| longer(&[(AI, 2.5 * w.least_ms()), (PHYSICS, 2.5 * w.least_ms())]),
        |_, h| names(h, "sim/ai") && names(h, "sim/physics"),
    ),
    (
        "a larger and a smaller scope",
        |w| longer(&[(AI, 3.5 * w.least_ms()), (SAVE, 1.5 * w.least_ms())]),
        |_, h| leads(h, "sim/ai") && names(h, "autosave"),
    ),
    (
        "a disk",
        |w| Fault {
            disk: (READ, 4.0 * w.least_ms(), 80.0),
            ..Fault::default()
        },
        |w, h| leads(h, "stream/read") && (!w.has_system || names(h, "blocked; with it 80 pages")),
    ),
    (
        "preemption in a scope",
        |w| Fault {
            ready: (DRAW, 4.0 * w.least_ms()),
            ..Fault::default()
        },
        |w, h| !w.has_system || leads(h, "frame/ready"),
    ),
    (
        "preemption in no scope",
        |w| Fault {
            ready: (SCOPES.len(), 4.0 * w.least_ms()),
            ..Fault::default()
        },
        |w, h| !w.has_system || leads(h, "frame/ready"),
    ),
    (
        "preemption beside a scope",
        |w| Fault {
            ready: (DRAW, 3.0 * w.least_ms()),
            ..longer(&[(AI, 4.0 * w.least_ms())])
        },
        |w, h| !w.has_system || leads(h, "sim/ai") && names(h, "waiting for a processor"),
    ),
    (
        "preemption in a scope that took longer",
        |w| Fault {
            ready: (AI, 3.0 * w.least_ms()),
            ..longer(&[(AI, 4.0 * w.least_ms())])
        },
        |w, h| !w.has_system || leads(h, "sim/ai") && names(h, "waiting for a processor"),
    ),
    (
        "page faults after a level was loaded",
        |w| Fault {
            faults: 6000.0 * w.least_ms(),
            ..Fault::default()
        },
        |w, h| !w.has_system || names(h, "page faults"),
    ),
    (
        "a late worker",
        |w| Fault {
            worker_ms: 0.4 * w.work_ms + 4.0 * w.least_ms(),
            ..Fault::default()
        },
        |_, h| leads(h, "worker-0/mesh"),
    ),
    (
        "a late worker beside a scope",
        |w| Fault {
            worker_ms: 0.4 * w.work_ms + 5.0 * w.least_ms(),
            ..longer(&[(AI, 2.0 * w.least_ms())])
        },
        |_, h| names(h, "worker-0/mesh"),
    ),
];

#[test]
fn the_culprit_is_named_whatever_the_frame_rate_the_display_and_the_noise_are() {
    for (name, fault, is_right) in CASES {
        let (mut all, mut right) = (0, 0);
        for world in worlds() {
            let (at, fault) = (300 + world.seed % 40, fault(world));
            let played = world.play(360, |frame, _| match frame {
                _ if frame == at => fault,
                _ => Fault::default(),
            });
            let [hitch] = &played.hitches[..] else {
                panic!("{name}: {world:?} {:?}", played.hitches);
            };
            let is_right = hitch.frame == at && is_right(world, hitch);
            if !is_right {
                println!("{name}: {world:?} {}", hitch.verdict);
            }
            (all, right) = (all + 1, right + usize::from(is_right));
        }
        println!("{name}: {right} of {all}");
        assert!(right + 1 >= all, "{name}: {right} of {all}");
    }
}

#[test]
fn a_stall_at_equal_distances_or_times_is_found_at_any_frame_rate() {
    for world in worlds() {
        for (frames, secs) in [(45, 0.0), (0, 0.7)] {
            let missed_ms = world
                .refresh_ms
                .map_or(0.0, |refresh_ms| refresh_ms - world.work_ms);
            let more_ms = 2.0 * world.least_ms() + 4.0 * world.noise * world.work_ms + missed_ms;
            let (mut due_secs, mut stalls) = (2.5, 0);
            let played = world.play((7_000.0 / world.frame_ms()) as u64, |frame, now_secs| {
                let is_stall = match frames {
                    0 => now_secs >= due_secs,
                    _ => now_secs >= 2.5 && frame % frames == 17,
                };
                due_secs += if is_stall { secs } else { 0.0 };
                stalls += usize::from(is_stall);
                longer(&[(SAVE, if is_stall { more_ms } else { 0.0 })])
            });
            if stalls < 6 {
                continue;
            }
            let found = played.periodic.first();
            let found = found.unwrap_or_else(|| panic!("{world:?} {frames} {secs}"));
            assert_eq!(found.path, "autosave", "{world:?}");
            assert!(found.count + 1 >= stalls, "{world:?} {found:?} {stalls}");
        }
    }
}

#[test]
fn slower_work_is_a_slowdown_that_begins_in_its_first_frame() {
    for world in worlds() {
        for slower in [1.3, 2.0] {
            let begin = (7_000.0 / world.frame_ms()) as u64;
            let frames = begin + (4_000.0 / world.frame_ms()) as u64;
            let played = world.play(frames, |frame, _| Fault {
                slower: if frame >= begin { slower } else { 1.0 },
                ..Fault::default()
            });
            let [found] = played.slowdowns[..] else {
                panic!("{world:?} {slower} {:?}", played.slowdowns);
            };
            assert!(
                found.first_frame.abs_diff(begin) <= 3,
                "{world:?} {found:?}"
            );
            // The display makes frames longer by whole refreshes.
            let least = if world.refresh_ms.is_some() {
                1.6
            } else {
                0.93 * slower
            };
            assert!(found.to_ms > least * found.from_ms, "{world:?} {found:?}");
        }
    }
}

#[test]
fn a_game_without_a_fault_has_no_hitch_and_no_slowdown() {
    let mut hitches = 0;
    for world in worlds() {
        let played = world.play(3_000, |_, _| Fault::default());
        assert_eq!(played.slowdowns, [], "{world:?}");
        hitches += played.hitches.len();
    }
    assert!(hitches <= 1, "{hitches}");
}
