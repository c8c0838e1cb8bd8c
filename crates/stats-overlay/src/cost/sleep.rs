//! Detects that the host slept until something happened. That time belongs to no frame.

use std::time::Duration;

use egui::{Context, RawInput, Rect, Theme, ViewportId};

use super::stopwatch::processor_time;

/// A pass more than this many seconds after the previous one may have followed sleep. A shorter
/// time is a frame.
const SLEEP_SECS: f64 = 0.1;
/// The share of the time between two passes for which the thread works, at least, if that time is a
/// frame and not sleep.
const WORK: f64 = 0.5;
/// A host never sleeps if it draws this many consecutive passes that neither an input nor a request
/// explains.
const OWN_PACE: u32 = 10;

/// Distinguishes hosts that repaint when something happens, such as eframe, from games that draw
/// continuously without requests.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HostSleep {
    /// When the previous frame began, on egui's clock.
    previous_secs: Option<f64>,
    /// The processor time of the thread then; `None` if the system does not report it.
    worked: Option<Duration>,
    window: Option<Window>,
    /// The viewport in which the overlay asked for the next pass, if it did.
    asked_in: Option<ViewportId>,
    /// The number of consecutive passes that nothing explains.
    unexplained: u32,
}

/// What makes a host repaint when it changes, without an event of egui.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Window {
    area: Option<Rect>,
    /// With its frame, on the monitor.
    outer: Option<Rect>,
    system_theme: Option<Theme>,
}

impl Window {
    fn of(input: &RawInput) -> Self {
        let viewport = input.viewports.get(&input.viewport_id);
        Self {
            area: input.screen_rect,
            outer: viewport.and_then(|viewport| viewport.outer_rect),
            system_theme: input.system_theme,
        }
    }
}

impl HostSleep {
    /// Returns whether the host has slept before this pass. Call it once a frame.
    ///
    /// It has if an input, a change of the window or a request for a later repaint ended a time in
    /// which nothing requested an immediate repaint and this thread worked less than half of the
    /// time. The work of other threads does not count, because a host may sleep while they work.
    /// Where the system does not report the work, such a time is sleep. If nothing explains a pass,
    /// the host draws on its own, and the time before it is a frame.
    ///
    /// It also has if the overlay asked for a pass that did not come, and this thread worked less than
    /// half of the time: eframe draws nothing while its window is covered or minimized.
    pub(crate) fn has_slept(&mut self, ctx: &Context) -> bool {
        self.has_slept_by(ctx, processor_time)
    }

    /// Notes that the overlay asked for another pass at once.
    pub(crate) fn note_asked(&mut self, ctx: &Context) {
        self.asked_in = Some(ctx.viewport_id());
    }

    fn has_slept_by(
        &mut self,
        ctx: &Context,
        processor_time: impl Fn() -> Option<Duration>,
    ) -> bool {
        if self.unexplained >= OWN_PACE {
            return false;
        }
        let (now_secs, has_event, window) = ctx.input(|input| {
            let has_event = !input.raw.events.is_empty();
            (input.time, has_event, Window::of(&input.raw))
        });
        let before = self.window.replace(window);
        let has_input = has_event || before.is_some_and(|before| before != window);
        let worked = processor_time();
        let worked_before = std::mem::replace(&mut self.worked, worked);
        let asked_in = self.asked_in.take();
        let Some(previous_secs) = self.previous_secs.replace(now_secs) else {
            return false;
        };
        if ctx.requested_repaint_last_pass() {
            return false;
        }
        let secs = now_secs - previous_secs;
        let may_be_sleep = secs > SLEEP_SECS;
        // A second pass follows the requests of the first.
        let was_asked = asked_in == Some(ctx.viewport_id()) && ctx.current_pass_index() == 0;
        let work = worked_before.zip(worked);
        let work = work.map(|(before, now)| now.saturating_sub(before).as_secs_f64());
        let is_sleep = may_be_sleep && work.is_none_or(|work_secs| work_secs < WORK * secs);
        if may_be_sleep && was_asked {
            return is_sleep;
        }
        // The list of causes is copied, so it is not read in every frame of a game.
        let is_requested = || may_be_sleep && !ctx.repaint_causes().is_empty();
        if !has_input {
            if !is_requested() {
                self.unexplained += 1;
                return false;
            }
            self.unexplained = 0;
        }
        is_sleep
    }
}

#[cfg(test)]
mod tests {
    use egui::{Event, RawInput, pos2, vec2};

    use super::*;

    /// A host whose clocks the test sets.
    #[derive(Default)]
    struct Host {
        ctx: Context,
        sleep: HostSleep,
        now_secs: f64,
        /// The processor time of the thread; `None` if the system does not report it.
        worked: Option<Duration>,
        /// Whether the last pass asked for another one at once.
        is_asked: bool,
        /// The window as the host describes it.
        window: RawInput,
    }

    /// What the host asks for in a pass.
    #[derive(Clone, Copy)]
    enum Repaint {
        Never,
        At(f64),
    }

    use Repaint::{At, Never};

    impl Host {
        fn on(reports_work: bool) -> Self {
            let worked = reports_work.then_some(Duration::ZERO);
            Self {
                worked,
                ..Self::default()
            }
        }

