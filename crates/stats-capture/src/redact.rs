//! Copies a capture without what should not leave the house.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use parquet::data_type::ByteArray;
use stats_analysis::moments::{self, moments};
use stats_core::{LogLine, STOOD_STILL, Source};

use crate::compact::{remove_pictures, write_file};
use crate::metadata::{MarkRecord, Run};
use crate::paths::{behind_links, check_targets, pictures_of, spans_of};
use crate::read::SpanFile;
use crate::writer::write_groups;
use crate::{CaptureError, CaptureFile, ReadError};

/// What [`redact`] removed, and what it kept although it may tell something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redacted {
    /// What was removed, one phrase each, such as `2 labels`; empty if nothing was.
    pub removed: Vec<String>,
    /// The names of series that look like the path of a file or contain the name of the user or of
    /// the machine. Names of series are kept, because the figures would mean nothing without them.
    pub suspicious: Vec<String>,
    /// The columns that could not be read and are missing, each with the reason.
    pub unreadable: Vec<String>,
}

/// Writes a capture or a journal as a capture that tells nothing about persons and machines, and
/// that keeps every figure: all values, times, marks, histograms and scopes.
///
/// Removes:
///
/// - the command line, the branch, all labels, and the pictures, which are not copied;
/// - the notes of moments, the messages of panics, and the lines of the log except their levels;
/// - each other text of the run, its marks, its threads and its descriptions that looks like the path
///   of a file, or contains the name of the user or of this machine.
///
/// A removed name of a mark, or of a thread that ran scopes, becomes `removed 1`, the same for all of
/// that name.
///
/// Names of series and of scopes are kept. The target may be the capture itself. Reads all values
/// into memory, at 8 bytes each, and writes those of timers as milliseconds, so the file may take
/// more space.
///
/// # Errors
///
/// Those of [`write`](crate::write()), and [`CaptureError::Output`] if the scopes cannot be written.
/// The target is then unchanged, or complete without scopes.
pub fn redact(
    capture: CaptureFile,
    from: impl AsRef<Path>,
    to: impl AsRef<Path>,
) -> Result<Redacted, CaptureError> {
    let (from, to) = (behind_links(from.as_ref()), behind_links(to.as_ref()));
    check_targets(&to)?;
    let mut redacted = Redacted::default();
    let private = Private::here();
    let pictures = capture.pictures().len();
    let run = run(capture.run(), &private, &mut redacted);
    let marks = marks(capture.mark_records(), &private, &mut redacted);
    let histograms = capture.histograms().to_vec();
    let frames: Vec<_> = (capture.frames())
        .filter_map(|frame| capture.frame(frame))
        .collect();
    let mut series = Vec::new();
    let mut texts = 0;
    for record in capture.series() {
        let column = match capture.read(&record.path) {
            Ok(column) => column,
            Err(error) => {
                redacted.unreadable.push(error.to_string());
                continue;
            }
        };
        let slice = column.slice();
        let value = |frame: &stats_core::Frame| slice.at(frame.index).unwrap_or(f64::NAN);
        let values = frames.iter().map(value).collect();
        if private.is_in(&record.path) {
            redacted.suspicious.push(record.path.clone());
        }
        let mut record = record.clone();
        for text in [&mut record.description, &mut record.thread] {
            texts += usize::from(text.take_if(|text| private.is_in(text)).is_some());
        }
        series.push((record, values));
    }
    redacted.remove(texts, "text of series", "texts of series");
    redacted.remove(pictures, "picture", "pictures");
    // A file cannot be replaced on Windows while it is open.
    drop(capture);
    let output = |path: &Path, source| CaptureError::Output {
        path: path.to_owned(),
        source,
    };
    write_file(&to, &run, &frames, &series, &marks, &histograms).map_err(|error| match error {
        ReadError::Write { path, source } => output(&path, source),
        error => output(&to, std::io::Error::other(error)),
    })?;
    remove_pictures(&pictures_of(&to));
    copy_spans(&from, &to, &private, &mut redacted)
        .map_err(|source| output(&spans_of(&to), source))?;
    Ok(redacted)
}

