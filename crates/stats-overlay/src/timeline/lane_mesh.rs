//! The calls of lanes as triangles.
//!
//! A frame may have thousands of calls, most of them narrower than a pixel. So all lanes are one mesh,
//! a call looks up nothing but the look of its series, and neighbors below a pixel are one rectangle.

use std::sync::Arc;

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Galley, Rect, pos2, vec2};
use stats_core::timeline::Scope;

use crate::timeline::calls::Call;
use crate::timeline::division::add_division;
use crate::timeline::lanes::{LEVEL, LaneRow, NAME};
use crate::timeline::paint::Picture;
use crate::timeline::ui::row_rect;
use crate::timeline::window::{PlacedFrame, Window};

/// The minimum width of a call with its name, in points.
const NAMED: f32 = 34.0;
/// The minimum width of a wait with stripes, in points.
const STRIPED: f32 = 6.0;
/// The distance of the stripes of a wait, in points.
const STRIPE: f32 = 6.0;
/// The opacity of a call that the search does not find.
const DIMMED: f32 = 0.2;
/// The part of the height of a level that several merged calls have.
const MERGED: f32 = 0.6;

/// Adds the calls of lanes to a mesh, and lists what is painted over them.
pub(super) struct LaneMesh<'a> {
    picture: &'a Picture<'a>,
    area: Rect,
    mesh: &'a mut Mesh,
    lists: &'a mut Lists,
}

/// What the last picture was made of, for its memory.
#[derive(Debug, Default)]
pub(super) struct LaneMemory {
    pub(super) mesh: Arc<Mesh>,
    pub(super) lists: Lists,
    /// The names of series, by their places.
    pub(super) names: Vec<Option<Arc<Galley>>>,
}

#[derive(Debug, Default)]
pub(super) struct Lists {
    /// By the place of the series.
    looks: Vec<Option<Look>>,
    /// The neighbors below a pixel that are not drawn yet, by level.
    pending: Vec<Option<Merged>>,
    pub(super) named: Vec<Named>,
    /// The calls of the timer of the selected call, and whether it is this call.
    pub(super) outlined: Vec<(Rect, bool)>,
}

/// A call that is wide enough for its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) place: Rect,
    pub(super) ink: Color32,
    /// The place of its series.
    pub(super) series: u32,
    pub(super) duration_ns: i64,
}

/// How all calls of a series look.
#[derive(Clone, Copy, Debug)]
struct Look {
    is_wait: bool,
    /// Whether the search finds it, or searches for none.
    is_found: bool,
    /// Dimmed if the search does not find it.
    color: Color32,
}

/// Neighbors below a pixel, drawn as one.
#[derive(Clone, Copy, Debug)]
struct Merged {
    left: f32,
    right: f32,
    count: usize,
    color: Color32,
    is_mixed: bool,
    /// Whether the search finds one of them. The others then do not count for the color.
    is_found: bool,
}

/// Where the times of a frame are on the screen.
struct FrameScale {
    /// The visible times, in nanoseconds since the frame began.
    left_ns: i64,
    right_ns: i64,
    /// The x coordinate of the begin of the frame, and the points of a nanosecond.
    begin: f64,
    point_per_ns: f64,
}

impl FrameScale {
    fn new(area: Rect, window: &Window, frame: &PlacedFrame<'_>) -> Self {
        let point_per_ns = f64::from(area.width()) / window.width_ns;
        let left_ns = window.left_ns - frame.begin_ns;
        Self {
            left_ns: left_ns.floor() as i64,
            right_ns: (left_ns + window.width_ns).ceil() as i64,
            begin: f64::from(area.left()) - left_ns * point_per_ns,
            point_per_ns,
        }
    }

    fn x(&self, ns: i64) -> f32 {
        (self.begin + ns as f64 * self.point_per_ns) as f32
    }
}

