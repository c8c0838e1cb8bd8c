//! A simulated renderer whose limit is known.

use stats_core::{FrameSlice, SeriesId, SeriesInfo, SeriesKind, Unit};
use stats_testing::Random;

use super::{Bottleneck, BottleneckSeries, Limit};

/// A renderer with two frames in flight: the CPU prepares a frame while the GPU draws the one before
/// it.
#[derive(Clone, Copy, Debug)]
struct Program {
    /// The work of the thread, and of the GPU, for a frame.
    cpu_ms: f64,
    gpu_ms: f64,
    /// The time in which the thread has no processor.
    ready_ms: f64,
    /// The time in which it waits for a worker.
    worker_ms: f64,
    /// The largest relative change of these times from frame to frame.
    noise: f64,
    /// The refresh rate, if frames wait for it.
    vsync_hz: Option<f64>,
    /// The least time between two frames, which the program waits for.
    cap_ms: f64,
    /// Whether it waits for the GPU in each frame.
    is_serial: bool,
}

const IDLE: Program = Program {
    cpu_ms: 1.0,
    gpu_ms: 1.0,
    ready_ms: 0.0,
    worker_ms: 0.0,
    noise: 0.2,
    vsync_hz: None,
    cap_ms: 0.0,
    is_serial: false,
};

/// The series of a run, by their names.
#[derive(Clone, Debug, Default)]
struct Run {
    frame_ms: Vec<f64>,
    series: Vec<(&'static str, Vec<f64>)>,
    refresh_hz: Option<f64>,
}

const NAMES: [&str; 8] = [
    "frame/running",
    "frame/ready",
    "frame/blocked",
    "gpu/frame",
    "window/acquire",
    "jobs/wait",
    "loop/limiter",
    "render/fence",
];

impl Program {
    fn run(self, frames: usize, random: &mut Random) -> Run {
        let mut series = NAMES.map(|name| (name, Vec::new()));
        let mut frame_ms = Vec::new();
        let (mut now, mut gpu_end, mut shown) = (0.0_f64, 0.0_f64, 0.0_f64);
        // When the images of the two frames before are free again.
        let mut free = [0.0_f64; 2];
        for _ in 0..frames {
            let mut noisy = |ms: f64| {
                let noise = random.below(2001) as f64 / 1000.0 - 1.0;
                ms * (1.0 + self.noise * noise)
            };
            let began = now;
            let (running, ready) = (noisy(self.cpu_ms), noisy(self.ready_ms));
            let (worker, gpu) = (noisy(self.worker_ms), noisy(self.gpu_ms));
            now += running + ready + worker;
            let acquire = (free[0] - now).max(0.0);
            now += acquire;
            gpu_end = gpu_end.max(now) + gpu;
            shown = match self.vsync_hz {
                Some(hz) => {
                    let period = 1e3 / hz;
                    ((gpu_end / period).ceil() * period).max(shown + period)
                }
                None => gpu_end,
            };
            free = [free[1], shown];
            let fence = if self.is_serial { gpu_end - now } else { 0.0 };
            now += fence;
            let limiter = (began + self.cap_ms - now).max(0.0);
            now += limiter;
            let blocked = acquire + worker + limiter + fence;
            let values = [
                running, ready, blocked, gpu, acquire, worker, limiter, fence,
            ];
            for ((_, series), value) in series.iter_mut().zip(values) {
                series.push(value);
            }
            frame_ms.push(now - began);
        }
        Run {
            frame_ms,
            series: series.into(),
            refresh_hz: self.vsync_hz,
        }
    }
}

fn info(number: usize, path: &str) -> SeriesInfo<'_> {
    let kind = if path.starts_with("frame/") {
        SeriesKind::Counter
    } else {
        SeriesKind::Timer
    };
    let id = SeriesId::new(number as u32);
    let mut info = SeriesInfo::new(id, path, kind, Unit::Milliseconds);
    info.is_deferred = path.starts_with("gpu/");
    info.is_wait = kind == SeriesKind::Timer && !info.is_deferred;
    info
}

