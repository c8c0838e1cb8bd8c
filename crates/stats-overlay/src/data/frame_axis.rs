//! The frames that all panes share: the visible ones, the one under the cursor, and the selected
//! ones.

use std::ops::Range;

use egui::Id;

/// The number of frames shown at first: ten seconds at 60 frames per second.
const DEFAULT_SPAN: f64 = 600.0;
/// The minimum number of frames that the view can zoom to.
pub(crate) const MIN_SPAN: f64 = 8.0;
/// The number of passes without a new frame after which a source counts as ended.
const STILL_PASSES: u32 = 30;
/// The space after the newest frame, as a share of the visible frames.
const AIR: f64 = 0.004;

/// The axis of frames of all panes, with one cursor and one selected range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameAxis {
    /// The number of visible frames; at least [`MIN_SPAN`].
    pub(crate) span: f64,
    /// The frame at the left edge if the user moved there; `None` while the newest frames are
    /// followed.
    pub(crate) left: Option<f64>,
    /// The frame under the pointer in any view, as of the previous pass.
    pub(crate) cursor: Option<u64>,
    /// The panel that is drawn in this pass.
    panel: Option<Id>,
    /// The frame under the pointer, and the panel that the pointer is in.
    next_cursor: Option<NextCursor>,
    /// The frame that the user stepped to, marked until the view is reset.
    pub(crate) stepped: Option<u64>,
    /// The frames whose statistics are shown.
    pub(crate) selected_range: Option<Range<u64>>,
    /// Whether a view asked to go back to the newest frames, as after a double click. The app does
    /// so after painting.
    pub(crate) wants_newest: bool,
    /// The end of the source's frames, and the number of passes in which it has not changed.
    end: (u64, u32),
    /// Whether the views are paused.
    is_paused: bool,
}

/// A frame under the pointer, which becomes the cursor in the next pass of its panel.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NextCursor {
    panel: Option<Id>,
    frame: u64,
    /// The number of passes of other panels since.
    passes: u32,
}

/// The maximum number of passes of other panels for which the frame under the pointer is kept.
/// After more passes, the panel of the pointer is no longer drawn.
const MAX_OTHER_PASSES: u32 = 16;

impl Default for FrameAxis {
    fn default() -> Self {
        Self {
            span: DEFAULT_SPAN,
            left: None,
            cursor: None,
            panel: None,
            next_cursor: None,
            stepped: None,
            selected_range: None,
            wants_newest: false,
            end: (0, 0),
            is_paused: false,
        }
    }
}

impl FrameAxis {
    /// Returns whether the newest frames are followed.
    pub(crate) fn follows(&self) -> bool {
        self.left.is_none()
    }

    /// Begins a pass of a panel. All views of all panels mark the frame that was under the pointer
    /// in the previous pass.
    pub(crate) fn begin_pass(&mut self, panel: Id) {
        self.panel = Some(panel);
        match &mut self.next_cursor {
            // The frame remains the cursor until the panel of the pointer is drawn again.
            Some(next) if next.panel != self.panel && next.passes < MAX_OTHER_PASSES => {
                next.passes += 1
            }
            Some(next) if next.panel != self.panel => {
                (self.cursor, self.next_cursor) = (None, None)
            }
            _ => self.cursor = self.next_cursor.take().map(|next| next.frame),
        }
    }

    /// Notes how many frames there are, and whether they are paused. Call it once a pass.
    pub(crate) fn note_frames(&mut self, end: u64, is_paused: bool) {
        let passes = if end == self.end.0 {
            self.end.1.saturating_add(1)
        } else {
            0
        };
        (self.end, self.is_paused) = ((end, passes), is_paused);
    }

    /// Reports that the pointer is on a frame.
    pub(crate) fn point_at(&mut self, frame: u64) {
        self.next_cursor = Some(NextCursor {
            panel: self.panel,
            frame,
            passes: 0,
        });
    }

    /// Returns the frame that all views mark: the frame under the pointer, or else the frame
    /// stepped to.
    pub(crate) fn marked(&self) -> Option<u64> {
        self.cursor.or(self.stepped)
    }

    /// Selects all frames of the history between two frames, in either order. Selects no frames if
    /// the history has none of them.
    pub(crate) fn select(&mut self, from: u64, to: u64, held: &Range<u64>) {
        let start = from.min(to).max(held.start);
        let end = from.max(to).saturating_add(1).min(held.end);
        self.selected_range = (start < end).then_some(start..end);
    }

