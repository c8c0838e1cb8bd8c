//! Equal allocations folded into one, as they are read.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::line::Line;
use super::names::Names;
use super::stacks::{Stacks, WrittenStacks};

/// Where something was allocated: numbers of names, and of a stack of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) thread: u32,
    pub(super) group: u32,
    pub(super) stack: u32,
    pub(super) name: u32,
}

/// Allocations of one site and size, or a sum over a site of which no sizes are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The size of each, or the bytes of a sum.
    amount: u64,
    pub(super) count: u64,
    /// A place in the list of sites.
    pub(super) site: u32,
    is_sum: bool,
}

impl Entry {
    pub(super) fn bytes(&self) -> u64 {
        if self.is_sum {
            self.amount
        } else {
            self.amount.saturating_mul(self.count)
        }
    }

    /// The size of each allocation, where it is known.
    pub(super) fn size(&self) -> Option<u64> {
        (!self.is_sum).then_some(self.amount)
    }
}

/// What was read, folded.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    pub(super) names: Names,
    pub(super) stacks: Stacks,
    pub(super) sites: Vec<Site>,
    pub(super) entries: Vec<Entry>,
}

/// Folds lines.
#[derive(Debug, Default)]
pub(super) struct Fold {
    pub(super) held: Held,
    written: WrittenStacks,
    /// Places in the lists, by what lies there.
    sites: HashTable<u32>,
    entries: HashTable<u32>,
    state: RandomState,
}

impl Fold {
    pub(super) fn add(&mut self, line: &Line<'_>) {
        let Held { names, stacks, .. } = &mut self.held;
        let site = Site {
            thread: names.intern(line.thread),
            group: names.intern(line.group),
            stack: self.written.enter(line.scopes, names, stacks),
            name: names.intern(line.name),
        };
        let site = self.site(site);
        match line.count {
            None => self.entry(Entry {
                amount: line.bytes,
                count: 1,
                site,
                is_sum: false,
            }),
            Some(count) => self.entry(Entry {
                amount: line.bytes,
                count,
                site,
                is_sum: true,
            }),
        }
    }

    /// The place of a site. Numbers suffice for as many sites, and entries, as fit into memory.
    fn site(&mut self, site: Site) -> u32 {
        let (sites, state) = (&mut self.held.sites, &self.state);
        let hash = |site: &Site| state.hash_one((site.thread, site.group, site.stack, site.name));
        if let Some(&at) = self
            .sites
            .find(hash(&site), |&at| sites[at as usize] == site)
        {
            return at;
        }
        let at = sites.len() as u32;
        sites.push(site);
        self.sites
            .insert_unique(hash(&site), at, |&at| hash(&sites[at as usize]));
        at
    }

    fn entry(&mut self, entry: Entry) {
        let (entries, state) = (&mut self.held.entries, &self.state);
        let hash = |entry: &Entry| state.hash_one((entry.site, entry.size()));
        let is_same = |&at: &u32| {
            entries[at as usize].site == entry.site && entries[at as usize].size() == entry.size()
        };
        if let Some(&at) = self.entries.find(hash(&entry), is_same) {
            let same = &mut entries[at as usize];
            same.count = same.count.saturating_add(entry.count);
            if entry.is_sum {
                same.amount = same.amount.saturating_add(entry.amount);
            }
            return;
        }
        let at = entries.len() as u32;
        entries.push(entry);
        self.entries
            .insert_unique(hash(&entry), at, |&at| hash(&entries[at as usize]));
    }
}
