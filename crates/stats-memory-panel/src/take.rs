//! Taking a snapshot of this program, and saving its dump as a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{error, fmt};

use super::facets::Facets;
use super::job::{Job, Panicked};
use super::reader::SnapshotWriter;
use super::snapshot::MemorySnapshot;

/// How many dumps can be in a folder.
const MAX_FILES: u32 = 10_000;

/// Writes a dump of this program, and says of how many lines.
type WriteDump = dyn Fn(&mut dyn Write) -> io::Result<u64> + Send + Sync;

/// The function that writes a dump of this program, of any tracking allocator.
#[derive(Clone)]
pub struct Dump(Arc<WriteDump>);

impl fmt::Debug for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dump")
    }
}

/// A snapshot, and what can be chosen from in it.
pub(super) type Taken = (MemorySnapshot, Facets);

impl Dump {
    pub fn new(dump: impl Fn(&mut dyn Write) -> io::Result<u64> + Send + Sync + 'static) -> Self {
        Self(Arc::new(dump))
    }

    /// Begins to take a snapshot. Nobody is woken when it is there: an overlay that is seen draws
    /// in every frame.
    pub(super) fn take(&self) -> Job<io::Result<Taken>> {
        let dump = Arc::clone(&self.0);
        Job::start(None, move || {
            let mut writer = SnapshotWriter::new();
            dump(&mut writer)?;
            let snapshot = writer.finish();
            let facets = Facets::of(&snapshot);
            Ok((snapshot, facets))
        })
    }

    /// Begins to save `memory-NUMBER.csv` in a folder, which is made where it does not exist.
    pub fn save(&self, folder: &Path) -> Job<Result<PathBuf, SaveDumpError>> {
        let (dump, folder) = (Arc::clone(&self.0), folder.to_path_buf());
        Job::start(None, move || save(&folder, &*dump))
    }
}

/// Why a dump could not be saved. Its text says what to do.
#[derive(Debug)]
pub struct SaveDumpError {
    /// The file or the folder.
    path: PathBuf,
    error: io::Error,
}

impl fmt::Display for SaveDumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, error } = self;
        write!(
            f,
            "{} cannot be written: {error}. Make room, or give this user the right to write there.",
            path.display()
        )
    }
}

impl error::Error for SaveDumpError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.error)
    }
}

/// What is said of a dump function that panicked.
pub fn panicked_text(panicked: &Panicked) -> String {
    format!("the function that writes the dump panicked: {}", panicked.0)
}

fn save(folder: &Path, dump: &WriteDump) -> Result<PathBuf, SaveDumpError> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error| SaveDumpError { path, error }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let (file, path) = new_file(folder).map_err(failed(folder))?;
    let half = Half(Some(path.clone()));
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    dump(&mut writer)
        .and_then(|_| writer.flush())
        .map_err(failed(&path))?;
    half.keep();
    Ok(path.canonicalize().unwrap_or(path))
}

/// A file that is removed where it was not finished, in a panic too: half a dump would pass for a
/// whole one.
struct Half(Option<PathBuf>);

impl Half {
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Half {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // That it may stay is all that can go wrong.
            let _ = fs::remove_file(path);
        }
    }
}

/// Opens the first file that is not there yet.
fn new_file(folder: &Path) -> io::Result<(File, PathBuf)> {
    for number in 1..=MAX_FILES {
        let path = folder.join(format!("memory-{number}.csv"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path)),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("it holds {MAX_FILES} dumps"),
    ))
}
