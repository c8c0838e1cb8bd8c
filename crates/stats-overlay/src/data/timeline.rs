//! The frames that all panes share: the visible ones, the one under the cursor, and the selected
//! ones.

use std::ops::Range;

use egui::Id;

/// The number of frames shown at first: ten seconds at 60 frames per second.
const DEFAULT_SPAN: f64 = 600.0;
/// The minimum number of frames that the view can zoom to.
pub(crate) const MIN_SPAN: f64 = 8.0;

/// The axis of frames of all panes, with one cursor and one selected range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Timeline {
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

impl Default for Timeline {
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
        }
    }
}

impl Timeline {
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
    pub(crate) fn visible(&self, held: &Range<u64>) -> (f64, f64) {
        match self.left {
            Some(left) => (left, left + self.span),
            None => {
                // `span` frames, and a little space after the newest.
                let newest = held.end as f64 - 1.0;
                (newest - self.span + 1.0, newest + self.span * 0.004)
            }
        }
    }

    /// Returns the width of [`visible`](Self::visible). Unlike the difference of its ends, the
    /// width does not depend on rounding at their position.
    pub(crate) fn visible_span(&self) -> f64 {
        match self.left {
            Some(_) => self.span,
            None => self.span * 1.004 - 1.0,
        }
    }

    /// Shows fewer frames if `factor` is above 1, or else more. Shows at least [`MIN_SPAN`] frames,
    /// and at most a few more than the history has. The frame `around` keeps its place. While the
    /// view follows the newest frames, the newest frame keeps its place instead.
    pub(crate) fn zoom(&mut self, factor: f64, around: f64, held: &Range<u64>) {
        let most = ((held.end - held.start) as f64 * 1.1).max(DEFAULT_SPAN);
        let span = (self.span / factor.max(1e-3)).clamp(MIN_SPAN, most);
        if let Some(left) = &mut self.left {
            *left = around - (around - *left) * (span / self.span);
        }
        self.span = span;
    }

    /// Moves by a number of frames, to later frames if the number is positive, and stops following.
    /// At least a tenth of the visible frames stay within the history.
    pub(crate) fn pan(&mut self, frames: f64, held: &Range<u64>) {
        let left = self.visible(held).0 + frames;
        self.left = Some(left.clamp(
            held.start as f64 - self.span * 0.9,
            held.end as f64 - self.span * 0.1,
        ));
    }

    /// Shows the frames between two positions, or [`MIN_SPAN`] frames from the first position on if
    /// there are fewer.
    pub(crate) fn show(&mut self, frames: (f64, f64)) {
        self.span = (frames.1 - frames.0).max(MIN_SPAN);
        self.left = Some(frames.0);
    }

    /// Moves a frame to the middle, unless it is visible and not near the edges.
    pub(crate) fn reveal(&mut self, frame: u64, held: &Range<u64>) {
        let (left, right) = self.visible(held);
        let (frame, air) = (frame as f64, self.span * 0.05);
        if frame < left + air || frame > right - air {
            self.left = Some(frame - self.span / 2.0);
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
            ..Self::default()
        };
    }

    /// Returns to the initial state: the newest [`DEFAULT_SPAN`] frames, none marked or selected.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    const HELD: Range<u64> = 1000..5000;

    #[test]
    fn the_newest_frames_are_followed_until_the_user_moves() {
        let mut timeline = Timeline::default();
        assert_eq!(timeline.visible(&HELD).0, 4400.0);
        assert_eq!(timeline.visible(&(1000..6000)).0, 5400.0);
        timeline.pan(-100.0, &HELD);
        assert!(!timeline.follows());
        assert_eq!(timeline.visible(&HELD), (4300.0, 4900.0));
        assert_eq!(timeline.visible(&(1000..6000)), (4300.0, 4900.0));
        timeline.forget_frames();
        assert_eq!(timeline.visible(&HELD).0, 4400.0);
    }

