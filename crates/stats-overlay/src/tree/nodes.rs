//! A node, and the nodes of a tree by number, in chunks that stay in place: moving a hundred thousand nodes
//! takes longer than a frame.

/// The end of a list of children.
pub(super) const NO_NODE: u32 = u32::MAX;

/// The number of nodes in a chunk.
const CHUNK: usize = 1024;

/// All nodes. Only the last chunk may have fewer than [`CHUNK`].
#[derive(Debug, Default)]
pub(super) struct Nodes(Vec<Vec<Node>>);

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    /// Its own entry, or one below it: an entry whose path starts with this node's path.
    pub(super) some_entry: u32,
    pub(super) path_end: u32,
    /// The number of series below it, without calls, samples and self times.
    pub(super) below: u32,
    pub(super) children: Children,
    /// The next child of the same parent, or [`NO_NODE`].
    pub(super) next: u32,
    /// The number of segments above it.
    pub(super) depth: u16,
    pub(super) has_entry: bool,
    /// Whether the user opened or closed it; `None` if neither.
    pub(super) fold: Option<bool>,
}

/// The children of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Children {
    /// The first of them, or [`NO_NODE`].
    pub(super) first: u32,
    /// Whether the children still have to be sorted.
    pub(super) is_unsorted: bool,
}

impl Default for Children {
    fn default() -> Self {
        Self {
            first: NO_NODE,
            is_unsorted: false,
        }
    }
}

impl Node {
    /// Returns its own entry.
    pub(super) fn entry(&self) -> Option<u32> {
        self.has_entry.then_some(self.some_entry)
    }

    /// Returns the number of segments above it, up to 65,535.
    pub(super) fn depth(&self) -> u32 {
        self.depth.into()
    }

    pub(super) fn has_children(&self) -> bool {
        self.children.first != NO_NODE
    }

    /// Returns the number of series below it, without calls, samples and self times.
    pub(super) fn series_below(&self) -> u32 {
        self.below
    }
}

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
