//! The errors of recording and reading.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// An error while recording a run. The message says how to fix it.
#[non_exhaustive]
pub enum CaptureError {
    /// The journal cannot be created.
    Create {
        /// The journal.
        journal: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The path of the capture ends in `.journal`, so the capture could replace a journal.
    NamedAsJournal {
        /// The capture.
        path: PathBuf,
    },
    /// The path of the capture, or of a file beside it, leads to something that a capture cannot
    /// replace: a folder, a device, a pipe, a circle of links, a file marked as read-only, or a file
    /// with other content than Parquet or a journal.
    Target {
        /// The path.
        path: PathBuf,
        /// What it leads to.
        source: io::Error,
    },
    /// The journal of another run exists: that run was killed, or is still being recorded.
    JournalExists {
        /// The journal.
        journal: PathBuf,
    },
    /// An environment variable has a value that cannot be read.
    Variable {
        /// The name of the variable.
        name: &'static str,
        /// The expected form of the value.
        expected: &'static str,
        /// The value.
        value: String,
    },
    /// The writer thread could not be started, or it failed.
    Thread {
        /// The cause.
        source: io::Error,
    },
    /// The journal can no longer be written. It contains the frames up to that point.
    Write {
        /// The journal.
        journal: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A run that is to be written at once contradicts itself.
    Content {
        /// The capture.
        path: PathBuf,
        /// What is wrong, and the cure.
        what: String,
    },
    /// A capture that is written at once cannot be written.
    Output {
        /// The capture.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The journal is complete, but the capture cannot be written from it.
    Compact {
        /// The journal.
        journal: PathBuf,
        /// The cause.
        source: ReadError,
    },
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create { journal, source } => write!(
                f,
                "{} cannot be created ({source}); choose a folder that can be written to",
                journal.display()
            ),
            Self::NamedAsJournal { path } => write!(
                f,
                "{} is the name of a journal, which a capture never replaces; choose a name that ends in .parquet",
                path.display()
            ),
            Self::Target { path, source } => write!(
                f,
                "{} cannot be recorded: {source}; choose the name of a new file or of an older capture",
                path.display()
            ),
            Self::JournalExists { journal } => write!(
                f,
                "{} already exists: if a killed run left it, recover it with `stats_capture::recover` or remove \
                 it; if another run is writing it, choose another name",
                journal.display()
            ),
            Self::Variable {
                name,
                expected,
                value,
            } => write!(
                f,
                "the environment variable {name} must be {expected}, but is {value:?}; correct it or unset it"
            ),
            Self::Thread { source } => write!(
                f,
                "the thread that writes the capture is not running ({source}); close other programs and try again"
            ),
            Self::Write { journal, source } => write!(
                f,
                "{} can no longer be written ({source}); make room on the disk, then recover the frames up to \
                 now with `stats_capture::recover`",
                journal.display()
            ),
            Self::Content { path, what } => {
                write!(f, "{} cannot be written: {what}", path.display())
            }
            Self::Output { path, source } => write!(
                f,
                "{} cannot be written ({source}); make room on the disk, or name a file in an existing folder that \
                 can be written to",
                path.display()
            ),
            Self::Compact { journal, source } => write!(
                f,
                "{} is complete, but the capture cannot be written from it: {source}; fix this, then use \
                 `stats_capture::recover`",
                journal.display()
            ),
        }
    }
}

impl Error for CaptureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Create { source, .. }
            | Self::Target { source, .. }
            | Self::Thread { source }
            | Self::Output { source, .. }
            | Self::Write { source, .. } => Some(source),
            Self::Compact { source, .. } => Some(source),
            Self::NamedAsJournal { .. }
            | Self::JournalExists { .. }
            | Self::Content { .. }
            | Self::Variable { .. } => None,
        }
    }
}

/// In the description of damage that has its own cure, separates the cure from the damage.
pub(crate) const CURE_IN_TEXT: &str = "; to keep frames, ";

/// An error while reading or recovering a capture or a journal. The message says how to fix it.
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened or read.
    Open {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file is neither a capture nor a journal.
    NotACapture {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a newer version.
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        format: u32,
    },
    /// The content of the file contradicts itself.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        what: String,
    },
    /// Another program wrote the file, in a form that cannot be read.
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What cannot be read, and how to write it instead.
        what: String,
    },
    /// The journal has no complete frames.
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The journal is still being written.
    Running {
        /// The file.
        path: PathBuf,
    },
    /// The file has no series of this path.
    NoSeries {
        /// The file.
        path: PathBuf,
        /// The path of the series.
        series: String,
    },
    /// The file to be written already exists.
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { path, source } => write!(
                f,
                "{} cannot be read ({source}); check the path and the permissions",
                path.display()
            ),
            Self::NotACapture { path } => write!(
                f,
                "{} is not a capture; open a file that `stats_capture::Capture` wrote, or its journal",
                path.display()
            ),
            Self::NewerFormat { path, format } => write!(
                f,
                "{} has format version {format}, which is newer than this program; update the program",
                path.display()
            ),
            // The cure for a journal depends on where the damage is.
            Self::Damaged { path, what } if what.contains(CURE_IN_TEXT) => {
                write!(f, "{} is damaged: {what}", path.display())
            }
            Self::Damaged { path, what } => write!(
                f,
                "{} is damaged: {what}; copy the file again, or record the run again",
                path.display()
            ),
            Self::Unsupported { path, what } => {
                write!(f, "{} cannot be read: {what}", path.display())
            }
            Self::Empty { path } => write!(
                f,
                "{} has no complete frames, because the run ended before its first frames were written; record the run again",
                path.display()
            ),
            Self::Running { path } => write!(
                f,
                "{} is still being written or recovered by another process; end that process first",
                path.display()
            ),
            Self::NoSeries { path, series } => write!(
                f,
                "{} has no series {series:?}; `CaptureFile::series` lists its series",
                path.display()
            ),
            Self::Exists { path } => {
                write!(f, "{} already exists; move it away first", path.display())
            }
            Self::Write { path, source } => write!(
                f,
                "{} cannot be written ({source}); make room on the disk, or make the folder writable",
                path.display()
            ),
        }
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Open { source, .. } | Self::Write { source, .. } => Some(source),
            _ => None,
        }
    }
}
