//! The deferred values of one recorder.

use std::ops::Range;
use std::sync::Arc;

use super::column::{LateColumn, PURPOSES, Purpose};
use super::ends::Ends;
use super::lane::Lane;
use super::mailbox::{Mailbox, Post};
use super::{drop_values, newest_number, next_number, table};
use crate::limits::LATE_FRAMES;
use crate::live::ring::Ring;
use crate::live::sync::Ordering;
use crate::{FrameSlice, SeriesId};

/// The deferred values of one recorder. Empty while it reads none.
#[derive(Debug)]
pub(crate) struct LateReader {
    reader: Option<Box<Reader>>,
    /// The number after which the current frame began.
    begun: u64,
}

impl Default for LateReader {
    fn default() -> Self {
        Self {
            reader: None,
            begun: newest_number(),
        }
    }
}

#[derive(Debug)]
struct Reader {
    mailbox: Arc<Mailbox>,
    ends: Ends,
    columns: Vec<LateColumn>,
    /// For each slot and purpose, the position in `columns` plus one; 0 if there is none.
    positions: Vec<[u32; PURPOSES]>,
    lanes: Vec<LaneSet>,
    generation: u64,
    /// The deliveries taken from the mailbox. Empty between frames.
    taken: Post,
    /// Deliveries that belong to the current frame.
    early: Post,
}

/// The lanes that some of the columns wait for.
#[derive(Debug)]
struct LaneSet {
    lanes: Vec<Arc<Lane>>,
    /// The oldest stamp that any of the columns waits for; 0 while that is unknown.
    waits_for: u64,
    /// Whether the frame that is now too old to wait for has an outstanding stamp, or that is unknown.
    is_overdue: bool,
}

impl LateReader {
    /// Starts reading a series in the frame `frame`, which is unknown if it already has a stamp.
    /// Returns `false` if its values are not deferred. Only a watch has a ring.
    pub(crate) fn hold(
        &mut self,
        id: SeriesId,
        purpose: Purpose,
        frame: u64,
        ring: impl FnOnce() -> Option<Ring>,
    ) -> bool {
        let Some(found) = table::find(id.number()) else {
            return false;
        };
        let (current, begun) = (&mut self.reader, self.begun);
        let mailbox = current
            .as_ref()
            .map_or_else(Mailbox::open, |reader| Arc::clone(&reader.mailbox));
        mailbox.subscribe(found.slot);
        // Relaxed: seen by threads that take a later number; see `next_number`.
        found.wanted.fetch_add(1, Ordering::Relaxed);
        // After the subscriptions: see `next_number`.
        let since = next_number();
        let ends = Ends::new(frame, begun);
        let reader = current.get_or_insert_with(|| Box::new(Reader::new(mailbox, ends)));
        if reader.columns.is_empty() {
            // Without columns, the frame ends were not tracked.
            reader.ends = Ends::new(frame, begun);
        }
        let column = LateColumn {
            slot: id.number(),
            purpose,
            source_slot: found.slot,
            is_calls: found.is_calls,
            wanted: found.wanted,
            since,
            asked: frame,
            known_end: frame,
            value: None,
            changed: None,
            lanes: 0,
            waits_for: None,
            passed: Vec::new(),
            ring: ring(),
            pending: [0.0; _],
        };
        reader.add(column, begun);
        true
    }

    /// Returns whether any series is read, so that the end of a frame may allocate.
    pub(crate) fn reads_any(&self) -> bool {
        let reader = self.reader.as_ref();
        reader.is_some_and(|reader| !reader.columns.is_empty())
    }

    /// Continues to read a series in the frame `frame`. Returns the value of the newest complete
    /// frame; `None` if the series is not being read.
    pub(crate) fn ask(
        &mut self,
        id: SeriesId,
        purpose: Purpose,
        frame: u64,
    ) -> Option<Option<f64>> {
        let column = self.reader.as_mut()?.column_mut(id, purpose)?;
        column.asked = frame;
        Some(column.value)
    }

    /// Returns the value of a surveyed series in the newest complete frame, and the newest complete
    /// frame that got any values.
    pub(crate) fn surveyed(&self, id: SeriesId) -> (Option<f64>, Option<u64>) {
        let column = self
            .reader
            .as_ref()
            .and_then(|reader| reader.column(id, Purpose::Survey));
        column.map_or((None, None), |column| (column.value, column.changed))
    }

    /// Returns the values of a surveyed series in the frames that the end of the last frame
    /// completed, apart from the newest of them. Each comes with its frame, oldest first, and zeros
    /// are left out.
    pub(crate) fn passed(&self, id: SeriesId) -> &[(u64, f64)] {
        let reader = self.reader.as_ref();
        let column = reader.and_then(|reader| reader.column(id, Purpose::Survey));
        column.map_or(&[], |column| &column.passed)
    }

