//! The logs of MangoHud.
//!
//! The lines of a log: the names of the machine's facts, their values, the names of the columns,
//! and the rows. `elapsed` is when a frame ended, in nanoseconds. `frametime` is in microseconds up
//! to version 0.6 and in milliseconds since 0.7, under the same name; the product with `fps`, which
//! is smoothed, tells them apart over all rows. Values are never quoted.

#[cfg(test)]
mod tests;

use std::path::Path;

use stats_analysis::format::count_text;
use stats_capture::RecordedKind;

use super::log::{Log, consecutive, without_gaps};
use super::text::{Fields, Lines, is_blank, names_in, number, text};
use super::{BadRows, Format, Head, Options, Refusal, median, names, sample_step};

pub(super) const FORMAT: Format = Format {
    name: "mangohud",
    program: "MangoHud",
    is,
    read,
    is_refused: false,
    is_strict: true,
};

/// The first names in the first line of a log.
const FACTS: [&str; 5] = ["os", "cpu", "gpu", "ram", "kernel"];

/// The columns that every log has, in any order.
const COLUMNS: [&str; 2] = ["fps", "frametime"];

/// The product of `fps` and `frametime` between that of milliseconds, 10³, and of microseconds,
/// 10⁶.
const PRODUCT: f64 = 31_622.8;

/// The maximum number of lines before the rows.
const MAX_HEAD: usize = 16;

fn is(head: &Head) -> bool {
    let mut lines = head.lines.iter().take(MAX_HEAD);
    lines.any(|line| {
        let (names, _) = names_in(line.as_bytes());
        are_facts(&names) || positions(&names) == Some([0, 1])
    })
}

/// Returns whether names are those of the machine's facts.
fn are_facts(names: &[String]) -> bool {
    names
        .iter()
        .zip(FACTS)
        .filter(|(name, fact)| *name == fact)
        .count()
        == FACTS.len()
}

/// Returns the positions of `fps` and `frametime` among the names of columns.
fn positions(names: &[String]) -> Option<[usize; 2]> {
    let position = |name: &str| names.iter().position(|other| other == name);
    Some([position(COLUMNS[0])?, position(COLUMNS[1])?])
}

fn read(file: &Path, options: &Options) -> Result<Vec<Log>, Refusal> {
    let mut lines = Lines::open(file).map_err(Refusal::Io)?;
    let mut log = Log::new("mangohud");
    let (mut is_facts, mut head) = (false, 0);
    let (columns, at, delimiter) = loop {
        let Some(line) = lines.next()? else {
            return Err(Refusal::new(
                "it is a MangoHud log without rows; record it again",
            ));
        };
        let line = text(line);
        head += 1;
        let (names, delimiter) = names_in(line.as_bytes());
        if let Some(at) = positions(&names) {
            break (names, at, delimiter);
        }
        if is_facts {
            set_machine(&mut log, &names);
        } else if names.len() == 1 && is_version(&line) {
            log.label(
                "imported",
                format!("mangohud {}", line.trim_start_matches('v')),
            );
        }
        if head >= MAX_HEAD
            || (!is_facts
                && names.len() >= 4
                && names.iter().all(|field| number(field.as_bytes()).is_some()))
        {
            return Err(Refusal::new(
                "it is a MangoHud log without the names of its columns, as versions up to 0.4 write it; record it with a \
                 newer version",
            ));
        }
        is_facts = are_facts(&names);
    };
    let rows = Rows::read(&mut lines, &columns, at, delimiter)?;
    rows.into_log(log, &columns, file, options)
        .map(|log| vec![log])
}

/// Returns whether a line is the version of MangoHud, such as `0.8.1`. The version of the format,
/// `v1`, has no point.
fn is_version(line: &str) -> bool {
    let digits = line.trim_start_matches('v');
    digits.starts_with(|char: char| char.is_ascii_digit()) && digits.contains('.')
}

/// Fills in the facts about the machine. A comma in the name of the graphics card shifts the
/// fields after it. So the fields after the size of the memory, which is a number, are counted from there.
fn set_machine(log: &mut Log, values: &[String]) {
    let get = |at: usize| values.get(at).filter(|text| !text.is_empty()).cloned();
    let is_size = |at: &usize| {
        values[*at].len() >= 5 && values[*at].bytes().all(|byte| byte.is_ascii_digit())
    };
    let ram = (2..values.len()).rev().find(is_size).unwrap_or(3);
    let machine = &mut log.run.machine;
    (machine.os, machine.cpu) = (get(0), get(1));
    let gpu = values
        .get(2..ram.min(values.len()))
        .unwrap_or_default()
        .join(",");
    machine.gpu = Some(gpu).filter(|gpu| !gpu.is_empty());
    // In KiB.
    machine.memory_bytes = get(ram).and_then(|ram| ram.parse::<u64>().ok()?.checked_mul(1024));
    let driver = values.get(ram + 2..values.len().saturating_sub(1).max(ram + 2));
    machine.driver = driver
        .map(|driver| driver.join(","))
        .filter(|driver| !driver.is_empty());
    machine.power = values
        .last()
        .filter(|_| values.len() > ram + 3)
        .filter(|text| !text.is_empty())
        .cloned();
    log.run.platform = "linux".to_owned();
    log.label("kernel", get(ram + 1).unwrap_or_default());
}

