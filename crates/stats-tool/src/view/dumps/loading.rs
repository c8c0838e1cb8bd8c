//! Reads dumps on a separate thread, so that the window stays responsive.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use stats_memory_panel::MemorySnapshot;

use super::dump_error::{DumpError, Reason};

/// A file and its content, or why it could not be read.
pub(super) type Loaded = Result<(PathBuf, MemorySnapshot), DumpError>;

/// Files that are being read.
pub(super) struct Loading {
    files: usize,
    /// The length of all files together; 0 if it is not known.
    bytes: u64,
    /// The number of bytes read so far.
    read: Arc<AtomicU64>,
    loaded: Receiver<Loaded>,
}

impl Loading {
    /// Starts reading these files, one after another. The reading thread calls `on_news` after each
    /// file, and once more at the end.
    pub(super) fn begin(files: Vec<PathBuf>, on_news: impl Fn() + Send + 'static) -> Self {
        let count = files.len();
        let bytes = files
            .iter()
            .filter_map(|file| fs::metadata(file).ok())
            .map(|about| about.len())
            .sum();
        let (read, (sender, loaded)) = (Arc::new(AtomicU64::new(0)), channel());
        let counter = read.clone();
        std::thread::spawn(move || {
            for file in files {
                let snapshot = load(&file, &counter);
                // Sending fails if the window no longer waits for the files.
                if sender
                    .send(snapshot.map(|snapshot| (file, snapshot)))
                    .is_err()
                {
                    return;
                }
                on_news();
            }
            drop(sender);
            on_news();
        });
        Self {
            files: count,
            bytes,
            read,
            loaded,
        }
    }

    /// Returns the number of files to read.
    pub(super) fn files(&self) -> usize {
        self.files
    }

    /// Returns the share of the bytes that has been read, 0 to 1.
    pub(super) fn progress(&self) -> f32 {
        // Relaxed: the number is only displayed, and no other data depends on it.
        let read = self.read.load(Ordering::Relaxed);
        if self.bytes == 0 {
            0.0
        } else {
            (read as f64 / self.bytes as f64).min(1.0) as f32
        }
    }

