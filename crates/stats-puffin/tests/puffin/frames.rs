//! Each scope stands in the frame that it belongs to, whichever way the loop goes round.

use puffin::{ProfilerScope, ScopeId, ThreadProfiler};
use stats_core::Recorder;
use stats_puffin::{NewFrame, Options, PuffinSource};

use crate::turns::{alone, calls_of, new_frame, values};

/// What a loop does in a frame.
#[derive(Clone, Copy, Debug)]
enum Step {
    NewFrame,
    /// As many scopes as the number of the round.
    Work,
    PushFrame,
}

use Step::{NewFrame as New, PushFrame as Push, Work};

fn work(id: ScopeId, scopes: usize) {
    (0..scopes).for_each(|_| drop(ProfilerScope::new(id, "")));
}

/// How many scopes stand in each recorder frame that one round of 20 began in or ended; in round
/// `n` there are `n`.
fn scopes_by_frame(new_frame_is: NewFrame, steps: [Step; 3]) -> Vec<Option<f64>> {
    let _turn = alone();
    // A name for each run: that of another run is listed before this source has registered it.
    let name = format!("{new_frame_is:?}: {steps:?}");
    let id = ThreadProfiler::call(|thread| thread.register_named_scope(name.clone(), "", "", 0));
    // Rounds go faster than any game's frames.
    let source = PuffinSource::install_with(&Options {
        new_frame: new_frame_is,
        queued_frames: 64,
        ..Options::default()
    });
    let mut recorder = Recorder::new();
    let round = |recorder: &mut Recorder, scopes| {
        for step in steps {
            match step {
                New => new_frame(),
                Work => work(id, scopes),
                Push => recorder.end_frame(),
            }
        }
    };
    (0..4).for_each(|_| round(&mut recorder, 1));
    let watch = recorder.watch(calls_of(&format!("puffin/scopes/{name}")));
    let first = recorder.frames().end;
    (0..20).for_each(|scopes| round(&mut recorder, 100 + scopes));
    // Rounds without work are no puffin frames; this one is.
    (0..2).for_each(|_| round(&mut recorder, 1));
    drop(source);
    // Until every frame is known.
    (0..2).for_each(|_| recorder.end_frame());
    values(&recorder, &watch, first)
}

/// The rounds from the second one on: in the first, the watch may have begun within it.
fn rounds(by_frame: &[Option<f64>], shift: usize) -> bool {
    (1..20).all(|round| by_frame[round + shift] == Some(100.0 + round as f64))
}

#[test]
fn scopes_between_new_frame_and_the_end_of_the_frame() {
    for steps in [[New, Work, Push], [Push, New, Work]] {
        let by_frame = scopes_by_frame(NewFrame::BeginsFrame, steps);
        // Where the round ends the frame of the round before, its work is in the frame behind that.
        let shift = usize::from(matches!(steps[0], Push));
        assert!(rounds(&by_frame, shift), "{by_frame:?}");
    }
}

#[test]
fn scopes_between_the_end_of_the_frame_and_new_frame() {
    for steps in [[Work, New, Push], [New, Push, Work]] {
        let by_frame = scopes_by_frame(NewFrame::EndsFrame, steps);
        let shift = usize::from(matches!(steps[0], New));
        assert!(rounds(&by_frame, shift), "{by_frame:?}");
    }
}

#[test]
fn the_wrong_order_is_one_frame_off() {
    assert!(rounds(
        &scopes_by_frame(NewFrame::EndsFrame, [New, Work, Push]),
        1
    ));
    let by_frame = scopes_by_frame(NewFrame::BeginsFrame, [Work, New, Push]);
    assert!(
        (2..20).all(|round| by_frame[round - 1] == Some(100.0 + round as f64)),
        "{by_frame:?}"
    );
}
