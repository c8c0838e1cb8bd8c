//! The C program of the examples, linked with the static and with the dynamic library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_c_program_counts_with_either_library() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler `cc`");
        return;
    }
    let (target, libraries) = (Path::new(env!("CARGO_TARGET_TMPDIR")), libraries());
    let expected = "frame 0: 0 shots\nframe 1: 2 shots\nframe 2: 4 shots\n1 1 1 1 1 1\n";
    for library in ["libstats_capi.a", "libstats_capi.so"] {
        let program = target.join(format!("c-with-{library}"));
        run(Command::new("cc")
            .args([
                "-std=c99",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pedantic",
                "examples/c/main.c",
            ])
            .arg("-Icrates/stats-capi/include")
            .arg(libraries.join(library))
            .args(["-lpthread", "-ldl", "-lm", "-o"])
            .arg(&program)
            .current_dir(REPOSITORY));
        let printed = run(Command::new(&program).env("LD_LIBRARY_PATH", libraries));
        assert_eq!(printed, expected, "with {library}");
    }
}

/// Builds the libraries with a tracking allocator, once. Returns their folder.
fn libraries() -> &'static Path {
    static LIBRARIES: OnceLock<PathBuf> = OnceLock::new();
    LIBRARIES.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let build = ["build", "--locked", "-p", "stats-capi"];
        run(Command::new(env!("CARGO"))
            .args(build)
            .args(["--features", "allocator", "--target-dir"])
            .arg(target)
            .current_dir(REPOSITORY));
        target.join("debug")
    })
}

#[test]
fn lua_allocates_in_the_group_of_the_scripts_and_within_its_budget() {
    let lua = Command::new("pkg-config")
        .args(["--cflags", "--libs", "lua5.4"])
        .output();
    let lua = match (lua, Command::new("cc").arg("--version").output()) {
        (Ok(lua), Ok(_)) if lua.status.success() => {
            String::from_utf8_lossy(&lua.stdout).into_owned()
        }
        _ => {
            eprintln!("skipped: there is no C compiler `cc` or no Lua (liblua5.4-dev)");
            return;
        }
    };
    let folder = stats_testing::Folder::new("capi-lua");
    let program = folder.0.join("scripts");
    run(Command::new("cc")
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "examples/lua/main.c",
        ])
        .arg("-Icrates/stats-capi/include")
        .arg(libraries().join("libstats_capi.a"))
        .args(lua.split_whitespace())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .current_dir(REPOSITORY));
    let printed = run(Command::new(&program).current_dir(&folder.0));
    let lines: Vec<&str> = printed.lines().collect();
    let same = |frame| format!("frame {frame}: the group has what Lua counts: 1");
    assert_eq!(lines[..3], [same(0), same(1), same(2)], "{printed}");
    assert_eq!(
        lines[3..],
        [
            "leak: not enough memory",
            "within the budget: 1",
            "after the end: 0 bytes"
        ],
        "{printed}"
    );
    let dump = std::fs::read_to_string(folder.0.join("scripts.csv")).expect("just written");
    let tables = dump.lines().filter(|line| {
        line.contains(",scripts,") && line.contains("spawn") && line.ends_with("table")
    });
    // Of each of 300 enemies, and of their list.
    assert!(tables.count() >= 300, "{dump}");
}
