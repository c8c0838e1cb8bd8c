//! Dumps in files, and at the end of a process. Each runs in a process of its own: this program
//! starts itself.
#![cfg_attr(unix, expect(unsafe_code, reason = "forks"))]
#![expect(
    clippy::unwrap_used,
    reason = "a test: an unexpected `None` or error is a failure"
)]

use std::alloc::System;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, io, process, thread};

use stats_memory::{Records, TrackingAllocator, dump_at_exit, save_dump, scope};

#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

/// The end of the dump line of a block that each child still has when it ends.
const HELD: &str = ",ungrouped,54321,exit,";

fn main() {
    let mut arguments = env::args().skip(1);
    if let Some(end) = arguments
        .next()
        .filter(|argument| !argument.starts_with("--"))
    {
        return end_by(&end, &arguments.map(PathBuf::from).collect::<Vec<_>>());
    }
    let folder = env::temp_dir().join(format!("stats-memory-exit-{}", process::id()));
    fs::create_dir(&folder).unwrap();
    if stats_memory::ENABLED {
        a_process_leaves_its_dump(&folder);
        the_last_path_applies(&folder);
        a_relative_path_belongs_to_the_folder_of_the_call(&folder);
        a_failure_is_reported_and_changes_nothing(&folder);
        an_abort_leaves_nothing(&folder);
        #[cfg(unix)]
        {
            a_fork_leaves_the_dump_to_its_parent(&folder);
            a_dump_that_fails_half_way_replaces_nothing(&folder);
        }
        a_saved_dump_is_replaced_whole_or_not_at_all(&folder);
        a_device_is_written_to_and_not_replaced();
        a_pipe_is_written_to_and_not_replaced();
    } else {
        nothing_is_written_without_the_feature(&folder);
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Runs in the child.
fn end_by(end: &str, paths: &[PathBuf]) {
    paths.iter().for_each(dump_at_exit);
    let scope = scope!("exit");
    std::mem::forget(black_box(vec![1_u8; 54321]));
    drop(scope);
    (1..100).for_each(|bytes| std::mem::forget(black_box(vec![1_u8; bytes])));
    match end {
        "exit" => process::exit(7),
        "thread" => thread::spawn(|| process::exit(7)).join().unwrap(),
        "abort" => process::abort(),
        #[cfg(unix)]
        "fork" => {
            // SAFETY: there is no other thread.
            let child = unsafe { libc::fork() };
            if child == 0 {
                // It has all memory of its parent, and can continue.
                let more = thread::spawn(|| black_box(vec![1_u8; 1000]))
                    .join()
                    .unwrap();
                assert!(stats_memory::totals().bytes > 1000 + 54321 && more.len() == 1000);
                save_dump(paths[0].with_extension("child")).unwrap();
                process::exit(3);
            }
            let mut status = 0;
            // SAFETY: the status outlives the call.
            assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
            assert_eq!((libc::WEXITSTATUS(status), paths[0].exists()), (3, false));
        }
        "move" => env::set_current_dir("..").unwrap(),
        _ => {}
    }
}

fn run(end: &str, folder: &Path, paths: &[&Path]) -> Output {
    Command::new(env::current_exe().unwrap())
        .arg(end)
        .args(paths)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// Returns how many files there are, including half-written ones.
fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

fn assert_is_dump(path: &Path) {
    let text = text(path);
    assert_eq!(
        text.lines().filter(|line| line.ends_with(HELD)).count(),
        1,
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.split(',').count() == 6) && text.ends_with('\n'),
        "{text}"
    );
}

fn a_process_leaves_its_dump(folder: &Path) {
    for (end, code) in [("return", 0), ("exit", 7), ("thread", 7)] {
        let path = folder.join(end);
        let output = run(end, folder, &[&path]);
        assert_eq!(
            (output.status.code(), &*output.stderr),
            (Some(code), &b""[..])
        );
        assert_is_dump(&path);
        fs::remove_file(path).unwrap();
        assert_eq!(files(folder), 0);
    }
}

fn the_last_path_applies(folder: &Path) {
    let (first, last) = (folder.join("first"), folder.join("last"));
    assert!(run("exit", folder, &[&first, &last]).stderr.is_empty());
    assert_is_dump(&last);
    assert_eq!(files(folder), 1);
    fs::remove_file(last).unwrap();
}

fn a_relative_path_belongs_to_the_folder_of_the_call(folder: &Path) {
    assert!(
        run("move", folder, &[Path::new("here.csv")])
            .status
            .success()
    );
    assert_is_dump(&folder.join("here.csv"));
    fs::remove_file(folder.join("here.csv")).unwrap();
}

fn a_failure_is_reported_and_changes_nothing(folder: &Path) {
    let nowhere = folder.join("none").join("dump.csv");
    for path in [&nowhere, folder] {
        let output = run("return", folder, &[path]);
        let printed = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.success()
                && printed.starts_with("stats-memory: the dump cannot be written to "),
            "{printed}"
        );
        assert!(
            printed.contains(path.to_str().unwrap()) && printed.lines().count() == 1,
            "{printed}"
        );
    }
    assert_eq!(files(folder), 0);
}

fn an_abort_leaves_nothing(folder: &Path) {
    assert!(
        !run("abort", folder, &[&folder.join("abort")])
            .status
            .success()
    );
    assert_eq!(files(folder), 0);
}

#[cfg(unix)]
fn a_fork_leaves_the_dump_to_its_parent(folder: &Path) {
    let path = folder.join("fork.csv");
    let output = run("fork", folder, &[&path]);
    assert!(output.status.success(), "{output:?}");
    assert_is_dump(&path);
    assert_is_dump(&path.with_extension("child"));
    assert_eq!(files(folder), 2);
    fs::remove_file(path.with_extension("child")).unwrap();
    fs::remove_file(path).unwrap();
}

/// As on a full disk: no file may be longer than a KiB.
#[cfg(unix)]
fn a_dump_that_fails_half_way_replaces_nothing(folder: &Path) {
    let path = folder.join("half");
    fs::write(&path, "old").unwrap();
    let limit = "trap '' XFSZ; ulimit -f 1; exec \"$0\" return \"$1\"";
    let output = Command::new("sh")
        .args(["-c", limit])
        .arg(env::current_exe().unwrap())
        .arg(&path)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && printed.contains("half"),
        "{printed}"
    );
    assert_eq!((text(&path).as_str(), files(folder)), ("old", 1));
    fs::remove_file(path).unwrap();
}

