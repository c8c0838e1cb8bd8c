//! The JSON of CapFrameX: one or several captures in a file, each with arrays of equal length.
//!
//! `TimeInSeconds` is when a frame was presented, 0 at the first one, and `MsBetweenPresents` looks
//! back. Sensors have a clock of their own, of about four values a second; a frame has the newest
//! value before its present.

mod document;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use stats_analysis::format::count_text;
use stats_capture::RecordedKind::{self, Counter, Gauge, Timer};

use super::log::Log;
use super::{Format, Head, Options, Refusal, names, sample_step};
use document::{Document, Info, Recording, Sensor};

pub(super) const FORMAT: Format = Format {
    name: "capframex",
    program: "CapFrameX",
    is,
    read,
    is_refused: false,
    is_strict: true,
};

/// The sensor with the times of the others.
const CLOCK: &str = "MeasureTime";

/// The maximum number of values of all sensors.
const MAX_VALUES: usize = 1 << 26;

/// The maximum size of a file, in bytes: a day at 240 frames per second.
const MAX_BYTES: u64 = 4 << 30;

fn is(head: &Head) -> bool {
    let bytes = head
        .bytes
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(&head.bytes);
    let is_object = bytes.trim_ascii_start().first() == Some(&b'{');
    let has = |text: &[u8]| bytes.windows(text.len()).any(|at| at == text);
    is_object && (has(b"\"CaptureData\"") || (has(b"\"Runs\"") && has(b"\"Info\"")))
}

fn read(file: &Path, options: &Options) -> Result<Vec<Log>, Refusal> {
    let mut reader = BufReader::new(File::open(file).map_err(Refusal::Io)?);
    skip_mark(&mut reader).map_err(Refusal::Io)?;
    let document = serde_json::from_reader::<_, Document>(reader.take(MAX_BYTES));
    let document = document.map_err(|error| {
        Refusal::new(format!(
            "it is no JSON of CapFrameX ({error}); save the record again"
        ))
    })?;
    if document.runs.is_empty() {
        return Err(Refusal::new("it has no captures; save the record again"));
    }
    let count = document.runs.len();
    let runs = document.runs.into_iter().zip(1..);
    let logs = runs.map(|(recording, number)| {
        let in_run = |refusal: Refusal| match refusal {
            Refusal::Content(what) if count > 1 => {
                Refusal::Content(format!("capture {number}: {what}"))
            }
            other => other,
        };
        to_log(recording, &document.info, file, options).map_err(in_run)
    });
    logs.collect()
}

/// Skips a byte-order mark.
fn skip_mark(reader: &mut BufReader<File>) -> std::io::Result<()> {
    use std::io::BufRead;
    if reader.fill_buf()?.starts_with(b"\xEF\xBB\xBF") {
        reader.consume(3);
    }
    Ok(())
}

