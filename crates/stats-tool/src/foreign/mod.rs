//! The logs of other programs, read as runs.
//!
//! Each format has a folder or a file with a [`Format`], and [`FORMATS`] lists them: a further format is a
//! file and an entry. A reader never guesses in silence: what it chose and what it left out is a
//! sentence, and a log without frames is refused with the cure.
//!
//! - [`text`]: lines and fields of any encoding.
//! - [`log`]: a run under construction.
//! - [`names`]: the paths of columns that only say what they measured.
//! - [`calls`]: scopes as series of call paths.
//! - [`presentmon`], [`capframex`], [`mangohud`], [`unreal`], [`unity_data`], [`puffin`], [`table`], [`without_frames`]: the
//!   formats.

mod calls;
mod capframex;
mod log;
mod mangohud;
mod names;
mod presentmon;
mod puffin;
mod table;
#[cfg(test)]
mod testing;
mod text;
mod unity_data;
mod unreal;
mod without_frames;

use std::io::{self, Read};
use std::path::Path;

pub(crate) use log::{Log, write};
use text::Lines;

use crate::failure::Failure;

/// The number of bytes from which a format is recognized.
const HEAD: usize = 64 << 10;

/// The share of rows without a frame time, above which a log is refused.
const MAX_BAD_SHARE: f64 = 0.05;

/// A format of another program.
pub(crate) struct Format {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// The program that writes it, for a sentence.
    pub(crate) program: &'static str,
    /// Returns whether a file that begins like this has the format.
    pub(crate) is: fn(&Head) -> bool,
    /// Reads the runs of a file.
    pub(crate) read: fn(&Path, &Options) -> Result<Vec<Log>, Refusal>,
    /// Whether the file contains no frames, so that a folder's files of this format are skipped.
    pub(crate) is_refused: bool,
    /// Whether no file can be read that does not begin like this format.
    pub(crate) is_strict: bool,
}

/// All formats, in the order in which a file is compared with them.
pub(crate) const FORMATS: [&Format; 8] = [
    &puffin::FORMAT,
    &unity_data::FORMAT,
    &without_frames::FORMAT,
    &capframex::FORMAT,
    &mangohud::FORMAT,
    &presentmon::FORMAT,
    &unreal::FORMAT,
    &table::FORMAT,
];

/// What is asked of a log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// The name or the number of the process whose frames are wanted.
    pub(crate) process: Option<String>,
    /// The column with the frame times.
    pub(crate) time: Option<String>,
    /// The milliseconds of the unit of that column.
    pub(crate) unit_ms: Option<f64>,
    /// Whether rows may be samples, of which no frame times are known.
    pub(crate) are_samples_wanted: bool,
}

/// The beginning of a file.
#[derive(Debug, Default)]
pub(crate) struct Head {
    /// The first bytes.
    pub(crate) bytes: Vec<u8>,
    /// The first lines; empty if the file is no text.
    pub(crate) lines: Vec<String>,
}

/// The number of lines in a [`Head`].
const HEAD_LINES: usize = 64;

impl Head {
    /// Reads the beginning of a file.
    pub(crate) fn read(file: &Path) -> io::Result<Self> {
        let mut bytes = Vec::new();
        std::fs::File::open(file)?
            .take(HEAD as u64)
            .read_to_end(&mut bytes)?;
        let mut all = Vec::new();
        let mut lines = Lines::of(io::Cursor::new(bytes.clone()))?;
        while all.len() < HEAD_LINES {
            match lines.next() {
                Ok(Some(line)) => all.push(text::text(line)),
                Ok(None) => break,
                // Zero bytes: no text.
                Err(_) => {
                    all.clear();
                    break;
                }
            }
        }
        Ok(Self { bytes, lines: all })
    }

    /// Returns the beginning in UTF-8, without white space before it.
    fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        // Never fails: it is in memory.
        let _ = text::utf_8(self.bytes.as_slice()).and_then(|mut all| all.read_to_end(&mut text));
        text.trim_ascii_start().to_vec()
    }

    /// Returns whether the beginning is that of JSON.
    fn is_json(&self) -> bool {
        matches!(self.text().first(), Some(b'{' | b'['))
    }

    /// Returns the first line that is neither empty nor a comment, in lower case.
    pub(crate) fn first_line(&self) -> String {
        let first = self.first().map(|at| self.lines[at].to_lowercase());
        first.unwrap_or_default()
    }

    /// Returns the position of the line with the names of the columns: the first line whose names are
    /// known. Without such a line, the first line of a [table](Self::table), and without a table, the first
    /// line that is neither empty nor a comment.
    pub(crate) fn header(&self, are_known: impl Fn(&[String]) -> bool) -> usize {
        let bytes = || self.lines.iter().map(String::as_bytes);
        let known = bytes().position(|line| are_known(&text::names_in(line).0));
        let found = known.or_else(|| self.table()).or_else(|| self.first());
        found.unwrap_or(self.lines.len())
    }

    /// Returns the position of the first line that is neither empty nor a comment.
    fn first(&self) -> Option<usize> {
        let mut bytes = self.lines.iter().map(String::as_bytes);
        bytes.position(|line| !text::is_blank(line) && !text::is_comment(line))
    }

    /// Returns the position of the first line of a table: a line after it has as many fields, and a number.
    /// If there is text before it, it has several names and no number.
    fn table(&self) -> Option<usize> {
        let first = self.first()?;
        let (mut names, mut fields) = (text::Fields::default(), text::Fields::default());
        (first..self.lines.len()).find(|at| {
            let line = self.lines[*at].as_bytes();
            let delimiter = text::delimiter_of(line);
            names.split(line, delimiter);
            let has_number = |fields: &text::Fields, line: &[u8]| {
                (0..fields.len()).any(|at| text::number(fields.get(line, at)).is_some())
            };
            let has_names = names.len() > 1
                && !text::is_blank(line)
                && !text::is_comment(line)
                && !has_number(&names, line);
            let mut rows = self.lines[at + 1..].iter().map(String::as_bytes);
            (*at == first || has_names)
                && !line.starts_with(b"{")
                && !line.starts_with(b"[")
                && !line.starts_with(b"<")
                && rows.any(|row| {
                    fields.split(row, delimiter);
                    fields.len() == names.len() && has_number(&fields, row)
                })
        })
    }

    /// Returns whether the names in a line are known.
    pub(crate) fn has_header(&self, are_known: impl Fn(&[String]) -> bool) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|line| are_known(&text::names_in(line.as_bytes()).0))
    }

    /// Returns the format; `None` if it is not known.
    pub(crate) fn format(&self) -> Option<&'static Format> {
        FORMATS.into_iter().find(|format| (format.is)(self))
    }
}

