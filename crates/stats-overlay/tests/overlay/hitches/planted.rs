//! Frames without a hitch, and with one that the tests plant.

use egui::{Vec2, vec2};
use egui_kittest::Harness;
use stats_core::timer;
use stats_overlay::{Mode, PaneView};

use crate::host::{Host, harness, value_of};

pub(super) const SIZE: Vec2 = vec2(1280.0, 800.0);

/// Ends a frame of `frame_ms`. In it, a scope inside another one takes `paths_ms`.
pub(crate) fn end_frame(host: &mut Host, scope: &str, frame_ms: f64, paths_ms: f64) {
    let (ai, paths) = (
        timer(&format!("{scope}/ai")),
        timer(&format!("{scope}/ai/paths")),
    );
    // Scopes say where they run, and the test how long. On a busy machine a scope takes any time,
    // so only the first frames have some.
    if host.recorder.frames().end < 5 {
        let _outer = ai.scope();
        let _inner = paths.scope();
    }
    paths.record_ms(paths_ms);
    timer(&format!("{scope}/render")).record_ms(6.0);
    let last = host.recorder.frames().end.checked_sub(1);
    let last = last.and_then(|last| host.recorder.frame(last));
    let begun_secs = last.map_or(0.0, |frame| frame.start_secs + frame.duration_ms / 1e3);
    host.recorder.end_frame_at(begun_secs + frame_ms / 1e3);
}

/// Shows the overlay in a mode before the first frame.
pub(super) fn shown(scope: &'static str, mode: Mode) -> Harness<'static, Host> {
    let mut host = Host::new(scope);
    host.overlay.set_mode(mode);
    let mut harness = harness(SIZE, host);
    harness.run_steps(1);
    harness
}

/// Runs frames without a hitch.
pub(crate) fn play(harness: &mut Harness<'_, Host>, scope: &str, frames: usize) {
    for _ in 0..frames {
        end_frame(harness.state_mut(), scope, 16.0, 1.0);
        harness.run_steps(1);
    }
}

/// Runs a frame in which the path search takes 12 ms more.
pub(crate) fn long_frame(harness: &mut Harness<'_, Host>, scope: &str) {
    end_frame(harness.state_mut(), scope, 28.0, 13.0);
    harness.run_steps(1);
}

/// Plays until frame 100, in which the path search takes 12 ms more, and for some more frames.
pub(crate) fn with_hitch(scope: &'static str, mode: Mode) -> Harness<'static, Host> {
    with_hitch_at(SIZE, scope, mode)
}

/// Like [`with_hitch`], in a window of this size.
pub(super) fn with_hitch_at(size: Vec2, scope: &'static str, mode: Mode) -> Harness<'static, Host> {
    let mut host = Host::new(scope);
    host.overlay.set_mode(mode);
    host.overlay.set_view(PaneView::Hitches);
    let mut harness = harness(size, host);
    harness.run_steps(1);
    play(&mut harness, scope, 100);
    long_frame(&mut harness, scope);
    play(&mut harness, scope, 40);
    harness
}

/// Returns the newest hitch in one line, without its frame at the beginning.
pub(super) fn hitch_text(harness: &Harness<'_, Host>) -> String {
    let line = value_of(harness, "Hitch");
    let (frame, text) = line.split_once(", ").expect("a frame");
    assert!(frame.starts_with("frame "), "{line}");
    text.to_owned()
}
