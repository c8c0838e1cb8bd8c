//! The tree of call paths.
//!
//! A *node* is a thread, or a scope at one call path. Each scope's node has a place in the tallies.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use stats_core::report_over_limit;

use super::names::{NameId, Names};
use super::tallies::{OVER_LIMIT, PlaceId, Tallies};
use crate::escape::bounded;

/// The depth of the tree. Scopes inside more than this many others have no node.
pub(super) const MAX_DEPTH: usize = 64;

/// The number of thread names that have nodes of their own. Further ones share a node, because a
/// program whose threads all have different names would otherwise use up all places.
const MAX_THREADS: usize = 256;

/// The path of the threads with further names.
const FURTHER_THREADS: &str = "puffin/further-threads";

/// The tree: threads, and below them scopes by name.
#[derive(Debug, Default)]
pub(super) struct Paths {
    threads: HashMap<Box<str>, NodeId>,
    further_threads: Option<NodeId>,
    nodes: Vec<Node>,
    children: HashMap<(NodeId, NameId), NodeId, BuildHasherDefault<NumberHasher>>,
}

/// The number of a node.
pub(super) type NodeId = u32;

/// The node of a scope that is not in the tree. It has no children.
pub(super) const NOWHERE: NodeId = NodeId::MAX;

#[derive(Debug)]
struct Node {
    /// The place of the node's time; [`OVER_LIMIT`] for a thread.
    place: PlaceId,
    path: Box<str>,
    depth: usize,
}

impl Paths {
    /// Returns the node of a thread, created if necessary. Threads with the same name share a node.
    /// Returns [`NOWHERE`] if there is no room for another thread.
    pub(super) fn thread(&mut self, name: &str, tallies: &Tallies) -> NodeId {
        if let Some(&node) = self.threads.get(name) {
            return node;
        }
        if self.threads.len() >= MAX_THREADS
            && let Some(node) = self.further_threads
        {
            return node;
        }
        if tallies.is_full() || self.threads.len() > tallies.limit() {
            return NOWHERE;
        }
        let is_further = self.threads.len() >= MAX_THREADS;
        let path = if is_further {
            report_over_limit(FURTHER_THREADS, MAX_THREADS);
            FURTHER_THREADS.to_owned()
        } else {
            format!("puffin/{}", bounded(name))
        };
        let node = self.push(Node {
            place: OVER_LIMIT,
            path: path.into(),
            depth: 0,
        });
        if is_further {
            self.further_threads = Some(node);
        } else {
            self.threads.insert(name.into(), node);
        }
        node
    }

    /// Returns the node of a scope in another or in a thread, created if necessary. Returns
    /// [`NOWHERE`] beyond the limits of the tree.
    pub(super) fn child(
        &mut self,
        parent: NodeId,
        name: NameId,
        names: &Names,
        tallies: &mut Tallies,
    ) -> NodeId {
        match self.children.get(&(parent, name)) {
            Some(&node) => node,
            None => self.add_child(parent, name, names, tallies),
        }
    }

    #[cold]
    fn add_child(
        &mut self,
        parent: NodeId,
        name: NameId,
        names: &Names,
        tallies: &mut Tallies,
    ) -> NodeId {
        let Some(above) = self
            .nodes
            .get(parent as usize)
            .filter(|node| node.depth < MAX_DEPTH)
        else {
            return NOWHERE;
        };
        if tallies.is_full() {
            return NOWHERE;
        }
        let (path, depth) = (
            format!("{}/{}", above.path, names.segment(name)),
            above.depth + 1,
        );
        let place = tallies.add_place(&path, "");
        let node = self.push(Node {
            place,
            path: path.into(),
            depth,
        });
        self.children.insert((parent, name), node);
        node
    }

    fn push(&mut self, node: Node) -> NodeId {
        // Does not overflow: there are no more nodes than places, whose ids have 32 bits, and
        // threads.
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node);
        id
    }

    /// Returns the place that the time of a node is added to.
    pub(super) fn place(&self, node: NodeId) -> PlaceId {
        self.nodes
            .get(node as usize)
            .map_or(OVER_LIMIT, |node| node.place)
    }
}

/// A cheap hasher for consecutive numbers, which need little mixing.
#[derive(Debug, Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        // The map takes its bucket from the low bits and its tag from the high bits. Multiplying
        // mixes only the high bits, so they are folded into the low ones.
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        // 2⁶⁴ divided by the golden ratio, which spreads neighbors.
        self.0 = (self.0.rotate_left(32) ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