    /// Returns the next file that has been read; `None` if it is still being read.
    ///
    /// # Errors
    ///
    /// Returns `Err` after the last file.
    pub(super) fn next(&self) -> Result<Option<Loaded>, ()> {
        match self.loaded.try_recv() {
            Ok(loaded) => Ok(Some(loaded)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(()),
        }
    }
}

/// Checks whether a file can be a dump, without reading all of it.
pub(super) fn check(file: &Path) -> Result<(), DumpError> {
    let wrong = |reason| {
        Err(DumpError {
            file: file.to_owned(),
            reason,
        })
    };
    match fs::metadata(file) {
        Err(error) => wrong(Reason::Io(error)),
        Ok(about) if about.is_dir() => wrong(Reason::Directory),
        // Other files, such as pipes, can be opened only once.
        Ok(about) if !about.is_file() => Ok(()),
        Ok(_) => match is_empty(file) {
            Ok(false) => Ok(()),
            Ok(true) => wrong(Reason::Empty),
            Err(error) => wrong(Reason::Io(error)),
        },
    }
}

/// Returns whether a file is empty. Reads a byte to find out, because the files of `/proc` have a
/// length of 0 but are not empty.
fn is_empty(file: &Path) -> io::Result<bool> {
    let mut first = Vec::new();
    File::open(file)?
        .take(1)
        .read_to_end(&mut first)
        .map(|len| len == 0)
}

/// Reads a file, and adds the number of bytes read to `read`.
fn load(file: &Path, read: &AtomicU64) -> Result<MemorySnapshot, DumpError> {
    check(file)?;
    let wrong = |reason| DumpError {
        file: file.to_owned(),
        reason,
    };
    let input = File::open(file).map_err(|error| wrong(Reason::Io(error)))?;
    let snapshot =
        MemorySnapshot::read(Counted { input, read }).map_err(|error| wrong(Reason::Io(error)))?;
    match (snapshot.entries(), snapshot.damage().first.first()) {
        (0, Some(&(line, problem))) => Err(wrong(Reason::NotADump(line, problem))),
        (0, None) => Err(wrong(Reason::Empty)),
        _ => Ok(snapshot),
    }
}

/// A file that counts the bytes read from it.
struct Counted<'a> {
    input: File,
    read: &'a AtomicU64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.input.read(buffer)?;
        // Relaxed: the number is only displayed, and no other data depends on it.
        self.read.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Dump, LINE};
    use super::*;

    fn loaded(dump: &Dump) -> Result<MemorySnapshot, String> {
        load(&dump.0, &AtomicU64::new(0)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_damaged_dump_is_read_and_its_damage_counted() {
        let snapshot = loaded(&Dump::new("good", format!("{LINE}cut").as_bytes())).unwrap();
        assert_eq!((snapshot.bytes(), snapshot.damage().lines), (64, 1));
    }

    #[test]
    fn errors_name_the_file_and_say_how_to_fix_it() {
        let missing = check(Path::new("no-such-file.csv"))
            .unwrap_err()
            .to_string();
        assert!(
            missing.contains("no-such-file.csv") && missing.contains("does not exist"),
            "{missing}"
        );
        let directory = check(&std::env::temp_dir()).unwrap_err().to_string();
        assert!(directory.contains("is a directory"), "{directory}");
        let empty = loaded(&Dump::new("empty", b"")).unwrap_err();
        assert!(
            empty.contains("is empty") && empty.contains("global_allocator"),
            "{empty}"
        );
        let blank = loaded(&Dump::new("blank", b"\n\r\n")).unwrap_err();
        assert!(blank.contains("is empty"), "{blank}");
        let other = loaded(&Dump::new("other", b"# A title\n\nand a text.\n")).unwrap_err();
        assert!(
            other.contains("not a dump")
                && other.contains("line 1")
                && other.contains("stats_memory::save_dump"),
            "{other}"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_of_length_zero_is_not_empty_if_it_can_be_read() {
        let maps = Path::new("/proc/self/maps");
        assert_eq!(
            fs::metadata(maps).unwrap().len(),
            0,
            "its length according to the system"
        );
        assert!(check(maps).is_ok());
        let error = load(maps, &AtomicU64::new(0)).unwrap_err().to_string();
        assert!(error.contains("not a dump"), "{error}");
        let pipe = Dump::new("pipe", b"");
        fs::remove_file(&pipe.0).unwrap();
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe.0)
                .status()
                .unwrap()
                .success()
        );
        let path = pipe.0.clone();
        let writer = std::thread::spawn(move || fs::write(path, LINE).unwrap());
        assert_eq!(loaded(&pipe).map(|snapshot| snapshot.bytes()), Ok(64));
        writer.join().unwrap();
    }

    #[test]
    fn files_are_read_one_after_another() {
        let dumps = [
            Dump::new("first", LINE.as_bytes()),
            Dump::new("second", LINE.repeat(2).as_bytes()),
        ];
        let mut files: Vec<PathBuf> = dumps.iter().map(|dump| dump.0.clone()).collect();
        files.insert(1, "no-such-file.csv".into());
        let (sender, news) = channel();
        let loading = Loading::begin(files.clone(), move || sender.send(()).unwrap_or_default());
        let mut bytes = Vec::new();
        for file in &files {
            news.recv().unwrap();
            let loaded = loading.next().unwrap().unwrap();
            bytes.push(loaded.as_ref().map_or(0, |(_, snapshot)| snapshot.bytes()));
            assert!(loaded.map_or_else(|error| error.file, |(file, _)| file) == *file);
        }
        news.recv().unwrap();
        assert!(loading.next().is_err());
        assert_eq!(bytes, [64, 0, 128]);
        assert!(
            (0.9..=1.0).contains(&loading.progress()),
            "{}",
            loading.progress()
        );
    }

    /// The documentation opens this file.
    #[test]
    fn the_sample_dump_can_be_read() {
        let file = Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../assets/samples/memory.csv"
        ));
        let sample = load(file, &AtomicU64::new(0)).unwrap();
        assert_eq!(sample.damage().lines, 0, "{:?}", sample.damage());
        assert!(sample.is_per_allocation() && sample.entries() > 100);
        let groups: Vec<&str> = sample.groups().map(|(name, _)| name).collect();
        for group in ["simulation", "ai", "physics", "level", "rendering", "ui"] {
            assert!(groups.contains(&group), "{group}: {groups:?}");
        }
    }
}
