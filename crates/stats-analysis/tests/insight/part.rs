//! A late worker that explains a part of a wait.

use super::{Timed, slow_frame, system, timed};
use stats_analysis::insight::{Facts, Hitch, Insight, Role};
use stats_core::{SeriesKind, Unit};
use stats_testing::Random;

/// A frame that waits longer by `wait_ms` while a search on a worker takes longer by `search_ms`, and
/// this worker has no processor for `ready_ms`.
fn late(wait_ms: f64, search_ms: f64, ready_ms: f64) -> Hitch {
    let timers: [Timed; 3] = [
        timed("draw", Some("main"), 12.0, 12.0),
        timed("jobs/wait", Some("main"), 2.0, 2.0 + wait_ms),
        timed("paths/search", Some("worker-1"), 1.0, 1.0 + search_ms),
    ];
    let figures = [
        system::figure("frame/running", Unit::Milliseconds, 12.6, 12.6),
        system::figure("frame/ready", Unit::Milliseconds, 0.1, 0.1),
        system::figure(
            "threads/worker-1/ready",
            Unit::Milliseconds,
            0.1,
            0.1 + ready_ms,
        ),
    ];
    slow_frame(16.7 + wait_ms, &timers, &figures)
}

/// The shares of the parts of a hitch, and that of all others.
fn sum(hitch: &Hitch) -> f64 {
    let parts = hitch.findings.iter();
    let parts = parts.filter(|one| one.is_part && one.role != Role::Via);
    parts.map(|one| one.share).sum::<f64>() + hitch.rest_share().unwrap_or_default()
}

#[test]
fn a_worker_that_explains_half_of_a_wait_is_named_with_its_share_and_the_rest_is_unexplained() {
    // A worker that is busy for a whole frame explains a wait as a late one.
    for wait_ms in [8.0, 14.0, 19.0] {
        for share in [0.51, 0.55, 0.6, 0.65, 0.7] {
            let hitch = late(wait_ms, share * wait_ms, 0.0);
            let expected = format!(
                "+{wait_ms:.1} ms: {:.0} % paths/search, waited for in jobs/wait, {:.0} % waiting \
                 in jobs/wait, unexplained",
                100.0 * share,
                100.0 * (1.0 - share)
            );
            // The usual times are learned, so a share may be rounded otherwise.
            assert!(hitch.findings.len() >= 2, "{share} {hitch:?}");
            let (found, rest) = (hitch.findings[0].share, &hitch.findings[1]);
            assert!((found - share).abs() < 0.01, "{expected} {}", hitch.verdict);
            assert_eq!((rest.role, &*rest.path), (Role::Wait, "jobs/wait"));
            assert!((sum(&hitch) - 1.0).abs() <= 0.006, "{hitch:?}");
            let words = |text: &str| text.replace(|one: char| one.is_ascii_digit(), "");
            assert_eq!(words(&hitch.verdict), words(&expected));
        }
        // Less than half says nothing.
        let hitch = late(wait_ms, 0.4 * wait_ms, 0.0);
        assert!(
            hitch.verdict.ends_with("100 % waiting in jobs/wait"),
            "{}",
            hitch.verdict
        );
        // More than its own time is never its part.
        for (share, text) in [
            (
                0.85,
                "85 % paths/search, waited for in jobs/wait, 15 % waiting in jobs/wait, unexplained",
            ),
            (0.95, "95 % paths/search, waited for in jobs/wait"),
            (1.2, "100 % paths/search, waited for in jobs/wait"),
        ] {
            let hitch = late(wait_ms, share * wait_ms, 0.0);
            assert!(hitch.verdict.ends_with(text), "{}", hitch.verdict);
        }
    }
}

#[test]
fn a_wait_for_a_late_worker_that_had_no_processor_before_names_both() {
    for (wait_ms, search_ms, ready_ms) in [
        (30.0, 14.0, 16.0),
        (30.0, 10.0, 20.0),
        (30.0, 20.0, 10.0),
        (30.0, 15.0, 19.0),
        (12.0, 5.0, 5.0),
    ] {
        let hitch = late(wait_ms, search_ms, ready_ms);
        let text = &hitch.verdict;
        assert!(text.contains("% paths/search"), "{text}");
        assert!(
            text.contains("% waiting for a processor in thread worker-1"),
            "{text}"
        );
        assert!(text.contains("waited for in jobs/wait"), "{text}");
        // What both lack is explained by neither.
        let sum_ms = search_ms + ready_ms;
        let is_less = sum_ms < 0.9 * wait_ms;
        assert_eq!(text.contains("unexplained"), is_less, "{text}");
        let share = |path: &str| {
            let mut found = hitch.findings.iter().filter(|one| one.path == path);
            found.next().map_or(0.0, |one| one.share)
        };
        let of = |ms: f64| ms / sum_ms.max(wait_ms);
        let search = share("paths/search") - of(search_ms);
        assert!(search.abs() < 0.02, "{text}");
        let ready = share("threads/worker-1/ready") - of(ready_ms);
        assert!(ready.abs() < 0.02, "{text}");
        assert!((hitch.excess_ms - wait_ms).abs() < 0.5, "{text}");
        assert!((sum(&hitch) - 1.0).abs() <= 0.006, "{hitch:?}");
    }
}

