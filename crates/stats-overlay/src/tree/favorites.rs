//! The favourites: series that stand above the tree, by path, in the order in which they were
//! chosen.

use crate::tree::panel::TreePanel;

/// More favourites than this are not kept: nobody finds anything among them.
const MAX_FAVOURITES: usize = 256;

impl TreePanel {
    /// The paths of the favourites, in the order in which they were chosen.
    pub(crate) fn favourites(&self) -> &[String] {
        &self.favourites
    }

    /// Replaces all favourites. Empty and repeated paths are left out, and what is more than fits.
    pub(crate) fn set_favourites(&mut self, paths: impl IntoIterator<Item = String>) {
        self.favourites.clear();
        for path in paths {
            self.set_favourite(&path, true);
        }
        self.favourites_changed();
    }

    pub(crate) fn is_favourite(&self, path: &str) -> bool {
        self.favourites.iter().any(|favourite| favourite == path)
    }

    /// Makes a path a favourite, or not any more, whether a series of that path exists or not.
    pub(crate) fn set_favourite(&mut self, path: &str, on: bool) {
        match self
            .favourites
            .iter()
            .position(|favourite| favourite == path)
        {
            Some(at) if !on => {
                self.favourites.remove(at);
            }
            None if on && !path.is_empty() && self.favourites.len() < MAX_FAVOURITES => {
                self.favourites.push(path.to_owned())
            }
            _ => return,
        }
        self.favourites_changed();
    }
}
