//! Saves a dump of this program as a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use super::dump_function::{DumpFunction, WriteDump, panic_text};
use stats_ui::job::{Job, Panicked};

/// The maximum number of dumps in a folder.
const MAX_FILES: u32 = 10_000;

/// A dump that is being saved.
#[derive(Debug)]
pub(super) struct Saving(Job<Result<PathBuf, SaveDumpError>>);

impl Saving {
    /// Starts saving a dump in a folder, which is created if it does not exist.
    pub(super) fn start(dump: &DumpFunction, folder: &Path) -> Self {
        let (dump, folder) = (dump.clone(), folder.to_path_buf());
        Self(Job::start(None, move || {
            let _memory = stats_core::own_memory("stats-memory-panel");
            save(&folder, &*dump)
        }))
    }

    /// Returns, once, the path of the file or why there is none; `None` while it is being saved.
    pub(super) fn poll(&self) -> Option<Result<PathBuf, SaveDumpError>> {
        let done = self.0.poll()?;
        Some(done.unwrap_or_else(|panicked| Err(SaveDumpError(Failure::Panicked(panicked)))))
    }
}

/// The error if a dump cannot be saved. Its text says how to fix it.
pub struct SaveDumpError(Failure);

#[derive(Debug)]
enum Failure {
    /// The path of the file or the folder, and the error of the system.
    Io {
        path: PathBuf,
        error: io::Error,
    },
    Panicked(Panicked),
    /// The path of the folder is empty or consists of blanks.
    BlankFolder,
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for SaveDumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SaveDumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Failure::Io { path, error } => write!(
                f,
                "{} cannot be written: {error}. Free some space, or give this user permission to write there.",
                path.display()
            ),
            Failure::BlankFolder => f.write_str(
                "No dump was saved: the path of its folder is blank. Give a folder, such as dumps.",
            ),
            Failure::Panicked(panicked) => {
                write!(f, "No dump was saved: {}", panic_text(panicked))
            }
        }
    }
}

impl error::Error for SaveDumpError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.0 {
            Failure::Io { error, .. } => Some(error),
            Failure::Panicked(_) | Failure::BlankFolder => None,
        }
    }
}

fn save(folder: &Path, dump: &WriteDump) -> Result<PathBuf, SaveDumpError> {
    if folder.to_string_lossy().trim().is_empty() {
        return Err(SaveDumpError(Failure::BlankFolder));
    }
    let folder = &std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error| SaveDumpError(Failure::Io { path, error })
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let (file, path) = new_file(folder).map_err(failed(folder))?;
    let unfinished = Unfinished(Some(path.clone()));
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    dump(&mut writer)
        .and_then(|_| writer.flush())
        .map_err(failed(&path))?;
    unfinished.keep();
    Ok(path.canonicalize().unwrap_or(path))
}

/// Removes a file unless it is finished, even if saving panics, because half a dump would look like
/// a complete one.
struct Unfinished(Option<PathBuf>);

impl Unfinished {
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // A file that cannot be removed stays.
            let _ = fs::remove_file(path);
        }
    }
}

/// Creates a file with the first free name.
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
        format!("the folder has {MAX_FILES} dumps already"),
    ))
}
