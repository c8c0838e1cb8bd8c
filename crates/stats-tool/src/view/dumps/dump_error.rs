//! Errors of opening a dump.

use std::fmt;
use std::io;
use std::path::PathBuf;

use stats_memory_panel::DumpProblem;

/// Why a file could not be opened as a dump. The message names the file and says how to fix it.
#[derive(Debug)]
pub(super) struct DumpError {
    pub(super) file: PathBuf,
    pub(super) reason: Reason,
}

#[derive(Debug)]
pub(super) enum Reason {
    Directory,
    Empty,
    /// No line could be read. Contains the number of the first line, and what is wrong with it.
    NotADump(u64, DumpProblem),
    Io(io::Error),
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.reason {
            Reason::Directory => write!(f, "{file} is a directory; name a dump in it"),
            Reason::Empty => write!(
                f,
                "{file} is empty: the program had no live allocations, or tracked none. To track them, it needs TrackingAllocator as its \
                 #[global_allocator], and the feature `enabled` of stats-memory"
            ),
            Reason::NotADump(line, problem) => write!(
                f,
                "{file} is not a dump of the tracking allocator: none of its lines could be read (in line {line}, {problem}). Name a file that \
                 stats_memory::save_dump wrote"
            ),
            Reason::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                write!(
                    f,
                    "{file} does not exist; check its name and the current directory"
                )
            }
            Reason::Io(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                write!(
                    f,
                    "no permission to read {file}; change its permissions, or open a copy"
                )
            }
            Reason::Io(error) => write!(f, "{file} could not be read: {error}"),
        }
    }
}

impl std::error::Error for DumpError {}
