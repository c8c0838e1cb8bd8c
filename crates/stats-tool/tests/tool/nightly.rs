//! docs/nightly.md, played line by line from an empty folder, with a program in place of the game.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use stats_testing::Folder;

const PAGE: &str = include_str!("../../../../docs/nightly.md");

/// What the shell prints after each line, before its exit code.
const EXIT_CODE: &str = "exit code ";

#[test]
fn the_page_can_be_played_from_an_empty_folder() {
    play_the_page("sh");
}

/// The default shell of macOS, which does not split the value of a variable into words.
#[test]
fn the_page_can_be_played_with_zsh() {
    if Command::new("zsh").arg("-c").arg(":").status().is_ok() {
        play_the_page("zsh");
    } else {
        // Not with `eprintln`, whose text is hidden if the test passes.
        let _ = writeln!(std::io::stderr(), "skipped: zsh is not installed");
    }
}

fn play_the_page(program: &str) {
    let [night, release, change] = blocks("sh")[..] else {
        panic!("the page has other blocks: play them here");
    };
    let mut shell = Shell::new(program);
    // There is no earlier run, and no stats.toml.
    let first = shell.play(night, &[0, 0, 2, 2]);
    assert!(
        first.contains("runs/last-release has no runs yet, so only budgets are judged"),
        "{first}"
    );
    shell.play(release, &[0, 0, 0]);
    let baseline = fs::read_dir(shell.file("runs/last-release")).expect("just made");
    assert_eq!(baseline.count(), 5);
    let second = shell.play(night, &[0, 0, 0, 0]);
    assert!(second.contains("Runs: 5 before and 5 after."), "{second}");
    // Tonight's runs and copies of the baseline are no history.
    assert!(second.contains("There are no stored runs"), "{second}");
    fs::write(shell.file("stats.toml"), blocks("toml")[0]).expect("a temporary file");
    let third = shell.play(night, &[0, 0, 0, 0]);
    assert!(third.contains("5 stored runs are comparable"), "{third}");
    assert!(
        third.contains("None of the 3 metrics that may fail is worse"),
        "{third}"
    );
    assert!(third.contains("warm-up (1,500 frames)"), "{third}");
    shell.play(change, &[0, 0]);
    for side in ["before", "after"] {
        assert!(
            shell
                .file(&format!("runs/change/{side}/005.parquet"))
                .exists()
        );
    }
}

/// A shell in an empty folder, with the programs that the page names.
struct Shell {
    folder: Folder,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Shell {
    fn new(program: &str) -> Self {
        let folder = Folder::new(&format!("tool-nightly-page-{program}"));
        let (bin, empty) = (folder.0.join("bin"), folder.0.join("empty"));
        fs::create_dir(&bin).expect("a temporary folder");
        fs::create_dir(&empty).expect("a temporary folder");
        let this = std::env::current_exe().expect("it runs");
        let game = format!(
            "exec '{}' program::the_recorded_program --exact --nocapture",
            this.display()
        );
        for name in ["game", "game-before", "game-after"] {
            write_program(&empty.join(name), &game);
        }
        write_program(&bin.join("git"), "echo abc1234");
        let stats = format!("exec '{}' \"$@\"", env!("CARGO_BIN_EXE_stats"));
        write_program(&bin.join("stats"), &stats);
        let path = std::env::var("PATH").unwrap_or_default();
        let log = fs::File::create(folder.0.join("messages")).expect("a temporary file");
        let mut child = Command::new(program)
            .current_dir(&empty)
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("STATS_TOOL_TEST_PROGRAM", "night")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("a shell");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            folder,
            child,
            input,
            output,
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.0.join("empty").join(name)
    }

    /// Plays a block, asserts the exit code of each of its lines, and returns what they print.
    #[track_caller]
    fn play(&mut self, block: &str, codes: &[i32]) -> String {
        assert_eq!(block.lines().count(), codes.len(), "{block}");
        let mut printed = String::new();
        for (line, code) in block.lines().zip(codes) {
            writeln!(self.input, "{line}\necho \"{EXIT_CODE}$?\"").expect("the shell runs");
            let mut text = String::new();
            let found = loop {
                let begin = text.len();
                let read = self
                    .output
                    .read_line(&mut text)
                    .expect("the shell prints text");
                assert!(read > 0, "the shell has ended after {line}: {text}");
                if let Some(found) = text[begin..].strip_prefix(EXIT_CODE) {
                    break found.trim().to_owned();
                }
            };
            let messages = fs::read_to_string(self.folder.0.join("messages"));
            let messages = messages.unwrap_or_default();
            assert_eq!(found, code.to_string(), "{line}\n{text}\n{messages}");
            printed += &text;
        }
        printed
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_program(file: &Path, command: &str) {
    fs::write(file, format!("#!/bin/sh\n{command}\n")).expect("a temporary file");
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(file, executable).expect("a temporary file");
}

/// Returns the blocks of the page in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    let blocks = PAGE.split(begin.as_str()).skip(1);
    blocks.filter_map(|rest| rest.split("```").next()).collect()
}
