//! What a graph was painted with last, for passes in which nothing of it changed: while the views
//! are paused, in frames in which the overlay spares time, when a pass is repeated.

use std::ops::Range;

use egui::{Color32, Rect, Shape};

use stats_analysis::axis::Mapping;

/// Everything that the shapes of one series depend on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PictureKey {
    /// The frames there are values of.
    pub(crate) held: Range<u64>,
    /// Up to where spikes were looked for.
    pub(crate) searched: u64,
    /// The frames at the left and the right edge.
    pub(crate) frames: (f64, f64),
    /// Where it is painted, in points.
    pub(crate) rect: Rect,
    /// The values at the lower and the upper edge.
    pub(crate) range: (f64, f64),
    /// How values are put at heights.
    pub(crate) mapping: Mapping,
    /// The budget, where its line is within the picture.
    pub(crate) budget_line: Option<f64>,
    pub(crate) color: Color32,
    /// The colour of spikes.
    pub(crate) alert: Color32,
    /// Which row of marks along the upper edge is this series'.
    pub(crate) mark_row: usize,
    pub(crate) pixels_per_point: f32,
    /// Changes when other series are selected.
    pub(crate) revision: u64,
}

/// The shapes of the series of one graph, by their place among the selected ones.
#[derive(Debug, Default)]
pub(crate) struct PictureCache {
    kept: Vec<Option<(PictureKey, Vec<Shape>)>>,
}

impl PictureCache {
    /// The shapes that were made for exactly this.
    pub(crate) fn get(&self, place: usize, key: &PictureKey) -> Option<&[Shape]> {
        let (of, shapes) = self.kept.get(place)?.as_ref()?;
        (of == key).then_some(shapes.as_slice())
    }

    /// Keeps what was made; meshes are shared, not copied.
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

    /// Lets go of the series behind the first so many.
    pub(crate) fn truncate(&mut self, places: usize) {
        self.kept.truncate(places);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(end: u64) -> PictureKey {
        PictureKey {
            held: 0..end,
            searched: end,
            frames: (0.0, 10.0),
            rect: Rect::EVERYTHING,
            range: (0.0, 1.0),
            mapping: Mapping::Linear,
            budget_line: None,
            color: Color32::RED,
            alert: Color32::RED,
            mark_row: 0,
            pixels_per_point: 1.0,
            revision: 1,
        }
    }

    #[test]
    fn only_what_was_made_for_the_same_is_used_again() {
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
