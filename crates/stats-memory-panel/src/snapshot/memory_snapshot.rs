//! A memory snapshot.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use stats_analysis::sort::sort_by;

use super::contents::{Contents, Entry, Site};
use crate::dump::DumpDamage;
use crate::pages::{Fragmentation, PageMap};

/// The allocations that were alive at one moment, read from a dump.
///
/// Equal allocations (same thread, group, scopes, name and size) are folded into one entry. Stacks
/// of more than 256 scopes are cut: deeper scopes count as the 256th. Sums that overflow 64 bits
/// are [`u64::MAX`]. Clones are cheap: they share their contents.
#[derive(Clone, Default)]
pub struct MemorySnapshot {
    bytes: u64,
    allocations: u64,
    damage: DumpDamage,
    pub(crate) contents: Arc<Contents>,
    /// Which pages the allocations are in; `None` without addresses.
    pub(crate) pages: Option<Arc<PageMap>>,
    /// The threads, sorted by name, with their bytes.
    threads: Vec<(u32, u64)>,
    groups: Vec<(u32, u64)>,
    /// The budgets of groups, in the order of the dump.
    budgets: Vec<(String, u64)>,
}

impl MemorySnapshot {
    pub(super) fn new(
        contents: Contents,
        pages: Option<PageMap>,
        damage: DumpDamage,
        budgets: Vec<(String, u64)>,
    ) -> Self {
        let sum = |of: fn(u64, &Entry) -> u64| contents.entries.iter().fold(0, of);
        Self {
            bytes: sum(|sum, entry| sum.saturating_add(entry.bytes())),
            allocations: sum(|sum, entry| sum.saturating_add(entry.count)),
            damage,
            threads: sums(&contents, |site| site.thread),
            groups: sums(&contents, |site| site.group),
            budgets,
            contents: Arc::new(contents),
            pages: pages.map(Arc::new),
        }
    }

    /// Returns the bytes of all allocations.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of allocations.
    #[must_use]
    pub fn allocations(&self) -> u64 {
        self.allocations
    }

    /// Returns the number of entries that the allocations were folded into.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.contents.entries.len()
    }

    /// Returns whether the dump has lines for single allocations, and not only sums: then the sizes
    /// of allocations are known.
    #[must_use]
    pub fn is_per_allocation(&self) -> bool {
        self.contents
            .entries
            .iter()
            .any(|entry| entry.size().is_some())
    }

    /// Iterates over the threads, sorted by name, with the bytes that each allocated. Allocations
    /// without a thread have an empty name.
    pub fn threads(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.named(&self.threads)
    }

    /// Iterates over the groups, sorted by name, with the bytes of each.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.named(&self.groups)
    }

    fn named(&self, sums: &[(u32, u64)]) -> impl ExactSizeIterator<Item = (&str, u64)> {
        let names = &self.contents.names;
        sums.iter().map(|&(name, bytes)| (names.get(name), bytes))
    }

    /// Iterates over the groups with a budget, in the order of the dump: name and budget in bytes.
    pub fn budgets(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.budgets
            .iter()
            .map(|(group, bytes)| (group.as_str(), *bytes))
    }

    /// Returns how scattered the allocations are over the pages of memory. `None` if the dump has no
    /// addresses, or if more than a tenth of its allocations overlap, so that the addresses are
    /// of no use.
    #[must_use]
    pub fn fragmentation(&self) -> Option<Fragmentation> {
        self.pages.as_ref().map(|pages| pages.figures)
    }

    /// Returns the lines that could not be read.
    #[must_use]
    pub fn damage(&self) -> &DumpDamage {
        &self.damage
    }
}

impl fmt::Debug for MemorySnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            bytes,
            allocations,
            damage,
            ..
        } = self;
        let mut debug = f.debug_struct("MemorySnapshot");
        debug
            .field("bytes", bytes)
            .field("allocations", allocations)
            .field("entries", &self.entries());
        debug.field("damage", damage).finish_non_exhaustive()
    }
}

/// Returns the bytes of each thread or group, which `name` selects, sorted by name.
fn sums(contents: &Contents, name: fn(&Site) -> u32) -> Vec<(u32, u64)> {
    let mut sums: HashMap<u32, u64, foldhash::fast::RandomState> = HashMap::default();
    for entry in &contents.entries {
        let sum = sums
            .entry(name(&contents.sites[entry.site as usize]))
            .or_default();
        *sum = sum.saturating_add(entry.bytes());
    }
    let mut sums: Vec<(u32, u64)> = sums.into_iter().collect();
    let name = |sum: &(u32, u64)| contents.names.get(sum.0);
    sort_by(&mut sums, |a, b| name(a).cmp(name(b)));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_can_be_built_on_another_thread() {
        fn is_sent<T: Send + Sync + 'static>() {}
        is_sent::<MemorySnapshot>();
        is_sent::<crate::SnapshotWriter>();
    }

    #[test]
    fn threads_and_groups_are_sorted_and_have_their_bytes() {
        let dump = "0x1,b,y,64,,\n0x2,a,x,1,s,\n0x3,b,x,2,,n\n,,x,100,,,3\n";
        let snapshot = MemorySnapshot::read(dump.as_bytes()).unwrap();
        assert_eq!(
            snapshot.threads().collect::<Vec<_>>(),
            [("", 100), ("a", 1), ("b", 66)]
        );
        assert_eq!(
            snapshot.groups().collect::<Vec<_>>(),
            [("x", 103), ("y", 64)]
        );
        assert_eq!(
            (snapshot.bytes(), snapshot.allocations(), snapshot.entries()),
            (167, 6, 4)
        );
        assert!(snapshot.is_per_allocation());
        assert!(
            !MemorySnapshot::read(&b",,x,100,,,3\n"[..])
                .unwrap()
                .is_per_allocation()
        );
    }

    #[test]
    fn sums_saturate() {
        let most = u64::MAX;
        let dump = format!(
            "0x1,t,g,{most},s,n\n0x2,t,g,{most},s,n\n,,g,{most},s,n,{most}\n,,g,{most},s,n,{most}\n"
        );
        let snapshot = MemorySnapshot::read(dump.as_bytes()).unwrap();
        assert_eq!(
            (snapshot.bytes(), snapshot.allocations(), snapshot.entries()),
            (most, most, 2)
        );
        assert_eq!(snapshot.groups().collect::<Vec<_>>(), [("g", most)]);
    }
}