/// Writes the scopes of a capture without private names of threads, or removes older ones.
fn copy_spans(
    from: &Path,
    to: &Path,
    private: &Private,
    redacted: &mut Redacted,
) -> std::io::Result<()> {
    // The scopes of a journal are written when it is completed.
    let (from, to) = (spans_of(from), spans_of(to));
    let file = SpanFile::open(from).unwrap_or_else(|error| {
        redacted.unreadable.push(error.to_string());
        None
    });
    let Some(file) = file else {
        return match std::fs::remove_file(to) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    };
    // What a name becomes; threads of one name keep one name.
    let mut names: HashMap<Vec<u8>, ByteArray> = HashMap::new();
    let mut removed = 0;
    let mut rename = |name: &mut ByteArray| {
        if let Some(new) = names.get(name.data()) {
            name.clone_from(new);
            return;
        }
        let mut new = name.clone();
        if private.is_in(&String::from_utf8_lossy(name.data())) {
            removed += 1;
            new = format!("removed {removed}").as_str().into();
        }
        names.insert(name.data().to_vec(), new.clone());
        *name = new;
    };
    let lost = file.lost();
    let groups: Vec<usize> = file.groups().map(|(at, _)| at).collect();
    let unreadable = &mut redacted.unreadable;
    // The iterator owns the file, which cannot be replaced on Windows while it is open.
    let groups = groups.into_iter().filter_map(move |at| {
        let mut rows = match file.read(at) {
            Ok(rows) => rows,
            Err(error) => {
                unreadable.push(error.to_string());
                return None;
            }
        };
        rows.threads.iter_mut().for_each(&mut rename);
        Some(rows)
    });
    write_groups(&to, groups, lost)?;
    redacted.remove(removed, "name of threads", "names of threads");
    Ok(())
}

impl Redacted {
    fn remove(&mut self, count: usize, one: &str, many: &str) {
        match count {
            0 => {}
            1 => self.removed.push(format!("1 {one}")),
            _ => self.removed.push(format!("{count} {many}")),
        }
    }
}

fn run(run: &Run, private: &Private, redacted: &mut Redacted) -> Run {
    let mut run = run.clone();
    if !std::mem::take(&mut run.command).is_empty() {
        redacted.removed.push("the command line".to_owned());
    }
    if run.branch.take().is_some() {
        redacted.removed.push("the branch".to_owned());
    }
    let labels = std::mem::take(&mut run.labels).len();
    redacted.remove(labels, "label", "labels");
    let machine = &mut run.machine;
    let texts = [
        &mut run.build,
        &mut run.commit,
        &mut run.scenario,
        &mut run.frame_thread,
        &mut machine.cpu,
        &mut machine.os,
        &mut machine.gpu,
        &mut machine.driver,
        &mut machine.power,
    ];
    let private = texts
        .into_iter()
        .filter_map(|text| text.take_if(|text| private.is_in(text)));
    redacted.remove(private.count(), "text of the run", "texts of the run");
    run
}

fn marks(marks: &[MarkRecord], private: &Private, redacted: &mut Redacted) -> Vec<MarkRecord> {
    let (mut notes, mut messages, mut lines) = (0, 0, 0);
    // Marks of one name keep one name, so that runs still align.
    let mut names: BTreeSet<String> = BTreeSet::new();
    let private_names = (marks.iter())
        .filter(|mark| private.is_in(&mark.name) && LogLine::of_mark(&mark.name).is_none());
    names.extend(private_names.map(|mark| mark.name.clone()));
    let names: Vec<String> = names.into_iter().collect();
    let mut texts = BTreeSet::new();
    let rename = |mark: &MarkRecord| {
        let mut mark = mark.clone();
        let moment = moments([(mark.name.as_str(), mark.begin)]).pop();
        if let Some(moment) = moment {
            notes += usize::from(!moment.note.is_empty());
            mark.name = moments::name(moment.number, "");
        } else if mark.name.starts_with("panic: ") {
            messages += 1;
            mark.name = "panic".to_owned();
        } else if let Some(line) = LogLine::of_mark(&mark.name) {
            // The line of a stop stays: it says how long the program stood still, which decides what is
            // a hitch.
            if line.target != STOOD_STILL {
                let left = line.redacted();
                lines += usize::from(left != mark.name);
                mark.name = left;
            }
        } else if let Ok(at) = names.binary_search(&mark.name) {
            texts.insert(at);
            mark.name = format!("removed {}", at + 1);
        }
        mark
    };
    let marks = marks.iter().map(rename).collect();
    redacted.remove(notes, "note", "notes");
    redacted.remove(messages, "message of a panic", "messages of panics");
    redacted.remove(lines, "line of the log", "lines of the log");
    redacted.remove(texts.len(), "name of marks", "names of marks");
    marks
}

