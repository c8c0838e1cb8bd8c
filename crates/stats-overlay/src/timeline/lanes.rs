//! The lanes of the visible frames with their places, and which scope is where.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;

use stats_analysis::sort::sort_by;
use stats_core::timeline::{LaneKind, Scope};

use crate::data::shown_scopes::{Run, ShownScopes, within_frame};
use crate::timeline::window::{PlacedFrame, Window};

/// The height of a lane's name with the bar below it, of that bar with the gap around it, and of one
/// level of scopes, in points.
pub(super) const NAME: f32 = 18.0;
pub(super) const BAR: f32 = 4.0;
pub(super) const LEVEL: f32 = 17.0;
/// The gap below a lane, in points.
pub(super) const GAP: f32 = 5.0;
/// The maximum number of levels of a lane. Deeper scopes are drawn in the last one.
const MAX_LEVELS: usize = 64;

/// The lanes from top to bottom. Lanes stay where they are while new frames have scopes in them, and
/// leave when they are forgotten.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    rows: Vec<LaneRow>,
    /// The depths of scopes that each lane ever had.
    depths: HashMap<usize, RangeInclusive<u8>>,
}

/// A lane with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LaneRow {
    /// Its number among the [`ShownScopes`].
    pub(super) lane: usize,
    pub(super) top: f32,
    /// The depth of the scopes in the first level.
    pub(super) first_depth: u8,
    pub(super) levels: usize,
}

impl LaneRow {
    pub(super) fn height(&self) -> f32 {
        NAME + self.levels as f32 * LEVEL
    }

    pub(super) fn bottom(&self) -> f32 {
        self.top + self.height()
    }

    /// Returns the level in which a scope of a depth is drawn.
    pub(super) fn level(&self, depth: u8) -> usize {
        usize::from(depth.saturating_sub(self.first_depth)).min(self.levels - 1)
    }
}

/// A scope on screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit<'a> {
    pub(super) frame: PlacedFrame<'a>,
    pub(super) lane: usize,
    pub(super) scope: &'a Scope,
}

impl Lanes {
    pub(super) fn rows(&self) -> &[LaneRow] {
        &self.rows
    }

    /// Returns the height of all lanes.
    pub(super) fn height(&self) -> f32 {
        self.rows.last().map_or(0.0, |row| row.bottom() + GAP)
    }

