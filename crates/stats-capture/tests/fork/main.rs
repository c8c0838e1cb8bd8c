//! A process forks while it records. In a process of its own, with few threads.
#![cfg(unix)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use stats_capture::{Capture, CaptureFile, CaptureOptions, RecordingOptions, Recordings};
use stats_core::{DeferredSource, Source, counter};
use stats_testing::{Folder, in_child};

/// Held by each test, so that no thread of another one holds a lock when a process is forked.
static FORKING: Mutex<()> = Mutex::new(());

#[test]
fn a_child_of_a_fork_leaves_the_capture_to_its_parent() {
    let _one_at_a_time = FORKING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new("fork");
    let path = folder.0.join("run.parquet");
    let mut capture = Some(Capture::create(&path, CaptureOptions::default()).unwrap());
    let series = counter("test/fork");
    let record = |capture: &mut Option<Capture>| {
        for _ in 0..100 {
            series.add(1);
            capture.as_mut().unwrap().end_frame();
        }
    };
    record(&mut capture);
    assert!(in_child(|| {
        drop(capture.take());
        true
    }));
    assert!(in_child(|| capture.take().unwrap().finish().is_err()));
    record(&mut capture);
    let path = capture.unwrap().finish().unwrap();
    let file = CaptureFile::open(path).unwrap();
    assert_eq!(file.frames(), 0..200);
}

#[test]
fn a_child_waits_for_no_lock_of_deferred_values_that_another_thread_held() {
    let _one_at_a_time = FORKING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new("fork-deferred");
    let gpu = DeferredSource::new();
    let passes: Vec<_> = (0..200)
        .map(|pass| (gpu.timer(&format!("test/fork/gpu/{pass}")), 1.0))
        .collect();
    let path = folder.0.join("run.parquet");
    let mut capture = Some(Capture::create(&path, CaptureOptions::default()).unwrap());
    let is_over = AtomicBool::new(false);
    let are_fine = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let stamp = gpu.issue();
                gpu.deliver(stamp, &passes);
            }
        });
        let are_fine = (0..30).all(|_| {
            capture.as_mut().unwrap().end_frame();
            in_child(|| {
                drop(capture.take());
                true
            })
        });
        is_over.store(true, Ordering::Relaxed);
        are_fine
    });
    assert!(are_fine, "a child waited forever");
    capture.unwrap().finish().unwrap();
}

#[test]
fn a_child_of_a_fork_leaves_recordings_to_its_parent() {
    let _one_at_a_time = FORKING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new("fork-recordings");
    let mut options = RecordingOptions::default();
    options.folder = folder.0.clone();
    options.recent = Duration::from_secs(1);
    let mut recordings = Some(Recordings::new(options));
    let running = recordings.as_mut().unwrap();
    running.toggle();
    running.end_frame();
    assert!(in_child(|| {
        drop(recordings.take());
        true
    }));
    drop(recordings);
    assert_eq!(folder.names().len(), 1, "{:?}", folder.names());
}
