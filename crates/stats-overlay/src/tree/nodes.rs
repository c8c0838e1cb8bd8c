//! The nodes of a tree by number, in chunks that stay in place: moving a hundred thousand nodes
//! takes longer than a frame.

use crate::tree::model::Node;

/// The number of nodes in a chunk.
const CHUNK: usize = 1024;

/// All nodes. Only the last chunk may have fewer than [`CHUNK`].
#[derive(Debug, Default)]
pub(super) struct Nodes(Vec<Vec<Node>>);

impl Nodes {
    pub(super) fn len(&self) -> usize {
        let last = self.0.last().map_or(0, Vec::len);
        self.0.len().saturating_sub(1) * CHUNK + last
    }

    /// Returns the node with a number; `None` if it does not exist.
    pub(super) fn get(&self, at: u32) -> Option<&Node> {
        self.0.get(at as usize / CHUNK)?.get(at as usize % CHUNK)
    }

    pub(super) fn get_mut(&mut self, at: u32) -> Option<&mut Node> {
        let chunk = self.0.get_mut(at as usize / CHUNK)?;
        chunk.get_mut(at as usize % CHUNK)
    }

    /// Returns the node with a number. It must exist.
    pub(super) fn at(&self, at: u32) -> &Node {
        &self.0[at as usize / CHUNK][at as usize % CHUNK]
    }

    pub(super) fn at_mut(&mut self, at: u32) -> &mut Node {
        &mut self.0[at as usize / CHUNK][at as usize % CHUNK]
    }

    /// Frees some of the last nodes. Returns `false` if there are none.
    pub(super) fn free_part(&mut self) -> bool {
        self.0.pop().is_some()
    }

    /// Adds the node with the number [`len`](Self::len).
    pub(super) fn push(&mut self, node: Node) {
        match self.0.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(node),
            _ => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(node);
                self.0.push(chunk);
            }
        }
    }
}