    /// Returns the newest `frames` values of a watched series, of complete frames among those
    /// `held`.
    pub(crate) fn window(&self, id: SeriesId, frames: usize, held: Range<u64>) -> FrameSlice<'_> {
        let column = self
            .reader
            .as_ref()
            .and_then(|reader| reader.column(id, Purpose::Watch));
        let Some((column, ring)) = column.and_then(|column| Some((column, column.ring.as_ref()?)))
        else {
            return FrameSlice::new(held.end, &[], &[]);
        };
        ring.window(column.known_end, frames).within(held)
    }

    /// Changes the number of frames in histories.
    pub(crate) fn resize(&mut self, history: usize) {
        let columns = self
            .reader
            .iter_mut()
            .flat_map(|reader| &mut reader.columns);
        for column in columns {
            column.ring = column
                .ring
                .take()
                .map(|ring| ring.resized(history, column.known_end));
        }
    }

    /// Ends the frame `frame` of a recorder that keeps `history` frames. Never waits: if something
    /// is locked, it is read one frame later.
    pub(crate) fn end_frame(&mut self, frame: u64, history: usize) {
        let reader = self.reader.as_mut();
        self.begun = match reader.filter(|reader| !reader.columns.is_empty()) {
            Some(reader) => {
                reader.forget_unused(frame);
                reader.end_frame(frame, history);
                reader.ends.newest()
            }
            None => newest_number(),
        };
    }
}

impl Reader {
    fn new(mailbox: Arc<Mailbox>, ends: Ends) -> Self {
        Self {
            mailbox,
            ends,
            columns: Vec::new(),
            positions: Vec::new(),
            lanes: Vec::new(),
            generation: table::generation(),
            taken: Post::default(),
            early: Post::default(),
        }
    }

    /// Adds a column in a frame that began after the number `begun`.
    fn add(&mut self, mut column: LateColumn, begun: u64) {
        let (slot, purpose) = (column.slot as usize, column.purpose as usize);
        if slot >= self.positions.len() {
            self.positions.resize(slot + 1, [0; PURPOSES]);
        }
        if let Some(before) = self.positions[slot][purpose].checked_sub(1) {
            self.mailbox
                .unsubscribe(self.columns[before as usize].source_slot);
            self.remove(before as usize);
        }
        column.lanes = set_of(&mut self.lanes, table::open().lanes(column.source_slot));
        let mut lanes = self.lanes[column.lanes].lanes.iter();
        if lanes.any(|lane| lane.newest() > begun) {
            column.forget(column.known_end..column.known_end + 1);
        }
        self.columns.push(column);
        self.positions[slot][purpose] = self.columns.len() as u32;
    }

    /// Removes a column whose subscription is withdrawn.
    fn remove(&mut self, at: usize) {
        let gone = self.columns.swap_remove(at);
        // Relaxed: until a source sees it, its deliveries have no effect.
        gone.wanted.fetch_sub(1, Ordering::Relaxed);
        self.positions[gone.slot as usize][gone.purpose as usize] = 0;
        if let Some(moved) = self.columns.get(at) {
            self.positions[moved.slot as usize][moved.purpose as usize] = at as u32 + 1;
        }
    }

    fn forget_unused(&mut self, frame: u64) {
        let mut at = 0;
        while let Some(column) = self.columns.get(at) {
            // Tried again at the next frame's end if the mailbox is in use.
            if column.is_used(frame) || !self.mailbox.try_unsubscribe(column.source_slot) {
                at += 1;
            } else {
                self.remove(at);
            }
        }
    }

    fn column(&self, id: SeriesId, purpose: Purpose) -> Option<&LateColumn> {
        let at = self.positions.get(id.number() as usize)?[purpose as usize].checked_sub(1)?;
        self.columns.get(at as usize)
    }

    fn column_mut(&mut self, id: SeriesId, purpose: Purpose) -> Option<&mut LateColumn> {
        let at = self.positions.get(id.number() as usize)?[purpose as usize].checked_sub(1)?;
        self.columns.get_mut(at as usize)
    }

    fn end_frame(&mut self, frame: u64, history: usize) {
        self.ends.push(next_number());
        let is_followed = self.follow_new_lanes();
        // Lanes first: see the module documentation of `late`.
        self.ask_lanes();
        let has_post = self.take_post() && is_followed;
        let (first, end) = ((frame + 1).saturating_sub(LATE_FRAMES), frame + 1);
        for column in &mut self.columns {
            let set = &self.lanes[column.lanes];
            if set.is_overdue || !has_post {
                column.forget(0..first);
            }
            let waits_for = column.waits_for.unwrap_or(set.waits_for);
            let known = self.ends.frame_of(waits_for).filter(|_| has_post);
            column.know_until(
                known.map_or(first, |known| known.clamp(first, end)),
                history,
            );
        }
    }

