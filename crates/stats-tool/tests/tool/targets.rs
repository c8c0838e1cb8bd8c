//! Before any work, a verb examines what the path of its output leads to. It replaces only files.

use std::fs;
use std::path::Path;
use std::process::Command;

use stats_testing::Folder;

use crate::{Output, record, stats};

/// Every verb that writes a file, without the name of that file.
const WRITERS: [&str; 5] = [
    "export run.parquet --to csv --out",
    "report run.parquet --html",
    "gate run.parquet --html",
    "compare --before run.parquet --after run.parquet --html",
    "trend run.parquet --html",
];

fn write(folder: &Folder, writer: &str, file: &str) -> Output {
    stats(&folder.0, &format!("{writer} {file}"))
}

/// Exit codes of verbs that wrote their file: a single run cannot be judged.
fn has_written(output: &Output) -> bool {
    matches!(output.code, Some(0 | 2))
}

#[test]
fn a_folder_is_refused_before_the_runs_are_read() {
    let folder = Folder::new("tool-target-folder");
    fs::create_dir(folder.0.join("out")).unwrap();
    for writer in WRITERS {
        // There is no run: the folder is found first.
        let output = write(&folder, writer, "out");
        output.ends(3);
        let message = "out cannot be written (it is a folder)";
        output.says(message);
    }
    assert_eq!(folder.names(), ["out"]);
}

#[cfg(unix)]
#[test]
fn links_lead_to_their_target_and_stay() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new("tool-target-link");
    record(&folder.0.join("run.parquet"), "smoke", 40, "target/link");
    let at = |name: &str| folder.0.join(name);
    symlink("real", at("link")).unwrap();
    symlink("circle", at("circle")).unwrap();
    let is_link = |name: &str| at(name).symlink_metadata().unwrap().is_symlink();
    for writer in WRITERS {
        // First a missing target, then a file.
        for _ in 0..2 {
            let output = write(&folder, writer, "link");
            assert!(has_written(&output), "{writer}: {}", output.stderr);
            assert!(is_link("link"));
            assert!(fs::metadata(at("real")).unwrap().len() > 1000);
        }
        fs::remove_file(at("real")).unwrap();
        let output = write(&folder, writer, "circle");
        output.ends(3);
        output.says("circle");
        assert!(is_link("circle"));
    }
    // The target of a link is protected like the run itself.
    symlink("run.parquet", at("to-run")).unwrap();
    let before = fs::read(at("run.parquet")).unwrap();
    for writer in WRITERS {
        let output = write(&folder, writer, "to-run");
        output.ends(64);
    }
    assert_eq!(fs::read(at("run.parquet")).unwrap(), before);
    assert_eq!(folder.names(), ["circle", "link", "run.parquet", "to-run"]);
}

#[test]
fn devices_and_pipes_are_written_to_and_stay() {
    let folder = Folder::new("tool-target-device");
    record(&folder.0.join("run.parquet"), "smoke", 40, "target/device");
    for writer in WRITERS {
        if let Some(device) = folder.device("null") {
            let output = write(&folder, writer, "null");
            assert!(has_written(&output), "{writer}: {}", output.stderr);
            assert!(!fs::metadata(&device).unwrap().is_file());
            fs::remove_file(device).unwrap();
        }
        for to in ["pipe", "link"] {
            let pipe = match to {
                "pipe" => folder.pipe(to),
                _ => folder.link_to_pipe(to),
            };
            let Some(pipe) = pipe else { continue };
            let reader = {
                let pipe = pipe.clone();
                std::thread::spawn(move || fs::read(pipe).unwrap())
            };
            let output = write(&folder, writer, to);
            assert!(has_written(&output), "{writer}: {}", output.stderr);
            assert!(reader.join().unwrap().len() > 1000);
            assert!(!fs::metadata(&pipe).unwrap().is_file());
            fs::remove_file(pipe).unwrap();
            let _ = fs::remove_file(folder.0.join("link-pipe"));
        }
    }
    assert_eq!(folder.names(), ["run.parquet"]);
}

/// As on a full disk: `ulimit` allows no file longer than two blocks.
#[cfg(unix)]
#[test]
fn a_file_that_does_not_fit_leaves_the_old_one_and_nothing_else() {
    let folder = Folder::new("tool-target-full");
    record(&folder.0.join("run.parquet"), "smoke", 2000, "target/full");
    let limited = |writer: &str, file: &Path| {
        let limit = "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", limit, env!("CARGO_BIN_EXE_stats")]);
        shell.args(writer.split_whitespace()).arg(file);
        Output::of(shell.current_dir(&folder.0))
    };
    for writer in WRITERS {
        for old in [None, Some("old")] {
            let file = folder.0.join("out");
            old.iter().for_each(|old| fs::write(&file, old).unwrap());
            let output = limited(writer, &file);
            assert_eq!(output.code, Some(3), "{writer}: {}", output.stderr);
            output.says("cannot be written");
            let kept = fs::read_to_string(&file).ok();
            assert_eq!(kept.as_deref(), old, "{writer}");
            let _ = fs::remove_file(&file);
            assert_eq!(folder.names(), ["run.parquet"], "{writer}");
        }
    }
}
