//! The places of the panes over the game.

use std::ops::Range;

use egui::{Rect, pos2, vec2};

/// The minimum height of a pane, in points.
const MIN_HEIGHT: f32 = 48.0;
/// The gap between two panes, in points.
const GAP: f32 = 4.0;

/// The panes that fit, above one another, with their places.
pub(super) struct Layout {
    /// The indices of the panes that have a place.
    pub(super) shown: Range<usize>,
    /// The whole area.
    rect: Rect,
    /// The height beyond [`MIN_HEIGHT`] of all panes together.
    free: f32,
    /// The sum of the shares of the panes that fit.
    total: f32,
}

impl Layout {
    /// Lays out panes with these shares of the height. If not all fit, they are neighbors of the
    /// active pane.
    pub(super) fn new(
        rect: Rect,
        shares: impl Iterator<Item = f32> + Clone,
        active: usize,
    ) -> Self {
        let count = shares.clone().count();
        let room = ((rect.height() + GAP) / (MIN_HEIGHT + GAP)).max(0.0) as usize;
        let fitting = count.min(room.max(1));
        let first = (active + 1).saturating_sub(fitting);
        let shown = first..first + fitting;
        let gaps = GAP * (fitting.max(1) - 1) as f32;
        let total = shares.skip(first).take(fitting).sum();
        let free = (rect.height() - gaps - MIN_HEIGHT * fitting as f32).max(0.0);
        Self {
            shown,
            rect,
            free,
            total,
        }
    }

    /// Returns the places of the panes that are shown, given the shares of all.
    pub(super) fn places(
        &self,
        shares: impl Iterator<Item = f32>,
    ) -> impl Iterator<Item = (usize, Rect)> {
        let (rect, free, total) = (self.rect, self.free, self.total);
        let mut top = rect.top();
        let shown = shares.enumerate().skip(self.shown.start);
        shown.take(self.shown.len()).map(move |(at, share)| {
            let height = MIN_HEIGHT.min(rect.height()) + free * share / total;
            let place = Rect::from_min_size(
                pos2(rect.left(), top.round()),
                vec2(rect.width(), height.floor()),
            );
            top += height + GAP;
            (at, place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Pos2;

    #[test]
    fn the_active_pane_always_has_a_place_and_no_two_overlap() {
        for height in (0..1200).step_by(7) {
            for count in 1..=16_usize {
                for active in 0..count {
                    let size = vec2(400.0, height as f32);
                    let rect = Rect::from_min_size(Pos2::new(3.0, 5.0), size);
                    let total = (count * (count + 1) / 2) as f32;
                    let shares = (1..=count).map(|weight| weight as f32 / total);
                    let layout = Layout::new(rect, shares.clone(), active);
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
