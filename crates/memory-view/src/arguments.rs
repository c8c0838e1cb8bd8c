//! What the command line asks for.

use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const HELP: &str = "\
Who holds the memory: opens a dump of the tracking allocator, or compares two.

usage: memory-view FILE           what is held in FILE
       memory-view BEFORE FILE    what changed from BEFORE to FILE

A dump is what stats_memory::dump writes. Other files can be dropped on the window.

  -h, --help       this text
  -V, --version    the version";

const VERSION: &str = concat!("memory-view ", env!("CARGO_PKG_VERSION"));

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// One file, or two to compare.
    Open(Vec<PathBuf>),
    /// A text, and nothing else.
    Say(&'static str),
}

/// What the arguments, without the program's name, ask for; or what is wrong with them.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Request, String> {
    let (mut files, mut are_options_over) = (Vec::new(), false);
    for argument in arguments {
        match argument.to_str() {
            Some("--") if !are_options_over => are_options_over = true,
            Some("-h" | "--help") if !are_options_over => return Ok(Request::Say(HELP)),
            Some("-V" | "--version") if !are_options_over => return Ok(Request::Say(VERSION)),
            Some(option) if !are_options_over && option.len() > 1 && option.starts_with('-') => {
                return Err(format!(
                    "there is no option {option}; a file of that name is ./{option}"
                ));
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    match files.len() {
        0 => Err("no file is named".to_owned()),
        1 | 2 => Ok(Request::Open(files)),
        count => Err(format!(
            "{count} files are named, and 2 at most can be compared"
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
    fn options_are_known_or_told() {
        assert_eq!(parsed(&["a", "--help"]), Ok(Request::Say(HELP)));
        assert_eq!(parsed(&["-V"]), Ok(Request::Say(VERSION)));
        assert!(
            parsed(&["--verbose", "a"])
                .unwrap_err()
                .contains("./--verbose")
        );
    }
}
