//! Standard output, messages on standard error, and files that replace no run.

use std::fmt::Display;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes text to standard output. It is not an error if the reader, such as `head`, closes it
/// early.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout
        .write_all(text.as_ref())
        .and_then(|()| stdout.flush());
    match written {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => Err(Failure::Output {
            name: "standard output".into(),
            source,
        }),
        _ => Ok(()),
    }
}

/// Prints a message to standard error, if anybody reads it.
pub(crate) fn say(message: impl Display) {
    let _ = writeln!(std::io::stderr(), "stats: {message}");
}

/// Returns an error if a file is a capture or a journal, which no output may replace.
pub(crate) fn check_replaceable(file: &Path) -> Result<(), Failure> {
    let mut begin = [0; 4];
    let is_run = File::open(file)
        .and_then(|mut file| file.read_exact(&mut begin))
        .is_ok_and(|()| matches!(&begin, b"PAR1" | [0xFF, 0xFF, 0xFF, 0xFF]));
    if is_run {
        return Err(Failure::Usage(format!(
            "{} is a run and would be lost; name another file to write",
            file.display()
        )));
    }
    Ok(())
}
