//! [`SavedState`] in a file or in a host's storage.
//!
//! A file is replaced as a whole, so that a reader or a crash never sees half of it. A file that
//! cannot be read is never overwritten: it is kept under another name.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{error, fmt, io};

use super::document::MAX_BYTES;
use super::load_error::LoadError;
use super::saved::SavedState;
use stats_ui::palette::fnv1a;

/// The key of the saved state in a host's storage, such as eframe's.
pub const STORAGE_KEY: &str = "stats-overlay";

/// The most damaged files that are kept beside a saved one.
const MAX_DAMAGED: u32 = 1000;

impl SavedState {
    /// Reads a file. Returns `None` if there is none.
    ///
    /// ```no_run
    /// use stats_overlay::{SavedState, StatsOverlay};
    ///
    /// let mut overlay = StatsOverlay::new();
    /// if let Some(saved) = SavedState::load("settings/stats.json")? {
    ///     overlay.restore(&saved);
    /// }
    /// // … and when the game ends:
    /// overlay.saved().save("settings/stats.json")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is longer than 4 MiB, or is not a document that
    /// [`save`](Self::save) writes; see [`LoadError`].
    pub fn load(path: impl AsRef<Path>) -> Result<Option<Self>, LoadError> {
        let path = path.as_ref();
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => read(path)
                .and_then(|text| text.parse())
                .map(Some)
                .map_err(|error: LoadError| error.in_file(path)),
            // Opening a pipe would block until another process writes to it.
            Ok(_) => Err(LoadError::NotAFile {
                path: path.to_path_buf(),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(LoadError::Unreadable {
                path: path.to_path_buf(),
                error,
            }),
        }
    }

    /// Writes a file, and creates its folder if there is none.
    ///
    /// A concurrent reader, or one after a crash, finds either the whole old text or the whole new
    /// text. An existing file that [`load`](Self::load) refuses is kept beside the new one: instead
    /// of `settings.json` as `settings.damaged.json`, the next one as `settings.damaged-2.json`. The
    /// call waits for the disk, which takes some milliseconds, so do not make it within a frame.
    ///
    /// # Errors
    ///
    /// If the system refuses to write the file, or the file is marked as read-only; the existing
    /// file is then unchanged.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        let text = self.to_string();
        if text.len() > MAX_BYTES {
            return Err(SaveError::TooLong);
        }
        // If the path is a link, its target is replaced, not the link.
        let path = fs::canonicalize(&path).unwrap_or_else(|_| path.as_ref().to_path_buf());
        let failed = |error| SaveError::Unwritable {
            path: path.clone(),
            error,
        };
        let before = fs::metadata(&path).ok();
        if before
            .as_ref()
            .is_some_and(|before| before.permissions().readonly())
        {
            return Err(failed(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "it is marked as read-only",
            )));
        }
        match Self::load(&path) {
            Ok(_) => {}
            Err(LoadError::NotAFile { .. }) => {
                return Err(failed(io::Error::other("it is not a regular file")));
            }
            // If the file's metadata cannot be read, writing it returns the reason.
            Err(_) if before.is_none() => {}
            Err(_) => set_aside(&path).map_err(|error| SaveError::DamagedStays {
                path: path.clone(),
                error,
            })?,
        }
        write(&path, &text, before.map(|before| before.permissions())).map_err(failed)
    }

    /// Reads from a host's storage. Returns `None` if it has no saved state.
    ///
    /// With eframe: `SavedState::load_with(|key| storage.get_string(key))`.
    ///
    /// # Errors
    ///
    /// If the text is not a document that [`save_with`](Self::save_with) stores.
    pub fn load_with(get: impl FnOnce(&str) -> Option<String>) -> Result<Option<Self>, LoadError> {
        get(STORAGE_KEY).map(|text| text.parse()).transpose()
    }

    /// Writes to a host's storage. `before` is the text that the storage has under [`STORAGE_KEY`].
    ///
    /// With eframe:
    /// `saved.save_with(storage.get_string(STORAGE_KEY), |key, text| storage.set_string(key, text))`.
    ///
    /// If `before` cannot be read, it is kept under another key, which begins with
    /// `stats-overlay-damaged-`.
    pub fn save_with(&self, before: Option<String>, mut set: impl FnMut(&str, String)) {
        if let Some(damaged) = before.filter(|text| text.parse::<Self>().is_err()) {
            set(
                &format!("{STORAGE_KEY}-damaged-{:016x}", fnv1a(&damaged)),
                damaged,
            );
        }
        set(STORAGE_KEY, self.to_string());
    }
}

