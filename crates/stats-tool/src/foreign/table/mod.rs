//! Any table with a row for each frame: FRAPS, the frame times of Unity's Profile Analyzer, the
//! logs of engines, and `stats export --to csv`.
//!
//! The column with the times is known by its name, or named with `--time`. A name such as `frame
//! time` says that they are how long the frames took. With another name, numbers that only grow are
//! when the frames were, and *n* of them are *n* − 1 frames. The columns of a table without names are
//! `column 1` and so on.

mod columns;
mod rows;
#[cfg(test)]
mod tests;

use std::path::Path;

use stats_analysis::format::count_text;

use super::log::Log;
use super::text::{Fields, Lines, is_blank, is_comment, names_in, number};
use super::{Format, Head, Options, Refusal};
use rows::Rows;

pub(super) const FORMAT: Format = Format {
    name: "csv",
    program: "a table of frame times",
    is,
    read,
    is_refused: false,
    is_strict: false,
};

fn is(head: &Head) -> bool {
    head.has_header(|names| columns::known_time(names).is_some())
}

fn read(file: &Path, options: &Options) -> Result<Vec<Log>, Refusal> {
    let head = Head::read(file).map_err(Refusal::Io)?;
    let mut lines = Lines::open(file).map_err(Refusal::Io)?;
    for _ in 0..head.header(|names| columns::position(names, options).is_some()) {
        lines.next()?;
    }
    let Some(header) = lines.next()? else {
        return Err(Refusal::new("it is empty; name another file"));
    };
    let (names, delimiter) = names_in(header);
    let has_names = names
        .iter()
        .any(|name| number(name.as_bytes()).is_none() && !name.is_empty());
    let names = if has_names {
        names
    } else {
        (1..=names.len())
            .map(|number| format!("column {number}"))
            .collect()
    };
    let mut tables = Tables::new(Rows::new(names, delimiter, options)?);
    let mut fields = Fields::default();
    // Without names, the first line is a row.
    let mut is_row = !has_names;
    loop {
        let (line, line_number, is_complete) = lines.newest();
        if is_row && !is_blank(line) {
            let rows = &mut tables.newest;
            fields.split(line, rows.delimiter);
            lines.check_size(rows.names.len(), rows.len())?;
            // Names may begin as a comment.
            if let Some(next) = rows.next_table(&fields, line, options) {
                tables.begin(next);
            } else if !is_comment(line) && (is_complete || fields.len() >= rows.names.len()) {
                rows.take(&fields, line, line_number);
            }
        }
        is_row = true;
        if lines.next()?.is_none() {
            break;
        }
    }
    tables.into_log(file, options).map(|log| vec![log])
}

/// The tables of a file. Unreal Engine's charts have one with percentiles before that of the frames.
struct Tables {
    /// The one with the most frames before the newest one.
    best: Option<Rows>,
    newest: Rows,
    /// The number of those that are left out.
    others: u64,
}

impl Tables {
    fn new(first: Rows) -> Self {
        Self {
            best: None,
            newest: first,
            others: 0,
        }
    }

    fn begin(&mut self, next: Rows) {
        let newest = std::mem::replace(&mut self.newest, next);
        self.best = Some(better(self.best.take(), newest));
        self.others += 1;
    }

    fn into_log(self, file: &Path, options: &Options) -> Result<Log, Refusal> {
        let mut log = better(self.best, self.newest).into_log(file, options)?;
        if self.others > 0 {
            let (one, many) = ("other table was left out", "other tables were left out");
            log.said.push(count_text(self.others, one, many));
        }
        Ok(log)
    }
}

fn better(best: Option<Rows>, newest: Rows) -> Rows {
    match best {
        Some(best) if best.frames() >= newest.frames() => best,
        _ => newest,
    }
}

/// Reads a text as a table.
#[cfg(test)]
fn read_text(text: &str, options: &Options) -> Result<Log, String> {
    let folder = stats_testing::Folder::new(&format!(
        "foreign-table-{}",
        options.time.as_deref().unwrap_or("none")
    ));
    let file = folder.0.join("run.csv");
    std::fs::write(&file, text).expect("a temporary file");
    let logs = read(&file, options).map_err(|refusal| refusal.to_string())?;
    logs.into_iter().next().ok_or_else(String::new)
}