    /// Fetches the lanes again if any series has a new one. Returns `false` while that is unknown.
    fn follow_new_lanes(&mut self) -> bool {
        let generation = table::generation();
        if generation == self.generation {
            return true;
        }
        let Some(table) = table::try_open() else {
            return false;
        };
        self.generation = generation;
        self.lanes.clear();
        for column in &mut self.columns {
            column.lanes = set_of(&mut self.lanes, table.lanes(column.source_slot));
        }
        true
    }

    /// Finds the oldest stamp that each column waits for.
    fn ask_lanes(&mut self) {
        let (last, horizon) = (self.ends.last_horizon(), self.ends.horizon());
        for set in &mut self.lanes {
            set.waits_for = set.oldest_after(last);
            set.is_overdue = set.waits_for <= horizon;
            if set.is_overdue {
                set.waits_for = set.oldest_after(horizon);
            }
        }
        for column in &mut self.columns {
            let is_young = column.since > horizon;
            column.waits_for =
                is_young.then(|| self.lanes[column.lanes].oldest_after(column.since));
        }
    }

    /// Moves the deliveries into the columns. Returns `false` while another thread delivers.
    fn take_post(&mut self) -> bool {
        if !self.mailbox.take(&mut self.taken) {
            return false;
        }
        for post in [
            std::mem::take(&mut self.early),
            std::mem::take(&mut self.taken),
        ] {
            post.iter()
                .for_each(|(stamp, values)| self.take_delivery(stamp, values));
            if let Some(left_out) = post.left_out() {
                self.forget(left_out);
            }
            self.taken = post;
        }
        self.taken.clear();
        true
    }

    /// Makes the frames of the stamps from one to another unknown.
    fn forget(&mut self, (first, last): (u64, u64)) {
        let newest = self.ends.newest();
        if last > newest {
            self.early.leave_out((first.max(newest + 1), last));
        }
        if first <= newest {
            let frame_of = |stamp| self.ends.frame_of(stamp).unwrap_or_default();
            let frames = frame_of(first)..frame_of(last.min(newest)) + 1;
            for column in &mut self.columns {
                column.forget(frames.clone());
            }
        }
    }

    fn take_delivery(&mut self, stamp: u64, values: &[(u32, f64)]) {
        if stamp > self.ends.newest() {
            // Issued and delivered after this frame ended: part of the next one.
            return drop_values(self.early.put(stamp, values.iter().copied()));
        }
        let frame = self.ends.frame_of(stamp);
        let mut too_late = 0;
        for &(slot, value) in values {
            let own = self
                .positions
                .get(slot as usize)
                .into_iter()
                .flatten()
                .map(|at| (at, false));
            let calls = self
                .positions
                .get(slot as usize + 1)
                .into_iter()
                .flatten()
                .map(|at| (at, true));
            let mut is_in_time = true;
            for (at, is_calls) in own.chain(calls) {
                if let Some(column) = at
                    .checked_sub(1)
                    .and_then(|at| self.columns.get_mut(at as usize))
                    && column.is_calls == is_calls
                {
                    is_in_time &= column.take(stamp, frame, value);
                }
            }
            too_late += usize::from(!is_in_time && !value.is_nan());
        }
        drop_values(too_late);
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        Mailbox::close(&self.mailbox);
        for column in &self.columns {
            // Relaxed: as in `remove`.
            column.wanted.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl LaneSet {
    /// Returns the oldest stamp after a number in any of the lanes; 0 while that is unknown. It is unknown
    /// without lanes, because the source that registered the series has not joined it yet.
    fn oldest_after(&self, number: u64) -> u64 {
        self.lanes
            .iter()
            .map(|lane| lane.oldest_after(number).unwrap_or(0))
            .min()
            .unwrap_or(0)
    }
}

/// Returns the position of a set of lanes, adding it if it is new.
fn set_of(sets: &mut Vec<LaneSet>, lanes: &[Arc<Lane>]) -> usize {
    let is_same = |set: &LaneSet| {
        set.lanes
            .iter()
            .map(Arc::as_ptr)
            .eq(lanes.iter().map(Arc::as_ptr))
    };
    sets.iter().position(is_same).unwrap_or_else(|| {
        sets.push(LaneSet {
            lanes: lanes.to_vec(),
            waits_for: 0,
            is_overdue: false,
        });
        sets.len() - 1
    })
}
