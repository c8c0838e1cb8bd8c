//! The dump at the end of the process.
#![cfg_attr(
    any(unix, windows),
    expect(unsafe_code, reason = "the end of the process is the C library's")
)]

use std::io::{self, Write as _};
use std::path::{self, Path, PathBuf};
use std::process;
use std::sync::{Mutex, Once, PoisonError};

use super::save::save_dump;

/// Where the dump is to go, and the process that said so.
static TOLD: Mutex<Option<(u32, PathBuf)>> = Mutex::new(None);

/// Writes the dump into a file when the process ends: when `main` returns, or by
/// [`std::process::exit`]. The last path told stands.
///
/// It is written as [`save_dump`] does, after the destructors of the main thread's thread-locals
/// where that thread ends the process. A failure is told on the error stream, since nobody is left
/// to return it to. Nothing is written after an abort, which a panic may be set to, or a kill; nor
/// by a fork of the process; nor on targets that are neither Unix nor Windows.
///
/// ```
/// # let path = std::env::temp_dir().join("stats-memory-doc-at-exit.csv");
/// stats_memory::dump_at_exit(&path); // in `main`
/// ```
pub fn dump_at_exit(path: impl AsRef<Path>) {
    // A later change of the working directory does not matter.
    let path = path::absolute(&path).unwrap_or_else(|_| path.as_ref().to_owned());
    *TOLD.lock().unwrap_or_else(PoisonError::into_inner) = Some((process::id(), path));
    static IS_ASKED: Once = Once::new();
    IS_ASKED.call_once(|| {
        if !ask() {
            tell(&"the dump at the end cannot be asked for: the C library has no memory left");
        }
    });
}

/// Asks to be called at the end; whether that is so.
#[cfg(any(unix, windows))]
fn ask() -> bool {
    extern "C" fn end() {
        write();
    }
    // SAFETY: the function lives as long as the program, and does not unwind.
    unsafe { libc::atexit(end) == 0 }
}

/// There is no end to be told of.
#[cfg(not(any(unix, windows)))]
fn ask() -> bool {
    let _ = write;
    true
}

fn write() {
    let told = TOLD.lock().unwrap_or_else(PoisonError::into_inner).take();
    // A fork ends like any process, and would write over what its parent is going to.
    if let Some((process, path)) = told
        && process == process::id()
        && let Err(error) = save_dump(path)
    {
        tell(&error);
    }
}

fn tell(what: &dyn std::fmt::Display) {
    // `eprintln!` would panic where there is no error stream.
    let _ = writeln!(io::stderr(), "stats-memory: {what}");
}
