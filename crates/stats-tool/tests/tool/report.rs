//! `stats report`.

use std::time::Duration;

use serde_json::Value;
use stats_capture::{Capture, CaptureOptions};
use stats_core::{MarkEvent, Unit};
use stats_testing::Folder;

use crate::written::WrittenRun;
use crate::{record, stats};

fn metric<'a>(list: &'a Value, name: &str) -> &'a Value {
    let list = list.as_array().expect("a list of metrics");
    let found = list.iter().find(|metric| metric["name"] == name);
    found.unwrap_or_else(|| panic!("no metric {name}"))
}

#[test]
fn json_has_the_exact_figures_of_a_run() {
    let folder = Folder::new("tool-report");
    record(&folder.0.join("run.parquet"), "smoke", 100, "report/work");
    let report = stats(
        &folder.0,
        "report run.parquet --format json --exclude load*",
    )
    .ends(0)
    .json();
    assert_eq!(report["format"], 1);
    let run = &report["runs"][0];
    assert_eq!(run["file"], "run.parquet");
    assert_eq!(
        (&run["run"]["scenario"], &run["run"]["commit"]),
        (&"smoke".into(), &"abc123".into())
    );
    assert_eq!(run["frames"], 100);
    assert_eq!(
        run["left_out"][0],
        serde_json::json!({"reason": "loading", "begin": 0, "end": 10})
    );
    let metrics = &run["metrics"];
    assert_eq!(metric(metrics, "run/frames")["value"], 90.0);
    let mean = metric(metrics, "series/report/work/mean");
    let least = metric(metrics, "series/report/work/min");
    let deviation = metric(metrics, "series/report/work/deviation");
    for figure in ["frame/min", "frame/deviation"] {
        assert!(metric(metrics, figure)["value"].as_f64() >= Some(0.0));
    }
    assert_eq!(
        (&least["value"], &deviation["better"]),
        (&10.0.into(), &"lower".into())
    );
    // Of the numbers 10 to 99.
    let expected = ((90.0_f64.powi(2) - 1.0) / 12.0).sqrt();
    let deviation = deviation["value"].as_f64().expect("a number");
    assert!((deviation - expected).abs() < 1e-9, "{deviation}");
    assert_eq!(mean["value"], (10..100).sum::<u64>() as f64 / 90.0);
    assert_eq!(
        (&mean["unit"], &mean["better"]),
        (&"".into(), &"lower".into())
    );
    assert_eq!(
        metric(metrics, "series/report/work/p99-by-frame")["value"],
        99.0
    );
    assert_eq!(metric(metrics, "series/report/work/max")["value"], 99.0);
    assert_eq!(
        metric(metrics, "series/report/work/over-budget-frames")["value"],
        49.0
    );
    assert_eq!(metric(metrics, "spans/loading/times")["value"], 1.0);
    assert!(metric(metrics, "spans/loading/seconds")["value"].as_f64() > Some(0.0));
    for name in [
        "run/average-fps",
        "run/low-integral-fps",
        "frame/median",
        "frame/p99-by-time",
        "frame/p99.9-by-frame",
        "frame/high-water-frame",
        "run/hitches",
        "frame/frames-over-60-ms",
        "frame/stutter-share",
        "capture/cost-per-frame",
        "capture/dropped-frames",
    ] {
        assert!(metric(metrics, name)["value"].is_number(), "{name}");
    }
    let names: Vec<&str> = metrics
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["name"].as_str().unwrap())
        .collect();
    let unique: std::collections::HashSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len(), "names are unique");
}

#[test]
fn a_self_time_has_the_unit_of_its_timer_and_no_budget_from_a_pattern() {
    let folder = Folder::new("tool-self");
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(&path, CaptureOptions::default()).unwrap();
    let timer = stats_core::timer("report/scope");
    for _ in 0..20 {
        drop(timer.scope());
        capture.end_frame();
    }
    capture.finish().unwrap();
    let budgets = "[budgets]\n\"report/**\" = 0.0\n\"report/scope/calls\" = 3";
    std::fs::write(folder.0.join("stats.toml"), budgets).unwrap();
    let report = stats(&folder.0, "report run.parquet --format json")
        .ends(0)
        .json();
    let metrics = &report["runs"][0]["metrics"];
    let list = metrics.as_array().unwrap();
    for (name, has_budget) in [("", true), ("/self", false), ("/calls", true)] {
        let over = format!("series/report/scope{name}/over-budget-frames");
        let found = list.iter().any(|metric| metric["name"] == over.as_str());
        assert_eq!(found, has_budget, "{name}");
    }
    for (name, unit) in [("", "ms"), ("/self", "ms"), ("/calls", "")] {
        let mean = metric(metrics, &format!("series/report/scope{name}/mean"));
        assert_eq!(mean["unit"], unit, "{name}");
    }
}

