//! The memory of the panel and of the tracker themselves, which is no leak of the program.
//!
//! Taking a snapshot allocates: the panel keeps it, and the tracker needs buffers to write it. A
//! comparison would show these as growth. They stay in the tree, but the search for the largest
//! growth passes over them.

use std::collections::HashMap;

use super::merged::Merged;
use super::node::{Label, Node, TOTAL};
use crate::job::THREAD_NAME;

/// The scope in which the tracker of `stats-memory` puts its own allocations, and those of the
/// function that writes a dump, if threads are not distinguished.
const SCOPE: &str = "stats-memory";

/// By how many bytes rows grew by themselves, by key. `None` marks a row that is the panel's or the
/// tracker's as a whole; its ancestors have numbers.
#[derive(Debug, Default)]
pub(crate) struct OwnGrowth(HashMap<u64, Option<i128>>);

impl OwnGrowth {
    pub(super) fn of(nodes: &[Node], merged: &Merged) -> Self {
        let mut growth = HashMap::new();
        for node in nodes.iter().filter(|node| is_own(node, nodes, merged)) {
            growth.insert(node.key, None);
            let mut above = node.parent;
            while above != TOTAL {
                let Node { key, parent, .. } = nodes[above as usize];
                if let Some(sum) = growth.entry(key).or_insert(Some(0)) {
                    *sum += node.sums.growth_bytes();
                }
                above = parent;
            }
        }
        Self(growth)
    }

    /// Returns by how much a row grew otherwise; `None` if the whole row is the panel's or
    /// tracker's.
    pub(crate) fn without(&self, key: u64, growth_bytes: i128) -> Option<i128> {
        match self.0.get(&key) {
            Some(own) => own.map(|own| growth_bytes - own),
            None => Some(growth_bytes),
        }
    }
}

fn is_own(node: &Node, nodes: &[Node], merged: &Merged) -> bool {
    match node.label {
        Label::Thread(name) => merged.text(name) == THREAD_NAME,
        // A scope of that name within another scope is the program's.
        Label::Scope(name) => {
            merged.text(name) == SCOPE
                && !matches!(nodes[node.parent as usize].label, Label::Scope(_))
        }
        _ => false,
    }
}
