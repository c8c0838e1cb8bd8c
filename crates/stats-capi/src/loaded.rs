//! Loads plugins, and reloads them when their files change.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use libloading::Library;
use stats_core::own_memory;

use crate::StatsApi;
use crate::change::{Change, Stamp, Step};
use crate::functions::stats_api;
use crate::image::is_complete;

/// A plugin from a dynamic library. Dropping it unloads the library.
///
/// The library is copied before it is loaded, so that a compiler can replace the file, and so that
/// the system loads the new code instead of the old. A file that is still being written is not
/// loaded. The series of a plugin outlive it.
#[derive(Debug)]
pub struct LoadedPlugin {
    path: PathBuf,
    change: Change,
    code: Code,
}

/// The code of a plugin.
#[derive(Debug)]
struct Code {
    /// `stats_plugin_frame`, which is optional. Not called after `library` is dropped.
    frame: Option<unsafe extern "C" fn()>,
    library: Library,
}

/// The reason why a plugin cannot be loaded.
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read or copied.
    File(PathBuf, io::Error),
    /// The file changes while it is read, or ends before what its own tables list: it is still
    /// being written, or was cut off.
    Incomplete(PathBuf),
    /// The file is not a dynamic library for this system, or does not export the functions of a
    /// plugin.
    Library(PathBuf, libloading::Error),
    /// The plugin was built for another version of [`StatsApi`].
    Version(PathBuf),
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => {
                write!(f, "cannot read the plugin {}: {error}", path.display())
            }
            Self::Incomplete(path) => write!(
                f,
                "the plugin {} is incomplete: wait until it is written, or build it again",
                path.display()
            ),
            Self::Library(path, error) => write!(
                f,
                "{} is not a plugin: {error}. Build it as a cdylib, and export it with `export_plugin!`",
                path.display()
            ),
            Self::Version(path) => write!(
                f,
                "the plugin {} needs another version of stats-capi: build it with that of the host",
                path.display()
            ),
        }
    }
}

impl std::error::Error for LoadError {}

impl LoadedPlugin {
    /// Loads a plugin that was exported with [`export_plugin!`](crate::export_plugin), or a C
    /// library with the same functions.
    ///
    /// # Safety
    ///
    /// Loading a library runs its code. The library must be a plugin whose functions have the types
    /// in the header, and may be called on any thread that calls [`frame`](Self::frame). No thread
    /// may run the plugin's code while it is dropped or reloaded.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is incomplete, is not a plugin, or is a plugin
    /// for another version.
    pub unsafe fn load(path: &Path) -> Result<Self, LoadError> {
        let stamp = Stamp::of(path);
        // SAFETY: guaranteed by the caller.
        let code = unsafe { Code::load(path) }?;
        let _memory = own_memory("stats-capi");
        Ok(Self {
            path: path.to_owned(),
            change: Change::new(stamp, Instant::now()),
            code,
        })
    }

    /// Runs a frame of the plugin.
    pub fn frame(&self) {
        if let Some(frame) = self.code.frame {
            // SAFETY: the library is loaded, and the function has that type, as the caller of
            // `load` says.
            unsafe { frame() };
        }
    }

    /// Reloads the plugin if its file has changed. Returns whether it reloaded the plugin. If the
    /// new file cannot be loaded, the old plugin stays.
    ///
    /// A changed file is loaded once its length and its time have been the same for a quarter of a
    /// second. Until then, and while a library that is written in place is incomplete, this does
    /// nothing. Call it now and then, for example twice per second.
    ///
    /// # Safety
    ///
    /// See [`load`](Self::load).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`load`](Self::load), also for a missing file: once for each change,
    /// and only if the file has been the same for two seconds. A plugin for another version is
    /// reported at once.
    pub unsafe fn reload_if_changed(&mut self) -> Result<bool, LoadError> {
        let step = self.change.step(Stamp::of(&self.path), Instant::now());
        if step == Step::Wait {
            return Ok(false);
        }
        // SAFETY: guaranteed by the caller.
        match unsafe { Code::load(&self.path) } {
            Ok(code) => {
                self.change.finish();
                self.code = code;
                Ok(true)
            }
            Err(error @ LoadError::Version(_)) => {
                self.change.finish();
                Err(error)
            }
            Err(error) if step == Step::TryLast => Err(error),
            Err(_) => Ok(false),
        }
    }
}

