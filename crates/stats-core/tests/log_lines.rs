//! Lines of the log. Every recorder of a process has them, so these tests have a process of their
//! own.
#![cfg(feature = "enabled")]

use stats_core::limits::{MAX_FRAME_LOG_LINES, MAX_LOG_LINES, MAX_MARKS};
use stats_core::{LogLevel, LogLine, MarkEvent, Recorder, Ticks};
use stats_testing::{allocations, alone};

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

fn keep(number: usize) {
    LogLine::keep(LogLevel::Info, "test", format_args!("line {number}"));
}

/// Returns the frames and the numbers of the lines of a recorder, and how many were left out.
fn read(recorder: &Recorder) -> (Vec<(u64, usize)>, usize) {
    let (mut lines, mut left_out) = (Vec::new(), 0);
    for mark in recorder.marks() {
        assert!(mark.is_point);
        let line = LogLine::of_mark(&mark.name).expect("a line");
        match line.text.strip_prefix("line ") {
            Some(number) => lines.push((mark.frames.start, number.parse().expect("a number"))),
            None => {
                assert_eq!((line.level, line.target), (LogLevel::Warn, "stats"));
                let number = line.text.strip_suffix(" more lines in this frame");
                let number = number.expect("a count").parse::<usize>();
                left_out += number.expect("a number");
            }
        }
    }
    (lines, left_out)
}

#[test]
fn a_line_costs_the_ticks_of_a_clock_nothing() {
    let _alone = alone();
    let ticks = Ticks::new("log-lines clock");
    let mut frames = Recorder::new();
    ticks.end();
    keep(0);
    assert_eq!(allocations(|| ticks.end()), 0);
    frames.end_frame();
    assert_eq!(read(&frames).0, [(0, 0)]);
}

#[test]
fn a_line_marks_the_frame_of_each_recorder_in_which_it_was_written() {
    let _alone = alone();
    let (mut often, mut seldom) = (Recorder::new(), Recorder::new());
    for number in 0..6 {
        keep(number);
        often.end_frame();
        if number % 3 == 2 {
            seldom.end_frame();
        }
    }
    let late = Recorder::new();
    assert_eq!(
        read(&often).0,
        [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    );
    assert_eq!(
        read(&seldom).0,
        [(0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (1, 5)]
    );
    let mut late = late;
    late.end_frame();
    assert_eq!(late.marks(), [], "it began after all lines");
}

#[test]
fn a_flood_marks_a_frame_with_a_few_lines_and_counts_the_others() {
    let _alone = alone();
    let most = MAX_FRAME_LOG_LINES;
    for count in [
        most - 1,
        most,
        most + 1,
        MAX_LOG_LINES,
        MAX_LOG_LINES + 1,
        5 * MAX_LOG_LINES,
    ] {
        let mut recorder = Recorder::new();
        (0..count).for_each(keep);
        recorder.end_frame();
        recorder.end_frame();
        let (lines, left_out) = read(&recorder);
        assert_eq!(lines.len(), count.min(most), "{count}");
        assert_eq!(lines.len() + left_out, count, "{count}");
        // The oldest of those that still waited.
        assert_eq!(
            lines[0],
            (0, count.saturating_sub(MAX_LOG_LINES)),
            "{count}"
        );
    }
}

#[test]
fn each_line_of_other_threads_is_in_one_frame_or_counted() {
    const THREADS: usize = 4;
    const LINES: usize = 500;
    let _alone = alone();
    let mut recorder = Recorder::with_history(100_000);
    std::thread::scope(|scope| {
        let threads = [0, 1, 2, 3].map(|thread| {
            scope.spawn(move || (0..LINES).for_each(|line| keep(thread * LINES + line)))
        });
        while !threads
            .iter()
            .all(std::thread::ScopedJoinHandle::is_finished)
        {
            recorder.end_frame();
            std::thread::yield_now();
        }
    });
    // Lines that were being written when a frame ended: each one that was lost may cost a frame.
    (0..=MAX_LOG_LINES).for_each(|_| recorder.end_frame());
    let (lines, left_out) = read(&recorder);
    assert_eq!(lines.len() + left_out, THREADS * LINES);
    for thread in 0..THREADS {
        let of_thread = lines.iter().map(|(_, number)| *number);
        let of_thread: Vec<_> = of_thread
            .filter(|number| number / LINES == thread)
            .collect();
        assert!(of_thread.is_sorted_by(|a, b| a < b), "in order, and once");
    }
}

#[test]
fn a_log_evicts_no_other_mark() {
    let _alone = alone();
    let mut recorder = Recorder::with_history(100_000);
    recorder.mark("open", MarkEvent::Begin);
    for number in 0..2 * MAX_MARKS {
        if number % 100 == 0 {
            recorder.mark("person", MarkEvent::Point);
        }
        keep(number);
        recorder.end_frame();
    }
    let marks = recorder.marks();
    assert_eq!(marks.len(), MAX_MARKS);
    let of_person = marks.iter().filter(|mark| mark.name == "person");
    assert_eq!(of_person.count(), (2 * MAX_MARKS).div_ceil(100));
    assert!(marks[0].is_open());
    let last = format!("log info test: line {}", 2 * MAX_MARKS - 1);
    assert_eq!(marks.last().map(|mark| mark.name.as_str()), Some(&*last));
}

#[test]
fn a_line_allocates_nothing_after_the_first() {
    let _alone = alone();
    keep(0);
    let mut recorder = Recorder::with_history(10);
    assert_eq!(allocations(|| (0..1_000).for_each(keep)), 0);
    let mut frames = |count: usize| {
        for number in 0..count {
            keep(number + 1_000_000);
            recorder.end_frame();
        }
    };
    // Until the list of marks, and the memory of their names, are as large as they get.
    frames(3 * MAX_MARKS);
    assert_eq!(allocations(|| frames(MAX_MARKS)), 0);
}
