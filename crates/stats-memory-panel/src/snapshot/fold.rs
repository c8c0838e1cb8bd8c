//! Folds equal allocations into one entry as they are read.
//!
//! The text of a dump is never stored: 600,000 lines become one entry per distinct allocation.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::contents::{Contents, Entry, Site};
use super::stacks::WrittenStacks;
use crate::dump::Line;
use crate::pages::{Block, PageMap};

/// The entries so far, and tables to find them.
#[derive(Debug, Default)]
pub(super) struct Fold {
    contents: Contents,
    written: WrittenStacks,
    /// Indices into the lists of the contents, by value.
    sites: HashTable<u32>,
    entries: HashTable<u32>,
    state: RandomState,
    /// The allocations with an address.
    blocks: Vec<Block>,
    /// The pages that are in memory, as far as the dump says so.
    resident: Vec<Range<u64>>,
}

impl Fold {
    /// Adds the allocations of a line, or the pages that it says are in memory.
    pub(super) fn add(&mut self, line: &Line<'_>) {
        if let Some(pages) = line.resident() {
            self.resident.push(pages);
            return;
        }
        let Contents { names, stacks, .. } = &mut self.contents;
        let site = Site {
            thread: names.intern(line.thread),
            group: names.intern(line.group),
            stack: self.written.enter(line.scopes, names, stacks),
            name: names.intern(line.name),
        };
        let site = self.site(site);
        if let (Some(address), None) = (line.address, line.count) {
            self.blocks.push(Block::new(address, line.bytes, site));
        }
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

    /// Returns the contents, and the map of the pages if there are addresses.
    pub(super) fn finish(self) -> (Contents, Option<PageMap>) {
        let Self {
            contents,
            blocks,
            resident,
            state,
            ..
        } = self;
        // The sites of one owner differ in their threads.
        let (mut owners, mut owner) = (HashMap::with_hasher(state), Vec::new());
        for site in &contents.sites {
            let next = owners.len() as u32;
            let key = (site.group, site.stack, site.name);
            owner.push(*owners.entry(key).or_insert(next));
        }
        let group = |site: u32| contents.sites[site as usize].group;
        let pages = PageMap::new(blocks, &resident, group, |site| owner[site as usize]);
        (contents, pages)
    }

    /// Returns the index of a site. Memory runs out before the indices of sites and entries do.
    fn site(&mut self, site: Site) -> u32 {
        let (sites, state) = (&mut self.contents.sites, &self.state);
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
        let (entries, state) = (&mut self.contents.entries, &self.state);
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
