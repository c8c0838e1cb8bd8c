//! The notches of values beyond an axis that leaves out a few outliers: a gap in the column near the
//! edge of the plot, and beside it the value.

use egui::epaint::Mesh;
use egui::{Color32, Pos2, pos2, vec2};

use crate::graph::shown::Shown;
use crate::graph::spike_marks::SPIKE_LANE;
use crate::graph::transform::Transform;
use crate::paint::reused_mesh::ReusedMesh;
use crate::paint::series_shape::push_polygon;
use stats_analysis::buckets::Bucket;

/// The minimum distance between two notches of a series, in points.
pub(super) const APART: f32 = 14.0;
/// Half of the width of a notch, and its height, in points.
const HALF: f32 = 5.0;
const HEIGHT: f32 = 3.0;
/// The distance from the edge of the plot to a notch, in points.
const TO_EDGE: f32 = 6.0;

/// The values beyond the axes of a graph, and the memory to paint their notches.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    pub(super) list: Vec<Cut>,
    pub(super) mesh: ReusedMesh,
}

/// The farthest of neighboring values beyond an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    /// The index of the series among the selected ones.
    pub(super) at: usize,
    /// The first frame of the bucket, and the number of frames in it.
    pub(super) frame: u64,
    pub(super) width: u64,
    pub(super) value: f64,
    pub(super) is_above: bool,
}

impl Cuts {
    /// Adds the buckets beyond a range. Of several within `apart` frames, adds only the one that is farthest
    /// beyond.
    pub(super) fn add(
        &mut self,
        at: usize,
        (buckets, width): (&[Bucket], u64),
        (bottom, top): (f64, f64),
        apart: u64,
    ) {
        for is_above in [true, false] {
            let first = self.list.len();
            for bucket in buckets {
                let value = if is_above { bucket.max } else { bucket.min };
                // An unknown value is not beyond.
                if !(if is_above {
                    value > top
                } else {
                    value < bottom
                }) {
                    continue;
                }
                let cut = Cut {
                    at,
                    frame: bucket.first_frame,
                    width,
                    value,
                    is_above,
                };
                match self.list[first..].last_mut() {
                    Some(last) if cut.frame - last.frame < apart => {
                        if (value > last.value) == is_above {
                            *last = cut;
                        }
                    }
                    _ => self.list.push(cut),
                }
            }
        }
    }
}

impl Cut {
    /// Returns the middle of the notch.
    pub(super) fn place(&self, transform: &Transform) -> Pos2 {
        let plot = transform.plot();
        let middle = self.frame as f64 + (self.width - 1) as f64 / 2.0;
        let y = match self.is_above {
            true => plot.top() + SPIKE_LANE + TO_EDGE,
            false => plot.bottom() - TO_EDGE,
        };
        pos2(transform.x(middle), y)
    }
}

/// Returns whether a series has values beyond its axis.
pub(super) fn is_cut(shown: &Shown) -> bool {
    let beyond = |range: (f64, f64)| {
        let summary = shown.summary.as_ref();
        summary.is_some_and(|of| of.max > range.1 || of.min < range.0)
    };
    !shown.hidden && beyond(shown.range)
}

/// Adds a slanted gap with an edge above and below it.
pub(super) fn push_notch(mesh: &mut Mesh, middle: Pos2, color: Color32, ground: Color32) {
    let mut band = |top: f32, height: f32, color| {
        let corner = |x: f32, y: f32| middle + vec2(x * HALF, y - x * 2.0);
        let (top, bottom) = (top, top + height);
        push_polygon(
            mesh,
            [
                corner(-1.0, top),
                corner(1.0, top),
                corner(1.0, bottom),
                corner(-1.0, bottom),
            ],
            color,
        );
    };
    band(-HEIGHT / 2.0, HEIGHT, ground);
    band(-HEIGHT / 2.0 - 1.0, 1.0, color);
    band(HEIGHT / 2.0, 1.0, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighboring_values_share_the_notch_of_the_farthest() {
        let bucket = |first_frame: u64, min: f64, max: f64| Bucket {
            first_frame,
            min,
            max,
            first: min,
            last: max,
        };
        let buckets = [
            bucket(10, 1.0, 50.0),
            bucket(12, 1.0, 90.0),
            bucket(14, f64::NAN, f64::NAN),
            bucket(16, 1.0, 10.0),
            bucket(30, -8.0, 11.0),
        ];
        let mut cuts = Cuts::default();
        cuts.add(3, (&buckets, 2), (0.0, 10.0), 6);
        let found = cuts
            .list
            .iter()
            .map(|cut| (cut.frame, cut.value, cut.is_above));
        let expected = [(12, 90.0, true), (30, 11.0, true), (30, -8.0, false)];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