/// Returns whether a file is a table, perhaps after some text.
pub(crate) fn is_table(head: &Head) -> bool {
    head.table().is_some()
}

/// Returns why a file of no known format is not read, and the cure.
pub(crate) fn why_unknown(head: &Head) -> &'static str {
    match head.bytes.trim_ascii_start() {
        [] => "it is empty; name another file",
        _ if head.is_json() && !head.lines.is_empty() => {
            "it is JSON of no known program; the JSON of CapFrameX is read, and the CSV of many programs"
        }
        _ if head.lines.is_empty() => {
            "it is neither a text nor a recording of a known program; `stats import --help` lists them"
        }
        _ => {
            "it is neither a table nor the log of a known program; `stats import --help` lists them"
        }
    }
}

/// Why a log cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The file cannot be read.
    #[error("{0}")]
    Io(io::Error),
    /// The content is refused: a clause that follows the name of the file, and the cure.
    #[error("{0}")]
    Content(String),
}

impl Refusal {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self::Content(what.into())
    }

    /// Returns the error about a file.
    pub(crate) fn of_file(self, file: &Path) -> Failure {
        let name = file.display().to_string();
        match self {
            Self::Io(source) => Failure::Input { name, source },
            Self::Content(what) => Failure::Foreign { name, what },
        }
    }
}

/// The rows of a log without a frame time, which are left out.
#[derive(Debug, Default)]
pub(crate) struct BadRows {
    count: u64,
    /// The first of them, for a sentence.
    first: String,
}

impl BadRows {
    /// Takes note of a row. `field` is in place of the frame time.
    pub(crate) fn note(&mut self, line_number: u64, field: &[u8]) {
        if self.count == 0 {
            self.first = format!("line {line_number}: {:?}", text::text(field));
        }
        self.count += 1;
    }

    /// Returns a sentence about them, or a refusal if they are too many beside `good` rows.
    pub(crate) fn said(&self, good: usize) -> Result<Option<String>, Refusal> {
        let Self { count, first } = self;
        if *count == 0 {
            return Ok(None);
        }
        let all = good as u64 + count;
        let share = format!("{count} of {all} rows have no frame time");
        if *count as f64 > MAX_BAD_SHARE * all as f64 {
            return Err(Refusal::new(format!(
                "{share} (first: {first}), which is more than 5 %; record the run again, or remove these rows"
            )));
        }
        Ok(Some(format!("{share} and were left out (first: {first})")))
    }
}

/// Returns the milliseconds between rows that are samples; `None` if each row is a frame. Rows are
/// samples if two conditions hold: their frame times add up to less than half of the time that the rows
/// cover, and most frame times are less than half of the step to the next row. So a single pause between
/// frames does not count. Refuses samples unless they are wanted.
pub(crate) fn sample_step(
    from: &str,
    starts_secs: &[f64],
    durations_ms: &[f64],
    cure: &str,
    options: &Options,
) -> Result<Option<f64>, Refusal> {
    let (Some(first), Some(last)) = (starts_secs.first(), starts_secs.last()) else {
        return Ok(None);
    };
    let covered_secs = last - first;
    let frames_secs = durations_ms.iter().sum::<f64>() / 1e3;
    if starts_secs.len() < MIN_SAMPLES || frames_secs >= covered_secs * MIN_COVERED {
        return Ok(None);
    }
    let step_ms = median(starts_secs.windows(2).map(|pair| (pair[1] - pair[0]) * 1e3));
    if median(durations_ms.iter().copied()) >= step_ms * MIN_COVERED {
        return Ok(None);
    }
    if options.are_samples_wanted {
        return Ok(Some(step_ms));
    }
    Err(Refusal::new(format!(
        "it is a {from} log of every {step_ms:.0} ms, not of every frame: {} rows cover {covered_secs:.1} s, their frame \
         times {frames_secs:.1} s; {cure}, or `stats import --sampled` imports it without figures of frames",
        starts_secs.len()
    )))
}

/// Returns the median of numbers; 0 without any.
fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    if numbers.is_empty() {
        return 0.0;
    }
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The least number of rows that tell whether they are samples.
const MIN_SAMPLES: usize = 8;

/// The least share of the time that the frames of a log cover.
const MIN_COVERED: f64 = 0.5;

/// Returns the names of the first columns, for a sentence.
pub(crate) fn listed(names: &[String]) -> String {
    const MAX: usize = 12;
    let shown = names
        .iter()
        .take(MAX)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    match names.len().saturating_sub(MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
