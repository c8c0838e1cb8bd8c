//! Stores the player's changes to the overlay in a file, for the next run.
use std::ffi::OsString;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use stats_overlay::{SavedState, StatsOverlay};

use crate::memory::UI;

/// How often the game checks for changes to save while it runs.
const INTERVAL: Duration = Duration::from_secs(30);

/// Returns the default file, in the config folder named by the environment. Returns `None` if the
/// environment names no folder.
pub(crate) fn default_file(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let config = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    config.map(|config| config.join("hollow").join("overlay.json"))
}

/// The settings file, and the state it contains.
pub(super) struct SettingsFile {
    file: Option<PathBuf>,
    saved: SavedState,
    checked: Instant,
    writing: Option<JoinHandle<()>>,
}

impl SettingsFile {
    /// Restores the overlay from the file. Without a file, nothing is read or written.
    ///
    /// If the file cannot be read, the reason is printed to stderr and the overlay stays as it is.
    pub(super) fn restore(file: Option<PathBuf>, overlay: &mut StatsOverlay) -> Self {
        match file.as_ref().map(SavedState::load) {
            Some(Ok(Some(saved))) => overlay.restore(&saved),
            Some(Err(error)) => {
                eprintln!("game: the overlay's settings were not restored: {error}")
            }
            Some(Ok(None)) | None => {}
        }
        Self {
            file,
            saved: overlay.saved(),
            checked: Instant::now(),
            writing: None,
        }
    }

    /// Saves the changes, at most once every 30 seconds. Call it once per frame.
    pub(super) fn update(&mut self, saved: impl FnOnce() -> SavedState) {
        if self.file.is_some() && self.checked.elapsed() >= INTERVAL {
            self.checked = Instant::now();
            self.save(saved());
        }
    }

    /// Saves the changes and waits until they are written. Call it when the game ends.
    pub(super) fn finish(&mut self, saved: SavedState) {
        self.save(saved);
        self.wait();
    }

    /// Saves the changes on a thread of its own: no frame should wait for a disk.
    fn save(&mut self, saved: SavedState) {
        let _memory = stats_memory::scope!("settings", group: UI);
        let Some(file) = self.file.clone() else {
            return;
        };
        if saved == self.saved {
            return;
        }
        self.wait();
        self.saved = saved.clone();
        let memory = stats_memory::current_tag();
        let write = move || {
            let _memory = memory.enter();
            match saved.save_reporting(file) {
                Ok(report) if report.kept.is_some() => eprintln!("game: {report}"),
                Ok(_) => {}
                Err(error) => eprintln!("game: the overlay's settings were not saved: {error}"),
            }
        };
        match std::thread::Builder::new()
            .name("settings".to_owned())
            .spawn(write)
        {
            Ok(thread) => self.writing = Some(thread),
            Err(error) => eprintln!(
                "game: the overlay's settings were not saved: no thread could be started ({error})"
            ),
        }
    }

    fn wait(&mut self) {
        // A panic of the thread has already been reported by the panic hook.
        let _ = self.writing.take().map(JoinHandle::join);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Option<PathBuf> {
        default_file(|name| {
            variables
                .iter()
                .find(|(variable, _)| *variable == name)
                .map(|(_, value)| value.into())
        })
    }

    #[test]
    fn the_environment_names_the_config_folder() {
        assert_eq!(
            with(&[("HOME", "/home/a"), ("XDG_CONFIG_HOME", "/c")]),
            Some("/c/hollow/overlay.json".into())
        );
        assert_eq!(
            with(&[("HOME", "/home/a")]),
            Some("/home/a/.config/hollow/overlay.json".into())
        );
    }

    #[test]
    fn a_folder_that_is_not_absolute_is_ignored() {
        assert_eq!(
            with(&[("HOME", "/home/a"), ("XDG_CONFIG_HOME", "c")]),
            Some("/home/a/.config/hollow/overlay.json".into())
        );
        assert_eq!(with(&[("XDG_CONFIG_HOME", "")]), None);
    }
}
