//! Runs that do the same work, and runs that do not.

use std::path::PathBuf;

use stats_capture::{RecordedKind, Run, SeriesRecord};
use stats_core::Frame;
use stats_testing::{Folder, Random};

use super::Work;
use crate::failure::Outcome;

const UNKNOWN: f64 = f64::NAN;

/// A series of a run: its path, kind, unit, and values by frame.
type RecordedSeries<'a> = (&'a str, RecordedKind, &'a str, Vec<f64>);

fn record(folder: &Folder, name: &str, frames: &[u64], series: &[RecordedSeries<'_>]) -> PathBuf {
    let file = folder.0.join(name);
    let frame = |index: &u64| Frame {
        index: *index,
        start_secs: *index as f64 / 60.0,
        duration_ms: 16.0,
    };
    let frames: Vec<Frame> = frames.iter().map(frame).collect();
    let series = series.iter().map(|(path, kind, unit, values)| {
        let mut record = SeriesRecord::default();
        (record.path, record.kind) = ((*path).to_owned(), *kind);
        record.unit = (*unit).to_owned();
        (record, values.clone())
    });
    let series: Vec<_> = series.collect();
    stats_capture::write(&file, &Run::default(), &frames, &series, &[]).unwrap();
    file
}

fn counter(path: &str, values: &[f64]) -> RecordedSeries<'static> {
    let path = Box::leak(path.to_owned().into_boxed_str());
    (path, RecordedKind::Counter, "", values.to_vec())
}

/// Compares runs of one counter that has these values.
fn compare(name: &str, runs: &[&[f64]]) -> (Outcome, String) {
    let folder = Folder::new(&format!("tool-work-{name}"));
    let captures: Vec<PathBuf> = (runs.iter().enumerate())
        .map(|(at, values)| {
            let frames: Vec<u64> = (0..values.len() as u64).collect();
            record(
                &folder,
                &format!("{at}.parquet"),
                &frames,
                &[counter("a", values)],
            )
        })
        .collect();
    let work = Work::of(&captures, &[]).unwrap();
    let folder = format!("{}/", folder.0.display());
    (work.outcome(), work.sentence().replace(&folder, ""))
}

#[test]
fn the_first_difference_is_named_with_its_frame_and_series() {
    let same = compare("named", &[&[1.0, 0.5], &[1.0, 0.5], &[1.0, 0.5]]);
    let sentence = "1 counter are the same in 3 runs of 2 frames";
    assert_eq!(same, (Outcome::Fine, sentence.replace("are", "is")));
    let third = compare("named", &[&[1.0, 2.0], &[1.0, 2.0], &[1.0, 3.0]]);
    let sentence = "frame 1: a is 2 in 0.parquet and 3 in 2.parquet; 1 of 1 counter differs";
    assert_eq!(third, (Outcome::Worse, sentence.to_owned()));
}

#[test]
fn the_first_of_several_differences_is_the_earliest_and_then_the_first_by_name() {
    let folder = Folder::new("tool-work-first");
    let run = |name: &str, a: &[f64], b: &[f64], c: &[f64]| {
        let series = [counter("c", c), counter("b", b), counter("a", a)];
        record(&folder, name, &[0, 1, 2], &series)
    };
    let captures = [
        run("one", &[0.0, 0.0, 0.0], &[0.0, 0.0, 0.0], &[0.0, 0.0, 0.0]),
        run("two", &[0.0, 0.0, 7.0], &[0.0, 2.0, 0.0], &[0.0, 3.0, 0.0]),
    ];
    let sentence = Work::of(&captures, &[]).unwrap().sentence();
    assert!(sentence.starts_with("frame 1: b is 0 in "), "{sentence}");
    assert!(sentence.ends_with("; 3 of 3 counters differ"), "{sentence}");
    let except = stats_config::Pattern::try_from("b".to_owned()).unwrap();
    let sentence = Work::of(&captures, &[except]).unwrap().sentence();
    assert!(sentence.starts_with("frame 1: c is 0 in "), "{sentence}");
    assert!(sentence.ends_with("; 2 of 2 counters differ"), "{sentence}");
}

#[test]
fn a_pattern_that_leaves_out_nothing_is_named() {
    let folder = Folder::new("tool-work-except");
    let captures = [
        record(&folder, "one", &[0, 1], &[counter("jobs/a", &[0.0, 3.0])]),
        record(&folder, "two", &[0, 1], &[counter("jobs/b", &[0.0, 0.0])]),
        record(&folder, "three", &[0, 1], &[counter("net/c", &[0.0, 0.0])]),
    ];
    let pattern = |text: &str| stats_config::Pattern::try_from(text.to_owned()).unwrap();
    let except = ["jobs/b", "net/*", "jobs", "nosuch/**"].map(pattern);
    let warnings: Vec<String> = Work::of(&captures, &except).unwrap().warnings().collect();
    assert_eq!(
        warnings,
        ["jobs", "nosuch/**"].map(|pattern| format!(
            "--except {pattern} leaves out nothing: it matches no counter of the runs"
        ))
    );
}

