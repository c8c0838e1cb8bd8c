//! The errors of verbs, and the exit codes.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use stats_capture::{CaptureError, ReadError};
use stats_config::ConfigError;
use thiserror::Error;

/// The outcome of a verb. Each has its own exit code, so that scripts can distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// 0: everything is fine.
    Fine,
    /// 1: a run is over budget, slower than before, or failed.
    Worse,
    /// 2: there are too few runs, or too few frames, to tell.
    Unknown,
    /// 3: a file cannot be read or written.
    Unreadable,
    /// 64: the command line is wrong.
    Usage,
}

impl Outcome {
    /// Returns the name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Worse => "worse",
            Self::Unknown => "cannot-tell",
            Self::Unreadable => "unreadable",
            Self::Usage => "usage",
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Worse => 1,
            Outcome::Unknown => 2,
            Outcome::Unreadable => 3,
            Outcome::Usage => 64,
        })
    }
}

/// An error of a verb. The message says how to fix it.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A capture cannot be read or recovered.
    #[error("{0}{cure}", cure = cure_of(.0))]
    Read(#[from] ReadError),
    /// A file or a stream cannot be read.
    #[error("{name} cannot be read ({source}); check the path and the permissions")]
    Input {
        /// The name of the file or stream.
        name: String,
        /// The cause.
        source: io::Error,
    },
    /// A file or a stream cannot be written.
    #[error(
        "{name} cannot be written ({source}); make room, or name a file in an existing, writable folder"
    )]
    Output {
        /// The name of the file or stream.
        name: String,
        /// The cause.
        source: io::Error,
    },
    /// The log of another program cannot be read.
    #[error("{name}{}", after_name(.what))]
    Foreign {
        /// The log.
        name: String,
        /// Why not, and the cure.
        what: String,
    },
    /// A pattern matches no file.
    #[error("no file matches {0:?}; check the pattern and the current folder")]
    NoMatch(String),
    /// A folder has no captures.
    #[error(
        "{0} is a folder without captures; name a folder with .parquet files or the logs of other programs in it, or \
         a file"
    )]
    NothingIn(PathBuf),
    /// A folder has no captures where a lake has them.
    #[error(
        "{0} has no captures in folders named build=…, as `stats record --lake` files them; name the folder of --lake"
    )]
    NotALake(PathBuf),
    /// A capture cannot be written without what should not leave the house.
    #[error("{0}")]
    Redact(#[source] CaptureError),
    /// `stats.toml` cannot be used.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// A memory dump cannot be read. Contains the whole message.
    #[cfg(feature = "view")]
    #[error("{0}")]
    Dump(String),
    /// A game cannot be watched. Contains the whole message.
    #[cfg(feature = "view")]
    #[error("{0}")]
    Game(String),
    /// No window can be opened. Contains the cause, which may end with a period.
    #[cfg(feature = "view")]
    #[error(
        "no window could be opened: {why}. It needs a display and a Vulkan driver.",
        why = .0.trim_end().trim_end_matches('.')
    )]
    NoWindow(String),
    /// A file of the summary of a lake is damaged.
    #[error("{file} is damaged ({why}); `stats summarize --again` repairs the summary")]
    Summary {
        /// The file.
        file: PathBuf,
        /// The damage.
        why: String,
    },
    /// A newer `stats` wrote the summary of a lake.
    #[error("{file} has the format {format}; use a newer `stats`")]
    NewerSummary {
        /// The list of its parts.
        file: PathBuf,
        /// The number of its format.
        format: u32,
    },
    /// Another process is changing the summary of a lake.
    #[error("another `stats summarize` is running in {0}; wait until it ends")]
    Busy(PathBuf),
    /// An engine cannot answer a question. Contains the whole message.
    #[error("{0}")]
    Engine(String),
    /// A program cannot be started.
    #[error("{command} cannot be started ({source}); check its path and that it can be executed")]
    Start {
        /// The program.
        command: String,
        /// The cause.
        source: io::Error,
    },
    /// A program ran but recorded nothing.
    #[error(
        "{command} recorded no frames; it should call `stats_capture::from_env` at its start and `Capture::end_frame` \
         in each frame. What it printed is in {log}"
    )]
    NothingRecorded {
        /// The program.
        command: String,
        /// The file with its output.
        log: PathBuf,
    },
    /// The command line is wrong. Contains the whole message.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// Returns what makes the error about a file that cannot be read.
    pub(crate) fn reading(file: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Input {
            name: file.display().to_string(),
            source,
        }
    }

    /// Returns what makes the error about a file that cannot be written.
    pub(crate) fn writing(file: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Output {
            name: file.display().to_string(),
            source,
        }
    }

    /// Returns the outcome of a verb that fails with this error.
    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            Self::Usage(_) | Self::Start { .. } => Outcome::Usage,
            _ => Outcome::Unreadable,
        }
    }
}

/// Returns what follows the message of an error of reading.
fn cure_of(error: &ReadError) -> &'static str {
    match error {
        ReadError::NotACapture { .. } => {
            "; if it is the log of another program, `stats import` says how it is read"
        }
        _ => "",
    }
}

/// Returns a sentence as it follows the name of a file: without its `it`, or after a colon.
fn after_name(what: &str) -> String {
    match what.strip_prefix("it ") {
        Some(what) => format!(" {what}"),
        None => format!(": {what}"),
    }
}
