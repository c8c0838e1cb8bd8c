//! The mode of the overlay, the key that changes it, and the keyboard focus that the full overlay
//! takes from the host and gives back.

use egui::{Context, Id};

use crate::data::throttle::Throttle;
use crate::input::mode::Mode;
use crate::input::settings::Settings;
use crate::input::toggle_key::ToggleKey;

/// How long the memory of something that left the screen is kept, in seconds, so that it can return
/// without delay.
const KEPT_SECS: f64 = 3.0;

/// The mode of the overlay, and the host's keyboard focus.
#[derive(Debug, Default)]
pub(crate) struct Visibility {
    pub(crate) mode: Mode,
    /// The mode of the previous pass.
    drawn: Mode,
    toggle_key: ToggleKey,
    /// The widget of the host that had the keyboard when the full overlay took it.
    focus_of_host: Option<Id>,
    /// When panes were last on screen.
    panes: Throttle,
    /// When any part of the overlay was last on screen.
    any: Throttle,
    /// Whether panes were on screen since their memory was freed.
    holds_panes: bool,
}

impl Visibility {
    /// Takes the toggle key out of the input and changes the mode once for each press. Returns how
    /// often three fingers tapped.
    pub(super) fn take_toggle_key(&mut self, ctx: &Context, settings: &Settings) -> usize {
        let (presses, taps) = self.toggle_key.take(ctx, settings.key);
        (0..presses).for_each(|_| self.mode = settings.next_mode(self.mode));
        taps
    }

    /// Notes what is on screen in this pass. `is_embedded` says whether the panel is in a `Ui` of
    /// the host.
    pub(super) fn note(&mut self, now_secs: f64, is_embedded: bool) {
        let has_panes = matches!(self.mode, Mode::Watch | Mode::Full);
        if is_embedded || has_panes {
            self.panes.note(now_secs);
            self.holds_panes = true;
        }
        if is_embedded || self.mode != Mode::Hidden {
            self.any.note(now_secs);
        }
    }

    /// Returns whether panes are on screen, or were a few seconds ago.
    pub(super) fn had_panes(&self, now_secs: f64) -> bool {
        !self.panes.is_due(now_secs, KEPT_SECS)
    }

    /// Returns whether the memory of panes is to be freed: once, a few seconds after they left the
    /// screen.
    pub(super) fn lost_panes(&mut self, now_secs: f64) -> bool {
        !self.had_panes(now_secs) && std::mem::take(&mut self.holds_panes)
    }

    /// Returns whether any part of the overlay is on screen, or was a few seconds ago.
    pub(super) fn was_seen(&self, now_secs: f64) -> bool {
        !self.any.is_due(now_secs, KEPT_SECS)
    }

    /// Starts drawing the current mode. Returns whether the previous pass drew another one.
    pub(super) fn begin_pass(&mut self, ctx: &Context) -> bool {
        match (self.drawn == Mode::Full, self.mode == Mode::Full) {
            (false, true) => {
                // A drag that began in a widget of the host ends here: the panel has the pointer
                // now.
                ctx.stop_dragging();
                self.focus_of_host = ctx.memory(|memory| memory.focused());
            }
            (true, false) => self.give_focus_back(ctx),
            (false, false) if self.focus_of_host.is_some() => {
                // In the previous pass, the overlay still covered widgets that the host drew later,
                // so they lost the focus again.
                if ctx.memory(|memory| memory.focused().is_none()) {
                    self.give_focus_back(ctx);
                }
                self.focus_of_host = None;
            }
            _ => {}
        }
        std::mem::replace(&mut self.drawn, self.mode) != self.mode
    }

    /// Gives the keyboard back to the host's widget. egui drops the focus again if the host no
    /// longer shows that widget.
    fn give_focus_back(&self, ctx: &Context) {
        if let Some(id) = self.focus_of_host {
            ctx.memory_mut(|memory| memory.request_focus(id));
        }
    }
}
