//! OpenMetrics with timestamps, for `promtool tsdb create-blocks-from openmetrics`.

use std::io::{self, Write};

use chrono::DateTime;

use super::window::Window;
use crate::output::say;
use crate::progress::Progress;

/// The name of all samples. The path of the series is a label.
const NAME: &str = "stats_frame_value";

/// Writes each value as a sample with the time when its frame began. Unknown values have no sample.
pub(super) fn write(
    window: &Window<'_>,
    output: &mut dyn Write,
    progress: &mut Progress,
) -> io::Result<()> {
    let run = window.capture.run();
    let began = DateTime::parse_from_rfc3339(&run.started_at);
    if began.is_err() {
        say("the run does not say when it began, so its samples begin in 1970");
    }
    let began_secs = began.map_or(0.0, |began| began.timestamp_millis() as f64 / 1e3);
    writeln!(output, "# HELP {NAME} The value of a series in one frame.")?;
    writeln!(output, "# TYPE {NAME} gauge")?;
    let scenario = escaped(run.scenario.as_deref().unwrap_or_default());
    let labels = |path: &str, unit: &str| {
        let (path, unit) = (escaped(path), escaped(unit));
        format!("path=\"{path}\",unit=\"{unit}\",scenario=\"{scenario}\"")
    };
    let frame_time = labels("frame time", "ms");
    for frame in window.frames() {
        let at_secs = began_secs + frame.start_secs;
        writeln!(
            output,
            "{NAME}{{{frame_time}}} {} {at_secs:.6}",
            frame.duration_ms
        )?;
    }
    for series in &window.series {
        let labels = labels(&series.record.path, &series.record.unit);
        for frame in window.frames() {
            let at_secs = began_secs + frame.start_secs;
            if let Some(value) = series.at(frame.index) {
                writeln!(output, "{NAME}{{{labels}}} {value} {at_secs:.6}")?;
            }
        }
        progress.step();
    }
    writeln!(output, "# EOF")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
