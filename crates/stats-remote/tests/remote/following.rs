//! A viewer shows what the game itself would show.

use std::ops::ControlFlow;

use stats_core::source::Listed;
use stats_core::{
    Counter, DeferredSource, FrameSlice, Gauge, MarkEvent, Source, Timer, Unit, gauge,
};
use stats_remote::{RemoteOptions, RemoteSource};

use super::{Game, wait_until};

static COUNTER: Counter = Counter::new("following/counter").budget(9.0);
static GAUGE: Gauge = Gauge::new("following/gauge").unit(Unit::Meters);
static TIMER: Timer = Timer::new("following/timer");

fn play(frame: u64) {
    COUNTER.add(frame % 7);
    GAUGE.set((frame as f64).sqrt());
    TIMER.record(std::time::Duration::from_nanos(1000 * frame + 7));
}

/// Fails unless all frames of the viewer have the values of the game. Returns their number.
fn assert_same(of_viewer: FrameSlice<'_>, of_game: FrameSlice<'_>) -> usize {
    for (frame, value) in of_viewer.frames().zip(of_viewer.iter()) {
        let expected = of_game.at(frame).map(f64::to_bits);
        assert_eq!(Some(value.to_bits()), expected, "frame {frame}");
    }
    of_viewer.len()
}

#[test]
fn histories_are_those_of_the_game_from_before_the_connection_on() {
    let mut game = Game::start(play);
    let paths = ["following/counter", "following/gauge", "following/timer"];
    play(0);
    let own = paths.map(|path| {
        game.recorder
            .watch(stats_core::find(path).expect("it counted"))
    });
    (0..1000).for_each(|_| game.frame());
    let mut viewer = game.viewer();
    let watches = paths.map(|path| {
        let id = game.listed(&mut viewer, path);
        viewer.watch(id)
    });
    game.play_until(|game| {
        viewer.pump();
        for (watch, own) in watches.iter().zip(&own) {
            let of_game = game.recorder.history(own, usize::MAX);
            let len = assert_same(viewer.history(watch, usize::MAX), of_game);
            // Nothing is shown before the past is there.
            assert!(len == 0 || len > 900, "{len}");
        }
        assert_same(
            viewer.frame_times(usize::MAX),
            game.recorder.frame_times(usize::MAX),
        );
        viewer.frames().end > 2000
    });
    for watch in &watches {
        assert_eq!(viewer.history(watch, usize::MAX).first_frame(), 0);
        assert_eq!(viewer.history(watch, 10).len(), 10);
    }
    for index in viewer.frames() {
        assert_eq!(viewer.frame(index), game.recorder.frame(index));
    }
    assert_eq!(viewer.frame(viewer.frames().end), None);
    assert_eq!((viewer.status().gaps, viewer.status().refused), (0, 0));
}

#[test]
fn frames_that_were_lost_are_sent_again_and_no_value_changes() {
    let mut game = Game::start(play);
    let mut viewer = game.viewer();
    let id = game.listed(&mut viewer, "following/counter");
    let (watch, own) = (viewer.watch(id), stats_core::find("following/counter"));
    let own = game.recorder.watch(own.expect("it is registered"));
    game.play_until(|_| {
        viewer.pump();
        viewer.history(&watch, 1).last().is_some()
    });
    // The viewer acknowledges nothing, so the game sends no blocks after 32. They have up to 8 frames.
    let ahead = game.frames + 2500;
    game.play_until(|game| game.frames == ahead);
    let mut shown = viewer.history(&watch, usize::MAX).frames().end;
    game.play_until(|game| {
        viewer.pump();
        let history = viewer.history(&watch, usize::MAX);
        assert!(
            history.frames().end >= shown,
            "a frame that was shown stays"
        );
        shown = history.frames().end;
        assert_same(history, game.recorder.history(&own, usize::MAX));
        viewer.status().gaps > 0 && shown > 2500
    });
    let times = viewer.frame_times(usize::MAX);
    assert_same(times, game.recorder.frame_times(usize::MAX));
}

#[test]
fn the_listing_is_that_of_the_game_and_follows_it() {
    let mut game = Game::start(play);
    let mut viewer = game.viewer();
    game.listed(&mut viewer, "following/timer");
    let generation = viewer.generation();
    gauge("following/new").set(5.0);
    game.listed(&mut viewer, "following/new");
    let mut changed = 0;
    let end = viewer.list(Listed::ChangedSince(generation), &mut |info| {
        changed += 1;
        assert_eq!(viewer.find(info.path), Some(info.id));
        ControlFlow::Continue(())
    });
    assert!(changed > 0 && end.is_some_and(|end| end > 0));
    let of_viewer = |path: &str| {
        let mut found = None;
        viewer.list(Listed::All, &mut |info| {
            if info.path == path {
                let facts = (info.kind, info.unit, info.budget);
                found = Some((facts, info.calls.is_some(), info.self_time.is_some()));
            }
            ControlFlow::Continue(())
        });
        found
    };
    stats_core::for_each_series(|info| {
        if info.path.starts_with("following/") {
            let facts = (info.kind, info.unit, info.budget);
            let parts = (info.calls.is_some(), info.self_time.is_some());
            assert_eq!(
                of_viewer(info.path),
                Some((facts, parts.0, parts.1)),
                "{}",
                info.path
            );
        }
    });
}

