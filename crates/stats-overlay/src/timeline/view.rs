//! The state of a timeline between frames, and its keys.

use std::ops::Range;

use egui::{Rect, Vec2};
use stats_core::timeline::Scope;
use stats_ui::list::List;
use stats_ui::retained::Retained;
use stats_ui::theme::Theme;
use stats_ui::tree::RowAction;

use crate::data::frame_axis::FrameAxis;
use crate::data::shown_scopes::{ShownScopes, within_frame};
use crate::data::wanted_frames::{MAX_LATE, WantedFrames};
use crate::input::action::Action;
use crate::paint::canvas::Canvas;
use crate::paint::choice_ui::Icon;
use crate::timeline::calls::Call;
use crate::timeline::lane_mesh::LaneMemory;
use crate::timeline::lanes::Lanes;
use crate::timeline::ui::TimelineUi;
use crate::timeline::window::{MAX_AROUND, PlacedFrame, Window, placed};
use crate::view::{PaneContext, PaneRequest, Performed, View};

/// The factor of a zoom by a key, and the share of the window of a move.
const ZOOM: f64 = 1.5;
const PAN: f64 = 0.2;

/// The timeline of a pane between frames.
#[derive(Debug, Default)]
pub(crate) struct TimelineView {
    /// The frames that are shown: the first, and their number.
    pub(super) shown: Option<(u64, u64)>,
    /// The visible time if the user zoomed.
    pub(super) window: Option<Window>,
    /// The call whose times are shown.
    pub(super) selected: Option<Call>,
    /// The first of the frames, and the timer whose longest call in them is selected once they are shown
    /// and it is known.
    pub(super) to_select: Option<(u64, String)>,
    /// Whether the pointer is in the view, which then keeps its frames.
    pub(super) is_pointed_at: bool,
    pub(super) lanes: Lanes,
    /// The lanes as a list that scrolls.
    pub(super) list: List,
    pub(super) painted: Retained<PictureKey>,
    pub(super) memory: LaneMemory,
    pub(super) axis: Retained<AxisKey>,
    /// The line below the lanes, and what it was made of.
    pub(super) line: (Option<(Call, u64)>, String),
}

/// The cache key of the shapes of the axis of time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AxisKey {
    /// Differs if other frames are shown.
    pub(super) contents: u64,
    pub(super) window: Window,
    /// The sizes of the axis and of the lanes below it.
    pub(super) sizes: [Vec2; 2],
    pub(super) budget_ns: Option<f64>,
    pub(super) theme: Theme,
}

/// The cache key of the shapes of all lanes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PictureKey {
    /// Differs if other frames, scopes or lanes are shown.
    pub(super) contents: u64,
    pub(super) window: Window,
    pub(super) size: Vec2,
    /// The top and the bottom of the lanes on screen.
    pub(super) visible: (f32, f32),
    pub(super) theme: Theme,
    pub(super) selected: Option<Call>,
    /// The terms of the search.
    pub(super) search: u64,
    /// Changes with the series of the pane, whose colors the calls have.
    pub(super) of_pane: u64,
}

impl View for TimelineView {
    /// Calls inside others.
    fn icon(&self) -> Icon {
        &[
            &[
                (0.0, 0.05),
                (1.0, 0.05),
                (1.0, 0.35),
                (0.0, 0.35),
                (0.0, 0.05),
            ],
            &[(0.1, 0.5), (0.4, 0.5), (0.4, 0.8), (0.1, 0.8), (0.1, 0.5)],
            &[
                (0.55, 0.5),
                (0.9, 0.5),
                (0.9, 0.8),
                (0.55, 0.8),
                (0.55, 0.5),
            ],
        ]
    }

    fn draw(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        pane: PaneContext<'_>,
    ) -> Option<PaneRequest> {
        self.follow_frames(&pane);
        self.select_longest(pane.scopes);
        TimelineUi { pane, view: self }.timeline_ui(canvas, rect)
    }

    fn wanted_scopes(&self, frame_axis: &FrameAxis, held: &Range<u64>) -> Option<WantedFrames> {
        let newest = held.end.saturating_sub(1);
        let next = match self.shown {
            Some((shown, _)) if self.is_pointed_at => shown,
            _ => (self.wanted(frame_axis, held)).map_or(newest, |(first, _)| first),
        };
        let (shown, count) = self.shown.unwrap_or((next, 1));
        // A frame far away is not shown any more when the next one is, unless the scopes of the newest
        // frames come later, as those of a game elsewhere do.
        let near = if next == newest {
            MAX_LATE
        } else {
            2 * MAX_AROUND
        };
        let is_near = next.abs_diff(shown) <= near;
        let shown = if is_near { shown } else { next };
        let around = if self.window.is_some() { MAX_AROUND } else { 1 };
        let start = next.min(shown).saturating_sub(around);
        Some(WantedFrames {
            all: start..(next.max(shown) + count + around).min(held.end),
            most: [shown, next],
        })
    }

