//! The content on its way to a target.

use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Result, Write};
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
        if let Some(mut part) = part {
            fs::rename(&part.path, &part.target)?;
            part.path.clear();
        }
        Ok(())
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
