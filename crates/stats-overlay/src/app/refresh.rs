//! When graphs and numbers are made anew: settled once a pass, before anything is read for it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use egui::Context;

use crate::app::views::Views;

/// However much it costs, the picture is not older than this: in a slow program eight frames are a
/// long time.
const LATE_SECS: f64 = 0.2;

/// What was made anew when.
#[derive(Debug)]
pub(crate) struct Refresh {
    /// The pass that was settled last, and whether numbers are read in it.
    settled: Option<(u64, bool)>,
    /// When everything was made anew last.
    full_secs: f64,
    /// When numbers were read last because it was time to.
    numbers_secs: f64,
    /// What was shown in that pass.
    asked: Option<Asked>,
}

/// What the user wants to see. Once that is something else, figures are of that, whatever the pace.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    left: Option<f64>,
    span: f64,
    selected: Option<Range<u64>>,
    first_frame: u64,
    paused: bool,
    /// Of the panes, their views and what is selected in them.
    panes: u64,
}

impl Default for Refresh {
    fn default() -> Self {
        Self {
            settled: None,
            full_secs: f64::NEG_INFINITY,
            numbers_secs: f64::NEG_INFINITY,
            asked: None,
        }
    }
}

impl Refresh {
    /// Makes the next pass read everything.
    pub(crate) fn at_once(&mut self) {
        self.numbers_secs = f64::NEG_INFINITY;
        self.asked = None;
    }
}

impl Asked {
    fn of(views: &Views) -> Self {
        let mut panes = DefaultHasher::new();
        for pane in views.panes.list() {
            (pane.id, pane.view as u8, pane.selection.revision()).hash(&mut panes);
        }
        views.panes.pinned.revision().hash(&mut panes);
        Self {
            left: views.linked.left,
            span: views.linked.span,
            selected: views.linked.selected_range.clone(),
            first_frame: views.frames.start,
            paused: views.is_paused(),
            panes: panes.finish(),
        }
    }
}

impl Views {
    /// Settles whether everything is made anew in this pass, and returns whether numbers are read
    /// anew in it. To be called before anything is read; the same for all views drawn in one pass.
    ///
    /// Numbers are read so many times a second as the settings say, in passes in which the picture
    /// is made anew as well, and at once when something else is shown. Light passes leave both as
    /// they are, for no longer than [`LATE_SECS`].
    pub(crate) fn settle_refresh(&mut self, ctx: &Context) -> bool {
        let (now_secs, pass) = (ctx.input(|input| input.time), ctx.cumulative_pass_nr());
        if let Some((settled, refresh)) = self.refresh.settled
            && settled == pass
        {
            return refresh;
        }
        let asked = Asked::of(self);
        let is_other = self.refresh.asked.as_ref() != Some(&asked);
        self.refresh.asked = Some(asked);
        let is_late = !(0.0..LATE_SECS).contains(&(now_secs - self.refresh.full_secs));
        if !self.cost.is_full() && (is_other || is_late || is_used(ctx)) {
            self.cost.set_full();
        }
        let is_full = self.cost.is_full();
        if is_full {
            self.refresh.full_secs = now_secs;
        }
        let since = now_secs - self.refresh.numbers_secs;
        let is_due = is_full && !(0.0..1.0 / f64::from(self.settings.refresh_hz)).contains(&since);
        if is_due {
            self.refresh.numbers_secs = now_secs;
            if !self.is_paused() {
                self.tree.texts.clear();
            }
        }
        self.refresh.settled = Some((pass, is_due || is_other));
        self.read_problems(now_secs);
        is_due || is_other
    }
}

/// Whether the user does something with pointer or keyboard.
fn is_used(ctx: &Context) -> bool {
    ctx.input(|input| {
        let pointer = &input.pointer;
        pointer.is_moving()
            || pointer.any_down()
            || pointer.any_released()
            || !input.events.is_empty()
            || input.is_scrolling()
    })
}
