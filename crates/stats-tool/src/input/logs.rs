//! Turns the logs among files into temporary captures, so that every verb reads them.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::temporary::kept_folder;
use crate::failure::Failure;
use crate::foreign::{Head, Options, write};
use crate::output::{begins_like_run, name_of, say, show_as};

/// The logs that were read so far, with the captures of their runs.
static READ: Mutex<Vec<(PathBuf, Vec<PathBuf>)>> = Mutex::new(Vec::new());

/// Returns a file itself, or the captures of its runs if it is the log of another program. A file
/// of no known kind is returned as it is. Reads each log once, and says what was chosen.
pub(super) fn resolve(file: PathBuf) -> Result<Vec<PathBuf>, Failure> {
    if !file.is_file() || begins_like_run(&file) {
        return Ok(vec![file]);
    }
    let Some(format) = Head::read(&file).ok().and_then(|head| head.format()) else {
        return Ok(vec![file]);
    };
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, captures)) = read.iter().find(|(known, _)| *known == file) {
        return Ok(captures.clone());
    }
    let logs =
        (format.read)(&file, &Options::default()).map_err(|refusal| refusal.of_file(&file))?;
    let (folder, several) = (kept_folder()?, logs.len() > 1);
    let mut captures = Vec::new();
    for (number, log) in (1..).zip(&logs) {
        let name = name_of(&file);
        let name = if several {
            format!("{name}#{number}")
        } else {
            name
        };
        log.said
            .iter()
            .for_each(|said| say(format_args!("{name}: {said}")));
        let count = read
            .iter()
            .map(|(_, captures)| captures.len())
            .sum::<usize>()
            + captures.len();
        let capture = folder.join(format!("log-{count}.parquet"));
        write(log, &capture)?;
        show_as(&capture, &name);
        captures.push(capture);
    }
    read.push((file, captures.clone()));
    Ok(captures)
}