/// Why settings could not be saved. Its text names the cure.
#[derive(Debug)]
#[non_exhaustive]
pub enum SaveError {
    /// The file or its folder could not be written.
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason the system gives.
        error: io::Error,
    },
    /// The existing file can neither be read as settings nor kept under another name.
    DamagedStays {
        /// The file.
        path: PathBuf,
        /// The reason the system gives.
        error: io::Error,
    },
    /// The text would be longer than 4 MiB, the most that is read.
    TooLong,
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritable { path, error } => {
                write!(
                    f,
                    "{} cannot be written: {error}. Give this user the right to write there, or another path.",
                    path.display()
                )
            }
            Self::DamagedStays { path, error } => write!(
                f,
                "{} cannot be read as settings, nor kept under another name: {error}. Move it away.",
                path.display()
            ),
            Self::TooLong => f.write_str(
                "The settings are longer than 4 MiB, the most that is read. Remove presets.",
            ),
        }
    }
}

impl error::Error for SaveError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Unwritable { error, .. } | Self::DamagedStays { error, .. } => Some(error),
            Self::TooLong => None,
        }
    }
}

fn read(path: &Path) -> Result<String, LoadError> {
    let unreadable = |error| LoadError::Unreadable {
        path: path.to_path_buf(),
        error,
    };
    let mut bytes = Vec::new();
    // One byte more than allowed reveals a file that is too long, even if its metadata is wrong.
    File::open(path)
        .map_err(unreadable)?
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() > MAX_BYTES {
        return Err(LoadError::TooLong { path: None });
    }
    String::from_utf8(bytes)
        .map_err(|error| LoadError::not_utf8(error.as_bytes(), error.utf8_error().valid_up_to()))
}

/// Writes a second file beside the first, then renames it to the first.
fn write(path: &Path, text: &str, permissions: Option<fs::Permissions>) -> io::Result<()> {
    static WRITES: AtomicU32 = AtomicU32::new(0);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Relaxed: two threads only need different numbers.
    let number = WRITES.fetch_add(1, Ordering::Relaxed);
    let beside = with_suffix(path, &format!(".{}-{number}.new", std::process::id()));
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
        // Otherwise the name could reach the disk before the text.
        file.sync_all()
    });
    let moved = written.and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        // If this fails as well, a useless file stays, which does no harm.
        let _ = fs::remove_file(&beside);
    }
    moved
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(suffix);
    path.with_file_name(name)
}

/// Gives a damaged file a second, unused name.
fn set_aside(path: &Path) -> io::Result<()> {
    for number in 1..=MAX_DAMAGED {
        let aside = damaged_name(path, number);
        let kept = match fs::hard_link(path, &aside) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => copy(path, &aside),
            linked => linked,
        };
        match kept {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            kept => return kept,
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("there are already {MAX_DAMAGED} damaged files beside it"),
    ))
}

/// Copies a file, for file systems without hard links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(to)?;
    io::copy(&mut from, &mut file)?;
    file.sync_all()
}

