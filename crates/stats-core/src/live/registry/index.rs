//! Maps a path's hash to its slot. An entry takes 8 bytes, and growing reads no paths.

/// An open-addressing table of (hash, slot) pairs, at most three quarters full.
#[derive(Debug, Default)]
pub(crate) struct Index {
    entries: Vec<Option<(u32, Slot)>>,
    len: usize,
}

/// A slot plus one, so that an empty entry takes no extra space.
type Slot = std::num::NonZeroU32;

impl Index {
    /// Returns the slot stored under `hash` for which `is_it` returns `true`.
    pub(crate) fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let hash = fold(hash);
        self.probe(hash)
            .map_while(|at| self.entries[at])
            .filter(|(stored, _)| *stored == hash)
            .map(|(_, slot)| slot.get() - 1)
            .find(|slot| is_it(*slot))
    }

    /// Stores a slot that is not in the table. Slots are below `u32::MAX`.
    pub(crate) fn insert(&mut self, hash: u64, slot: u32) {
        if (self.len + 1) * 4 > self.entries.len() * 3 {
            self.grow();
        }
        self.place(fold(hash), Slot::MIN.saturating_add(slot));
        self.len += 1;
    }

    fn grow(&mut self) {
        let doubled = (self.entries.len() * 2).max(64);
        let old = std::mem::replace(&mut self.entries, vec![None; doubled]);
        for (hash, slot) in old.into_iter().flatten() {
            self.place(hash, slot);
        }
    }

    fn place(&mut self, hash: u32, slot: Slot) {
        let free = self.probe(hash).find(|at| self.entries[*at].is_none());
        // Always found: a quarter of the table is empty, and the probe visits all of it.
        if let Some(at) = free {
            self.entries[at] = Some((hash, slot));
        }
    }

    fn probe(&self, hash: u32) -> impl Iterator<Item = usize> + use<> {
        let len = self.entries.len();
        (0..len).map(move |step| (hash as usize + step) & (len - 1))
    }
}

fn fold(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn finds_stored_slots_and_no_others_even_if_every_hash_collides() {
        for hash_of in [
            |n: u32| u64::from(n).wrapping_mul(0x9E37_79B9_7F4A_7C15),
            |_| 7,
            |n| u64::from(n % 3) << 32,
        ] {
            let mut index = Index::default();
            for n in 0..500 {
                assert_eq!(index.find(hash_of(n), |slot| slot == n), None);
                index.insert(hash_of(n), n);
                assert_eq!(index.find(hash_of(n), |slot| slot == n), Some(n));
            }
            assert!((0..500).all(|n| index.find(hash_of(n), |slot| slot == n) == Some(n)));
        }
    }

    #[test]
    fn an_entry_is_eight_bytes() {
        assert_eq!(size_of::<Option<(u32, super::Slot)>>(), 8);
    }
}
