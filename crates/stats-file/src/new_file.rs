//! The content on its way to a target.

use std::fs::{self, File, Permissions};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::abandoned::{part_of, remove_abandoned};

/// The content of a [`Target`](crate::Target) while it is written.
///
/// [`complete`](Self::complete) replaces the target. Dropping this value, for example because of an
/// error or a panic, removes what was written, unless the target is a device or a pipe. If the
/// process is killed, a file `NAME.PROCESS-NUMBER.part` remains.
///
/// It is not buffered.
#[derive(Debug)]
pub struct NewFile {
    // Closed before the part is removed, because Windows removes no open file.
    file: File,
    /// `None` for a device or a pipe.
    part: Option<Part>,
}

/// A file with part of the content. Removed on drop.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    target: PathBuf,
}

impl NewFile {
    /// Opens a device, a pipe or an open file.
    pub(crate) fn of_stream(path: &Path) -> Result<Self> {
        // Appends, because another process may have written to an open file.
        let file = File::options().append(true).open(path)?;
        Ok(Self { file, part: None })
    }

    /// Creates a file beside its target.
    pub(crate) fn beside(target: &Path, permissions: Option<Permissions>) -> Result<Self> {
        remove_abandoned(target);
        let (file, path) = create(target)?;
        // It is locked while it is written, so that it does not count as abandoned. Some file systems
        // have no locks.
        let _ = file.try_lock();
        let part = Part {
            path,
            target: target.to_owned(),
        };
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        Ok(Self {
            file,
            part: Some(part),
        })
    }

    /// Returns the file, for example to read it again or to call
    /// [`sync_all`](File::sync_all).
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Replaces the target. Does nothing for a device or a pipe.
    ///
    /// A concurrent reader finds either the whole old content or the whole new one.
    ///
    /// # Errors
    ///
    /// Those of the system. The target then keeps its content, and what was written is removed.
    pub fn complete(self) -> Result<()> {
        let Self { part, file } = self;
        // Windows renames no open file.
        drop(file);
        part.map_or(Ok(()), |part| {
            let target = part.target.clone();
            part.rename(&target)
        })
    }

    /// Gives the file the first of these paths, in the same folder, at which nothing exists, and
    /// returns it. Replaces nothing. The file appears complete.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::AlreadyExists`] if something exists at all of them.
    /// - [`ErrorKind::InvalidInput`] for a device or a pipe.
    /// - Those of the system. What was written is then removed.
    pub fn complete_new(self, paths: impl IntoIterator<Item = PathBuf>) -> Result<PathBuf> {
        let Self { part, file } = self;
        // Windows renames no open file.
        drop(file);
        let part = part.ok_or(ErrorKind::InvalidInput)?;
        let is_taken = |error: &Error| error.kind() == ErrorKind::AlreadyExists;
        for path in paths {
            // A second name never replaces a file, unlike a new name. Dropping `part` removes the
            // first one.
            match fs::hard_link(&part.path, &path) {
                Ok(()) => return Ok(path),
                Err(error) if is_taken(&error) => continue,
                Err(_) => {}
            }
            // Without second names, as on FAT, an empty file reserves the name.
            match File::create_new(&path) {
                Ok(_) => return part.rename_over_reserved(path),
                Err(error) if is_taken(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

impl Part {
    fn rename(mut self, target: &Path) -> Result<()> {
        fs::rename(&self.path, target)?;
        self.path.clear();
        Ok(())
    }

    fn rename_over_reserved(self, reserved: PathBuf) -> Result<PathBuf> {
        match self.rename(&reserved) {
            Ok(()) => Ok(reserved),
            Err(error) => {
                let _ = fs::remove_file(reserved);
                Err(error)
            }
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // If it cannot be removed, it is removed later, when it is old.
        if !self.path.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Creates a new file beside a target.
fn create(target: &Path) -> Result<(File, PathBuf)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        // Relaxed: two threads only need different numbers.
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = part_of(target, process(), number);
        let mut options = File::options();
        match options.read(true).write(true).create_new(true).open(&path) {
            // Left over by a killed process with the same number. In a container, all have number 1.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return Ok((opened?, path)),
        }
    }
}

/// Returns the number of this process. Browsers have none.
fn process() -> u32 {
    match cfg!(target_family = "wasm") {
        true => 0,
        false => std::process::id(),
    }
}
