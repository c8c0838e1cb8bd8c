use stats_testing::Folder;

use super::{Run, stats};

#[test]
fn a_file_that_is_not_a_capture_is_named() {
    let folder = Folder::new("hostile-files");
    let runs = Run::default().record_times(9, folder.0.join("runs"));
    std::fs::write(folder.0.join("text.parquet"), "no capture").expect("a temporary file");
    let good = std::fs::read(format!("{runs}/run-000.parquet")).expect("just written");
    std::fs::write(folder.0.join("cut.parquet"), &good[..good.len() / 2])
        .expect("a temporary file");
    std::fs::create_dir(folder.0.join("empty")).expect("a temporary folder");
    for (file, text) in [
        ("text.parquet", "text.parquet is not a capture"),
        ("cut.parquet", "cut.parquet is damaged"),
        ("missing.parquet", "missing.parquet cannot be read"),
    ] {
        stats(&folder, &["gate", file]).expect(3, &[text]);
        stats(&folder, &["gate", &runs, "--baseline", file]).expect(3, &[text]);
        stats(&folder, &["compare", "--before", file, "--after", &runs]).expect(3, &[text]);
        stats(&folder, &["trend", file]).expect(3, &[text]);
    }
    for (name, text) in [
        ("empty", "empty is a folder without captures"),
        ("*.nothing", "no file matches \"*.nothing\""),
    ] {
        stats(&folder, &["gate", name]).expect(3, &[text]);
        stats(&folder, &["compare", "--before", name, "--after", &runs]).expect(3, &[text]);
    }
    // A damaged run is left out of a trend.
    std::fs::rename(
        folder.0.join("cut.parquet"),
        format!("{runs}/run-100.parquet"),
    )
    .expect("a file");
    stats(&folder, &["trend", &runs]).expect(
        3,
        &[
            "9 runs",
            "run-100.parquet is damaged",
            "the run is left out",
        ],
    );
}

#[test]
fn runs_of_two_frames_or_fewer_cause_no_panic() {
    let folder = Folder::new("hostile-short");
    let run = |frames| Run {
        frames,
        ..Run::default()
    };
    let long = Run::default().record_times(2, folder.0.join("long"));
    for frames in [0, 1, 2] {
        let short = run(frames).record_times(2, folder.0.join(format!("short-{frames}")));
        let gate = stats(&folder, &["gate", &short, "--baseline", &long]);
        assert!(
            matches!(gate.code, Some(0..=3)),
            "{:?} {}",
            gate.code,
            gate.stderr
        );
        assert!(!gate.stderr.contains("panicked"), "{}", gate.stderr);
        let compare = stats(&folder, &["compare", "--before", &short, "--after", &short]);
        assert!(!compare.stderr.contains("panicked"), "{}", compare.stderr);
    }
}

#[test]
fn the_same_run_a_thousand_times_has_no_trend() {
    let folder = Folder::new("hostile-many");
    let run = Run {
        frames: 30,
        ..Run::default()
    };
    let one = run.record_times(1, folder.0.join("one"));
    let many = folder.0.join("many");
    std::fs::create_dir(&many).expect("a temporary folder");
    for at in 0..1000 {
        let copy = many.join(format!("{at:04}.parquet"));
        std::fs::copy(format!("{one}/run-000.parquet"), copy).expect("a temporary file");
    }
    let many = many.to_str().expect("UTF-8");
    stats(&folder, &["trend", many]).expect(0, &["1,000 runs", "No lasting change"]);
    stats(&folder, &["gate", many, "--baseline", &one]).expect(
        2,
        &["at least 2 more earlier runs are needed to see how much runs vary"],
    );
}

#[test]
fn wrong_usage_of_gate_and_trend_shows_their_arguments() {
    let folder = Folder::new("hostile-usage");
    stats(&folder, &["gate"]).expect(64, &["<RUN>..."]);
    stats(&folder, &["trend"]).expect(64, &["<DIR>..."]);
    stats(&folder, &["gate", "--help"]).expect(0, &["--baseline", "--history", "--config"]);
}
