//! The end of a frame, and the cost of registered paths that are not used.

use stats_bench::{Bar, Contest, Outcome, Table};
use stats_core::{CounterHandle, Recorder, counter};

const FRAMES: u64 = 2 * 1024;

pub(crate) fn measure(table: &mut Table) {
    let few = register(0..1_000);
    let with_few = end_frames(&few);
    // Registers without adding, which would allocate cells. The names are created first, so that
    // they do not count.
    let names: Vec<String> = (1_000..100_000).map(name).collect();
    let grown = stats_testing::grown_bytes(|| {
        for name in &names {
            let _ = counter(name);
        }
    });
    drop(register(1_000..100_000));
    let with_many = end_frames(&few);
    let ns = [with_many.ns(0), with_few.ns(0)];
    let what = "`end_frame` with 16 watched counters, 100,000 registered / 1,000 registered";
    table.row(what, &ns, ns[0] / ns[1], "×", Bar::AtMost(1.5));
    table.row(
        "memory of a path that is registered at run time and not used",
        &[],
        grown as f64 / 99_000.0,
        "bytes",
        Bar::AtMost(100.0),
    );
    let (watched, surveyed) = (with_many.ns(0), with_many.ns(1));
    table.row(
        "survey of 100,000 counters, for each",
        &[surveyed],
        (surveyed - watched) / 1e5,
        "ns",
        Bar::AtMost(10.0),
    );
}

fn register(numbers: std::ops::Range<u32>) -> Vec<CounterHandle> {
    let handles: Vec<_> = numbers.map(|number| counter(&name(number))).collect();
    handles.iter().for_each(CounterHandle::increment);
    handles
}

fn name(number: u32) -> String {
    format!("bench/frames/enemy-{number:06}/count")
}

fn end_frames(watched: &[CounterHandle]) -> Outcome {
    let mut plain = Recorder::new();
    let mut surveying = Recorder::new();
    let _watches: Vec<_> = watched
        .iter()
        .take(16)
        .map(|series| plain.watch(series.id()))
        .collect();
    Contest::new()
        .with(FRAMES, || (0..FRAMES).for_each(|_| plain.end_frame()))
        .with(FRAMES / 256, || {
            for _ in 0..FRAMES / 256 {
                surveying.survey();
                surveying.end_frame();
            }
        })
        .run()
}