impl<'a> LaneMesh<'a> {
    pub(super) fn new(
        picture: &'a Picture<'a>,
        area: Rect,
        mesh: &'a mut Mesh,
        lists: &'a mut Lists,
    ) -> Self {
        // `Mesh::clear` would free the memory.
        mesh.vertices.clear();
        mesh.indices.clear();
        lists.looks.clear();
        lists.looks.resize(picture.scopes.series_places(), None);
        lists.named.clear();
        lists.outlined.clear();
        Self {
            picture,
            area,
            mesh,
            lists,
        }
    }

    pub(super) fn add_lane(&mut self, row: &LaneRow) {
        add_division(self.mesh, self.picture, self.area, row);
        self.lists.pending.clear();
        self.lists.pending.resize(row.levels, None);
        let top = row_rect(self.area, row).top() + NAME;
        for frame in self.picture.shown {
            let scale = FrameScale::new(self.area, &self.picture.window, frame);
            let scopes = frame.copy.scopes_of(row.lane);
            let series = frame.copy.series_of(row.lane);
            let end = scopes.partition_point(|scope| scope.begin_ns() <= scale.right_ns);
            for (scope, series) in scopes[..end].iter().zip(series) {
                if scope.end_ns() >= scale.left_ns {
                    let level = row.level(scope.depth());
                    let top = top + level as f32 * LEVEL;
                    self.add_call(&scale, (scope, *series), (level, top));
                    self.outline(&scale, (frame.copy.index, row.lane, scope), top);
                }
            }
        }
        for level in 0..row.levels {
            if let Some(merged) = self.lists.pending[level].take() {
                self.add_merged(merged, top + level as f32 * LEVEL);
            }
        }
    }

    /// Adds a call, or merges it with its neighbors.
    #[inline]
    fn add_call(
        &mut self,
        scale: &FrameScale,
        (scope, series): (&Scope, u32),
        (level, top): (usize, f32),
    ) {
        let (left, right) = self.sides(scale, scope);
        let look = self.look(series);
        if right - left >= 1.0 {
            if let Some(before) = self.lists.pending[level].take() {
                self.add_merged(before, top);
            }
            return self.add_wide(look, (scope, series), (left, right, top));
        }
        match &mut self.lists.pending[level] {
            Some(merged) if left <= merged.right + 1.0 => {
                merged.right = right.max(merged.right);
                merged.count += 1;
                merged.add_color(look.color, look.is_found);
            }
            pending => {
                let one = Merged {
                    left,
                    right,
                    count: 1,
                    color: look.color,
                    is_mixed: false,
                    is_found: look.is_found,
                };
                if let Some(before) = pending.replace(one) {
                    self.add_merged(before, top);
                }
            }
        }
    }

    /// Returns the left and the right side of a call within its frame and the area.
    fn sides(&self, scale: &FrameScale, scope: &Scope) -> (f32, f32) {
        let left = scale.x(scope.begin_ns().max(0)).max(self.area.left());
        let right = scale.x(scope.end_ns().max(0)).min(self.area.right());
        (left, right)
    }

    fn look(&mut self, series: u32) -> Look {
        if let Some(Some(look)) = self.lists.looks.get(series as usize) {
            return *look;
        }
        let look = self.picture.look(series);
        if let Some(place) = self.lists.looks.get_mut(series as usize) {
            *place = Some(look);
        }
        look
    }

    /// Adds a call that is at least a point wide.
    fn add_wide(
        &mut self,
        look: Look,
        (scope, series): (&Scope, u32),
        (left, right, top): (f32, f32, f32),
    ) {
        // A gap of half a point keeps neighbors apart.
        let place = Rect::from_min_max(
            pos2(left, top),
            pos2((right - 0.5).max(left + 0.5), top + LEVEL - 1.0),
        );
        let is_wait = scope.is_wait() || look.is_wait;
        add_place(self.mesh, place, look.color, is_wait);
        let text = self.picture.theme.text;
        if scope.is_open() {
            // It goes on after the frame.
            let end = place.with_min_x((place.right() - 2.0).max(place.left()));
            self.mesh.add_colored_rect(end, text);
        }
        if place.width() >= NAMED {
            let ink = match (look.is_found, is_wait) {
                (false, _) => self.picture.theme.weak,
                (true, true) => text,
                (true, false) => ink(look.color),
            };
            self.lists.named.push(Named {
                place,
                ink,
                series,
                duration_ns: scope.duration_ns(),
            });
        }
    }

