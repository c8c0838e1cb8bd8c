//! Recordings of a game that sends what the test says, when it says so.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use stats_capture::{CaptureFile, RecordedKind};
use stats_core::source::{Listed, WatchList};
use stats_core::{Frame, FrameSlice, Mark, SeriesId, SeriesInfo, SeriesKind, Source, Unit, Watch};
use stats_testing::{Folder, Random};

use super::{Origin, Recordings};

/// A game, as a viewer sees it.
#[derive(Default)]
struct Game {
    /// Paths and kinds. A timer has its self time and its calls at the next two numbers.
    series: Vec<(&'static str, SeriesKind)>,
    /// `None` for a frame that the game no longer has.
    frames: Vec<Option<Frame>>,
    /// The values of each series, as far as they are known.
    values: BTreeMap<u32, Vec<f64>>,
    watches: WatchList<u32>,
    marks: Vec<Mark>,
}

impl Game {
    fn add(&mut self, path: &'static str, kind: SeriesKind) -> u32 {
        self.series.push((path, kind));
        self.series.len() as u32 - 1
    }

    fn timer(&mut self, path: &'static str) -> u32 {
        let timer = self.add(path, SeriesKind::Timer);
        self.add("", SeriesKind::TimerSelf);
        self.add("", SeriesKind::TimerCalls);
        timer
    }

    /// Ends a frame, of which no value is known yet.
    fn end_frame(&mut self, duration_ms: f64) {
        let index = self.frames.len() as u64;
        let start_secs = 100.0 + index as f64 * 0.01;
        self.frames.push(Some(Frame {
            index,
            start_secs,
            duration_ms,
        }));
    }

    /// Ends a frame with a value of a series.
    fn end_frame_with(&mut self, series: u32, value: f64) {
        self.end_frame(10.0);
        self.values.entry(series).or_default().push(value);
    }

    fn series(&self, number: u32) -> Option<SeriesInfo<'_>> {
        let (path, kind) = *self.series.get(number as usize)?;
        if matches!(kind, SeriesKind::TimerSelf | SeriesKind::TimerCalls) {
            return None;
        }
        let unit = match kind {
            SeriesKind::Timer => Unit::Milliseconds,
            _ => Unit::Count,
        };
        let mut info = SeriesInfo::new(SeriesId::new(number), path, kind, unit);
        if kind == SeriesKind::Timer {
            info.self_time = Some(SeriesId::new(number + 1));
            info.calls = Some(SeriesId::new(number + 2));
            info.budget = Some(4.0);
        }
        Some(info)
    }
}

impl Source for Game {
    fn generation(&self) -> u64 {
        self.series.len() as u64
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        let end = self.series.len() as u32;
        if series == Listed::All {
            let _ = (0..end)
                .filter_map(|number| self.series(number))
                .try_for_each(visit);
            return Some(end);
        }
        None
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        let at = self.series.iter().position(|(known, _)| *known == path)?;
        Some(SeriesId::new(at as u32))
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        self.watches.watch(id, || id.number())
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        let number = self.watches.get(watch);
        let values = number.and_then(|number| self.values.get(number));
        let values = values.map_or(&[][..], Vec::as_slice);
        let begin = values.len().saturating_sub(frames);
        FrameSlice::new(begin as u64, &values[begin..], &[])
    }

    fn peek(&mut self, _: SeriesId) -> Option<f64> {
        None
    }

    fn frames(&self) -> Range<u64> {
        0..self.frames.len() as u64
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        *self.frames.get(index as usize)?
    }

    fn frame_times(&self, _: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }

    fn marks(&self) -> &[Mark] {
        &self.marks
    }
}

const ORIGIN: Origin<'static> = Origin {
    program: "the game",
    max_watches: &[100],
    game_of: &|_| 0,
    refused: 0,
};

fn toggle(recordings: &mut Recordings, game: &mut Game) {
    recordings.control().toggle();
    recordings.follow(game, ORIGIN);
}

