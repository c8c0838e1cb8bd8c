//! Files that are not captures, or are damaged.

use std::path::Path;

use stats_capture::{Capture, CaptureFile, CaptureOptions, ReadError};
use stats_core::Source;
use stats_testing::{Folder, Random, rounds};

use crate::{record, stats};

const VERBS: [&str; 3] = [
    "report",
    "export --to csv",
    "export --to perfetto --out trace",
];

#[test]
fn hostile_input_exits_with_3_and_a_message_that_says_how_to_fix_it() {
    let folder = Folder::new("tool-hostile");
    std::fs::create_dir(folder.0.join("folder")).unwrap();
    std::fs::write(folder.0.join("empty"), b"").unwrap();
    std::fs::write(folder.0.join("text"), b"# A title\n\nand a text.\n").unwrap();
    for (name, cure) in [
        ("missing.parquet", "check the path"),
        ("missing/*.parquet", "check the pattern"),
        ("folder", "name a folder with .parquet files"),
        ("empty", "0 bytes; copy the file again"),
        ("text", "open a file that"),
    ] {
        for verb in VERBS {
            let output = stats(&folder.0, &format!("{verb} {name}"));
            assert_eq!(output.code, Some(3), "{verb} {name}: {}", output.stderr);
            let text = &output.stderr;
            assert!(
                text.starts_with("stats: ") && text.contains(cure),
                "{verb} {name}: {text}"
            );
        }
    }
}

#[test]
fn verbs_for_other_files_say_what_a_damaged_capture_is() {
    let folder = Folder::new("tool-other-files");
    std::fs::write(folder.0.join("run.parquet"), b"PAR1 and no footer").unwrap();
    for (verb, cure) in [
        ("recover", "run.parquet is damaged: its footer"),
        ("summarize", "name the folder of --lake"),
    ] {
        let output = stats(&folder.0, &format!("{verb} run.parquet"));
        output.ends(3);
        output.says(cure);
    }
}

#[test]
fn a_damaged_series_is_named_and_the_others_are_reported() {
    let folder = Folder::new("tool-damaged-series");
    let path = record(&folder.0.join("run.parquet"), "smoke", 200, "damaged/work");
    let whole = std::fs::read(&path).unwrap();
    let is_damaged = |series: &str| {
        let capture = CaptureFile::open(&path);
        let values = capture.map(|capture| capture.read(series));
        matches!(values, Ok(Err(ReadError::Damaged { .. })))
    };
    let damaged = (4..whole.len()).step_by(7).find(|&at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        std::fs::write(&path, &bytes).unwrap();
        is_damaged("damaged/work")
    });
    assert!(damaged.is_some());
    for verb in ["report", "explain", "gate"] {
        let output = stats(&folder.0, &format!("{verb} run.parquet"));
        let said = &output.stderr;
        // Each column is read once.
        assert!(said.contains("damaged/work"), "{verb}: {said}");
        let times = said.matches("the series is left out").count();
        assert_eq!(times, 1, "{verb}: {said}");
        // A gate does not pass a run that it could not read completely.
        let expected = if verb == "gate" { 2 } else { 0 };
        assert_eq!(output.code, Some(expected), "{verb}: {said}");
        let printed = &output.stdout;
        let is_told = printed.contains("has damaged series, which are not judged: damaged/work");
        assert!(is_told || verb == "explain", "{verb}: {printed}");
    }
    let output = stats(&folder.0, "export run.parquet --to csv");
    let (table, said) = (output.stdout, output.stderr);
    assert!(
        (output.code == Some(0)) && said.contains("the series is left out"),
        "{said}"
    );
    assert!(table.starts_with("frame,") && table.lines().count() == 201);
    assert!(!table.contains("damaged/work,"), "{table}");
    let report = stats(&folder.0, "report run.parquet --format json");
    let text = &report.stdout;
    assert!(
        text.contains("run/frames") && !text.contains("series/damaged/work"),
        "{text}"
    );
}

#[test]
fn the_frames_around_a_damaged_batch_of_a_journal_are_reported() {
    let folder = Folder::new("tool-damaged-journal");
    let running = folder.0.join("run.parquet.journal");
    let path = folder.0.join("damaged.parquet.journal");
    let _alone = crate::alone();
    let mut capture = Capture::create(folder.0.join("run.parquet"), CaptureOptions::default())
        .expect("the folder can be written");
    (0..1300).for_each(|frame| capture.end_frame_at(f64::from(frame) / 60.0));
    let frames = |path: &Path| CaptureFile::open(path).map(|run| run.frames());
    while !frames(&running).is_ok_and(|frames| frames.end >= 1200) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let whole = std::fs::read(&running).unwrap();
    drop(capture);
    let is_skipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        std::fs::write(&path, &bytes).unwrap();
        let run = CaptureFile::open(&path);
        run.is_ok_and(|run| run.damaged_bytes() > 0 && run.frames().end >= 1200)
    };
    assert!((whole.len() / 2..whole.len()).step_by(5).any(is_skipped));
    for (verb, code) in [("report", 0), ("gate", 2)] {
        let output = stats(&folder.0, &format!("{verb} damaged.parquet.journal"));
        output.ends(code);
        let printed = &output.stdout;
        let said = "damaged bytes. Their frames are missing.";
        assert!(printed.contains(said), "{verb}: {printed}");
    }
}

