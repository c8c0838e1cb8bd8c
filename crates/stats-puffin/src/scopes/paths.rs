//! The tree of call paths.
//!
//! A *node* is a thread, or a scope at one call path. Each scope's node has a place in the tallies.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use puffin::ThreadInfo;
use stats_core::report_over_limit;

use super::names::{NameId, Names};
use super::tallies::{OVER_LIMIT, PlaceId, Tallies};
use crate::escape::bounded;

/// The depth of the tree. Scopes inside more than this many others have no node.
pub(super) const MAX_DEPTH: usize = 64;

/// The number of thread names that have nodes of their own. Threads with further names take turns,
/// because a program whose threads all have different names would otherwise use up all places.
const MAX_THREADS: usize = 256;

/// The path above those of the threads with further names.
const FURTHER_THREADS: &str = "puffin/further-threads";

/// A thread with a further name loses its node to a new one if it had no scope in the last frames,
/// at least this many. puffin does not report that a thread has ended.
const IDLE_FRAMES: u64 = 8;

/// The tree: threads, and below them scopes by name.
#[derive(Debug, Default)]
pub(super) struct Paths {
    threads: HashMap<Box<str>, NodeId>,
    /// The threads below [`FURTHER_THREADS`]. A thread is known by its name and its first time.
    further_threads: Vec<Further>,
    /// The threads that have them, by position.
    further_of: HashMap<ThreadInfo, usize>,
    /// The number of frames so far.
    frames: u64,
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

/// A node for one thread with a further name at a time.
#[derive(Debug)]
struct Further {
    node: NodeId,
    thread: ThreadInfo,
    /// The last frame in which that thread had a scope.
    last_frame: u64,
}

impl Paths {
    /// Begins a frame. No two threads with further names share a node in it.
    pub(super) fn begin_frame(&mut self) {
        self.frames += 1;
    }

    /// Returns the node of a thread, created if necessary. Threads with the same name share a node,
    /// except for threads with further names. Returns [`NOWHERE`] if there is no room for another
    /// thread.
    pub(super) fn thread(&mut self, thread: &ThreadInfo, tallies: &Tallies) -> NodeId {
        if let Some(&node) = self.threads.get(&*thread.name) {
            return node;
        }
        if self.threads.len() >= MAX_THREADS {
            return self.further_thread(thread, tallies);
        }
        let node = self.add_thread(&format!("puffin/{}", bounded(&thread.name)), tallies);
        if node != NOWHERE {
            self.threads.insert(thread.name.as_str().into(), node);
        }
        node
    }

    /// Returns the node that a thread with a further name has, or takes the first idle one.
    fn further_thread(&mut self, thread: &ThreadInfo, tallies: &Tallies) -> NodeId {
        let now = self.frames;
        if let Some(at) = self.further_of.get(thread) {
            self.further_threads[*at].last_frame = now;
            return self.further_threads[*at].node;
        }
        let is_idle = |one: &Further| now - one.last_frame > IDLE_FRAMES;
        let at = match self.further_threads.iter().position(is_idle) {
            Some(at) => {
                self.further_of.remove(&self.further_threads[at].thread);
                at
            }
            None => self.further_threads.len(),
        };
        let node = match self.further_threads.get(at) {
            Some(idle) => idle.node,
            None => self.add_thread(&format!("{FURTHER_THREADS}/{}", at + 1), tallies),
        };
        if node == NOWHERE {
            return NOWHERE;
        }
        let taken = Further {
            node,
            thread: thread.clone(),
            last_frame: now,
        };
        if at == self.further_threads.len() {
            report_over_limit(FURTHER_THREADS, MAX_THREADS);
            self.further_threads.push(taken);
        } else {
            self.further_threads[at] = taken;
        }
        self.further_of.insert(thread.clone(), at);
        node
    }

    /// Adds a node for threads. Returns [`NOWHERE`] if there is no room for another one.
    fn add_thread(&mut self, path: &str, tallies: &Tallies) -> NodeId {
        let threads = self.threads.len() + self.further_threads.len();
        if tallies.is_full() || threads > tallies.limit() {
            return NOWHERE;
        }
        self.push(Node {
            place: OVER_LIMIT,
            path: path.into(),
            depth: 0,
        })
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