fn to_log(
    recording: Recording,
    info: &Info,
    file: &Path,
    options: &Options,
) -> Result<Log, Refusal> {
    let data = recording.capture_data;
    let Some(durations) = data.ms_between_presents.filter(|all| !all.is_empty()) else {
        return Err(Refusal::new(
            "CaptureData has no MsBetweenPresents; save the record again",
        ));
    };
    let frames = durations.len();
    let bad = durations
        .iter()
        .position(|ms| !ms.is_some_and(|ms| (0.0..1e9).contains(&ms)));
    if let Some(at) = bad {
        return Err(Refusal::new(format!(
            "CaptureData.MsBetweenPresents[{at}] is no frame time; save the record again"
        )));
    }
    let durations: Vec<f64> = durations.into_iter().flatten().collect();
    let times = data.time_in_seconds.unwrap_or_default();
    let has_times =
        times.len() == frames && times.iter().all(|time| time.is_some_and(f64::is_finite));
    let mut sum = 0.0;
    let ends: Vec<f64> = if has_times {
        times.into_iter().flatten().collect()
    } else {
        let ends = durations.iter().map(|ms| {
            sum += ms / 1e3;
            sum
        });
        ends.collect()
    };
    let starts: Vec<f64> = ends
        .iter()
        .zip(&durations)
        .map(|(end, ms)| end - ms / 1e3)
        .collect();
    let version = info.app_version.as_deref().unwrap_or_default();
    let mut log = Log::new(format!("capframex {version}").trim());
    let step_ms = sample_step("CapFrameX", &starts, &durations, "record again", options)?;
    log.set_rows(&starts, &durations, step_ms)?;
    let said = format!(
        "{}: {}, {}",
        log.run.labels["imported"],
        info.process_name
            .as_deref()
            .or(info.game_name.as_deref())
            .unwrap_or("a game"),
        count_text(frames as u64, "frame", "frames")
    );
    log.said.push(said);
    describe(&mut log, info);
    log.label("runtime", recording.present_mon_runtime.unwrap_or_default());
    // Name, values, path, kind, whether late, whether 0 is unknown.
    let arrays = [
        (
            "CpuActive",
            data.cpu_active,
            "frame/cpu",
            Timer,
            false,
            true,
        ),
        (
            "MsInPresentAPI",
            data.ms_in_present_api,
            "present/in present call",
            Timer,
            true,
            false,
        ),
        (
            "GpuActive",
            data.gpu_active,
            "gpu/frame",
            Timer,
            false,
            true,
        ),
        (
            "MsUntilDisplayed",
            data.ms_until_displayed,
            "display/latency",
            Gauge,
            false,
            true,
        ),
        (
            "MsBetweenDisplayChange",
            data.ms_between_display_change,
            "display/between changes",
            Gauge,
            false,
            true,
        ),
        (
            "PcLatency",
            data.pc_latency,
            "display/pc latency",
            Gauge,
            false,
            true,
        ),
        (
            "AnimationError",
            data.animation_error,
            "present/animation error",
            Gauge,
            false,
            false,
        ),
    ];
    for (name, values, path, kind, is_late, is_zero_unknown) in arrays {
        let values = values.map(|values| {
            values
                .into_iter()
                .map(|value| value.unwrap_or(f64::NAN))
                .collect()
        });
        add(&mut log, name, values, path, kind, is_late, is_zero_unknown);
    }
    let dropped = data.dropped.map(|all| {
        let values = all
            .into_iter()
            .map(|is| is.map_or(f64::NAN, document::Flag::number));
        values.collect()
    });
    add(
        &mut log,
        "Dropped",
        dropped,
        "display/not shown",
        Counter,
        false,
        false,
    );
    let sensors = recording.sensor_data_2.unwrap_or_default();
    let clock = sensors.iter().find(|(id, _)| id == CLOCK);
    let clock: Vec<f64> = clock.map(|(_, clock)| clock.numbers()).unwrap_or_default();
    // A sensor has few values, and a value for each frame afterward.
    let most = MAX_VALUES / frames.max(1);
    let all = || sensors.iter().filter(|(id, _)| !id.contains(CLOCK));
    if all().count() > most {
        let count = all().count() - most;
        log.said
            .push(format!("{count} sensors of too many were left out"));
    }
    for (id, sensor) in all().take(most) {
        let values = sensor.numbers();
        if clock.is_empty() || values.len() != clock.len() || id.is_empty() {
            continue;
        }
        log.add(
            &sensor_path(sensor),
            Gauge,
            sensor.unit(),
            held(&clock, &values, &ends),
        );
    }
    log.run.started_at = info.creation_date.clone().unwrap_or_default();
    if log.run.started_at.is_empty() {
        log.set_started_at(file);
    }
    Ok(log)
}

/// Adds a series, unless it was not measured. Says if the number of values is wrong.
fn add(
    log: &mut Log,
    name: &str,
    values: Option<Vec<f64>>,
    path: &str,
    kind: RecordedKind,
    is_late: bool,
    is_zero_unknown: bool,
) {
    let Some(mut values) = values.filter(|values| !values.is_empty()) else {
        return;
    };
    let frames = log.frames.len();
    if values.len() != frames {
        log.said.push(format!(
            "{name} has {} values for {frames} frames and was left out",
            values.len()
        ));
        return;
    }
    if is_zero_unknown {
        values
            .iter_mut()
            .filter(|value| **value == 0.0)
            .for_each(|value| *value = f64::NAN);
    }
    // Not measured: all null or 0.
    let is_measured = values.iter().any(|value| !value.is_nan() && *value != 0.0);
    if !is_measured && kind != Counter {
        return;
    }
    if is_late {
        values.pop();
        values.insert(0, f64::NAN);
    }
    let unit = if kind == Counter { "" } else { "ms" };
    log.add(path, kind, unit, values).wait = is_late;
}

fn describe(log: &mut Log, info: &Info) {
    let run = &mut log.run;
    run.scenario = info.game_name.clone().or_else(|| info.process_name.clone());
    run.platform = "windows".to_owned();
    run.machine.cpu = info.processor.clone();
    run.machine.gpu = info.gpu.clone();
    run.machine.driver = info.gpu_driver_version.clone();
    run.machine.os = info.os.clone();
    for (name, text) in [
        ("process", &info.process_name),
        ("comment", &info.comment),
        ("api", &info.api_info),
        ("resolution", &info.resolution_info),
        ("resizable bar", &info.resizable_bar),
        ("game mode", &info.win_game_mode),
        ("hags", &info.hags),
        ("present mode", &info.presentation_mode),
        ("ram", &info.system_ram),
        ("motherboard", &info.motherboard),
    ] {
        log.label(name, text.clone().unwrap_or_default());
    }
}

/// Returns the path of a sensor: its name, and its type unless the name ends with it.
fn sensor_path(sensor: &Sensor) -> String {
    let name = names::words(&sensor.name);
    let kind = names::words(&sensor.kind);
    if kind.is_empty() || name.ends_with(&kind) {
        format!("machine/{name}")
    } else {
        format!("machine/{name} {kind}")
    }
}

/// Returns the newest value of a sensor at each time; NaN before the first.
fn held(clock: &[f64], values: &[f64], times: &[f64]) -> Vec<f64> {
    let at = |time: &f64| {
        let after = clock.partition_point(|measured| measured <= time);
        after.checked_sub(1).map_or(f64::NAN, |at| values[at])
    };
    times.iter().map(at).collect()
}
