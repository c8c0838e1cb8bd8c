//! Captures from standard input and other pipes.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::temporary::kept_folder;
use crate::failure::Failure;
use crate::foreign::{Head, is_table};
use crate::output::{begins_like_run, show_as};

/// The argument that names standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// The number of bytes from which a pipe is known to have no run. The rest of such a pipe is not
/// read, because it may be endless.
const HEAD: u64 = 1 << 20;

/// The maximum number of bytes of a pipe.
const MAX: u64 = 8 << 30;

/// For each pipe so far, the argument that names it and the file with its content.
static COPIES: Mutex<Vec<(String, PathBuf)>> = Mutex::new(Vec::new());

/// Returns whether a path is that of a pipe, such as `/dev/fd/63`.
#[cfg(unix)]
pub(super) fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

/// Returns `false`: pipes have no paths.
#[cfg(not(unix))]
pub(super) fn is_pipe(_path: &Path) -> bool {
    false
}

/// Copies a pipe to a temporary file, because a capture is read from its end and in several passes.
/// Calls with the same argument return the same file.
pub(super) fn copy(argument: &str) -> Result<PathBuf, Failure> {
    let mut copies = COPIES.lock().unwrap_or_else(PoisonError::into_inner);
    let known = copies.iter().find(|(of, _)| of == argument);
    if let Some((_, file)) = known {
        return Ok(file.clone());
    }
    let unreadable = |source| Failure::Input {
        name: name_of(argument).to_owned(),
        source,
    };
    let mut pipe: Box<dyn Read> = if argument == STANDARD_INPUT {
        if io::stdin().is_terminal() {
            return Err(Failure::Usage(
                "standard input is a terminal; pipe a capture into the command, or name a file"
                    .into(),
            ));
        }
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(argument).map_err(unreadable)?)
    };
    let number = copies.len();
    let file = kept_folder()?.join(number.to_string());
    let is_whole = copy_to(&file, &mut pipe, MAX).map_err(unreadable)?;
    if !is_whole {
        return Err(Failure::Usage(format!(
            "{} has more than {} GiB; write it to a file, and name the file",
            name_of(argument),
            MAX >> 30
        )));
    }
    show_as(&file, name_of(argument));
    copies.push((argument.to_owned(), file.clone()));
    Ok(file)
}

/// Copies a pipe to a new file: only its first bytes if these are no run. Returns whether the pipe
/// has at most `max` bytes, as far as it was read.
fn copy_to(file: &Path, pipe: &mut dyn Read, max: u64) -> io::Result<bool> {
    let mut copy = File::create_new(file)?;
    let head = io::copy(&mut pipe.take(HEAD.min(max)), &mut copy)?;
    if head < HEAD.min(max) || !may_be_run(file) {
        return Ok(true);
    }
    let rest = io::copy(&mut pipe.take(max - head), &mut copy)?;
    let mut is_at_end = || pipe.read(&mut [0]).map(|more| more == 0);
    Ok(head + rest < max || is_at_end()?)
}

/// Returns whether a file begins like a run, the log of another program, a table or a memory dump,
/// which is a table.
fn may_be_run(file: &Path) -> bool {
    let is_known = |head: Head| head.format().is_some() || is_table(&head);
    begins_like_run(file) || Head::read(file).is_ok_and(is_known)
}

fn name_of(argument: &str) -> &str {
    match argument {
        STANDARD_INPUT => "standard input",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Folder;

    /// A pipe that repeats its text without end.
    struct Endless {
        text: &'static [u8],
        read: u64,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(self.read <= 16 * HEAD, "it is never read to its end");
            let skipped = (self.read % self.text.len() as u64) as usize;
            for (place, byte) in buffer
                .iter_mut()
                .zip(self.text.iter().cycle().skip(skipped))
            {
                *place = *byte;
            }
            self.read += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_pipe_without_an_end_is_read_only_as_far_as_it_may_be_a_run() {
        let folder = Folder::new("pipes-endless");
        let length = |name: &str, text, max| {
            let file = folder.0.join(name);
            let is_whole = copy_to(&file, &mut Endless { text, read: 0 }, max);
            let length = std::fs::metadata(&file).map(|file| file.len());
            (is_whole.ok(), length.ok())
        };
        // No run: the verb says so.
        let cut = (Some(true), Some(HEAD));
        assert_eq!(length("yes", b"y\n", 4 * HEAD), cut);
        // It may be a table.
        let full = (Some(false), Some(4 * HEAD));
        assert_eq!(length("table", b"1,2\n", 4 * HEAD), full);
        assert_eq!(length("capture", b"PAR1", 4 * HEAD), full);
        // Exactly as long as allowed.
        let mut text: &[u8] = b"a,b\n1,2\n";
        let file = folder.0.join("short");
        assert!(copy_to(&file, &mut text, 8).is_ok_and(|is_whole| is_whole));
        let mut text: &[u8] = b"a,b\n1,2\n";
        let file = folder.0.join("long");
        assert!(copy_to(&file, &mut text, 7).is_ok_and(|is_whole| !is_whole));
    }
}
