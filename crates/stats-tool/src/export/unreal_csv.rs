//! The format of Unreal Engine's CSV profiler.
//!
//! A file has a row of names, a row for each frame, the row of names again, and a row of metadata
//! that alternates `[Key]` and value. The first column contains the events of the frame, separated
//! by `;`. Nothing is quoted, and `/` separates the category from a name. Unreal Engine's tools
//! look for the columns `FrameTime`, `GameThreadTime` and `GPUTime`.

use std::collections::HashSet;
use std::io::{self, Write};

use chrono::DateTime;
use stats_analysis::format::cell_text;
use stats_config::Config;
use stats_core::Unit;

use super::window::Window;
use crate::metrics::Rules;
use crate::progress::Progress;

/// Writes a run as Unreal Engine would. Unknown values are 0, because the format has no gaps.
pub(super) fn write(
    window: &Window<'_>,
    output: &mut dyn Write,
    progress: &mut Progress,
) -> io::Result<()> {
    let rules = Rules::default();
    let names = window
        .series
        .iter()
        .map(|series| match &series.record.path {
            path if *path == rules.cpu => "GameThreadTime".to_owned(),
            path if *path == rules.gpu => "GPUTime".to_owned(),
            path => plain(path),
        });
    let head = ["EVENTS".to_owned(), "FrameTime".to_owned()];
    let head = head.into_iter().chain(distinct(names));
    let head = head.collect::<Vec<_>>().join(",");
    writeln!(output, "{head}")?;
    let mut events = events(window).into_iter().peekable();
    for frame in window.frames() {
        // The events of dropped frames move to the next recorded frame.
        let mut separator = "";
        while let Some((_, event)) = events.next_if(|(at, _)| *at <= frame.index) {
            write!(output, "{separator}{event}")?;
            separator = ";";
        }
        write!(output, ",{:.4}", frame.duration_ms)?;
        for series in &window.series {
            let value = series.at(frame.index).unwrap_or(0.0);
            if value.fract() == 0.0 {
                write!(output, ",{value}")?;
            } else {
                write!(output, ",{value:.4}")?;
            }
        }
        writeln!(output)?;
        progress.step();
    }
    writeln!(output, "{head}")?;
    writeln!(output, "{}", metadata(window))
}

/// Returns the events of the window in the order of frames: points, and the beginnings and ends of
/// spans.
fn events(window: &Window<'_>) -> Vec<(u64, String)> {
    let mut events = Vec::new();
    for mark in window.capture.mark_records() {
        let name = plain(&mark.name);
        if let Some(end) = mark.end.filter(|end| *end > mark.begin.saturating_add(1)) {
            events.push((end, format!("{name} ends")));
        }
        events.push((mark.begin, name));
    }
    events.retain(|(frame, _)| window.frames.contains(frame));
    events.sort_by_key(|(frame, _)| *frame);
    events
}

fn metadata(window: &Window<'_>) -> String {
    let run = window.capture.run();
    let mut text = String::from("[HasHeaderRowAtEnd],1");
    let mut add = |key: &str, value: Option<&str>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            text += &format!(",[{key}],{}", plain(value));
        }
    };
    add("platform", Some(&run.platform));
    add("buildversion", run.build.as_deref());
    add("commit", run.commit.as_deref());
    add("branch", run.branch.as_deref());
    add("scenario", run.scenario.as_deref());
    add("cpu", run.machine.cpu.as_deref());
    add("desktopgpuadapter", run.machine.gpu.as_deref());
    add("os", run.machine.os.as_deref());
    let started = DateTime::parse_from_rfc3339(&run.started_at);
    let started = started.ok().map(|started| started.timestamp().to_string());
    add("starttimestamp", started.as_deref());
    let target = target_fps(window).map(|fps| fps.to_string());
    add("targetframerate", target.as_deref());
    // The reader takes everything after it for the command line.
    add("commandline", Some(&run.command.join(" ")));
    text
}

/// Returns the frame rate of the frame budget in `stats.toml`, which is in the current folder or above it.
/// Without one, returns the refresh rate of the display.
fn target_fps(window: &Window<'_>) -> Option<f64> {
    let run = window.capture.run();
    let config = Config::find(".").ok().flatten();
    let config = config.map(|config| config.for_scenario(run.scenario.as_deref()));
    let budget_ms = config.and_then(|config| config.budget("frame", Unit::Milliseconds));
    let fps = budget_ms.map(|ms| 1e3 / ms).or(run.refresh_hz)?;
    // Without the error of the division.
    let fps = (fps * 1e6).round() / 1e6;
    (fps.is_finite() && fps > 0.0).then_some(fps)
}

/// Numbers the names that differ only in case, because readers ignore it.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut taken = HashSet::from(["events".to_owned(), "frametime".to_owned()]);
    let number = |name: String| {
        let mut numbers = 2..;
        let mut candidate = name.clone();
        while !taken.insert(candidate.to_lowercase()) {
            candidate = format!("{name} {}", numbers.next().unwrap_or(u32::MAX));
        }
        candidate
    };
    names.map(number).collect()
}

/// Replaces the characters of a text that have a meaning in the format, or for a spreadsheet.
fn plain(name: &str) -> String {
    let replace = |c: char| match c {
        ',' | ';' | '"' | '[' | ']' => '_',
        c if c.is_control() => '_',
        c => c,
    };
    let plain: String = name.chars().map(replace).collect();
    cell_text(&plain).into_owned()
}
