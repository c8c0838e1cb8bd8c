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
use super::{Format, Head, Options, Refusal, names, sample_step, text};
use document::{CaptureData, Document, Flag, Info, Numbers, Recording, Sensor};

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
    let bytes = head.text();
    let is_object = bytes.first() == Some(&b'{');
    let has = |text: &[u8]| bytes.windows(text.len()).any(|at| at == text);
    is_object && (has(b"\"CaptureData\"") || (has(b"\"Runs\"") && has(b"\"Info\"")))
}

fn read(file: &Path, options: &Options) -> Result<Vec<Log>, Refusal> {
    let reader = BufReader::new(File::open(file).map_err(Refusal::Io)?);
    let reader = BufReader::new(text::utf_8(reader).map_err(Refusal::Io)?);
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

fn to_log(
    recording: Recording,
    info: &Info,
    file: &Path,
    options: &Options,
) -> Result<Log, Refusal> {
    let mut data = recording.capture_data;
    let durations = durations(data.ms_between_presents.take())?;
    let ends = ends(data.time_in_seconds.take(), &durations);
    let pairs = ends.iter().zip(&durations);
    let starts: Vec<f64> = pairs.map(|(end, ms)| end - ms / 1e3).collect();
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
        count_text(durations.len() as u64, "frame", "frames")
    );
    log.said.push(said);
    describe(&mut log, info);
    log.label("runtime", recording.present_mon_runtime.unwrap_or_default());
    for array in frame_arrays(data) {
        array.add_to(&mut log);
    }
    let sensors = recording.sensor_data_2.unwrap_or_default();
    add_sensors(&mut log, &sensors, &ends);
    log.run.started_at = info.creation_date.clone().unwrap_or_default();
    if log.run.started_at.is_empty() {
        log.set_started_at(file);
    }
    Ok(log)
}

/// Returns the frame times, at least one.
fn durations(all: Numbers) -> Result<Vec<f64>, Refusal> {
    let Some(all) = all.filter(|all| !all.is_empty()) else {
        return Err(Refusal::new(
            "CaptureData has no MsBetweenPresents; save the record again",
        ));
    };
    let is_bad = |ms: &Option<f64>| !ms.is_some_and(|ms| (0.0..1e9).contains(&ms));
    if let Some(at) = all.iter().position(is_bad) {
        return Err(Refusal::new(format!(
            "CaptureData.MsBetweenPresents[{at}] is no frame time; save the record again"
        )));
    }
    Ok(all.into_iter().flatten().collect())
}

/// Returns when each frame was presented, in seconds: the sums of the frame times if not all times are
/// known.
fn ends(times: Numbers, durations: &[f64]) -> Vec<f64> {
    let times = times.unwrap_or_default();
    let is_known = |time: &Option<f64>| time.is_some_and(f64::is_finite);
    if times.len() == durations.len() && times.iter().all(is_known) {
        return times.into_iter().flatten().collect();
    }
    let mut sum = 0.0;
    let ends = durations.iter().map(|ms| {
        sum += ms / 1e3;
        sum
    });
    ends.collect()
}

/// An array with a value for each frame, and the series that it becomes.
struct FrameArray {
    name: &'static str,
    values: Numbers,
    path: &'static str,
    kind: RecordedKind,
    /// Whether the time is spent waiting. A row has the wait of the frame after it.
    is_wait: bool,
    /// Whether 0 stands for a value that is not known.
    is_zero_unknown: bool,
}

impl FrameArray {
    fn new(name: &'static str, values: Numbers, path: &'static str, kind: RecordedKind) -> Self {
        Self {
            name,
            values,
            path,
            kind,
            is_wait: false,
            is_zero_unknown: true,
        }
    }

    fn with_zero(self) -> Self {
        Self {
            is_zero_unknown: false,
            ..self
        }
    }

    /// Adds the series, unless it was not measured. Says if the number of values is wrong.
    fn add_to(self, log: &mut Log) {
        let Some(values) = self.values.filter(|values| !values.is_empty()) else {
            return;
        };
        let frames = log.frames.len();
        if values.len() != frames {
            log.said.push(format!(
                "{} has {} values for {frames} frames and was left out",
                self.name,
                values.len()
            ));
            return;
        }
        let known = |value: &f64| !(self.is_zero_unknown && *value == 0.0);
        let values = values.into_iter();
        let values = values.map(|value| value.filter(known).unwrap_or(f64::NAN));
        let mut values: Vec<f64> = values.collect();
        // Not measured: all null or 0.
        let is_measured = values.iter().any(|value| !value.is_nan() && *value != 0.0);
        if !is_measured && self.kind != Counter {
            return;
        }
        if self.is_wait {
            values.pop();
            values.insert(0, f64::NAN);
        }
        let unit = if self.kind == Counter { "" } else { "ms" };
        log.add(self.path, self.kind, unit, values).wait = self.is_wait;
    }
}

fn frame_arrays(data: CaptureData) -> [FrameArray; 8] {
    let dropped = data.dropped.map(|all| {
        let all = all.into_iter();
        all.map(|is| is.map(Flag::number)).collect()
    });
    let of = FrameArray::new;
    [
        of("CpuActive", data.cpu_active, "frame/cpu", Timer),
        FrameArray {
            is_wait: true,
            ..of(
                "MsInPresentAPI",
                data.ms_in_present_api,
                "present/in present call",
                Timer,
            )
            .with_zero()
        },
        of("GpuActive", data.gpu_active, "gpu/frame", Timer),
        of(
            "MsUntilDisplayed",
            data.ms_until_displayed,
            "display/latency",
            Gauge,
        ),
        of(
            "MsBetweenDisplayChange",
            data.ms_between_display_change,
            "display/between changes",
            Gauge,
        ),
        of("PcLatency", data.pc_latency, "display/pc latency", Gauge),
        of(
            "AnimationError",
            data.animation_error,
            "present/animation error",
            Gauge,
        )
        .with_zero(),
        of("Dropped", dropped, "display/not shown", Counter).with_zero(),
    ]
}

/// Adds the sensors, which have a clock of their own. `ends` is when each frame was presented.
fn add_sensors(log: &mut Log, sensors: &[(String, Sensor)], ends: &[f64]) {
    let clock = sensors.iter().find(|(id, _)| id == CLOCK);
    let clock: Vec<f64> = clock.map(|(_, clock)| clock.numbers()).unwrap_or_default();
    // A sensor has few values, and a value for each frame afterward.
    let most = MAX_VALUES / ends.len().max(1);
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
        let values = held(&clock, &values, ends);
        log.add(&sensor_path(sensor), Gauge, sensor.unit(), values);
    }
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
