//! The tree of call paths.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::escape::segment;
use crate::names::{NameId, Names};
use crate::tallies::{OVER_LIMIT, PlaceId, Tallies};

/// How deep the tree is: of scopes inside more than so many others the tree knows nothing.
pub(crate) const MAX_DEPTH: usize = 64;

/// The tree: threads, and below them places by the name of a scope.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    threads: HashMap<Box<str>, NodeId>,
    nodes: Vec<Node>,
    children: HashMap<(NodeId, NameId), NodeId, BuildHasherDefault<NumberHasher>>,
}

/// The number of a node.
pub(crate) type NodeId = u32;

/// Below which there is nothing, and which is nowhere in the tree.
pub(crate) const NOWHERE: NodeId = NodeId::MAX;

#[derive(Debug)]
struct Node {
    /// Of a thread, none.
    place: PlaceId,
    path: Box<str>,
    depth: usize,
}

impl Paths {
    /// The node of a thread; threads of one name are one. [`NOWHERE`] where no place is left to be
    /// made.
    pub(crate) fn thread(&mut self, name: &str, tallies: &Tallies) -> NodeId {
        if let Some(&node) = self.threads.get(name) {
            return node;
        }
        if tallies.is_full() || self.threads.len() > tallies.limit() {
            return NOWHERE;
        }
        let node = self.push(Node {
            place: OVER_LIMIT,
            path: format!("puffin/{}", segment(name)).into(),
            depth: 0,
        });
        self.threads.insert(name.into(), node);
        node
    }

    /// The node of a scope inside another or in a thread.
    pub(crate) fn child(
        &mut self,
        parent: NodeId,
        name: NameId,
        names: &Names,
        tallies: &mut Tallies,
    ) -> NodeId {
        match self.children.get(&(parent, name)) {
            Some(&node) => node,
            None => self.make(parent, name, names, tallies),
        }
    }

    #[cold]
    fn make(
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
        let place = tallies.make(&path, "");
        let node = self.push(Node {
            place,
            path: path.into(),
            depth,
        });
        self.children.insert((parent, name), node);
        node
    }

    fn push(&mut self, node: Node) -> NodeId {
        // Not more than there are places, which are counted by 32 bits.
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node);
        id
    }

    /// Where the time of a node goes.
    pub(crate) fn place(&self, node: NodeId) -> PlaceId {
        self.nodes
            .get(node as usize)
            .map_or(OVER_LIMIT, |node| node.place)
    }
}

/// Numbers handed out in order need little mixing.
#[derive(Debug, Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        // The map takes its bucket from the low bits, its tag from the high ones; multiplying fills
        // the high ones alone.
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        // 2⁶⁴ by the golden ratio: spreads neighbours.
        self.0 = (self.0.rotate_left(32) ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
