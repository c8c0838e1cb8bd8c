use stats_core::limits::PEEK_FRAMES;
use stats_core::{Recorder, counter, gauge, timer};

#[test]
fn a_peek_returns_the_value_of_the_newest_frame_without_a_history() {
    let (series, level, timer) = (
        counter("test/peeks/sum"),
        gauge("test/peeks/level"),
        timer("test/peeks/timer"),
    );
    let mut recorder = Recorder::new();
    series.add(1000);
    level.set(5);
    assert_eq!(
        recorder.peek(series.id()),
        None,
        "adds before the first peek belong to no frame"
    );
    assert_eq!(recorder.peek(level.id()), Some(5.0));
    assert_eq!(recorder.peek(timer.calls_id()), None);
    series.add(7);
    timer.record_ms(1);
    recorder.end_frame();
    assert_eq!(recorder.peek(series.id()), Some(7.0));
    assert_eq!(recorder.peek(timer.calls_id()), Some(1.0));
    series.add(1);
    assert_eq!(
        recorder.peek(series.id()),
        Some(7.0),
        "the value stays until the frame ends"
    );
    recorder.end_frame();
    assert_eq!(recorder.peek(series.id()), Some(1.0));
    assert_eq!(recorder.watched(), 0);
}

#[test]
fn peeks_that_are_not_repeated_are_forgotten_and_others_continue() {
    let all: Vec<_> = (0..50)
        .map(|n| counter(&format!("test/peeks/forgotten/{n}")))
        .collect();
    let mut recorder = Recorder::new();
    all.iter()
        .for_each(|series| assert_eq!(recorder.peek(series.id()), None));
    for frame in 0..PEEK_FRAMES * 2 {
        all.iter()
            .enumerate()
            .for_each(|(n, series)| series.add(n + 1));
        recorder.end_frame();
        for (n, series) in all.iter().enumerate().filter(|(n, _)| n % 3 == 0) {
            assert_eq!(
                recorder.peek(series.id()),
                Some((n + 1) as f64),
                "frame {frame}"
            );
        }
    }
    assert_eq!(recorder.peek(all[1].id()), None);
    assert_eq!(recorder.peek(all[3].id()), Some(4.0));
}
