//! Captures from standard input and other pipes.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::temporary::new_folder;
use crate::failure::Failure;
use crate::output::show_as;

/// The argument that names standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// The copies of all pipes so far.
static COPIES: Mutex<Copies> = Mutex::new(Copies {
    folder: None,
    files: Vec::new(),
});

struct Copies {
    /// `None` before the first pipe.
    folder: Option<PathBuf>,
    /// For each pipe, the argument that names it and the file with its content.
    files: Vec<(String, PathBuf)>,
}

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
    let known = copies.files.iter().find(|(of, _)| of == argument);
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
    let number = copies.files.len();
    let folder = match &copies.folder {
        Some(folder) => folder.clone(),
        None => {
            let folder = new_folder().map_err(|source| Failure::Output {
                name: std::env::temp_dir().display().to_string(),
                source,
            })?;
            copies.folder.insert(folder).clone()
        }
    };
    let file = folder.join(number.to_string());
    let copied = File::create_new(&file).and_then(|mut file| io::copy(&mut pipe, &mut file));
    copied.map_err(unreadable)?;
    show_as(&file, name_of(argument));
    copies.files.push((argument.to_owned(), file.clone()));
    Ok(file)
}

fn name_of(argument: &str) -> &str {
    match argument {
        STANDARD_INPUT => "standard input",
        other => other,
    }
}