#[test]
fn several_runs_are_summarized_by_their_median_and_range() {
    let folder = Folder::new("tool-several");
    for (name, frames) in [("1", 20), ("2", 60), ("3", 40)] {
        record(
            &folder.0.join(format!("{name}.parquet")),
            "smoke",
            frames,
            "several/work",
        );
    }
    let report = stats(&folder.0, "report *.parquet --format json")
        .ends(0)
        .json();
    let figure = metric(&report["metrics"], "run/frames");
    let number = |field: &str| figure[field].as_f64().unwrap();
    assert_eq!(
        ["value", "min", "max", "runs"].map(number),
        [40.0, 20.0, 60.0, 3.0]
    );
    let text = stats(&folder.0, "report . --format text").stdout;
    assert!(
        text.contains("smoke: 3 runs") && text.contains("40 (20 to 60)"),
        "{text}"
    );
    assert!(!text.contains("not be comparable"), "{text}");
    record(
        &folder.0.join("4.parquet"),
        "fly-through",
        20,
        "several/work",
    );
    let text = stats(&folder.0, "report .").stdout;
    let warning =
        "The runs differ in their scenario (fly-through · smoke), so they may not be comparable.";
    assert!(text.contains(warning), "{text}");
}

#[test]
fn text_and_markdown_have_the_same_figures() {
    let folder = Folder::new("tool-text");
    record(&folder.0.join("run.parquet"), "smoke", 100, "text/work");
    for (format, expected) in [
        (
            "text",
            [
                "DISTRIBUTION",
                "99 % of the time no slower than",
                "loading",
                "text/work",
                "--budget sets one",
            ],
        ),
        (
            "markdown",
            [
                "## Distribution",
                "| --- | ---: |",
                "loading",
                "text/work",
                "--budget sets one",
            ],
        ),
    ] {
        let output = stats(&folder.0, &format!("report run.parquet --format {format}"));
        output.ends(0);
        let text = &output.stdout;
        assert!(
            output.stderr.is_empty(),
            "no bar without a terminal: {}",
            output.stderr
        );
        for part in expected {
            assert!(text.contains(part), "{format} has {part}: {text}");
        }
    }
    let over = stats(&folder.0, "report run.parquet --budget 0.000001").stdout;
    assert!(over.contains("frames over budget"), "{over}");
}

#[test]
fn a_report_without_frames_to_judge_warns() {
    let folder = Folder::new("tool-nothing");
    record(&folder.0.join("run.parquet"), "smoke", 5, "nothing/work");
    let output = stats(&folder.0, "report run.parquet --warm-up 3600");
    output.ends(2);
    let text = &output.stdout;
    assert!(text.contains("No frame is left to judge"), "{text}");
}

#[test]
fn wrong_usage_exits_with_64_and_help_with_0() {
    let folder = Folder::new("tool-usage");
    for wrong in [
        "",
        "nonsense",
        "report",
        "report run.parquet --format nonsense",
        "report run.parquet --budget -1",
        "report run.parquet --exclude [",
        "report x[.parquet",
    ] {
        let output = stats(&folder.0, wrong);
        assert_eq!(output.code, Some(64), "{wrong}: {}", output.stderr);
    }
    for fine in ["--help", "--version", "report --help"] {
        stats(&folder.0, fine).ends(0);
    }
}

#[test]
fn the_page_is_one_file_without_requests_and_escapes_names() {
    let folder = Folder::new("tool-html");
    record(
        &folder.0.join("run.parquet"),
        "</script><img src=x>",
        200,
        "html/<b>work</b>",
    );
    let output = stats(
        &folder.0,
        "report run.parquet --html page.html --budget 0.0001",
    );
    output.ends(0);
    let page = std::fs::read_to_string(folder.0.join("page.html")).unwrap();
    for part in [
        "Content-Security-Policy",
        "prefers-color-scheme: dark",
        "@media print",
        "html/&lt;b&gt;work&lt;/b&gt;",
        "<svg",
        "frame is over its budget",
        "Record it again",
        "<h2>Definitions</h2>",
        "application/json",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for request in [
        "http://", "https://", " src=", "url(", "@import", "<img", "onload",
    ] {
        let stripped = page
            .replace("&lt;img src=x&gt;", "")
            .replace("u003cimg src=x\\u003e", "");
        assert!(!stripped.contains(request), "{request}");
    }
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.len() < 1_500_000);
    let refused = stats(
        &folder.0,
        "report run.parquet --html no-such-folder/page.html",
    );
    refused.ends(3);
}