impl Run {
    fn without(mut self, names: &[&str]) -> Self {
        self.series.retain(|(name, _)| !names.contains(name));
        self
    }

    fn judge(&self) -> Bottleneck {
        let mut series = BottleneckSeries::default();
        for (at, (name, _)) in self.series.iter().enumerate() {
            assert!(series.add(&info(at, name), None, || at), "{name}");
        }
        let values = |at: &usize| FrameSlice::new(0, &self.series[*at].1, &[]);
        series.judge(
            values,
            FrameSlice::new(0, &self.frame_ms, &[]),
            self.refresh_hz,
        )
    }

    fn share(&self, limit: Limit) -> f64 {
        self.judge().share(limit).unwrap_or(0.0)
    }
}

/// Programs of every kind, with the limit and its least share.
fn matrix(random: &mut Random) -> Vec<(Program, Limit, f64)> {
    let mut all = Vec::new();
    for _ in 0..40 {
        let long = 4.0 + random.below(300) as f64 / 10.0;
        let short = long * (random.below(70) as f64 / 100.0);
        for vsync_hz in [None, Some(1e3 / (long * 0.6))] {
            let program = Program { vsync_hz, ..IDLE };
            let cpu = Program {
                cpu_ms: long,
                gpu_ms: short,
                ..program
            };
            all.push((cpu, Limit::Cpu, 0.8));
            let gpu = Program {
                cpu_ms: short,
                gpu_ms: long,
                ..program
            };
            all.push((gpu, Limit::Gpu, 0.8));
            let crowded = Program {
                cpu_ms: 0.3 * long,
                ready_ms: long,
                gpu_ms: 0.3 * long,
                ..program
            };
            all.push((crowded, Limit::Machine, 0.7));
            let worker = Program {
                cpu_ms: 0.3 * long,
                worker_ms: long,
                ..program
            };
            all.push((worker, Limit::Wait, 0.7));
        }
        let cap_ms = 1.4 * long;
        let capped = Program {
            cpu_ms: short,
            gpu_ms: 0.9 * long,
            cap_ms,
            ..IDLE
        };
        all.push((capped, Limit::Wait, 1.0 - short / cap_ms - 0.05));
        for (cpu_ms, gpu_ms) in [(short, long), (long, short), (short, short)] {
            let vsync_hz = Some(1e3 / (1.4 * long));
            let display = Program {
                cpu_ms,
                gpu_ms,
                vsync_hz,
                ..IDLE
            };
            all.push((display, Limit::Display, 0.9));
        }
    }
    all
}

#[test]
fn each_simulated_program_has_its_limit() {
    let mut random = Random::new(41);
    for (program, limit, least) in matrix(&mut random) {
        let run = program.run(300, &mut random);
        let found = run.judge();
        let sum: f64 = Limit::ALL.iter().filter_map(|one| found.share(*one)).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{program:?} {found}");
        let share = found.share(limit).unwrap_or(0.0);
        let is_most = found.limit() == limit || least < 0.5;
        assert!(is_most && share >= least, "{limit:?} {program:?} {found}");
    }
}

#[test]
fn a_program_that_waits_for_its_own_work_on_the_gpu_is_limited_by_both_in_turn() {
    let mut random = Random::new(12);
    for _ in 0..40 {
        let program = Program {
            cpu_ms: 1.0 + random.below(200) as f64 / 10.0,
            gpu_ms: 1.0 + random.below(60) as f64 / 10.0,
            worker_ms: random.below(30) as f64 / 10.0,
            is_serial: true,
            ..IDLE
        };
        let run = program.run(300, &mut random);
        // Without the times of its passes, the wait alone tells.
        let untimed = run.clone().without(&["gpu/frame"]);
        for (run, tolerance) in [(&run, 0.12), (&untimed, 1e-9)] {
            let found = run.judge();
            let busy = |one: &str| {
                let series = run.series.iter().find(|(name, _)| *name == one);
                series.map_or(0.0, |(_, values)| values.iter().sum::<f64>())
            };
            let total: f64 = run.frame_ms.iter().sum();
            // Frames in which the GPU was busy for 90 % are its own as a whole.
            let is_whole = tolerance > 0.1 && busy("render/fence") > 0.8 * total;
            for (limit, name) in [
                (Limit::Cpu, "frame/running"),
                (Limit::Gpu, "render/fence"),
                (Limit::Wait, "jobs/wait"),
            ] {
                let (share, expected) = (found.share(limit).unwrap(), busy(name) / total);
                assert!(
                    is_whole || (share - expected).abs() < tolerance,
                    "{limit:?} {share} {expected} {program:?} {found}"
                );
            }
        }
    }
}