    /// Returns the frames at the left and right edges. `held` are the frames of the history.
    ///
    /// Frames that do not exist are not shown: while the history is shorter than the span, its
    /// frames fill the width, and the visible part does not extend beyond the history.
    pub(crate) fn visible(&self, held: &Range<u64>) -> (f64, f64) {
        let width = self.visible_span(held);
        let left = match self.left {
            Some(left) => self.within_history(left, held),
            None => self.newest_edge(held) - width,
        };
        (left, left + width)
    }

    /// Returns the selected frames, or else those on screen. Some of them may no longer be held.
    pub(crate) fn chosen(&self, held: &Range<u64>) -> Range<u64> {
        let (left, right) = self.visible(held);
        let end = (right.max(0.0).floor() as u64).saturating_add(1);
        let visible = left.max(0.0).ceil() as u64..end;
        self.selected_range.clone().unwrap_or(visible)
    }

    /// Returns the width of [`visible`](Self::visible). Unlike the difference of its ends, the
    /// width does not depend on rounding at their position.
    pub(crate) fn visible_span(&self, held: &Range<u64>) -> f64 {
        let shown = self.shown_span(held);
        match self.left {
            Some(_) if self.span <= shown => shown,
            // All frames, and a little space after the newest.
            _ => shown * (1.0 + AIR) - 1.0,
        }
    }

    /// Returns the frames at the edges of a graph, and their distance.
    ///
    /// They are the [visible](Self::visible) frames. While these are a whole history that still grows, up
    /// to an eighth of it is left out, at its beginning. So the scale of a graph changes only in steps:
    /// after each change, the graph is drawn again as a whole.
    pub(crate) fn drawn(&self, held: &Range<u64>) -> ((f64, f64), f64) {
        let count = held.end.saturating_sub(held.start);
        let is_still = self.is_paused || self.end.1 >= STILL_PASSES;
        if is_still || !self.follows() || count as f64 >= self.span {
            return (self.visible(held), self.visible_span(held));
        }
        let step = 1_u64 << (count / 8).max(1).ilog2();
        let newest = held.start + count % step..held.end;
        (self.visible(&newest), self.visible_span(&newest))
    }

    /// Returns the number of visible frames: those of a history that is shorter than the span.
    fn shown_span(&self, held: &Range<u64>) -> f64 {
        let count = held.end.saturating_sub(held.start).max(2);
        self.span.min(count as f64)
    }

    /// Returns the frame at the right edge while the newest frames are followed.
    fn newest_edge(&self, held: &Range<u64>) -> f64 {
        held.end as f64 - 1.0 + self.shown_span(held) * AIR
    }

    /// Returns the frame at the left edge nearest to `left` at which only frames of the history are
    /// visible.
    fn within_history(&self, left: f64, held: &Range<u64>) -> f64 {
        let first = held.start as f64;
        let last = self.newest_edge(held) - self.visible_span(held);
        left.min(last).max(first.min(last))
    }

    /// Shows fewer frames if `factor` is above 1, or else more. Shows at least [`MIN_SPAN`] frames,
    /// if there are that many. The frame `around` keeps its place. While the view follows the newest
    /// frames, the newest frame keeps its place instead.
    pub(crate) fn zoom(&mut self, factor: f64, around: f64, held: &Range<u64>) {
        let shown = self.shown_span(held);
        let before = if factor > 1.0 { shown } else { self.span };
        let most = ((held.end - held.start) as f64 * 1.1).max(DEFAULT_SPAN);
        self.span = (before / factor.max(1e-3)).clamp(MIN_SPAN, most);
        if let Some(left) = self.left {
            let share = self.shown_span(held) / shown;
            self.left = Some(self.within_history(around - (around - left) * share, held));
        }
    }

    /// Moves by a number of frames, to later frames if the number is positive, up to the end of the
    /// history. Stops following.
    pub(crate) fn pan(&mut self, frames: f64, held: &Range<u64>) {
        let left = self.visible(held).0 + frames;
        self.left = Some(left);
        self.left = Some(self.within_history(left, held));
    }

    /// Shows the frames between two positions, or [`MIN_SPAN`] frames from the first position on if
    /// there are fewer.
    pub(crate) fn show(&mut self, frames: (f64, f64)) {
        self.span = (frames.1 - frames.0).max(MIN_SPAN);
        self.left = Some(frames.0);
    }

    /// Moves a frame to the middle, or as near to it as the ends of the history allow, unless it is
    /// visible and not near the edges.
    pub(crate) fn reveal(&mut self, frame: u64, held: &Range<u64>) {
        let (left, right) = self.visible(held);
        let (frame, air) = (frame as f64, (right - left) * 0.05);
        if frame < left + air || frame > right - air {
            let left = frame - self.shown_span(held) / 2.0;
            self.left = Some(left);
            self.left = Some(self.within_history(left, held));
        }
    }

