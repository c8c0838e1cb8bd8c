//! Captures on standard input.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use stats_testing::Folder;

use crate::{Output, record, stats};

fn stats_reading(file: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stats"));
    command.args(line.split_whitespace());
    command.env("TMPDIR", file.parent().expect("it is in a folder"));
    command.stdin(File::open(file).expect("it was just written"));
    Output::of(&mut command)
}

#[test]
fn a_dash_is_the_capture_on_standard_input_for_each_verb_that_reads_one() {
    let folder = Folder::new("tool-stdin");
    let file = record(&folder.0.join("run.parquet"), "smoke", 30, "stdin/work");
    let same = file.display().to_string();
    for (line, code) in [
        ("report -", 0),
        ("explain -", 0),
        ("export - --to csv", 0),
        ("gate -", 0),
        ("trend -", 2),
        (&*format!("compare --before - --after {same}"), 2),
        (&*format!("gate - --baseline {same}"), 2),
    ] {
        let output = stats_reading(&file, line);
        assert_eq!(output.code, Some(code), "{line}: {}", output.stderr);
        assert!(!output.stdout.is_empty(), "{line}");
    }
    let left = std::fs::read_dir(&folder.0).expect("a folder").count();
    assert_eq!(left, 1, "the copies are removed");
}

#[test]
fn texts_name_standard_input_instead_of_a_temporary_file() {
    let folder = Folder::new("tool-stdin-name");
    let file = record(&folder.0.join("run.parquet"), "smoke", 30, "stdin/name");
    let page = folder.0.join("page.html").display().to_string();
    let copies = folder.0.join("stats-").display().to_string();
    for line in [
        "report - --format json",
        "report - --format text",
        "report -",
        "explain - --frame 99999",
        &*format!("report - --html {page}"),
    ] {
        let output = stats_reading(&file, line);
        let texts = output.stdout + &output.stderr;
        assert!(!texts.contains(&copies), "{line}: {texts}");
        assert!(
            line.contains("--frame") || texts.contains("standard input"),
            "{texts}"
        );
    }
    let page = std::fs::read_to_string(page).expect("it was written");
    assert!(page.contains("smoke: standard input"));
    assert!(!page.contains(&copies));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_like_a_file() {
    let folder = Folder::new("tool-pipe");
    let file = record(&folder.0.join("run.parquet"), "smoke", 30, "stdin/pipe");
    let pipe = folder.0.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::copy(file, pipe)
    });
    let line = format!("report {} --format text", pipe.display());
    let output = stats_reading(&folder.0.join("run.parquet"), &line);
    assert!(writer.join().expect("no panic").is_ok());
    output.ends(0);
    assert!(
        output
            .stdout
            .starts_with(&format!("smoke: {}", pipe.display()))
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder_or_of_a_pattern_is_left_out() {
    let folder = Folder::new("tool-pipe-in-folder");
    let runs = folder.0.join("runs");
    std::fs::create_dir_all(&runs).expect("a temporary folder");
    record(&runs.join("run.parquet"), "smoke", 30, "stdin/folder");
    for name in ["pipe.parquet", "log.csv"] {
        let made = Command::new("mkfifo").arg(runs.join(name)).status();
        assert!(made.is_ok_and(|status| status.success()));
    }
    for line in [
        "report runs",
        "report runs/*.parquet",
        "trend runs",
        "gate runs --baseline runs",
    ] {
        let output = stats(&folder.0, line);
        let said = &output.stderr;
        assert!(
            said.contains("pipe.parquet is a pipe and is left out"),
            "{line}: {said}"
        );
        assert!(output.stdout.contains("smoke"), "{line}: {said}");
    }
}

#[test]
fn standard_input_that_never_ends_and_is_no_run_is_refused_at_once() {
    use std::io::Write;
    const MANY: usize = 64 << 20;
    let mut command = Command::new(env!("CARGO_BIN_EXE_stats"));
    let mut child = command
        .args(["report", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    let mut stdin = child.stdin.take().expect("it is piped");
    let text = b"y\n".repeat(512 << 10);
    let mut written = 0;
    while written < MANY && stdin.write_all(&text).is_ok() {
        written += text.len();
    }
    drop(stdin);
    let output = Output::from(child.wait_with_output().expect("it ends"));
    assert!(written < MANY, "it read everything");
    output.ends(3);
    let said = &output.stderr;
    assert!(said.starts_with("stats: standard input "), "{said}");
}

#[test]
fn a_journal_or_an_empty_file_on_standard_input_is_an_error() {
    let folder = Folder::new("tool-stdin-refused");
    let file = folder.0.join("empty");
    std::fs::write(&file, "").expect("a temporary file");
    let recover = stats_reading(&file, "recover -");
    recover.ends(64);
    recover.says("name the file");
    let report = stats_reading(&file, "report -");
    report.ends(3);
}
