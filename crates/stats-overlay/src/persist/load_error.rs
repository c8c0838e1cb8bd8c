//! The error if saved settings cannot be read: the file, the line, the field, and the fix.

use std::path::{Path, PathBuf};
use std::{error, fmt, io};

use stats_ui::text::one_line;

use super::json_path::field_at;

/// The error if saved settings cannot be read. Its text says how to fix that.
#[non_exhaustive]
pub enum LoadError {
    /// The text is not a document that the overlay could have written.
    Damaged {
        /// The file; `None` for text that is not from a file.
        path: Option<PathBuf>,
        /// The line, starting at 1.
        line: usize,
        /// The byte in that line, starting at 1.
        column: usize,
        /// The value found there, and the expected value.
        problem: String,
    },
    /// A newer version of the overlay wrote the text.
    Newer {
        /// The file; `None` for text that is not from a file.
        path: Option<PathBuf>,
        /// The version of the text.
        version: u32,
    },
    /// The path is empty or contains only whitespace.
    BlankPath,
    /// The text is longer than 4 MiB.
    TooLong {
        /// The file; `None` for text that is not from a file.
        path: Option<PathBuf>,
    },
    /// The path leads to a folder, a device or a pipe.
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The system refused to read the file.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason the system gives.
        error: io::Error,
    },
}

impl LoadError {
    fn syntax(error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let text = error.to_string();
        let problem = text
            .strip_suffix(&format!(" at line {line} column {column}"))
            .unwrap_or(&text);
        // Shortened, because the message can quote a long text in full.
        Self::Damaged {
            path: None,
            line: line.max(1),
            column: column.max(1),
            problem: one_line(problem, 200).into(),
        }
    }

    /// Returns the error of reading `json`.
    pub(super) fn of(error: &serde_json::Error, json: &str) -> Self {
        let mut damaged = Self::syntax(error);
        // The place of a syntax error is where it was noticed, which may be far from its cause.
        if let Self::Damaged { problem, .. } = &mut damaged
            && error.is_data()
            && let Some(field) = field_at(json, error.line(), error.column())
        {
            problem.push_str(&format!(" as {}", one_line(&field, 200)));
        }
        damaged
    }

    /// Returns the error about bytes that are UTF-8 only up to byte `valid`.
    pub(super) fn not_utf8(bytes: &[u8], valid: usize) -> Self {
        let before = &bytes[..valid];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before
            .iter()
            .rev()
            .take_while(|&&byte| byte != b'\n')
            .count();
        Self::Damaged {
            path: None,
            line,
            column,
            problem: "expected text in UTF-8".to_owned(),
        }
    }

    /// Adds the path of the file.
    pub(super) fn in_file(mut self, file: &Path) -> Self {
        if let Self::Damaged { path, .. } | Self::Newer { path, .. } | Self::TooLong { path } =
            &mut self
        {
            *path = Some(file.to_path_buf());
        }
        self
    }
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |path: &Option<PathBuf>| {
            path.as_ref().map_or_else(
                || "saved settings".to_owned(),
                |path| path.display().to_string(),
            )
        };
        match self {
            Self::Damaged {
                path,
                line,
                column,
                problem,
            } => {
                write!(
                    f,
                    "{}, line {line}, column {column}: {problem}. Correct it there, or begin with the defaults: the next save keeps this text beside the new one.",
                    name(path)
                )
            }
            Self::Newer { path, version } => write!(
                f,
                "{} is of version {version}, which a newer version of this program wrote. Update the program, or begin with the defaults: \
                 the next save keeps this text beside the new one.",
                name(path)
            ),
            Self::BlankPath => f.write_str(
                "The path of the settings is blank. Give the path of a file, such as settings/stats.json.",
            ),
            Self::TooLong { path } => {
                write!(
                    f,
                    "{} is longer than 4 MiB, more than the overlay ever saves. If it is another program's file, move it away.",
                    name(path)
                )
            }
            Self::NotAFile { path } => {
                write!(
                    f,
                    "{} is {}, not a file. Give the path of a file, such as settings/stats.json.",
                    path.display(),
                    if path.is_dir() {
                        "a folder"
                    } else {
                        "a device or a pipe"
                    }
                )
            }
            Self::Unreadable { path, error } => {
                write!(
                    f,
                    "{} cannot be read: {error}. Give this user permission to read it, or use another path.",
                    path.display()
                )
            }
        }
    }
}

impl error::Error for LoadError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            _ => None,
        }
    }
}
