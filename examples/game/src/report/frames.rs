//! All series of the run, the frame times in figures, and the marks.
use std::fmt::Write;

use stats_core::{FrameRules, FrameStatistics, Mark, Recorder};
use stats_overlay::Settings;

use crate::overlay::marks::LOADING;

/// The share of the budget by which a frame may exceed it without being over budget, as in the
/// overlay.
/// At the refresh rate of the display, half of all healthy frames take slightly longer than its
/// period.
const TOLERANCE: f64 = 0.1;

/// Returns the whole section; empty if statistics are compiled out.
pub(super) fn section(recorder: &mut Recorder, settings: &Settings) -> String {
    let mut text = String::new();
    if stats_core::ENABLED {
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n\n{}\n\n{}",
            stats_core::report(),
            frame_times(recorder, &rules(settings))
        );
        for (name, path) in [("CPU", "frame/cpu"), ("GPU", "gpu/frame")] {
            let _ = write!(text, "\n\n{}", timer(recorder, name, path));
        }
    }
    text
}

/// Returns the rules that the overlay's settings imply.
fn rules(settings: &Settings) -> FrameRules {
    let mut rules = FrameRules::default();
    rules.budget_ms = settings.frame_budget_ms;
    rules.budget_tolerance = TOLERANCE;
    rules.refresh_period_ms = settings.display_hz.map(|hz| 1e3 / hz);
    rules
}

/// Returns the statistics of the recorded frame times, without the frames in which a level was
/// loading: nobody plays during those.
fn frame_times(recorder: &Recorder, rules: &FrameRules) -> String {
    let (recorded, marks) = (
        recorder.frame_times(recorder.history_capacity()),
        recorder.marks(),
    );
    let frames_ms = recorded.without_marked(marks, &[LOADING]);
    let left_out = frames_ms.iter().filter(|ms| ms.is_nan()).count();
    let figures = FrameStatistics::of(&frames_ms, rules)
        .map_or_else(|| "none".to_owned(), |statistics| statistics.to_string());
    let first = recorded.first_frame();
    format!(
        "frame times without {LOADING} ({left_out} left out), counted from frame {first}\n{figures}\nmarks: {}",
        list(marks)
    )
}

/// Returns statistics of the frames' CPU or GPU times, against their own budget. GPU times arrive a
/// few frames late; frames without one are left out.
fn timer(recorder: &mut Recorder, name: &str, path: &str) -> String {
    let head = format!("{name} time of a frame, {path}, without {LOADING}");
    let Some(id) = stats_core::find(path) else {
        return format!("{head}: no such timer");
    };
    let (mut budget_ms, mut unavailable) = (None, None);
    stats_core::for_each_series(|info| {
        if info.id == id {
            budget_ms = info.budget;
            unavailable = info.unavailable.map(str::to_owned);
        }
    });
    if let Some(why) = unavailable {
        return format!("{head}: {why}");
    }
    let watch = recorder.watch(id);
    let recorded = recorder.history(&watch, recorder.history_capacity());
    let unknown = recorder.frames().end - recorded.frames().end;
    let times_ms = recorded.without_marked(recorder.marks(), &[LOADING]);
    let left_out = times_ms.iter().filter(|ms| ms.is_nan()).count();
    let mut rules = FrameRules::default();
    (rules.is_frame_time, rules.budget_ms) = (false, budget_ms);
    let figures = FrameStatistics::of(&times_ms, &rules)
        .map_or_else(|| "none".to_owned(), |statistics| statistics.to_string());
    let first = recorded.first_frame();
    format!(
        "{head} ({left_out} left out, {unknown} without a value yet), counted from frame {first}\n{figures}"
    )
}

fn list(marks: &[Mark]) -> String {
    let marks: Vec<String> = marks.iter().map(describe).collect();
    if marks.is_empty() {
        "none".to_owned()
    } else {
        marks.join(", ")
    }
}

fn describe(mark: &Mark) -> String {
    let (name, first) = (&mark.name, mark.frames.start);
    match mark.frames.end - 1 {
        last if mark.is_point || last == first => format!("{name} at {first}"),
        _ if mark.is_open() => format!("{name} from {first}"),
        last => format!("{name} from {first} to {last}"),
    }
}
