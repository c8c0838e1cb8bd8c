//! The rectangles of the panes over the game.

use std::ops::Range;

use egui::Rect;

use crate::panes::panes_ui::places;

/// The minimum height of a pane, in points.
const MIN_HEIGHT: f32 = 48.0;
/// The gap between two panes, in points.
const GAP: f32 = 4.0;

/// The panes that fit, above one another.
pub(super) struct Layout {
    /// The indices of the panes that have a place.
    pub(super) shown: Range<usize>,
    rect: Rect,
}

impl Layout {
    /// Lays out `count` panes. If not all fit, shows the active one and its neighbors.
    pub(super) fn new(rect: Rect, count: usize, active: usize) -> Self {
        let room = ((rect.height() + GAP) / (MIN_HEIGHT + GAP)).max(0.0) as usize;
        let fitting = count.min(room.max(1));
        let first = (active + 1).saturating_sub(fitting);
        let shown = first..first + fitting;
        Self { shown, rect }
    }

    /// Returns the area of the panes.
    pub(super) fn rect(&self) -> Rect {
        self.rect
    }

    /// Returns the shown panes and their rectangles. `shares` are those of all panes.
    pub(super) fn places(
        &self,
        shares: impl Iterator<Item = f32> + Clone,
    ) -> impl Iterator<Item = (usize, Rect)> {
        let shares = shares.skip(self.shown.start).take(self.shown.len());
        let total = shares.clone().sum();
        let places = places(self.rect, shares, total, (GAP, MIN_HEIGHT));
        self.shown.clone().zip(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, vec2};

    #[test]
    fn the_active_pane_always_has_a_place_and_no_two_overlap() {
        for height in (0..1200).step_by(7) {
            for count in 1..=16_usize {
                for active in 0..count {
                    let size = vec2(400.0, height as f32);
                    let rect = Rect::from_min_size(Pos2::new(3.0, 5.0), size);
                    let total = (count * (count + 1) / 2) as f32;
                    let shares = (1..=count).map(|weight| weight as f32 / total);
                    let layout = Layout::new(rect, count, active);
                    assert!(layout.shown.contains(&active), "{count} {active} {height}");
                    let places: Vec<_> = layout.places(shares).collect();
                    assert_eq!(places.len(), layout.shown.len());
                    assert!(places.iter().all(|(_, place)| {
                        place.bottom() <= rect.bottom() + 1.0 && place.top() >= rect.top()
                    }));
                    assert!(
                        places
                            .windows(2)
                            .all(|pair| pair[0].1.bottom() <= pair[1].1.top())
                    );
                }
            }
        }
    }
}