    #[test]
    fn after_any_zooming_and_moving_some_frames_are_visible() {
        let mut random = Random::new(3);
        let mut timeline = Timeline::default();
        for step in 0..10_000_u32 {
            let held = [HELD, 0..0, 7..8, 0..100_000][random.below(4) as usize].clone();
            match random.below(2) {
                0 => timeline.pan(random.below(20_000) as f64 - 10_000.0, &held),
                _ => timeline.zoom(
                    2f64.powf(random.below(40) as f64 - 20.0),
                    random.below(6000) as f64,
                    &held,
                ),
            }
            let (left, right) = timeline.visible(&held);
            assert!(
                left.is_finite() && right - left >= MIN_SPAN - 1.0,
                "{step}: {left} {right}"
            );
            assert!(
                (MIN_SPAN..110_001.0).contains(&timeline.span),
                "{step}: {}",
                timeline.span
            );
        }
    }

    #[test]
    fn moving_stops_while_a_tenth_of_the_visible_frames_is_within_the_history() {
        let mut timeline = Timeline::default();
        timeline.pan(f64::MAX, &HELD);
        let (left, right) = timeline.visible(&HELD);
        assert!(left < HELD.end as f64 && right > HELD.end as f64);
        timeline.pan(f64::MIN, &HELD);
        let (left, right) = timeline.visible(&HELD);
        assert!(left < HELD.start as f64 && right > HELD.start as f64);
    }

    #[test]
    fn zooming_keeps_the_frame_it_zooms_around_in_place() {
        let mut timeline = Timeline::default();
        timeline.show((2000.0, 2400.0));
        for factor in [2.0, 1.0, 0.25, 3.0] {
            let share = |timeline: &Timeline| (2100.0 - timeline.visible(&HELD).0) / timeline.span;
            let before = share(&timeline);
            timeline.zoom(factor, 2100.0, &HELD);
            assert!((share(&timeline) - before).abs() < 1e-9, "{factor}");
        }
        timeline.zoom(1e9, 2100.0, &HELD);
        assert_eq!(timeline.span, MIN_SPAN);
        timeline.zoom(0.0, 2100.0, &HELD);
        assert_eq!(timeline.span, 4400.0);
    }

    #[test]
    fn only_kept_frames_are_selected() {
        let mut timeline = Timeline::default();
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
            timeline.select(from, to, &HELD);
            assert_eq!(timeline.selected_range, selected, "{from} {to}");
        }
        timeline.select(0, 10, &(0..0));
        assert_eq!(timeline.selected_range, None);
    }

    #[test]
    fn a_frame_out_of_sight_moves_into_the_middle() {
        let mut timeline = Timeline::default();
        timeline.reveal(4700, &HELD);
        assert!(timeline.follows(), "it is visible already");
        timeline.reveal(2000, &HELD);
        assert_eq!(timeline.visible(&HELD), (1700.0, 2300.0));
        timeline.reveal(1731, &HELD);
        assert_eq!(timeline.left, Some(1700.0));
        timeline.reveal(1729, &HELD);
        assert_eq!(timeline.left, Some(1429.0));
    }

    #[test]
    fn all_views_mark_the_frame_under_the_pointer_of_the_previous_pass() {
        let root = Id::NULL.with("root");
        let mut timeline = Timeline {
            stepped: Some(5),
            ..Timeline::default()
        };
        timeline.begin_pass(root);
        assert_eq!(timeline.marked(), Some(5));
        timeline.point_at(9);
        assert_eq!(timeline.marked(), Some(5));
        timeline.begin_pass(root);
        assert_eq!(timeline.marked(), Some(9));
        timeline.begin_pass(root);
        assert_eq!(timeline.marked(), Some(5));
        timeline.reset();
        assert_eq!(timeline, Timeline::default());
    }

    #[test]
    fn the_pointer_marks_a_frame_in_the_other_panels_too() {
        let (root, child) = (Id::NULL.with("root"), Id::NULL.with("child"));
        let mut timeline = Timeline::default();
        for _ in 0..3 {
            timeline.begin_pass(root);
            timeline.point_at(9);
            timeline.begin_pass(child);
        }
        assert_eq!(timeline.marked(), Some(9));
        timeline.begin_pass(root);
        assert_eq!(timeline.marked(), Some(9));
        // The pointer left the root.
        timeline.begin_pass(child);
        assert_eq!(timeline.marked(), None);
        // If a panel is no longer drawn, the frame under its pointer is forgotten.
        timeline.begin_pass(child);
        timeline.point_at(7);
        timeline.begin_pass(child);
        timeline.point_at(7);
        for _ in 0..=MAX_OTHER_PASSES {
            timeline.begin_pass(root);
        }
        assert_eq!(timeline.marked(), None);
    }
}
