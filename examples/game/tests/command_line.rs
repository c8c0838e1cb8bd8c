//! The program as a user runs it: exit codes, messages that name the cure, and short runs.
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

/// Returns the line that sums up a scripted run.
fn summary(text: &str) -> &str {
    text.lines()
        .find(|line| line.starts_with("smoke: "))
        .expect("the summary was printed")
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
    assert!(
        [
            "--smoke",
            "--headless",
            "--screenshot",
            "--tour",
            "--fault",
            "--memory-dump",
            "--report",
            "--allow-over-budget",
            "F3"
        ]
        .iter()
        .all(|word| text.contains(word))
    );
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_error_names_the_cure() {
    let output = game("");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("--headless"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_headless_run_prints_its_summary_and_its_report_and_is_reproducible() {
    let printed = |line: &str| {
        let output = game(&format!(
            "--headless --smoke 0.5 --seed 3 --size 160x100 {line}"
        ));
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (first, second) = (
        printed("--workers 1"),
        printed("--workers 3 --no-gpu-timing"),
    );
    let hash = |text: &str| summary(text).split("simulation ").nth(1).map(str::to_owned);
    assert!(first.contains("30 steps"), "{first}");
    assert_eq!(hash(&first), hash(&second));
    // The simulation is the same in every run, regardless of the number of threads and of timing.
    let row = |text: &str, path: &str| text.lines().find(|line| line.starts_with(path)).map(words);
    for path in ["paths/search-cost", "flock/crowd", "network/packet-size"] {
        assert_eq!(row(&first, path), row(&second, path));
        assert_eq!(
            row(&first, path).is_some(),
            cfg!(feature = "enabled"),
            "{path}: {first}"
        );
    }
    #[cfg(feature = "enabled")]
    for figure in [
        "frame times without loading (1 left out)",
        "1 % low (integral)",
        "over budget: over 33.33 ms",
        "CPU time of a frame, frame/cpu, without loading",
        "over budget: over 16.00 ms",
        "GPU time of a frame, gpu/frame, without loading",
        "loading at 0",
    ] {
        assert!(first.contains(figure), "{figure}: {first}");
    }
}

#[test]
fn the_report_is_written_to_a_file_and_a_file_that_cannot_be_written_is_an_error() {
    let file = std::env::temp_dir().join(format!("hollow-report-{}.txt", std::process::id()));
    let run = "--headless --smoke 0.2 --size 160x100 --report";
    let written = game(&format!("{run} {}", file.display()));
    assert!(written.status.success(), "{}", stderr(&written));
    let report = std::fs::read_to_string(&file).expect("the report was written");
    let printed = String::from_utf8_lossy(&written.stdout);
    assert!(printed.ends_with(&report) && summary(&report).contains("steps"));
    let _ = std::fs::remove_file(file);
    let refused = game(&format!("{run} /no-such-folder/report.txt"));
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("existing, writable folder"));
}

/// Runs a process of its own, in which other tests do not register series.
#[cfg(feature = "enabled")]
#[test]
fn every_series_that_presets_name_exists_without_a_planted_fault() {
    let output = game("--headless --smoke 7 --size 160x100 --workers 2");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let missing = summary(&text)
        .split("missing series: ")
        .nth(1)
        .unwrap_or_default()
        .trim()
        .split(", ")
        .filter(|path| !path.is_empty());
    let has_renderer = !text.contains("without drawing");
    let is_drawing = |path: &str| {
        ["render/", "gpu/", "memory/groups/rendering/"]
            .iter()
            .any(|folder| path.starts_with(folder))
            || path == "level/baked-texels"
    };
    // Only some backends report the memory that they have allocated.
    let missing: Vec<_> = missing
        .filter(|path| *path != "gpu/memory-allocated" && (has_renderer || !is_drawing(path)))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    if cfg!(feature = "memory") {
        every_group_is_within_its_budget(&text, has_renderer);
    }
}

#[cfg(feature = "enabled")]
fn every_group_is_within_its_budget(text: &str, has_renderer: bool) {
    let (_, memory) = text
        .split_once("\nmemory: ")
        .expect("the report has a section on memory");
    for group in [
        "simulation",
        "ai",
        "physics",
        "network",
        "level",
        "rendering",
        "ui",
    ] {
        let line = memory
            .lines()
            .find(|line| line.split_whitespace().next() == Some(group));
        assert!(
            line.is_some() || !has_renderer && group == "rendering",
            "{group}: {memory}"
        );
        assert!(line.is_none_or(|line| line.ends_with("  ok")), "{line:?}");
    }
    assert!(
        memory.contains("allocations per frame without loading: "),
        "{memory}"
    );
}

/// In two seconds the array grows to 7.5 MiB.
#[cfg(feature = "memory")]
const LEAKING: &str = "--headless --smoke 2 --size 160x100 --workers 2 --fault growing-array";

#[cfg(feature = "memory")]
#[test]
fn a_group_over_its_budget_fails_the_run_unless_that_is_allowed() {
    let failed = game(LEAKING);
    let errors = stderr(&failed);
    assert_eq!(failed.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("over its memory budget: simulation (")
            && errors.contains("--allow-over-budget"),
        "{errors}"
    );
    assert!(
        !errors.contains("level ("),
        "only the group over its budget is named: {errors}"
    );
    let allowed = game(&format!("{LEAKING} --allow-over-budget"));
    assert!(allowed.status.success(), "{}", stderr(&allowed));
    for output in [failed, allowed] {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text
            .lines()
            .find(|line| line.starts_with("simulation "))
            .expect("the group is listed in either case");
        assert!(line.ends_with("  OVER"), "{line}");
    }
}

#[cfg(feature = "memory")]
#[test]
fn a_dump_contains_the_leak_and_a_dump_that_cannot_be_written_is_an_error() {
    let file = std::env::temp_dir().join(format!("hollow-dump-{}.csv", std::process::id()));
    let dumped = game(&format!(
        "{LEAKING} --allow-over-budget --memory-dump {}",
        file.display()
    ));
    assert!(dumped.status.success(), "{}", stderr(&dumped));
    let dump = std::fs::read_to_string(&file).expect("the dump was written");
    let bytes = |line: &str| {
        line.split(',')
            .nth(3)
            .and_then(|bytes| bytes.parse::<u64>().ok())
    };
    let largest = dump
        .lines()
        // Allocations have an address. Libraries are larger, and so are the overlay's values.
        .filter(|line| line.starts_with("0x") && !line.contains(",ui|overlay"))
        .max_by_key(|line| bytes(line))
        .expect("the dump has lines");
    assert!(
        largest.ends_with(",sim/step|faults,growing-array") && bytes(largest) >= Some(120 * 65_536),
        "{largest}"
    );
    assert!(largest.contains(",main,simulation,"), "{largest}");
    let _ = std::fs::remove_file(file);
    let refused =
        game("--headless --smoke 0.1 --size 160x100 --memory-dump /no-such-folder/memory.csv");
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        stderr(&refused).contains("existing, writable folder"),
        "{}",
        stderr(&refused)
    );
}