        /// Draws a pass, with or without an input. Returns whether the host slept before it.
        fn pass(&mut self, after_secs: f64, has_input: bool, repaint: Repaint) -> bool {
            self.now_secs += after_secs;
            let input = RawInput {
                time: Some(self.now_secs),
                events: Vec::from_iter(has_input.then_some(Event::PointerGone)),
                ..self.window.clone()
            };
            let mut has_slept = false;
            let worked = self.worked;
            let mut output = self.ctx.run_ui(input, |ui| {
                has_slept = self.sleep.has_slept_by(ui.ctx(), || worked);
                if let At(secs) = repaint {
                    ui.ctx().request_repaint_after_secs(secs as f32);
                }
            });
            output.textures_delta.clear();
            let delay = output.viewport_output[&egui::ViewportId::ROOT].repaint_delay;
            self.is_asked = delay == Duration::ZERO;
            has_slept
        }

        /// Works for some time before the next pass.
        fn work(&mut self, secs: f64) {
            self.worked = self
                .worked
                .map(|worked| worked + Duration::from_secs_f64(secs));
        }

        /// Draws the passes that egui asks for.
        fn draw_asked(&mut self, repaint: Repaint) {
            while self.is_asked {
                assert!(!self.pass(0.2, false, repaint), "asked for");
            }
        }
    }

    #[test]
    fn a_host_that_waits_for_input_or_for_a_blinking_cursor_has_slept() {
        for reports_work in [false, true] {
            let mut host = Host::on(reports_work);
            assert!(!host.pass(0.0, false, Never), "the first pass");
            host.draw_asked(Never);
            for _ in 0..40 {
                host.work(0.04);
                assert!(host.pass(3.0, true, Never), "an input");
                host.draw_asked(Never);
                assert!(!host.pass(0.05, true, Never), "another one soon after it");
                host.draw_asked(At(0.5));
                host.work(0.04);
                assert!(host.pass(0.5, false, Never), "a blinking cursor");
                host.draw_asked(Never);
            }
        }
    }

    #[test]
    fn a_host_whose_window_changes_has_slept() {
        let area = |side| Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(side, side)));
        let resize: fn(&mut RawInput, _) = |window, area| window.screen_rect = area;
        let move_to: fn(&mut RawInput, _) = |window, area| {
            let viewport = window.viewports.entry(window.viewport_id).or_default();
            viewport.outer_rect = area;
        };
        let set_theme: fn(&mut RawInput, _) = |window, _| {
            let is_dark = window.system_theme == Some(Theme::Dark);
            window.system_theme = Some(if is_dark { Theme::Light } else { Theme::Dark });
        };
        for change in [resize, move_to, set_theme] {
            let mut host = Host::on(true);
            host.pass(0.0, false, Never);
            host.draw_asked(Never);
            change(&mut host.window, area(300.0));
            assert!(host.pass(3.0, false, Never));
            host.draw_asked(Never);
            change(&mut host.window, area(400.0));
            host.work(2.0);
            assert!(!host.pass(3.0, false, Never), "a frame of work");
        }
    }

    /// Whether or not the player moves the mouse, and however soon after the start.
    #[test]
    fn a_long_frame_of_work_is_a_frame() {
        for frames_before in 0..30 {
            for (has_input, secs) in [(true, 0.11), (false, 0.5), (true, 0.5), (true, 20.0)] {
                let mut host = Host::on(true);
                for frame in 0..frames_before {
                    host.work(0.01);
                    let has_input = has_input || frame % 2 == 0;
                    assert!(!host.pass(0.016, has_input, Never));
                }
                host.pass(0.016, has_input, Never);
                // egui asks for another pass after an input, and the time before that is no sleep.
                host.draw_asked(Never);
                host.work(secs * 0.6);
                assert!(!host.pass(secs, has_input, Never), "{secs} s");
            }
        }
    }

    #[test]
    fn a_pass_that_comes_late_ends_sleep_unless_the_thread_worked() {
        for (reports_work, work_secs, has_slept) in
            [(true, 0.1, false), (true, 0.05, true), (false, 0.1, true)]
        {
            let mut host = Host::on(reports_work);
            host.pass(0.0, false, Never);
            host.draw_asked(Never);
            host.sleep.note_asked(&host.ctx);
            host.work(work_secs);
            let has_input = false;
            assert_eq!(
                host.pass(0.15, has_input, Never),
                has_slept,
                "{work_secs} s"
            );
        }
    }

    #[test]
    fn a_pass_that_nothing_explains_ends_a_frame() {
        for reports_work in [false, true] {
            let mut host = Host::on(reports_work);
            host.pass(0.0, true, Never);
            host.draw_asked(Never);
            for secs in [0.15, 0.5, 2.0] {
                assert!(!host.pass(secs, false, Never), "{secs} s");
            }
        }
    }

    #[test]
    fn the_time_between_passes_that_were_asked_for_is_not_sleep() {
        let mut host = Host::on(true);
        for _ in 0..40 {
            assert!(!host.pass(0.7, true, At(0.0)));
        }
    }

    #[test]
    fn a_game_that_draws_without_being_asked_never_sleeps() {
        let mut host = Host::on(true);
        (0..20).for_each(|_| _ = host.pass(0.6, false, Never));
        for secs in [0.016, 0.2, 5.0] {
            host.is_asked = false;
            assert!(!host.pass(secs, true, Never), "a frame of {secs} s");
            assert!(!host.pass(secs, false, Never), "a frame of {secs} s");
        }
    }
}
