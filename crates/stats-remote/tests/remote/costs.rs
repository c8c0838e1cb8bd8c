//! What timers cost is the same in a viewer: totals, self times and calls as series, and by thread and by
//! the longest call from the scopes.

use std::collections::BTreeMap;
use std::ops::Range;

use stats_core::limits::LATE_FRAMES;
use stats_core::source::Listed;
use stats_core::{FrameSlice, SeriesId, Source, Timer};

use super::Game;
use super::scopes::alone;

static OUTER: Timer = Timer::new("costs/outer");
static INNER: Timer = Timer::new("costs/inner");

fn work(turns: u64) {
    std::hint::black_box((0..turns * 50).fold(0_u64, |sum, n| sum.wrapping_add(n * n)));
}

fn play(frame: u64) {
    OUTER.time(|| {
        work(1);
        (0..frame % 4).for_each(|turn| INNER.time(|| work(turn)));
    });
    if frame.is_multiple_of(20) {
        let run = || INNER.time(|| work(3));
        let worker = std::thread::Builder::new().name("costs worker".to_owned());
        let worker = worker.spawn(run).expect("it runs");
        worker.join().expect("it ends");
    }
}

/// What a timer costs on a thread: calls, total, self time, and the longest call, in nanoseconds.
type Costs = BTreeMap<(String, String), [i64; 4]>;

/// Sums up the costs of some frames as their definition says: time belongs to the innermost scope.
fn costs(source: &mut dyn Source, frames: Range<u64>) -> Costs {
    let mut paths = BTreeMap::new();
    source.list(Listed::All, &mut |info| {
        paths.insert(info.id, info.path.to_owned());
        std::ops::ControlFlow::Continue(())
    });
    let timeline = source
        .timeline(std::slice::from_ref(&frames))
        .expect("it has scopes");
    let mut costs = Costs::new();
    for frame in frames {
        let frame = timeline.frame(frame).expect("it is there");
        for (lane, scopes) in frame.lanes() {
            for (at, scope) in scopes.iter().enumerate() {
                let path = paths[&scope.series()].clone();
                let inside = scopes[at + 1..]
                    .iter()
                    .take_while(|s| s.depth() > scope.depth());
                let children = inside.filter(|inner| inner.depth() == scope.depth() + 1);
                let of_children: i64 = children.map(|inner| inner.duration_ns()).sum();
                let cost = costs.entry((lane.name.to_owned(), path)).or_default();
                cost[0] += i64::from(!scope.is_open());
                cost[1] += scope.duration_ns();
                cost[2] += scope.duration_ns() - of_children;
                cost[3] = cost[3].max(scope.duration_ns());
            }
        }
    }
    costs
}

/// Returns the series of what a timer costs: total, calls and self time.
fn parts(source: &dyn Source, path: &str) -> [SeriesId; 3] {
    let mut parts = None;
    source.list(Listed::All, &mut |info| {
        if info.path == path {
            parts = Some([Some(info.id), info.calls, info.self_time]);
        }
        std::ops::ControlFlow::Continue(())
    });
    parts
        .expect("it is listed")
        .map(|part| part.expect("a timer has it"))
}

fn bits(values: FrameSlice<'_>, frames: Range<u64>) -> Vec<u64> {
    let values = values.within(frames.clone());
    assert_eq!(values.frames(), frames);
    values.iter().map(f64::to_bits).collect()
}

#[test]
fn costs_of_the_same_frames_are_those_of_the_game() {
    const PATHS: [&str; 2] = ["costs/outer", "costs/inner"];
    let _alone = alone();
    let mut game = Game::start(play);
    let mut viewer = game.viewer();
    let mut watches = Vec::new();
    for path in PATHS {
        game.listed(&mut viewer, path);
        let (own, shown) = (parts(&game.recorder, path), parts(&viewer, path));
        watches.extend(own.into_iter().zip(shown).map(|(own, shown)| {
            let of_viewer = viewer.watch(shown);
            (game.recorder.watch(own), of_viewer)
        }));
    }
    let mut frames = 0..0;
    game.play_until(|game| {
        game.wait_for(&mut viewer);
        let end = viewer.frames().end;
        let timeline = viewer
            .timeline(&[end.saturating_sub(60)..end])
            .expect("it has one");
        let mut known = timeline.frames().map(|frame| frame.index());
        if let (Some(first), Some(last)) = (known.next(), known.next_back()) {
            frames = first + 5..last.min(end).saturating_sub(LATE_FRAMES);
        }
        frames.end > frames.start + 200
    });
    let (own, shown) = (
        costs(&mut game.recorder, frames.clone()),
        costs(&mut viewer, frames.clone()),
    );
    assert_eq!(own, shown);
    let cost = shown[&("costs worker".to_owned(), "costs/inner".to_owned())];
    let frames_of_worker = (frames.end - frames.start - 1) / 20;
    assert!(
        cost[0] as u64 >= frames_of_worker && cost[3] > 0,
        "{cost:?}"
    );
    for (own, shown) in &watches {
        assert_eq!(
            bits(viewer.history(shown, usize::MAX), frames.clone()),
            bits(game.recorder.history(own, usize::MAX), frames.clone())
        );
    }
}
