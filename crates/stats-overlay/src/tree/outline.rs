//! The listing of the source as a tree, and which folders are open.

use stats_core::Source;

use crate::data::allowance::Allowance;
use crate::data::listing::{Listing, Progress, companion_kind, companion_path, recorder_of};
use crate::tree::model::{Folds, Tree};

/// The units of work for adding an entry to the tree, and for freeing a part of one.
const ENTRY_UNITS: usize = 2;
const FREED_UNITS: usize = 256;

/// Every series of the source, in folders.
#[derive(Debug, Default)]
pub(super) struct Outline {
    read: Read,
    /// The next listing, while it is read in several passes.
    next: Option<(Read, Progress)>,
    /// Folders that the user opened or closed, by path.
    folds: Folds,
    /// Listings that are no longer needed. To free a million folders at once takes longer than a
    /// frame.
    forgotten: Vec<Read>,
}

/// The listing read so far, as a tree.
#[derive(Debug, Default)]
struct Read {
    listing: Listing,
    tree: Tree,
    /// The generation of the source before it was read; `None` before the first reading.
    generation: Option<u64>,
    /// The number of entries that were renamed because other entries were read later.
    renamed: usize,
}

/// The result of reading the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Nothing new.
    Same,
    /// New series, or series that changed. All others keep their numbers.
    Added,
    /// A different listing, with other numbers.
    Replaced,
    /// The allowance ran out first.
    Unfinished,
}

impl Outline {
    pub(super) fn listing(&self) -> &Listing {
        &self.read.listing
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.read.tree
    }

    /// Returns the tree, to sort its folders, and the listing.
    pub(super) fn tree_mut(&mut self) -> (&mut Tree, &Listing) {
        (&mut self.read.tree, &self.read.listing)
    }

    /// Returns the number of entries that were renamed.
    pub(super) fn renamed(&self) -> usize {
        self.read.renamed
    }

    /// Returns the progress of the first reading of the source; `None` once it is complete.
    pub(super) fn progress(&self) -> Option<Progress> {
        let is_first = self.read.generation.is_none();
        self.next
            .as_ref()
            .filter(|_| is_first)
            .map(|(_, progress)| *progress)
    }

    /// Returns the entry of a path.
    pub(super) fn find(&self, path: &str) -> Option<u32> {
        self.tree().find_entry(self.listing(), path)
    }

    /// Returns the entry of a path, or that of the calls, samples or self time that it names. Their
    /// current path depends on whether another series has it: `x/calls`, or `x/calls (timer)`.
    pub(super) fn find_renamed(&self, path: &str) -> Option<u32> {
        let current = || {
            let recorder = recorder_of(path)?;
            let kind = self.listing().entry(self.find(recorder)?).kind;
            let kind = companion_kind(path, kind)?;
            let path = companion_path(recorder, kind, |path| {
                let found = self.find(path).map(|at| self.listing().entry(at).kind);
                found.is_some_and(|kind| !kind.is_companion())
            });
            self.find(&path)
        };
        self.find(path).or_else(current)
    }

    /// Returns the whole path of a node.
    pub(super) fn path(&self, node: u32) -> &str {
        self.tree().path(self.listing(), node)
    }

    /// Opens or closes a folder.
    pub(super) fn set_open(&mut self, node: u32, open: bool) {
        let path = self.path(node).to_owned();
        self.folds.insert(path, open);
        self.read.tree.set_open(node, open);
    }

    /// Reads the series registered since the last reading, until the allowance is used up.
    pub(super) fn read(&mut self, source: &dyn Source, allowance: &mut Allowance) -> Reading {
        let generation = source.generation();
        if self.next.is_none() {
            let is_behind = self.read.tree.entry_count() < self.read.listing.len();
            match self.read.generation {
                Some(since) if since == generation && !is_behind => return Reading::Same,
                Some(since)
                    if since == generation || self.read.listing.read_changes(source, since) =>
                {
                    self.read.generation = Some(generation);
                    return match self.read.insert(&self.folds, allowance) {
                        true => Reading::Added,
                        false => Reading::Unfinished,
                    };
                }
                _ => {
                    let next = Read {
                        generation: Some(generation),
                        ..Read::default()
                    };
                    self.next = Some((next, Progress::default()));
                }
            }
        }
        let Some((next, progress)) = &mut self.next else {
            return Reading::Same;
        };
        if !next.read_on(source, &self.folds, progress, allowance) {
            return Reading::Unfinished;
        }
        if let Some((next, _)) = self.next.take() {
            let before = std::mem::replace(&mut self.read, next);
            self.forgotten.push(before);
        }
        Reading::Replaced
    }

