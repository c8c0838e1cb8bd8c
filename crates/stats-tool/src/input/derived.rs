//! Opens captures with the derived series of `stats.toml`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use stats_analysis::derived::{Definitions, Evaluation, Formula};
use stats_capture::{CaptureFile, Column, ReadError, SeriesRecord};
use stats_config::{Config, nearest};
use stats_core::{Source, Unit};

use crate::output::say;

/// The definitions of this run of the command. All captures that it opens have them.
static DEFINED: OnceLock<Definitions> = OnceLock::new();

/// What was said, so that it is said once, whatever the number of captures.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Adds the derived series of a file to all captures that are opened from now on.
pub(crate) fn define(config: &Config) {
    // The file was checked when it was read, and a command reads one.
    let _ = DEFINED.set(config.definitions().unwrap_or_default());
}

/// Opens a capture, and adds the derived series of `stats.toml`. A capture that contains a series of
/// that path keeps it. Says which series cannot be computed, and leaves them out.
pub(crate) fn open(file: &Path) -> Result<CaptureFile, ReadError> {
    let mut capture = CaptureFile::open(file)?;
    let from_folder = || {
        let config = Config::find(".").ok().flatten().unwrap_or_default();
        config.definitions().unwrap_or_default()
    };
    for (path, formula) in DEFINED.get_or_init(from_folder).iter() {
        add(&mut capture, path, formula);
    }
    Ok(capture)
}

fn add(capture: &mut CaptureFile, path: &str, formula: &Formula) {
    let unit_of = |path: &str| {
        let record = capture.series().iter().find(|record| record.path == path);
        match record {
            Some(record) => Unit::from_symbol(&record.unit).unwrap_or_default(),
            None => Unit::Milliseconds,
        }
    };
    if capture.find(path).is_some() {
        return;
    }
    let (mut inputs, mut units) = (Vec::new(), Vec::new());
    for input in formula.inputs() {
        match capture.read(input) {
            Ok(column) => {
                inputs.push(column);
                units.push(unit_of(input));
            }
            Err(error) => return say_missing(capture, path, input, &error),
        }
    }
    let unit = match formula.unit(&units) {
        Ok(unit) => unit,
        Err(error) => return say_left_out(path, &error.to_string()),
    };
    let values = values(capture, formula, &inputs);
    let record = SeriesRecord::gauge(path, unit.symbol());
    capture.add_series(record, capture.frames().start, values);
}

/// Computes a series in all frames of a capture.
fn values(capture: &CaptureFile, formula: &Formula, inputs: &[Column]) -> Vec<f64> {
    let mut evaluation = Evaluation::new(formula);
    let mut of_frame = Vec::with_capacity(inputs.len());
    let frames = capture.frames();
    let value = |frame| {
        of_frame.clear();
        of_frame.extend(
            inputs
                .iter()
                .map(|column| column.slice().at(frame).unwrap_or(f64::NAN)),
        );
        let frame_ms = capture
            .frame(frame)
            .map_or(f64::NAN, |frame| frame.duration_ms);
        evaluation.next(formula, &of_frame, frame_ms)
    };
    frames.map(value).collect()
}

/// Says once why a series cannot be computed.
fn say_missing(capture: &CaptureFile, path: &str, input: &str, error: &ReadError) {
    let what = match error {
        ReadError::NoSeries { .. } => {
            let names = || capture.series().iter().map(|record| record.path.as_str());
            let divisor = |name| input.strip_prefix(name)?.strip_prefix('/');
            let is_quotient = names()
                .filter_map(divisor)
                .any(|divisor| names().any(|name| name == divisor));
            let cure = match nearest(input, names()) {
                _ if is_quotient => "; write spaces around the / of a quotient".to_owned(),
                Some(near) => format!("; did you mean {near:?}?"),
                None => String::new(),
            };
            format!("there is no series {input:?}{cure}")
        }
        error => error.to_string(),
    };
    say_left_out(path, &what);
}

/// Says once that a series is left out.
fn say_left_out(path: &str, what: &str) {
    let text = format!("the derived series {path:?} is left out: {what}");
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(text.clone()) {
        say(format_args!("{text}"));
    }
}