/// Ends the recording, and returns what was reported.
fn saved(recordings: &mut Recordings, game: &mut Game) -> Vec<Result<PathBuf, String>> {
    toggle(recordings, game);
    recordings.join();
    let control = recordings.control();
    std::iter::from_fn(|| control.poll_saved()).collect()
}

fn one(saved: Vec<Result<PathBuf, String>>) -> CaptureFile {
    assert_eq!(saved.len(), 1, "{saved:?}");
    CaptureFile::open(saved[0].as_ref().expect("it was written")).expect("it is a capture")
}

fn column(capture: &CaptureFile, path: &str) -> Vec<(u64, f64)> {
    let column = capture.read(path).expect("it has the series");
    let values = column.slice();
    values
        .frames()
        .filter_map(|frame| Some((frame, values.at(frame)?)))
        .collect()
}

#[test]
fn a_recording_has_each_value_in_its_frame_however_late_it_arrived() {
    let folder = Folder::new("recording-late");
    let mut random = Random::new(41);
    for round in 0..30 {
        let mut game = Game::default();
        let mut recordings = Recordings::new(folder.0.join(round.to_string()));
        let first = game.timer("work");
        let begin = random.below(20);
        (0..begin).for_each(|_| game.end_frame(10.0));
        toggle(&mut recordings, &mut game);
        let mut second = None;
        // What the game measured, and what of it arrived.
        let value = |series: u32, frame: usize| match (frame + series as usize) % 7 {
            0 => f64::NAN,
            at => at as f64 + f64::from(series) / 8.0,
        };
        let mut arrived = BTreeMap::new();
        for _ in 0..60 {
            if second.is_none() && random.below(20) == 0 {
                second = Some(game.add("late", SeriesKind::Counter));
            }
            let is_lost = random.below(9) == 0;
            game.end_frame(10.0);
            if is_lost {
                *game.frames.last_mut().expect("it has one") = None;
            }
            for series in [Some(first), Some(first + 1), second].into_iter().flatten() {
                let known: &mut usize = arrived.entry(series).or_default();
                *known += random.index(game.frames.len() + 1 - *known);
                let values = (0..*known).map(|frame| value(series, frame));
                game.values.insert(series, values.collect());
            }
            recordings.follow(&mut game, ORIGIN);
        }
        let capture = one(saved(&mut recordings, &mut game));
        let expected_frames: Vec<u64> = game.frames[begin as usize..]
            .iter()
            .flatten()
            .map(|frame| frame.index)
            .collect();
        let base = expected_frames[0];
        for (series, path) in [
            (Some(first), "work"),
            (Some(first + 1), "work/self"),
            (second, "late"),
        ] {
            let Some(known) = series.and_then(|series| arrived.get(&series)) else {
                continue;
            };
            let frames = expected_frames
                .iter()
                .filter(|frame| **frame < *known as u64);
            let values =
                frames.map(|frame| (frame - base, value(series.unwrap(), *frame as usize)));
            let expected: Vec<_> = values.filter(|(_, value)| !value.is_nan()).collect();
            if path == "late" {
                // It is not recorded before it is listed.
                let found = column(&capture, path);
                assert!(expected.ends_with(&found), "{found:?} {expected:?}");
            } else {
                assert_eq!(column(&capture, path), expected, "{path}");
            }
        }
        let frames = capture.frames();
        let kept = frames.filter_map(|index| capture.frame(index));
        let kept: Vec<u64> = kept.map(|frame| frame.index + base).collect();
        assert_eq!(kept, expected_frames);
        let record = &capture.series()[0];
        assert_eq!(
            (record.kind, record.budget),
            (RecordedKind::Timer, Some(4.0))
        );
        assert_eq!(capture.run().labels["program"], "the game");
    }
}

