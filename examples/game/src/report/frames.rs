//! What a run that plays itself prints at its end: every histogram, and the frame times in figures.
use std::fmt::Write;

use stats_core::{FrameRules, FrameStatistics, Mark, Recorder};
use stats_overlay::Settings;

use crate::events::LOADING;

/// Half of all healthy frames of a display's rate are a little over its period: only a tenth more
/// is a spike, as in the overlay.
const TOLERANCE: f64 = 0.1;

/// The whole text; nothing with everything compiled out.
pub(crate) fn report(recorder: &Recorder, settings: &Settings) -> String {
    let mut text = String::new();
    if stats_core::ENABLED {
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n\n{}\n\n{}",
            stats_core::report(),
            frames(recorder, &rules(settings))
        );
    }
    text
}

/// How the frames are judged: as the overlay is set.
fn rules(settings: &Settings) -> FrameRules {
    let mut rules = FrameRules::default();
    rules.budget_ms = settings.frame_budget_ms;
    rules.budget_tolerance = TOLERANCE;
    rules.refresh_period_ms = settings.display_hz.map(|hz| 1e3 / hz);
    rules
}

/// The frame times that the recorder holds, without those of loading: nobody plays meanwhile.
fn frames(recorder: &Recorder, rules: &FrameRules) -> String {
    let (held, marks) = (
        recorder.frame_times(recorder.history_capacity()),
        recorder.marks(),
    );
    let frames_ms = held.without_marked(marks, &[LOADING]);
    let left_out = frames_ms.iter().filter(|ms| ms.is_nan()).count();
    let figures = FrameStatistics::of(&frames_ms, rules)
        .map_or_else(|| "none".to_owned(), |statistics| statistics.to_string());
    let first = held.first_frame();
    format!(
        "frame times without {LOADING} ({left_out} left out), counted from frame {first}\n{figures}\nmarked: {}",
        marked(marks)
    )
}

fn marked(marks: &[Mark]) -> String {
    let marks: Vec<String> = marks.iter().map(told).collect();
    if marks.is_empty() {
        "nothing".to_owned()
    } else {
        marks.join(", ")
    }
}

fn told(mark: &Mark) -> String {
    let (name, first) = (&mark.name, mark.frames.start);
    match mark.frames.end - 1 {
        last if mark.is_point || last == first => format!("{name} at {first}"),
        _ if mark.is_open() => format!("{name} from {first}"),
        last => format!("{name} from {first} to {last}"),
    }
}