    /// Lists the outline of a call of the timer of the selected one.
    #[inline]
    fn outline(
        &mut self,
        scale: &FrameScale,
        (frame, lane, scope): (u64, usize, &Scope),
        top: f32,
    ) {
        let selected = self.picture.call;
        if let Some(call) = selected.filter(|call| call.series == scope.series()) {
            let (left, right) = self.sides(scale, scope);
            let bottom_right = pos2(right.max(left + 1.0), top + LEVEL - 1.0);
            let place = Rect::from_min_max(pos2(left, top), bottom_right);
            let is_it = call == Call::of(frame, lane, scope);
            self.lists.outlined.push((place, is_it));
        }
    }

    /// Adds neighbors below a pixel, lower than single calls if there are several.
    fn add_merged(&mut self, merged: Merged, top: f32) {
        let height = (LEVEL - 1.0) * if merged.count > 1 { MERGED } else { 1.0 };
        let Picture { theme, search, .. } = self.picture;
        let color = match (merged.is_mixed, merged.is_found && search.has_terms()) {
            (false, _) => merged.color,
            (true, true) => theme.text,
            (true, false) => theme
                .weak
                .gamma_multiply(if merged.is_found { 1.0 } else { DIMMED }),
        };
        let size = vec2((merged.right - merged.left).max(1.0), height);
        let place = Rect::from_min_size(pos2(merged.left, top), size);
        self.mesh.add_colored_rect(place, color);
    }
}

impl Picture<'_> {
    fn look(&self, series: u32) -> Look {
        let series = self.scopes.series_at(series);
        let is_found = (self.search).matches_path(series.map_or("", |series| &series.path));
        let opacity = if is_found { 1.0 } else { DIMMED };
        Look {
            is_wait: series.is_some_and(|series| series.is_wait),
            is_found,
            color: self.color_of_graph(series).gamma_multiply(opacity),
        }
    }
}

impl Merged {
    /// Adds the color of another call.
    fn add_color(&mut self, color: Color32, is_found: bool) {
        if is_found == self.is_found {
            self.is_mixed |= self.color != color;
        } else if is_found {
            (self.color, self.is_mixed, self.is_found) = (color, false, true);
        }
    }
}

/// Adds a filled rectangle, with stripes if it waits.
fn add_place(mesh: &mut Mesh, place: Rect, color: Color32, is_wait: bool) {
    if !is_wait {
        return mesh.add_colored_rect(place, color);
    }
    // Weak enough for the name on it.
    mesh.add_colored_rect(place, color.gamma_multiply(0.25));
    if place.width() >= STRIPED {
        add_stripes(mesh, place, color.gamma_multiply(0.3));
    }
}

/// Adds diagonal stripes.
fn add_stripes(mesh: &mut Mesh, place: Rect, color: Color32) {
    let (height, width) = (place.height(), STRIPE / 2.0);
    let mut x = place.left() - height;
    while x < place.right() {
        // The stripe leads from the bottom at `x` to the top at `x + height`.
        let at = |x: f32, y: f32| pos2(x.clamp(place.left(), place.right()), y);
        let cut = |from: f32| {
            let low = (place.left() - from).clamp(0.0, height);
            let high = (place.right() - from).clamp(0.0, height);
            (
                at(from + low, place.bottom() - low),
                at(from + high, place.bottom() - high),
            )
        };
        let ((a, b), (c, d)) = (cut(x), cut(x + width));
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([a, b, d, c].map(|pos| Vertex {
            pos,
            uv: WHITE_UV,
            color,
        }));
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
        x += STRIPE;
    }
}

/// Returns black or white, whichever is easier to read on a color.
fn ink(color: Color32) -> Color32 {
    let [red, green, blue, _] = color.to_array().map(f32::from);
    // The luma of ITU-R BT.601.
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue;
    if luma > 140.0 {
        Color32::BLACK
    } else {
        Color32::WHITE
    }
}
