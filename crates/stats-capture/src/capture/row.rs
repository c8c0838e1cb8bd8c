//! Copies frames from the recorder to a block, as rows.

use std::time::{Duration, Instant};

use stats_core::{Recorder, SeriesInfo, SeriesKind, for_each_change, generation};

use super::deferred::Deferred;
use crate::blocks::{Block, FrameRow};

/// How long a block waits for more frames. A killed program loses these frames, and those that the
/// writer thread has not written yet: less than a second in total, unless the disk is slow.
pub(super) const LONGEST_WAIT: Duration = Duration::from_millis(500);

/// Turns the frames of a recorder into rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    generation: u64,
    /// The number of values in a row: one for each series number, even if it has no series.
    stride: usize,
    deferred: Deferred,
    /// Series that are new, or whose description changed, for the next block.
    news: Vec<SeriesInfo<'static>>,
}

impl Rows {
    /// Picks up new and changed series, and returns whether blocks need more room. Almost free if
    /// there are none.
    pub(super) fn follow(&mut self, recorder: &mut Recorder) -> bool {
        let now = generation();
        if now == self.generation {
            return false;
        }
        let before = (self.stride, self.deferred.len());
        for_each_change(self.generation, |info| {
            let ids = [Some(info.id), info.calls, info.self_time];
            for id in ids.into_iter().flatten() {
                self.stride = self.stride.max(id.number() as usize + 1);
                if info.is_deferred {
                    self.deferred.add(recorder, id);
                }
            }
            // The clock of a capture has the frame time.
            if info.kind != SeriesKind::FrameTime {
                self.news.push(info);
            }
        });
        self.generation = now;
        before != (self.stride, self.deferred.len())
    }

    /// Makes room in a block for rows of the current length.
    pub(super) fn prepare(&self, block: &mut Block) {
        block.reserve(self.stride, self.deferred.len());
    }

    /// Returns whether a block has room for one more row.
    pub(super) fn has_room(&self, block: &Block) -> bool {
        block.has_room(self.stride)
    }

    /// Appends the row of the frame that ended. `called` is when the host said so.
    pub(super) fn push(&mut self, recorder: &mut Recorder, called: Instant, block: &mut Block) {
        let Some(frame) = recorder
            .frames()
            .end
            .checked_sub(1)
            .and_then(|newest| recorder.frame(newest))
        else {
            return;
        };
        let begin = block.values.len();
        let values = recorder.survey().unwrap_or_default().values();
        let values = &values[..values.len().min(self.stride)];
        block.values.extend_from_slice(values);
        block.values.resize(begin + self.stride, f64::NAN);
        let row = &mut block.values[begin..];
        self.deferred.blank(row);
        block.frames.push(FrameRow {
            frame: frame.index,
            // The recorder reads the clock later, and times of scopes are counted back from its end.
            ended: recorder.ended_at().unwrap_or(called),
            start_ns: nanoseconds(frame.start_secs * 1e9),
            duration_ns: nanoseconds(frame.duration_ms * 1e6),
            values_end: block.values.len(),
        });
    }

    /// Adds new series and late values of earlier frames to a block.
    pub(super) fn complete(&mut self, recorder: &Recorder, block: &mut Block) {
        block.series.append(&mut self.news);
        // Late values must not come before the row of their frame, which may be in the next block.
        let newest = block.frames.last();
        let end = newest.map_or(recorder.frames().end, |row| row.frame + 1);
        block.known_end = self.deferred.take(recorder, end, &mut block.late);
    }
}

/// Returns whether a block that began at `begun` has waited long enough to be sent.
pub(super) fn has_waited(begun: Instant, now: Instant) -> bool {
    now.saturating_duration_since(begun) >= LONGEST_WAIT
}

/// Rounds to whole nanoseconds. Clamps to the range of `i64`.
fn nanoseconds(nanoseconds: f64) -> i64 {
    nanoseconds.round() as i64
}
