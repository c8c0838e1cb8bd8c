//! The output that docs/testers.md shows.

use stats_capture::RecordedKind;
use stats_testing::Folder;

use crate::stats;
use crate::written::WrittenRun;

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
    let mut run = WrittenRun::new(300, |frame| 1.0 + step_ms(frame) + save_ms(frame));
    run.timer_on("main", "frame/simulate", step_ms);
    run.timer_on("main", "level/autosave", save_ms);
    let calls = |frame| f64::from(u8::from(save_ms(frame) > 0.0));
    let calls = run.series("level/autosave/calls", RecordedKind::TimerCalls, "", calls);
    calls.of = Some("level/autosave".to_owned());
    let saved = "log info game::level: saved the game";
    run.point(saved, SAVES[0]);
    run.point("moment 1: stutter at the gate", 91);
    run.point(saved, SAVES[1]);
    run.point("moment 2", 242);
    run.write(file);
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