    /// Zooms and moves, or selects the next call.
    fn perform(&mut self, action: Action, pane: &PaneContext<'_>) -> Performed {
        let (first, frames) = self.shown.unwrap_or((0, 1));
        let placed = placed(pane.scopes, first);
        if placed.is_empty() {
            return Performed::No;
        }
        let window = (self.window).unwrap_or_else(|| Window::of_frames(&placed, first, frames));
        let middle = window.left_ns + window.width_ns / 2.0;
        self.window = Some(match action {
            Action::ZoomIn => window.zoomed(ZOOM, middle, &placed),
            Action::ZoomOut => window.zoomed(1.0 / ZOOM, middle, &placed),
            Action::PanLeft => window.moved(-window.width_ns * PAN, &placed),
            Action::PanRight => window.moved(window.width_ns * PAN, &placed),
            Action::Rows(action) => return self.move_selection(action, pane, &placed),
            _ => return Performed::No,
        });
        Performed::Yes
    }

    fn reveal(&mut self, _frame: u64) {
        self.window = None;
    }

    fn follow(&mut self) {
        (self.window, self.selected, self.shown) = (None, None, None);
        self.to_select = None;
    }

    fn unzoom(&mut self) {
        self.window = None;
    }

    fn deselect(&mut self) -> bool {
        self.selected.take().is_some()
    }

    fn forget_frames(&mut self) {
        *self = Self::default();
    }

    fn free_pictures(&mut self) {
        (self.painted, self.axis) = (Retained::default(), Retained::default());
        self.memory = LaneMemory::default();
    }
}

impl TimelineView {
    /// Returns the frames to show: the first, and their number.
    fn wanted(&self, frame_axis: &FrameAxis, held: &Range<u64>) -> Option<(u64, u64)> {
        if let Some(range) = &frame_axis.selected_range {
            return Some((range.start, (range.end - range.start).min(MAX_AROUND)));
        }
        let newest = held.end.checked_sub(1).filter(|_| !held.is_empty());
        frame_axis.marked().or(newest).map(|frame| (frame, 1))
    }

    /// Decides which frames to show. The newest one changes only when numbers are read again, so that
    /// it can be read.
    fn follow_frames(&mut self, pane: &PaneContext<'_>) {
        if self.is_pointed_at && self.shown.is_some() {
            return;
        }
        let held = pane.data.frames();
        let wanted = self.wanted(pane.frame_axis, &held);
        let is_newest =
            pane.frame_axis.marked().is_none() && pane.frame_axis.selected_range.is_none();
        let is_gone = (self.shown).is_none_or(|(first, _)| pane.scopes.frame(first).is_none());
        if !is_newest || pane.refresh || is_gone {
            if self.shown.map(|(_, frames)| frames) != wanted.map(|(_, frames)| frames) {
                self.window = None;
            }
            // The scopes of the newest frame are known a frame later, and those of a game elsewhere
            // some more. Until then, the frame is waited for.
            let waited = self.shown.map(|(first, _)| first);
            let copied = |(first, frames): (u64, u64)| {
                let mut copies = pane.scopes.frames().iter().rev().map(|frame| frame.index);
                // One further away is of another time, and no copies of it are asked for.
                let is_near = |index: &u64| first.abs_diff(*index) <= MAX_LATE;
                let known = copies.find(|&index| index <= first).filter(is_near);
                let known = known.or(waited.filter(is_near)).map(|index| (index, 1));
                known.filter(|_| is_newest).unwrap_or((first, frames))
            };
            self.shown = wanted.map(copied);
        }
    }

    /// Selects the longest call of a timer once the view shows the frames that begin with this one. Until
    /// then, selects none.
    pub(crate) fn select_once_shown(&mut self, to_select: Option<(u64, String)>) {
        (self.selected, self.to_select) = (None, to_select);
    }

