//! What the view and the allocator's tracker hold themselves, which is no leak of the program's.

use std::collections::HashMap;

use super::job::THREAD_NAME;
use super::merged::Merged;
use super::node::{Label, Node, TOTAL};

/// The scope in which a tracker of `stats-memory` puts what it and the writer of a dump allocate,
/// where no threads are told apart.
const SCOPE: &str = "stats-memory";

/// By how many bytes rows grew that are not the program's own doing, or have such rows below them;
/// by their keys.
#[derive(Debug, Default)]
pub(super) struct OwnGrowth(HashMap<u64, Option<i128>>);

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

    /// By how much a row grew without what is not the program's; `None` where none of it is.
    pub(super) fn without(&self, key: u64, growth_bytes: i128) -> Option<i128> {
        match self.0.get(&key) {
            Some(own) => own.map(|own| growth_bytes - own),
            None => Some(growth_bytes),
        }
    }
}

fn is_own(node: &Node, nodes: &[Node], merged: &Merged) -> bool {
    match node.label {
        Label::Thread(name) => merged.text(name) == THREAD_NAME,
        // One of that name within another scope is the program's.
        Label::Scope(name) => {
            merged.text(name) == SCOPE
                && !matches!(nodes[node.parent as usize].label, Label::Scope(_))
        }
        _ => false,
    }
}