    /// Follows the newest frames again, with none marked. The number of visible frames does not
    /// change.
    pub(crate) fn follow(&mut self) {
        (self.left, self.stepped) = (None, None);
    }

    /// Follows the newest frames again, with none selected or marked.
    pub(crate) fn forget_frames(&mut self) {
        *self = Self {
            span: self.span,
            end: self.end,
            is_paused: self.is_paused,
            ..Self::default()
        };
    }

    /// Returns to the initial state: the newest [`DEFAULT_SPAN`] frames, none marked or selected.
    pub(crate) fn reset(&mut self) {
        self.forget_frames();
        self.span = DEFAULT_SPAN;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    const HELD: Range<u64> = 1000..5000;

    #[test]
    fn the_newest_frames_are_followed_until_the_user_moves() {
        let mut frame_axis = FrameAxis::default();
        assert_eq!(frame_axis.visible(&HELD).0, 4400.0);
        assert_eq!(frame_axis.visible(&(1000..6000)).0, 5400.0);
        frame_axis.pan(-100.0, &HELD);
        assert!(!frame_axis.follows());
        assert_eq!(frame_axis.visible(&HELD), (4300.0, 4900.0));
        assert_eq!(frame_axis.visible(&(1000..6000)), (4300.0, 4900.0));
        frame_axis.forget_frames();
        assert_eq!(frame_axis.visible(&HELD).0, 4400.0);
    }

    #[test]
    fn frames_fill_the_width_and_the_future_is_never_visible() {
        let mut random = Random::new(3);
        let mut frame_axis = FrameAxis::default();
        for step in 0..20_000_u64 {
            let start = [0, 1000, 1 << 40][random.below(3) as usize];
            let count = [0, 1, 7, 200, 4000, 100_000][random.below(6) as usize];
            let held = start..start + count;
            match random.below(5) {
                0 => frame_axis.pan(random.below(20_000) as f64 - 10_000.0, &held),
                1 => frame_axis.reveal(start + random.below(count + 1), &held),
                2 => frame_axis.show((
                    start as f64 + random.below(6000) as f64 - 1000.0,
                    start as f64 + random.below(9000) as f64,
                )),
                3 => frame_axis.follow(),
                _ => frame_axis.zoom(
                    2f64.powf(random.below(40) as f64 - 20.0),
                    random.below(6000) as f64,
                    &held,
                ),
            }
            frame_axis.note_frames(held.end, step % 2 == 0);
            let drawn = frame_axis.drawn(&held);
            for ((left, right), span) in [
                (frame_axis.visible(&held), frame_axis.visible_span(&held)),
                drawn,
            ] {
                let what = format!("{step}: {left} {right} of {held:?}, {frame_axis:?}");
                assert!(right > left && (right - left - span).abs() < 1e-2, "{what}");
                // Two frames have a width; one or none have not.
                if count >= 2 {
                    let air = (right - left + 1.0) * AIR * 1.1 + 1e-2;
                    assert!(left >= held.start as f64 - 1e-2, "{what}");
                    assert!(right <= held.end as f64 - 1.0 + air, "{what}");
                }
            }
            let (left, right) = frame_axis.visible(&held);
            if count >= 2
                && (frame_axis.span >= count as f64 || right - left < frame_axis.span - 1.0)
            {
                assert!(left - held.start as f64 <= 1e-2, "{left} {held:?}");
            }
            let most = frame_axis.span.max(DEFAULT_SPAN);
            assert!((MIN_SPAN..=most).contains(&frame_axis.span), "{step}");
        }
    }

    #[test]
    fn the_frames_of_a_short_history_are_drawn_in_few_scales_while_they_arrive() {
        let mut frame_axis = FrameAxis::default();
        let mut scales = Vec::new();
        for end in 8..=600_u64 {
            frame_axis.note_frames(end, false);
            let ((left, right), span) = frame_axis.drawn(&(0..end));
            assert!(
                left <= end as f64 / 8.0 && right >= end as f64 - 1.0,
                "{end}"
            );
            if !scales.contains(&span) {
                scales.push(span);
            }
        }
        assert!(scales.len() < 70, "{} scales", scales.len());
        // All are drawn when no more arrive.
        frame_axis.note_frames(303, true);
        assert_eq!(frame_axis.drawn(&(0..303)).0.0, 0.0);
        frame_axis.note_frames(303, false);
        assert_ne!(frame_axis.drawn(&(0..303)).0.0, 0.0);
        (0..STILL_PASSES).for_each(|_| frame_axis.note_frames(303, false));
        assert_eq!(frame_axis.drawn(&(0..303)).0.0, 0.0);
    }

    #[test]
    fn moving_stops_at_the_ends_of_the_history() {
        let mut frame_axis = FrameAxis::default();
        frame_axis.pan(f64::MAX, &HELD);
        assert_eq!(frame_axis.visible(&HELD), (4401.4, 5001.4));
        frame_axis.pan(f64::MIN, &HELD);
        assert_eq!(frame_axis.visible(&HELD), (1000.0, 1600.0));
    }

    #[test]
    fn zooming_keeps_the_frame_it_zooms_around_in_place() {
        let mut frame_axis = FrameAxis::default();
        frame_axis.show((2000.0, 2400.0));
        for factor in [2.0, 1.0, 0.25, 3.0] {
            let share =
                |frame_axis: &FrameAxis| (2100.0 - frame_axis.visible(&HELD).0) / frame_axis.span;
            let before = share(&frame_axis);
            frame_axis.zoom(factor, 2100.0, &HELD);
            assert!((share(&frame_axis) - before).abs() < 1e-9, "{factor}");
        }
        frame_axis.zoom(1e9, 2100.0, &HELD);
        assert_eq!(frame_axis.span, MIN_SPAN);
        frame_axis.zoom(0.0, 2100.0, &HELD);
        assert_eq!(frame_axis.span, 4400.0);
    }

    #[test]
    fn only_kept_frames_are_selected() {
        let mut frame_axis = FrameAxis::default();
        for (from, to, selected) in [
            (2000, 2010, Some(2000..2011)),
            (2010, 2000, Some(2000..2011)),
            (1000, 1000, Some(1000..1001)),
            (0, u64::MAX, Some(HELD)),
            (0, 1000, Some(1000..1001)),
            (0, 999, None),
            (5000, 6000, None),
            (4999, 6000, Some(4999..5000)),
        ] {
            frame_axis.select(from, to, &HELD);
            assert_eq!(frame_axis.selected_range, selected, "{from} {to}");
        }
        frame_axis.select(0, 10, &(0..0));
        assert_eq!(frame_axis.selected_range, None);
    }

    #[test]
    fn a_frame_out_of_sight_moves_into_the_middle() {
        let mut frame_axis = FrameAxis::default();
        frame_axis.reveal(4700, &HELD);
        assert!(frame_axis.follows(), "it is visible already");
        frame_axis.reveal(2000, &HELD);
        assert_eq!(frame_axis.visible(&HELD), (1700.0, 2300.0));
        frame_axis.reveal(1731, &HELD);
        assert_eq!(frame_axis.left, Some(1700.0));
        frame_axis.reveal(1729, &HELD);
        assert_eq!(frame_axis.left, Some(1429.0));
        // The window stays full.
        frame_axis.reveal(1010, &HELD);
        assert_eq!(frame_axis.left, Some(1000.0));
        frame_axis.reveal(4990, &HELD);
        assert_eq!(frame_axis.visible(&HELD).1, 4999.0 + 600.0 * AIR);
    }

    #[test]
    fn all_views_mark_the_frame_under_the_pointer_of_the_previous_pass() {
        let root = Id::NULL.with("root");
        let mut frame_axis = FrameAxis {
            stepped: Some(5),
            ..FrameAxis::default()
        };
        frame_axis.begin_pass(root);
        assert_eq!(frame_axis.marked(), Some(5));
        frame_axis.point_at(9);
        assert_eq!(frame_axis.marked(), Some(5));
        frame_axis.begin_pass(root);
        assert_eq!(frame_axis.marked(), Some(9));
        frame_axis.begin_pass(root);
        assert_eq!(frame_axis.marked(), Some(5));
        frame_axis.reset();
        assert_eq!(frame_axis, FrameAxis::default());
    }

    #[test]
    fn the_pointer_marks_a_frame_in_the_other_panels_too() {
        let (root, child) = (Id::NULL.with("root"), Id::NULL.with("child"));
        let mut frame_axis = FrameAxis::default();
        for _ in 0..3 {
            frame_axis.begin_pass(root);
            frame_axis.point_at(9);
            frame_axis.begin_pass(child);
        }
        assert_eq!(frame_axis.marked(), Some(9));
        frame_axis.begin_pass(root);
        assert_eq!(frame_axis.marked(), Some(9));
        // The pointer left the root.
        frame_axis.begin_pass(child);
        assert_eq!(frame_axis.marked(), None);
        // If a panel is no longer drawn, the frame under its pointer is forgotten.
        frame_axis.begin_pass(child);
        frame_axis.point_at(7);
        frame_axis.begin_pass(child);
        frame_axis.point_at(7);
        for _ in 0..=MAX_OTHER_PASSES {
            frame_axis.begin_pass(root);
        }
        assert_eq!(frame_axis.marked(), None);
    }
}