#[test]
fn the_sample_of_the_game_has_a_report_with_its_figures() {
    let folder = Folder::new("tool-sample");
    let sample = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../assets/samples/game.parquet"
    );
    let report = stats(&folder.0, &format!("report {sample} --format json"))
        .ends(0)
        .json();
    let run = &report["runs"][0];
    assert_eq!(run["run"]["scenario"], "smoke");
    assert_eq!(run["frames"], 270);
    metric(&run["metrics"], "series/frame/cpu/mean");
    metric(&run["metrics"], "series/frame/time/samples/mean");
    let explained = stats(&folder.0, &format!("explain {sample}")).stdout;
    assert!(
        explained.contains(" % paths/a-star, waited for in jobs/main-thread-wait"),
        "{explained}"
    );
}

#[test]
fn a_history_names_the_runs_that_cannot_be_read() {
    let folder = Folder::new("tool-history");
    record(&folder.0.join("run.parquet"), "smoke", 40, "history/work");
    std::fs::write(folder.0.join("bad.parquet"), "no capture").unwrap();
    let output = stats(
        &folder.0,
        "report run.parquet --html page.html --history bad.parquet",
    );
    output.ends(0);
    output.says("bad.parquet is not a capture");
    let output = stats(&folder.0, "report run.parquet --history bad.parquet");
    assert_eq!(output.code, Some(64), "it would be ignored");
}

#[test]
fn only_the_first_hundred_names_of_spans_have_figures() {
    let folder = Folder::new("tool-many-spans");
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("a folder");
    for frame in 0..600_u32 {
        let name = format!("wave {frame}");
        capture.mark(&name, MarkEvent::Begin);
        capture.end_frame_at(f64::from(frame) * 0.01);
        capture.mark(&name, MarkEvent::End);
    }
    capture.finish().expect("a capture");
    let output = stats(&folder.0, "report run.parquet --format json");
    let said = &output.stderr;
    assert!(said.contains("500 spans have no figures"), "{said}");
    let text = &output.stdout;
    assert!(text.contains("wave 99/") && !text.contains("wave 100/"));
}

#[test]
fn the_deviation_and_the_minimum_of_series_and_histograms_are_compared_and_judged() {
    let folder = Folder::new("tool-deviation");
    let samples = stats_core::histogram("deviation/samples");
    let work = stats_core::counter("deviation/work");
    // The same mean of 50, with another spread.
    let record = |name: &str, spread: u64| {
        let path = folder.0.join(name).join(format!("{spread}.parquet"));
        let _alone = crate::alone();
        let mut capture = Capture::create(path, CaptureOptions::default()).unwrap();
        for frame in 0..100 {
            let value = if frame % 2 == 0 {
                50 - spread
            } else {
                50 + spread
            };
            work.add(value);
            samples.record(value as f64);
            capture.end_frame_at(frame as f64 / 60.0);
        }
        capture.finish().unwrap();
    };
    (10..14).for_each(|spread| record("before", spread));
    (30..34).for_each(|spread| record("after", spread));
    let report = stats(&folder.0, "report before/10.parquet --format json")
        .ends(0)
        .json();
    let metrics = &report["runs"][0]["metrics"];
    for of in ["series/deviation/work", "histograms/deviation/samples"] {
        assert_eq!(metric(metrics, &format!("{of}/mean"))["value"], 50.0);
        assert_eq!(metric(metrics, &format!("{of}/min"))["value"], 40.0);
        assert_eq!(metric(metrics, &format!("{of}/deviation"))["value"], 10.0);
    }
    let text = stats(&folder.0, "report before/10.parquet --format markdown").stdout;
    for row in [
        "| deviation/work | 50 | 10 | 40 |",
        "| deviation/samples | 100 | 50 | 10 | 40 |",
    ] {
        assert!(text.contains(row), "{text}");
    }
    let compared = stats(
        &folder.0,
        "compare --before before --after after --format json",
    );
    let compared = compared.json();
    let others = compared["comparison"]["others"].as_array().unwrap();
    for (name, is_changed) in [
        ("series/deviation/work/deviation", true),
        ("series/deviation/work/min", true),
        ("series/deviation/work/mean", false),
        ("histograms/deviation/samples/deviation", true),
        ("histograms/deviation/samples/min", true),
        ("histograms/deviation/samples/mean", false),
    ] {
        let found = others.iter().find(|one| one["name"] == name);
        let verdict = &found.unwrap_or_else(|| panic!("{name}"))["verdict"];
        assert_eq!(verdict != "same", is_changed, "{name}: {verdict}");
    }
    let gate = "[gate]\nmay_fail = ['series/deviation/work/deviation']\nlimit_percent = 2";
    std::fs::write(folder.0.join("stats.toml"), gate).unwrap();
    let gate = stats(&folder.0, "gate after --baseline before");
    gate.ends(1);
}

