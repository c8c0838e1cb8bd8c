//! The logs of PresentMon and of programs that build on it: PresentMon 1.x and 2.x, Intel's capture
//! application, OCAT, CapFrameX's CSV and FrameView.
//!
//! A row is a present. `MsBetweenPresents` looks back, from the present before to this one, so a
//! frame begins that much before its time; the wait of a row belongs to the frame of the next row.
//! `FrameTime` and `MsBetweenAppStart` look forward from `CPUStart…`. A file has the rows of all
//! processes and swap chains.
//!
//! - [`columns`]: what each column means, by its name.
//! - [`stream`]: the rows of one swap chain.
//! - [`clock`]: the columns that say when a row was.

mod clock;
mod columns;
mod stream;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;

use stats_analysis::format::count_text;
use stats_capture::RecordedKind;

use super::log::{Log, consecutive};
use super::text::{Fields, Lines, is_blank, names_in, number, text};
use super::{BadRows, Format, Head, Options, Refusal, names, sample_step};
use columns::{Columns, Value};
use stream::Stream;

pub(super) const FORMAT: Format = Format {
    name: "presentmon",
    program: "PresentMon",
    is,
    read,
    is_refused: false,
    is_strict: false,
};

/// The maximum number of swap chains in a file.
const MAX_STREAMS: usize = 4096;

/// The maximum number of processes that a sentence names.
const MAX_NAMED: usize = 6;

/// The compositor of Windows, which presents as often as the display refreshes.
const COMPOSITOR: &str = "dwm.exe";

fn is(head: &Head) -> bool {
    head.has_header(Columns::are_named)
}

fn read(file: &Path, options: &Options) -> Result<Vec<Log>, Refusal> {
    let head = Head::read(file).map_err(Refusal::Io)?;
    let mut lines = Lines::open(file).map_err(Refusal::Io)?;
    let mut facts = HashMap::new();
    for _ in 0..head.header(Columns::are_named) {
        // `//Key=Value` of CapFrameX.
        if let Some(fact) = lines.next()?.and_then(|line| line.strip_prefix(b"//"))
            && let Some((key, value)) = text(fact).split_once('=')
        {
            facts.insert(key.trim().to_lowercase(), value.trim().to_owned());
        }
    }
    let Some(header) = lines.next()? else {
        return Err(Refusal::new("the file has no header; record the run again"));
    };
    let (names, delimiter) = names_in(header);
    let columns = Columns::of(names, options, !facts.is_empty())?;
    let mut streams = read_rows(&mut lines, &columns, delimiter)?;
    let chosen = choose(&streams, options)?;
    let said = said(&streams, chosen, &columns);
    let stream = streams.swap_remove(chosen);
    // The rows of other processes may take much memory.
    drop(streams);
    let mut log = to_log(stream, &columns, facts, file, options)?;
    log.said.insert(0, said);
    Ok(vec![log])
}

fn read_rows(lines: &mut Lines, columns: &Columns, delimiter: u8) -> Result<Vec<Stream>, Refusal> {
    let mut streams: Vec<Stream> = Vec::new();
    let mut positions: HashMap<Vec<u8>, usize> = HashMap::new();
    let (mut fields, mut key, mut newest_key, mut newest) =
        (Fields::default(), Vec::new(), Vec::new(), 0);
    let mut rows = 0;
    while lines.next()?.is_some() {
        let (line, number, is_complete) = lines.newest();
        if is_blank(line) {
            continue;
        }
        fields.split(line, delimiter);
        // The last line of a program that was killed.
        if !is_complete && fields.len() < columns.len() {
            continue;
        }
        key.clear();
        for at in columns.key() {
            key.extend_from_slice(fields.get(line, at));
            key.push(0);
        }
        if key != newest_key || streams.is_empty() {
            newest = match positions.get(&key) {
                Some(at) => *at,
                None if streams.len() == MAX_STREAMS => {
                    return Err(Refusal::new(format!(
                        "line {number} begins the {MAX_STREAMS}th swap chain, which no recording has; check that it is \
                         the right file"
                    )));
                }
                None => {
                    // A swap chain takes some memory for each column.
                    lines.check_size(8 * columns.len(), streams.len() + 1)?;
                    positions.insert(key.clone(), streams.len());
                    streams.push(Stream::new(columns, &fields, line));
                    streams.len() - 1
                }
            };
            newest_key.clone_from(&key);
        }
        rows += 1;
        lines.check_size(columns.len(), rows)?;
        streams[newest].take(columns, &fields, line, number);
    }
    Ok(streams)
}

