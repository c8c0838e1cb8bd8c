//! [`SavedState`] in a file.
//!
//! A file is replaced as a whole, so a reader never finds an incomplete file, even after a crash. A
//! file that is damaged, or that a newer version wrote, is never overwritten but kept under another
//! name.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use stats_file::Target;

use super::backup;
use super::load_error::LoadError;
use super::save_error::SaveError;
use super::save_report::SaveReport;
use super::saved::SavedState;
use super::text::MAX_BYTES;
use crate::path::{absolute, is_blank};

impl SavedState {
    /// Reads a file. Returns `None` if it does not exist.
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
    /// If the path is blank, or the file cannot be read, is longer than 4 MiB, or is not a document
    /// that [`save`](Self::save) writes; see [`LoadError`].
    pub fn load(path: impl AsRef<Path>) -> Result<Option<Self>, LoadError> {
        let path = path.as_ref();
        if is_blank(path) {
            return Err(LoadError::BlankPath);
        }
        let path = absolute(path);
        let text = read(&path)?;
        text.map(|text| {
            text.parse()
                .map_err(|error: LoadError| error.in_file(&path))
        })
        .transpose()
    }

    /// Writes a file, and creates its folder if necessary.
    ///
    /// A concurrent reader, or a reader after a crash, finds either the whole old text or the whole
    /// new text. An existing file that [`load`](Self::load) does not read in full is kept beside
    /// the new one: a damaged `settings.json` becomes `settings.damaged.json`, and the next one
    /// becomes `settings.damaged-2.json`. A file of a newer version, here of version 3, becomes
    /// `settings.v3.json`, and one with unknown fields `settings.other.json`.
    /// [`save_reporting`](Self::save_reporting) returns the kept file. The call waits for the disk,
    /// which takes a few milliseconds, so do not make it within a frame.
    ///
    /// If the process is killed during a save, a file `settings.json.PROCESS-NUMBER.part` remains.
    /// The next process that saves removes it once it is 10 minutes old.
    ///
    /// # Errors
    ///
    /// If the path is blank, the system refuses to write the file, the file is marked as read-only,
    /// or the path leads to a folder, a device or a pipe; what exists there is then unchanged.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        self.save_reporting(path).map(drop)
    }

    /// Works like [`save`](Self::save), and returns the paths of the file and of the one kept
    /// beside it.
    ///
    /// # Errors
    ///
    /// As for [`save`](Self::save).
    pub fn save_reporting(&self, path: impl AsRef<Path>) -> Result<SaveReport, SaveError> {
        if is_blank(path.as_ref()) {
            return Err(SaveError::BlankPath);
        }
        let text = self.to_string();
        if text.len() > MAX_BYTES {
            return Err(SaveError::TooLong);
        }
        let path = absolute(path.as_ref());
        let failed = |error| SaveError::Unwritable {
            path: path.clone(),
            error,
        };
        let target = Target::of_file(&path).map_err(failed)?;
        let path = target.path().to_owned();
        let failed = |error| SaveError::Unwritable {
            path: path.clone(),
            error,
        };
        let label = match read(&path) {
            Ok(Some(text)) => backup::label_of(&text),
            Ok(None) => None,
            Err(_) => Some(backup::DAMAGED.to_owned()),
        };
        let keep = |label: String| {
            backup::keep(&path, &label).map_err(|error| SaveError::DamagedStays {
                path: path.clone(),
                error,
            })
        };
        let kept = label.map(keep).transpose()?;
        write(&target, &text).map_err(failed)?;
        Ok(SaveReport { path, kept })
    }
}

/// Returns the text of a file; `None` if it does not exist.
fn read(path: &Path) -> Result<Option<String>, LoadError> {
    let unreadable = |error| LoadError::Unreadable {
        path: path.to_path_buf(),
        error,
    };
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        // Opening a pipe would block until another process writes to it.
        Ok(_) => {
            return Err(LoadError::NotAFile {
                path: path.to_path_buf(),
            });
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    }
    let mut bytes = Vec::new();
    // One byte more than allowed reveals a file that is too long, even if its metadata is wrong.
    File::open(path)
        .map_err(unreadable)?
        .take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() > MAX_BYTES {
        return Err(LoadError::TooLong { path: None }.in_file(path));
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        LoadError::not_utf8(error.as_bytes(), error.utf8_error().valid_up_to()).in_file(path)
    })
}

