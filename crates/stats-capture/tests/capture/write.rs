//! Runs that a program has measured already are written at once.

use stats_capture::{
    Better, CaptureError, CaptureFile, Ended, MarkKind, MarkRecord, RecordedKind, Run, ScopeRecord,
    SeriesRecord,
};
use stats_core::{Frame, Source};
use stats_testing::{Folder, Random};

use crate::values;

fn series(path: &str, kind: RecordedKind, unit: &str) -> SeriesRecord {
    let mut record = SeriesRecord::default();
    (record.path, record.kind, record.unit) = (path.to_owned(), kind, unit.to_owned());
    record
}

fn frames(indices: impl IntoIterator<Item = u64>) -> Vec<Frame> {
    let frame = |index| Frame {
        index,
        start_secs: index as f64 * 0.0167,
        duration_ms: 16.7,
    };
    indices.into_iter().map(frame).collect()
}

#[test]
fn each_value_is_read_back_exactly_over_several_row_groups() {
    let folder = Folder::new("write");
    let path = folder.0.join("run.parquet");
    let mut random = Random::new(3);
    let mut run = Run::default();
    (run.scenario, run.ended) = (Some("tour".to_owned()), Ended::Clean);
    run.labels.insert("tier".to_owned(), "low".to_owned());
    // Two gaps; more rows than a row group has.
    let frames = frames((5..20_000).filter(|frame| *frame != 7 && *frame != 16_400));
    let mut value = |is_whole: bool| match random.below(5) {
        0 => f64::NAN,
        _ if is_whole => random.below(1 << 40) as f64,
        _ => random.below(1 << 40) as f64 / 7.0,
    };
    let mut column = |is_whole| frames.iter().map(|_| value(is_whole)).collect::<Vec<f64>>();
    let mut timer = series("frame/cpu", RecordedKind::Timer, "ms");
    (timer.better, timer.budget) = (Better::Lower, Some(8.0));
    let mut all = vec![
        (timer, column(false)),
        (
            series("net/bytes", RecordedKind::Counter, "B"),
            column(true),
        ),
        (
            series("zero", RecordedKind::Gauge, ""),
            vec![-0.0; frames.len()],
        ),
        (
            series("never", RecordedKind::Gauge, ""),
            vec![f64::NAN; frames.len()],
        ),
    ];
    all[1].1[9] = f64::INFINITY;
    let mut mark = MarkRecord::default();
    (mark.name, mark.kind, mark.begin, mark.end) =
        ("loading".to_owned(), MarkKind::Span, 10, Some(20));
    let marks = [mark];
    stats_capture::write(&path, &run, &frames, &all, &marks).unwrap();
    let file = CaptureFile::open(&path).unwrap();
    assert_eq!((file.frames(), file.missing_frames()), (5..20_000, 2));
    assert_eq!(
        (
            file.run().scenario.as_deref(),
            file.run().ended,
            file.run().cost
        ),
        (Some("tour"), Ended::Clean, None)
    );
    assert_eq!(
        (file.mark_records(), &file.run().labels),
        (&marks[..], &run.labels)
    );
    for frame in &frames {
        let read = file.frame(frame.index).unwrap();
        assert_eq!(read.duration_ms, 16.7);
        assert!((read.start_secs - frame.start_secs).abs() <= 0.5e-9);
    }
    for (record, expected) in &all {
        let read = values(&file, &record.path);
        for (frame, expected) in frames.iter().zip(expected) {
            let value = read[frame.index as usize - 5];
            assert_eq!(
                value.map(f64::to_bits),
                Some(*expected)
                    .filter(|value| !value.is_nan())
                    .map(f64::to_bits)
            );
        }
    }
    assert_eq!(file.series()[0].budget, Some(8.0));
    assert_eq!(file.warnings(), [""; 0]);
    assert_eq!(folder.names(), ["run.parquet"]);
    // A run without frames replaces it.
    stats_capture::write(&path, &run, &[], &[], &[]).unwrap();
    assert_eq!(CaptureFile::open(&path).unwrap().frames(), 0..0);
}

