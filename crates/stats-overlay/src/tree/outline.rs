//! The listing of the source as a tree, and which folders are open.

use stats_core::Source;

use crate::data::listing::{Change, Listing};
use crate::tree::model::{Folds, Tree};

/// Every series of the source, in folders.
#[derive(Debug, Default)]
pub(super) struct Outline {
    listing: Listing,
    tree: Tree,
    /// Folders that the user opened or closed, by path.
    folds: Folds,
    /// The generation of the source that was read last.
    generation: Option<u64>,
}

/// What reading the source found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Nothing new.
    Same,
    /// New series, or series that changed. All others keep their numbers.
    Added,
    /// Another listing.
    Replaced,
}

impl Outline {
    pub(super) fn listing(&self) -> &Listing {
        &self.listing
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the whole path of a node.
    pub(crate) fn path(&self, node: u32) -> &str {
        self.tree.path(&self.listing, node)
    }

    /// Opens or closes a folder.
    pub(super) fn set_open(&mut self, node: u32, open: bool) {
        let path = self.path(node).to_owned();
        self.folds.insert(path, open);
        self.tree.set_open(node, open);
    }

    /// Reads what was registered since the last reading.
    pub(crate) fn read(&mut self, source: &dyn Source) -> Reading {
        let generation = source.generation();
        let change = match self.generation.replace(generation) {
            Some(since) if since == generation => return Reading::Same,
            Some(since) => self.listing.read_changes(source, since),
            None => Change::ReadAll,
        };
        match change {
            Change::Added(first) => {
                for entry in first..self.listing.len() as u32 {
                    self.tree.insert(&self.listing, &self.folds, entry);
                }
                Reading::Added
            }
            Change::ReadAll => {
                self.listing = Listing::read(source);
                self.tree = Tree::build(&self.listing, &self.folds);
                Reading::Replaced
            }
        }
    }

    /// Reads the next source from the start.
    pub(crate) fn detach(&mut self) {
        self.generation = None;
    }
}