#[test]
fn a_run_without_frames_cannot_be_judged() {
    let folder = Folder::new("tool-no-frames");
    record(&folder.0.join("run.parquet"), "smoke", 0, "empty/work");
    for verb in ["report", "gate", "explain"] {
        let output = stats(&folder.0, &format!("{verb} run.parquet"));
        assert_eq!(output.code, Some(2), "{verb}: {}", output.stderr);
        let said = &output.stdout;
        assert!(said.contains("record a longer run"), "{verb}: {said}");
    }
}

#[test]
fn recovering_a_folder_recovers_its_journals_and_rejects_other_files() {
    let folder = Folder::new("tool-recover");
    let capture = record(&folder.0.join("run.parquet"), "smoke", 5, "recover/work");
    let recover = |name: &str| {
        let output = stats(&folder.0, &format!("recover {name}"));
        (output.code, output.stderr)
    };
    let (code, said) = recover(".");
    assert!(
        code == Some(0) && said.contains("nothing to recover"),
        "{said}"
    );
    std::fs::write(folder.0.join("text.journal"), "a text").unwrap();
    let (code, said) = recover(".");
    assert!(
        code == Some(3) && said.contains("text.journal is not"),
        "{said}"
    );
    let report = stats(&folder.0, "report .");
    report.ends(0);
    let said = &report.stderr;
    assert!(said.contains("has journals (1)"), "{said}");
    let (code, said) = recover("run.parquet");
    assert!(
        code == Some(0) && said.contains("run.parquet is complete already"),
        "{said}"
    );
    assert!(capture.exists());
}

#[test]
fn no_output_replaces_a_run() {
    let folder = Folder::new("tool-replace");
    let capture = record(&folder.0.join("run.parquet"), "smoke", 5, "replace/work");
    let before = std::fs::read(&capture).unwrap();
    let journal = folder.0.join("run.parquet.journal");
    std::fs::write(&journal, [0xFF; 8]).unwrap();
    for output in ["run.parquet", "run.parquet.journal"] {
        for verb in [
            "export run.parquet --to csv --out",
            "report run.parquet --html",
            "gate run.parquet --html",
            "trend run.parquet --html",
            "compare --before run.parquet --after run.parquet --html",
        ] {
            let output = stats(&folder.0, &format!("{verb} {output}"));
            let said = &output.stderr;
            assert_eq!(output.code, Some(64), "{verb}: {said}");
            assert!(said.contains("name another file"), "{verb}: {said}");
        }
    }
    assert_eq!(std::fs::read(&capture).unwrap(), before);
    assert_eq!(std::fs::read(&journal).unwrap(), [0xFF; 8]);
}

#[test]
fn a_mistyped_command_line_says_what_to_type() {
    let folder = Folder::new("tool-typing");
    for (line, cure) in [
        ("reprot run.parquet", "'report'"),
        ("report run.parquet --fromat json", "'--format'"),
        ("report run.parquet --budget -3", "a positive number"),
        ("report run.parquet --warm-up -3", "0 or more"),
        ("report run.parquet --warm-up nan", "0 or more"),
        ("explain run.parquet --frame -1", "'-1' for '--frame"),
    ] {
        let output = stats(&folder.0, line);
        let said = &output.stderr;
        assert_eq!(output.code, Some(64), "{line}: {said}");
        assert!(said.contains(cure), "{line}: {said}");
        assert!(!said.contains("'-- -"), "{line}: {said}");
    }
}

#[test]
fn damaged_captures_give_a_report_or_an_error_and_never_a_panic() {
    let folder = Folder::new("tool-damaged");
    let path = record(&folder.0.join("run.parquet"), "smoke", 50, "damage/work");
    let bytes = std::fs::read(path).unwrap();
    let mut random = Random::new(17);
    for case in 0..rounds(24) {
        let mut damaged = bytes.clone();
        if case % 2 == 0 {
            damaged.truncate(random.index(bytes.len()));
        } else {
            for _ in 0..=random.below(3) {
                let at = random.index(damaged.len());
                damaged[at] ^= 1 << random.below(8);
            }
        }
        std::fs::write(folder.0.join("damaged.parquet"), &damaged).unwrap();
        let output = stats(&folder.0, "report damaged.parquet");
        let code = output.code;
        assert!(
            code == Some(0) || code == Some(3),
            "{case}: {code:?} {}",
            output.stderr
        );
        assert!(
            !output.stderr.contains("panicked"),
            "{case}: {}",
            output.stderr
        );
    }
}