fn write(target: &Target, text: &str) -> io::Result<()> {
    if let Some(folder) = target.path().parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = target.begin()?;
    file.write_all(text.as_bytes())?;
    // Without this, the name could reach the disk before the text.
    file.file().sync_all()?;
    file.complete()
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use stats_testing::Folder;

    pub(in crate::persist) fn favorite(path: &str) -> SavedState {
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
    }

    #[test]
    fn a_file_of_a_newer_version_is_kept_beside_the_new_one() {
        let folder = Folder::new("newer");
        let path = folder.0.join("settings.json");
        let newer = |field: &str| format!("{{\"version\": 3, \"{field}\": [1]}}");
        fs::write(&path, newer("first")).unwrap();
        let error = SavedState::load(&path).unwrap_err().to_string();
        assert!(error.contains("version 3"), "{error}");
        let report = favorite("a").save_reporting(&path).unwrap();
        let kept = folder.0.join("settings.v3.json");
        assert_eq!(
            (&report.path, &report.kept),
            (&path, &Some(kept.clone())),
            "{report}"
        );
        assert!(report.to_string().contains(&kept.display().to_string()));
        assert_eq!(favorite("b").save_reporting(&path).unwrap().kept, None);
        // The newer version writes the file again.
        fs::write(&path, newer("second")).unwrap();
        favorite("c").save(&path).unwrap();
        assert_eq!(
            folder.names(),
            ["settings.json", "settings.v3-2.json", "settings.v3.json"]
        );
        assert_eq!(fs::read_to_string(&kept).unwrap(), newer("first"));
        assert_eq!(
            fs::read_to_string(folder.0.join("settings.v3-2.json")).unwrap(),
            newer("second")
        );
    }

    #[test]
    fn old_files_of_killed_saves_are_removed() {
        let folder = Folder::new("killed");
        let path = folder.0.join("settings.json");
        let old = SystemTime::now() - Duration::from_secs(3600);
        let file = File::create(folder.0.join("settings.json.12-3.part")).unwrap();
        file.set_modified(old).unwrap();
        drop(file);
        favorite("a").save(&path).unwrap();
        assert_eq!(folder.names(), ["settings.json"]);
    }

    #[test]
    fn a_device_and_a_pipe_are_refused_and_stay() {
        let folder = Folder::new("settings-device");
        let nodes = [
            folder.device("null"),
            folder.pipe("pipe"),
            folder.link_to_pipe("link"),
        ];
        for node in nodes.into_iter().flatten() {
            let error = favorite("a").save(&node).unwrap_err().to_string();
            assert!(error.contains("it is a device or a pipe"), "{error}");
            assert!(!fs::metadata(&node).unwrap().is_file());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_missing_file_and_a_circle_of_links_stay() {
        use std::os::unix::fs::symlink;

        let folder = Folder::new("settings-links");
        let at = |name: &str| folder.0.join(name);
        symlink("real.json", at("settings.json")).unwrap();
        favorite("a").save(at("settings.json")).unwrap();
        assert_eq!(
            SavedState::load(at("real.json")).unwrap(),
            Some(favorite("a"))
        );
        symlink("circle.json", at("circle.json")).unwrap();
        let error = favorite("a")
            .save(at("circle.json"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("circle"), "{error}");
        for link in ["settings.json", "circle.json"] {
            assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
        }
    }

    #[test]
    fn a_main_that_returns_an_error_prints_its_sentence() {
        let error = favorite("a").save(" ").unwrap_err();
        assert_eq!(format!("{error:?}"), error.to_string());
        let error = SavedState::load(" ").unwrap_err();
        assert_eq!(format!("{error:?}"), error.to_string());
        let error = crate::persist::saved::PaneLayout::from_line("no view").unwrap_err();
        assert_eq!(format!("{error:?}"), error.to_string());
    }

    #[test]
    fn a_blank_path_is_an_error_and_messages_have_absolute_paths() {
        for blank in ["", " ", "\t "] {
            let loaded = SavedState::load(blank).unwrap_err().to_string();
            let saved = favorite("a").save(blank).unwrap_err().to_string();
            assert_eq!(loaded, saved);
            assert!(saved.contains("Give the path of a file"), "{saved}");
        }
        let here = std::env::current_dir().unwrap().display().to_string();
        let error = SavedState::load("src").unwrap_err().to_string();
        assert!(error.starts_with(&here), "{error}");
        let error = favorite("a").save("src/lib.rs/settings.json").unwrap_err();
        assert!(error.to_string().starts_with(&here), "{error}");
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
            format!(
                "{at} Correct it there, or begin with the defaults: the next save keeps this text beside the new one."
            )
        );
        fs::write(&path, b"{\n\"a\": \"\xff\"}").unwrap();
        assert!(
            text(&path).starts_with("FILE, line 2, column 7: expected text in UTF-8."),
            "{}",
            text(&path)
        );
        assert_eq!(
            text(&folder.0),
            "FILE is a folder, not a file. Give the path of a file, such as settings/stats.json."
        );
        let error = SavedState::default()
            .save(&folder.0)
            .unwrap_err()
            .to_string();
        let cure = "it is a folder. Give the path of a file, such as settings/stats.json.";
        assert!(
            error.ends_with(&format!("cannot be written: {cure}")),
            "{error}"
        );
        let error = SavedState::default()
            .save(path.join("below/a/file.json"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("cannot be written"), "{error}");
        // Other systems do not say that a folder is a file.
        #[cfg(unix)]
        assert!(
            error.ends_with("Give a path whose folders are folders, not files."),
            "{error}"
        );
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
}