    /// Gives every lane that has scopes in the frames a place: the thread of the frame first, then
    /// the others by the time in their scopes, the GPU last. The order changes only when a lane
    /// appears.
    pub(super) fn update(&mut self, scopes: &ShownScopes, frames: &[PlacedFrame<'_>]) {
        let mut is_new = false;
        for run in runs(frames) {
            let known = self.depths.entry(run.lane).or_insert_with(|| {
                is_new = true;
                run.depths.clone()
            });
            let first = *run.depths.start().min(known.start());
            *known = first..=*run.depths.end().max(known.end());
        }
        let is_known = |lane: usize| scopes.lane(lane).is_some();
        self.depths.retain(|&lane, _| is_known(lane));
        if is_new {
            self.order(scopes, frames);
        } else {
            self.rows.retain(|row| is_known(row.lane));
        }
        let mut top = 0.0;
        for row in &mut self.rows {
            if let Some(depths) = self.depths.get(&row.lane) {
                row.first_depth = *depths.start();
                row.levels = depths.len().min(MAX_LEVELS);
            }
            row.top = top;
            top = row.bottom() + GAP;
        }
    }

    fn order(&mut self, scopes: &ShownScopes, frames: &[PlacedFrame<'_>]) {
        let mut busy: HashMap<usize, i64> = HashMap::new();
        for run in runs(frames) {
            *busy.entry(run.lane).or_default() += run.busy_ns;
        }
        self.rows = (self.depths.keys())
            .map(|&lane| LaneRow {
                lane,
                top: 0.0,
                first_depth: 0,
                levels: 1,
            })
            .collect();
        let order = |row: &LaneRow| {
            let is_gpu = scopes
                .lane(row.lane)
                .is_some_and(|lane| matches!(lane.kind, LaneKind::Gpu { .. }));
            let rank = match (scopes.is_frame_thread(row.lane), is_gpu) {
                (true, _) => 0,
                (_, false) => 1,
                (_, true) => 2,
            };
            let busy = busy.get(&row.lane).copied().unwrap_or(0);
            (rank, std::cmp::Reverse(busy), row.lane)
        };
        sort_by(&mut self.rows, |a, b| order(a).cmp(&order(b)));
    }

    /// Returns the scope at a height below the top of the lanes and at a time; if several are there,
    /// the last. `reach_ns` is the time of half a point: smaller scopes are that wide.
    pub(super) fn scope_at<'a>(
        &self,
        frames: &[PlacedFrame<'a>],
        (y, at_ns, reach_ns): (f32, f64, f64),
    ) -> Option<Hit<'a>> {
        let row = self.rows.iter().find(|row| row.bottom() > y)?;
        let level = ((y - row.top - NAME) / LEVEL).floor();
        if level < 0.0 {
            return None;
        }
        let mut hit = None;
        for &frame in frames {
            for scope in frame.copy.scopes_of(row.lane) {
                let (begin, end) = span_of(&frame, scope);
                let is_there = begin - reach_ns <= at_ns && at_ns <= end + reach_ns;
                if is_there && row.level(scope.depth()) == level as usize {
                    hit = Some(Hit {
                        frame,
                        lane: row.lane,
                        scope,
                    });
                }
            }
        }
        hit
    }
}

fn runs<'a>(frames: &'a [PlacedFrame<'_>]) -> impl Iterator<Item = &'a Run> {
    frames.iter().flat_map(|frame| frame.copy.runs())
}

/// Returns the part of a scope within its frame, in nanoseconds since the first shown frame began.
pub(super) fn span_of(frame: &PlacedFrame<'_>, scope: &Scope) -> (f64, f64) {
    let part = within_frame(scope);
    (
        frame.begin_ns + part.start as f64,
        frame.begin_ns + part.end as f64,
    )
}

/// Returns the frames that fill a part of the window, and not only its margin.
pub(super) fn in_view<'a>(shown: &[PlacedFrame<'a>], window: &Window) -> Vec<PlacedFrame<'a>> {
    let is_in_view = |frame: &&PlacedFrame<'_>| {
        let margin = window.width_ns * 0.02;
        let end = frame.end_ns().min(window.right_ns() - margin);
        end > frame.begin_ns.max(window.left_ns + margin)
    };
    shown.iter().filter(is_in_view).copied().collect()
}

/// Returns a number that differs if other frames, scopes, lanes or names are shown. Frames that are copied,
/// but not shown, do not change it.
pub(super) fn contents(scopes: &ShownScopes, shown: &[PlacedFrame<'_>], rows: &[&LaneRow]) -> u64 {
    let mut hasher = DefaultHasher::new();
    scopes.late_names().hash(&mut hasher);
    for frame in shown {
        (frame.copy.index, frame.copy.revision()).hash(&mut hasher);
        (frame.begin_ns as i64, frame.copy.duration_ns).hash(&mut hasher);
        // Times that are known later are known for good.
        frame.copy.known_times().hash(&mut hasher);
    }
    for row in rows {
        let is_frame_thread = scopes.is_frame_thread(row.lane);
        (row.lane, row.first_depth, row.levels, is_frame_thread).hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns the frames that a window shows.
pub(super) fn visible<'a>(frames: &[PlacedFrame<'a>], window: &Window) -> Vec<PlacedFrame<'a>> {
    let is_visible = |frame: &&PlacedFrame<'_>| {
        frame.end_ns() >= window.left_ns && frame.begin_ns <= window.right_ns()
    };
    frames.iter().filter(is_visible).copied().collect()
}
