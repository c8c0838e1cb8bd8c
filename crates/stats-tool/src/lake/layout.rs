//! Files captures in a lake, and lists them.
//!
//! Folders are named like Hive's partitions, `name=value`. DuckDB and Spark read build, platform
//! and scenario from these names, and skip folders that a question excludes.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use stats_capture::{CaptureFile, Run};

use crate::failure::Failure;
use crate::input::is_capture;
use crate::time::utc_text;

/// The maximum length of a value in the name of a folder, in bytes, without the hash. File systems
/// allow names of 255 bytes.
const MAX_VALUE: usize = 200;

/// The size and the modification time of a file, which show whether it has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(super) bytes: i64,
    pub(super) modified_ns: i64,
}

impl Stamp {
    /// Reads the stamp of a file.
    pub(crate) fn of(file: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(file)?;
        let modified = metadata.modified()?.duration_since(UNIX_EPOCH);
        Ok(Self {
            bytes: metadata.len() as i64,
            modified_ns: modified.map_or(0, |since| since.as_nanos() as i64),
        })
    }
}

/// Moves a capture, with its scopes and pictures, to its folder in a lake. Returns its new path.
pub(crate) fn file_capture(capture: &Path, lake: &Path) -> Result<PathBuf, Failure> {
    let run = CaptureFile::open(capture)?.run().clone();
    let folder = lake.join(folder_of(&run));
    fs::create_dir_all(&folder).map_err(Failure::writing(&folder))?;
    let began: String = (utc_text(&run.started_at).chars())
        .filter(|c| c.is_ascii_alphanumeric())
        .take("20261122T031500".len())
        .collect();
    let mut number = 1;
    let (target, reserved) = loop {
        let target = folder.join(format!("{began}Z-{number:03}.parquet"));
        let reserved = part_of(&target);
        // Reserves the name, because another `stats record` may file a run at the same time. The
        // reserving file is named like an incomplete one, so that `stats summarize` does not read
        // it.
        match fs::File::create_new(&reserved) {
            Ok(_) if !target.exists() => break (target, reserved),
            Ok(_) => fs::remove_file(&reserved).map_err(Failure::writing(&reserved))?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Failure::writing(&reserved)(error)),
        }
        number += 1;
    };
    let moved = move_all(capture, &target);
    // Fails after a copy to another file system, which has replaced and renamed this file.
    let _ = fs::remove_file(&reserved);
    moved.map(|()| target)
}

/// Returns the path of a file while it is incomplete.
fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Moves a capture and the files beside it, the capture last.
fn move_all(capture: &Path, target: &Path) -> Result<(), Failure> {
    let moved = |from: &Path, to: &Path| rename(from, to).map_err(Failure::writing(to));
    for extension in ["spans.parquet", "pictures", "log"] {
        let beside = capture.with_extension(extension);
        if beside.exists() {
            moved(&beside, &target.with_extension(extension))?;
        }
    }
    moved(capture, target)
}

/// Renames a file or a folder, or copies and removes it if the lake is on another file system.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            if from.is_dir() {
                fs::create_dir_all(to)?;
                for entry in fs::read_dir(from)? {
                    let entry = entry?;
                    rename(&entry.path(), &to.join(entry.file_name()))?;
                }
                return fs::remove_dir(from);
            }
            // The file appears when it is complete.
            let part = part_of(to);
            fs::copy(from, &part)?;
            fs::rename(&part, to)?;
            fs::remove_file(from)
        }
        renamed => renamed,
    }
}

/// Returns the folder of a run in a lake.
fn folder_of(run: &Run) -> PathBuf {
    [
        ("build", run.build.as_deref().unwrap_or("unknown")),
        ("platform", &run.platform),
        ("scenario", run.scenario.as_deref().unwrap_or("unnamed")),
    ]
    .iter()
    .map(|(name, value)| format!("{name}={}", escaped(value)))
    .collect()
}

/// Escapes a value for the name of a folder, as Hive does: `%2F` for a slash. Truncates a long
/// value and adds its hash.
fn escaped(value: &str) -> String {
    let mut escaped = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    if escaped.is_empty() {
        escaped.push_str("unknown");
    }
    if escaped.len() > MAX_VALUE {
        let is_whole = |end: &usize| !escaped[end - 2..*end].contains('%');
        let end = (2..=MAX_VALUE).rev().find(is_whole).unwrap_or(MAX_VALUE);
        escaped.truncate(end);
        let _ = write!(escaped, "-{:08x}", hash(value));
    }
    escaped
}

