//! The shapes that a graph was last painted with. They are reused in passes in which nothing of the
//! series changed: while the views are paused, in light frames, and in repeated passes.

use std::ops::Range;

use egui::{Color32, Rect, Shape};

use stats_analysis::axis::Mapping;

/// Everything that the shapes of one series depend on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PictureKey {
    /// The frames that have values.
    pub(super) held: Range<u64>,
    /// The frames at the left and right edges.
    pub(crate) frames: (f64, f64),
    /// The area of the picture, in points.
    pub(crate) rect: Rect,
    /// The values at the lower and upper edges.
    pub(super) range: (f64, f64),
    /// How values are mapped to heights.
    pub(super) mapping: Mapping,
    /// The budget, if its line is within the picture.
    pub(super) budget_line: Option<f64>,
    pub(crate) color: Color32,
    pub(super) pixels_per_point: f32,
    /// Changes when other series are selected.
    pub(crate) revision: u64,
}

/// The shapes of the series of one graph, by their place among the selected ones.
#[derive(Debug, Default)]
pub(super) struct PictureCache {
    kept: Vec<Option<(PictureKey, Vec<Shape>)>>,
}

impl PictureCache {
    /// Returns the shapes that belong to exactly this key.
    pub(super) fn get(&self, place: usize, key: &PictureKey) -> Option<&[Shape]> {
        let (of, shapes) = self.kept.get(place)?.as_ref()?;
        (of == key).then_some(shapes.as_slice())
    }

    /// Keeps shapes. Their meshes are shared, not copied.
    pub(crate) fn keep(&mut self, place: usize, key: PictureKey, shapes: &[Shape]) {
        if self.kept.len() <= place {
            self.kept.resize_with(place + 1, || None);
        }
        match &mut self.kept[place] {
            Some((of, kept)) => {
                *of = key;
                kept.clear();
                kept.extend_from_slice(shapes);
            }
            empty => *empty = Some((key, shapes.to_vec())),
        }
    }

    /// Drops all series after the first `places`.
    pub(super) fn truncate(&mut self, places: usize) {
        self.kept.truncate(places);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(end: u64) -> PictureKey {
        PictureKey {
            held: 0..end,
            frames: (0.0, 10.0),
            rect: Rect::EVERYTHING,
            range: (0.0, 1.0),
            mapping: Mapping::Linear,
            budget_line: None,
            color: Color32::RED,
            pixels_per_point: 1.0,
            revision: 1,
        }
    }

    #[test]
    fn only_shapes_of_an_equal_key_are_reused() {
        let mut cache = PictureCache::default();
        assert!(cache.get(2, &key(5)).is_none());
        cache.keep(2, key(5), &[Shape::Noop, Shape::Noop]);
        assert_eq!(cache.get(2, &key(5)).map(<[Shape]>::len), Some(2));
        assert!(cache.get(2, &key(6)).is_none() && cache.get(1, &key(5)).is_none());
        cache.keep(2, key(6), &[Shape::Noop]);
        assert_eq!(cache.get(2, &key(6)).map(<[Shape]>::len), Some(1));
        cache.truncate(2);
        assert!(cache.get(2, &key(6)).is_none());
    }
}