/// Returns `settings.damaged.json`, then `settings.damaged-2.json`.
fn damaged_name(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_stem().map_or_else(OsString::new, OsString::from);
    name.push(".damaged");
    if number > 1 {
        name.push(format!("-{number}"));
    }
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use stats_testing::Folder;

    fn favorite(path: &str) -> SavedState {
        SavedState {
            favorites: vec![path.to_owned()],
            ..SavedState::default()
        }
    }

    #[test]
    fn a_file_is_created_replaced_and_read() {
        let folder = Folder::new("created");
        let path = folder.0.join("new/deep/settings.json");
        assert!(SavedState::load(&path).unwrap().is_none());
        for name in ["a", "b"] {
            favorite(name).save(&path).unwrap();
            assert_eq!(SavedState::load(&path).unwrap(), Some(favorite(name)));
        }
        let beside: Vec<_> = fs::read_dir(path.parent().unwrap())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(beside, ["settings.json"]);
    }

    #[test]
    fn damaged_files_are_kept_beside_the_new_one() {
        let folder = Folder::new("damaged");
        let path = folder.0.join("settings.json");
        let long = " ".repeat(MAX_BYTES + 1);
        for damaged in [
            b"{ \"settings\": oops".as_slice(),
            b"{\n\"a\": \"\xff\"}",
            long.as_bytes(),
        ] {
            fs::write(&path, damaged).unwrap();
            let error = SavedState::load(&path).unwrap_err().to_string();
            assert!(error.starts_with(&path.display().to_string()), "{error}");
            favorite("a").save(&path).unwrap();
            assert_eq!(SavedState::load(&path).unwrap(), Some(favorite("a")));
        }
        assert_eq!(
            folder.names(),
            [
                "settings.damaged-2.json",
                "settings.damaged-3.json",
                "settings.damaged.json",
                "settings.json"
            ]
        );
        assert_eq!(
            fs::read(folder.0.join("settings.damaged.json")).unwrap(),
            b"{ \"settings\": oops"
        );
        assert_eq!(
            fs::metadata(folder.0.join("settings.damaged-3.json"))
                .unwrap()
                .len(),
            long.len() as u64
        );
        copy(&path, &folder.0.join("copy")).unwrap();
        assert_eq!(
            copy(&path, &folder.0.join("copy")).unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
    }

    #[test]
    fn errors_name_the_file_the_line_and_the_cure() {
        let folder = Folder::new("errors");
        let path = folder.0.join("settings.json");
        let text = |path: &Path| {
            SavedState::load(path)
                .unwrap_err()
                .to_string()
                .replace(&path.display().to_string(), "FILE")
        };
        fs::write(&path, "{\n  \"pinned\": [1]\n}").unwrap();
        let at =
            "FILE, line 2, column 14: invalid type: integer `1`, expected a string as pinned[0].";
        assert_eq!(
            text(&path),
            format!("{at} Correct it there, or remove it to begin with the defaults.")
        );
        fs::write(&path, b"{\n\"a\": \"\xff\"}").unwrap();
        assert!(
            text(&path).starts_with("FILE, line 2, column 7: expected text in UTF-8."),
            "{}",
            text(&path)
        );
        assert_eq!(
            text(&folder.0),
            "FILE is not a regular file. Move it away, or give the path of a file."
        );
        let error = SavedState::default()
            .save(&folder.0)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("cannot be written: it is not a regular file"),
            "{error}"
        );
        let error = SavedState::default()
            .save(path.join("below/a/file.json"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("cannot be written"), "{error}");
        assert!(matches!(
            favorite(&"x".repeat(MAX_BYTES)).save(&path),
            Err(SaveError::TooLong)
        ));
        assert_eq!(folder.names(), ["settings.json"]);
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = Folder::new("read-only");
        let path = folder.0.join("settings.json");
        favorite("a").save(&path).unwrap();
        let before = fs::metadata(&path).unwrap().permissions();
        let mut locked = before.clone();
        locked.set_readonly(true);
        fs::set_permissions(&path, locked).unwrap();
        let error = favorite("b").save(&path).unwrap_err().to_string();
        assert!(error.contains("marked as read-only"), "{error}");
        assert_eq!(SavedState::load(&path).unwrap(), Some(favorite("a")));
        fs::set_permissions(&path, before).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn saving_keeps_links_and_permissions() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = Folder::new("link");
        let (path, link) = (folder.0.join("real.json"), folder.0.join("settings.json"));
        favorite("a").save(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        favorite("b").save(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(SavedState::load(&path).unwrap(), Some(favorite("b")));
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }

    #[test]
    fn a_concurrent_reader_finds_a_whole_text() {
        let folder = Folder::new("whole");
        let path = folder.0.join("settings.json");
        let (short, long) = (favorite("a"), favorite(&"b".repeat(100_000)));
        short.save(&path).unwrap();
        std::thread::scope(|scope| {
            for saved in [&short, &long] {
                let path = &path;
                scope.spawn(move || (0..30).for_each(|_| saved.save(path).unwrap()));
            }
            for _ in 0..200 {
                let read = SavedState::load(&path).unwrap().unwrap();
                assert!(read == short || read == long);
            }
        });
        assert_eq!(folder.names(), ["settings.json"]);
    }

    #[test]
    fn a_hosts_storage_keeps_the_state_and_damaged_texts() {
        let mut storage = HashMap::new();
        assert!(
            SavedState::load_with(|key| storage.get(key).cloned())
                .unwrap()
                .is_none()
        );
        for damaged in ["{", "["] {
            storage.insert(STORAGE_KEY.to_owned(), damaged.to_owned());
            assert!(SavedState::load_with(|key| storage.get(key).cloned()).is_err());
            let before = storage.get(STORAGE_KEY).cloned();
            favorite("a").save_with(before, |key, text| {
                drop(storage.insert(key.to_owned(), text))
            });
            assert_eq!(
                SavedState::load_with(|key| storage.get(key).cloned()).unwrap(),
                Some(favorite("a"))
            );
        }
        let mut kept: Vec<&str> = storage
            .values()
            .map(String::as_str)
            .filter(|text| text.len() == 1)
            .collect();
        kept.sort_unstable();
        assert_eq!(kept, ["[", "{"]);
    }
}
