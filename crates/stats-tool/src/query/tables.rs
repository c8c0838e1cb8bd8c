//! The tables that a question can use, and the files of each.

use std::path::Path;

use serde::Serialize;
use stats_analysis::format::count_text;
use stats_capture::CaptureFile;

use crate::failure::Failure;
use crate::lake::{Stamp, Summary, left_out};
use crate::progress::Progress;
use crate::runs::read_each;

/// The statements that create the views, in SQL that both engines support.
const VIEWS: &str = include_str!("views.sql");

/// The tables of a lake, in the form that an engine receives. All paths are absolute.
#[derive(Debug, Serialize)]
pub(super) struct Tables {
    /// The lake, with a slash at the end.
    lake: String,
    /// The files of the summary's tables.
    runs: Vec<String>,
    metrics: Vec<String>,
    hitches: Vec<String>,
    /// The captures; empty if the question is not about frames.
    pub(super) frames: Vec<String>,
    /// Statements that create the views.
    views: Vec<&'static str>,
}

impl Tables {
    /// Finds the tables of a lake that a question may use. Also returns messages for the user.
    pub(super) fn of(lake: &Path, sql: &str) -> Result<(Self, Vec<String>), Failure> {
        let absolute = lake.canonicalize().map_err(Failure::reading(lake))?;
        if !Summary::exists(&absolute) {
            return Err(Failure::Usage(format!(
                "{} has no summary yet; call `stats summarize` for it",
                lake.display()
            )));
        }
        let summary = Summary::read(&absolute)?;
        let mut notes: Vec<String> = left_out(lake, &summary)?.into_iter().collect();
        let mut frames = Vec::new();
        if names_frames(sql) {
            let mut missing = 0;
            for row in summary.runs() {
                let file = absolute.join(&*row.run);
                match Stamp::of(&file) {
                    Ok(stamp) if stamp == row.stamp => frames.push(text(&file)?),
                    Ok(_) => {}
                    Err(_) => missing += 1,
                }
            }
            if missing > 0 {
                let (one, many) = ("capture of the summary is", "captures of the summary are");
                notes.push(format!(
                    "{} no longer in {}, and missing in the table frames",
                    count_text(missing, one, many),
                    lake.display()
                ));
            }
        }
        let files = |table| -> Result<Vec<String>, Failure> {
            summary.files(table).iter().map(|file| text(file)).collect()
        };
        Ok((
            Self {
                lake: text(&absolute)? + "/",
                runs: files("runs")?,
                metrics: files("metrics")?,
                hitches: files("hitches")?,
                frames,
                views: VIEWS.split(';').map(str::trim).collect(),
            },
            notes,
        ))
    }

    /// Reads all captures, and removes the damaged ones. Returns the error of each damaged one.
    pub(super) fn remove_damaged(&mut self) -> Vec<Failure> {
        let mut progress = Progress::new("looking for damage", self.frames.len());
        let checked = read_each(&self.frames, |file| check(file.as_ref()), &mut progress);
        let files = std::mem::take(&mut self.frames);
        let mut damage = Vec::new();
        for (file, checked) in files.into_iter().zip(checked) {
            match checked {
                Ok(()) => self.frames.push(file),
                Err(failure) => damage.push(failure),
            }
        }
        damage
    }
}

/// Compares all values of a capture with their checksums.
fn check(file: &Path) -> Result<(), Failure> {
    let capture = CaptureFile::open(file)?;
    for series in capture.series() {
        capture.read(&series.path)?;
    }
    Ok(())
}

/// Returns whether a question may use the table frames, whose files take long to open.
fn names_frames(sql: &str) -> bool {
    // Hyphens are parts of words, because names of metrics contain them: `over-budget-frames`.
    let is_between = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
    let lower = sql.to_lowercase();
    lower
        .split(is_between)
        .any(|word| word.starts_with("frames"))
}

fn text(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::Usage(format!(
            "the path {} is not UTF-8; move the lake to a folder with a UTF-8 path",
            path.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::names_frames;

    #[test]
    fn the_table_frames_is_found_in_any_case_but_not_in_names_of_metrics() {
        for sql in [
            "SELECT * FROM frames",
            "FROM(Frames)",
            "FROM \"frames\"",
            "FROM runs,frames--all",
        ] {
            assert!(names_frames(sql), "{sql}");
        }
        assert!(!names_frames("WHERE metric = 'frame/over-budget-frames'"));
    }
}