/// Reads a library as a whole.
fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    let of_file = |error| LoadError::File(path.to_owned(), error);
    let before = Stamp::of(path);
    let image = fs::read(path).map_err(of_file)?;
    // Read twice: a compiler may write to memory that is the file, which leaves its time as it is.
    let is_same = has_content(path, &image).map_err(of_file)? && Stamp::of(path) == before;
    if is_same && is_complete(&image) {
        Ok(image)
    } else {
        Err(LoadError::Incomplete(path.to_owned()))
    }
}

/// Returns whether a file contains `image` and nothing else. Reads it in pieces, because libraries
/// may be large.
fn has_content(path: &Path, image: &[u8]) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut rest = image;
    loop {
        let piece = match file.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        let len = piece.len();
        if len == 0 {
            return Ok(rest.is_empty());
        }
        rest = match rest.strip_prefix(piece) {
            Some(rest) => rest,
            None => return Ok(false),
        };
        file.consume(len);
    }
}

/// Writes a library to a new temporary file, and returns its path.
fn copy(image: &[u8]) -> io::Result<PathBuf> {
    static COPIES: AtomicU32 = AtomicU32::new(0);
    loop {
        // Relaxed: numbers only have to differ.
        let copy = COPIES.fetch_add(1, Ordering::Relaxed);
        // Windows appends an extension to a name without one.
        let extension = std::env::consts::DLL_SUFFIX;
        let name = format!("stats-plugin-{}-{copy}{extension}", std::process::id());
        let copy = std::env::temp_dir().join(name);
        // An existing file belongs to an earlier process, or to someone else who can change it.
        let written = match File::create_new(&copy) {
            Ok(mut to) => to.write_all(image),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        return match written {
            Ok(()) => Ok(copy),
            Err(error) => {
                let _ = fs::remove_file(&copy);
                Err(error)
            }
        };
    }
}

impl Code {
    /// Loads a copy of the library.
    ///
    /// # Safety
    ///
    /// See [`LoadedPlugin::load`].
    unsafe fn load(path: &Path) -> Result<Self, LoadError> {
        // The plugin's own code, which runs below, belongs to the game.
        let memory = own_memory("stats-capi");
        let copy = copy(&read(path)?).map_err(|error| LoadError::File(path.to_owned(), error))?;
        drop(memory);
        // SAFETY: guaranteed by the caller.
        let library = unsafe { Library::new(&copy) };
        // An open library needs no file, except on Windows, where this fails.
        let _ = fs::remove_file(&copy);
        let not_a_plugin = |error| LoadError::Library(path.to_owned(), error);
        let library = library.map_err(not_a_plugin)?;
        // SAFETY: the function has that type, as the caller says.
        let is_known = unsafe {
            let load = library
                .get::<unsafe extern "C" fn(*const StatsApi) -> bool>(b"stats_plugin_load\0")
                .map_err(not_a_plugin)?;
            load(stats_api())
        };
        if !is_known {
            return Err(LoadError::Version(path.to_owned()));
        }
        // SAFETY: the function has that type, as the caller says.
        let frame = unsafe { library.get::<unsafe extern "C" fn()>(b"stats_plugin_frame\0") };
        let frame = frame.ok().map(|frame| *frame);
        Ok(Self { frame, library })
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the function has that type, as the caller of `load` says.
        unsafe {
            if let Ok(unload) = self
                .library
                .get::<unsafe extern "C" fn()>(b"stats_plugin_unload\0")
            {
                unload();
            }
        }
    }
}
