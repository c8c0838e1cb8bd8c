//! The names of captures in a folder.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Returns the path of the next capture in a folder: `001.parquet` in an empty one. Creates the
/// folder if it is missing. Never reuses the number of any file in the folder. Reserves the number
/// by creating the log of the run, because another process may choose one at the same time.
pub(super) fn next_capture(folder: &Path) -> Result<PathBuf, Failure> {
    let failed = Failure::writing(folder);
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut last = 0;
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_string_lossy().into_owned();
        let number = name
            .split('.')
            .next()
            .and_then(|number| number.parse().ok());
        last = last.max(number.unwrap_or(0_u32));
    }
    // The program may change its current folder before it records.
    let folder = std::path::absolute(folder).map_err(failed)?;
    loop {
        last = last.saturating_add(1);
        let capture = folder.join(format!("{last:03}.parquet"));
        match File::create_new(log_of(&capture)) {
            Ok(_) => return Ok(capture),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && last < u32::MAX => {}
            Err(error) => return Err(failed(error)),
        }
    }
}

/// Returns the file for the output of the program that records a capture.
pub(super) fn log_of(capture: &Path) -> PathBuf {
    capture.with_extension("log")
}

pub(super) fn journal_of(capture: &Path) -> PathBuf {
    let mut name = OsString::from(capture.as_os_str());
    name.push(".journal");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::{journal_of, next_capture};

    #[test]
    fn the_number_of_an_existing_file_is_not_reused() {
        let folder = stats_testing::Folder::new("tool-next");
        let runs = folder.0.join("runs");
        let name = || {
            let path = next_capture(&runs).unwrap();
            assert!(path.is_absolute());
            path.file_name().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(name(), "001.parquet");
        std::fs::write(runs.join("notes.txt"), "").unwrap();
        std::fs::write(runs.join("007.parquet.journal"), "").unwrap();
        assert_eq!(name(), "008.parquet");
        let journal = journal_of("runs/001.parquet".as_ref());
        assert_eq!(journal.to_string_lossy(), "runs/001.parquet.journal");
    }

    #[test]
    fn processes_that_record_at_the_same_time_use_different_numbers() {
        let folder = stats_testing::Folder::new("tool-next-together");
        let names: Vec<_> = std::thread::scope(|scope| {
            let choose = || (0..20).map(|_| next_capture(&folder.0).unwrap()).collect();
            let threads: Vec<_> = (0..4)
                .map(|_| scope.spawn(move || -> Vec<std::path::PathBuf> { choose() }))
                .collect();
            let chosen = threads.into_iter().map(|thread| thread.join().unwrap());
            chosen.flatten().collect()
        });
        let different: std::collections::HashSet<_> = names.iter().collect();
        assert_eq!(different.len(), 80);
    }
}
