//! Each scope is recorded in the frame that it belongs to, in either order of the loop.

use puffin::{ProfilerScope, ScopeId, ThreadProfiler};
use stats_core::Recorder;
use stats_puffin::{NewFrame, Options, PuffinSource};

use crate::turns::{alone, calls_of, new_frame, values};

/// A step of the game loop.
#[derive(Clone, Copy, Debug)]
enum Step {
    NewFrame,
    /// Runs the number of scopes of the round.
    Work,
    EndFrame,
}

use Step::{EndFrame as End, NewFrame as New, Work};

fn work(id: ScopeId, scopes: usize) {
    (0..scopes).for_each(|_| drop(ProfilerScope::new(id, "")));
}

/// Returns the number of scopes in each frame of a recorder, over 20 rounds of `steps`. Round `n`
/// has 100 + `n` scopes.
fn scopes_by_frame(new_frame_is: NewFrame, steps: [Step; 3]) -> Vec<Option<f64>> {
    let _turn = alone();
    // Each run uses a different name, because a name from an earlier run would already be listed
    // before this source registers it.
    let name = format!("{new_frame_is:?}: {steps:?}");
    let id = ThreadProfiler::call(|thread| thread.register_named_scope(name.clone(), "", "", 0));
    // A long queue, because rounds are shorter than the frames of any game.
    let mut options = Options::default();
    options.new_frame = new_frame_is;
    options.queued_frames = 64;
    let source = PuffinSource::install_with(&options);
    let mut recorder = Recorder::new();
    let round = |recorder: &mut Recorder, scopes| {
        for step in steps {
            match step {
                New => new_frame(),
                Work => work(id, scopes),
                End => recorder.end_frame(),
            }
        }
    };
    (0..4).for_each(|_| round(&mut recorder, 1));
    let watch = recorder.watch(calls_of(&format!("puffin/scopes/{name}")));
    let first = recorder.frames().end;
    (0..20).for_each(|scopes| round(&mut recorder, 100 + scopes));
    // Two more rounds with work, since puffin does not report frames without scopes.
    (0..2).for_each(|_| round(&mut recorder, 1));
    drop(source);
    // Ends frames until all values are known.
    (0..2).for_each(|_| recorder.end_frame());
    values(&recorder, &watch, first)
}

/// Returns whether each round from the second on is in the frame `shift` after its own. The watch
/// may have begun during the first round.
fn rounds(by_frame: &[Option<f64>], shift: usize) -> bool {
    (1..20).all(|round| by_frame[round + shift] == Some(100.0 + round as f64))
}

#[test]
fn with_new_frame_before_the_work_scopes_are_in_the_frame_that_begins() {
    for steps in [[New, Work, End], [End, New, Work]] {
        let by_frame = scopes_by_frame(NewFrame::BeginsFrame, steps);
        // A round that starts by ending a frame does its work in the next frame.
        let shift = usize::from(matches!(steps[0], End));
        assert!(rounds(&by_frame, shift), "{by_frame:?}");
    }
}

#[test]
fn with_new_frame_after_the_work_scopes_are_in_the_frame_that_ends() {
    for steps in [[Work, New, End], [New, End, Work]] {
        let by_frame = scopes_by_frame(NewFrame::EndsFrame, steps);
        let shift = usize::from(matches!(steps[0], New));
        assert!(rounds(&by_frame, shift), "{by_frame:?}");
    }
}

#[test]
fn with_the_wrong_option_scopes_are_one_frame_off() {
    assert!(rounds(
        &scopes_by_frame(NewFrame::EndsFrame, [New, Work, End]),
        1
    ));
    let by_frame = scopes_by_frame(NewFrame::BeginsFrame, [Work, New, End]);
    assert!(
        (2..20).all(|round| by_frame[round - 1] == Some(100.0 + round as f64)),
        "{by_frame:?}"
    );
}
