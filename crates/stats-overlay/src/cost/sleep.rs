//! Detects that the host slept until something happened. That time belongs to no frame.

use egui::Context;

/// A host has slept if it was not asked to repaint and draws more than this many seconds after its
/// previous pass.
const SLEEP_SECS: f64 = 0.1;
/// A host never sleeps if it draws this many consecutive passes without a request or an input, each
/// at most `OWN_PACE_SECS` after the previous one. A text cursor blinks more slowly.
const OWN_PACE: u32 = 10;
const OWN_PACE_SECS: f64 = 0.4;

/// Distinguishes hosts that repaint when something happens, such as eframe, from games that draw
/// continuously without requests.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HostSleep {
    /// When the previous frame began, on egui's clock.
    previous_secs: Option<f64>,
    /// The number of consecutive passes that came soon, without a request or an input.
    unexplained: u32,
}

impl HostSleep {
    /// Returns whether the host has slept before this pass. Call it once a frame.
    pub(crate) fn has_slept(&mut self, ctx: &Context) -> bool {
        if self.unexplained >= OWN_PACE {
            return false;
        }
        let (now_secs, has_input) = ctx.input(|input| (input.time, !input.raw.events.is_empty()));
        let Some(previous_secs) = self.previous_secs.replace(now_secs) else {
            return false;
        };
        if ctx.requested_repaint_last_pass() {
            return false;
        }
        let secs = now_secs - previous_secs;
        if !has_input {
            let is_paced = secs <= OWN_PACE_SECS;
            self.unexplained = if is_paced { self.unexplained + 1 } else { 0 };
        }
        secs > SLEEP_SECS
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use egui::{Event, RawInput};

    use super::*;

    /// A host whose clock the test sets.
    #[derive(Default)]
    struct Host {
        ctx: Context,
        sleep: HostSleep,
        now_secs: f64,
        /// Whether the last pass asked for another one at once.
        is_asked: bool,
    }

    impl Host {
        /// Draws a pass, with or without an input. Returns whether the host slept before it.
        fn pass(&mut self, after_secs: f64, has_input: bool, repaint: bool) -> bool {
            self.now_secs += after_secs;
            let input = RawInput {
                time: Some(self.now_secs),
                events: Vec::from_iter(has_input.then_some(Event::PointerGone)),
                ..RawInput::default()
            };
            let mut has_slept = false;
            let mut output = self.ctx.run_ui(input, |ui| {
                has_slept = self.sleep.has_slept(ui.ctx());
                if repaint {
                    ui.ctx().request_repaint();
                }
            });
            output.textures_delta.clear();
            let delay = output.viewport_output[&egui::ViewportId::ROOT].repaint_delay;
            self.is_asked = delay == Duration::ZERO;
            has_slept
        }

        /// Draws the passes that egui asks for.
        fn draw_asked(&mut self) {
            while self.is_asked {
                assert!(!self.pass(0.2, false, false), "asked for");
            }
        }
    }

    #[test]
    fn a_host_that_waits_for_input_has_slept() {
        let mut host = Host::default();
        assert!(!host.pass(0.0, false, false), "the first pass");
        host.draw_asked();
        for _ in 0..40 {
            assert!(host.pass(3.0, true, false), "an input");
            host.draw_asked();
            assert!(!host.pass(0.05, true, false), "another one soon after it");
            host.draw_asked();
            assert!(host.pass(0.5, false, false), "a blinking cursor");
            host.draw_asked();
        }
    }

    #[test]
    fn the_time_between_passes_that_were_asked_for_is_not_sleep() {
        let mut host = Host::default();
        for _ in 0..40 {
            assert!(!host.pass(0.7, true, true));
        }
    }

    #[test]
    fn a_game_that_draws_without_being_asked_never_sleeps() {
        let mut host = Host::default();
        (0..20).for_each(|_| _ = host.pass(0.15, false, false));
        for secs in [0.016, 0.2, 5.0] {
            host.is_asked = false;
            assert!(!host.pass(secs, true, false), "a frame of {secs} s");
            assert!(!host.pass(secs, false, false), "a frame of {secs} s");
        }
    }
}
