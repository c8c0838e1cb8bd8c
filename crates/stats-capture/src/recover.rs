//! Completes the capture of a killed run.

use std::path::{Path, PathBuf};

use crate::ReadError;
use crate::compact::compact;
use crate::journal::{Journal, Rest};
use crate::paths::{JOURNAL, beside};

/// The result of a recovery.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The capture.
    pub path: PathBuf,
    /// The number of its frames.
    pub frames: u64,
    /// The number of damaged bytes in the journal. The values in them are null in the capture, or
    /// their frames are missing. If it is not 0, the journal is kept.
    pub damaged_bytes: u64,
}

/// Completes the capture of a run that was killed: writes the content of its journal as a capture,
/// named like the journal without `.journal`, and removes the journal.
///
/// A journal that is truncated at any byte yields all of its complete batches, of half a second
/// each. The run's [`ended`](crate::Run::ended) is [`Recovered`](crate::Ended::Recovered), unless
/// the journal itself is complete.
///
/// # Errors
///
/// - [`ReadError::Exists`] if the capture already exists.
/// - [`ReadError::Empty`] if the journal has no complete batch; [`ReadError::Damaged`] if its
///   beginning is damaged.
/// - [`ReadError::NewerFormat`], [`ReadError::Open`], [`ReadError::Write`].
///
/// The journal is kept if there is an error.
pub fn recover(journal: impl AsRef<Path>) -> Result<Recovered, ReadError> {
    let path = journal.as_ref();
    let target = target_of(path);
    if target.exists() {
        return Err(ReadError::Exists { path: target });
    }
    let journal = Journal::open(path)?;
    if journal.rows == 0 && journal.rest != Rest::Ended {
        return Err(ReadError::Empty {
            path: path.to_owned(),
        });
    }
    let mut damaged_bytes = compact(&journal, &target)?;
    if let Rest::Damaged(bytes) = journal.rest {
        damaged_bytes += bytes;
    }
    let frames = journal.rows;
    // A file cannot be removed on Windows while it is open.
    drop(journal);
    if damaged_bytes == 0 {
        // The capture is complete, so a leftover journal does no harm.
        let _ = std::fs::remove_file(path);
    }
    Ok(Recovered {
        path: target,
        frames,
        damaged_bytes,
    })
}

/// Returns the path of a journal's capture: without the extension `.journal`, or with another
/// extension.
fn target_of(journal: &Path) -> PathBuf {
    if journal
        .extension()
        .is_some_and(|extension| extension == JOURNAL)
    {
        journal.with_extension("")
    } else {
        beside(journal, "parquet")
    }
}