/// Reads a series from files that follow each other.
fn joined(files: &[Result<PathBuf, String>], path: &str) -> Vec<f64> {
    let mut all = Vec::new();
    for file in files {
        let file: &Path = file.as_ref().expect("it was written");
        let capture = CaptureFile::open(file).expect("it is a capture");
        assert_eq!(capture.frame(0).expect("it has frames").start_secs, 0.0);
        all.extend(column(&capture, path).into_iter().map(|(_, value)| value));
    }
    all
}

#[test]
fn a_long_recording_goes_on_in_further_files_and_its_memory_is_bounded() {
    let folder = Folder::new("recording-parts");
    let mut game = Game::default();
    let work = game.add("work", SeriesKind::Counter);
    let late = game.add("late", SeriesKind::Counter);
    let max_bytes = 600 * (size_of::<Frame>() + 2 * 8);
    let mut recordings = Recordings::new(&folder.0).with_max_bytes(max_bytes);
    toggle(&mut recordings, &mut game);
    let mut most = 0;
    for frame in 0..2000_u32 {
        game.end_frame_with(work, f64::from(frame));
        if let Some(frame) = frame.checked_sub(100) {
            game.values.entry(late).or_default().push(f64::from(frame));
        }
        recordings.follow(&mut game, ORIGIN);
        let running = recordings.control().status().running;
        most = most.max(running.expect("it runs").bytes as usize);
    }
    let (bytes, seconds) = (max_bytes, 19.99);
    assert!(most <= bytes, "{most}");
    let running = recordings.control().status().running.expect("it runs");
    assert!(
        (running.seconds - seconds).abs() < 0.1,
        "{}",
        running.seconds
    );
    let files = saved(&mut recordings, &mut game);
    assert!(files.len() > 3, "{files:?}");
    assert!(
        joined(&files, "work")
            .into_iter()
            .eq((0..2000).map(f64::from))
    );
    assert!(
        joined(&files, "late")
            .into_iter()
            .eq((0..1900).map(f64::from))
    );
    assert_eq!(recordings.control().status().running, None);
}

/// The first game has more series than it sends, and takes no place of the second.
#[test]
fn each_of_several_games_has_a_limit_of_its_own() {
    let folder = Folder::new("recording-limits");
    let mut game = Game::default();
    for path in ["one/a", "one/b", "one/c", "one/d", "two/a"] {
        game.add(path, SeriesKind::Gauge);
    }
    game.timer("two/b");
    let last_of_one = game.find("one/d").expect("it is listed");
    let origin = Origin {
        max_watches: &[2, 10],
        game_of: &|id| usize::from(id > last_of_one),
        ..ORIGIN
    };
    let mut recordings = Recordings::new(&folder.0);
    recordings.control().toggle();
    for _ in 0..3 {
        recordings.follow(&mut game, origin);
        game.end_frame(10.0);
    }
    let note = recordings.note();
    assert!(note.starts_with("recording 6 of 8 series: "), "{note}");
    recordings.follow(&mut game, origin);
    let capture = one(saved(&mut recordings, &mut game));
    let paths: Vec<&str> = (capture.series().iter()).map(|of| &*of.path).collect();
    let of_two = ["two/a", "two/b", "two/b/self", "two/b/calls"];
    assert_eq!(paths, [&["one/a", "one/b"][..], &of_two].concat());
}

#[test]
fn series_beyond_those_that_the_game_sends_are_left_out_and_counted() {
    let folder = Folder::new("recording-limit");
    let mut game = Game::default();
    let timers: Vec<u32> = ["a", "b", "c"].map(|path| game.timer(path)).to_vec();
    let refused = game.add("refused", SeriesKind::Gauge);
    let few = Origin {
        max_watches: &[6],
        refused: 1,
        ..ORIGIN
    };
    let mut recordings = Recordings::new(&folder.0);
    recordings.control().toggle();
    recordings.follow(&mut game, few);
    for _ in 0..3 {
        game.end_frame(10.0);
        for series in 0..refused {
            game.values.entry(series).or_default().push(1.0);
        }
        recordings.follow(&mut game, few);
    }
    // Of ten: the four that are listed by themselves, and two self times. One of them is refused.
    let note = recordings.note();
    assert!(note.starts_with("recording 5 of 10 series: "), "{note}");
    let capture = one(saved(&mut recordings, &mut game));
    let paths: Vec<&str> = capture
        .series()
        .iter()
        .map(|record| &*record.path)
        .collect();
    assert_eq!(paths, ["a", "b", "c", "refused", "a/self", "a/calls"]);
    assert_eq!(capture.series()[4].of.as_deref(), Some("a"));
    assert_eq!(capture.run().labels["series left out"], "5");
    assert!(column(&capture, "refused").is_empty());
    assert_eq!((recordings.note(), timers.len()), (String::new(), 3));
}

