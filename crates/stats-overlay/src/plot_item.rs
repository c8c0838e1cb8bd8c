//! A series in a plot of the program's own.
//!
//! `egui_plot` draws every point that it is given, and a history has thousands of frames. A
//! [`SeriesLine`] borrows the history, and gives the plot at most two points for each of
//! 1,024 columns: the smallest and the largest value. A spike never vanishes.

use std::ops::RangeInclusive;

use egui::{Color32, Shape, Stroke, Ui};
use egui_plot::{PlotBounds, PlotGeometry, PlotItem, PlotItemBase, PlotPoint, PlotTransform};
use stats_analysis::buckets::{Bucket, bucket_width, thin};
use stats_core::FrameSlice;

/// The columns of a plot: enough for a line of 1.5 points.
const COLUMNS: f64 = 1024.0;

/// The values of a series as a line in a plot of [`egui_plot`].
///
/// The horizontal axis has the indices of frames, the vertical axis the unit of the series. The
/// line has a gap where a value is not known.
///
/// ```
/// use egui_plot::Plot;
/// use stats_overlay::SeriesLine;
///
/// # fn draw(ui: &mut egui::Ui, recorder: &stats_core::Recorder, watch: &stats_core::Watch) {
/// Plot::new("work").show(ui, |plot| {
///     plot.add(SeriesLine::new("app/work", recorder.history(watch, 600)));
/// });
/// # }
/// ```
///
/// # Cost
///
/// Each pass reads all values once, for the range of the plot, and those in view once more, about a
/// nanosecond each. It allocates two points for each column, and one for each gap. The plot and the
/// overlay must use the same release of egui.
pub struct SeriesLine<'a> {
    base: PlotItemBase,
    values: FrameSlice<'a>,
    stroke: Stroke,
    bounds: PlotBounds,
    /// The points in view. A point whose value is NaN ends a piece of the line.
    points: Vec<PlotPoint>,
}

impl<'a> SeriesLine<'a> {
    /// Returns the line of some values under a name, which the legend and the pointer show.
    #[must_use]
    pub fn new(name: impl Into<String>, values: FrameSlice<'a>) -> Self {
        let frames = values.frames();
        let (mut bounds, mut all) = (PlotBounds::NOTHING, Vec::new());
        thin(values, frames.end, &mut all);
        for bucket in &all {
            bounds.extend_with(&PlotPoint::new(frames.start as f64, bucket.min));
            bounds.extend_with(&PlotPoint::new((frames.end - 1) as f64, bucket.max));
        }
        Self {
            base: PlotItemBase::new(name.into()),
            values,
            stroke: Stroke::new(1.5, Color32::from_rgb(0x4c, 0x9f, 0xe6)),
            bounds,
            points: Vec::new(),
        }
    }

    /// Sets the color. Default: a blue.
    #[must_use]
    pub fn color(mut self, color: impl Into<Color32>) -> Self {
        self.stroke.color = color.into();
        self
    }

    /// Sets the width in points. Default: 1.5.
    #[must_use]
    pub fn width(mut self, width: f32) -> Self {
        self.stroke.width = width;
        self
    }
}

impl PlotItem for SeriesLine<'_> {
    fn shapes(&self, _: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>) {
        let mut stroke = self.stroke;
        if self.highlighted() {
            stroke.width *= 2.0;
        }
        for piece in self.points.split(|point| point.y.is_nan()) {
            match piece {
                [] => {}
                [alone] => {
                    let center = transform.position_from_point(alone);
                    shapes.push(Shape::circle_filled(center, stroke.width, stroke.color));
                }
                _ => {
                    let points = piece
                        .iter()
                        .map(|point| transform.position_from_point(point));
                    shapes.push(Shape::line(points.collect(), stroke));
                }
            }
        }
    }

    fn initialize(&mut self, x_range: RangeInclusive<f64>) {
        // A frame beyond each edge, so that the line reaches the edges.
        let first = (x_range.start().floor() as u64).saturating_sub(1);
        let end = (x_range.end().ceil() as u64).saturating_add(2);
        let values = self.values.within(first..end.max(first));
        let width = bucket_width(values.len() as f64, COLUMNS);
        let mut buckets: Vec<Bucket> = Vec::new();
        thin(values, width, &mut buckets);
        self.points.clear();
        let mut expected = None;
        for bucket in buckets {
            let x = bucket.first_frame as f64 + (width - 1) as f64 / 2.0;
            if expected.is_some_and(|expected| expected != bucket.first_frame) {
                self.points.push(PlotPoint::new(x, f64::NAN));
            }
            expected = Some(bucket.first_frame + width);
            let (enters, leaves) = if bucket.first <= bucket.last {
                (bucket.min, bucket.max)
            } else {
                (bucket.max, bucket.min)
            };
            self.points.push(PlotPoint::new(x, enters));
            if leaves != enters {
                self.points.push(PlotPoint::new(x, leaves));
            }
        }
    }

    fn color(&self) -> Color32 {
        self.stroke.color
    }

    fn geometry(&self) -> PlotGeometry<'_> {
        PlotGeometry::Points(&self.points)
    }

    fn bounds(&self) -> PlotBounds {
        self.bounds
    }

    fn base(&self) -> &PlotItemBase {
        &self.base
    }

    fn base_mut(&mut self) -> &mut PlotItemBase {
        &mut self.base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn<'a>(values: &'a [f64], view: RangeInclusive<f64>) -> SeriesLine<'a> {
        let mut line = SeriesLine::new("values", FrameSlice::new(100, values, &[]));
        line.initialize(view);
        line
    }

    #[test]
    fn a_few_values_are_points_at_their_frames() {
        let line = drawn(&[1.0, 5.0, 2.0], 0.0..=1e9);
        let points: Vec<_> = line.points.iter().map(|point| (point.x, point.y)).collect();
        assert_eq!(points, [(100.0, 1.0), (101.0, 5.0), (102.0, 2.0)]);
        assert_eq!(line.bounds().min(), [100.0, 1.0]);
        assert_eq!(line.bounds().max(), [102.0, 5.0]);
    }

    #[test]
    fn only_the_frames_in_view_are_read() {
        let line = drawn(&[1.0; 1000], 300.0..=310.0);
        let frames: Vec<_> = line.points.iter().map(|point| point.x as u64).collect();
        assert_eq!(frames, (299..=311).collect::<Vec<_>>());
    }

    #[test]
    fn a_long_history_keeps_its_spikes_in_few_points() {
        let mut values = vec![1.0; 100_000];
        values[77_777] = 900.0;
        let line = drawn(&values, 0.0..=1e9);
        assert!(line.points.len() <= 2048, "{}", line.points.len());
        let highest = line.points.iter().map(|point| point.y).fold(0.0, f64::max);
        assert_eq!(highest, 900.0);
    }

    #[test]
    fn an_unknown_value_is_a_gap() {
        let line = drawn(&[1.0, f64::NAN, 2.0, 3.0], 0.0..=1e9);
        let gaps = line.points.iter().filter(|point| point.y.is_nan()).count();
        assert_eq!((line.points.len(), gaps), (4, 1));
        assert_eq!(line.bounds().max(), [103.0, 3.0]);
    }

    #[test]
    fn no_values_are_no_line() {
        let line = drawn(&[], 0.0..=1.0);
        assert!(line.points.is_empty() && line.bounds() == PlotBounds::NOTHING);
        assert!(drawn(&[f64::NAN], 0.0..=1e9).points.is_empty());
    }
}