/// Returns the 32-bit FNV-1a hash of a text, which is the same on every machine.
pub(crate) fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// Returns the paths of the captures in a lake, sorted, with `/` between folders.
pub(crate) fn captures(lake: &Path) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let path = lake.join(&folder);
        let unreadable = Failure::reading(&path);
        for entry in fs::read_dir(&path).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            // A name that is not UTF-8 cannot be in a table.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            // Spark also skips these names, which programs use for files that they are copying.
            if name.starts_with(['.', '_']) {
                continue;
            }
            let is_folder = entry.file_type().map_err(unreadable)?.is_dir();
            let inside = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            let is_partition = !folder.is_empty() || inside.starts_with("build=");
            if is_folder && is_partition {
                folders.push(inside);
            } else if !is_folder && is_partition && is_capture(inside.as_ref()) {
                found.push(inside);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use stats_capture::{Capture, CaptureOptions};
    use stats_testing::Folder;

    use super::*;

    #[test]
    fn long_values_get_unique_names_that_file_systems_accept() {
        for letter in ["a", "あ", "/"] {
            for length in 60..300 {
                let long = letter.repeat(length);
                let (name, other) = (escaped(&long), escaped(&(long.clone() + "b")));
                assert!(name.len() <= 240, "{name}");
                assert_ne!(name, other);
                let escapes = name.split('%').skip(1);
                let are_whole = |escape: &str| escape.is_char_boundary(2) && escape.len() >= 2;
                assert!(escapes.clone().all(are_whole), "{name}");
                assert!(
                    escapes.clone().all(|escape| !escape[..2].contains('-')),
                    "{name}"
                );
            }
        }
        assert_eq!(escaped(&"a".repeat(200)), "a".repeat(200));
        assert_eq!(hash("foobar"), 0xbf9c_f968, "as published");
    }

    #[test]
    fn runs_filed_at_once_get_different_names_and_are_never_seen_incomplete() {
        let folder = Folder::new("tool-layout");
        let lake = folder.0.join("lake");
        fs::create_dir(&lake).unwrap();
        let first = folder.0.join("first.parquet");
        let mut capture = Capture::create(&first, CaptureOptions::default()).unwrap();
        capture.end_frame();
        capture.finish().unwrap();
        let bytes = fs::metadata(&first).unwrap().len();
        let is_done = AtomicBool::new(false);
        let filed: Vec<PathBuf> = thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                // Relaxed: the flag only ends the loop.
                while !is_done.load(Ordering::Relaxed) {
                    for capture in captures(&lake).unwrap() {
                        let now = fs::metadata(lake.join(&capture)).unwrap().len();
                        assert_eq!(now, bytes, "{capture}");
                    }
                }
            });
            let filers = [0, 1, 2].map(|filer| {
                let (folder, first, lake) = (&folder.0, &first, &lake);
                scope.spawn(move || {
                    (0..20)
                        .map(move |run| {
                            let copy = folder.join(format!("copy-{filer}-{run}.parquet"));
                            fs::copy(first, &copy).unwrap();
                            file_capture(&copy, lake).unwrap()
                        })
                        .collect::<Vec<_>>()
                })
            });
            let filed = filers.into_iter().flat_map(|filer| filer.join().unwrap());
            let filed = filed.collect();
            is_done.store(true, Ordering::Relaxed);
            watcher.join().unwrap();
            filed
        });
        let names: HashSet<&PathBuf> = filed.iter().collect();
        assert_eq!((names.len(), captures(&lake).unwrap().len()), (60, 60));
        let left = fs::read_dir(filed[0].parent().unwrap()).unwrap();
        let is_part =
            |entry: &fs::DirEntry| entry.path().extension().is_some_and(|end| end == "part");
        assert_eq!(left.flatten().filter(is_part).count(), 0);
    }

    #[test]
    fn hidden_files_and_folders_are_not_captures() {
        let folder = Folder::new("tool-layout-hidden");
        for file in [
            "build=1/a.parquet",
            "build=1/.a.parquet",
            "build=1/_a.parquet",
            "build=1/_temporary/a.parquet",
            "other/a.parquet",
        ] {
            let path = folder.0.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        assert_eq!(captures(&folder.0).unwrap(), ["build=1/a.parquet"]);
    }

    #[test]
    fn a_value_is_one_folder_that_hive_can_read() {
        assert_eq!(escaped("1.2.0-rc_1"), "1.2.0-rc_1");
        assert_eq!(escaped("../a=b c"), "..%2Fa%3Db%20c");
        assert_eq!(escaped("ä"), "%C3%A4");
        assert_eq!(escaped(""), "unknown");
    }
}