#[test]
fn a_counter_is_zero_before_it_exists_and_later_unknown_values_do_not_differ() {
    let late = compare(
        "late",
        &[&[0.0, 0.0, 5.0, 1.0], &[UNKNOWN, UNKNOWN, 5.0, UNKNOWN]],
    );
    assert_eq!(late.0, Outcome::Fine, "{}", late.1);
    let work = compare("late", &[&[0.0, 4.0, 5.0], &[UNKNOWN, UNKNOWN, 5.0]]);
    assert!(
        work.1
            .starts_with("frame 1: a is 4 in 0.parquet and 0 in 1.parquet")
    );
    let folder = Folder::new("tool-work-missing");
    let captures = [
        record(&folder, "one", &[0, 1], &[counter("a", &[0.0, 3.0])]),
        record(&folder, "two", &[0, 1], &[counter("b", &[0.0, 0.0])]),
    ];
    let work = Work::of(&captures, &[]).unwrap();
    assert_eq!(work.outcome(), Outcome::Worse);
    assert!(work.sentence().starts_with("frame 1: a is 3 in "));
    assert!(work.sentence().ends_with("; 1 of 2 counters differs"));
}

#[test]
fn a_run_that_ends_earlier_did_other_work() {
    let (outcome, sentence) = compare("earlier", &[&[1.0, 1.0], &[1.0]]);
    assert_eq!(outcome, Outcome::Worse);
    let expected =
        "0.parquet has 2 frames, but 1.parquet has 1 frame; up to there, the work is the same";
    assert_eq!(sentence, expected);
    // A difference in the common frames comes first.
    let (_, sentence) = compare("earlier", &[&[1.0, 1.0], &[2.0]]);
    assert!(sentence.starts_with("frame 0: "), "{sentence}");
}

#[test]
fn without_all_frames_or_any_counter_nobody_can_tell() {
    let folder = Folder::new("tool-work-lost");
    let captures = [
        record(
            &folder,
            "one",
            &[0, 1, 2],
            &[counter("a", &[1.0, 1.0, 1.0])],
        ),
        record(&folder, "two", &[0, 2], &[counter("a", &[1.0, 1.0])]),
    ];
    let work = Work::of(&captures, &[]).unwrap();
    assert_eq!(work.outcome(), Outcome::Unknown);
    assert!(work.sentence().contains("but 1 frame was not recorded"));
    // A frame that several runs lost is one frame.
    let [one, two] = &captures;
    let captures = [two, one, one, two].map(Clone::clone);
    let work = Work::of(&captures, &[]).unwrap();
    assert_eq!(work.outcome(), Outcome::Unknown);
    assert!(work.sentence().contains("but 1 frame was not recorded"));
    let others = [
        ("a", RecordedKind::Gauge, ""),
        ("b", RecordedKind::Timer, "ms"),
        ("c", RecordedKind::Counter, "ms"),
        ("d", RecordedKind::Histogram, ""),
        ("frame/faults", RecordedKind::Counter, ""),
        ("memory/ui/frame-allocations", RecordedKind::Counter, "B"),
    ];
    let captures = [0, 1].map(|run| {
        let values = others.map(|(path, kind, unit)| (path, kind, unit, vec![f64::from(run)]));
        record(&folder, &format!("other-{run}"), &[0], &values)
    });
    let work = Work::of(&captures, &[]).unwrap();
    assert_eq!((work.outcome(), work.counters.len()), (Outcome::Unknown, 0));
    let counted = [
        ("b/calls", RecordedKind::TimerCalls, ""),
        ("d/samples", RecordedKind::HistogramSamples, ""),
        ("level", RecordedKind::UpDownCounter, "B"),
    ];
    let captures = [0, 1].map(|run| {
        let values = counted.map(|(path, kind, unit)| (path, kind, unit, vec![f64::from(run)]));
        record(&folder, &format!("counted-{run}"), &[0], &values)
    });
    let work = Work::of(&captures, &[]).unwrap();
    assert_eq!((work.outcome(), work.differing.len()), (Outcome::Worse, 3));
}

#[test]
fn random_runs_differ_where_their_values_do() {
    let mut random = Random::new(45);
    for _ in 0..60 {
        let frames = 1 + random.below(12);
        let mut run = || -> Vec<f64> {
            let value = |at| {
                if at == 3 {
                    UNKNOWN
                } else {
                    (at == 0) as u8 as f64
                }
            };
            (0..frames).map(|_| value(random.below(30))).collect()
        };
        let runs = [run(), run(), run()];
        let known = |values: &[f64], at: usize| match values[..=at].iter().all(|v| v.is_nan()) {
            true => 0.0,
            false => values[at],
        };
        let first = (0..frames).find(|at| {
            let at = *at as usize;
            let values = [0, 1, 2].map(|run| known(&runs[run], at));
            (values[1..].iter()).any(|other| (other - values[0]).abs() > 0.0)
        });
        let (outcome, sentence) = compare("random", &[&runs[0], &runs[1], &runs[2]]);
        match first {
            None => assert_eq!(outcome, Outcome::Fine, "{runs:?}: {sentence}"),
            Some(frame) => {
                let begin = format!("frame {frame}: ");
                assert!(sentence.starts_with(&begin), "{runs:?}: {sentence}");
            }
        }
    }
}