/// The rows of a log.
struct Rows {
    /// The positions of `fps` and `frametime`.
    at: [usize; 2],
    /// By column; NaN for a field that is no number.
    values: Vec<Vec<f64>>,
    bad: BadRows,
}

impl Rows {
    fn read(
        lines: &mut Lines,
        columns: &[String],
        at: [usize; 2],
        delimiter: u8,
    ) -> Result<Self, Refusal> {
        let mut rows = Self {
            at,
            values: vec![Vec::new(); columns.len()],
            bad: BadRows::default(),
        };
        let mut fields = Fields::default();
        while lines.next()?.is_some() {
            let (line, line_number, is_complete) = lines.newest();
            if is_blank(line) {
                continue;
            }
            fields.split(line, delimiter);
            if !is_complete && fields.len() < columns.len() {
                continue;
            }
            lines.check_size(columns.len(), rows.values[at[1]].len())?;
            // The figures of a summary after the rows have a name instead of a frame rate.
            let [fps, field] = at.map(|at| fields.get(line, at));
            let is_time = number(field).is_some_and(|time| (0.0..1e9).contains(&time));
            if !is_time || number(fps).is_none() {
                rows.bad.note(line_number, field);
                continue;
            }
            for (at, values) in rows.values.iter_mut().enumerate() {
                values.push(number(fields.get(line, at)).unwrap_or(f64::NAN));
            }
        }
        Ok(rows)
    }

    fn into_log(
        mut self,
        mut log: Log,
        columns: &[String],
        file: &Path,
        options: &Options,
    ) -> Result<Log, Refusal> {
        let [_, time] = self.at;
        let frames = self.values[time].len();
        if frames == 0 {
            return Err(Refusal::new(
                "it is a MangoHud log without rows; record it again",
            ));
        }
        log.said.push(format!(
            "{}: {}",
            log.run.labels["imported"],
            count_text(frames as u64, "frame", "frames")
        ));
        log.said.extend(self.bad.said(frames)?);
        if self.is_in_microseconds() {
            log.said
                .push("frametime is in microseconds, as versions before 0.7 write it".to_owned());
            self.values[time].iter_mut().for_each(|time| *time /= 1e3);
        }
        let durations = std::mem::take(&mut self.values[time]);
        let elapsed = columns.iter().position(|column| column == "elapsed");
        let ends = elapsed.map(|at| &self.values[at]);
        let starts = starts(ends, &durations);
        let step_ms = sample_step(
            "MangoHud",
            &starts,
            &durations,
            "record with log_interval=0",
            options,
        )?;
        log.set_rows(&starts, &durations, step_ms)?;
        for ((column, values), at) in columns.iter().zip(self.values).zip(0..) {
            let is_clock = self.at.contains(&at) || Some(at) == elapsed;
            if !is_clock && values.iter().any(|value| !value.is_nan()) {
                add_gauge(&mut log, column, values);
            }
        }
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let game = name.split('_').next().unwrap_or_default();
        log.run.scenario = Some(game.to_owned()).filter(|game| !game.is_empty());
        log.set_started_at(file);
        Ok(log)
    }

    fn is_in_microseconds(&self) -> bool {
        let [fps, time] = self.at.map(|at| &self.values[at]);
        let products = fps.iter().zip(time).map(|(fps, time)| fps * time);
        median(products.filter(|product| *product > 0.0)) > PRODUCT
    }
}

/// Returns when each frame began, in seconds, from when they ended, in nanoseconds, if that is known.
fn starts(ends: Option<&Vec<f64>>, durations: &[f64]) -> Vec<f64> {
    let began = ends.map(|ends| {
        let pairs = ends.iter().zip(durations);
        pairs
            .map(|(end, ms)| (end - ends[0]) / 1e9 - ms / 1e3)
            .collect()
    });
    let began = began.and_then(|began| without_gaps(began, durations));
    began.unwrap_or_else(|| consecutive(durations))
}

fn add_gauge(log: &mut Log, column: &str, values: Vec<f64>) {
    let memory = ["vram_used", "ram_used", "swap_used", "process_rss"];
    let gib = (1_u64 << 30) as f64;
    let (unit, values) = if memory.iter().any(|end| column.ends_with(end)) {
        ("B", values.into_iter().map(|value| value * gib).collect())
    } else {
        (names::machine_unit(column), values)
    };
    let path = names::machine_path(column);
    log.add(&path, RecordedKind::Gauge, unit, values);
}
