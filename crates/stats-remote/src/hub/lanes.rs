//! The lanes of the scopes that were sent.

use std::collections::BTreeMap;

use super::viewer::Viewer;
use crate::wire::scopes::{FrameScopes, Lane};
use crate::wire::to_viewer::{encode_lanes, encode_scopes};

/// All lanes, and when each of them changed.
#[derive(Debug, Default)]
pub(super) struct LaneList {
    /// One more with each change.
    version: u64,
    lanes: BTreeMap<u16, (Lane, u64)>,
}

impl LaneList {
    /// Adds a lane, or changes it.
    pub(super) fn add(&mut self, lane: Lane) {
        self.version += 1;
        self.lanes.insert(lane.number, (lane, self.version));
    }

    /// Forgets the lanes: nobody is connected.
    pub(super) fn clear(&mut self) {
        self.lanes.clear();
    }

    /// Sends a viewer the lanes that it does not know as they are, and a frame.
    pub(super) fn send(&self, viewer: &mut Viewer, frame: &FrameScopes) {
        if viewer.lanes != self.version {
            let lanes = self.lanes.values();
            let new = lanes.filter(|(_, version)| *version > viewer.lanes);
            for message in encode_lanes(new.map(|(lane, _)| lane)) {
                viewer.send(message);
            }
            viewer.lanes = self.version;
        }
        viewer.send(encode_scopes(frame));
    }
}