/// Returns the swap chain with the most frames that is not the compositor's, of the process that is
/// asked for.
fn choose(streams: &[Stream], options: &Options) -> Result<usize, Refusal> {
    let is_wanted = |stream: &Stream| match &options.process {
        None => true,
        Some(wanted) => {
            let name = stream.application.to_lowercase();
            let wanted = wanted.to_lowercase();
            name == wanted || name.trim_end_matches(".exe") == wanted || stream.process == wanted
        }
    };
    let is_game = |stream: &Stream| !stream.application.eq_ignore_ascii_case(COMPOSITOR);
    let with_frames = || (0..streams.len()).filter(|at| streams[*at].frames() > 0);
    let wanted = with_frames().filter(|at| is_wanted(&streams[*at]));
    // The first of equals wins.
    let best = wanted.max_by_key(|at| {
        (
            is_game(&streams[*at]),
            streams[*at].frames(),
            std::cmp::Reverse(*at),
        )
    });
    best.ok_or_else(|| match &options.process {
        Some(wanted) if with_frames().next().is_some() => {
            let others = rows_of_others(streams, None);
            Refusal::new(format!(
                "no frames are of the process {wanted:?}; the file has {others}"
            ))
        }
        _ => {
            let mut bad = streams.iter().map(|stream| &stream.bad);
            let bad = bad.find(|bad| bad.count > 0);
            let first = bad.map_or(String::new(), |bad| format!(" (first: {})", bad.first));
            Refusal::new(format!(
                "no row has a frame time{first}; record the run again"
            ))
        }
    })
}

/// Returns a sentence about what was chosen and what was left out.
fn said(streams: &[Stream], chosen: usize, columns: &Columns) -> String {
    let stream = &streams[chosen];
    let mut said = columns.dialect.to_owned();
    said += ": ";
    if !stream.application.is_empty() {
        said += &stream.application;
        said += &format!(" (pid {}), ", stream.process);
    }
    said += &count_text(stream.frames() as u64, "frame", "frames");
    let others = rows_of_others(streams, Some(chosen));
    if !others.is_empty() {
        said += &format!("; left out {others}; `stats import --process` chooses another process");
    }
    if stream.generated > 0 {
        said += &format!(
            "; left out {} generated or repeated frames, which are no frames of the game",
            stream.generated
        );
    }
    said
}

/// Returns the number of rows of each process besides a swap chain, the most first.
fn rows_of_others(streams: &[Stream], chosen: Option<usize>) -> String {
    let mut others: Vec<(String, u64)> = Vec::new();
    for (_, stream) in streams
        .iter()
        .enumerate()
        .filter(|(at, _)| Some(*at) != chosen)
    {
        let is_same = chosen.is_some_and(|chosen| {
            streams[chosen].process == stream.process
                && streams[chosen].application == stream.application
        });
        let name = if is_same {
            format!("other swap chains of {}", stream.application)
        } else {
            stream.application.clone()
        };
        let rows = stream.rows();
        match others.iter_mut().find(|(of, _)| *of == name) {
            Some((_, sum)) => *sum += rows,
            None => others.push((name, rows)),
        }
    }
    others.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    let more = others.len().saturating_sub(MAX_NAMED);
    others.truncate(MAX_NAMED);
    let mut list: Vec<String> = others
        .iter()
        .map(|(name, rows)| format!("{name} {}", count_text(*rows, "row", "rows")))
        .collect();
    if more > 0 {
        list.push(format!("{more} more"));
    }
    list.join(", ")
}

