//! Recordings on demand.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use stats_capture::{CaptureFile, RecordingOptions, Recordings};
use stats_core::{MarkEvent, RecordingControl, Source, counter, histogram};
use stats_testing::Folder;

use crate::values;

fn options(folder: &Folder) -> RecordingOptions {
    let mut options = RecordingOptions::default();
    options.folder = folder.0.join("captures");
    options
}

/// Ends frames until a recording is saved.
fn saved(control: &dyn RecordingControl, mut end_frame: impl FnMut()) -> Result<PathBuf, String> {
    let begun = Instant::now();
    loop {
        if let Some(saved) = control.poll_saved() {
            return saved;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "nothing is saved"
        );
        end_frame();
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_control_starts_and_ends_recordings() {
    let folder = Folder::new("toggle");
    let mut recordings = Recordings::new(options(&folder));
    let control = recordings.control();
    recordings.set_label("map", "The Hollow");
    let frames = counter("recordings/toggle");
    for round in 0..2 {
        for _ in 0..5 {
            frames.increment();
            recordings.end_frame();
            assert_eq!(control.status().running, None);
        }
        control.toggle();
        // The recording begins at the end of this frame.
        recordings.end_frame();
        for frame in 0..10 {
            frames.add(round * 100 + frame);
            recordings.end_frame();
            assert!(control.status().running.is_some());
        }
        control.toggle();
        let path = saved(&*control, || recordings.end_frame()).expect("it can be written");
        assert_eq!(control.status().running, None);
        let file = CaptureFile::open(&path).unwrap();
        let expected: Vec<_> = (0..10)
            .map(|frame| Some((round * 100 + frame) as f64))
            .collect();
        assert_eq!(values(&file, "recordings/toggle")[..10], expected);
        assert_eq!(file.run().labels["map"], "The Hollow");
    }
    let names = std::fs::read_dir(folder.0.join("captures")).unwrap();
    assert_eq!(names.count(), 2);
}

#[test]
fn a_mark_of_the_overlay_is_in_the_frame_in_which_it_was_set() {
    let folder = Folder::new("control-mark");
    let mut recordings = Recordings::new(options(&folder));
    let control = recordings.control();
    recordings.start(folder.0.join("run.parquet")).unwrap();
    for frame in 0..10 {
        if frame == 4 {
            control.mark_point("moment 1");
            control.mark_point("moment 2: the bridge");
        }
        recordings.end_frame();
    }
    drop(recordings);
    let file = CaptureFile::open(folder.0.join("run.parquet")).unwrap();
    let marks = file.mark_records().iter();
    let marks: Vec<_> = marks.map(|mark| (mark.begin, mark.name.as_str())).collect();
    assert_eq!(marks, [(4, "moment 1"), (4, "moment 2: the bridge")]);
}

#[test]
fn the_time_in_which_the_program_slept_is_in_no_frame() {
    let folder = Folder::new("control-sleep");
    let mut recordings = Recordings::new(options(&folder));
    let control = recordings.control();
    recordings.start(folder.0.join("run.parquet")).unwrap();
    let frames = counter("recordings/slept");
    for frame in 0..6 {
        if frame == 3 {
            control.restart_frame();
        }
        frames.increment();
        recordings.end_frame();
    }
    assert_eq!(recordings.next_frame(), 5);
    drop(recordings);
    let file = CaptureFile::open(folder.0.join("run.parquet")).unwrap();
    // The next frame contains the counts of that time.
    let expected = [1.0, 1.0, 1.0, 2.0, 1.0].map(Some);
    assert_eq!(values(&file, "recordings/slept"), expected);
}

#[test]
fn two_presses_of_the_key_in_one_frame_cancel_out() {
    let folder = Folder::new("twice");
    let mut recordings = Recordings::new(options(&folder));
    let control = recordings.control();
    control.toggle();
    control.toggle();
    control.save_recent();
    recordings.end_frame();
    assert_eq!(control.status(), stats_core::RecordingStatus::default());
    drop(recordings);
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[test]
fn the_control_reports_why_a_recording_cannot_begin() {
    let folder = Folder::new("no-folder");
    std::fs::write(folder.0.join("captures"), "a file").unwrap();
    let mut recordings = Recordings::new(options(&folder));
    let control = recordings.control();
    control.toggle();
    recordings.end_frame();
    let error = control
        .poll_saved()
        .expect("the refusal is reported")
        .unwrap_err();
    assert!(error.contains("choose a folder"), "{error}");
}

#[test]
fn the_last_minute_is_saved_at_a_hitch_without_a_request() {
    let folder = Folder::new("save-hitches");
    let mut options = options(&folder);
    options.recent = Duration::from_secs(60);
    options.save_hitches = Some(Duration::from_secs(10));
    let mut recordings = Recordings::new(options);
    let control = recordings.control();
    let mut secs = 0.0;
    let mut end_frames = |frames: usize, frame_secs: f64| {
        for _ in 0..frames {
            secs += frame_secs;
            recordings.end_frame_at(secs);
        }
    };
    for round in 0..2 {
        // More than ten seconds, in fewer frames than wait to be written.
        end_frames(720, 1.0 / 60.0);
        end_frames(1, 0.1);
        let path = saved(&*control, || end_frames(1, 1.0 / 60.0)).expect("it can be written");
        let file = CaptureFile::open(&path).unwrap();
        let long = file.frame_times(usize::MAX).iter().filter(|ms| *ms > 90.0);
        assert!((1..=1 + round).contains(&long.count()));
    }
    drop(recordings);
    let names = std::fs::read_dir(folder.0.join("captures")).unwrap();
    assert_eq!(names.count(), 2);
}

#[test]
fn the_last_minute_is_saved_after_the_fact() {
    let folder = Folder::new("recent");
    let mut options = options(&folder);
    options.recent = Duration::from_secs(60);
    let mut recordings = Recordings::new(options);
    let control = recordings.control();
    let (frames, samples) = (
        counter("recordings/recent"),
        histogram("recordings/samples"),
    );
    let mut frame = 0_u64;
    let mut end_frame = |recordings: &mut Recordings| {
        frames.add(frame);
        samples.record(1);
        match frame {
            10 => recordings.mark("level", MarkEvent::Begin),
            20 => recordings.mark("over", MarkEvent::Begin),
            30 => recordings.mark("over", MarkEvent::End),
            5_800 => recordings.mark("late", MarkEvent::Point),
            _ => {}
        }
        recordings.end_frame_at(frame as f64 / 60.0);
        frame += 1;
        // Lets the writer thread keep up, even on a busy machine.
        if frame.is_multiple_of(100) {
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    // A hundred seconds.
    for _ in 0..6_000 {
        end_frame(&mut recordings);
    }
    let status = control.status().recent.expect("it is kept");
    assert_eq!(status.seconds, 60.0);
    for round in 0..2 {
        control.save_recent();
        end_frame(&mut recordings);
        let path = saved(&*control, || end_frame(&mut recordings)).expect("it can be written");
        assert!(
            path.file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with("recent-")
        );
        let file = CaptureFile::open(&path).unwrap();
        let (first, last) = (0, file.frames().end - 1);
        assert_eq!(file.frames().start, 0);
        assert_eq!(file.frame(first).unwrap().start_secs, 0.0);
        let seconds = file.frame(last).unwrap().start_secs;
        assert!((59.9..75.1).contains(&seconds), "{seconds} s");
        let found = values(&file, "recordings/recent");
        let begin = found[0].expect("it is known") as u64;
        let expected: Vec<_> = (begin..)
            .take(found.len())
            .map(|frame| Some(frame as f64))
            .collect();
        assert_eq!(found, expected);
        assert!(begin + found.len() as u64 > 6_000);
        // A span that is still open begins with the first frame; one that ended earlier is missing.
        let marks = file.mark_records();
        let names: Vec<_> = marks
            .iter()
            .map(|mark| (mark.name.as_str(), mark.begin))
            .collect();
        assert_eq!(
            names,
            [("level", 0), ("late", 5_800 - begin)],
            "round {round}"
        );
        assert_eq!(marks[0].end, None);
        let id = file.find("recordings/samples").unwrap();
        let samples = file
            .distribution(id)
            .expect("it has samples")
            .summary()
            .unwrap();
        // How many it has depends on how far the writer thread is.
        assert!(samples.count > 0);
    }
    assert_eq!(control.status().running, None);
}

/// Saves the last frames, and returns the capture with the frames and the first color of its pictures.
fn with_pictures(recordings: &mut Recordings, mut now: f64) -> (CaptureFile, Vec<(u64, u8)>) {
    let control = recordings.control();
    control.save_recent();
    let path = saved(&*control, || {
        now += 0.01;
        recordings.end_frame_at(now);
    });
    let file = CaptureFile::open(path.expect("it can be written")).expect("a capture");
    let of = |(frame, path): (u64, PathBuf)| {
        let png = png::Decoder::new(std::io::BufReader::new(
            std::fs::File::open(path).expect("a file"),
        ));
        let mut reader = png.read_info().expect("a picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("it is small")];
        reader.next_frame(&mut pixels).expect("a picture");
        (frame, pixels[0])
    };
    let pictures = file.pictures().into_iter().map(of).collect();
    (file, pictures)
}

#[test]
fn the_last_minute_has_the_pictures_of_its_slowest_frames() {
    let folder = Folder::new("recent-pictures");
    let mut options = options(&folder);
    options.recent = Duration::from_secs(20);
    options.capture.pictures = 2;
    let mut recordings = Recordings::new(options);
    assert!(recordings.keeps_pictures());
    let number = stats_core::gauge("recordings/number");
    let mut now = 0.0;
    let mut asked = Vec::new();
    for frame in 0..6_000_u64 {
        if frame == 4_000 {
            recordings.start(folder.0.join("run.parquet")).unwrap();
        }
        number.set(frame as f64);
        // A minute in all. The slowest frame is too old in the end.
        now += match frame {
            1_000 => 0.9,
            4_500 => 0.5,
            5_000 => 0.2,
            5_500 => 0.7,
            _ => 0.01,
        };
        recordings.end_frame_at(now);
        assert_eq!(recordings.next_frame(), frame + 1);
        let wanted = recordings.wants_picture().filter(|_| frame % 500 == 0);
        if let Some(of) = wanted {
            assert_eq!(of, frame);
            asked.push(frame);
        }
        // As from a device, three frames later.
        if let Some(of) = frame.checked_sub(3).filter(|of| asked.contains(of)) {
            let color = (of / 500) as u8;
            recordings.picture(of, 2, 1, vec![color, 0, 0, 255, 0, 0, 0, 255]);
        }
        // Lets the writer threads keep up, even on a busy machine.
        if frame % 100 == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    for frame in [1_000, 4_500, 5_500] {
        assert!(asked.contains(&frame), "{asked:?}");
    }
    let (file, pictures) = with_pictures(&mut recordings, now);
    let first = values(&file, "recordings/number")[0].expect("it is known") as u64;
    assert!(first > 1_000, "{first}");
    assert_eq!(pictures, [(4_500 - first, 9), (5_500 - first, 11)]);
    drop(recordings);
    let run = CaptureFile::open(folder.0.join("run.parquet")).unwrap();
    let of_run: Vec<u64> = run.pictures().into_iter().map(|(frame, _)| frame).collect();
    assert_eq!(of_run, [500, 1_500], "its frame 0 is frame 4,000");
}

#[test]
fn pictures_in_memory_stay_within_a_quarter_of_the_limit() {
    let folder = Folder::new("recent-picture-bytes");
    let mut options = options(&folder);
    options.recent = Duration::from_secs(600);
    options.recent_bytes = 4_000_000;
    let mut recordings = Recordings::new(options);
    let number = stats_core::gauge("recordings/bytes-number");
    let mut random = stats_testing::Random::new(7);
    let mut now = 0.0;
    for frame in 0..1_000_u64 {
        number.set(frame as f64);
        let is_slow = frame >= 600 && frame % 50 == 0;
        now += if is_slow {
            0.1 + frame as f64 / 1e4
        } else {
            0.01
        };
        recordings.end_frame_at(now);
        if is_slow {
            let wanted = recordings.wants_picture().expect("each is slower");
            // Noise, which cannot be compressed: 400 kB.
            let rgba = (0..400_000).map(|_| random.below(256) as u8).collect();
            recordings.picture(wanted, 400, 250, rgba);
        }
    }
    let (file, pictures) = with_pictures(&mut recordings, now);
    let first = values(&file, "recordings/bytes-number")[0].expect("it is known") as u64;
    let frames: Vec<u64> = pictures.iter().map(|(frame, _)| first + frame).collect();
    assert_eq!(frames, [900, 950], "two of the slowest fit");
}

#[test]
fn the_frames_in_memory_stay_within_their_limit() {
    let folder = Folder::new("bound");
    let mut options = options(&folder);
    options.recent = Duration::from_secs(3600);
    options.recent_bytes = 100_000;
    let mut recordings = Recordings::new(options);
    let control = recordings.control();
    let noise = stats_core::gauge("recordings/noise");
    let mut random = stats_testing::Random::new(5);
    let mut frame = 0;
    let mut end_frame = || {
        noise.set(random.next() as f64);
        recordings.end_frame_at(f64::from(frame) / 60.0);
        frame += 1;
        if frame % 600 == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    (0..40_000).for_each(|_| end_frame());
    let most = control.status().recent.expect("it is kept").bytes;
    assert!(most < 8 << 20, "{most}");
    control.save_recent();
    let path = saved(&*control, end_frame).expect("it can be written");
    let file = CaptureFile::open(path).unwrap();
    // Random values cannot be compressed, so each takes 8 bytes.
    let kept = file.frames().end;
    assert!((1..20_000).contains(&kept), "{kept}");
    let column = file.read("recordings/noise").unwrap();
    // On a busy machine, the first frames that are kept may have been dropped, and have no values.
    assert_eq!(column.slice().frames().end, file.frames().end);
}
