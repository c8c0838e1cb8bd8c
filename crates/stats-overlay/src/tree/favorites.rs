//! Favorites: series listed above the tree, in the order in which they were added.

use crate::tree::panel::TreePanel;

/// The maximum number of favorites.
const MAX_FAVOURITES: usize = 256;

impl TreePanel {
    /// The paths of the favorites, in the order in which they were added.
    pub(crate) fn favourites(&self) -> &[String] {
        &self.favourites
    }

    /// Replaces all favorites. Empty, repeated and excess paths are ignored.
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

    /// Adds or removes a favorite. The path need not be registered.
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
