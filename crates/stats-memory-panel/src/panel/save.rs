//! Saves a dump of this program as a file.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use super::dump_function::{DumpFunction, WriteDump, panic_text};
use super::memory_panel::MemoryKind;
use stats_file::Target;
use stats_ui::job::{Job, Panicked};

/// The maximum number of dumps in a folder.
const MAX_FILES: u32 = 10_000;

/// A dump that is being saved.
#[derive(Debug)]
pub(super) struct Saving(Job<Result<PathBuf, SaveDumpError>>);

impl Saving {
    /// Starts saving a dump in a folder, which is created if it does not exist.
    pub(super) fn start(dump: &DumpFunction, folder: &Path, kind: MemoryKind) -> Self {
        let (dump, folder) = (dump.clone(), folder.to_path_buf());
        Self(Job::start(None, move || {
            let _memory = stats_core::own_memory("stats-memory-panel");
            save(&folder, kind, &*dump)
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

fn save(folder: &Path, kind: MemoryKind, dump: &WriteDump) -> Result<PathBuf, SaveDumpError> {
    if folder.to_string_lossy().trim().is_empty() {
        return Err(SaveDumpError(Failure::BlankFolder));
    }
    let folder = &std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error| SaveDumpError(Failure::Io { path, error })
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let full = || {
        let text = format!("the folder has {MAX_FILES} dumps already");
        io::Error::new(io::ErrorKind::AlreadyExists, text)
    };
    let mut free = names(folder, kind).filter(|path| path.symlink_metadata().is_err());
    let free = free.next().ok_or_else(full).map_err(failed(folder))?;
    let file = Target::of_file(&free).and_then(|target| target.begin());
    let mut writer = BufWriter::with_capacity(1 << 16, file.map_err(failed(folder))?);
    dump(&mut writer)
        .and_then(|_| writer.flush())
        .map_err(failed(&free))?;
    // The buffer is empty. Another program may have taken the name since.
    let (file, _) = writer.into_parts();
    let path = file
        .complete_new(names(folder, kind))
        .map_err(failed(&free))?;
    Ok(path.canonicalize().unwrap_or(path))
}

/// Returns the paths of the dumps in a folder, in the order in which they are used.
fn names(folder: &Path, kind: MemoryKind) -> impl Iterator<Item = PathBuf> {
    let what = match kind {
        MemoryKind::Main => "memory",
        MemoryKind::Video => "video-memory",
    };
    (1..=MAX_FILES).map(move |number| folder.join(format!("{what}-{number}.csv")))
}

#[cfg(test)]
mod tests {
    use stats_testing::Folder;

    use super::*;

    #[test]
    fn a_dump_has_its_name_only_when_it_is_complete() {
        let folder = Folder::new("dump-name");
        for number in 1..=3 {
            let name = format!("memory-{number}.csv");
            let path = folder.0.join(&name);
            let write = move |out: &mut dyn Write| {
                assert!(!path.exists());
                out.write_all(b"0x10,main,,1,,a\n")?;
                Ok(1)
            };
            let saved = save(&folder.0, MemoryKind::Main, &write).unwrap();
            assert!(saved.ends_with(name));
            assert_eq!(fs::read(&saved).unwrap(), b"0x10,main,,1,,a\n");
        }
        let failing = |_: &mut dyn Write| Err(io::Error::other("no dump"));
        save(&folder.0, MemoryKind::Main, &failing).unwrap_err();
        assert_eq!(folder.names().len(), 3, "{:?}", folder.names());
    }
}
