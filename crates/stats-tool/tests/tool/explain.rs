//! `stats explain`.

use std::time::Duration;

use stats_capture::{Capture, CaptureFile, CaptureOptions};
use stats_core::{MarkEvent, Source};
use stats_testing::Folder;

use crate::stats;
use crate::written::WrittenRun;

/// Records frames of 10 ms, with a long one 0.7 s before the first moment and none before the second.
#[test]
fn a_moment_is_shown_with_the_two_seconds_before_it() {
    let folder = Folder::new("tool-explain-moments");
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("a folder");
    let paths = stats_core::timer("explain-moments/paths");
    let mut secs = 0.0;
    capture.end_frame_at(secs);
    for frame in 1..1_000 {
        let long_ms = match frame {
            // More than two seconds before the first moment, and within them.
            150 => 30,
            330 => 40,
            // A debugger stopped the program before the second moment.
            700 => 90,
            _ => 0,
        };
        paths.record(Duration::from_millis(2 + long_ms));
        match frame {
            400 => capture.mark("moment 1", MarkEvent::Point),
            450 => capture.mark("moment 1: the bridge", MarkEvent::Point),
            700 => capture.mark(
                "log warn stats::stopped: the whole program stood still for 0.1 s",
                MarkEvent::Point,
            ),
            800 => capture.mark("moment 2", MarkEvent::Point),
            _ => {}
        }
        secs += 0.01 + long_ms as f64 / 1e3;
        capture.end_frame_at(secs);
    }
    capture.finish().expect("a capture");
    let all = stats(&folder.0, "explain run.parquet --format json")
        .ends(0)
        .json();
    let hitches = all["hitches"].as_array().expect("hitches").iter();
    let hitches: Vec<_> = hitches.map(|hitch| hitch["frame"].clone()).collect();
    assert_eq!(hitches, [150, 330]);
    let first = &all["moments"][0];
    assert_eq!(
        (&first["number"], &first["frame"]),
        (&1.into(), &400.into())
    );
    assert_eq!(first["note"], "the bridge");
    assert_eq!(first["first_frame"], 204);
    assert_eq!(first["hitches"].as_array().expect("a list"), &[330]);
    assert_eq!(first["slowest"]["frame"], 330);
    assert_eq!(
        first["slowest"]["findings"][0]["path"],
        "explain-moments/paths"
    );
    let second = &all["moments"][1];
    assert_eq!(
        (&second["frame"], &second["note"]),
        (&800.into(), &"".into())
    );
    assert_eq!(second["hitches"].as_array().expect("a list").len(), 0);
    let slowest = second["slowest"]["frame"].as_u64();
    assert!(slowest >= Some(600) && slowest != Some(700), "{slowest:?}");
    assert_eq!(all["moments"].as_array().expect("a list").len(), 2);
    for verb in ["explain", "report"] {
        let text = stats(&folder.0, &format!("{verb} run.parquet")).stdout;
        assert!(text.contains("moment 1: the bridge"), "{text}");
        assert!(text.contains("330: 50.0"), "{text}");
    }
}

