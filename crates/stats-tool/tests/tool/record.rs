//! `stats record` and `stats recover`.

use stats_capture::{Capture, CaptureFile, CaptureOptions, Ended, RecordedKind};
use stats_core::Source;
use stats_testing::Folder;

use crate::program::{record, record_command, started_by};
use crate::{Output, stats, stats_with};

#[test]
fn two_runs_of_a_program_record_the_same_work() {
    let folder = Folder::new("tool-record");
    let output = record(&folder.0, "clean", &["--runs", "2"]);
    output.ends(0);
    let printed = &output.stdout;
    let paths: Vec<&str> = printed.lines().collect();
    assert_eq!(paths.len(), 2, "{printed}");
    assert!(paths[0].ends_with("001.parquet") && paths[1].ends_with("002.parquet"));
    output.says("700 frames");
    let log = std::fs::read_to_string(folder.0.join("runs/001.log")).unwrap();
    assert!(log.contains("played 700 frames"), "{log}");
    let runs = [0, 1].map(|at| CaptureFile::open(paths[at]).unwrap());
    let counters = runs[0]
        .series()
        .iter()
        .filter(|series| series.kind == RecordedKind::Counter)
        // Where the time of a frame went is no work.
        .filter(|series| !series.path.starts_with("frame/"));
    let differing: Vec<&str> = counters
        .filter(|series| runs[0].read(&series.path).unwrap() != runs[1].read(&series.path).unwrap())
        .map(|series| series.path.as_str())
        .collect();
    assert_eq!(differing, ["program/process-id"]);
}

#[test]
fn runs_that_work_differently_are_named_with_the_first_frame() {
    let folder = Folder::new("tool-verify-work");
    let verify = |options: &[&str]| {
        let all = [&["--runs", "2", "--verify-work"], options].concat();
        record(&folder.0, "clean", &all)
    };
    let output = verify(&[]);
    output.ends(1);
    let text = &output.stderr;
    assert!(
        text.contains("stats: frame 0: program/process-id is "),
        "{text}"
    );
    assert!(
        text.contains(" in ") && text.contains("002.parquet; 1 of "),
        "{text}"
    );
    // Only the paths of the captures go to standard output.
    assert_eq!(output.stdout.lines().count(), 2);
    let output = verify(&["--except", "program/process-*"]);
    output.ends(0);
    let text = &output.stderr;
    assert!(text.contains("the same in 2 runs of 700 frames"), "{text}");
    for wrong in [
        "record --verify-work -- true",
        "record --runs 2 --except a -- true",
        "record --runs 2 --verify-work --except a[ -- true",
    ] {
        stats(&folder.0, wrong).ends(64);
    }
}

#[test]
fn a_redacted_recording_has_no_command_line() {
    let folder = Folder::new("tool-record-redact");
    let output = record(&folder.0, "clean", &["--redact"]);
    output.ends(0);
    let said = &output.stderr;
    assert!(said.contains("removed: the command line"), "{said}");
    assert!(said.contains("kept:") && said.contains("001.log"), "{said}");
    let printed = &output.stdout;
    let capture = CaptureFile::open(printed.trim_end()).unwrap();
    assert_eq!(capture.run().command, Vec::<String>::new());
    assert_eq!(capture.frames().end, 700);
}

#[test]
fn a_crash_keeps_the_recorded_frames_and_is_reported() {
    let folder = Folder::new("tool-crash");
    let output = record(&folder.0, "crash", &["--out", "nightly"]);
    output.ends(1);
    output.says("failed after");
    output.says("recovered");
    let capture = CaptureFile::open(folder.0.join("nightly/001.parquet")).unwrap();
    assert_eq!(capture.run().ended, Ended::Recovered);
    assert!(!folder.0.join("nightly/001.parquet.journal").exists());
    let report = stats(&folder.0, "report nightly/001.parquet --format markdown");
    let report = &report.stdout;
    let sentence = "001.parquet was killed or crashed, so its last second may be missing.";
    assert_eq!(report.matches(sentence).count(), 2, "{report}");
}

#[test]
fn a_program_that_hangs_is_ended_and_its_frames_are_kept() {
    let folder = Folder::new("tool-hang");
    let output = record(&folder.0, "hang", &["--timeout", "3"]);
    output.ends(1);
    output.says("time-out");
    assert!(CaptureFile::open(folder.0.join("runs/001.parquet")).is_ok());
}