#[test]
fn marks_are_those_of_the_recorded_frames() {
    let folder = Folder::new("recording-marks");
    let mut game = Game::default();
    let work = game.add("work", SeriesKind::Counter);
    let mut recordings = Recordings::new(&folder.0);
    (0..10).for_each(|_| game.end_frame_with(work, 1.0));
    toggle(&mut recordings, &mut game);
    (0..10).for_each(|_| game.end_frame_with(work, 1.0));
    game.marks = vec![
        Mark::new("before", 3..4, true),
        Mark::new("over", 2..9, false),
        Mark::new("from before", 5..12, false),
        Mark::new("point", 15..16, true),
        Mark::new("open", 16..u64::MAX, false),
    ];
    recordings.control().mark_point("mine");
    recordings.follow(&mut game, ORIGIN);
    let capture = one(saved(&mut recordings, &mut game));
    let marks: Vec<_> = capture
        .marks()
        .iter()
        .map(|mark| (&*mark.name, mark.frames.clone()))
        .collect();
    assert_eq!(
        marks,
        [
            ("from before", 0..2),
            ("point", 5..6),
            ("open", 6..u64::MAX),
            ("mine", 9..10),
        ]
    );
}

#[test]
fn a_recording_without_frames_says_why_nothing_was_saved() {
    let folder = Folder::new("recording-empty");
    let mut game = Game::default();
    let mut recordings = Recordings::new(&folder.0);
    toggle(&mut recordings, &mut game);
    let saved = saved(&mut recordings, &mut game);
    assert!(
        matches!(&saved[..], [Err(why)] if why.contains("once the game is connected")),
        "{saved:?}"
    );
    // Two presses in one frame change nothing.
    recordings.control().toggle();
    toggle(&mut recordings, &mut game);
    assert_eq!(recordings.control().status().running, None);
}

#[test]
fn times_and_names_that_a_file_cannot_have_do_not_lose_the_recording() {
    let folder = Folder::new("recording-odd");
    let mut game = Game::default();
    let odd = [
        game.add("frame", SeriesKind::Counter),
        game.add("", SeriesKind::Counter),
    ];
    let mut recordings = Recordings::new(&folder.0);
    toggle(&mut recordings, &mut game);
    for (at, duration_ms) in [10.0, f64::INFINITY, f64::NAN, -1.0, 1e300, 20.0]
        .into_iter()
        .enumerate()
    {
        game.end_frame(duration_ms);
        for series in odd {
            let value = if at == 5 { f64::INFINITY } else { at as f64 };
            game.values.entry(series).or_default().push(value);
        }
        recordings.follow(&mut game, ORIGIN);
    }
    let capture = one(saved(&mut recordings, &mut game));
    let frames = capture.frames().filter_map(|index| capture.frame(index));
    let durations: Vec<f64> = frames.map(|frame| frame.duration_ms).collect();
    assert_eq!(durations, [10.0, 20.0]);
    let paths: Vec<&str> = capture
        .series()
        .iter()
        .map(|record| &*record.path)
        .collect();
    assert_eq!(paths, ["frame (column)", "unnamed"]);
    assert_eq!(column(&capture, "unnamed"), [(0, 0.0)]);
}
