use stats_core::{
    Counter, CounterHandle, LocalCounter, Recorder, SeriesKind, TimerHandle, counter, generation,
};
use stats_testing::grown_bytes;

#[test]
fn a_hundred_thousand_idle_paths_cost_at_most_a_hundred_bytes_each() {
    const PATHS: usize = 100_000;
    let paths: Vec<String> = (0..PATHS)
        .map(|n| format!("test/memory/enemy-{n:05}/count"))
        .collect();
    let register = || {
        for path in &paths {
            let _ = counter(path);
        }
    };
    let grown = grown_bytes(register);
    let each = grown as f64 / PATHS as f64;
    println!(
        "{each:.1} bytes for each path, including {} for the path itself",
        paths[0].len()
    );
    assert!(each <= 100.0, "{each}");
    let again = grown_bytes(register);
    assert_eq!(again, 0, "registering the same paths again takes no memory");
}

#[test]
fn registering_without_facts_is_one_change() {
    let before = generation();
    let handle = counter("test/memory/generation");
    assert!(generation() > before);
    assert_eq!(handle, counter("test/memory/generation"));
}

#[test]
fn handles_are_as_small_as_they_can_be() {
    assert_eq!(size_of::<CounterHandle>(), 4);
    assert_eq!(size_of::<TimerHandle>(), 4);
    assert_eq!(size_of::<LocalCounter>(), 8);
    assert_eq!(size_of::<SeriesKind>(), 1);
    assert!(size_of::<Counter>() <= 80, "{}", size_of::<Counter>());
}

#[test]
fn a_recorder_takes_memory_only_for_watched_series() {
    let series = counter("test/memory/watched");
    let mut recorder = Recorder::with_history(4096);
    let mut watch = None;
    let grown = grown_bytes(|| watch = Some(recorder.watch(series.id())));
    assert!(
        (4096 * 8..4096 * 8 + 4096 + 512).contains(&grown),
        "{grown}"
    );
    assert!(recorder.history(&watch.unwrap(), 1).is_empty());
}
