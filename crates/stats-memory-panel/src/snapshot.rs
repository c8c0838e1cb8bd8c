//! What was held at one moment.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufReader};
use std::sync::Arc;

use super::damage::DumpDamage;
use super::fold::{Held, Site};
use super::reader::SnapshotWriter;

/// What was held at one moment, as a dump tells it: equal allocations (thread, group, scopes, name
/// and size) folded into one entry.
///
/// Of more than 256 scopes on each other, the deeper ones belong to the last of these. Sums that do
/// not fit into 64 bits are [`u64::MAX`]. A clone shares what is held.
#[derive(Clone, Default)]
pub struct MemorySnapshot {
    pub(super) bytes: u64,
    pub(super) allocations: u64,
    pub(super) damage: DumpDamage,
    pub(super) held: Arc<Held>,
    /// By name; with their bytes.
    threads: Vec<(u32, u64)>,
    groups: Vec<(u32, u64)>,
}

impl MemorySnapshot {
    pub(super) fn new(held: Held, damage: DumpDamage) -> Self {
        let sum = |of: fn(u64, &super::fold::Entry) -> u64| held.entries.iter().fold(0, of);
        Self {
            bytes: sum(|sum, entry| sum.saturating_add(entry.bytes())),
            allocations: sum(|sum, entry| sum.saturating_add(entry.count)),
            damage,
            threads: sums(&held, |site| site.thread),
            groups: sums(&held, |site| site.group),
            held: Arc::new(held),
        }
    }

    /// Reads a dump to its end. Lines that are damaged are left out, and told of by
    /// [`damage`](Self::damage).
    ///
    /// # Errors
    ///
    /// Those of `input`.
    pub fn read(input: impl io::Read) -> io::Result<Self> {
        const PIECE: usize = 1 << 18;
        let mut writer = SnapshotWriter::new();
        io::copy(&mut BufReader::with_capacity(PIECE, input), &mut writer)?;
        Ok(writer.finish())
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Allocations held.
    #[must_use]
    pub fn allocations(&self) -> u64 {
        self.allocations
    }

    /// How many different entries the allocations were folded into.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.held.entries.len()
    }

    /// Whether sizes of single allocations are known: the dump has lines of them, and not of tags
    /// alone.
    #[must_use]
    pub fn is_per_allocation(&self) -> bool {
        self.held.entries.iter().any(|entry| entry.size().is_some())
    }

    /// The names of threads in their order, with the bytes that were allocated on each. That of
    /// allocations without one is empty.
    pub fn threads(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.threads
            .iter()
            .map(|&(name, bytes)| (self.held.names.get(name), bytes))
    }

    /// The names of groups in their order, with the bytes of each.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.groups
            .iter()
            .map(|&(name, bytes)| (self.held.names.get(name), bytes))
    }

    /// What could not be read.
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

/// Bytes by one of the names of their sites, in the order of the names.
fn sums(held: &Held, name: fn(&Site) -> u32) -> Vec<(u32, u64)> {
    let mut sums: HashMap<u32, u64, foldhash::fast::RandomState> = HashMap::default();
    for entry in &held.entries {
        let sum = sums
            .entry(name(&held.sites[entry.site as usize]))
            .or_default();
        *sum = sum.saturating_add(entry.bytes());
    }
    let mut sums: Vec<(u32, u64)> = sums.into_iter().collect();
    sums.sort_by_key(|&(name, _)| held.names.get(name));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_can_be_made_on_another_thread() {
        fn is_sent<T: Send + Sync + 'static>() {}
        is_sent::<MemorySnapshot>();
        is_sent::<SnapshotWriter>();
    }

    #[test]
    fn threads_and_groups_have_their_bytes_and_are_sorted() {
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
    fn sums_end_at_the_largest_number() {
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