/// A time with more digits than nanoseconds, and what is no time.
static FINE: Gauge = Gauge::new("following/fine").unit(Unit::Milliseconds);

#[test]
fn times_are_rounded_to_nanoseconds_for_the_viewers_that_ask_for_it_alone() {
    let mut game = Game::start(|frame| {
        play(frame);
        FINE.set((frame as f64 + 2.0).sqrt());
    });
    (0..500).for_each(|_| game.frame());
    let id = |path| stats_core::find(path).expect("it was set");
    let own = ["following/fine", "following/gauge"].map(|path| game.recorder.watch(id(path)));
    (0..500).for_each(|_| game.frame());
    let address = game.remote.address().to_string();
    for is_rounded in [false, true] {
        let address = match is_rounded {
            true => address.replace('#', "?rounded#"),
            false => address.clone(),
        };
        let address = address.parse().expect("it is an address");
        let mut viewer = RemoteSource::connect(&address).expect("the game answers");
        assert_eq!(viewer.status().is_rounded, is_rounded);
        let [fine, gauge] = ["following/fine", "following/gauge"].map(|path| {
            let id = game.listed(&mut viewer, path);
            (id, viewer.watch(id))
        });
        let ns = |ms: f64| (ms * 1e6).round() / 1e6;
        let expected = |ms| if is_rounded { ns(ms) } else { ms };
        let until = game.frames + 1000;
        let mut row = None;
        game.play_until(|game| {
            viewer.pump();
            row = viewer.peek(fine.0).or(row);
            let of_game = game.recorder.history(&own[0], usize::MAX);
            let history = viewer.history(&fine.1, usize::MAX);
            for (frame, value) in history.frames().zip(history.iter()) {
                assert_eq!(
                    Some(value),
                    of_game.at(frame).map(expected),
                    "frame {frame}"
                );
            }
            let of_game = game.recorder.history(&own[1], usize::MAX);
            assert_same(viewer.history(&gauge.1, usize::MAX), of_game);
            let times = viewer.frame_times(usize::MAX);
            let of_game = game.recorder.frame_times(usize::MAX);
            for (frame, ms) in times.frames().zip(times.iter()) {
                assert_eq!(Some(ms), of_game.at(frame).map(expected), "frame {frame}");
            }
            // From the past, from blocks and from the rows on screen.
            history.frames().end > until && history.len() > 900 && row.is_some()
        });
        let row = row.expect("it is there");
        assert_eq!(row == ns(row), is_rounded, "{row}");
        assert_eq!(viewer.status().to_string().contains("rounded"), is_rounded);
    }
}

#[test]
fn a_row_on_screen_has_the_newest_value_and_the_calls_of_a_timer_have_a_history() {
    let mut game = Game::start(play);
    let mut viewer = game.viewer();
    let id = game.listed(&mut viewer, "following/timer");
    let mut calls = None;
    viewer.list(Listed::Numbers(id.number()..id.number() + 1), &mut |info| {
        calls = info.calls;
        ControlFlow::Continue(())
    });
    let watch = viewer.watch(calls.expect("a timer counts its calls"));
    game.play_until(|_| {
        viewer.pump();
        let row = viewer.peek(id);
        let calls = viewer.history(&watch, usize::MAX);
        row.is_some_and(|ms| ms > 0.0) && calls.last() == Some(1.0)
    });
}

#[test]
fn deferred_values_are_in_the_frames_that_caused_them() {
    let mut game = Game::start(|_| {});
    let source = DeferredSource::new();
    let late = source.counter("following/late");
    let mut stamps = std::collections::VecDeque::new();
    let mut viewer = game.viewer();
    let id = game.listed(&mut viewer, "following/late");
    let watch = viewer.watch(id);
    let own = game
        .recorder
        .watch(stats_core::find("following/late").expect("it is registered"));
    game.play_until(|game| {
        stamps.push_back(source.issue());
        if stamps.len() > 5
            && let Some(stamp) = stamps.pop_front()
        {
            source.deliver(stamp, &[(late, game.frames as f64)]);
        }
        viewer.pump();
        let history = viewer.history(&watch, usize::MAX);
        let of_game = game.recorder.history(&own, usize::MAX);
        assert_same(history, of_game);
        history.len() > 300
    });
}

