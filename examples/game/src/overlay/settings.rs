//! Keeps what the player did to the overlay in a file, from one run to the next.
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use stats_overlay::{SavedState, StatsOverlay};

use crate::memory::UI;

/// How long a change may wait for the disk, while the game runs.
const EVERY: Duration = Duration::from_secs(30);

/// The file, and what stands in it.
pub(super) struct Keeper {
    file: Option<PathBuf>,
    saved: SavedState,
    checked: Instant,
    writing: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Shows what the file remembers; without a file it reads and writes none. What cannot be read
    /// is told on stderr, and the overlay is left as it is.
    pub(super) fn restored(file: Option<PathBuf>, overlay: &mut StatsOverlay) -> Self {
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

    /// Saves what changed, now and then; once a frame.
    pub(super) fn keep(&mut self, overlay: &StatsOverlay) {
        if self.file.is_some() && self.checked.elapsed() >= EVERY {
            self.checked = Instant::now();
            self.save(overlay);
        }
    }

    /// Saves what changed and waits until it is written: at the end.
    pub(super) fn finish(&mut self, overlay: &StatsOverlay) {
        self.save(overlay);
        self.wait();
    }

    /// In a thread of its own, since no frame should wait for a disk.
    fn save(&mut self, overlay: &StatsOverlay) {
        let _memory = stats_memory::scope!("settings", group: UI);
        let Some(file) = self.file.clone() else {
            return;
        };
        let saved = overlay.saved();
        if saved == self.saved {
            return;
        }
        self.wait();
        self.saved = saved.clone();
        let memory = stats_memory::current_tag();
        let write = move || {
            let _memory = memory.enter();
            if let Err(error) = saved.save(file) {
                eprintln!("game: the overlay's settings were not saved: {error}");
            }
        };
        match std::thread::Builder::new()
            .name("settings".to_owned())
            .spawn(write)
        {
            Ok(thread) => self.writing = Some(thread),
            Err(error) => eprintln!(
                "game: the overlay's settings were not saved: the system has no thread to spare ({error})"
            ),
        }
    }

    fn wait(&mut self) {
        // A thread that panicked has said so itself.
        let _ = self.writing.take().map(JoinHandle::join);
    }
}
