//! Why a file could not be opened as a dump.

use std::fmt;
use std::io;
use std::path::PathBuf;

use stats_memory_panel::DumpProblem;

/// Why a file could not be opened as a dump.
#[derive(Debug)]
pub(crate) struct DumpError {
    pub(crate) file: PathBuf,
    pub(crate) reason: Reason,
}

#[derive(Debug)]
pub(crate) enum Reason {
    Directory,
    Empty,
    /// No line could be read: the first that could not, and why.
    NoDump(u64, DumpProblem),
    Io(io::Error),
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.reason {
            Reason::Directory => write!(f, "{file} is a directory; name a dump within it"),
            Reason::Empty => write!(
                f,
                "{file} is empty: nothing was held, or nothing was tracked. The program needs TrackingAllocator as its #[global_allocator], and the \
                 feature `enabled` of stats-memory"
            ),
            Reason::NoDump(line, problem) => write!(
                f,
                "{file} is no dump of the tracking allocator: no line of it could be read. Of line {line}, {problem}. Name a file that \
                 stats_memory::dump wrote"
            ),
            Reason::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                write!(
                    f,
                    "{file} does not exist; is its name right, and the folder that it is looked for in?"
                )
            }
            Reason::Io(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                write!(
                    f,
                    "{file} may not be read by this user; change its permissions, or copy it"
                )
            }
            Reason::Io(error) => write!(f, "{file} could not be read: {error}"),
        }
    }
}

impl std::error::Error for DumpError {}
