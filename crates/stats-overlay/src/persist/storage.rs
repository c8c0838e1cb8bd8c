//! [`SavedState`] in a host's storage.

use super::backup;
use super::load_error::LoadError;
use super::saved::SavedState;
use stats_ui::palette::fnv1a;

/// The key of the saved state in a host's storage, such as eframe's.
pub const STORAGE_KEY: &str = "stats-overlay";

impl SavedState {
    /// Reads the state from a host's storage. Returns `None` if the storage has none.
    ///
    /// With eframe: `SavedState::load_with(|key| storage.get_string(key))`.
    ///
    /// # Errors
    ///
    /// If the text is not a document that [`save_with`](Self::save_with) could have stored.
    pub fn load_with(get: impl FnOnce(&str) -> Option<String>) -> Result<Option<Self>, LoadError> {
        get(STORAGE_KEY).map(|text| text.parse()).transpose()
    }

    /// Writes the state to a host's storage. `before` is the text that the storage now has under
    /// [`STORAGE_KEY`].
    ///
    /// With eframe: `saved.save_with(storage.get_string(STORAGE_KEY), |key, text|
    /// storage.set_string(key, text))`.
    ///
    /// If `before` cannot be read, it is kept under a key that begins with
    /// `stats-overlay-damaged-`. If a newer version wrote it, for example version 3, the key begins
    /// with `stats-overlay-v3-`; if it has unknown fields, with `stats-overlay-other-`.
    pub fn save_with(&self, before: Option<String>, mut set: impl FnMut(&str, String)) {
        if let Some(text) = before
            && let Some(label) = backup::label_of(&text)
        {
            let hash = fnv1a(&text);
            set(&format!("{STORAGE_KEY}-{label}-{hash:016x}"), text);
        }
        set(STORAGE_KEY, self.to_string());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::persist::file::tests::favorite;

    #[test]
    fn a_hosts_storage_keeps_the_state_and_damaged_texts() {
        let mut storage = HashMap::new();
        assert!(
            SavedState::load_with(|key| storage.get(key).cloned())
                .unwrap()
                .is_none()
        );
        for damaged in ["{", "["] {
            storage.insert(STORAGE_KEY.to_owned(), damaged.to_owned());
            assert!(SavedState::load_with(|key| storage.get(key).cloned()).is_err());
            let before = storage.get(STORAGE_KEY).cloned();
            favorite("a").save_with(before, |key, text| {
                drop(storage.insert(key.to_owned(), text))
            });
            assert_eq!(
                SavedState::load_with(|key| storage.get(key).cloned()).unwrap(),
                Some(favorite("a"))
            );
        }
        let (newer, mut keys) = ("{\"version\": 3}".to_owned(), Vec::new());
        favorite("a").save_with(Some(newer), |key, _| keys.push(key.to_owned()));
        assert!(keys[0].starts_with("stats-overlay-v3-"), "{keys:?}");
        let mut kept: Vec<&str> = storage
            .values()
            .map(String::as_str)
            .filter(|text| text.len() == 1)
            .collect();
        kept.sort_unstable();
        assert_eq!(kept, ["[", "{"]);
    }
}