    /// Selects the longest call of the timer that is to be selected, unless the user selects a call or
    /// other frames first.
    fn select_longest(&mut self, scopes: &ShownScopes) {
        let (Some((first, path)), Some((shown, frames))) = (&self.to_select, self.shown) else {
            return;
        };
        let shown = shown..shown + frames;
        if self.selected.is_some() || !shown.contains(first) {
            // While the pointer is in the view, it shows its old frames.
            if self.selected.is_some() || !self.is_pointed_at {
                self.to_select = None;
            }
            return;
        }
        let is_of = |scope: &Scope| {
            let series = scopes.series(scope.series());
            series.is_some_and(|series| series.path == *path)
        };
        let copies = scopes.frames().iter();
        let calls = copies
            .filter(|frame| shown.contains(&frame.index))
            .flat_map(|frame| {
                let lanes = frame.lanes();
                lanes.flat_map(move |(lane, of_lane)| {
                    of_lane.iter().map(move |scope| (frame.index, lane, scope))
                })
            });
        let longest = calls
            .filter(|(.., scope)| is_of(scope))
            .max_by_key(|(.., scope)| {
                let part = within_frame(scope);
                part.end - part.start
            });
        if let Some((frame, lane, scope)) = longest {
            self.selected = Some(Call::of(frame, lane, scope));
            self.to_select = None;
            self.list.has_moved = true;
        }
    }

    /// Moves the selection to another call, or shows the selected one.
    fn move_selection(
        &mut self,
        action: RowAction,
        pane: &PaneContext<'_>,
        placed: &[PlacedFrame<'_>],
    ) -> Performed {
        let (first, _) = self.shown.unwrap_or_default();
        let Some((call, at)) = self
            .selected
            .and_then(|call| Some((call, call.index(pane.scopes)?)))
        else {
            if matches!(action, RowAction::Activate) {
                return Performed::No;
            }
            let frame = placed.iter().find(|frame| frame.copy.index == first);
            let found = frame.and_then(|frame| {
                self.lanes.rows().iter().find_map(|row| {
                    let scope = frame.copy.scopes_of(row.lane).first()?;
                    Some(Call::of(first, row.lane, scope))
                })
            });
            self.selected = found;
            self.list.has_moved = true;
            return Performed::Yes;
        };
        let Some(frame) = pane.scopes.frame(call.frame) else {
            return Performed::Yes;
        };
        let scopes = frame.scopes_of(call.lane);
        let is_beside = |other: &usize| scopes[*other].depth() == call.depth;
        let to = match action {
            RowAction::Activate => {
                let frames = call.frame..call.frame + 1;
                let series = pane.scopes.series(call.series);
                return series.map_or(Performed::Yes, |series| {
                    Performed::With(PaneRequest::show(&series.path, frames))
                });
            }
            RowAction::Open | RowAction::End => (at + 1..scopes.len()).find(is_beside),
            RowAction::Close | RowAction::Start => (0..at).rev().find(is_beside),
            RowAction::Up | RowAction::PageUp => {
                let outer = (0..at)
                    .rev()
                    .find(|&other| scopes[other].depth() < call.depth);
                match outer {
                    Some(outer) => Some(outer),
                    None => return self.move_lane(-1, frame.index, call.lane, pane.scopes),
                }
            }
            RowAction::Down | RowAction::PageDown => {
                let inner = scopes.get(at + 1).filter(|inner| {
                    inner.depth() > call.depth && inner.begin_ns() <= scopes[at].end_ns()
                });
                match inner {
                    Some(_) => Some(at + 1),
                    None => return self.move_lane(1, frame.index, call.lane, pane.scopes),
                }
            }
        };
        if let Some(to) = to {
            self.selected = Some(Call::of(call.frame, call.lane, &scopes[to]));
            self.list.has_moved = true;
        }
        Performed::Yes
    }

    /// Selects the first call of the next lane that has one, in the frame.
    fn move_lane(&mut self, by: i64, frame: u64, lane: usize, scopes: &ShownScopes) -> Performed {
        let rows = self.lanes.rows();
        let Some(at) = rows.iter().position(|row| row.lane == lane) else {
            return Performed::Yes;
        };
        let others: Vec<usize> = if by < 0 {
            (0..at).rev().collect()
        } else {
            (at + 1..rows.len()).collect()
        };
        let found = others.into_iter().find_map(|at| {
            let lane = rows[at].lane;
            let scope = scopes.frame(frame)?.scopes_of(lane).first()?;
            Some(Call::of(frame, lane, scope))
        });
        if found.is_some() {
            (self.selected, self.list.has_moved) = (found, true);
        }
        Performed::Yes
    }
}
