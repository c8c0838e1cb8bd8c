//! Compiles the crate with and without the feature, and compares the machine code of each pair.

use std::alloc::System;
use std::path::{Path, PathBuf};
use std::process::Command;

use stats_core::{
    Counter, CounterHandle, DeferredSeries, DeferredSource, FrameStamp, Gauge, Histogram,
    HistogramHandle, LocalCounter, MarkEvent, OwnMemory, Recorder, Timer, TimerScope,
    UpDownCounter, Watch,
};
use stats_memory::{Group, Records, Scope, Tag, TrackingAllocator};

/// The pairs of functions: `pair_<name>_counted` and `pair_<name>_plain`.
const PAIRS: [&str; 6] = ["loop", "frame", "late", "allocate", "span", "export"];

#[test]
fn without_the_feature_each_pair_has_the_same_machine_code_and_no_path_remains() {
    let assembly = assembly(&[]);
    for pair in PAIRS {
        let [counted, plain] =
            ["counted", "plain"].map(|half| body(&assembly, &format!("pair_{pair}_{half}")));
        assert_eq!(counted, plain);
    }
    assert!(!assembly.contains("path-in-binary"));
}

/// The control: with counters, the same comparison finds a difference.
#[test]
fn with_the_feature_each_pair_differs_and_the_paths_are_present() {
    let assembly = assembly(&["--features", "enabled"]);
    for pair in PAIRS {
        let [counted, plain] =
            ["counted", "plain"].map(|half| body(&assembly, &format!("pair_{pair}_{half}")));
        assert_ne!(counted, plain);
    }
    assert!(assembly.contains("path-in-binary"));
}

#[test]
fn every_type_is_zero_sized() {
    const { assert!(!stats_core::ENABLED) };
    assert_eq!(
        [
            size_of::<Counter>(),
            size_of::<UpDownCounter>(),
            size_of::<Gauge>(),
            size_of::<Timer>()
        ],
        [0; 4]
    );
    assert_eq!(
        [
            size_of::<CounterHandle>(),
            size_of::<LocalCounter>(),
            size_of::<TimerScope>()
        ],
        [0; 3]
    );
    assert_eq!(
        [size_of::<Histogram>(), size_of::<HistogramHandle>()],
        [0; 2]
    );
    assert_eq!(
        [
            size_of::<DeferredSource>(),
            size_of::<DeferredSeries>(),
            size_of::<FrameStamp>()
        ],
        [0; 3]
    );
    assert_eq!(
        [
            size_of::<Recorder>(),
            size_of::<Watch>(),
            size_of::<OwnMemory>()
        ],
        [0; 3]
    );
    assert_eq!(
        [
            size_of::<TrackingAllocator<System, Records>>(),
            size_of::<Group>(),
            size_of::<Scope>(),
            size_of::<Tag>()
        ],
        [0; 4]
    );
}

#[test]
fn records_marks_and_deliveries_have_no_effect() {
    let (late, mut recorder) = (DeferredSource::new(), Recorder::new());
    let series = late.counter("a/late");
    let watch = recorder.watch(series.id());
    recorder.mark("a", MarkEvent::Point);
    late.deliver(late.issue(), &[(series, 1.0)]);
    stats_core::histogram("a/sizes").record(1);
    recorder.end_frame();
    assert!(recorder.history(&watch, 60).is_empty() && recorder.marks().is_empty());
    assert_eq!(
        (stats_core::begin_run(), stats_core::report()),
        Default::default()
    );
}

#[test]
fn arguments_of_count_and_sample_are_type_checked_but_not_evaluated() {
    let mut evaluated = false;
    let mut evaluate = || {
        evaluated = true;
        1
    };
    stats_core::count!("a/b", evaluate());
    stats_core::sample!("a/c", evaluate());
    stats_core::sample!("a/d", evaluate(), stats_core::Unit::Bytes);
    assert!(!evaluated);
}

/// Returns the crate's assembly, compiled in release mode with `arguments`.
fn assembly(arguments: &[&str]) -> String {
    let name = if arguments.is_empty() { "off" } else { "on" };
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let file = target.join("pairs.s");
    let status = Command::new(env!("CARGO"))
        .args([
            "rustc",
            "--release",
            "--lib",
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ])
        .args(arguments)
        .env("CARGO_TARGET_DIR", &target)
        .args(["--", "--emit"])
        .arg(asm_to(&file))
        .status()
        .unwrap();
    assert!(status.success());
    std::fs::read_to_string(file).unwrap()
}

fn asm_to(file: &Path) -> PathBuf {
    let mut argument = std::ffi::OsString::from("asm=");
    argument.push(file);
    argument.into()
}

/// Returns the instructions of a function without directives and label numbers. If the compiler
/// merged two equal functions, one is an alias of the other or a single jump to it.
fn body(assembly: &str, function: &str) -> Vec<String> {
    if let Some(original) = alias(assembly, function) {
        return body(assembly, &original);
    }
    let begin = format!("{function}:");
    let lines = assembly.lines().skip_while(|line| *line != begin).skip(1);
    let lines = lines.take_while(|line| !line.trim_start().starts_with(".cfi_endproc"));
    let instructions: Vec<String> = lines
        .filter(|line| line.starts_with('\t') && !line.trim_start().starts_with('.'))
        .map(|line| {
            line.trim()
                .split('#')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned()
        })
        .map(without_label_numbers)
        .collect();
    assert!(
        !instructions.is_empty(),
        "{function} is not in the assembly"
    );
    match &instructions[..] {
        [only] if only.starts_with("jmp\tpair_") => body(assembly, &only["jmp\t".len()..]),
        _ => instructions,
    }
}

/// Returns the original of an alias: `.set function, original` or `function = original`.
fn alias(assembly: &str, function: &str) -> Option<String> {
    let prefixes = [format!(".set {function}, "), format!("{function} = ")];
    let mut lines = assembly.lines().map(str::trim);
    lines.find_map(|line| {
        prefixes
            .iter()
            .find_map(|prefix| line.strip_prefix(prefix))
            .map(str::to_owned)
    })
}

/// Removes the function's number: `.LBB0_12` and `.LBB3_12` are the same label of two functions.
fn without_label_numbers(instruction: String) -> String {
    let Some((before, label)) = instruction.split_once(".LBB") else {
        return instruction;
    };
    format!(
        "{before}.L{}",
        label.trim_start_matches(|c: char| c.is_ascii_digit())
    )
}
