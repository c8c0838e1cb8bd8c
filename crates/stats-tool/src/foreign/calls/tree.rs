//! The tree of call paths, with the time and the calls of each in every frame.
//!
//! A *node* is a thread and the names of the scopes around a scope, down to its own. Names may be
//! known only later, so nodes are made of numbers first.

use std::borrow::Cow;
use std::collections::HashMap;

use stats_core::segment::{MAX_NAME, bounded};

/// The depth of the tree. Deeper scopes are part of the self time of those around them.
pub(in super::super) const MAX_DEPTH: usize = 64;

/// The maximum number of nodes.
const MAX_NODES: usize = 1 << 14;

/// The maximum number of threads.
const MAX_THREADS: usize = 1 << 10;

/// A call path.
#[derive(Debug)]
pub(in super::super) struct Node {
    pub(in super::super) parent: Option<u32>,
    /// The position of the first thread with the name of its thread.
    pub(in super::super) thread: u16,
    /// The number of its name.
    pub(in super::super) name: u32,
    /// The frames in which it ran, by position, with the nanoseconds and the calls.
    pub(in super::super) sums: Vec<(u32, u64, u32)>,
}

/// A thread.
#[derive(Debug)]
pub(in super::super) struct Thread {
    pub(in super::super) name: String,
    /// Tells threads of the same name apart.
    id: Option<i64>,
    /// The position of the first thread of this name.
    first: u16,
}

/// All call paths.
#[derive(Debug, Default)]
pub(in super::super) struct Tree {
    pub(in super::super) threads: Vec<Thread>,
    pub(in super::super) nodes: Vec<Node>,
    /// Whether scopes are in no node, because there are too many, or too deep ones.
    pub(in super::super) is_limited: bool,
    children: HashMap<(Option<u32>, u16, u32), u32>,
}

impl Tree {
    /// Returns the position of a thread; `None` if there are too many. A very long name is shortened.
    pub(in super::super) fn thread(&mut self, name: &str, id: Option<i64>) -> Option<u16> {
        // Each series of the thread has its name.
        let name = match name.len() <= MAX_NAME {
            true => Cow::Borrowed(name),
            false => bounded(name, &[]),
        };
        let is_name = |thread: &Thread| thread.name == name;
        let is_same = |thread: &Thread| thread.id == id && is_name(thread);
        if let Some(at) = self.threads.iter().position(is_same) {
            return Some(at as u16);
        }
        let at = self.threads.len();
        if at == MAX_THREADS {
            self.is_limited = true;
            return None;
        }
        let first = self.threads.iter().position(is_name).unwrap_or(at);
        self.threads.push(Thread {
            name: name.into_owned(),
            id,
            first: first as u16,
        });
        Some(at as u16)
    }

    /// Returns the node of a scope inside `depth` others; `None` if there is no room for it. `around`
    /// is the node of the innermost one, which may have none. Threads of the same name share nodes.
    pub(in super::super) fn node(
        &mut self,
        thread: u16,
        around: Option<Option<u32>>,
        depth: usize,
        name: u32,
    ) -> Option<u32> {
        let parent = match around {
            Some(around) => Some(around?),
            None => None,
        };
        let thread = self.threads[usize::from(thread)].first;
        if let Some(known) = self.children.get(&(parent, thread, name)) {
            return Some(*known);
        }
        if depth >= MAX_DEPTH || self.nodes.len() >= MAX_NODES {
            self.is_limited = true;
            return None;
        }
        let node = self.nodes.len() as u32;
        self.children.insert((parent, thread, name), node);
        self.nodes.push(Node {
            parent,
            thread,
            name,
            sums: Vec::new(),
        });
        Some(node)
    }

    /// Adds a call in a frame.
    pub(in super::super) fn add(&mut self, node: u32, frame: u32, ns: u64) {
        let sums = &mut self.nodes[node as usize].sums;
        match sums.last_mut() {
            Some((of, sum_ns, calls)) if *of == frame => {
                *sum_ns = sum_ns.saturating_add(ns);
                *calls = calls.saturating_add(1);
            }
            _ => sums.push((frame, ns, 1)),
        }
    }
}