#[test]
fn a_late_worker_that_had_no_processor_is_named_with_both_whatever_it_did_in_the_frame_before() {
    let infos = [
        ("draw", Some("main"), SeriesKind::Timer),
        ("jobs/wait", Some("main"), SeriesKind::Timer),
        ("paths/search", Some("worker-1"), SeriesKind::Timer),
        ("frame/running", Some("main"), SeriesKind::Counter),
        ("frame/ready", Some("main"), SeriesKind::Counter),
        ("threads/worker-1/ready", None, SeriesKind::Counter),
    ];
    for (search_ms, ready_ms) in [(16.0, 14.0), (20.0, 10.0), (17.0, 9.0)] {
        for before_ms in [0.0, 16.0, 20.0, 30.0] {
            let mut insight = Insight::new();
            insight.set_frame_thread(Some("main"));
            for (number, (path, thread, kind)) in (0..).zip(infos) {
                let mut facts = Facts::new(path, kind, Unit::Milliseconds);
                facts.thread = thread.map(str::to_owned);
                facts.is_wait = path == "jobs/wait";
                insight.set_series(number, facts);
            }
            let wait_ms = 30.0;
            for frame in 0..=250_u64 {
                let noise = (frame * 7 % 11) as f64 / 50.0;
                let mut values = [12.0 + noise, 2.0, 1.0 + noise / 4.0, 12.6 + noise, 0.1, 0.1];
                if frame == 249 {
                    values[2] += before_ms;
                }
                if frame == 250 {
                    values[1] += wait_ms;
                    values[2] += search_ms;
                    values[5] += ready_ms;
                }
                let frame_ms = values[0] + values[1] + 2.7;
                assert_eq!(insight.take_frame(frame, frame_ms, &values), frame == 250);
                insight.rank_noticed();
            }
            let hitch = &insight.hitches()[0];
            let text = &hitch.verdict;
            assert!(!text.contains("before"), "{before_ms}: {text}");
            let share = |path: &str| {
                let mut found = hitch.findings.iter().filter(|one| one.path == path);
                found.next().map_or(0.0, |one| one.share)
            };
            let of = |ms: f64| ms / wait_ms.max(search_ms + ready_ms);
            let search = share("paths/search") - of(search_ms);
            assert!(search.abs() < 0.02, "{text}");
            let ready = share("threads/worker-1/ready") - of(ready_ms);
            assert!(ready.abs() < 0.02, "{text}");
        }
    }
}

/// A frame that waits longer by `wait_ms` while a search on any worker takes longer by `search_ms`.
/// `workers` have the usual time without a processor, and that in the frame, by which the time around
/// their jobs grows.
fn late_on_any(wait_ms: f64, search_ms: f64, workers: [(f64, f64); 2]) -> Hitch {
    let mut timers = vec![
        timed("draw", Some("main"), 12.0, 12.0),
        timed("jobs/wait", Some("main"), 2.0, 2.0 + wait_ms),
        timed("paths/search", None, 0.01, 0.01 + search_ms),
    ];
    let unit = Unit::Milliseconds;
    let mut figures = vec![
        system::figure("frame/running", unit, 12.6, 12.6),
        system::figure("frame/ready", unit, 0.1, 0.1),
    ];
    let paths = [
        ("worker-0/busy", "threads/worker-0/ready"),
        ("worker-1/busy", "threads/worker-1/ready"),
    ];
    for ((busy, ready), (usual_ms, lost_ms)) in paths.into_iter().zip(workers) {
        timers.push(timed(busy, Some(&busy[..8]), 0.2 + usual_ms, 0.2 + lost_ms));
        figures.push(system::figure(ready, unit, usual_ms, lost_ms));
    }
    slow_frame(16.7 + wait_ms, &timers, &figures)
}

