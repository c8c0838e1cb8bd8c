//! The output that docs/testers.md shows.

use stats_capture::{MarkKind, MarkRecord, RecordedKind, Run, SeriesRecord};
use stats_core::Frame;
use stats_testing::Folder;

use crate::stats;

const PAGE: &str = include_str!("../../../../docs/testers.md");

/// The frames in which the game saves, and the time that this takes.
const SAVES: [u64; 2] = [80, 237];
const SAVE_MS: f64 = 50.0;

/// Returns whether a line of the page is one of the output. `…` stands for any text.
fn is_shown(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = parts.next().and_then(|begin| line.strip_prefix(begin)) else {
        return false;
    };
    if !shown.contains('…') {
        return rest.is_empty();
    }
    let parts: Vec<&str> = parts.collect();
    let (last, middle) = parts.split_last().expect("a text after it");
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Writes a run like the one that the page describes: a tester marks two moments, each after a frame in
/// which the game saves.
fn write_run(file: &std::path::Path) {
    let save_ms = |frame: u64| if SAVES.contains(&frame) { SAVE_MS } else { 0.0 };
    let step_ms = |frame: u64| 14.0 + 0.02 * (frame * 7 % 10) as f64;
    let mut now_secs = 0.0;
    let frame = |index| {
        let duration_ms = 1.0 + step_ms(index) + save_ms(index);
        let start_secs = now_secs;
        now_secs += duration_ms / 1e3;
        Frame {
            index,
            start_secs,
            duration_ms,
        }
    };
    let frames: Vec<Frame> = (0..300).map(frame).collect();
    let series = |path: &str, (kind, unit): (RecordedKind, &str), value: &dyn Fn(u64) -> f64| {
        let mut record = SeriesRecord::default();
        (record.path, record.kind) = (path.to_owned(), kind);
        record.unit = unit.to_owned();
        let timer = path.strip_suffix("/calls").or(path.strip_suffix("/self"));
        record.of = timer.map(str::to_owned);
        record.thread = (kind != RecordedKind::TimerCalls).then(|| "main".to_owned());
        (record, (0..300).map(value).collect::<Vec<f64>>())
    };
    let (timer, own) = ((RecordedKind::Timer, "ms"), (RecordedKind::TimerSelf, "ms"));
    let calls = |frame| f64::from(u8::from(save_ms(frame) > 0.0));
    let series = [
        series("frame/simulate", timer, &step_ms),
        series("frame/simulate/self", own, &step_ms),
        series("level/autosave", timer, &save_ms),
        series("level/autosave/self", own, &save_ms),
        series(
            "level/autosave/calls",
            (RecordedKind::TimerCalls, ""),
            &calls,
        ),
    ];
    let mark = |name: &str, frame: u64| {
        let mut mark = MarkRecord::default();
        (mark.name, mark.kind) = (name.to_owned(), MarkKind::Point);
        (mark.begin, mark.end) = (frame, Some(frame + 1));
        mark
    };
    let saved = "log info game::level: saved the game";
    let marks = [
        mark(saved, SAVES[0]),
        mark("moment 1: stutter at the gate", 91),
        mark(saved, SAVES[1]),
        mark("moment 2", 242),
    ];
    stats_capture::write(file, &Run::default(), &frames, &series, &marks).expect("it is writable");
}

#[test]
fn the_page_for_testers_shows_what_the_command_prints() {
    let folder = Folder::new("tool-testers");
    write_run(&folder.0.join("run.parquet"));
    let output = stats(&folder.0, "explain run.parquet").stdout;
    let block = PAGE
        .split("```text\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = output.lines();
    let mut count = 0;
    for shown in block
        .expect("the page has an output")
        .lines()
        .filter(|line| *line != "…")
    {
        let is_there = lines.any(|line| is_shown(&words(shown), &words(line)));
        assert!(is_there, "{shown:?} is not, or not there, in:\n{output}");
        count += 1;
    }
    assert!(count > 10, "{count} lines");
}

#[test]
fn an_ellipsis_stands_for_any_text() {
    for (shown, line, is_it) in [
        ("a b", "a b", true),
        ("a b", "a b c", false),
        ("a …", "a b", true),
        ("a … c … e", "a b c d e", true),
        ("a … c … e", "a b d e", false),
        ("a … c", "b c", false),
    ] {
        assert_eq!(is_shown(shown, line), is_it, "{shown} {line}");
    }
}
