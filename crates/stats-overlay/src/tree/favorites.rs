//! The favorites: series listed above the tree, by path, in the order in which they were added.

use crate::tree::outline::Outline;

/// The maximum number of favorites.
const MAX_FAVORITES: usize = 256;

/// The paths of the favorites, and their entries in the listing.
#[derive(Debug, Default)]
pub(crate) struct Favorites {
    paths: Vec<String>,
    /// The entry of each path; `None` while no series has the path.
    entries: Vec<Option<u32>>,
}

impl Favorites {
    /// Returns the paths, in the order in which they were added.
    pub(crate) fn paths(&self) -> &[String] {
        &self.paths
    }

    pub(crate) fn contains(&self, path: &str) -> bool {
        self.paths.iter().any(|favorite| favorite == path)
    }

    /// Returns the entry of a favorite, or `None` while no series has its path.
    pub(super) fn entry(&self, at: u32) -> Option<u32> {
        self.entries.get(at as usize).copied().flatten()
    }

    /// Finds the entries again, after the favorites or the listing changed. A favorite that was
    /// renamed gets its current path.
    pub(super) fn find_in(&mut self, outline: &Outline) {
        self.entries.clear();
        for path in &mut self.paths {
            let entry = outline.find_renamed(path);
            if let Some(current) = entry
                .map(|at| outline.listing().path(at))
                .filter(|current| *current != path)
            {
                *path = current.to_owned();
            }
            self.entries.push(entry);
        }
    }

    /// Adds or removes a path, whether or not a series has it. Does not add an empty path, or a
    /// path beyond the limit of 256. Returns whether anything changed.
    pub(crate) fn set(&mut self, path: &str, on: bool) -> bool {
        let at = self.paths.iter().position(|favorite| favorite == path);
        match at {
            Some(at) if !on => _ = self.paths.remove(at),
            None if on && !path.is_empty() && self.paths.len() < MAX_FAVORITES => {
                self.paths.push(path.to_owned())
            }
            Some(_) | None => return false,
        }
        true
    }

    /// Replaces all favorites. Repeated paths are left out.
    pub(super) fn replace(&mut self, paths: impl IntoIterator<Item = String>) {
        self.paths.clear();
        for path in paths {
            self.set(&path, true);
        }
    }
}
