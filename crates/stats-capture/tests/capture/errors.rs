//! Errors are reported once, with a way to fix them.

use std::path::Path;

use stats_capture::{Capture, CaptureError, CaptureFile, CaptureOptions, ReadError, recover};
use stats_core::Source;
use stats_testing::Folder;

use crate::{start, values};

#[test]
fn an_existing_journal_is_not_overwritten() {
    let folder = Folder::new("exists");
    let journal = folder.0.join("run.parquet.journal");
    std::fs::write(&journal, "precious").unwrap();
    let error = Capture::create(folder.0.join("run.parquet"), CaptureOptions::default());
    let error = error.unwrap_err();
    assert!(matches!(error, CaptureError::JournalExists { .. }));
    assert!(error.to_string().contains("recover"), "{error}");
    assert_eq!(std::fs::read_to_string(journal).unwrap(), "precious");
}

#[test]
fn a_capture_cannot_be_named_like_a_journal() {
    let folder = Folder::new("named-as-journal");
    let journal = folder.0.join("run.parquet.journal");
    std::fs::write(&journal, "precious").unwrap();
    let error = Capture::create(&journal, CaptureOptions::default()).unwrap_err();
    assert!(error.to_string().contains(".parquet"), "{error}");
    assert_eq!(std::fs::read_to_string(journal).unwrap(), "precious");
    assert_eq!(folder.names(), ["run.parquet.journal"]);
}

#[test]
fn an_unwritable_folder_is_an_error_that_names_the_journal() {
    let folder = Folder::new("unwritable");
    let file = folder.0.join("file");
    std::fs::write(&file, "").unwrap();
    let error = Capture::create(file.join("run.parquet"), CaptureOptions::default()).unwrap_err();
    assert!(matches!(error, CaptureError::Create { .. }));
    assert!(error.to_string().contains("run.parquet.journal"), "{error}");
}

#[test]
fn a_capture_that_cannot_be_completed_is_an_error_only_at_the_end() {
    let folder = Folder::new("full");
    let mut capture = start(&folder);
    // Something takes its place while it is recorded.
    std::fs::create_dir(folder.0.join("run.parquet")).unwrap();
    for frame in 0..5000 {
        capture.end_frame_at(f64::from(frame));
    }
    let error = capture.finish().unwrap_err();
    assert!(matches!(error, CaptureError::Compact { .. }), "{error}");
    let journal = folder.0.join("run.parquet.journal");
    let kept = CaptureFile::open(journal).expect("the journal is kept");
    assert!(kept.frames().end > 0);
}

