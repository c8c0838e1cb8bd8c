//! When numbers and graphs are refreshed.
//!
//! Numbers that change with every frame cannot be read, so they are refreshed a few times a second.
//! Graphs move with every frame. When the overlay takes more time than its budget, both are
//! refreshed only in every second, fourth or eighth frame (see [`CostMeter`]). The frames in
//! between are light: they repeat the last picture. A pass with user input is never light, nor is
//! one that shows a different view.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use egui::Context;
use stats_core::Source;

use crate::cost::meter::CostMeter;
use crate::cost::stopwatch::Stopwatch;
use crate::data::frame_axis::FrameAxis;
use crate::data::playback::Playback;
use crate::data::selection::{SelectedSeries, Selection};
use crate::data::throttle::Throttle;
use crate::input::mode::Mode;
use crate::panes::list::Panes;

/// The maximum age of the picture in seconds, regardless of the cost of a refresh. In a slow
/// program, eight frames are a long time.
const MAX_AGE_SECS: f64 = 0.2;

/// Decides in each pass what to refresh.
#[derive(Debug, Default)]
pub(crate) struct RefreshRate {
    pub(crate) cost: CostMeter,
    /// The last settled pass, and whether it reads numbers.
    settled: Option<(u64, bool)>,
    /// When everything was last refreshed.
    full: Throttle,
    /// When numbers were last refreshed on schedule.
    numbers: Throttle,
    /// The view in the last settled pass.
    shown: Option<Wanted>,
    /// Whether the frames are those of another program, which the overlay does not make longer.
    pub(crate) is_viewer: bool,
    /// When a pass began to show another mode; `None` before and after it.
    pub(crate) opened: Option<Stopwatch>,
}

/// The parts that a pass refreshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refresh {
    /// Whether to read numbers again.
    pub(super) numbers: bool,
    /// Whether the interval between refreshes has passed. True at most once per pass.
    pub(super) is_due: bool,
}

/// The view that the user wants. When it changes, numbers are refreshed at once.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    left: Option<f64>,
    span: f64,
    selected: Option<Range<u64>>,
    first_frame: u64,
    paused: bool,
    /// A hash of the panes, their views and their selections.
    panes: u64,
    /// Whether any frame is shown, and the selected series that have values. The first ones of a series
    /// elsewhere arrive some time after it was selected.
    known: (bool, usize),
}

impl Wanted {
    pub(super) fn of(
        panes: &Panes,
        frame_axis: &FrameAxis,
        playback: &Playback,
        source: &dyn Source,
    ) -> Self {
        let mut hash = DefaultHasher::new();
        for pane in panes.list() {
            (pane.id, pane.view as u8, pane.selection.revision()).hash(&mut hash);
        }
        panes.pinned.revision().hash(&mut hash);
        Self {
            left: frame_axis.left,
            span: frame_axis.span,
            selected: frame_axis.selected_range.clone(),
            first_frame: playback.first_frame(),
            paused: playback.is_paused(),
            panes: hash.finish(),
            known: known(panes, playback, source),
        }
    }
}

/// Returns [`Wanted::known`].
fn known(panes: &Panes, playback: &Playback, source: &dyn Source) -> (bool, usize) {
    let first = playback.first_frame();
    let is_known = |selected: &&SelectedSeries| {
        let values = selected.history(source).within(first..u64::MAX);
        !values.is_empty()
    };
    let selected = panes.selections().flat_map(Selection::selected);
    (
        source.frames().end > first,
        selected.filter(is_known).count(),
    )
}

impl RefreshRate {
    /// Decides what to refresh in this pass, before anything is read for it. Further calls in the
    /// same pass return the same `numbers`.
    ///
    /// If `listens`, the overlay has the user's input, and any input makes the pass full.
    ///
    /// Numbers are read `refresh_hz` times a second, in passes that refresh the picture as well,
    /// and at once when `wanted` changes. Light passes change neither, for at most
    /// [`MAX_AGE_SECS`].
    pub(super) fn settle(
        &mut self,
        ctx: &Context,
        wanted: Wanted,
        refresh_hz: f32,
        listens: bool,
    ) -> Refresh {
        let (now_secs, pass) = (ctx.input(|input| input.time), ctx.cumulative_pass_nr());
        if let Some((settled, numbers)) = self.settled
            && settled == pass
        {
            let is_due = false;
            return Refresh { numbers, is_due };
        }
        let is_other = self.shown.as_ref() != Some(&wanted);
        self.shown = Some(wanted);
        let is_late = self.full.is_due(now_secs, MAX_AGE_SECS);
        if !self.cost.is_full() && (is_other || is_late || (listens && is_used(ctx))) {
            self.cost.set_full();
        }
        if self.cost.is_full() {
            self.full.note(now_secs);
        }
        let interval_secs = 1.0 / f64::from(refresh_hz);
        let is_due = self.cost.is_full() && self.numbers.take(now_secs, interval_secs);
        let numbers = is_due || is_other;
        self.settled = Some((pass, numbers));
        Refresh { numbers, is_due }
    }

    /// Notes that this pass begins to show another mode.
    pub(super) fn note_other_mode(&mut self, mode: Mode) {
        self.opened = (mode != Mode::Hidden).then(Stopwatch::start);
        self.cost.set_full();
    }

    /// Returns the time that the overlay took in the previous frame beyond its usual time, in
    /// milliseconds; in a viewer, 0.
    pub(super) fn beyond_ms(&self) -> f64 {
        if self.is_viewer {
            0.0
        } else {
            self.cost.beyond_ms()
        }
    }

    /// Makes the next pass refresh everything.
    pub(super) fn refresh_at_once(&mut self) {
        self.numbers.reset();
        self.shown = None;
    }
}

/// Returns whether the user is using the pointer or the keyboard.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_takes_more_than_the_usual_time_of_the_overlay_but_not_in_a_viewer() {
        for is_viewer in [false, true] {
            let mut rate = RefreshRate {
                is_viewer,
                ..RefreshRate::default()
            };
            let mut frame = |ms: Option<f64>| {
                ms.into_iter().for_each(|ms| rate.cost.add_ms(ms));
                rate.cost.begin_frame(100.0);
                rate.beyond_ms()
            };
            let expected = |ms| if is_viewer { 0.0 } else { ms };
            assert_eq!(frame(Some(20.0)), expected(20.0), "it opens");
            assert_eq!(frame(Some(18.0)), expected(18.0), "in two passes");
            (0..20).for_each(|_| _ = frame(Some(2.0)));
            assert_eq!(frame(Some(2.0)), 0.0, "as usual");
            assert_eq!(frame(Some(17.0)), expected(15.0), "it shows something else");
            assert_eq!(frame(None), 0.0, "it is hidden");
        }
    }
}