#[test]
fn a_run_that_contradicts_itself_is_refused_with_the_cure() {
    let folder = Folder::new("write-wrong");
    let path = folder.0.join("run.parquet");
    let error = |frames: &[Frame], series: &[(SeriesRecord, Vec<f64>)]| {
        let error = stats_capture::write(&path, &Run::default(), frames, series, &[]).unwrap_err();
        assert!(matches!(error, CaptureError::Content { .. }), "{error}");
        assert_eq!(folder.names(), [""; 0]);
        error.to_string()
    };
    let x = |path: &str, values: usize| (series(path, RecordedKind::Gauge, ""), vec![0.0; values]);
    let two = frames([0, 1]);
    assert!(
        error(&two, &[x("a", 1)]).contains("\"a\" has 1 values for 2 frames; pass one for each")
    );
    assert!(error(&two, &[x("a", 2), x("a", 2)]).contains("\"a\" is empty, or that of another"));
    assert!(error(&two, &[x("frame", 2)]).contains("give each series its own path"));
    assert!(error(&two, &[x("", 2)]).contains("\"\" is empty"));
    assert!(error(&frames([1, 1]), &[]).contains("frame 1 follows frame 1; pass the frames in"));
    let mut unknown = two.clone();
    unknown[1].duration_ms = f64::NAN;
    assert!(
        error(&unknown, &[]).contains("frame 1 starts at 0.0167 s and takes NaN ms; leave out")
    );
    // What a capture never replaces, this does not either.
    let text = folder.0.join("text.parquet");
    std::fs::write(&text, "precious").unwrap();
    let error = stats_capture::write(&text, &Run::default(), &two, &[], &[]).unwrap_err();
    assert!(matches!(error, CaptureError::Target { .. }), "{error}");
    let error = stats_capture::write("run.journal", &Run::default(), &two, &[], &[]).unwrap_err();
    assert!(
        matches!(error, CaptureError::NamedAsJournal { .. }),
        "{error}"
    );
    let missing = folder.0.join("none/run.parquet");
    let error = stats_capture::write(missing, &Run::default(), &two, &[], &[]).unwrap_err();
    assert!(matches!(error, CaptureError::Output { .. }), "{error}");
}