#[test]
fn marks_arrive_with_their_frames_and_later_changes() {
    let mut game = Game::start(play);
    game.recorder.mark("loading", MarkEvent::Begin);
    let mut viewer = game.viewer();
    for number in 0..100 {
        game.recorder
            .mark(&format!("point {number}"), MarkEvent::Point);
        game.frame();
    }
    game.play_until(|game| {
        viewer.pump();
        viewer.marks() == game.recorder.marks()
    });
    assert!(viewer.marks()[0].is_open());
    game.recorder.mark("loading", MarkEvent::End);
    game.recorder.mark_frames("afterward", 3..5);
    game.play_until(|game| {
        viewer.pump();
        viewer.marks() == game.recorder.marks()
    });
}

#[test]
fn a_game_that_was_started_again_goes_on_as_a_new_session() {
    let mut game = Game::start(play);
    let mut viewer = game.viewer();
    let id = game.listed(&mut viewer, "following/counter");
    let watch = viewer.watch(id);
    game.play_until(|_| {
        viewer.pump();
        viewer.history(&watch, usize::MAX).len() > 100
    });
    let (end, before) = (
        viewer.frames().end,
        viewer.history(&watch, 50).iter().collect::<Vec<_>>(),
    );
    let (port, text) = (
        game.remote.address().port(),
        game.remote.address().to_string(),
    );
    let token = text.split('#').nth(1).and_then(|token| token.parse().ok());
    drop(game);
    wait_until(|| {
        viewer.pump();
        viewer.status().error.is_some()
    });
    let mut options = RemoteOptions::default();
    (options.port, options.token) = (port, token);
    let mut game = Game::with(options, play);
    assert_eq!(game.remote.address().port(), port);
    // The game shows it itself, from its first frame on.
    let _own = game.recorder.watch(COUNTER.id());
    game.play_until(|_| {
        viewer.pump();
        let history = viewer.history(&watch, usize::MAX);
        history.frames().end > end + 100 && history.at(end + 50).is_some()
    });
    assert_eq!(viewer.find("following/counter"), Some(id));
    assert_eq!(viewer.status().error, None);
    let marks: Vec<_> = viewer.marks().iter().map(|mark| &mark.name[..]).collect();
    assert_eq!(marks, ["new session"]);
    let history = viewer.history(&watch, usize::MAX).within(end - 50..end);
    assert_eq!(history.iter().collect::<Vec<_>>(), before);
}

#[test]
fn a_watch_too_many_is_refused_and_said() {
    let mut options = RemoteOptions::default();
    (options.port, options.max_watches) = (0, 2);
    let mut game = Game::with(options, play);
    let mut viewer = game.viewer();
    let paths = ["following/counter", "following/gauge", "following/timer"];
    let watches = paths.map(|path| {
        let id = game.listed(&mut viewer, path);
        viewer.watch(id)
    });
    game.play_until(|_| {
        viewer.pump();
        viewer.status().refused == 1 && viewer.history(&watches[1], 1).len() == 1
    });
    assert!(viewer.history(&watches[2], usize::MAX).is_empty());
    assert_eq!(game.recorder.watched(), 2);
}

#[test]
fn nothing_is_kept_after_the_last_viewer_has_left() {
    let mut game = Game::start(play);
    let mut viewers = [game.viewer(), game.viewer()];
    for viewer in &mut viewers {
        let id = game.listed(viewer, "following/counter");
        let watch = viewer.watch(id);
        game.play_until(|_| {
            viewer.pump();
            viewer.history(&watch, 1).len() == 1
        });
        std::mem::forget(watch);
    }
    assert!(game.remote.is_watched());
    drop(viewers);
    game.play_until(|game| !game.remote.is_watched());
    game.frame();
    assert_eq!(game.recorder.watched(), 0);
    let mut again = game.viewer();
    game.listed(&mut again, "following/counter");
}

#[test]
fn the_game_lists_its_viewers_and_what_they_were_sent() {
    let mut game = Game::start(play);
    let own = |path: &str| stats_core::find(path);
    let mut viewer = game.viewer();
    game.listed(&mut viewer, "following/counter");
    let viewers = own("stats/remote-viewers").expect("a viewer is connected");
    let bytes = own("stats/remote-bytes").expect("it was sent something");
    let (viewers, bytes) = (game.recorder.watch(viewers), game.recorder.watch(bytes));
    game.play_until(|game| {
        viewer.pump();
        let sent = game.recorder.history(&bytes, usize::MAX);
        let is_there = game.recorder.history(&viewers, 1).last() >= Some(1.0);
        is_there && sent.iter().any(|bytes| bytes > 0.0)
    });
}