#[test]
fn without_the_figures_of_the_system_everything_is_unknown() {
    let mut random = Random::new(7);
    for (program, ..) in matrix(&mut random) {
        let run = program.run(100, &mut random);
        let found = run.without(&["frame/running"]).judge();
        assert_eq!(found.limit(), Limit::Unknown, "{program:?}");
        assert_eq!(found.share(Limit::Unknown), Some(1.0));
        assert_eq!(
            found.to_string(),
            "unknown, because the system does not tell where the time went"
        );
    }
    let nothing = Run::default().judge();
    assert_eq!(
        (nothing.limit(), nothing.share(Limit::Cpu)),
        (Limit::Unknown, None)
    );
    assert!(nothing.to_string().starts_with("unknown, "));
}

#[test]
fn without_times_of_the_gpu_nothing_is_bound_by_it_and_a_wait_to_present_may_be_for_both() {
    let mut random = Random::new(8);
    for (program, limit, least) in matrix(&mut random) {
        let run = program
            .run(300, &mut random)
            .without(&["gpu/frame", "render/fence"]);
        let found = run.judge();
        assert_eq!(found.share(Limit::Gpu), None);
        assert!(!found.to_string().contains("GPU bound"), "{found}");
        let expected = match limit {
            Limit::Gpu => Limit::GpuOrDisplay,
            other => other,
        };
        // The rate tells a wait for the display.
        let share = found.share(expected).unwrap_or(0.0);
        let is_display = found.share(Limit::Display) > Some(0.01);
        assert!(share >= least.min(0.6), "{expected:?} {program:?} {found}");
        assert!(
            !is_display || limit == Limit::Display,
            "{program:?} {found}"
        );
    }
}

#[test]
fn a_system_that_tells_the_running_time_only_never_says_that_the_machine_was_busy() {
    let mut random = Random::new(9);
    for (program, limit, least) in matrix(&mut random) {
        let run = program.run(300, &mut random);
        let run = run.without(&["frame/ready", "frame/blocked"]);
        let found = run.judge();
        assert_eq!(found.share(Limit::Machine), None);
        let expected = match limit {
            Limit::Machine => Limit::Unknown,
            other => other,
        };
        let share = found.share(expected).unwrap_or(0.0);
        assert!(share >= least - 0.01, "{expected:?} {program:?} {found}");
    }
}

#[test]
fn times_that_do_not_add_up_to_the_frame_are_unknown() {
    let mut run = Program {
        cpu_ms: 9.0,
        ..IDLE
    }
    .run(50, &mut Random::new(1));
    assert!(run.share(Limit::Cpu) > 0.8);
    run.frame_ms.iter_mut().for_each(|ms| *ms *= 2.0);
    assert_eq!(run.share(Limit::Unknown), 1.0);
    run.frame_ms[..10].fill(f64::NAN);
    assert_eq!(run.share(Limit::Unknown), 1.0, "the others");
}

