//! Asks for the last frames to be saved when one of them is a hitch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stats_analysis::insight::Event;
use stats_core::for_each_series;

use super::hitches::Hitches;
use crate::blocks::Block;

/// Whether the last frames should be saved: set by the thread that keeps them, and taken by the
/// program.
pub(crate) type IsWanted = Arc<AtomicBool>;

/// Looks for hitches in the frames that are kept.
pub(crate) struct HitchWatch {
    hitches: Hitches,
    /// The minimum time between two hitches that are saved.
    interval_ns: i64,
    /// When the hitch began that was saved last.
    saved_ns: Option<i64>,
    is_wanted: IsWanted,
}

impl HitchWatch {
    pub(crate) fn new(interval: Duration, is_wanted: IsWanted) -> Self {
        Self {
            hitches: Hitches::new(),
            interval_ns: i64::try_from(interval.as_nanos()).unwrap_or(i64::MAX),
            saved_ns: None,
            is_wanted,
        }
    }

    /// Takes the frames of a block, which the thread of this name ended.
    pub(super) fn take(&mut self, block: &Block, frame_thread: Option<&str>) {
        let mut found = Vec::new();
        (self.hitches).take(block, frame_thread, |insight, row, is_noticed| {
            if is_noticed {
                // The parents and the threads of timers change without a change of the listing.
                for_each_series(|info| insight.set_listed(&info));
                insight.rank_noticed();
            }
            while let Some(event) = insight.poll_event() {
                if matches!(event, Event::Hitch(_)) {
                    found.push(row.start_ns);
                }
            }
        });
        found.into_iter().for_each(|start_ns| self.note(start_ns));
    }

    fn note(&mut self, start_ns: i64) {
        let is_soon = |saved: i64| start_ns.saturating_sub(saved) < self.interval_ns;
        if !self.saved_ns.is_some_and(is_soon) {
            self.saved_ns = Some(start_ns);
            // Relaxed: a request, which orders nothing else.
            self.is_wanted.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::blocks::FrameRow;

    #[test]
    fn hitches_within_the_interval_are_not_saved_again() {
        let is_wanted = IsWanted::default();
        let mut watch = HitchWatch::new(Duration::from_secs(10), Arc::clone(&is_wanted));
        let mut wanted = Vec::new();
        let mut start_ns = 0;
        for frame in 0..2_000 {
            // At 5.0 s, 10.0 s, 15.0 s, 15.5 s and 25.0 s.
            let is_long = [500, 992, 1_482, 1_530, 2_470].contains(&frame);
            let mut block = Block::default();
            let duration_ns = if is_long { 80_000_000 } else { 10_000_000 };
            block.frames.push(FrameRow {
                frame,
                ended: Instant::now(),
                start_ns,
                duration_ns,
                values_end: 0,
            });
            watch.take(&block, None);
            if is_wanted.swap(false, Ordering::Relaxed) {
                wanted.push((frame, start_ns));
            }
            start_ns += duration_ns;
        }
        let frames: Vec<u64> = wanted.iter().map(|(frame, _)| *frame).collect();
        assert_eq!(frames, [500, 1_530], "{wanted:?}");
    }
}
