//! The errors of verbs, and the exit codes.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use stats_capture::{CaptureError, ReadError};
use stats_config::ConfigError;

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
#[derive(Debug)]
pub(crate) enum Failure {
    /// A capture cannot be read or recovered.
    Read(ReadError),
    /// A file or a stream cannot be read.
    Input {
        /// The name of the file or stream.
        name: String,
        /// The cause.
        source: io::Error,
    },
    /// A file or a stream cannot be written.
    Output {
        /// The name of the file or stream.
        name: String,
        /// The cause.
        source: io::Error,
    },
    /// The log of another program cannot be read.
    Foreign {
        /// The log.
        name: String,
        /// Why not, and the cure.
        what: String,
    },
    /// A pattern matches no file.
    NoMatch {
        /// The pattern.
        pattern: String,
    },
    /// A folder has no captures.
    NothingIn {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder has no captures where a lake has them.
    NotALake {
        /// The folder.
        folder: PathBuf,
    },
    /// A capture cannot be written without what should not leave the house.
    Redact(CaptureError),
    /// `stats.toml` cannot be used.
    Config(ConfigError),
    /// A memory dump cannot be read. Contains the whole message.
    #[cfg(feature = "view")]
    Dump(String),
    /// A game cannot be watched. Contains the whole message.
    #[cfg(feature = "view")]
    Game(String),
    /// No window can be opened. Contains the cause.
    #[cfg(feature = "view")]
    NoWindow(String),
    /// A file of the summary of a lake is damaged.
    Summary {
        /// The file.
        file: PathBuf,
        /// The damage.
        why: String,
    },
    /// A newer `stats` wrote the summary of a lake.
    NewerSummary {
        /// The list of its parts.
        file: PathBuf,
        /// The number of its format.
        format: u32,
    },
    /// Another process is changing the summary of a lake.
    Busy {
        /// The lake.
        lake: PathBuf,
    },
    /// An engine cannot answer a question. Contains the whole message.
    Engine(String),
    /// A program cannot be started.
    Start {
        /// The program.
        command: String,
        /// The cause.
        source: io::Error,
    },
    /// A program ran but recorded nothing.
    NothingRecorded {
        /// The program.
        command: String,
        /// The file with its output.
        log: PathBuf,
    },
    /// The command line is wrong. Contains the whole message.
    Usage(String),
}

impl Failure {
    /// Returns the outcome of a verb that fails with this error.
    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            Self::Usage(_) | Self::Start { .. } => Outcome::Usage,
            Self::Read(_)
            | Self::Config(_)
            | Self::Redact(_)
            | Self::Input { .. }
            | Self::Output { .. }
            | Self::Foreign { .. }
            | Self::NoMatch { .. }
            | Self::NothingIn { .. }
            | Self::NotALake { .. }
            | Self::Summary { .. }
            | Self::NewerSummary { .. }
            | Self::Busy { .. }
            | Self::Engine(_)
            | Self::NothingRecorded { .. } => Outcome::Unreadable,
            #[cfg(feature = "view")]
            Self::Dump(_) | Self::Game(_) | Self::NoWindow(_) => Outcome::Unreadable,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error @ ReadError::NotACapture { .. }) => write!(
                f,
                "{error}; if it is the log of another program, `stats import` says how it is read"
            ),
            Self::Read(error) => error.fmt(f),
            Self::Input { name, source } => write!(
                f,
                "{name} cannot be read ({source}); check the path and the permissions"
            ),
            Self::Output { name, source } => write!(
                f,
                "{name} cannot be written ({source}); make room, or name a file in an existing, writable folder"
            ),
            Self::Foreign { name, what } => match what.strip_prefix("it ") {
                Some(what) => write!(f, "{name} {what}"),
                None => write!(f, "{name}: {what}"),
            },
            Self::NoMatch { pattern } => write!(
                f,
                "no file matches {pattern:?}; check the pattern and the current folder"
            ),
            Self::NotALake { folder } => write!(
                f,
                "{} has no captures in folders named build=…, as `stats record --lake` files them; name the \
                 folder of --lake",
                folder.display()
            ),
            Self::NothingIn { folder } => write!(
                f,
                "{} is a folder without captures; name a folder with .parquet files or the logs of other programs in it, or \
                 a file",
                folder.display()
            ),
            Self::Config(error) => error.fmt(f),
            Self::Redact(error) => error.fmt(f),
            Self::Summary { file, why } => write!(
                f,
                "{} is damaged ({why}); `stats summarize --again` repairs the summary",
                file.display()
            ),
            Self::NewerSummary { file, format } => write!(
                f,
                "{} has the format {format}; use a newer `stats`",
                file.display()
            ),
            Self::Busy { lake } => write!(
                f,
                "another `stats summarize` is running in {}; wait until it ends",
                lake.display()
            ),
            Self::Engine(what) => what.fmt(f),
            Self::Start { command, source } => write!(
                f,
                "{command} cannot be started ({source}); check its path and that it can be executed"
            ),
            Self::NothingRecorded { command, log } => write!(
                f,
                "{command} recorded no frames; it should call `stats_capture::from_env` at its start and \
                 `Capture::end_frame` in each frame. What it printed is in {}",
                log.display()
            ),
            #[cfg(feature = "view")]
            Self::Dump(what) | Self::Game(what) => what.fmt(f),
            // Some causes end with a period.
            #[cfg(feature = "view")]
            Self::NoWindow(why) => write!(
                f,
                "no window could be opened: {}. It needs a display and a Vulkan driver.",
                why.trim_end().trim_end_matches('.')
            ),
            Self::Usage(what) => what.fmt(f),
        }
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            Self::Config(error) => Some(error),
            Self::Redact(error) => Some(error),
            Self::Input { source, .. }
            | Self::Output { source, .. }
            | Self::Start { source, .. } => Some(source),
            Self::Foreign { .. }
            | Self::NoMatch { .. }
            | Self::NothingIn { .. }
            | Self::NotALake { .. }
            | Self::NothingRecorded { .. }
            | Self::Summary { .. }
            | Self::NewerSummary { .. }
            | Self::Busy { .. }
            | Self::Engine(_)
            | Self::Usage(_) => None,
            #[cfg(feature = "view")]
            Self::Dump(_) | Self::Game(_) | Self::NoWindow(_) => None,
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}
