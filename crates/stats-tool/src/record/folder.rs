//! The names of captures in a folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Creates a folder if it is missing, and returns the name of the next capture in it: `001.parquet`
/// in an empty one. A number that any file in it has is not used again.
pub(super) fn next_capture(folder: &Path) -> Result<PathBuf, Failure> {
    let failed = |source| Failure::Output {
        name: folder.display().to_string(),
        source,
    };
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
    let next = last.saturating_add(1);
    // The program may change its current folder before it records.
    let folder = std::path::absolute(folder).map_err(failed)?;
    Ok(folder.join(format!("{next:03}.parquet")))
}

/// Returns the journal of a capture.
pub(super) fn journal_of(capture: &Path) -> PathBuf {
    let mut name = OsString::from(capture.as_os_str());
    name.push(".journal");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::{journal_of, next_capture};

    #[test]
    fn a_number_that_any_file_has_is_not_used_again() {
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
}
