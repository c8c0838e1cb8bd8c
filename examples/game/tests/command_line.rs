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

/// The line that sums up a run that played itself.
fn summary(text: &str) -> &str {
    text.lines().find(|line| line.starts_with("smoke: ")).expect("it was printed")
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
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
fn a_headless_smoke_run_prints_its_line_and_its_report_and_is_the_same_twice() {
    let printed = |line: &str| {
        let output = game(&format!("--headless --smoke 0.5 --seed 3 --size 160x100 {line}"));
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (first, second) = (printed("--workers 1"), printed("--workers 3 --no-gpu-timing"));
    let hash = |text: &str| summary(text).split("simulation ").nth(1).map(str::to_owned);
    assert!(first.contains("30 steps"), "{first}");
    assert_eq!(hash(&first), hash(&second));
    // What the simulation does is the same in every run, however many threads recorded it and whatever is timed.
    let row = |text: &str, path: &str| text.lines().find(|line| line.starts_with(path)).map(words);
    for path in ["paths/search-cost", "flock/crowd", "network/packet-size"] {
        assert_eq!(row(&first, path), row(&second, path));
        assert_eq!(row(&first, path).is_some(), cfg!(feature = "enabled"), "{path}: {first}");
    }
    #[cfg(feature = "enabled")]
    for figure in ["frame times without loading (1 left out)", "1 % low (integral)", "spikes: over 33.33 ms", "loading at 0"] {
        assert!(first.contains(figure), "{figure}: {first}");
    }
}

/// In a process of its own: what other tests count does not make a series exist here.
#[cfg(feature = "enabled")]
#[test]
fn every_series_that_presets_name_exists_before_a_fault_is_planted() {
    let output = game("--headless --smoke 7 --size 160x100 --workers 2");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let missing =
        summary(&text).split("without the series ").nth(1).unwrap_or_default().trim().split(", ").filter(|path| !path.is_empty());
    let has_renderer = !text.contains("without drawing");
    let is_drawing = |path: &str| ["render/", "gpu/"].iter().any(|folder| path.starts_with(folder)) || path == "level/baked-texels";
    // Only some backends tell what memory they have given out.
    let missing: Vec<_> = missing.filter(|path| *path != "gpu/memory-allocated" && (has_renderer || !is_drawing(path))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