/// Records frames of 10 ms, a hitch in frame 300, and lines of the log near it and far from it.
#[test]
fn a_hitch_is_shown_with_the_lines_of_the_log_before_it() {
    let folder = Folder::new("tool-explain-log");
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("a folder");
    let paths = stats_core::timer("explain-log/paths");
    let mut secs = 0.0;
    capture.end_frame_at(secs);
    for frame in 1..600 {
        // In the second long frame, a debugger stopped the program.
        let long_ms = if frame == 300 || frame == 450 { 40 } else { 0 };
        paths.record(Duration::from_millis(2 + long_ms));
        match frame {
            90 => capture.mark("log error game: too early", MarkEvent::Point),
            120 => capture.mark("log info game::net: retrying", MarkEvent::Point),
            300 => capture.mark(
                "log warn game::level: loading |x| took long",
                MarkEvent::Point,
            ),
            450 => capture.mark(
                "log warn stats::stopped: the whole program stood still for 9.0 s",
                MarkEvent::Point,
            ),
            301 => capture.mark("log error game: too late", MarkEvent::Point),
            _ => {}
        }
        secs += 0.01 + long_ms as f64 / 1e3;
        capture.end_frame_at(secs);
    }
    capture.finish().expect("a capture");
    let all = stats(&folder.0, "explain run.parquet --format json")
        .ends(0)
        .json();
    let one = stats(&folder.0, "explain run.parquet --frame 300 --format json")
        .ends(0)
        .json();
    assert_eq!(all["hitches"].as_array().map(Vec::len), Some(1), "{all:#}");
    let line = |frame: u64, level: &str, target: &str, text: &str| serde_json::json!({ "frame": frame, "level": level, "target": target, "text": text });
    let expected = serde_json::Value::from(vec![
        line(120, "info", "game::net", "retrying"),
        line(300, "warn", "game::level", "loading |x| took long"),
    ]);
    assert_eq!(all["hitches"][0]["log"], expected);
    assert_eq!(one["log"], expected);
    for command in ["explain run.parquet", "report run.parquet"] {
        let text = stats(&folder.0, command).stdout;
        assert!(text.contains("info game::net: retrying"), "{text}");
        assert!(
            text.contains("warn game::level: loading |x| took long"),
            "{text}"
        );
        assert!(
            !text.contains("too early") && !text.contains("too late"),
            "{text}"
        );
    }
}

/// Records frames of 10 ms. In frame 200, a scope takes 12 ms longer.
fn record(folder: &Folder, root: &str) {
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("a folder");
    let paths = stats_core::timer(&format!("{root}/ai/paths"));
    let draw = stats_core::timer(&format!("{root}/draw"));
    let mut secs = 0.0;
    capture.end_frame_at(secs);
    for frame in 1..300 {
        let paths_ms = if frame == 200 { 13 } else { 1 };
        paths.record(Duration::from_millis(paths_ms));
        draw.record(Duration::from_millis(8));
        secs += (9 + paths_ms) as f64 / 1000.0;
        capture.end_frame_at(secs);
    }
    capture.finish().expect("a capture");
}

#[test]
fn the_scope_that_made_a_frame_long_is_named() {
    let folder = Folder::new("tool-explain");
    record(&folder, "explain");
    let all = stats(&folder.0, "explain run.parquet --format json")
        .ends(0)
        .json();
    assert_eq!(all["format"], 1);
    let hitches = all["hitches"].as_array().expect("hitches");
    assert_eq!(hitches.len(), 1, "{all:#}");
    let [leaks, periodic] = [&all["leaks"], &all["periodic"]];
    assert!(leaks.as_array().is_some_and(Vec::is_empty) && periodic.is_array());
    let one = stats(&folder.0, "explain run.parquet --frame 200 --format json")
        .ends(0)
        .json();
    for hitch in [&hitches[0], &one] {
        assert_eq!(
            (&hitch["frame"], &hitch["single_culprit"]),
            (&200.into(), &true.into())
        );
        assert_eq!(hitch["frame_ms"].as_f64().map(f64::round), Some(22.0));
        assert_eq!(hitch["excess_ms"].as_f64().map(f64::round), Some(12.0));
        let first = &hitch["findings"][0];
        assert_eq!(
            (&first["path"], &first["role"]),
            (&"explain/ai/paths".into(), &"culprit".into())
        );
        assert_eq!(
            (&first["value"], &first["unit"]),
            (&13.0.into(), &"ms".into())
        );
        assert!(first["share"].as_f64() > Some(0.9), "{first}");
    }
    let text = stats(&folder.0, "explain run.parquet").stdout;
    assert!(text.contains("+12.0 ms: 100 % explain/ai/paths"), "{text}");
}