    /// Returns whether all series of a source are read and in the tree.
    #[cfg(test)]
    pub(super) fn is_up_to_date(&self, source: &dyn Source) -> bool {
        self.next.is_none()
            && self.read.generation == Some(source.generation())
            && self.read.tree.entry_count() == self.read.listing.len()
    }

    /// Returns whether anything of the source is read.
    pub(super) fn is_read(&self) -> bool {
        self.next.is_some() || self.read.generation.is_some()
    }

    /// Forgets the listing, but remembers which folders are open. Call
    /// [`continue_freeing`](Self::continue_freeing) in the next passes.
    pub(super) fn detach(&mut self) {
        let next = self.next.take().map(|(next, _)| next);
        let read = std::mem::take(&mut self.read);
        self.forgotten.extend(next.into_iter().chain([read]));
    }

    /// Frees the memory of listings that were forgotten, until the allowance is used up.
    pub(super) fn continue_freeing(&mut self, allowance: &mut Allowance) {
        while let Some(read) = self.forgotten.last_mut()
            && allowance.has_left()
        {
            allowance.spend(FREED_UNITS);
            if !read.tree.free_part() {
                // What is left are a few long lists.
                self.forgotten.pop();
            }
        }
        if self.forgotten.is_empty() && self.forgotten.capacity() > 0 {
            self.forgotten = Vec::new();
        }
    }
}

impl Read {
    /// Continues reading, and adds what was read to the tree. Returns whether everything is in the
    /// tree.
    fn read_on(
        &mut self,
        source: &dyn Source,
        folds: &Folds,
        progress: &mut Progress,
        allowance: &mut Allowance,
    ) -> bool {
        // Add each part to the tree before reading the next one.
        while !progress.is_read {
            if !self.insert(folds, allowance) {
                return false;
            }
            if !self.listing.read_part(source, progress, allowance) {
                return false;
            }
            self.tree.reserve(progress.end as usize);
        }
        self.insert(folds, allowance)
    }

    /// Adds entries of the listing to the tree. Returns whether the tree has all entries.
    fn insert(&mut self, folds: &Folds, allowance: &mut Allowance) -> bool {
        loop {
            let left = self.listing.len() - self.tree.entry_count();
            if left == 0 {
                return true;
            }
            let count = allowance.take(left * ENTRY_UNITS, 1).div_ceil(ENTRY_UNITS);
            if count == 0 {
                return false;
            }
            for _ in 0..count {
                let is_renamed = self.tree.insert_next(&mut self.listing, folds);
                self.renamed += usize::from(is_renamed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Paths;

    #[test]
    fn the_memory_of_a_long_listing_is_freed_in_several_passes() {
        let paths: Vec<String> = (0..5000).map(|number| format!("a/{number}/b")).collect();
        let source = Paths::of(&paths);
        let mut outline = Outline::default();
        let mut all = Allowance::of_units(usize::MAX);
        assert_eq!(outline.read(&source, &mut all), Reading::Replaced);
        outline.detach();
        assert!(!outline.is_read() && outline.tree().node_count() == 0);
        let mut passes = 0;
        while !outline.forgotten.is_empty() {
            // A new listing is read before the old one is freed.
            if passes == 3 {
                assert_eq!(outline.read(&source, &mut all), Reading::Replaced);
            }
            outline.continue_freeing(&mut Allowance::of_units(FREED_UNITS));
            passes += 1;
        }
        assert!(passes > 10, "{passes}");
        assert!(outline.is_up_to_date(&source));
    }
}
