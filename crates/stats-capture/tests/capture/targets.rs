//! What a path leads to is examined before anything is recorded.

use std::fs;
use std::path::Path;

use stats_capture::{Capture, CaptureError, CaptureFile, CaptureOptions, recover};
use stats_core::Source;
use stats_testing::Folder;

/// Expects that no capture can be created, and returns the error.
fn refused(folder: &Folder, path: &Path) -> String {
    let before = folder.names();
    let error = Capture::create(path, CaptureOptions::default()).expect_err("it is refused");
    assert!(matches!(error, CaptureError::Target { .. }), "{error}");
    assert_eq!(folder.names(), before);
    let error = error.to_string();
    assert!(error.contains("choose"), "{error}");
    error
}

fn record(path: &Path, target: &Path) {
    let mut options = CaptureOptions::default();
    options.pictures = 1;
    let mut capture = Capture::create(path, options).expect("it is accepted");
    for frame in 0..100 {
        capture.end_frame_at(f64::from(frame) / 20.0);
        if let Some(frame) = capture.wants_picture() {
            capture.picture(frame, 2, 1, vec![0; 8]);
        }
    }
    assert_eq!(capture.finish().expect("it can be written"), target);
    let frames = CaptureFile::open(path).map(|file| file.frames());
    assert_eq!(frames.expect("it was just written"), 0..100);
}

#[test]
fn a_folder_is_refused_at_the_beginning() {
    let folder = Folder::new("target-folder");
    let path = folder.0.join("run.parquet");
    fs::create_dir(&path).unwrap();
    assert!(refused(&folder, &path).contains("run.parquet cannot be recorded: it is a folder"));
    fs::remove_dir(&path).unwrap();
    // The same for the other files of a capture.
    fs::create_dir(folder.0.join("run.spans.parquet")).unwrap();
    assert!(refused(&folder, &path).contains("run.spans.parquet"));
    fs::remove_dir(folder.0.join("run.spans.parquet")).unwrap();
    fs::write(folder.0.join("run.pictures"), "a file").unwrap();
    assert!(refused(&folder, &path).contains("run.pictures"));
    assert_eq!(
        fs::read_to_string(folder.0.join("run.pictures")).unwrap(),
        "a file"
    );
}

/// Only nothing, a capture or a journal is replaced.
#[test]
fn a_file_of_another_kind_is_refused_and_stays() {
    let folder = Folder::new("target-other");
    let path = folder.0.join("run.parquet");
    let spans = folder.0.join("run.spans.parquet");
    let others: [&[u8]; 7] = [
        b"my notes",
        b"P",
        b"PAR",
        b"PAR2 and more",
        b"\0",
        b"\xFF\xFF\xFF\xFE",
        b"\xFFPAR1",
    ];
    for content in others {
        for file in [&path, &spans] {
            fs::write(file, content).unwrap();
            let error = refused(&folder, &path);
            let said = format!("{} cannot be recorded: it is another kind", file.display());
            assert!(error.starts_with(&said), "{error}");
            assert_eq!(fs::read(file).unwrap(), content);
            fs::remove_file(file).unwrap();
        }
    }
    let replaced: [&[u8]; 4] = [b"", b"PAR1 and more", b"\xFF\xFF\xFF\xFF and more", b"\xFF"];
    for content in replaced {
        for file in [&path, &spans] {
            fs::write(file, content).unwrap();
            record(&path, &path);
        }
    }
}

#[test]
fn a_device_and_a_pipe_are_refused_and_stay() {
    let folder = Folder::new("target-device");
    let nodes = [
        folder.device("null"),
        folder.pipe("pipe"),
        folder.link_to_pipe("link"),
    ];
    for node in nodes.into_iter().flatten() {
        let error = refused(&folder, &node);
        assert!(error.contains("it is a device or a pipe"), "{error}");
        assert!(!fs::metadata(&node).unwrap().is_file());
        let beside = folder.0.join("run.spans.parquet");
        fs::rename(&node, &beside).unwrap();
        refused(&folder, &folder.0.join("run.parquet"));
        #[cfg(unix)]
        {
            let link = folder.0.join("link.parquet");
            std::os::unix::fs::symlink(&beside, &link).unwrap();
            refused(&folder, &link);
            fs::remove_file(link).unwrap();
        }
        fs::remove_file(beside).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_its_target_and_stays() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new("target-link");
    let (link, real) = (
        folder.0.join("run.parquet"),
        folder.0.join("other/real.parquet"),
    );
    symlink("other/real.parquet", &link).unwrap();
    // First a target and a folder that do not exist, then an older capture.
    for _ in 0..2 {
        record(&link, &real);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(folder.names(), ["other", "run.parquet"]);
        let beside = ["real.parquet", "real.pictures"];
        let mut names: Vec<_> = fs::read_dir(folder.0.join("other")).unwrap().collect();
        names.sort_by_key(|entry| entry.as_ref().map(|entry| entry.file_name()).ok());
        let names: Vec<_> = (names.into_iter())
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, beside);
        for path in [&link, &real] {
            let capture = CaptureFile::open(path).unwrap();
            assert_eq!((capture.frames(), capture.pictures().len()), (0..100, 1));
        }
        // The next capture has no scopes, and removes those of the last one.
        fs::write(real.with_extension("spans.parquet"), "PAR1").unwrap();
    }
    symlink("circle.parquet", folder.0.join("circle.parquet")).unwrap();
    let error = refused(&folder, &folder.0.join("circle.parquet"));
    assert!(error.contains("circle"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_recovery_writes_through_a_link_and_replaces_no_device() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new("target-recover");
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(&path, CaptureOptions::default()).unwrap();
    (0..1300).for_each(|frame| capture.end_frame_at(f64::from(frame) / 60.0));
    let journal = folder.0.join("run.parquet.journal");
    while !CaptureFile::open(&journal).is_ok_and(|run| run.frames().end >= 600) {
        std::thread::yield_now();
    }
    let content = fs::read(&journal).unwrap();
    drop(capture);
    let recovered = folder.0.join("copy.parquet");
    let journal = folder.0.join("copy.parquet.journal");
    fs::write(&journal, &content).unwrap();
    symlink("elsewhere.parquet", &recovered).unwrap();
    assert!(recover(&journal).unwrap().frames >= 600);
    assert!(fs::symlink_metadata(&recovered).unwrap().is_symlink());
    assert!(CaptureFile::open(folder.0.join("elsewhere.parquet")).is_ok());
}