/// Records frames of 10 ms. In frame 200, which takes 120 ms, a scope ends that was open for five
/// minutes, and a counter of rare events counts six.
#[test]
fn nothing_is_longer_than_its_frame_and_whole_things_are_whole() {
    let folder = Folder::new("tool-explain-load");
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("a folder");
    let load = stats_core::timer("explain-load/level");
    let draw = stats_core::timer("explain-load/draw");
    let spawned = stats_core::counter("explain-load/spawned");
    let mut secs = 0.0;
    capture.end_frame_at(secs);
    for frame in 1..300 {
        draw.record(Duration::from_millis(8));
        spawned.add(if frame == 20 { 2 } else { 0 });
        if frame == 200 {
            load.record(Duration::from_secs(300));
            spawned.add(6);
        }
        secs += if frame == 200 { 0.12 } else { 0.01 };
        capture.end_frame_at(secs);
    }
    capture.finish().expect("a capture");
    let all = stats(&folder.0, "explain run.parquet --format json")
        .ends(0)
        .json();
    let hitch = &all["hitches"][0];
    let verdict = hitch["verdict"].as_str().expect("a verdict");
    assert!(
        verdict.contains(
            "+110.0 ms: 100 % in no scope, or in explain-load/level, which began before this frame"
        ),
        "{verdict}"
    );
    let number =
        |finding: &serde_json::Value, name: &str| finding[name].as_f64().expect("a number");
    let mut found = false;
    for finding in hitch["findings"].as_array().expect("findings") {
        let [share, value, usual, record] =
            ["share", "value", "usual", "record"].map(|name| number(finding, name));
        assert!((0.0..=1.0).contains(&share), "{finding}");
        found |= finding["path"] == "explain-load/spawned";
        match finding["unit"].as_str() {
            Some("ms") => assert!(value <= 120.0 && record <= 120.0, "{finding}"),
            _ => assert!([value, usual, record].iter().all(|one| one.fract() == 0.0)),
        }
    }
    assert!(found, "{hitch:#}");
    let text = stats(&folder.0, "explain run.parquet").stdout;
    assert!(!text.contains("300,0") && !text.contains("300.0"), "{text}");
    // The time in no scope is called so everywhere.
    assert!(text.contains("\n  in no scope "), "{text}");
    assert!(!text.contains("unaccounted"), "{text}");
}

/// Writes frames that end on the thread `game`, which is neither `main` nor the first thread of a timer.
#[test]
fn the_scopes_of_a_frame_are_those_of_the_thread_that_ended_it() {
    let folder = Folder::new("tool-explain-threads");
    let long = |index: u64| if index == 200 { 30.0 } else { 0.0 };
    let mut run = WrittenRun::new(300, |frame| 10.0 + long(frame));
    run.timer_on("window", "window", |_| 0.5);
    run.timer_on("game", "game/step", |frame| 8.0 + long(frame));
    let of = |run: &WrittenRun| {
        run.write(folder.0.join("run.parquet"));
        let explained = stats(&folder.0, "explain run.parquet --format json")
            .ends(0)
            .json();
        let report = stats(&folder.0, "report run.parquet --format json")
            .ends(0)
            .json();
        let metrics = report["metrics"].as_array().expect("a list").clone();
        let is_rest = |metric: &&serde_json::Value| metric["name"] == "subsystems/unaccounted";
        let rest = metrics.iter().find(is_rest).expect("a metric");
        (
            explained["hitches"][0]["verdict"].clone(),
            (rest["value"].as_f64().expect("a number") * 10.0).round() / 10.0,
        )
    };
    // Without the thread, the first one counts: its window takes 0.5 ms of 10.1 ms in the mean.
    assert_eq!(of(&run).1, 9.6);
    run.run.frame_thread = Some("no timer".to_owned());
    assert_eq!(of(&run).1, 9.6);
    run.run.frame_thread = Some("game".to_owned());
    assert_eq!(of(&run), ("+30.0 ms: 100 % game/step".into(), 2.0));
}

/// Records frames of 10 ms, of which every 60th takes 30 ms longer in no scope.
#[test]
fn a_stall_in_no_scope_is_called_so() {
    let folder = Folder::new("tool-explain-stall");
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("a folder");
    let draw = stats_core::timer("explain-stall/draw");
    let mut secs = 0.0;
    capture.end_frame_at(secs);
    for frame in 1..600 {
        draw.record(Duration::from_millis(8));
        secs += if frame % 60 == 0 { 0.04 } else { 0.01 };
        capture.end_frame_at(secs);
    }
    capture.finish().expect("a capture");
    let text = stats(&folder.0, "explain run.parquet").stdout;
    let stalls = "time in no scope stalls every 60 frames";
    assert!(text.contains(stalls), "{text}");
    assert!(!text.contains("unaccounted"), "{text}");
    let text = stats(&folder.0, "report run.parquet").stdout;
    assert!(text.contains("\n  time in no scope "), "{text}");
    assert!(!text.contains("unaccounted"), "{text}");
}

