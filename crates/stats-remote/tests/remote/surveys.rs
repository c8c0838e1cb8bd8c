//! A viewer surveys what the game itself would survey.

use std::collections::BTreeMap;

use stats_core::source::SurveyValue;
use stats_core::{Counter, DeferredSource, Gauge, SeriesId, Source, Timer};
use stats_remote::{RemoteOptions, RemoteSource};

use super::Game;

static COUNTER: Counter = Counter::new("surveys/counter");
static GAUGE: Gauge = Gauge::new("surveys/gauge");
static TIMER: Timer = Timer::new("surveys/timer");

fn play(frame: u64) {
    COUNTER.add(frame % 7);
    GAUGE.set((frame / 5) as f64);
    if frame.is_multiple_of(3) {
        TIMER.record(std::time::Duration::from_nanos(1000 * frame + 7));
    }
}

/// The series of the test, as a source numbers them.
fn ids(source: &dyn Source) -> Option<[SeriesId; 3]> {
    let [a, b, c] =
        ["counter", "gauge", "timer"].map(|name| source.find(&format!("surveys/{name}")));
    Some([a?, b?, c?])
}

/// Returns what a survey has of some series.
fn surveyed(
    survey: stats_core::source::Survey<'_>,
    ids: [SeriesId; 3],
) -> [Option<SurveyValue>; 3] {
    let all: BTreeMap<SeriesId, SurveyValue> = survey.iter().collect();
    ids.map(|id| all.get(&id).copied())
}

#[test]
fn each_frame_is_surveyed_with_the_values_and_changes_of_the_game() {
    let mut game = Game::start(play);
    let mut viewer = game.viewer();
    let (mut of_game, mut next, mut same) = (BTreeMap::new(), None, 0);
    let (mut is_known, mut has_changed) = ([false; 3], [false; 3]);
    game.play_until(|game| {
        let (end, listed) = (game.recorder.frames().end, ids(&game.recorder));
        if let (Some(ids), Some(survey)) = (listed, game.recorder.survey()) {
            of_game.insert(end, surveyed(survey, ids));
        }
        viewer.pump();
        let (end, Some(ids)) = (viewer.frames().end, ids(&viewer)) else {
            return false;
        };
        // Several frames arrive at once.
        let frames = next.replace(end).unwrap_or(end)..end;
        for frame in frames {
            let survey = viewer.survey_of(frame).expect("it has ended");
            let found = surveyed(survey, ids);
            let expected = &of_game[&(frame + 1)];
            // A hub without a processor loses frames, which are sent again later.
            let is_whole = viewer.status().gaps == 0;
            for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
                let (Some(found), Some(expected)) = (found, expected) else {
                    // Before the game sends it.
                    assert!(found.is_none(), "frame {frame}: {found:?}");
                    assert!(!is_known[at] || !is_whole, "frame {frame}");
                    continue;
                };
                is_known[at] = true;
                assert_eq!(found.value, expected.value, "frame {frame}");
                // The game may have seen a change before the viewer asked.
                has_changed[at] |= found.last_change.is_some();
                if has_changed[at] && is_whole {
                    assert_eq!(found.last_change, expected.last_change, "frame {frame}");
                }
                same += 1;
            }
        }
        viewer.survey();
        same > 1000
    });
    assert_eq!(viewer.survey_of(viewer.frames().end).map(|_| ()), None);
    assert_eq!(viewer.frame_thread(), game.recorder.frame_thread());
    assert!(viewer.frame_thread().is_some());
}

#[test]
fn late_values_are_surveyed_with_the_frames_that_caused_them() {
    let mut game = Game::start(|_| {});
    let source = DeferredSource::new();
    let late = source.counter("surveys/late");
    let mut stamps = std::collections::VecDeque::new();
    let mut viewer = game.viewer();
    let id = game.listed(&mut viewer, "surveys/late");
    let mut known = BTreeMap::new();
    game.play_until(|game| {
        stamps.push_back((game.frames, source.issue()));
        if stamps.len() > 5
            && let Some((frame, stamp)) = stamps.pop_front()
        {
            source.deliver(stamp, &[(late, frame as f64)]);
        }
        viewer.pump();
        let survey = viewer.survey().expect("it can tell");
        let newest = survey.value(id);
        for (_, value) in survey.iter().filter(|(of, _)| *of == id) {
            if let Some(frame) = value.last_change {
                known.insert(frame, value.value);
            }
        }
        assert!(newest.is_none_or(|newest| known.values().any(|value| *value == newest)));
        known.len() > 200
    });
    assert!(known.iter().all(|(frame, value)| *frame as f64 == *value));
}

/// Plays until the game watches this many series.
fn play_until_watched(game: &mut Game, viewer: &mut RemoteSource, asks: bool, watched: usize) {
    game.play_until(|game| {
        viewer.pump();
        if asks {
            viewer.survey();
        }
        game.recorder.watched() == watched
    });
}

#[test]
fn a_survey_has_as_many_series_as_the_game_sends_and_ends_with_the_last_question() {
    let mut options = RemoteOptions::default();
    (options.port, options.max_watches) = (0, 16);
    let mut game = Game::with(options, |_| {});
    let gauges: Vec<_> = (0..20)
        .map(|n| stats_core::gauge(&format!("surveys/many/{n}")))
        .collect();
    gauges.iter().for_each(|gauge| gauge.set(1.0));
    let mut viewer = game.viewer();
    // Half of them, one of which is the frame time, which needs no watch.
    play_until_watched(&mut game, &mut viewer, true, 7);
    assert!(viewer.status().unsurveyed >= 5, "{:?}", viewer.status());
    assert_eq!(viewer.status().refused, 0);
    let text = viewer.status().to_string();
    assert!(text.contains("series not searched for hitches"), "{text}");
    play_until_watched(&mut game, &mut viewer, false, 0);
    assert_eq!(viewer.status().unsurveyed, 0);
    play_until_watched(&mut game, &mut viewer, true, 7);
}