#[test]
fn a_file_that_is_not_a_capture_is_an_error() {
    let folder = Folder::new("no-capture");
    let file = folder.0.join("file");
    let open = |content: &[u8]| {
        std::fs::write(&file, content).unwrap();
        CaptureFile::open(&file).unwrap_err()
    };
    assert!(open(b"").to_string().contains("0 bytes"));
    for content in [&b"PA"[..], b"hello world", b"\x89PNG\r\n"] {
        let error = open(content);
        assert!(matches!(error, ReadError::NotACapture { .. }), "{error}");
    }
    assert!(matches!(open(b"PAR1PAR1"), ReadError::Damaged { .. }));
    assert!(matches!(open(b"\xFF\xFF\xFF\xFF"), ReadError::Empty { .. }));
    assert!(matches!(
        open(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"),
        ReadError::Empty { .. }
    ));
    assert!(matches!(
        open(b"\xFF\xFF\xFF\xFF\0\0\0\0"),
        ReadError::Damaged { .. }
    ));
    let missing = CaptureFile::open(folder.0.join("none")).unwrap_err();
    assert!(matches!(missing, ReadError::Open { .. }));
}

#[test]
fn recovery_never_overwrites_a_capture() {
    let folder = Folder::new("recover-exists");
    std::fs::write(folder.0.join("run.parquet"), "precious").unwrap();
    std::fs::write(folder.0.join("run.parquet.journal"), "").unwrap();
    let error = recover(folder.0.join("run.parquet.journal")).unwrap_err();
    assert!(matches!(error, ReadError::Exists { .. }), "{error}");
    assert_eq!(folder.names(), ["run.parquet", "run.parquet.journal"]);
}

#[test]
fn the_journal_of_a_running_program_can_be_opened_and_its_copy_recovered() {
    let folder = Folder::new("running");
    let mut capture = start(&folder);
    let journal = folder.0.join("run.parquet.journal");
    for frame in 0..1300 {
        stats_core::counter("errors/running").add(frame);
        capture.end_frame_at(f64::from(frame));
    }
    // Blocks that are full have been sent to the writer thread, so this ends.
    let end = |path: &Path| CaptureFile::open(path).map_or(0, |file| file.frames().end);
    while end(&journal) < 600 {
        std::thread::yield_now();
    }
    let copy = folder.0.join("copy.parquet.journal");
    std::fs::copy(&journal, &copy).unwrap();
    let file = CaptureFile::open(&copy).unwrap();
    let frames = file.frames().end;
    assert_eq!(file.run().ended, stats_capture::Ended::Recovered);
    let newest = values(&file, "errors/running").last().copied();
    assert_eq!(newest, Some(Some((frames - 1) as f64)));
    let recovered = recover(&copy).unwrap();
    assert_eq!((recovered.frames, recovered.damaged_bytes), (frames, 0));
    assert!(!copy.exists());
    let complete = CaptureFile::open(recovered.path).unwrap();
    let path = "errors/running";
    assert_eq!(values(&complete, path), values(&file, path));
    assert_eq!(complete.run(), file.run());
    assert_eq!(complete.series(), file.series());
    assert_eq!(complete.frames(), file.frames());
    drop(capture);
    assert_eq!(folder.names(), ["copy.parquet", "run.parquet"]);
}

#[cfg(unix)]
#[test]
fn only_one_of_several_concurrent_recoveries_succeeds() {
    let folder = Folder::new("recovered-at-once");
    let mut capture = start(&folder);
    (0..1300).for_each(|_| capture.end_frame());
    let journal = folder.0.join("run.parquet.journal");
    while !CaptureFile::open(&journal).is_ok_and(|run| run.frames().end >= 1200) {
        std::thread::yield_now();
    }
    let content = std::fs::read(&journal).unwrap();
    drop(capture);
    for round in 0..30 {
        let journal = folder.0.join(format!("{round}.parquet.journal"));
        std::fs::write(&journal, &content).unwrap();
        let recovered = std::thread::scope(|scope| {
            let threads = [0; 4].map(|_| scope.spawn(|| recover(&journal)));
            threads.map(|thread| thread.join().unwrap())
        });
        let done = recovered.iter().flatten();
        assert_eq!(done.count(), 1, "{recovered:?}");
        for error in recovered
            .iter()
            .filter_map(|recovered| recovered.as_ref().err())
        {
            use ReadError::{Exists, Open, Running};
            let is_expected = matches!(error, Exists { .. } | Open { .. } | Running { .. });
            assert!(is_expected, "{error}");
        }
        let capture = CaptureFile::open(folder.0.join(format!("{round}.parquet"))).unwrap();
        assert!(capture.frames().end >= 1200);
        assert!(!journal.exists());
    }
}

#[test]
fn a_capture_whose_footer_lost_its_writer_is_damaged() {
    let folder = Folder::new("errors-writer");
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(&path, CaptureOptions::default()).unwrap();
    let work = stats_core::counter("errors/writer");
    for frame in 0..100 {
        work.add(frame);
        capture.end_frame_at(f64::from(frame) / 60.0);
    }
    capture.finish().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let writer = b"stats-capture ";
    let is_writer = |at: &[u8]| at == writer;
    let at = bytes.windows(writer.len()).rposition(is_writer).unwrap();
    bytes[at..at + writer.len()].fill(b'x');
    std::fs::write(&path, &bytes).unwrap();
    // It is not taken for a file of another program, whose columns have no checksums.
    let error = CaptureFile::open(&path).expect_err("the footer is damaged");
    assert!(matches!(error, ReadError::Damaged { .. }), "{error}");
}

#[test]
fn a_main_that_returns_an_error_prints_its_sentence() {
    let folder = Folder::new("errors-main");
    std::fs::write(folder.0.join("run.parquet.journal"), "precious").unwrap();
    let error = Capture::create(folder.0.join("run.parquet"), CaptureOptions::default());
    let error = error.unwrap_err();
    // `main` prints the form for debugging.
    assert_eq!(format!("{error:?}"), error.to_string());
    let error = CaptureFile::open(folder.0.join("none.parquet")).unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
}
