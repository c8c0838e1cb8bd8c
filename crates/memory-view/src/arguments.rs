//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Shows memory by owner, from the dumps of a program with the tracking allocator.

Usage: memory-view FILE            show the memory in FILE
       memory-view BEFORE AFTER    show what changed between two dumps

stats_memory::save_dump writes such files. To open more of them, drop them on the window.

  -h, --help       print this help
  -V, --version    print the version";

const VERSION: &str = concat!("memory-view ", env!("CARGO_PKG_VERSION"));

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Open one file, or two to compare.
    Open(Vec<PathBuf>),
    /// Print a text and exit.
    Print(&'static str),
}

/// Parses the arguments, without the program's name.
///
/// # Errors
///
/// Returns what is wrong with them.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Request, String> {
    let (mut files, mut only_files) = (Vec::new(), false);
    for argument in arguments {
        match argument.to_str() {
            Some("--") if !only_files => only_files = true,
            Some("-h" | "--help") if !only_files => return Ok(Request::Print(HELP)),
            Some("-V" | "--version") if !only_files => return Ok(Request::Print(VERSION)),
            Some(option) if !only_files && option.len() > 1 && option.starts_with('-') => {
                return Err(format!(
                    "unknown option {option}; to open a file of that name, pass ./{option}"
                ));
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    match files.len() {
        0 => Err("no file given; name a dump to open".to_owned()),
        1 | 2 => Ok(Request::Open(files)),
        count => Err(format!(
            "{count} files given, but at most 2 can be compared"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Request, String> {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn one_file_is_opened_and_two_are_compared() {
        assert_eq!(parsed(&["a"]), Ok(Request::Open(vec!["a".into()])));
        assert_eq!(
            parsed(&["a", "b"]),
            Ok(Request::Open(vec!["a".into(), "b".into()]))
        );
        assert_eq!(parsed(&["--", "-h"]), Ok(Request::Open(vec!["-h".into()])));
        assert!(parsed(&[]).unwrap_err().contains("no file"));
        assert!(parsed(&["a", "b", "c"]).unwrap_err().contains("3 files"));
    }

    #[test]
    fn unknown_options_are_errors() {
        assert_eq!(parsed(&["a", "--help"]), Ok(Request::Print(HELP)));
        assert_eq!(parsed(&["-V"]), Ok(Request::Print(VERSION)));
        assert!(
            parsed(&["--verbose", "a"])
                .unwrap_err()
                .contains("./--verbose")
        );
    }
}