#[test]
fn a_program_that_is_killed_while_it_is_frozen_says_what_was_open() {
    let folder = Folder::new("tool-freeze");
    let output = record(&folder.0, "freeze", &["--timeout", "60"]);
    output.ends(1);
    output.says("recovered");
    let last = CaptureFile::open(folder.0.join("runs/001.parquet"))
        .unwrap()
        .frames()
        .end
        - 1;
    let sentence = format!("The frame after {last} never ended: no frame for 2.0 s; ");
    for verb in ["report", "explain"] {
        let said = stats(
            &folder.0,
            &format!("{verb} runs/001.parquet --format markdown"),
        )
        .stdout;
        let (_, after) = said
            .split_once(&sentence)
            .unwrap_or_else(|| panic!("{verb}: {said}"));
        let open = after.lines().next().unwrap_or_default();
        assert!(open.contains(": paths/find "), "{verb}: {said}");
    }
    let page = stats(&folder.0, "report runs/001.parquet --html page.html");
    page.ends(0);
    let page = std::fs::read_to_string(folder.0.join("page.html")).unwrap();
    assert!(page.contains(&sentence), "{page}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_program_and_keeps_its_frames() {
    for starter in [None, Some("nohup")] {
        a_signal_keeps_the_frames(starter);
    }
}

#[cfg(target_os = "linux")]
fn a_signal_keeps_the_frames(starter: Option<&str>) {
    let folder = Folder::new("tool-signal");
    let mut command = record_command(&folder.0, "hang", &["--runs", "2"]);
    if let Some(starter) = starter {
        command = started_by(&[starter], &command);
    }
    let stats = command.spawn().expect("the command can be started");
    let journal = folder.0.join("runs/001.parquet.journal");
    let has_frames = || CaptureFile::open(&journal).is_ok_and(|run| run.frames().end >= 600);
    while !has_frames() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let signal = std::process::Command::new("kill")
        .args(["-TERM", &stats.id().to_string()])
        .status();
    assert!(signal.is_ok_and(|status| status.success()));
    let output = Output::from(stats.wait_with_output().expect("it ends"));
    output.ends(1);
    for text in ["interrupted after", "recovered", "no further run"] {
        output.says(text);
    }
    assert!(!folder.0.join("runs/002.log").exists());
    let capture = CaptureFile::open(folder.0.join("runs/001.parquet")).expect("a capture");
    let program = (capture.read("program/process-id")).expect("a series");
    let program = program.slice().iter().next().expect("a frame") as u32;
    assert!(!std::path::Path::new(&format!("/proc/{program}")).exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_hangup_or_two_interrupts_leave_no_program_behind() {
    for signals in [&["-HUP"][..], &["-INT", "-INT"]] {
        let folder = Folder::new("tool-signals");
        // The tests may run under `nohup`, which ignores hangups.
        let command = record_command(&folder.0, "hang", &[]);
        let stats = started_by(&["env", "--default-signal=HUP"], &command).spawn();
        let stats = stats.expect("the command can be started");
        let journal = folder.0.join("runs/001.parquet.journal");
        let has_frames = || CaptureFile::open(&journal).is_ok_and(|run| run.frames().end >= 600);
        while !has_frames() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        for signal in signals {
            let kill = std::process::Command::new("kill")
                .args([signal, &*stats.id().to_string()])
                .status();
            assert!(kill.is_ok_and(|status| status.success()));
        }
        let output = Output::from(stats.wait_with_output().expect("it ends"));
        assert_eq!(output.code, Some(1), "{signals:?}: {}", output.stderr);
        let capture = CaptureFile::open(folder.0.join("runs/001.parquet")).expect("a capture");
        let program = (capture.read("program/process-id")).expect("a series");
        let program = program.slice().iter().next().expect("a frame") as u32;
        assert!(!std::path::Path::new(&format!("/proc/{program}")).exists());
    }
}

#[cfg(unix)]
#[test]
fn of_two_programs_a_missing_one_is_an_error_before_the_first_run() {
    let folder = Folder::new("tool-against-missing");
    for missing in ["/nowhere/game --fast", "no-such-game"] {
        let output = record(&folder.0, "clean", &["--against", missing]);
        output.ends(64);
        output.says("cannot be started");
        assert!(!folder.0.join("runs").exists());
    }
    let this = std::env::current_exe().unwrap();
    let against = format!("'{}' --help", this.display());
    let line = ["record", "--against", &against, "--", "/nowhere/game"];
    let output = stats_with(&folder.0, &line);
    output.ends(64);
    assert!(!folder.0.join("runs").exists());
}

#[test]
fn messages_that_nobody_reads_are_not_an_error() {
    let folder = Folder::new("tool-unread");
    let mut command = record_command(&folder.0, "clean", &["--runs", "2"]);
    command.stdout(std::process::Stdio::null());
    let mut stats = command.spawn().expect("the command can be started");
    drop(stats.stderr.take());
    assert_eq!(stats.wait().expect("it ends").code(), Some(0));
    assert!(folder.0.join("runs/002.parquet").exists());
}

#[test]
fn a_program_that_fails_after_its_run_keeps_the_whole_capture() {
    let folder = Folder::new("tool-fail");
    let output = record(&folder.0, "fail", &[]);
    output.ends(1);
    output.says("exit status: 9");
    let capture = CaptureFile::open(folder.0.join("runs/001.parquet")).unwrap();
    assert_eq!(capture.run().ended, Ended::Clean);
}

#[test]
fn a_crash_before_the_first_frames_does_not_prevent_the_next_runs() {
    let folder = Folder::new("tool-early");
    let output = record(&folder.0, "early", &["--runs", "2"]);
    output.ends(1);
    assert!(folder.0.join("runs/002.log").exists());
    assert!(!output.stderr.contains("from_env"), "{}", output.stderr);
    output.says("002");
}

#[test]
fn a_program_that_records_nothing_or_does_not_exist_is_an_error() {
    let folder = Folder::new("tool-silent");
    let output = record(&folder.0, "silent", &[]);
    output.ends(3);
    output.says("from_env");
    let output = stats(&folder.0, "record -- no-such-program");
    output.ends(64);
    output.says("cannot be started");
    for wrong in [
        "record",
        "record --runs 0 -- true",
        "record --timeout -1 -- true",
    ] {
        stats(&folder.0, wrong).ends(64);
    }
    let unclosed = ["record", "--against", "a 'b", "--", "true"];
    stats_with(&folder.0, &unclosed).ends(64);
}

#[test]
fn two_programs_run_in_turn_and_the_one_of_against_is_before() {
    let folder = Folder::new("tool-against");
    let this = std::env::current_exe().unwrap();
    let against = format!(
        "'{}' program::the_recorded_program --exact --nocapture --quiet",
        this.display()
    );
    let output = record(&folder.0, "clean", &["--runs", "2", "--against", &against]);
    output.ends(0);
    let began = |name: &str| {
        let capture = CaptureFile::open(folder.0.join("runs").join(name)).unwrap();
        let is_of_against = capture.run().command.iter().any(|word| word == "--quiet");
        assert_eq!(is_of_against, name.starts_with("before/"), "{name}");
        capture.run().started_at.clone()
    };
    let order = [
        "before/001.parquet",
        "after/001.parquet",
        "before/002.parquet",
        "after/002.parquet",
    ]
    .map(began);
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn recover_completes_a_journal_and_prints_its_number_of_frames() {
    let folder = Folder::new("tool-recover");
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(&path, CaptureOptions::default()).unwrap();
    (0..1300).for_each(|_| capture.end_frame());
    let journal = folder.0.join("killed.parquet.journal");
    // The journal of a killed run: the frames of two blocks, and no end.
    let written = |journal: &std::path::Path| {
        CaptureFile::open(journal).is_ok_and(|run| run.frames().end >= 1200)
    };
    let running = folder.0.join("run.parquet.journal");
    while !written(&running) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::fs::copy(&running, &journal).unwrap();
    drop(capture);
    let output = stats(&folder.0, "recover killed.parquet.journal");
    output.ends(0);
    let text = &output.stdout;
    assert!(text.contains("frames in killed.parquet\n"), "{text}");
    assert!(!journal.exists());
    let capture = CaptureFile::open(folder.0.join("killed.parquet")).unwrap();
    assert!(
        text.replace(',', "")
            .starts_with(&format!("{} frames", capture.frames().end)),
        "{text}"
    );
    let again = stats(&folder.0, "recover killed.parquet.journal");
    again.ends(0);
    let text = &again.stderr;
    assert!(
        text.contains("killed.parquet is complete already"),
        "{text}"
    );
    let journal = folder.0.join("other.parquet.journal");
    std::fs::write(&journal, b"not a journal").unwrap();
    let damaged = stats(&folder.0, "recover other.parquet.journal");
    damaged.ends(3);
    assert!(journal.exists(), "an unreadable journal is not removed");
}