#[test]
fn the_error_for_a_missing_frame_names_the_range_of_frames() {
    let folder = Folder::new("tool-explain-none");
    record(&folder, "explain-none");
    let output = stats(&folder.0, "explain run.parquet --frame 5000");
    output.ends(64);
    output.says("its frames are 0 to 299");
}

#[test]
fn the_budgets_and_the_warm_up_of_stats_toml_apply() {
    let folder = Folder::new("tool-explain-config");
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(&path, CaptureOptions::default()).expect("a folder");
    let work = stats_core::timer("explain-config/work");
    let entities = stats_core::up_down_counter("explain-config/entities").budget(1e9);
    let mut secs = 0.0;
    // A level that begins at nothing could be that of a game that fills.
    entities.add(20_000.0);
    capture.end_frame_at(secs);
    for frame in 1..2400 {
        let ms = if [300, 610, 1200].contains(&frame) {
            40
        } else {
            9
        };
        work.record(Duration::from_millis(ms));
        entities.add(10.0);
        secs += (1 + ms) as f64 / 1000.0;
        capture.end_frame_at(secs);
    }
    capture.finish().expect("a capture");
    let hitches = |explained: &serde_json::Value| {
        let hitches = explained["hitches"].as_array().expect("hitches").iter();
        let frames = hitches.map(|hitch| hitch["frame"].as_u64().expect("a frame"));
        frames.collect::<Vec<_>>()
    };
    let explain = || {
        stats(&folder.0, "explain run.parquet --format json")
            .ends(0)
            .json()
    };
    let all = explain();
    assert_eq!(hitches(&all), [300, 610, 1200]);
    assert!(all["leaks"][0]["seconds_to_budget"].as_f64() > Some(1e5));
    let file = folder.0.join("stats.toml");
    let budgets = "warm_up_seconds = 5\n[budgets]\n'explain-config/*' = \"68000\"\n";
    std::fs::write(&file, budgets).expect("a temporary file");
    let judged = explain();
    assert_eq!(hitches(&judged), [610, 1200]);
    // The level grows by ten in each frame of slightly more than 10 ms. A busy machine may have
    // dropped the last frames.
    let frames = CaptureFile::open(&path).expect("a capture").frames();
    let expected = (4800.0 - frames.end as f64) * 10.04 / 1e3;
    let leak = &judged["leaks"][0];
    assert_eq!(
        (&leak["unit"], &leak["budget"]),
        (&"".into(), &68_000.0.into())
    );
    assert_eq!(leak["value"], 20_000.0 + 10.0 * (frames.end - 1) as f64);
    let seconds = leak["seconds_to_budget"].as_f64();
    let seconds = seconds.expect("a budget");
    assert!((seconds - expected).abs() < 2.0, "{seconds} {expected}");
    assert_eq!(judged["left_out_frames"], 498);
    let text = stats(&folder.0, "explain run.parquet").stdout;
    assert!(text.contains("Frames left out: 498 ("), "{text}");
    std::fs::write(&file, "[budgets]\n'explain-config/*' = '10'").expect("a temporary file");
    assert_eq!(explain()["leaks"][0]["seconds_to_budget"], 0.0);
    let text = stats(&folder.0, "explain run.parquet").stdout;
    assert!(text.contains("over its budget of 10"), "{text}");
}

#[test]
fn the_first_frame_has_nothing_to_be_compared_with() {
    let folder = Folder::new("tool-explain-first");
    crate::record(&folder.0.join("run.parquet"), "smoke", 30, "explain/first");
    let output = stats(&folder.0, "explain run.parquet --frame 0");
    let text = &output.stdout;
    output.ends(0);
    assert!(
        text.contains("ms: no earlier frame to compare with"),
        "{text}"
    );
    assert!(!text.contains("usually"), "{text}");
}
