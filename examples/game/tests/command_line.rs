//! The program from outside: exit codes, messages that name the cure, and a short run.
use std::process::{Command, Output};

fn game(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_game"))
        .args(line.split_whitespace())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the game can be started")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn bad_arguments_exit_with_2_and_name_the_cure() {
    let output = game("--nonsense");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--help"), "{}", stderr(&output));
}

#[test]
fn help_lists_the_options() {
    let output = game("--help");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(["--smoke", "--headless", "--screenshot", "--tour", "--fault", "F3"].iter().all(|word| text.contains(word)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_missing_display_is_an_error_that_names_the_cure() {
    let output = game("");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--headless"), "{}", stderr(&output));
}

#[test]
fn a_headless_smoke_run_prints_one_line_and_is_the_same_twice() {
    let line = |workers: u32| {
        let output = game(&format!("--headless --smoke 0.5 --seed 3 --size 160x100 --workers {workers}"));
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (first, second) = (line(1), line(3));
    let hash = |line: &str| line.split("simulation ").nth(1).map(str::to_owned);
    assert!(first.contains("30 steps"), "{first}");
    assert_eq!(hash(&first), hash(&second));
}

/// In a process of its own: what other tests count does not make a series exist here.
#[cfg(feature = "enabled")]
#[test]
fn every_series_that_presets_name_exists_before_a_fault_is_planted() {
    let output = game("--headless --smoke 7 --size 160x100 --workers 2");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let missing = text.split("without the series ").nth(1).unwrap_or_default().trim().split(", ").filter(|path| !path.is_empty());
    let has_renderer = !text.contains("without drawing");
    let is_drawing = |path: &str| path.starts_with("render/") || path == "level/baked-texels";
    let missing: Vec<_> = missing.filter(|path| has_renderer || !is_drawing(path)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
