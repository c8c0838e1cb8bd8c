//! What eight viewers of 300 series take of a processor in the game's process, and how long it takes from
//! the end of a frame until a viewer has its values, at 60 frames per second. The viewers run in this
//! process, on threads of their own, which do not count.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stats_core::Source;
use stats_remote::{Remote, RemoteAddress, RemoteSource};

use super::{SERIES, game, is_kept, percentiles, watch_listed};

const VIEWERS: usize = 8;
const FRAME: Duration = Duration::from_micros(16_667);
const SECONDS: u64 = 10;

/// The bars: of the 99th percentile, and of what the thread takes.
const MOST_MS: f64 = 150.0;
const MOST_PERCENT: f64 = 2.0;

pub(crate) fn run() {
    let (gauges, mut remote, mut recorder) = game(SERIES);
    let address = remote.address().clone();
    let (begun, is_over, ready) = (Instant::now(), AtomicBool::new(false), AtomicUsize::new(0));
    let (begun, is_over, ready) = (&begun, &is_over, &ready);
    let mut number = 0_u64;
    let mut frame = |remote: &mut Remote| {
        number += 1;
        // The first tells when it was set; the others are a constant, a count, or a time.
        gauges[0].set(begun.elapsed().as_secs_f64());
        for (at, gauge) in (1_u64..).zip(&gauges[1..]) {
            gauge.set(match at % 3 {
                0 => at as f64,
                1 => (number * at % 50) as f64,
                _ => (number * at * 7919 % 2_000_000) as f64 / 1e6,
            });
        }
        recorder.end_frame();
        remote.publish(&mut recorder);
        thread::sleep(FRAME);
    };
    let (mut late_ms, mut of_a_core) = (Vec::new(), None);
    thread::scope(|scope| {
        let viewers: Vec<_> = (0..VIEWERS)
            .map(|_| scope.spawn(|| follow(&address, *begun, ready, is_over)))
            .collect();
        while ready.load(Ordering::Acquire) < VIEWERS {
            frame(&mut remote);
        }
        let (before, start) = (hub_secs(), Instant::now());
        while start.elapsed() < Duration::from_secs(SECONDS) {
            frame(&mut remote);
        }
        if let (Some(before), Some(after)) = (before, hub_secs()) {
            of_a_core = Some((after - before) / start.elapsed().as_secs_f64());
        }
        is_over.store(true, Ordering::Release);
        for viewer in viewers {
            late_ms.extend(viewer.join().expect("it follows"));
        }
    });
    println!(
        "\n| {VIEWERS} viewers of {SERIES} series | median | p99 | bar | kept |\n|---|---|---|---|---|"
    );
    let [median, p99] = percentiles(late_ms);
    let kept = is_kept(p99 <= MOST_MS);
    println!(
        "| a frame is in a viewer after | {median:.0} ms | {p99:.0} ms | ≤ {MOST_MS} ms | {kept} |"
    );
    match of_a_core.map(|part| part * 100.0) {
        Some(part) => println!(
            "| of a core, the thread of the viewers takes | {part:.1} % | | ≤ {MOST_PERCENT} % | {} |",
            is_kept(part <= MOST_PERCENT)
        ),
        None => println!(
            "| of a core, the thread of the viewers takes | not told by the system | | | |"
        ),
    }
}

/// Follows the game as a window does, and returns how late its frames were, in milliseconds.
fn follow(
    address: &RemoteAddress,
    begun: Instant,
    ready: &AtomicUsize,
    is_over: &AtomicBool,
) -> Vec<f64> {
    let mut viewer = RemoteSource::connect(address).expect("the game answers");
    let (mut watches, mut late_ms, mut next) = (Vec::new(), Vec::new(), None);
    while !is_over.load(Ordering::Acquire) {
        viewer.pump();
        watch_listed(&mut viewer, SERIES, &mut watches);
        if let Some(watch) = watches.first() {
            let history = viewer.history(watch, 1000);
            let end = history.frames().end;
            let known = !history.is_empty();
            if known && next.is_none() {
                ready.fetch_add(1, Ordering::Release);
            }
            for secs in (next.unwrap_or(end)..end).filter_map(|frame| history.at(frame)) {
                late_ms.push((begun.elapsed().as_secs_f64() - secs) * 1e3);
            }
            next = known.then_some(end);
        }
        thread::sleep(FRAME);
    }
    late_ms
}

/// Returns the time of a processor that the thread for viewers took so far, in seconds; `None` if the
/// system does not tell.
fn hub_secs() -> Option<f64> {
    let threads = fs::read_dir("/proc/self/task").ok()?;
    let mut total = None;
    for thread in threads.filter_map(Result::ok) {
        let of = |name: &str| fs::read_to_string(thread.path().join(name)).ok();
        if of("comm")?.trim_end() == "stats-remote" {
            let ns: f64 = of("schedstat")?.split(' ').next()?.parse().ok()?;
            *total.get_or_insert(0.0) += ns / 1e9;
        }
    }
    total
}
