//! Finds the child of a node by its label.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The number of tables. Each grows on its own, because moving all nodes at once takes longer than
/// a frame.
const TABLES: usize = 256;
/// The number of tables that are freed at once.
const FREED_TABLES: usize = 16;

/// The nodes of a tree by parent and label.
#[derive(Debug)]
pub(super) struct NodeIndex {
    /// Hashes and nodes. The top bits of a hash select its table.
    tables: Vec<HashTable<(u32, u32)>>,
    hasher: FixedState,
}

impl Default for NodeIndex {
    fn default() -> Self {
        Self {
            tables: vec![HashTable::new(); TABLES],
            hasher: FixedState::default(),
        }
    }
}

impl NodeIndex {
    /// Returns the node stored under a parent and a label for which `is_match` returns `true`.
    pub(super) fn find(
        &self,
        parent: u32,
        label: &str,
        is_match: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let hash = self.hash(parent, label);
        let found = self.tables[table_of(hash)].find(spread(hash as u32), |&(stored, node)| {
            stored == hash as u32 && is_match(node)
        });
        found.map(|&(_, node)| node)
    }

    /// Stores a node that is not in the index.
    pub(super) fn insert(&mut self, parent: u32, label: &str, node: u32) {
        let hash = self.hash(parent, label);
        let stored = (hash as u32, node);
        self.tables[table_of(hash)]
            .insert_unique(spread(stored.0), stored, |&(hash, _)| spread(hash));
    }

    /// Frees a part of the tables, which are not used any more. Returns `false` if there are none.
    pub(super) fn free_part(&mut self) -> bool {
        let left = self.tables.len().saturating_sub(FREED_TABLES);
        self.tables.drain(left..).count() > 0
    }

    fn hash(&self, parent: u32, label: &str) -> u64 {
        self.hasher.hash_one((parent, label))
    }
}

fn table_of(hash: u64) -> usize {
    (hash >> 56) as usize % TABLES
}

/// Spreads a hash over 64 bits, because hashbrown uses both its low and its high bits.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
