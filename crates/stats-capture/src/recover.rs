//! Completes the capture of a killed run.

use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::ReadError;
use crate::compact::compact;
use crate::journal::{Journal, Rest};
use crate::paths::{JOURNAL, begins_as_journal, beside, spans_of};
use crate::writer::{are_spans_left, complete_spans};

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
    /// The number of scopes in the [file beside it](crate::SpanFrames); 0 if there is none.
    pub spans: u64,
}

/// Completes the capture of a run that was killed: writes the content of its journal as a capture,
/// named like the journal without `.journal`, and removes the journal.
///
/// A journal truncated at any byte yields all of its complete batches, of half a second each. The
/// frames of a damaged batch are missing, as if they had been dropped. The run's
/// [`ended`](crate::Run::ended) is [`Recovered`](crate::Ended::Recovered), unless the journal is
/// complete.
///
/// # Errors
///
/// - [`ReadError::Exists`] if the capture already exists.
/// - [`ReadError::NotACapture`] if the file does not begin like a journal; [`ReadError::Empty`] if
///   it has no complete batch; [`ReadError::Damaged`] if the damage precedes the end of its first
///   batch.
/// - [`ReadError::Running`] if a program is still writing it, or if another program is recovering
///   it. On Windows, and on file systems without locks, this is not detected: end the program
///   first.
/// - [`ReadError::NewerFormat`], [`ReadError::Open`], [`ReadError::Write`].
///
/// The journal is kept if there is an error.
pub fn recover(journal: impl AsRef<Path>) -> Result<Recovered, ReadError> {
    let path = journal.as_ref();
    let target = target_of(path);
    if target.exists() {
        return Err(ReadError::Exists { path: target });
    }
    if !is_journal(path)? {
        return Err(ReadError::NotACapture {
            path: path.to_owned(),
        });
    }
    let lock = lock(path)?;
    // Another process may have completed the journal since.
    if target.exists() {
        return Err(ReadError::Exists { path: target });
    }
    let journal = Journal::open(path)?;
    if journal.rows == 0 && journal.rest != Rest::Ended {
        return Err(ReadError::Empty {
            path: path.to_owned(),
        });
    }
    let damaged_bytes = compact(&journal, &target)? + journal.damaged_bytes;
    let frames = journal.rows;
    let spans = recovered_spans(&target)?;
    // A file cannot be removed on Windows while it is open.
    drop((journal, lock));
    if damaged_bytes == 0 {
        // The capture is complete, so a leftover journal does no harm.
        let _ = std::fs::remove_file(path);
    }
    Ok(Recovered {
        path: target,
        frames,
        damaged_bytes,
        spans,
    })
}

/// Completes the file of spans beside a capture, and returns the number of its scopes.
fn recovered_spans(capture: &Path) -> Result<u64, ReadError> {
    let path = spans_of(capture);
    if !are_spans_left(&path) {
        return Ok(0);
    }
    complete_spans(&path, 0).map_err(|source| ReadError::Write { path, source })
}

/// Returns whether a file begins like a journal. An empty file counts.
fn is_journal(path: &Path) -> Result<bool, ReadError> {
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut begin));
    read.map_err(|source| ReadError::Open {
        path: path.to_owned(),
        source,
    })?;
    Ok(begins_as_journal(&begin))
}

/// Locks a journal against other processes. Does nothing on Windows, where a lock would also stop
/// readers.
fn lock(journal: &Path) -> Result<Option<File>, ReadError> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let file = File::open(journal).map_err(|source| ReadError::Open {
        path: journal.to_owned(),
        source,
    })?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ReadError::Running {
            path: journal.to_owned(),
        }),
        // Some file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

/// Returns the path for a journal's capture: without `.journal`, or, if the journal has another
/// extension, with `.parquet` appended.
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
