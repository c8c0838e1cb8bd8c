//! The lanes of the frames that are copied.

use std::mem::discriminant;
use std::ops::RangeInclusive;

use stats_core::timeline::{Lane, LaneKind};

/// The number of frames for which a lane stays known after the last one with a scope in it, so that
/// views need not move it when it is idle for a while.
const STAYS: u64 = 120;

/// The lanes that have scopes in a copied frame, or had in one not long before or after.
#[derive(Debug, Default)]
pub(crate) struct ShownLanes {
    /// In the order of their ids.
    all: Vec<ShownLane>,
    next_id: usize,
    /// The number of times that lanes were forgotten.
    forgotten: usize,
}

/// A lane that a frame has scopes in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShownLane {
    /// Never that of another lane.
    id: usize,
    number: u16,
    pub(crate) name: String,
    pub(crate) kind: LaneKind,
    /// The frame with scopes in this lane that was copied last.
    frame: u64,
    is_used: bool,
}

impl ShownLanes {
    pub(crate) fn get(&self, id: usize) -> Option<&ShownLane> {
        let at = self.all.binary_search_by_key(&id, |lane| lane.id).ok()?;
        Some(&self.all[at])
    }

    /// Returns the lanes with their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &ShownLane)> {
        self.all.iter().map(|lane| (lane.id, lane))
    }

    /// Returns a number that changes with the lanes.
    pub(super) fn revision(&self) -> u64 {
        (self.next_id + self.forgotten) as u64
    }

    /// Returns the number of lanes.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the id of a lane of the source.
    pub(super) fn id(&mut self, lane: &Lane<'_>, frame: u64) -> usize {
        let is_it = |shown: &&mut ShownLane| {
            shown.number == lane.number
                && shown.name == lane.name
                && discriminant(&shown.kind) == discriminant(&lane.kind)
        };
        if let Some(known) = self.all.iter_mut().find(is_it) {
            known.frame = frame;
            return known.id;
        }
        let id = self.next_id;
        self.next_id += 1;
        self.all.push(ShownLane {
            id,
            number: lane.number,
            name: lane.name.to_owned(),
            kind: lane.kind,
            frame,
            is_used: true,
        });
        id
    }

    /// Forgets the lanes of threads that have ended: those that have had no scopes in the copied frames
    /// for a while. `used` are the ids of the lanes that have scopes.
    pub(super) fn forget_unused(
        &mut self,
        copied: &RangeInclusive<u64>,
        used: impl Iterator<Item = usize>,
    ) {
        for lane in &mut self.all {
            lane.is_used = false;
        }
        for id in used {
            if let Ok(at) = self.all.binary_search_by_key(&id, |lane| lane.id) {
                self.all[at].is_used = true;
            }
        }
        let (first, last) = (copied.start(), copied.end());
        let near = first.saturating_sub(STAYS)..=last.saturating_add(STAYS);
        let before = self.all.len();
        self.all
            .retain(|lane| lane.is_used || near.contains(&lane.frame));
        self.forgotten += before - self.all.len();
    }
}