/// A run of equal frames.
fn steady(frame_ms: f64, series: &[(&'static str, f64)]) -> Run {
    Run {
        frame_ms: vec![frame_ms; 20],
        series: series
            .iter()
            .map(|(name, ms)| (*name, vec![*ms; 20]))
            .collect(),
        refresh_hz: None,
    }
}

#[test]
fn a_sentence_lists_all_limits_and_names_the_waits() {
    let run = steady(
        10.0,
        &[
            ("frame/running", 6.2),
            ("frame/ready", 1.0),
            ("frame/blocked", 2.8),
            ("jobs/wait", 1.5),
            ("loop/limiter", 1.0),
            ("gpu/frame", 3.0),
        ],
    );
    let found = run.judge();
    assert_eq!(
        found.to_string(),
        "CPU bound 62 % (frame thread), waiting in jobs/wait 15 %, waiting in loop/limiter 10 %, \
         waiting for a processor 10 %, blocked in no declared wait 3 %, GPU bound 0 %, waiting for the display 0 %"
    );
    assert_eq!(found.limit().word(), "CPU");
    let waits: Vec<(&str, f64)> = found.waits().collect();
    assert_eq!(waits.len(), 2);
    assert!(waits[0].0 == "jobs/wait" && (waits[0].1 - 0.15).abs() < 1e-9);
    let unmeasured = run
        .without(&["gpu/frame", "frame/ready", "frame/blocked"])
        .judge();
    assert_eq!(
        unmeasured.to_string(),
        "CPU bound 62 % (frame thread), waiting in jobs/wait 15 %, waiting in loop/limiter 10 %, \
         unknown 13 %, waiting for the display 0 %"
    );
}

#[test]
fn the_gpu_is_busy_for_its_outermost_passes_but_not_between_them() {
    let thread = [
        ("frame/running", 9.9),
        ("frame/ready", 0.0),
        ("frame/blocked", 0.1),
    ];
    let passes = |passes: &[(&'static str, f64)]| {
        let series: Vec<(&'static str, f64)> = thread.iter().chain(passes).copied().collect();
        steady(10.0, &series).judge().limit()
    };
    let frame = ("gpu/frame", 9.9);
    assert_eq!(
        passes(&[frame, ("gpu/shadow", 2.0)]),
        Limit::Cpu,
        "it was idle in between"
    );
    assert_eq!(
        passes(&[frame, ("gpu/shadow", 6.0), ("gpu/bloom", 4.0)]),
        Limit::Gpu
    );
    let nested = [frame, ("gpu/shadow", 5.0), ("gpu/shadow/near", 5.0)];
    assert_eq!(
        passes(&nested),
        Limit::Cpu,
        "a pass inside another one counts once"
    );
    let several = [frame, ("gpu/shadow", 5.0), ("gpu/shadows", 5.0)];
    assert_eq!(passes(&several), Limit::Gpu);
}

#[test]
fn a_wait_of_another_thread_and_a_timer_that_is_no_wait_tell_nothing() {
    let mut series = BottleneckSeries::default();
    let mut wait = info(0, "jobs/wait");
    wait.thread = Some("worker");
    assert!(!series.add(&wait, Some("main"), || 0));
    wait.thread = Some("main");
    assert!(series.add(&wait, Some("main"), || 0) && !series.is_empty());
    wait.thread = Some("worker");
    assert!(!series.add(&wait, Some("main"), || 0) && series.is_empty());
    let mut timer = info(1, "window/present");
    timer.is_wait = false;
    assert!(!series.add(&timer, None, || 1));
    for number in 0..100 {
        let path = format!("gpu/pass-{number}");
        assert_eq!(
            series.add(&info(number, &path), None, || number),
            number < 64
        );
    }
}

#[test]
fn a_frame_that_missed_a_refresh_is_limited_by_what_took_longer_than_one() {
    let missed = |running: f64, gpu: f64| presented(33.3, running, gpu, Some(60.0));
    assert_eq!(missed(20.0, 5.0).share(Limit::Cpu), Some(1.0));
    assert_eq!(missed(5.0, 20.0).limit(), Limit::Gpu);
    assert_eq!(missed(5.0, 5.0).limit(), Limit::Display);
}

#[test]
fn even_frames_that_hardly_wait_are_limited_by_their_thread_beside_a_known_display() {
    let mut random = Random::new(19);
    for (gpu_ms, gpu_noise) in [(8.0, 0.0), (8.0, 0.5), (1.6, 0.0)] {
        for noise in [0.0, 0.01, 0.05] {
            let mut run = Program {
                cpu_ms: 28.4,
                noise,
                ..IDLE
            }
            .run(300, &mut random);
            let present = 1.6;
            run.frame_ms = run.series[0].1.iter().map(|ms| ms + present).collect();
            for (name, values) in &mut run.series {
                for value in values {
                    *value = match *name {
                        "frame/running" => *value,
                        "frame/blocked" | "window/acquire" => present,
                        "gpu/frame" => {
                            let noise = random.below(2001) as f64 / 1000.0 - 1.0;
                            gpu_ms * (1.0 + gpu_noise * noise)
                        }
                        _ => 0.0,
                    };
                }
            }
            run.refresh_hz = Some(60.0);
            let found = run.judge();
            let share = found.share(Limit::Cpu);
            assert!(share > Some(0.9), "{gpu_ms} {gpu_noise} {noise}: {found}");
        }
    }
}

/// A program whose present waits until its frame is drawn, as that of a software renderer does.
fn drawn_in_present(noise: f64, ready_ms: f64, random: &mut Random) -> Run {
    let mut noisy = |ms: f64| ms * (1.0 + noise * (random.below(2001) as f64 / 1000.0 - 1.0));
    let frames = (0..300).map(|_| {
        let [running, ready, gpu] = [4.0, ready_ms, 9.0].map(&mut noisy);
        // It begins a bit late, or is woken late.
        let present = noisy(gpu) + 0.3;
        [running + ready + present, running, ready, present, gpu]
    });
    let frames: Vec<[f64; 5]> = frames.collect();
    let column = |at: usize| frames.iter().map(|values| values[at]).collect::<Vec<f64>>();
    Run {
        frame_ms: column(0),
        series: vec![
            ("frame/running", column(1)),
            ("frame/ready", column(2)),
            ("frame/blocked", column(3)),
            ("window/present", column(3)),
            ("gpu/frame", column(4)),
        ],
        refresh_hz: None,
    }
}

#[test]
fn a_wait_to_present_that_is_as_long_as_the_gpu_took_is_for_the_gpu_unless_a_display_paces_the_frames()
 {
    let mut random = Random::new(16);
    for ready_ms in [0.0, 2.0, 20.0] {
        let mut run = drawn_in_present(0.4, ready_ms, &mut random);
        for refresh_hz in [None, Some(60.0), Some(240.0)] {
            run.refresh_hz = refresh_hz;
            let found = run.judge();
            let total: f64 = run.frame_ms.iter().sum();
            let part = |at: usize| run.series[at].1.iter().sum::<f64>() / total;
            for (limit, at) in [(Limit::Cpu, 0), (Limit::Machine, 1), (Limit::Gpu, 2)] {
                let share = found.share(limit).unwrap();
                let is_near = (share - part(at)).abs() < 0.02;
                assert!(is_near, "{limit:?} {ready_ms} {refresh_hz:?} {found}");
            }
        }
    }
    // Even frames may be paced by a display whose rate is not known.
    let even = drawn_in_present(0.001, 0.0, &mut random);
    assert_eq!(even.judge().limit(), Limit::GpuOrDisplay);
}

#[test]
fn a_display_of_an_unknown_rate_is_never_taken_for_the_gpu() {
    let mut random = Random::new(17);
    for (program, limit, _) in matrix(&mut random) {
        if limit == Limit::Display {
            let mut run = program.run(300, &mut random);
            run.refresh_hz = None;
            let found = run.judge();
            let is_display = matches!(found.limit(), Limit::Display | Limit::GpuOrDisplay);
            assert!(is_display, "{program:?} {found}");
        }
    }
}

/// A frame of `frame_ms` that runs for `running_ms` and waits to present for the rest.
fn presented(frame_ms: f64, running_ms: f64, gpu_ms: f64, refresh_hz: Option<f64>) -> Bottleneck {
    let display_ms = frame_ms - running_ms;
    let mut run = steady(
        frame_ms,
        &[
            ("frame/running", running_ms),
            ("frame/ready", 0.0),
            ("frame/blocked", display_ms),
            ("window/present", display_ms),
            ("gpu/frame", gpu_ms),
        ],
    );
    run.refresh_hz = refresh_hz;
    run.judge()
}

#[test]
fn a_wait_that_is_longer_than_four_refreshes_is_none_for_the_display_and_has_its_path() {
    let slow = presented(333.3, 10.0, 5.0, None);
    assert_eq!(
        slow.to_string(),
        "waiting in window/present 97 %, CPU bound 3 % (frame thread), GPU bound 0 %, \
         waiting for the display 0 %, waiting for a processor 0 %"
    );
    assert_eq!(slow.limit(), Limit::Wait);
    for hz in [
        None,
        Some(24.0),
        Some(30.0),
        Some(60.0),
        Some(144.0),
        Some(240.0),
    ] {
        let period_ms = 1e3 / hz.unwrap_or(24.0);
        for tenths in 1..=100_u32 {
            let wait_ms = f64::from(tenths) / 10.0 * period_ms;
            let found = presented(wait_ms + 0.1 * period_ms, 0.1 * period_ms, 0.1, hz);
            let is_display = found.share(Limit::Display) == Some(1.0);
            let waits = found.waits().next();
            assert_eq!(
                is_display,
                wait_ms - 0.1 <= 4.0 * period_ms,
                "{hz:?} {found}"
            );
            assert_eq!(
                waits.map(|(path, _)| path),
                (!is_display).then_some("window/present")
            );
            let sum: f64 = Limit::ALL.iter().filter_map(|one| found.share(*one)).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{found}");
        }
        // What the GPU took of it is explained, and the thread took no part of the wait.
        let gpu = presented(10.0 * period_ms, 0.1 * period_ms, 8.0 * period_ms, hz);
        assert_eq!(gpu.limit(), Limit::Gpu, "{hz:?} {gpu}");
        let thread = presented(8.0 * period_ms, 2.0 * period_ms, 0.1, hz);
        assert_eq!(thread.limit(), Limit::Wait, "{hz:?} {thread}");
    }
}

#[test]
fn without_times_of_the_gpu_a_wait_that_is_too_long_for_any_display_has_its_path() {
    for hz in [None, Some(24.0), Some(60.0), Some(144.0), Some(240.0)] {
        for wait_ms in [10.0, 100.0, 166.6, 166.8, 300.0, 3000.0] {
            let mut run = steady(
                wait_ms + 20.0,
                &[
                    ("frame/running", 20.0),
                    ("frame/ready", 0.0),
                    ("frame/blocked", wait_ms),
                    ("window/present", wait_ms),
                ],
            );
            run.refresh_hz = hz;
            let found = run.judge();
            let is_wait = wait_ms > 4e3 / 24.0;
            assert_eq!(
                found.share(Limit::GpuOrDisplay) == Some(1.0),
                !is_wait,
                "{hz:?} {found}"
            );
            let mut waits = found.waits().map(|(path, _)| path);
            assert_eq!(waits.next(), is_wait.then_some("window/present"), "{found}");
        }
    }
}

#[test]
fn without_the_rate_of_the_display_what_took_longer_than_any_refresh_limits_the_frame() {
    assert_eq!(
        presented(110.0, 100.0, 5.0, None).share(Limit::Cpu),
        Some(1.0)
    );
    assert_eq!(presented(110.0, 10.0, 80.0, None).limit(), Limit::Gpu);
    assert_eq!(presented(110.0, 10.0, 5.0, None).limit(), Limit::Display);
    // A display may be this slow.
    assert_eq!(presented(41.7, 35.0, 5.0, None).limit(), Limit::Display);
}

#[test]
fn a_gpu_that_takes_longer_than_a_refresh_limits_frames_that_come_at_the_refresh_rate() {
    // A queue of frames shows four of five at the rate of the display.
    let frame_ms = [16.7, 16.7, 16.7, 16.7, 33.3].repeat(8);
    let all = |ms: f64| vec![ms; frame_ms.len()];
    let waiting: Vec<f64> = frame_ms.iter().map(|ms| ms - 2.0).collect();
    let with_gpu = |gpu: f64| Run {
        series: vec![
            ("frame/running", all(2.0)),
            ("frame/ready", all(0.0)),
            ("frame/blocked", waiting.clone()),
            ("window/acquire", waiting.clone()),
            ("gpu/frame", all(gpu)),
        ],
        frame_ms: frame_ms.clone(),
        refresh_hz: Some(60.0),
    };
    assert_eq!(with_gpu(20.0).share(Limit::Gpu), 1.0);
    assert_eq!(with_gpu(12.0).share(Limit::Display), 1.0);
}

/// A program that waits for a display of `hz` in its present. The display wakes it late by up to
/// `jitter` of a period, and the GPU takes `gpu` of a period, so that the present waits about as long.
fn paced(hz: f64, jitter: f64, gpu: f64, random: &mut Random) -> Run {
    let period = 1e3 / hz;
    let mut noise = |part: f64| part * (random.below(2001) as f64 / 1000.0 - 1.0);
    let (mut frame_ms, mut series) = (Vec::new(), [const { Vec::new() }; 4]);
    let mut late = 0.0;
    let wait = gpu * (1.0 + noise(0.2));
    for _ in 0..300 {
        let before = std::mem::replace(&mut late, noise(jitter).abs());
        let frame = period * (1.0 + late - before);
        let running = (period * (1.0 - wait).max(0.02) * (1.0 + noise(0.1))).min(frame);
        let present = frame - running;
        let gpu = period * gpu * (1.0 + noise(0.1));
        frame_ms.push(frame);
        for (series, ms) in series.iter_mut().zip([running, present, present, gpu]) {
            series.push(ms);
        }
    }
    let names = [
        "frame/running",
        "frame/blocked",
        "window/present",
        "gpu/frame",
    ];
    let [running, blocked, present, gpu] = series;
    let mut all: Vec<_> = (names.into_iter())
        .zip([running, blocked, present, gpu])
        .collect();
    all.push(("frame/ready", vec![0.0; 300]));
    Run {
        frame_ms,
        series: all,
        refresh_hz: None,
    }
}

#[test]
fn a_display_is_never_taken_for_the_gpu_however_late_it_wakes_the_program() {
    let mut random = Random::new(18);
    let (mut all, mut taken) = (0, 0);
    for hz in [60.0, 75.0, 120.0, 144.0, 165.0] {
        for jitter in [0.0, 0.02, 0.05, 0.1, 0.2] {
            for percent in (20..=85).step_by(5) {
                let mut run = paced(hz, jitter, f64::from(percent) / 100.0, &mut random);
                // Unknown, its own, and that of a second display.
                for refresh_hz in [None, Some(hz), Some(60.0), Some(75.0), Some(144.0)] {
                    // So uneven frames may as well miss refreshes of a faster display.
                    if jitter > 0.05 && refresh_hz > Some(hz) {
                        continue;
                    }
                    run.refresh_hz = refresh_hz;
                    let found = run.judge();
                    all += 1;
                    let shares = [Limit::Display, Limit::GpuOrDisplay].map(|one| found.share(one));
                    let share: f64 = shares.into_iter().flatten().sum();
                    // In some frames the GPU may be busy for 90 % of the time.
                    if share < if percent <= 75 { 0.9 } else { 0.5 } {
                        taken += 1;
                        println!("{hz} {jitter} {percent} {refresh_hz:?}: {found}");
                    }
                }
            }
        }
    }
    assert_eq!(taken, 0, "of {all}");
}
