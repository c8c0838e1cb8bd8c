//! Standard output.

use std::io::{ErrorKind, Write};

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