/// The words that tell who recorded, and where.
struct Private {
    /// In lower case.
    words: Vec<String>,
}

impl Private {
    /// Returns the names of the user and of this machine, as far as the environment knows them.
    fn here() -> Self {
        let names = ["USER", "USERNAME", "LOGNAME", "HOSTNAME", "COMPUTERNAME"];
        // A service may have no variable with the name of its user, but a home.
        let homes = ["HOME", "USERPROFILE"].iter().filter_map(std::env::var_os);
        let of_homes = homes.filter_map(|home| {
            let name = Path::new(&home).file_name()?;
            Some(name.to_string_lossy().into_owned())
        });
        let values = names.iter().filter_map(|name| std::env::var(name).ok());
        let values = values.chain(of_homes);
        let of_host = sysinfo::System::host_name().ok();
        // A text may have only its first label.
        let label = (of_host.as_deref()).and_then(|host| host.split('.').next().map(str::to_owned));
        Self::of(values.chain(label).chain(of_host))
    }

    /// Short words would be found in too many texts.
    fn of(words: impl IntoIterator<Item = String>) -> Self {
        let words = words.into_iter().map(|word| word.trim().to_lowercase());
        Self {
            words: words.filter(|word| word.chars().count() >= 3).collect(),
        }
    }

    /// Returns whether a text contains one of the words, or looks like the path of a file.
    fn is_in(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        let has_word = self.words.iter().any(|word| {
            lower.match_indices(&**word).any(|(at, _)| {
                let (before, after) = (&lower[..at], &lower[at + word.len()..]);
                is_end(before.chars().next_back()) && is_end(after.chars().next())
            })
        });
        has_word || lower.contains("file:/") || text.split_whitespace().any(is_path)
    }
}

/// Returns whether a word is an absolute path, or one below the home folder, perhaps in quotes or
/// after a name such as `--log=`.
fn is_path(word: &str) -> bool {
    let starts = word.char_indices().filter(|(at, _)| {
        let before = word[..*at].chars().next_back();
        before.is_none_or(|c| "=:,;'\"`([{<".contains(c))
    });
    starts.into_iter().any(|(at, _)| {
        let rest = &word[at..];
        let mut chars = rest.chars();
        let (first, second, third) = (chars.next(), chars.next(), chars.next());
        match (first, second, third) {
            (Some('~'), Some('/' | '\\'), _) | (Some('\\'), Some('\\'), _) => true,
            (Some('/'), Some(second), _) => second != '/' && rest[1..].contains('/'),
            (Some(drive), Some(':'), Some('/' | '\\')) => drive.is_ascii_alphabetic(),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_look_like_paths_or_name_somebody_are_private() {
        let private = Private::of(["Ada".to_owned(), "al".to_owned(), " Desk-7\n".to_owned()]);
        for text in [
            "/home/somebody/game",
            "loading \"/srv/levels/1.map\"",
            "--log=/tmp/a/b",
            "C:\\Games\\hollow",
            "d:/levels/1",
            "\\\\server\\share",
            "~/levels",
            "built by ada",
            "ADA's build",
            "on desk-7",
            "recorded by ada.",
            "ada_build",
            "ada-build",
            "for_ada",
            "desk-7.local",
            "adaptive for ada",
            "file:///home/bob/x",
            "File:/x",
        ] {
            assert!(private.is_in(text), "{text}");
        }
        for text in [
            "",
            "loading The Hollow",
            "ai/pathfinding",
            "adaptive",
            "al",
            "and/or",
            "60 / 2",
            "https://example.com",
            "desk-71",
            "canada",
            "ada7",
            "profile:x",
            "moment 1: bad",
            "a:b",
            "level 1:",
            "/",
        ] {
            assert!(!private.is_in(text), "{text}");
        }
    }
}
