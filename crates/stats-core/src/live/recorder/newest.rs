//! The newest values of all histories, side by side: for a reader of many of them.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::limits::PEEK_FRAMES;

/// The values of the newest frame, in the order of the histories, while somebody reads them.
///
/// A value in a ring is in a cache line of its own, and the history that has the ring in two more. Eight of
/// these share a line.
#[derive(Debug, Default)]
pub(super) struct Newest {
    values: Vec<f64>,
    /// The frame of the values; `None` while nobody reads them, and after the histories changed.
    frame: Option<u64>,
    /// The first frame that is not kept unless somebody reads again.
    end: AtomicU64,
}

impl Newest {
    /// Forgets the values because the histories change, and makes room for `histories` values.
    pub(super) fn make_room(&mut self, histories: usize) {
        self.frame = None;
        self.values.clear();
        self.values.reserve(histories);
    }

    /// Returns the places for the values of a frame that ends; none if nobody reads them. Each has to be
    /// written. Does not allocate after [`make_room`](Self::make_room).
    pub(super) fn begin(&mut self, frame: u64, histories: usize) -> &mut [f64] {
        self.frame = (frame < *self.end.get_mut()).then_some(frame);
        let kept = if self.frame.is_some() { histories } else { 0 };
        self.values.resize(kept, f64::NAN);
        &mut self.values
    }

    /// Returns the values of a frame by the positions of the histories, and asks for those of the next
    /// frames, of which `next` is the first; empty if they are not kept.
    #[inline]
    pub(super) fn ask(&self, frame: u64, next: u64) -> &[f64] {
        // Relaxed: one number, and whoever ends a frame has the recorder alone.
        self.end
            .store(next.saturating_add(PEEK_FRAMES), Ordering::Relaxed);
        match self.frame {
            Some(kept) if kept == frame => &self.values,
            _ => &[],
        }
    }
}