/// Records 600 frames of about `usual_ms`, and longer ones at some frames.
fn record_frames(folder: &Folder, usual_ms: u64, long: &[(u64, u64)]) {
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("a folder");
    let work = stats_core::timer("report/hitches/work");
    let mut secs = usual_ms as f64 / 1e3;
    capture.end_frame_at(secs);
    for frame in 1..600 {
        let planted = long.iter().find(|(at, _)| *at == frame);
        let us = planted.map_or(1_000 * usual_ms + 100 * (frame % 7), |(_, ms)| 1_000 * ms);
        work.record(Duration::from_micros(us - 500));
        secs += us as f64 / 1e6;
        capture.end_frame_at(secs);
    }
    capture.finish().expect("a capture");
}

#[test]
fn report_and_explain_of_a_run_count_the_same_hitches() {
    /// The usual time of a frame in milliseconds, the long frames with their times, and how many
    /// of them are over 60 ms.
    type Run = (u64, &'static [(u64, u64)], f64);
    let runs: [Run; 5] = [
        (10, &[], 0.0),
        (10, &[(200, 22), (310, 35), (420, 45)], 0.0),
        (10, &[(200, 22), (310, 90), (420, 120)], 2.0),
        // Slow and steady.
        (80, &[], 0.0),
        (80, &[(200, 150), (310, 110)], 1.0),
    ];
    for (at, (usual_ms, long, over_60_ms)) in runs.into_iter().enumerate() {
        let folder = Folder::new(&format!("tool-hitches-{at}"));
        record_frames(&folder, usual_ms, long);
        for warm_up in [0, 250] {
            let config = format!("warm_up_frames = {warm_up}");
            std::fs::write(folder.0.join("stats.toml"), config).expect("a temporary file");
            let explained = stats(&folder.0, "explain run.parquet --format json")
                .ends(0)
                .json();
            let hitches = explained["hitches"].as_array().expect("hitches").len();
            let judged = long.iter().filter(|(frame, _)| *frame >= warm_up);
            assert_eq!(hitches, judged.count(), "{long:?} from {warm_up}");
            let report = stats(&folder.0, "report run.parquet --format json")
                .ends(0)
                .json();
            let metrics = &report["runs"][0]["metrics"];
            assert_eq!(metric(metrics, "run/hitches")["value"], hitches as f64);
            if warm_up == 0 {
                let over = metric(metrics, "frame/frames-over-60-ms");
                assert_eq!(over["value"], over_60_ms, "{long:?}");
            }
            let said = format!("Hitches: {hitches}.");
            for verb in ["report", "explain"] {
                let text = stats(&folder.0, &format!("{verb} run.parquet")).stdout;
                assert!(text.contains(&said), "{said} {text}");
            }
        }
    }
}

#[test]
fn the_times_of_threads_are_listed_and_have_budgets() {
    let folder = Folder::new("tool-threads");
    let of = |figure: &str| stats_core::counter(&format!("threads/pool/{figure}"));
    let times = ["running", "ready", "blocked"].map(|name| of(name).unit(Unit::Milliseconds));
    let counts = ["page-faults", "major-page-faults", "preemptions"].map(of);
    for run in [1, 3] {
        let path = folder.0.join(format!("{run}.parquet"));
        let _alone = crate::alone();
        let mut capture = Capture::create(path, CaptureOptions::default()).expect("a folder");
        for frame in 0..100_u32 {
            let [running, ready, blocked] = &times;
            running.add(10.0);
            ready.add(f64::from(run));
            blocked.add(1.0);
            counts.iter().for_each(|count| count.add(5));
            capture.end_frame_at(f64::from(frame) / 60.0);
        }
        capture.finish().expect("a capture");
    }
    for (runs, ready) in [
        ("1.parquet", "1.00 ms"),
        (".", "2.00 ms (1.00 ms to 3.00 ms)"),
    ] {
        let text = stats(&folder.0, &format!("report {runs} --format markdown")).stdout;
        let table = text.split_once("| series | mean |").expect("a table").1;
        let table = table.split("\n\n").next().expect("the rows");
        // On Linux, every capture has such figures of its own thread, too.
        assert!(!table.contains('–'), "{table}");
        for (figure, value) in [
            ("running", "10.00 ms"),
            ("ready", ready),
            ("blocked", "1.00 ms"),
            ("page-faults", "5"),
            ("major-page-faults", "5"),
            ("preemptions", "5"),
        ] {
            let row = format!("| threads/pool/{figure} | {value} | ");
            assert!(table.contains(&row), "{row}{table}");
        }
    }
    let unmatched = |budgets: &str| {
        std::fs::write(folder.0.join("stats.toml"), budgets).expect("a temporary file");
        let output = stats(&folder.0, "gate . --format json");
        let gate = output.json();
        (gate["budgets"].clone(), gate["unmatched_budgets"].clone())
    };
    let (budgets, sentences) =
        unmatched("[budgets]\n\"threads/pool/ready\" = 4\n\"threads/*/*ing\" = \"11 ms\"");
    assert_eq!(sentences, serde_json::json!([]));
    let budgets = budgets.as_array().expect("a list").iter();
    let mut paths: Vec<&str> = budgets.filter_map(|one| one["path"].as_str()).collect();
    // A capture has the series of all tests of this process.
    paths.retain(|path| path.starts_with("threads/"));
    paths.sort_unstable();
    assert_eq!(paths, ["threads/pool/ready", "threads/pool/running"]);
    let (_, sentences) = unmatched("[budgets]\n\"threads/pool/ready\" = \"2 MiB\"");
    let sentences = sentences.to_string();
    assert!(
        sentences.contains("threads/pool/ready is in ms"),
        "{sentences}"
    );
}

#[test]
fn a_fact_that_one_run_does_not_know_is_shown_as_unknown() {
    let folder = Folder::new("tool-facts");
    for (name, seed) in [("1", Some(5)), ("2", None)] {
        let mut options = CaptureOptions::default();
        options.seed = seed;
        let path = folder.0.join(format!("{name}.parquet"));
        let _alone = crate::alone();
        let mut capture = Capture::create(path, options).expect("a folder");
        (0..20).for_each(|frame| capture.end_frame_at(f64::from(frame) / 60.0));
        capture.finish().expect("a capture");
    }
    let sentence = "The runs differ in their seed (5 · unknown), so they may not be comparable.";
    let markdown = |line: &str| stats(&folder.0, &format!("{line} --format markdown")).stdout;
    let report = markdown("report .");
    assert!(report.contains(sentence), "{report}");
    assert!(report.contains("| seed | 5 · unknown |"), "{report}");
    let compared = markdown("compare --before 1.parquet --after 2.parquet");
    assert!(compared.contains(sentence), "{compared}");
    assert!(compared.contains("| seed | 5 | unknown |"), "{compared}");
    // A fact that no run knows has no row.
    for text in [report, compared, markdown("report 2.parquet")] {
        assert!(!text.contains("| scenario |"), "{text}");
    }
}

#[test]
fn the_share_of_a_budget_says_of_which_frames_it_is() {
    let folder = Folder::new("tool-report-sparse");
    let mut run = WrittenRun::new(200, |_| 16.0);
    for (path, every) in [("net/ping", 10), ("net/players", 1)] {
        let is_known = |frame: u64| frame.is_multiple_of(every);
        let value = |frame| if is_known(frame) { 5.0 } else { f64::NAN };
        run.series(path, stats_capture::RecordedKind::Gauge, "", value)
            .budget = Some(3.0);
    }
    run.write(folder.0.join("run.parquet"));
    let text = stats(&folder.0, "report run.parquet").stdout;
    let note =
        "Shares of net/ping (20 of 200 frames) are of the frames in which the value is known.";
    assert!(text.contains(note), "{text}");
    assert!(!text.contains("net/players ("), "{text}");
}

#[test]
fn budgets_that_every_frame_may_exceed_are_not_judged() {
    let folder = Folder::new("tool-report-allowed");
    record(
        &folder.0.join("run.parquet"),
        "smoke",
        100,
        "report/allowed",
    );
    for (allowed, headline) in [(99.0, "Within budget"), (100.0, "Not judged")] {
        let expected =
            format!("[budgets]\n\"report/allowed\" = 50\n[gate]\nover_budget_percent = {allowed}");
        std::fs::write(folder.0.join("stats.toml"), expected).expect("a temporary file");
        stats(&folder.0, "report run.parquet --html page.html").ends(0);
        let page = std::fs::read_to_string(folder.0.join("page.html")).expect("it was written");
        assert!(page.contains(headline), "{headline}");
        let text = stats(&folder.0, "report run.parquet").stdout;
        let is_said = text.contains("None is judged, because gate.over_budget_percent is 100");
        assert_eq!(is_said, allowed == 100.0, "{text}");
    }
}
