//! Notices hitches while they are recorded, by the rule by which they are explained later.

use stats_analysis::insight::Insight;
use stats_core::{LogLine, STOOD_STILL, for_each_series};

use crate::blocks::{Block, FrameRow};

/// The facts about all series are read again with each of the first blocks, and then once in this many.
const READ_EVERY: u64 = 16;

/// Notices the hitches in the frames of blocks.
pub(super) struct Hitches {
    insight: Insight,
    /// The number of blocks taken.
    blocks: u64,
    /// The frames to come in which the whole program stood still: a mark may be in the block before that
    /// of its frame.
    still: Vec<u64>,
}

impl Hitches {
    pub(super) fn new() -> Self {
        Self {
            insight: Insight::compact(),
            blocks: 0,
            still: Vec::new(),
        }
    }

    /// Takes the frames of a block, which the thread of this name ended. Calls `visit` with each
    /// frame, and with whether it is noticed.
    pub(super) fn take(
        &mut self,
        block: &Block,
        frame_thread: Option<&str>,
        mut visit: impl FnMut(&mut Insight, &FrameRow, bool),
    ) {
        let insight = &mut self.insight;
        for info in &block.series {
            insight.set_listed(info);
        }
        // The parents and the threads of timers change without a change of the listing.
        if self.blocks < READ_EVERY || self.blocks.is_multiple_of(READ_EVERY) {
            for_each_series(|info| insight.set_listed(&info));
        }
        self.blocks += 1;
        if frame_thread.is_some() {
            insight.set_frame_thread(frame_thread);
        }
        let still = |(frame, name, _): (u64, &str, _)| {
            let line = LogLine::of_mark(name)?;
            (line.target == STOOD_STILL).then_some(frame)
        };
        self.still.extend(block.notes.marks().filter_map(still));
        let mut begin = 0;
        for row in &block.frames {
            let values = block.values.get(begin..row.values_end).unwrap_or_default();
            begin = row.values_end;
            let frame_ms = row.duration_ns as f64 / 1e6;
            let is_noticed = if self.still.contains(&row.frame) {
                insight.skip(frame_ms);
                false
            } else {
                insight.take_frame(row.frame, frame_ms, values)
            };
            visit(insight, row, is_noticed);
        }
        if let Some(newest) = block.frames.last() {
            self.still.retain(|frame| *frame > newest.frame);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use stats_core::{MarkEvent, timer};

    use super::*;

    fn block(frame: u64, ms: f64, values: Vec<f64>) -> Block {
        let row = FrameRow {
            frame,
            ended: Instant::now(),
            start_ns: 0,
            duration_ns: (ms * 1e6) as i64,
            values_end: values.len(),
        };
        Block {
            frames: vec![row],
            values,
            ..Block::default()
        }
    }

    /// Returns the values of a frame in which timers, and their scopes alone, took these times.
    fn values(times: [(&str, f64); 2]) -> Vec<f64> {
        let mut values = Vec::new();
        for_each_series(|info| {
            let time = times.iter().find(|(path, _)| *path == info.path);
            let (Some((_, ms)), Some(own)) = (time, info.self_time) else {
                return;
            };
            for number in [info.id.number(), own.number()] {
                let len = values.len().max(number as usize + 1);
                values.resize(len, f64::NAN);
                values[number as usize] = *ms;
            }
        });
        values
    }

    #[test]
    fn work_that_a_wait_hides_is_noticed_on_the_thread_that_ends_the_frames() {
        let paths = ["hitches/work", "hitches/wait"];
        let ended_by = std::thread::Builder::new().name("hitches".to_owned());
        let thread = ended_by.spawn(move || {
            drop(timer(paths[0]).scope());
            drop(timer(paths[1]).wait().scope());
        });
        thread
            .expect("it starts")
            .join()
            .expect("it does not panic");
        let noticed_on = |thread| {
            let (mut hitches, mut noticed) = (Hitches::new(), Vec::new());
            for frame in 0..200 {
                let (work, wait) = if frame == 150 {
                    (11.0, 5.0)
                } else {
                    (4.0, 12.0)
                };
                let values = values([(paths[0], work), (paths[1], wait)]);
                let block = block(frame, 16.5, values);
                hitches.take(&block, thread, |_, row, is_noticed| {
                    noticed.extend(is_noticed.then_some(row.frame));
                });
            }
            noticed
        };
        assert_eq!(noticed_on(Some("hitches")), [150]);
        assert_eq!(noticed_on(Some("another thread")), [0; 0]);
    }

    #[test]
    fn a_frame_in_which_the_whole_program_stood_still_is_no_hitch() {
        // A block that is full ends between the mark and its frame.
        for marked_in in [100, 99] {
            let (mut hitches, mut noticed) = (Hitches::new(), Vec::new());
            for frame in 0..200 {
                let is_long = [100, 150].contains(&frame);
                let mut block = block(frame, if is_long { 90.0 } else { 16.5 }, Vec::new());
                if frame == marked_in {
                    let line = format!("log warn {STOOD_STILL}: for 90 ms");
                    block.notes.mark(100, &line, MarkEvent::Point);
                }
                hitches.take(&block, None, |_, row, is_noticed| {
                    noticed.extend(is_noticed.then_some(row.frame));
                });
            }
            assert_eq!(noticed, [150], "{marked_in}");
            assert_eq!(hitches.still, [0; 0]);
        }
    }
}
