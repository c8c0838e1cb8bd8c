//! Where a state was saved, and what was kept of the previous file.

use std::fmt;
use std::path::PathBuf;

/// The files of a save. The `Display` text describes them in one or two sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SaveReport {
    /// The absolute path of the file.
    pub path: PathBuf,
    /// The absolute path of the previous file, if it was kept because it is damaged, comes from a
    /// newer version, or has unknown fields.
    pub kept: Option<PathBuf>,
}

impl fmt::Display for SaveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The settings are saved as {}.", self.path.display())?;
        let Some(kept) = &self.kept else {
            return Ok(());
        };
        write!(
            f,
            " The file that was there could not be read in full; it is kept as {}.",
            kept.display()
        )
    }
}
