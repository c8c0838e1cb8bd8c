//! Sends frames in blocks, each spread over as many frames as it has.
//!
//! A part of the series is copied in each frame, with several values each, so that each series is looked
//! up once in a block.

use std::ops::Range;

use stats_core::Recorder;

use super::feed::Feed;
use super::record::{BLOCK, VALUES, head};
use crate::own_series::SKIPPED;
use crate::wire::to_viewer::MAX_BLOCK_VALUES;

/// The most frames of a block. Older ones can be asked for.
const FRAMES: u64 = 16;

/// How much time the frames of a block take, and the most frames that it waits for.
pub(super) const BLOCK_MS: f64 = 50.0;
pub(super) const BLOCK_FRAMES: f64 = 8.0;

/// A block that is sent in parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenBlock {
    first_frame: u64,
    frames: usize,
    /// The next of the watched series, and the number of them in a part.
    next: usize,
    step: usize,
}

impl Feed {
    /// Sends a part of the frames that ended. Those without room are left out.
    pub(super) fn send_frames(&mut self, recorder: &Recorder) {
        let end = recorder.frames().end;
        let new = end - std::mem::replace(&mut self.seen, end).min(end);
        // A part for each frame, so that a block has ended before the next one begins.
        for _ in 0..new.clamp(1, FRAMES) {
            if self.block.is_none() {
                self.begin_block(recorder, frames_of_block(recorder));
            }
            self.send_part(recorder);
        }
    }

    /// Sends all frames that ended, before the table changes.
    pub(super) fn send_rest(&mut self, recorder: &Recorder) {
        while !self.is_new_table {
            if self.block.is_none() {
                self.begin_block(recorder, 1);
            }
            match &mut self.block {
                Some(block) => block.step = self.watched.len().max(1),
                None => return,
            }
            self.send_part(recorder);
        }
    }

    /// Begins a block if at least `frames` frames are in none.
    fn begin_block(&mut self, recorder: &Recorder, frames: u64) {
        let Range { start, end } = recorder.frames();
        // Another recorder may have fewer frames.
        let next = (*self.next_frame.get_or_insert(end.saturating_sub(1))).min(end);
        let live = Self::live(&self.watched).count();
        // A viewer reads no larger message. The clock has two columns.
        let most = FRAMES.min((MAX_BLOCK_VALUES / (live + 2)) as u64);
        let begin = next.max(start).max(end.saturating_sub(most));
        let len = (end - begin) as usize;
        if self.is_new_table || len == 0 || (len as u64) < frames.min(most) {
            return;
        }
        self.next_frame = Some(end);
        if begin > next {
            SKIPPED.add(begin - next);
        }
        if !self.out.has_room(2 + 2 * len) {
            SKIPPED.add(len);
            return;
        }
        self.out.put(head(BLOCK, len));
        self.out.put(begin);
        let clock = || (begin..end).map(|index| recorder.frame(index));
        for frame in clock() {
            let start = frame.map_or(f64::NAN, |frame| frame.start_secs);
            self.out.put(start.to_bits());
        }
        for frame in clock() {
            let duration = frame.map_or(f64::NAN, |frame| frame.duration_ms);
            self.out.put(duration.to_bits());
        }
        self.out.end_record();
        self.block = Some(OpenBlock {
            first_frame: begin,
            frames: len,
            next: 0,
            step: self.watched.len().div_ceil(frames as usize).max(1),
        });
    }

    /// Sends the next part of the block, or leaves the block out if there is no room, or if the recorder
    /// no longer has its frames.
    fn send_part(&mut self, recorder: &Recorder) {
        let Some(mut block) = self.block.take() else {
            return;
        };
        let end = (block.next + block.step).min(self.watched.len());
        let part = &self.watched[block.next..end];
        let series = Self::live(part).count();
        let frames = block.first_frame..block.first_frame + block.frames as u64;
        let held = recorder.frames();
        let is_held = held.start <= frames.start && frames.end <= held.end;
        if !is_held || !self.out.has_room(1 + series * block.frames) {
            SKIPPED.add(block.frames);
            return;
        }
        if series > 0 {
            self.out.put(head(VALUES, series));
            let back = (held.end - frames.start) as usize;
            for watch in Self::live(part) {
                let known = recorder.history(watch, back).within(frames.clone());
                // A history that began later has no values of the first frames.
                let missing = block.frames - known.len();
                (0..missing).for_each(|_| self.out.put(f64::NAN.to_bits()));
                known.iter().for_each(|value| self.out.put(value.to_bits()));
            }
            self.out.end_record();
        }
        block.next = end;
        self.block = (end < self.watched.len()).then_some(block);
    }
}

/// Returns the number of frames that a block waits for.
fn frames_of_block(recorder: &Recorder) -> u64 {
    let newest = recorder.frames().end.checked_sub(1);
    let frame = newest.and_then(|newest| recorder.frame(newest));
    let wanted = frame.map_or(1.0, |frame| (BLOCK_MS / frame.duration_ms).round());
    // The parts of a block are sent while the next one is collected.
    let kept = (recorder.history_capacity() / 2) as f64;
    wanted.min(BLOCK_FRAMES).min(kept).max(1.0) as u64
}
