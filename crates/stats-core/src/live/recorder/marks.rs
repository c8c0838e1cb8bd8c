//! The marks of a recorder.

use std::ops::Range;

use crate::frames::kept_name;
use crate::limits::MAX_MARKS;
use crate::{LogLine, Mark, MarkEvent};

/// Slots in addition to [`MAX_MARKS`]: after this many marks are evicted, the others move to the
/// front.
const SPARE: usize = MAX_MARKS / 4;

/// Points and spans, in the order in which they begin.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// Evicted marks first, emptied, then the current ones. Contiguous, so that readers borrow a
    /// slice.
    slots: Vec<Mark>,
    /// The position of the first current mark.
    first: usize,
    /// The positions of open spans in `slots`, so that nothing searches all marks.
    open: Vec<usize>,
    /// No line of a log is before this position, so that nothing searches all marks for one.
    first_line: usize,
}

fn is_line(mark: &Mark) -> bool {
    mark.is_point && LogLine::of_mark(&mark.name).is_some()
}

impl Marks {
    /// Marks the current frame, the one after the frames `held`.
    pub(crate) fn mark(&mut self, name: &str, event: MarkEvent, held: &Range<u64>) {
        let name = kept_name(name);
        let frame = held.end;
        match event {
            MarkEvent::Point => self.put(name, frame..frame + 1, true, held),
            MarkEvent::Begin if self.find_open(name).is_none() => {
                self.put(name, frame..u64::MAX, false, held)
            }
            MarkEvent::Begin => {}
            MarkEvent::End => {
                if let Some(found) = self.find_open(name) {
                    let at = self.open.swap_remove(found);
                    self.slots[at].frames.end = frame + 1;
                }
            }
        }
    }

    /// Marks a span of past frames. Does nothing if there are none among `frames`.
    pub(crate) fn mark_frames(&mut self, name: &str, frames: Range<u64>, held: &Range<u64>) {
        let frames = frames.start..frames.end.min(held.end);
        if !frames.is_empty() {
            self.put(kept_name(name), frames, false, held);
        }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[Mark] {
        &self.slots[self.first..]
    }

    /// Returns the position of a name's open span in `open`.
    fn find_open(&self, name: &str) -> Option<usize> {
        self.open.iter().position(|&at| self.slots[at].name == name)
    }

    /// Inserts a mark after those that begin no later. Does nothing if there are [`MAX_MARKS`] open
    /// spans.
    fn put(&mut self, name: &str, frames: Range<u64>, is_point: bool, held: &Range<u64>) {
        let mut mark = if self.as_slice().len() < MAX_MARKS {
            Mark {
                name: String::new(),
                frames,
                is_point,
            }
        } else {
            let Some(gone) = self.evict(held.start) else {
                return;
            };
            Mark {
                frames,
                is_point,
                ..gone
            }
        };
        // In place: an evicted mark leaves the memory of its name to the next one.
        name.clone_into(&mut mark.name);
        if self.slots.len() >= MAX_MARKS + SPARE {
            self.compact();
        }
        let at = self.place(mark.frames.start);
        self.open
            .iter_mut()
            .filter(|open| **open >= at)
            .for_each(|open| *open += 1);
        if mark.is_open() {
            self.open.push(at);
        }
        if at <= self.first_line {
            self.first_line = if is_line(&mark) {
                at
            } else {
                self.first_line + 1
            };
        }
        self.slots.insert(at, mark);
    }

    /// Returns the position for a mark that begins with `start`: usually the end.
    fn place(&self, start: u64) -> usize {
        let is_before = |mark: &Mark| mark.frames.start <= start;
        let last = self.as_slice().last();
        if last.is_none_or(is_before) {
            self.slots.len()
        } else {
            self.first + self.as_slice().partition_point(is_before)
        }
    }

    /// Removes the first mark whose frames are all before `held_from`, or else the first line of a
    /// log, or else the first that is not an open span.
    fn evict(&mut self, held_from: u64) -> Option<Mark> {
        let marks = self.as_slice();
        let gone = marks
            .iter()
            .take_while(|mark| mark.frames.start < held_from)
            .position(|mark| mark.frames.end <= held_from);
        // A log must not drive out what a person marked.
        let gone = gone.or_else(|| {
            let unknown = self.slots.get(self.first_line..).unwrap_or_default();
            let line = unknown.iter().position(is_line);
            self.first_line += line.unwrap_or(unknown.len());
            line.map(|_| self.first_line - self.first)
        });
        let marks = self.as_slice();
        let at = self.first + gone.or_else(|| marks.iter().position(|mark| !mark.is_open()))?;
        // A line of the log may be near the end. Then the marks after it move, which are fewer.
        if self.slots.len() - at < at - self.first {
            let moved = |position: &&mut usize| **position > at;
            self.open
                .iter_mut()
                .chain([&mut self.first_line])
                .filter(moved)
                .for_each(|position| *position -= 1);
            return Some(self.slots.remove(at));
        }
        self.slots[self.first..=at].rotate_right(1);
        self.open
            .iter_mut()
            .filter(|open| **open < at)
            .for_each(|open| *open += 1);
        if self.first_line <= at {
            self.first_line += 1;
        }
        let empty = Mark {
            name: String::new(),
            frames: 0..0,
            is_point: false,
        };
        let evicted = std::mem::replace(&mut self.slots[self.first], empty);
        self.first += 1;
        Some(evicted)
    }

    fn compact(&mut self) {
        self.slots.drain(..self.first);
        self.open.iter_mut().for_each(|open| *open -= self.first);
        self.first_line = self.first_line.saturating_sub(self.first);
        self.first = 0;
    }
}