/// Turns the rows of a swap chain into a run.
fn to_log(
    stream: Stream,
    columns: &Columns,
    facts: HashMap<String, String>,
    file: &Path,
    options: &Options,
) -> Result<Log, Refusal> {
    let mut log = Log::new(columns.dialect);
    log.said.extend(stream.bad.said(stream.frames())?);
    let starts = stream.starts(columns);
    let step_ms = sample_step(
        columns.dialect,
        &starts,
        &stream.durations,
        "record with PresentMon, which logs every frame",
        options,
    )?;
    log.set_rows(&starts, &stream.durations, step_ms)?;
    describe(&mut log, &stream, facts);
    match &stream.modes[..] {
        [(_, mode)] => log.label("present mode", mode),
        modes => modes
            .iter()
            .for_each(|(frame, mode)| log.point(mode, *frame)),
    }
    add_values(&mut log, columns, stream.values);
    let frames = log.frames.len();
    for ((_, name), steps) in columns.telemetry.iter().zip(&stream.telemetry) {
        if let Some(values) = steps.values(frames) {
            let (path, unit) = (names::machine_path(name), names::machine_unit(name));
            log.add(&path, RecordedKind::Gauge, unit, values);
        }
    }
    log.set_started_at(file);
    Ok(log)
}

/// Adds what the log tells about the run. Facts of the first row have lower priority than `facts`, those
/// above the header.
fn describe(log: &mut Log, stream: &Stream, facts: HashMap<String, String>) {
    if !stream.application.is_empty() {
        let name = stream.application.trim_end_matches(".exe").to_owned();
        log.run.scenario = Some(name);
    }
    log.label("process", &stream.application);
    log.label("pid", &stream.process);
    let facts: HashMap<String, String> = stream.facts.iter().cloned().chain(facts).collect();
    let of = |names: &[&str]| {
        let found = names.iter().find_map(|name| facts.get(*name));
        let found = found.filter(|text| !matches!(text.as_str(), "" | "-" | "NA"));
        found.cloned()
    };
    let machine = &mut log.run.machine;
    machine.cpu = of(&["processor", "cpu"]);
    machine.gpu = of(&["gpu", "gpu name"]);
    machine.os = of(&["os", "operating system"]);
    machine.driver = of(&[
        "gpudriverversion",
        "driverpackage",
        "driver version",
        "basedriverversion",
    ]);
    log.run.platform = "windows".to_owned();
    for (name, keys) in [
        ("runtime", &["runtime", "presentruntime"][..]),
        ("tearing", &["allowstearing"]),
        ("comment", &["comment", "user note"]),
        ("ram", &["systemram", "system ram"]),
        ("resolution", &["resolution"]),
    ] {
        log.label(name, of(keys).unwrap_or_default());
    }
}

/// Adds the series, and which frames were not shown if only their times tell.
fn add_values(log: &mut Log, columns: &Columns, all: Vec<Vec<f64>>) {
    let frames = log.frames.len();
    let mut not_shown: Option<Vec<f64>> = None;
    for (Value { series, .. }, mut values) in columns.values.iter().zip(all) {
        let tells_shown = columns.dropped.is_none()
            && matches!(series.path, "display/latency" | "display/between changes");
        let is_zero = |value: &f64| value.is_nan() || *value == 0.0;
        // A time that is never more than 0 was not measured.
        let is_unmeasured = series.kind == RecordedKind::Timer && values.iter().all(is_zero);
        if is_unmeasured || values.iter().all(|value| value.is_nan()) {
            if columns.dropped.is_none() && series.path.starts_with("display/") {
                not_shown.get_or_insert(vec![1.0; frames]);
            }
            continue;
        }
        if series.is_wait && !columns.looks_forward {
            values.pop();
            values.insert(0, f64::NAN);
        }
        let is_best = series.path == "display/latency" || not_shown.is_none();
        if tells_shown && is_best {
            let is_not = |value: &f64| f64::from(u8::from(value.is_nan()));
            not_shown = Some(values.iter().map(is_not).collect());
        }
        let record = log.add(series.path, series.kind, series.unit, values);
        record.wait = series.is_wait;
    }
    if let Some(not_shown) = not_shown {
        log.add("display/not shown", RecordedKind::Counter, "", not_shown);
    }
}