#[test]
fn scopes_are_written_beside_a_capture_and_read_by_frame() {
    let folder = Folder::new("write-scopes");
    let path = folder.0.join("run.parquet");
    // More scopes than a row group has.
    let frames = frames(0..40_000);
    let timers = ["step", "step/solve"].map(|path| {
        (
            series(path, RecordedKind::Timer, "ms"),
            vec![1.0; frames.len()],
        )
    });
    stats_capture::write(&path, &Run::default(), &frames, &timers, &[]).expect("a temporary file");
    let scope = |frame: u64, thread, depth: u32, path| ScopeRecord {
        frame,
        thread,
        depth,
        path,
        begin_ns: frame as i64 * 16_700_000 + i64::from(depth) * 1_000,
        end_ns: frame as i64 * 16_700_000 + 5_000_000 - i64::from(depth) * 1_000,
    };
    let scopes = (0..40_000).flat_map(|frame| {
        [
            scope(frame, "main", 0, "step"),
            scope(frame, "main", 1, "step/solve"),
            scope(frame, "worker", 0, "step"),
            scope(frame, "worker", 1, "a path without a series"),
        ]
    });
    stats_capture::write_scopes(&path, scopes, 7).expect("a temporary file");
    let mut capture = CaptureFile::open(&path).expect("it was just written");
    let count = capture.scopes().expect("it has scopes");
    assert_eq!((count.scopes, count.lost), (160_000, 7));
    let [step, solve] = ["step", "step/solve"].map(|path| capture.find(path).expect("a series"));
    for wanted in [0, 20_000, 39_999] {
        let timeline = capture.timeline(&[wanted..wanted + 1]).expect("a timeline");
        let frame = timeline.frame(wanted).expect("it has scopes");
        let lanes: Vec<_> = frame
            .lanes()
            .map(|(lane, scopes)| {
                let scopes = scopes.iter().map(|scope| (scope.series(), scope.depth()));
                (lane.name.to_owned(), scopes.collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(
            lanes,
            [
                ("main".to_owned(), vec![(step, 0), (solve, 1)]),
                ("worker".to_owned(), vec![(step, 0)]),
            ]
        );
    }
    // The scopes are replaced, and nothing else.
    stats_capture::write_scopes(&path, [scope(3, "main", 0, "step")], 0).expect("a file");
    let capture = CaptureFile::open(&path).expect("a capture");
    assert_eq!(capture.scopes().map(|count| count.scopes), Some(1));
    let beside = folder.0.join("other.spans.parquet");
    std::fs::write(&beside, "notes").expect("a temporary file");
    let error = stats_capture::write_scopes(folder.0.join("other.parquet"), [], 0);
    assert!(
        matches!(error, Err(CaptureError::Target { .. })),
        "{error:?}"
    );
}

/// The scopes are written again even if the capture is replaced by itself.
#[test]
fn redacted_scopes_have_no_private_names_of_threads() {
    let folder = Folder::new("write-redacted-scopes");
    let path = folder.0.join("run.parquet");
    let frames = frames(0..40_000);
    let step = series("step", RecordedKind::Timer, "ms");
    let timers = [(step, vec![1.0; frames.len()])];
    let scope = |frame: u64, thread| ScopeRecord {
        frame,
        thread,
        depth: 0,
        path: "step",
        begin_ns: frame as i64 * 16_700_000,
        end_ns: frame as i64 * 16_700_000 + 5_000_000,
    };
    for to in ["clean.parquet", "run.parquet"] {
        stats_capture::write(&path, &Run::default(), &frames, &timers, &[]).expect("a folder");
        let threads = ["main", "load /secret/map", "load /secret/map", "/secret/b"];
        let scopes = (0..40_000).flat_map(|frame| threads.map(|thread| scope(frame, thread)));
        stats_capture::write_scopes(&path, scopes, 7).expect("a temporary file");
        let to = folder.0.join(to);
        let capture = CaptureFile::open(&path).expect("it was just written");
        let redacted = stats_capture::redact(capture, &path, &to).expect("it can be written");
        assert_eq!(redacted.removed, ["2 names of threads"]);
        assert_eq!(redacted.unreadable, Vec::<String>::new());
        let spans = std::fs::read(to.with_extension("spans.parquet")).expect("scopes");
        assert!(!spans.windows(6).any(|text| text == b"secret"));
        let mut capture = CaptureFile::open(&to).expect("it was just written");
        let count = capture.scopes().expect("it has scopes");
        assert_eq!((count.scopes, count.lost), (160_000, 7));
        for wanted in [0, 39_999] {
            let timeline = capture.timeline(&[wanted..wanted + 1]).expect("a timeline");
            let frame = timeline.frame(wanted).expect("it has scopes");
            let mut lanes: Vec<_> = frame
                .lanes()
                .map(|(lane, scopes)| (lane.name.to_owned(), scopes.len()))
                .collect();
            lanes.sort();
            let expected = [("main", 1), ("removed 1", 2), ("removed 2", 1)];
            assert_eq!(
                lanes,
                expected.map(|(name, count)| (name.to_owned(), count))
            );
        }
    }
    // Scopes that cannot be read are left out.
    std::fs::write(folder.0.join("run.spans.parquet"), "PAR1 /secret PAR1").expect("a file");
    let capture = CaptureFile::open(&path).expect("a capture");
    let redacted = stats_capture::redact(capture, &path, folder.0.join("left.parquet"));
    assert_eq!(
        redacted.map(|redacted| redacted.unreadable.len()).ok(),
        Some(1)
    );
    assert!(!folder.0.join("left.spans.parquet").exists());
}

/// As if the host gave times at which frames follow each other faster than they did.
#[test]
fn a_scope_that_ends_before_its_frame_is_in_it_all_the_same_and_in_no_earlier_one() {
    let folder = Folder::new("write-scopes-before");
    let path = folder.0.join("run.parquet");
    let frame = |index| Frame {
        index,
        start_secs: index as f64 / 60.0,
        duration_ms: 1e3 / 60.0,
    };
    let frames: Vec<Frame> = (0..3_000).map(frame).collect();
    let step = series("step", RecordedKind::Timer, "ms");
    let timers = [(step, vec![1.0; frames.len()])];
    stats_capture::write(&path, &Run::default(), &frames, &timers, &[]).expect("a folder");
    let scope = |frame: &Frame| ScopeRecord {
        frame: frame.index,
        thread: "main",
        depth: 0,
        path: "step",
        begin_ns: (frame.start_secs * 1e9) as i64 - 500_000_000,
        end_ns: (frame.start_secs * 1e9) as i64 - 499_000_000,
    };
    let scopes = frames.iter().map(scope);
    stats_capture::write_scopes(&path, scopes, 0).expect("a temporary file");
    let mut capture = CaptureFile::open(&path).expect("it was just written");
    for index in 0..3_000 {
        let timeline = capture.timeline(&[index..index + 1]).expect("a timeline");
        let scopes = timeline.frame(index).expect("it has scopes").scopes();
        let ended = scopes.iter().filter(|scope| !scope.is_open());
        let times: Vec<i64> = ended.map(|scope| scope.duration_ns()).collect();
        assert_eq!(times, [1_000_000], "frame {index}");
        // The scope of the next frame begins in this one.
        assert!(scopes.len() <= 2, "frame {index}: {}", scopes.len());
    }
}

/// Writes a capture whose frames each have these scopes: depth, begin and end in nanoseconds. Returns for
/// each frame the scopes that end in it: begin and end since the frame began, in order of their ends.
fn read_back(
    name: &str,
    frames: &[Frame],
    scopes: &[Vec<(u32, i64, i64)>],
) -> Vec<Vec<(i64, i64)>> {
    let folder = Folder::new(name);
    let path = folder.0.join("run.parquet");
    let step = series("step", RecordedKind::Timer, "ms");
    let timers = [(step, vec![1.0; frames.len()])];
    stats_capture::write(&path, &Run::default(), frames, &timers, &[]).expect("a folder");
    let of_frames = frames.iter().zip(scopes);
    let records = of_frames.flat_map(|(frame, scopes)| {
        scopes.iter().map(|&(depth, begin_ns, end_ns)| ScopeRecord {
            frame: frame.index,
            thread: "main",
            depth,
            path: "step",
            begin_ns,
            end_ns,
        })
    });
    stats_capture::write_scopes(&path, records, 0).expect("a temporary file");
    let mut capture = CaptureFile::open(&path).expect("it was just written");
    let ended = |frame: &Frame| {
        let timeline = capture.timeline(&[frame.index..frame.index + 1]);
        let timeline = timeline.expect("a timeline");
        let scopes = timeline.frame(frame.index).expect("it has scopes").scopes();
        let ended = scopes.iter().filter(|scope| !scope.is_open());
        let mut ended: Vec<_> = ended.map(|one| (one.begin_ns(), one.end_ns())).collect();
        ended.sort_by_key(|(_, end_ns)| *end_ns);
        ended
    };
    frames.iter().map(ended).collect()
}

#[test]
fn scopes_that_end_before_their_frame_move_together() {
    let frame = |index| Frame {
        index,
        start_secs: index as f64 / 50.0,
        duration_ms: 20.0,
    };
    let frames: Vec<Frame> = (0..500).map(frame).collect();
    // Frames of 1 ms. Siblings follow one another, and the last one has a child.
    let of_frame = |index: i64| {
        let at = index * 1_000_000;
        vec![
            (0, at, at + 200_000),
            (0, at + 200_000, at + 500_000),
            (1, at + 600_000, at + 700_000),
            (0, at + 600_000, at + 900_000),
        ]
    };
    let scopes: Vec<_> = (0..500).map(of_frame).collect();
    let found = read_back("write-scopes-together", &frames, &scopes);
    for (index, found) in (0..).zip(&found) {
        // The first one ends just after its frame begins.
        let moved_ns = match index {
            0 => 0,
            _ => 1 - (index * 1_000_000 + 200_000),
        };
        let scopes = of_frame(index).into_iter();
        let expected: Vec<_> = scopes
            .map(|(_, begin_ns, end_ns)| (begin_ns + moved_ns, end_ns + moved_ns))
            .collect();
        assert_eq!(found, &expected, "frame {index}");
    }
}

/// As of a program that counts frames with a fixed clock, and times them.
#[test]
fn scopes_stay_in_their_frame_if_the_frame_before_is_long() {
    let frame = |index| Frame {
        index,
        start_secs: index as f64 / 50.0,
        duration_ms: if index % 50 == 0 { 100.0 } else { 10.0 },
    };
    let frames: Vec<Frame> = (0..500).map(frame).collect();
    let of_frame = |index: i64| {
        let at = index * 20_000_000;
        vec![(0, at + 1_000_000, at + 9_000_000)]
    };
    let scopes: Vec<_> = (0..500).map(of_frame).collect();
    let found = read_back("write-scopes-long", &frames, &scopes);
    for (index, found) in found.iter().enumerate() {
        assert_eq!(found, &[(1_000_000, 9_000_000)], "frame {index}");
    }
}
