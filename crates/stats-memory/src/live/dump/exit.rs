//! The dump at the end of the process.
#![cfg_attr(
    any(unix, windows),
    expect(unsafe_code, reason = "registers a function with the C library")
)]

use std::io::{self, Write as _};
use std::path::{self, Path, PathBuf};
use std::process;
use std::sync::{Mutex, Once, PoisonError};

use stats_file::Target;

use super::save::{not_written, save_dump};
use crate::Tag;
use crate::live::tags;

/// The path of the dump, and the process that set it.
static DUMP_AT_EXIT: Mutex<Option<(u32, PathBuf)>> = Mutex::new(None);

/// Writes the dump into a file when the process ends: when `main` returns, or by
/// [`std::process::exit`]. Calling this again replaces the path. A path that leads to a folder is
/// reported to the error stream at once, and changes nothing.
///
/// Writes as [`save_dump`] does. If the main thread ends the process, the destructors of its
/// thread-locals run first. A failure is printed to the error stream, since there is no caller to
/// return it to. Nothing is written after an abort (such as a panic with `panic = "abort"`) or a
/// kill, by a fork of the process, or on targets other than Unix and Windows.
///
/// ```
/// # let path = std::env::temp_dir().join("stats-memory-doc-at-exit.csv");
/// stats_memory::dump_at_exit(&path); // in `main`
/// ```
pub fn dump_at_exit(path: impl AsRef<Path>) {
    // The path stays valid if the working directory changes later.
    let path = path::absolute(&path).unwrap_or_else(|_| path.as_ref().to_owned());
    {
        let _own = Tag::of(tags::own()).enter();
        if let Err(error) = Target::of(&path) {
            report(&not_written(&path, &error));
            return;
        }
    }
    *DUMP_AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner) = Some((process::id(), path));
    static IS_REGISTERED: Once = Once::new();
    IS_REGISTERED.call_once(|| {
        if !register() {
            report(&"the dump at exit cannot be registered: the C library has no memory left");
        }
    });
}

/// Registers the function that runs at the end. Returns whether that succeeded.
#[cfg(any(unix, windows))]
fn register() -> bool {
    extern "C" fn end() {
        write();
    }
    // SAFETY: the function lives as long as the program, and does not unwind.
    unsafe { libc::atexit(end) == 0 }
}

/// Does nothing, successfully: this target does not report the end of a process.
#[cfg(not(any(unix, windows)))]
fn register() -> bool {
    let _ = write;
    true
}

fn write() {
    let registered = DUMP_AT_EXIT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    // A fork ends like any process, and would overwrite the file that its parent is going to write.
    if let Some((process, path)) = registered
        && process == process::id()
        && let Err(error) = save_dump(path)
    {
        report(&error);
    }
}

fn report(what: &dyn std::fmt::Display) {
    // `eprintln!` would panic without an error stream.
    let _ = writeln!(io::stderr(), "stats-memory: {what}");
}
