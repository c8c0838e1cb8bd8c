//! Why a state could not be saved.

use std::path::PathBuf;
use std::{error, fmt, io};

/// The error if settings cannot be saved. Its text says how to fix that.
#[non_exhaustive]
pub enum SaveError {
    /// The path is empty or contains only whitespace.
    BlankPath,
    /// The file or its folder could not be written.
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason the system gives.
        error: io::Error,
    },
    /// The existing file is damaged or comes from a newer version, and cannot be kept under another
    /// name.
    DamagedStays {
        /// The file.
        path: PathBuf,
        /// The reason the system gives.
        error: io::Error,
    },
    /// The text would be longer than 4 MiB, the maximum that is read.
    TooLong,
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BlankPath => f.write_str(
                "The path of the settings is blank. Give the path of a file, such as settings/stats.json.",
            ),
            Self::Unwritable { path, error } => {
                use io::ErrorKind as Kind;
                let cure = match error.kind() {
                    Kind::IsADirectory | Kind::InvalidInput => {
                        "Give the path of a file, such as settings/stats.json."
                    }
                    Kind::NotADirectory | Kind::AlreadyExists => {
                        "Give a path whose folders are folders, not files."
                    }
                    Kind::StorageFull | Kind::QuotaExceeded => "Make room, or use another path.",
                    _ => "Give this user permission to write there, or use another path.",
                };
                write!(f, "{} cannot be written: {error}. {cure}", path.display())
            }
            Self::DamagedStays { path, error } => write!(
                f,
                "{} is damaged or of a newer version, and cannot be kept under another name: {error}. Move it away.",
                path.display()
            ),
            Self::TooLong => f.write_str(
                "The settings are longer than 4 MiB, the maximum that is read. Remove presets.",
            ),
        }
    }
}

impl error::Error for SaveError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Unwritable { error, .. } | Self::DamagedStays { error, .. } => Some(error),
            Self::BlankPath | Self::TooLong => None,
        }
    }
}
