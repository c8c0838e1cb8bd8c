//! The C program of the examples, linked with the static and with the dynamic library.

use std::path::Path;
use std::process::Command;

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
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    run(Command::new(env!("CARGO"))
        .args(["build", "--locked", "-p", "stats-capi", "--target-dir"])
        .arg(target)
        .current_dir(REPOSITORY));
    let libraries = target.join("debug");
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
        let printed = run(Command::new(&program).env("LD_LIBRARY_PATH", &libraries));
        assert_eq!(printed, expected, "with {library}");
    }
}
