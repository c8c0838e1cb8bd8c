//! The start and end of scopes, and files read with another reader. These tests have their own
//! process, because only one capture collects at a time.

mod long;

use stats_core::source::Listed;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use stats_capture::{Capture, CaptureFile, CaptureOptions, RecordedKind, SpanFrames};
use stats_core::{Source, TimerHandle, counter, gauge, timer};
use stats_testing::Folder;

/// Lets only one test collect at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// A row of a Parquet file: its cells as text, by column.
type Row = BTreeMap<String, String>;

/// Reads a Parquet file with parquet's row reader, which this crate does not use.
fn rows(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(File::open(path).expect("it is a Parquet file"))
        .expect("it is a Parquet file");
    let text = |field: &Field| match field {
        Field::Str(text) => text.clone(),
        field => field.to_string(),
    };
    let row = |row: parquet::record::Row| {
        let cells = row.get_column_iter();
        cells
            .map(|(name, field)| (name.clone(), text(field)))
            .collect()
    };
    let rows = reader.get_row_iter(None).expect("it is a Parquet file");
    rows.map(|next| row(next.expect("it is a Parquet file")))
        .collect()
}

fn number(row: &Row, column: &str) -> i64 {
    row[column]
        .parse()
        .unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

/// Keeps a processor busy in two nested scopes.
fn work(outer: TimerHandle, inner: TimerHandle, time: Duration) {
    let _outer = outer.scope();
    let begun = Instant::now();
    inner.time(|| while begun.elapsed() < time {});
}

/// Records 120 frames. Frame 80 is a hitch. Returns the path of the capture.
fn record(folder: &Folder, spans: SpanFrames) -> std::path::PathBuf {
    let mut options = CaptureOptions::default();
    options.spans = spans;
    let mut capture = Capture::create(folder.0.join("run.parquet"), options).expect("it is there");
    let (outer, inner) = (timer("spans/outer"), timer("spans/inner"));
    for frame in 0..120 {
        let time = if frame == 80 { 60 } else { 2 };
        work(outer, inner, Duration::from_millis(time));
        std::thread::Builder::new()
            .name("helper".to_owned())
            .spawn(move || outer.time(|| {}))
            .expect("it is there")
            .join()
            .expect("it is there");
        capture.end_frame();
    }
    capture.finish().expect("it is there")
}

/// Checks the spans of a run against its values. Returns their frames.
fn check(folder: &Folder, capture: &Path) -> BTreeSet<i64> {
    let file = CaptureFile::open(capture).expect("it is there");
    let spans = rows(&folder.0.join("run.spans.parquet"));
    let frames: BTreeSet<i64> = spans.iter().map(|span| number(span, "frame")).collect();
    for frame in &frames {
        let clock = file.frame(*frame as u64).expect("it is there");
        let of_frame: Vec<&Row> = spans
            .iter()
            .filter(|span| number(span, "frame") == *frame)
            .collect();
        let taken = |path: &str| -> i64 {
            let spans = of_frame.iter().filter(|span| span["path"] == path);
            spans
                .map(|span| number(span, "end_ns") - number(span, "begin_ns"))
                .sum()
        };
        for path in ["spans/outer", "spans/inner"] {
            let ms = file
                .read(path)
                .expect("it is there")
                .slice()
                .at(*frame as u64)
                .expect("it is there");
            let difference = (taken(path) as f64 / 1e6 - ms).abs();
            assert!(
                difference < 0.001,
                "{path} in frame {frame}: {difference} ms"
            );
        }
        let threads: BTreeSet<&str> = of_frame
            .iter()
            .map(|span| span["thread"].as_str())
            .collect();
        assert!(
            threads.contains("helper") && threads.len() == 2,
            "{threads:?}"
        );
        for span in &of_frame {
            let is_inner = span["path"] == "spans/inner";
            assert_eq!(number(span, "depth"), i64::from(is_inner));
            // The clock is read after the scope has ended, possibly later on a busy machine.
            let begin = number(span, "begin_ns") as f64 / 1e9;
            let end = number(span, "end_ns") as f64 / 1e9;
            let of_frame =
                clock.start_secs - 0.005..clock.start_secs + clock.duration_ms / 1e3 + 0.005;
            assert!(
                of_frame.contains(&begin) && of_frame.contains(&end),
                "{span:?} {clock:?}"
            );
        }
    }
    frames
}

#[test]
fn the_scopes_around_a_hitch_are_kept_with_their_start_and_end() {
    let _alone = ALONE.lock();
    let folder = Folder::new("spans-hitch");
    let capture = record(&folder, SpanFrames::Hitches);
    let frames = check(&folder, &capture);
    // A busy computer may cause further hitches.
    assert!((77..=83).all(|frame| frames.contains(&frame)), "{frames:?}");
    assert_eq!(folder.names(), ["run.parquet", "run.spans.parquet"]);
}

#[test]
fn the_scopes_around_a_hitch_of_less_than_twice_the_usual_time_are_kept() {
    let _alone = ALONE.lock();
    let folder = Folder::new("spans-short-hitch");
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("it is there");
    let (timer, mut secs) = (timer("spans/short-hitch"), 0.0);
    for frame in 0..400 {
        // A scope takes real time: more of them may be hitches on a busy computer.
        if (297..=303).contains(&frame) {
            drop(timer.scope());
        }
        secs += if frame == 300 { 0.024 } else { 1.0 / 60.0 };
        capture.end_frame_at(secs);
    }
    capture.finish().expect("it is there");
    let spans = rows(&folder.0.join("run.spans.parquet"));
    let frames: BTreeSet<i64> = spans.iter().map(|span| number(span, "frame")).collect();
    assert!(frames.into_iter().eq(297..=303));
}

#[test]
fn all_scopes_or_none_are_kept() {
    let _alone = ALONE.lock();
    let folder = Folder::new("spans-all");
    let capture = record(&folder, SpanFrames::All);
    assert_eq!(check(&folder, &capture), (0..120).collect());
    let folder = Folder::new("spans-none");
    record(&folder, SpanFrames::None);
    assert_eq!(folder.names(), ["run.parquet"]);
}

#[test]
fn a_run_replaces_the_scopes_and_pictures_of_an_older_one() {
    let _alone = ALONE.lock();
    let folder = Folder::new("spans-older");
    record(&folder, SpanFrames::All);
    let pictures = folder.0.join("run.pictures");
    std::fs::create_dir(&pictures).unwrap();
    std::fs::write(pictures.join("frame-7.png"), "older").unwrap();
    std::fs::write(folder.0.join("run.spans.parquet.part"), "of a killed run").unwrap();
    record(&folder, SpanFrames::None);
    assert_eq!(folder.names(), ["run.parquet"]);
    std::fs::create_dir(&pictures).unwrap();
    for name in ["frame-7.png", "frame-x.png"] {
        std::fs::write(pictures.join(name), "older").unwrap();
    }
    record(&folder, SpanFrames::None);
    assert!(!pictures.join("frame-7.png").exists());
    assert!(pictures.join("frame-x.png").exists(), "not a picture");
}

#[test]
fn another_parquet_reader_returns_the_same_values() {
    let _alone = ALONE.lock();
    let folder = Folder::new("rows");
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(&path, CaptureOptions::default()).unwrap();
    for frame in 0..2000_u32 {
        counter("rows/counter").add(frame);
        gauge("rows/gauge").set(f64::from(frame) / 8.0);
        timer("rows/timer").record_ms(f64::from(frame) / 1e3);
        if frame >= 700 {
            counter("rows/late").add(1);
        }
        capture.end_frame_at(f64::from(frame) / 50.0);
    }
    capture.finish().unwrap();
    let all = rows(&path);
    assert_eq!(all.len(), 2000);
    for (frame, row) in (0..).zip(&all) {
        assert_eq!(number(row, "frame"), frame);
        assert_eq!(number(row, "rows/counter"), frame);
        assert_eq!(row["rows/gauge"].parse(), Ok(frame as f64 / 8.0));
        assert_eq!(number(row, "rows/timer"), frame * 1000);
        assert_eq!(number(row, "rows/timer/self"), frame * 1000);
        assert_eq!(number(row, "rows/timer/calls"), 1);
        let late = &row["rows/late"];
        assert_eq!(late, if frame < 700 { "null" } else { "1" });
        assert_eq!(number(row, "start_ns"), (frame - 1).max(0) * 20_000_000);
    }
}

#[test]
fn a_timer_has_its_self_time_parent_and_thread() {
    let _alone = ALONE.lock();
    let folder = Folder::new("self");
    let mut capture =
        Capture::create(folder.0.join("run.parquet"), CaptureOptions::default()).unwrap();
    let (outer, inner) = (timer("self/outer"), timer("self/inner"));
    for _ in 0..30 {
        work(outer, inner, Duration::from_micros(100));
        capture.end_frame();
    }
    let file = CaptureFile::open(capture.finish().unwrap()).unwrap();
    let record = |path: &str| {
        let found = file.series().iter().find(|series| series.path == path);
        found.unwrap_or_else(|| panic!("{path} is there"))
    };
    let self_time = record("self/outer/self");
    assert_eq!(self_time.kind, RecordedKind::TimerSelf);
    assert_eq!(
        (self_time.of.as_deref(), self_time.scale),
        (Some("self/outer"), 1e-6)
    );
    assert_eq!(record("self/inner").parent.as_deref(), Some("self/outer"));
    assert_eq!(record("self/outer").parent, None);
    assert!(record("self/inner").thread.is_some());
    let values = |path: &str| file.read(path).unwrap();
    let (outer, inner, own) = (
        values("self/outer"),
        values("self/inner"),
        values("self/outer/self"),
    );
    for frame in 0..30 {
        let at = |column: &stats_capture::Column| column.slice().at(frame).unwrap();
        let difference = at(&outer) - at(&inner) - at(&own);
        assert!(difference.abs() < 1e-5, "{difference} ms");
    }
    let mut listed = Vec::new();
    file.list(Listed::All, &mut |info| {
        listed.push((info.path.to_owned(), info.self_time, info.parent));
        ControlFlow::Continue(())
    });
    assert!(listed.iter().all(|info| info.0 != "self/outer/self"));
    let inner = listed.iter().find(|info| info.0 == "self/inner").unwrap();
    assert_eq!(inner.1, file.find("self/inner/self"));
    assert_eq!(inner.2, file.find("self/outer"));
}

#[test]
fn the_scopes_of_a_killed_run_are_recovered() {
    let _alone = ALONE.lock();
    let (folder, killed) = (Folder::new("spans-whole"), Folder::new("spans-killed"));
    let mut options = CaptureOptions::default();
    options.spans = SpanFrames::All;
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(&path, options).expect("it is there");
    let (outer, inner) = (timer("spans/outer"), timer("spans/inner"));
    let part = folder.0.join("run.spans.parquet.part");
    // A part is appended for each block of frames.
    let (mut parts, mut len) = (0, 0);
    while parts < 2 {
        work(outer, inner, Duration::from_millis(2));
        capture.end_frame();
        let now = std::fs::metadata(&part).map_or(0, |file| file.len());
        parts += u32::from(now != len);
        len = now;
    }
    // A killed program leaves these files; the second part is truncated.
    let text = std::fs::read(&part).expect("it is there");
    let copy = |name: &str, bytes: &[u8]| {
        std::fs::write(killed.0.join(name), bytes).expect("it can be written");
    };
    copy("run.spans.parquet.part", &text[..text.len() - 9]);
    let journal = std::fs::read(folder.0.join("run.parquet.journal")).expect("it is there");
    copy("run.parquet.journal", &journal);
    capture.finish().expect("it is there");
    let recovered = stats_capture::recover(killed.0.join("run.parquet.journal"));
    let recovered = recovered.expect("it has frames");
    let rest = rows(&killed.0.join("run.spans.parquet"));
    let whole = rows(&folder.0.join("run.spans.parquet"));
    assert_eq!(recovered.spans, rest.len() as u64);
    assert!(!rest.is_empty() && rest.len() < whole.len());
    assert_eq!(rest, whole[..rest.len()]);
    assert!(!killed.0.join("run.spans.parquet.part").exists());
    assert!(!part.exists());
}

#[test]
fn a_capture_has_a_timeline_of_its_scopes_with_threads_of_the_same_name_apart() {
    let _alone = ALONE.lock();
    let folder = Folder::new("spans-timeline");
    let mut options = CaptureOptions::default();
    options.spans = SpanFrames::All;
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(&path, options).expect("it can be written");
    let (outer, inner) = (timer("spans/outer"), timer("spans/inner").wait());
    let across = timer("spans/across");
    let mut open = None;
    for frame in 0..40 {
        work(outer, inner, Duration::from_micros(100));
        let both = std::sync::Arc::new(std::sync::Barrier::new(2));
        let threads = [0, 1].map(|_| {
            let (thread, both) = (std::thread::Builder::new(), both.clone());
            let thread = thread.name("same".to_owned());
            thread
                .spawn(move || inner.time(|| _ = both.wait()))
                .expect("it starts")
        });
        for thread in threads {
            thread.join().expect("it does not panic");
        }
        match frame {
            10 => open = Some(across.scope()),
            14 => open = None,
            _ => {}
        }
        capture.end_frame();
    }
    drop(open);
    let mut file =
        CaptureFile::open(capture.finish().expect("it is written")).expect("it is there");
    let all = rows(&folder.0.join("run.spans.parquet"));
    let count = file.scopes().expect("it has scopes");
    assert_eq!((count.scopes, count.lost), (all.len() as u64, 0));
    let id = |path: &str| file.find(path).expect("it is listed");
    let (inner, across) = (id("spans/inner"), id("spans/across"));
    let mut seen_open = Vec::new();
    for frame in file.frames() {
        let timeline = file.timeline(&[frame..frame + 1]).expect("it has scopes");
        let scopes = timeline.frame(frame).expect("all are kept");
        assert_eq!(scopes.lost(), 0);
        let ended = scopes.scopes().iter().filter(|scope| !scope.is_open());
        let of_frame = all
            .iter()
            .filter(|row| number(row, "frame") == frame as i64);
        assert_eq!(ended.count(), of_frame.count());
        let mut waits_on_threads = 0;
        for (lane, scopes) in scopes.lanes() {
            let is_same = lane.name.starts_with("same");
            waits_on_threads += usize::from(is_same && scopes.len() == 1);
            for scope in scopes {
                assert_eq!(scope.is_wait(), scope.series() == inner);
                assert!(scope.duration_ns() >= 0);
                if scope.series() == across && scope.is_open() {
                    seen_open.push(frame);
                }
            }
        }
        // Two threads of one name have two lanes.
        assert_eq!(waits_on_threads, 2, "frame {frame}");
    }
    assert_eq!(seen_open, [10, 11, 12, 13]);
    assert_eq!(file.errors().len(), 0);
}

#[test]
fn scopes_that_begin_just_before_a_frame_ends_begin_in_it() {
    let _alone = ALONE.lock();
    let folder = Folder::new("spans-just-before");
    let mut options = CaptureOptions::default();
    options.spans = SpanFrames::All;
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(&path, options).expect("it can be written");
    let across = timer("spans/just-before");
    let mut open = None;
    for _ in 0..1500 {
        drop(open);
        open = Some(across.scope());
        capture.end_frame();
    }
    drop(open);
    let file = CaptureFile::open(capture.finish().expect("it is written")).expect("it is there");
    let rows = rows(&folder.0.join("run.spans.parquet"));
    let start_ns = |row: &Row| {
        let frame = file
            .frame(number(row, "frame") as u64)
            .expect("it is there");
        (frame.start_secs * 1e9) as i64
    };
    let is_late = |row: &&Row| number(row, "begin_ns") >= start_ns(row);
    let late = rows.iter().filter(is_late).count();
    assert_eq!((rows.len(), late), (1499, 0));
}

#[test]
fn frames_that_are_far_apart_are_read_without_those_in_between() {
    let _alone = ALONE.lock();
    let folder = Folder::new("spans-apart");
    let mut options = CaptureOptions::default();
    options.spans = SpanFrames::All;
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(&path, options).expect("it can be written");
    let each = timer("spans/each");
    for frame in 1..=2000 {
        drop(each.scope());
        capture.end_frame_at(f64::from(frame) / 60.0);
    }
    let capture = capture.finish().expect("it is written");
    let mut file = CaptureFile::open(capture).expect("it can be read");
    let mut has = |wanted: &[Range<u64>], frames: [u64; 3]| {
        let timeline = file.timeline(wanted).expect("it has scopes");
        frames.map(|frame| timeline.frame(frame).is_some())
    };
    assert_eq!(
        has(&[1900..1910, 5..6], [5, 1000, 1905]),
        [true, false, true]
    );
    // The first one goes on, and the other one stays.
    assert_eq!(
        has(&[1500..1510, 5..6], [5, 1000, 1505]),
        [true, false, true]
    );
    assert_eq!(has(&[], [5, 1000, 1505]), [true, false, true]);
    // What was read around two ranges overlaps, so that those in between are there already.
    assert_eq!(has(&[1000..1010, 1200..1210], [872, 1100, 1337]), [true; 3]);
    let between: Range<u64> = 1005..1205;
    assert_eq!(has(&[between], [872, 1100, 1337]), [true; 3]);
}
