//! Runs of the command `stats`, and what they end with. The test programs share this file.
#![allow(dead_code, reason = "each program uses a part")]

use std::path::Path;
use std::process::{self, Command};

use serde_json::Value;

/// How a run of the command ended, and its texts.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// Runs a command to its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        command.output().expect("the command starts").into()
    }

    /// Returns standard output as JSON, after checking the field that every output has.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let json: Value =
            serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        assert_eq!(json["format"], 1);
        json
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32) -> &Self {
        let Self { stdout, stderr, .. } = self;
        assert_eq!(self.code, Some(code), "{stdout}\n{stderr}");
        self
    }

    /// Asserts that standard output contains a text.
    #[track_caller]
    pub(crate) fn prints(&self, text: &str) -> &Self {
        let Self { stdout, stderr, .. } = self;
        assert!(
            stdout.contains(text),
            "{text:?} is not in:\n{stdout}\n{stderr}"
        );
        self
    }

    /// Asserts that standard error contains a text.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        let stderr = &self.stderr;
        assert!(stderr.contains(text), "{text:?} is not in:\n{stderr}");
        self
    }

    /// Asserts the exit code, and that the output contains texts.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, texts: &[&str]) -> &Self {
        let Self { stdout, stderr, .. } = self.ends(code);
        for text in texts {
            let is_there = stdout.contains(text) || stderr.contains(text);
            assert!(is_there, "{text:?} is not in:\n{stdout}\n{stderr}");
        }
        self
    }
}

impl From<process::Output> for Output {
    /// Panics if an output is not UTF-8; [`output_bytes`] returns one that is no text.
    fn from(output: process::Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// Runs `stats` in a folder without an error, and returns standard output, which may be no text, as a
/// trace of Perfetto is.
pub(crate) fn output_bytes(folder: &Path, line: &str) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stats"));
    let command = command.args(line.split_whitespace()).current_dir(folder);
    let output = command.output().expect("the command starts");
    assert_eq!(output.status.code(), Some(0), "{line}");
    output.stdout
}

/// Runs `stats` in a folder.
pub(crate) fn stats_with(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stats"));
    Output::of(command.args(arguments).current_dir(folder))
}

/// Runs `stats` in a folder. Spaces separate the arguments.
pub(crate) fn stats(folder: &Path, line: &str) -> Output {
    stats_with(folder, &line.split_whitespace().collect::<Vec<_>>())
}
