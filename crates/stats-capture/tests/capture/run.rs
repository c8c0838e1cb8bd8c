//! The metadata of a capture.

use stats_capture::{Better, Capture, CaptureFile, CaptureOptions, ReadError, RecordedKind};
use stats_core::source::Listed;
use stats_core::{Source, Unit, counter, up_down_counter};
use stats_testing::Folder;
use std::ops::ControlFlow;

use crate::{finished, start};

#[test]
fn a_file_describes_its_run_and_the_machine() {
    let folder = Folder::new("run");
    let mut options = CaptureOptions::default();
    options.commit = Some("abc".into());
    options.branch = Some("main".into());
    options.scenario = Some("smoke".into());
    options.seed = Some(u64::MAX);
    options.refresh_hz = Some(60.0);
    options.labels = [("tier".to_owned(), "low".to_owned())].into();
    let mut capture = Capture::create(folder.0.join("new folder/run.parquet"), options).unwrap();
    capture.end_frame_at(1.0);
    capture.set_gpu("card", "driver 1");
    capture.set_refresh_hz(144.0);
    capture.set_refresh_hz(f64::NAN);
    capture.set_label("map", "Über");
    capture.end_frame_at(2.0);
    let file = finished(capture);
    let run = file.run();
    assert_eq!(run.format, 1);
    assert_eq!(run.build.as_deref(), Some("debug"));
    assert_eq!(run.commit.as_deref(), Some("abc"));
    assert_eq!(run.branch.as_deref(), Some("main"));
    assert_eq!(run.scenario.as_deref(), Some("smoke"));
    assert_eq!(run.seed, Some(u64::MAX));
    assert_eq!(run.refresh_hz, Some(144.0));
    assert_eq!(run.frame_thread.as_deref(), std::thread::current().name());
    assert_eq!(run.machine.gpu.as_deref(), Some("card"));
    assert_eq!(run.machine.driver.as_deref(), Some("driver 1"));
    assert_eq!(run.labels["tier"], "low");
    assert_eq!(run.labels["map"], "Über");
    assert!(!run.command.is_empty() && run.platform.contains('-'));
    assert!(run.machine.cores >= Some(1));
    assert!(run.started_at.starts_with("20") && run.started_at.ends_with('Z'));
    let cost = run.cost.unwrap();
    assert!(cost.us_per_frame > 0.0);
    assert_eq!(cost.dropped_frames, 0);
}

#[test]
fn the_frame_thread_is_the_one_that_ended_the_newest_frames() {
    let folder = Folder::new("run-thread");
    let mut capture = start(&folder);
    let loader = std::thread::Builder::new().name("loader".into());
    let loaded = loader.spawn(move || {
        for frame in 1..=600 {
            capture.end_frame_at(f64::from(frame) / 60.0);
        }
        capture
    });
    let mut capture = loaded
        .expect("it starts")
        .join()
        .expect("it does not panic");
    for frame in 601..=1000 {
        capture.end_frame_at(f64::from(frame) / 60.0);
    }
    let file = finished(capture);
    let name = std::thread::current().name().map(str::to_owned);
    assert_eq!(file.run().frame_thread, name);
}

#[test]
fn a_capture_can_be_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Capture>();
    is_shared::<CaptureFile>();
}

#[test]
fn a_file_describes_its_series() {
    let folder = Folder::new("described");
    let mut capture = start(&folder);
    let bytes = counter("run/described/bytes").unit(Unit::Custom("parsecs"));
    capture.end_frame_at(1.0);
    bytes.budget(10.5).describe("how far");
    bytes.add(1);
    capture.end_frame_at(2.0);
    let file = finished(capture);
    let described = |series: &&_| {
        let series: &stats_capture::SeriesRecord = series;
        series.path == "run/described/bytes"
    };
    let record = file.series().iter().find(described).unwrap();
    assert_eq!(record.kind, RecordedKind::Counter);
    assert_eq!((record.unit.as_str(), record.scale), ("parsecs", 1.0));
    assert_eq!((record.budget, record.better), (Some(10.5), Better::Lower));
    assert_eq!(record.description.as_deref(), Some("how far"));
    let mut units = Vec::new();
    stats_core::Source::list(&file, Listed::All, &mut |info| {
        units.extend((info.path == "run/described/bytes").then_some((info.unit, info.budget)));
        ControlFlow::Continue(())
    });
    assert_eq!(units, [(Unit::Custom("parsecs"), Some(10.5))]);
}

#[test]
fn memory_groups_have_their_bytes_peak_and_budget() {
    let folder = Folder::new("memory");
    let mut capture = start(&folder);
    let held = up_down_counter("memory/groups/rendering/total").budget(1000.0);
    for (frame, change) in [(1.0, 300), (2.0, 500), (3.0, -700)] {
        held.add(change);
        capture.end_frame_at(frame);
    }
    let file = finished(capture);
    let group = &file.memory().groups[0];
    assert_eq!(group.name, "rendering");
    assert_eq!((group.bytes, group.peak_bytes), (100.0, 800.0));
    assert_eq!(group.budget_bytes, Some(1000.0));
}

#[test]
fn pictures_of_the_slowest_frames_are_kept() {
    let folder = Folder::new("pictures");
    let mut options = CaptureOptions::default();
    options.pictures = 2;
    let mut capture = Capture::create(folder.0.join("run.parquet"), options).unwrap();
    let mut asked = Vec::new();
    let mut time = 0.0;
    for duration in [5.0, 0.1, 0.2, 0.1, 0.3, 0.25, 0.1] {
        time += duration;
        capture.end_frame_at(time);
        if let Some(frame) = capture.wants_picture() {
            asked.push(frame);
            capture.picture(frame, 2, 1, vec![frame as u8; 8]);
            capture.picture(frame, 2, 1, vec![0; 7]);
        }
    }
    assert_eq!(asked, [1, 2, 4, 5]);
    let path = capture.finish().unwrap();
    assert_eq!(folder.names(), ["run.parquet", "run.pictures"]);
    let pictures = folder.0.join("run.pictures");
    std::fs::write(pictures.join("frame-x.png"), "").unwrap();
    std::fs::create_dir(pictures.join("frame-6.png")).unwrap();
    let expected = [4, 5].map(|frame| (frame, pictures.join(format!("frame-{frame}.png"))));
    assert_eq!(CaptureFile::open(&path).unwrap().pictures(), expected);
    std::fs::remove_dir_all(pictures).unwrap();
    assert_eq!(CaptureFile::open(path).unwrap().pictures(), []);
}

#[cfg(unix)]
#[test]
fn a_journal_that_is_still_being_written_is_not_recovered() {
    let folder = Folder::new("running");
    let mut capture = start(&folder);
    (0..1300).for_each(|_| capture.end_frame());
    let journal = folder.0.join("run.parquet.journal");
    while !CaptureFile::open(&journal).is_ok_and(|run| run.frames().end >= 1200) {
        std::thread::yield_now();
    }
    let error = stats_capture::recover(&journal).unwrap_err();
    assert!(matches!(error, ReadError::Running { .. }), "{error}");
    assert_eq!(finished(capture).frames(), 0..1300);
    assert_eq!(folder.names(), ["run.parquet"]);
}