fn a_saved_dump_is_replaced_whole_or_not_at_all(folder: &Path) {
    let path = folder.join("saved");
    let scope = scope!("exit");
    let held = black_box(vec![1_u8; 54321]);
    drop(scope);
    let lines = save_dump(&path).unwrap();
    assert_is_dump(&path);
    assert_eq!(text(&path).lines().count() as u64, lines);
    fs::write(&path, "old").unwrap();
    save_dump(&path).unwrap();
    assert_is_dump(&path);
    #[cfg(unix)]
    {
        let link = folder.join("link");
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        // Also if the target does not exist.
        for _ in 0..2 {
            save_dump(&link).unwrap();
            assert_is_dump(&path);
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            fs::remove_file(&path).unwrap();
        }
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("link", &link).unwrap();
        let error = save_dump(&link).unwrap_err().to_string();
        assert!(error.contains("circle"), "{error}");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        fs::remove_file(link).unwrap();
        fs::write(&path, "old").unwrap();
    }
    fs::remove_file(path).unwrap();
    drop(held);
    let error = save_dump(folder.join("none").join("saved")).unwrap_err();
    assert!(
        error.kind() == io::ErrorKind::NotFound && error.to_string().contains("saved"),
        "{error}"
    );
    assert!(save_dump("").is_err());
    let error = save_dump(folder).unwrap_err().to_string();
    assert!(error.contains("it is a folder"), "{error}");
    assert_eq!(files(folder), 0);
}

/// Runs only where devices can be made. A failing test could remove the devices of the system.
fn a_device_is_written_to_and_not_replaced() {
    let folder = stats_testing::Folder::new("memory-devices");
    let (Some(full), Some(null)) = (folder.full_device("full"), folder.device("null")) else {
        return;
    };
    let (full, null) = (&full, &null);
    assert_eq!(
        save_dump(full).unwrap_err().kind(),
        io::ErrorKind::StorageFull
    );
    assert!(save_dump(null).unwrap() > 0);
    assert!(!fs::metadata(full).unwrap().is_file() && !fs::metadata(null).unwrap().is_file());
    assert_eq!(folder.names(), ["full", "null"]);
}

fn a_pipe_is_written_to_and_not_replaced() {
    let folder = stats_testing::Folder::new("memory-pipes");
    let nodes = [folder.pipe("pipe"), folder.link_to_pipe("link")];
    let names = folder.names();
    for pipe in nodes.iter().flatten() {
        let read = thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        assert!(save_dump(pipe).unwrap() > 0);
        assert!(!read.join().unwrap().is_empty());
        assert!(!fs::metadata(pipe).unwrap().is_file());
    }
    assert_eq!(folder.names(), names);
}

fn nothing_is_written_without_the_feature(folder: &Path) {
    assert!(
        run("return", folder, &[&folder.join("return")])
            .status
            .success()
    );
    assert_eq!(save_dump(folder.join("none").join("saved")).unwrap(), 0);
    assert_eq!(files(folder), 0);
}