#[test]
fn a_job_of_any_worker_and_the_time_in_which_its_worker_had_no_processor_explain_a_wait() {
    for (wait_ms, search_ms, ready_ms) in [
        (10.4, 7.3, 3.2),
        (8.7, 6.0, 2.7),
        (12.0, 5.0, 5.0),
        (30.0, 8.0, 21.0),
    ] {
        let hitch = late_on_any(wait_ms, search_ms, [(0.1, 0.1 + ready_ms), (0.1, 0.4)]);
        let share = |path: &str| {
            let mut found = hitch.findings.iter().filter(|one| one.path == path);
            found.next().map_or(0.0, |one| one.share)
        };
        let text = &hitch.verdict;
        let sum_ms = search_ms + ready_ms;
        let of = |ms: f64| ms / sum_ms.max(wait_ms);
        let search = share("paths/search") - of(search_ms);
        assert!(search.abs() < 0.02, "{text}");
        let ready = share("threads/worker-0/ready") - of(ready_ms);
        assert!(ready.abs() < 0.02, "{text}");
        let is_less = sum_ms < 0.9 * wait_ms;
        assert_eq!(text.contains("unexplained"), is_less, "{text}");
        assert!(!text.contains("busy"), "{text}");
        assert!((sum(&hitch) - 1.0).abs() <= 0.006, "{hitch:?}");
    }
}

#[test]
fn a_job_that_runs_on_several_workers_at_once_explains_no_part_that_none_of_them_has() {
    // The time of eight workers together is 60 % of the wait, and that of each a tenth of it.
    let late = |calls: f64| {
        let timers = [
            timed("draw", Some("main"), 12.0, 12.0),
            timed("jobs/wait", Some("main"), 2.0, 22.0),
            Timed {
                usual: (0.4, 8.0),
                slow: (12.4, calls),
                ..timed("jobs/task", None, 0.0, 0.0)
            },
        ];
        slow_frame(36.7, &timers, &[])
    };
    let text = late(8.0).verdict;
    assert!(text.ends_with("100 % waiting in jobs/wait"), "{text}");
    // One call ran on one thread.
    let text = late(1.0).verdict;
    assert!(
        text.contains("jobs/task, waited for in jobs/wait"),
        "{text}"
    );
}

#[test]
fn workers_that_exchange_the_time_without_a_processor_made_no_frame_longer() {
    let hitch = late_on_any(8.7, 6.0, [(0.1, 2.8), (3.0, 0.3)]);
    let text = &hitch.verdict;
    assert!(text.contains("69 % paths/search"), "{text}");
    assert!(!text.contains("processor"), "{text}");
}

#[test]
fn a_display_that_shows_a_frame_once_more_is_no_part_of_a_scope_of_another_thread() {
    let timers = [
        timed("draw", Some("main"), 8.0, 8.0),
        timed("present", Some("main"), 8.0, 24.7),
        timed("loader/decode", Some("loader"), 2.0, 12.0),
    ];
    let hitch = slow_frame(33.4, &timers, &[]);
    assert!(
        hitch.verdict.ends_with("100 % waiting in present"),
        "{}",
        hitch.verdict
    );
}

/// Whatever a wait and a worker do: a frame that is noticed because of the worker names it.
#[test]
fn a_frame_that_only_a_worker_makes_noticed_names_the_worker() {
    let mut because_of_worker = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut between =
            |low: f64, high: f64| low + (high - low) * random.below(100_000) as f64 / 1e5;
        let noise_ms = between(1.0, 3.0);
        let wait_ms = between(4.5, 14.0);
        let search_ms = wait_ms * between(0.2, 1.2);
        let is_noticed = |search_ms: f64| {
            let mut insight = Insight::new();
            insight.set_frame_thread(Some("main"));
            for (number, path, thread) in [
                (0, "draw", "main"),
                (1, "jobs/wait", "main"),
                (2, "paths/search", "worker-0"),
            ] {
                let mut timer = Facts::new(path, SeriesKind::Timer, Unit::Milliseconds);
                timer.is_wait = number == 1;
                timer.thread = Some(thread.to_owned());
                insight.set_series(number, timer);
            }
            let mut random = Random::new(1_000 + seed);
            for frame in 0..400_u64 {
                let is_late = frame == 390;
                let mut noise = |most: f64| most * random.below(1_000) as f64 / 1e3;
                let waited = 4.0 + noise(2.0) + noise(noise_ms) + noise(noise_ms);
                let waited = waited + if is_late { wait_ms } else { 0.0 };
                let search = noise(0.05) + if is_late { search_ms } else { 0.0 };
                let is_noticed = insight.take_frame(frame, 10.0 + waited, &[10.0, waited, search]);
                insight.rank_noticed();
                if is_late {
                    let hitch = insight.hitches().back().filter(|_| is_noticed);
                    return hitch.map(|hitch| hitch.verdict.clone());
                }
            }
            None
        };
        let with = is_noticed(search_ms);
        if is_noticed(0.0).is_none()
            && let Some(verdict) = with
        {
            because_of_worker += 1;
            assert!(verdict.contains("% paths/search"), "{seed}: {verdict}");
        }
    }
    assert!(because_of_worker >= 5, "{because_of_worker}");
}
