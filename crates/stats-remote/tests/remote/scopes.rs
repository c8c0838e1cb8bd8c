//! A viewer has the scopes that the game itself would show, call by call.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_core::limits::LATE_FRAMES;
use stats_core::timeline::{LaneKind, Timeline};
use stats_core::{SeriesId, Source, Timer, timer};
use stats_remote::RemoteSource;

use super::Game;

/// Lets only one test collect scopes at a time: a timeline contains the scopes of all threads, and its room
/// is limited.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

static FRAME: Timer = Timer::new("scopes/frame");
static PART: Timer = Timer::new("scopes/part");
static WAIT: Timer = Timer::new("scopes/wait").wait();

fn play(frame: u64) {
    let _frame = FRAME.scope();
    for part in 0..frame % 5 {
        let _part = PART.scope();
        if part == 2 {
            drop(WAIT.scope());
        }
    }
    if frame.is_multiple_of(50) {
        std::thread::scope(|scope| {
            let worker = std::thread::Builder::new().name("scopes worker".to_owned());
            let run = || PART.time(|| timer("scopes/of a worker").time(|| ()));
            worker.spawn_scoped(scope, run).expect("it runs");
        });
    }
}

/// A call: lane, series, depth, begin, end, whether it is a wait, and whether it is open.
type Call = (String, String, u8, i64, i64, bool, bool);

/// A frame: its duration, the scopes that it lost, and its calls.
type Calls = (i64, u64, Vec<Call>);

/// Returns the calls of a frame. `path` names a series.
fn calls(timeline: &Timeline, frame: u64, path: &BTreeMap<SeriesId, String>) -> Option<Calls> {
    let frame = timeline.frame(frame)?;
    let mut calls = Vec::new();
    for (lane, scopes) in frame.lanes() {
        assert_eq!(lane.kind, LaneKind::Thread);
        for scope in scopes {
            calls.push((
                lane.name.to_owned(),
                path.get(&scope.series()).cloned().unwrap_or_default(),
                scope.depth(),
                scope.begin_ns(),
                scope.end_ns(),
                scope.is_wait(),
                scope.is_open(),
            ));
        }
    }
    calls.sort_unstable();
    Some((frame.duration_ns(), frame.lost(), calls))
}

fn paths(source: &dyn Source) -> BTreeMap<SeriesId, String> {
    let mut paths = BTreeMap::new();
    source.list(stats_core::source::Listed::All, &mut |info| {
        paths.insert(info.id, info.path.to_owned());
        std::ops::ControlFlow::Continue(())
    });
    paths
}

/// Plays until a viewer that asks for some of the newest frames has followed for a while.
fn follow(game: &mut Game, viewer: &mut RemoteSource, frames: u64) {
    let mut begun = None;
    game.play_until(|game| {
        game.wait_for(viewer);
        let end = viewer.frames().end;
        let timeline = viewer.timeline(&[end.saturating_sub(3)..end]);
        let newest = timeline.and_then(|timeline| timeline.frames().next_back()?.index().into());
        newest.is_some_and(|newest: u64| newest > *begun.get_or_insert(newest) + frames)
    });
}

/// Fails unless a viewer has the scopes of some frames as the game has them. Frames that may still change
/// are not compared. Returns how many it compared.
fn assert_same(game: &mut Game, viewer: &mut RemoteSource, frames: Range<u64>) -> usize {
    let (of_game, of_viewer) = (paths(&game.recorder), paths(viewer));
    let mut compared = 0;
    for frame in frames {
        let own = game.recorder.timeline(&[]).expect("it has one");
        let expected = calls(own, frame, &of_game);
        let shown = viewer.timeline(&[frame..frame + 1]).expect("it has one");
        let Some(shown) = calls(shown, frame, &of_viewer) else {
            continue;
        };
        assert_eq!(Some(shown), expected, "frame {frame}");
        compared += 1;
    }
    compared
}

#[test]
fn scopes_of_the_newest_frames_are_those_of_the_game() {
    let _alone = alone();
    let mut game = Game::start(play);
    let mut viewer = game.viewer();
    game.listed(&mut viewer, "scopes/frame");
    follow(&mut game, &mut viewer, 300);
    let newest = viewer.timeline(&[]).and_then(|timeline| {
        let frames: Vec<u64> = timeline.frames().map(|frame| frame.index()).collect();
        Some(*frames.first()?..*frames.last()? - LATE_FRAMES)
    });
    let newest = newest.expect("frames arrived");
    let compared = assert_same(&mut game, &mut viewer, newest.clone());
    assert!(compared as u64 > 200, "{compared} of {newest:?}");
}

#[test]
fn frames_that_only_the_game_kept_arrive_when_a_view_asks_for_them() {
    let _alone = alone();
    let mut game = Game::start(play);
    let mut viewer = game.viewer();
    game.listed(&mut viewer, "scopes/frame");
    // The flight recorder of the game, and nobody else, collects.
    let begin = game.frames + 5;
    game.play_until(|game| {
        game.recorder.timeline(&[]);
        game.frames > begin + 300
    });
    let hitch = begin + 100;
    let own = game.recorder.timeline(&[]).expect("it has one");
    own.keep(hitch - 3..hitch + 4);
    let wanted = hitch - 3..hitch + 4;
    game.play_until(|_| {
        viewer.pump();
        let timeline = viewer
            .timeline(std::slice::from_ref(&wanted))
            .expect("it has one");
        wanted.clone().all(|frame| timeline.frame(frame).is_some())
    });
    assert_eq!(assert_same(&mut game, &mut viewer, wanted.clone()), 7);
    // They stay while the newest frames follow, and another viewer gets them, too.
    let mut other = game.viewer();
    game.play_until(|_| {
        for viewer in [&mut viewer, &mut other] {
            viewer.pump();
        }
        other
            .timeline(std::slice::from_ref(&wanted))
            .is_some_and(|timeline| wanted.clone().all(|frame| timeline.frame(frame).is_some()))
    });
    assert_eq!(assert_same(&mut game, &mut other, wanted.clone()), 7);
    assert_eq!(assert_same(&mut game, &mut viewer, wanted), 7);
}

#[test]
fn five_thousand_scopes_a_frame_arrive_whole() {
    let _alone = alone();
    const GROUPS: u64 = 1250;
    let mut game = Game::start(|_| {
        let timers = [
            timer("scopes/full/a"),
            timer("scopes/full/b"),
            timer("scopes/full/c"),
        ];
        for group in 0..GROUPS {
            let _outer = timers[0].scope();
            timers[1].time(|| timers[2].time(|| std::hint::black_box(group)));
            drop(timers[2].scope());
        }
    });
    let mut viewer = game.viewer();
    game.listed(&mut viewer, "scopes/full/a");
    let sent = game
        .recorder
        .watch(stats_core::find("stats/remote-bytes").expect("it counts"));
    follow(&mut game, &mut viewer, 40);
    let newest = viewer.timeline(&[]).and_then(|timeline| {
        let whole = |frame: &stats_core::timeline::FrameScopes<'_>| {
            frame.lost() == 0 && frame.scopes().len() as u64 >= 4 * GROUPS
        };
        timeline.frames().rfind(whole).map(|frame| frame.index())
    });
    assert!(newest.is_some(), "a frame arrived whole");
    // Other tests send, too; alone, it is what the scopes take.
    let bytes: f64 = game.recorder.history(&sent, 30).iter().sum();
    println!("{} bytes a scope", bytes / 30.0 / (4 * GROUPS) as f64);
}
