//! The series that a recorder sees.

use stats_core::{Recorder, find};
use stats_memory::{Group, current_tag, publish, scope, totals};

use super::{Block, Random, TAGS, alone, times};

static SERIES: Group = Group::new("series").budget_bytes(1 << 30);

/// Ends a frame, and returns the values of the series in it.
fn frame(recorder: &mut Recorder, paths: &[&str]) -> Vec<f64> {
    publish();
    recorder.end_frame();
    paths
        .iter()
        .map(|path| recorder.peek(find(path).unwrap()).unwrap_or(f64::NAN))
        .collect()
}

#[test]
fn scopes_groups_and_frames_add_up() {
    let _alone = alone();
    let _outer = scope!("series/outer", group: SERIES);
    let mut recorder = Recorder::new();
    drop(Block::new(&TAGS, 1, 1));
    publish();
    let ends = ["total", "allocations", "frame-allocations", "frame-bytes"];
    let paths: Vec<String> = ["memory/scopes/series/outer", "memory/groups/series"]
        .iter()
        .flat_map(|path| ends.map(|end| format!("{path}/{end}")))
        .chain([
            "memory/frame-allocations".into(),
            "memory/frame-bytes".into(),
        ])
        .collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    frame(&mut recorder, &paths);
    let before = frame(&mut recorder, &paths);
    assert_eq!(before, [0.0; 10]);
    let one = Block::new(&TAGS, 1000, 8);
    let mut two = Block::new(&TAGS, 500, 8);
    two.resize(700);
    let frame_one = [1700.0, 2.0, 3.0, 2200.0];
    assert_eq!(
        frame(&mut recorder, &paths),
        [&frame_one[..], &frame_one, &[3.0, 2200.0]].concat()
    );
    drop(one);
    let frame_two = [700.0, 1.0, 0.0, 0.0];
    assert_eq!(
        frame(&mut recorder, &paths),
        [&frame_two[..], &frame_two, &[0.0, 0.0]].concat()
    );
    drop(two);
    assert_eq!(frame(&mut recorder, &paths), [0.0; 10]);
}

#[test]
fn gauges_match_the_totals() {
    let _alone = alone();
    let block = Block::new(&TAGS, 12_345_678, 8);
    let mut recorder = Recorder::new();
    publish();
    let values = frame(
        &mut recorder,
        &[
            "memory/total",
            "memory/allocations",
            "memory/peak",
            "memory/overhead",
            "memory/peak-allocations",
        ],
    );
    drop(block);
    publish();
    let totals = totals();
    assert_eq!(values[0], (totals.bytes + 12_345_678) as f64);
    assert_eq!(values[1], (totals.allocations + 1) as f64);
    assert!(values[2] >= values[0] && values[3] >= 8.0 * values[1]);
    assert_eq!(values[4], totals.peak_allocations as f64);
    assert_eq!(
        frame(&mut recorder, &["memory/peak"])[0],
        totals.peak_bytes as f64
    );
}

/// Each allocation made while another thread publishes appears in exactly one frame.
#[test]
fn frames_add_up_to_all_that_threads_allocated() {
    let _alone = alone();
    let mut recorder = Recorder::new();
    drop(Block::new(&TAGS, 1, 1));
    publish();
    let paths = [
        "memory/frame-allocations",
        "memory/frame-bytes",
        "memory/scopes/beside/frame-bytes",
    ];
    let tag = current_tag().scope("beside");
    let made = |n: usize| {
        let _scope = tag.enter();
        (0..n).for_each(|n| drop(Block::new(&TAGS, n % 500 + 1, 8)));
    };
    made(1);
    publish();
    let watches = paths.map(|path| recorder.watch(find(path).unwrap()));
    let mut sums = [0.0; 3];
    // Frame by frame, since there may be more frames than a recorder keeps.
    let mut end_frame = |sums: &mut [f64; 3]| {
        publish();
        recorder.end_frame();
        for (sum, watch) in sums.iter_mut().zip(&watches) {
            *sum += recorder.history(watch, 1).iter().sum::<f64>();
        }
    };
    let before = totals();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|_| scope.spawn(|| made(times(20_000))))
            .collect();
        while threads.iter().any(|thread| !thread.is_finished()) {
            end_frame(&mut sums);
        }
    });
    end_frame(&mut sums);
    let now = totals();
    let made_in_all = 3 * times(20_000) as u64;
    let bytes = (now.allocated_bytes - before.allocated_bytes) as f64;
    assert_eq!(
        (now.allocations_made - before.allocations_made, sums),
        (made_in_all, [made_in_all as f64, bytes, bytes])
    );
}

static MANY: Group = Group::new("series-many");

/// New scopes are published in parts, and none of their counts are lost. The whole process and the
/// groups are never late.
#[test]
fn many_new_scopes_are_published_over_several_frames() {
    const NEW: usize = 700;
    let _alone = alone();
    // Publishes the tags that other tests left.
    (0..100).for_each(|_| publish());
    let tags: Vec<_> = (0..NEW)
        .map(|n| {
            current_tag()
                .group(&MANY)
                .scope("series-new")
                .scope(&n.to_string())
        })
        .collect();
    let path = |n: usize, end: &str| format!("memory/scopes/series-new/{n}/{end}");
    let (mut recorder, mut random) = (Recorder::new(), Random::new(5));
    // Watched before they are published.
    let watch = |n| {
        recorder.watch(
            stats_core::counter(&path(n, "frame-bytes"))
                .unit(stats_core::Unit::Bytes)
                .id(),
        )
    };
    let watches: Vec<_> = (0..NEW).map(watch).collect();
    frame(&mut recorder, &["memory/frame-allocations"]);
    let (mut blocks, mut bytes, mut made) = (Vec::new(), vec![0; NEW], vec![0; NEW]);
    let mut published = vec![0.0; NEW];
    for known in [256, 512, NEW, NEW] {
        let before = totals();
        for n in 0..NEW {
            let _scope = tags[n].enter();
            let block = Block::new(&TAGS, random.index(90) + 1, 8);
            (bytes[n], made[n]) = (bytes[n] + block.bytes(), made[n] + block.bytes());
            if random.index(3) == 0 {
                bytes[n] -= block.bytes();
                drop(block);
            } else {
                blocks.push(block);
            }
        }
        let held = bytes.iter().sum::<usize>() as f64;
        let values = frame(
            &mut recorder,
            &[
                "memory/total",
                "memory/frame-allocations",
                "memory/groups/series-many/total",
            ],
        );
        let now = totals();
        assert_eq!(values, [now.bytes as f64, NEW as f64, held]);
        assert_eq!(now.allocations_made - before.allocations_made, NEW as u64);
        assert_eq!(
            (0..NEW)
                .filter(|n| find(&path(*n, "total")).is_some())
                .count(),
            known
        );
        for n in 0..NEW {
            published[n] += recorder.history(&watches[n], 1).iter().sum::<f64>();
            let is_known = n < known;
            assert_eq!(published[n], if is_known { made[n] as f64 } else { 0.0 });
            assert_eq!(
                find(&path(n, "total")).and_then(|id| recorder.peek(id)),
                is_known.then_some(bytes[n] as f64)
            );
        }
    }
}
