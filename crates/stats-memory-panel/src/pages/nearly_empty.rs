//! Pages that hold little, and who holds it.

use std::collections::HashMap;

use super::PAGE;
use super::block::Block;

/// The maximum number of used bytes of a nearly empty page: an eighth of it.
pub(super) const LIMIT: u64 = PAGE / 8;

/// An owner of bytes in nearly empty pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holder {
    /// The index of one of its sites.
    pub(crate) site: u32,
    /// The number of nearly empty pages that it holds bytes in.
    pub(crate) pages: u64,
    /// The bytes that it holds there.
    pub(crate) bytes: u64,
}

/// The nearly empty pages so far, and the page at the current address.
#[derive(Debug, Default)]
pub(super) struct NearlyEmpty {
    pub(super) pages: u64,
    /// The holders by owner.
    holders: HashMap<u32, Holder, foldhash::fast::RandomState>,
    page: u64,
    used: u64,
    /// The owner and the site of each block in the current page, and its bytes there.
    in_page: Vec<(u32, u32, u64)>,
}

impl NearlyEmpty {
    /// Adds the next block in order, and its owner.
    pub(super) fn add(&mut self, block: &Block, owner: u32) {
        let (first, last) = (block.start / PAGE, (block.end - 1) / PAGE);
        self.add_part(
            first,
            block.end.min((first + 1) * PAGE) - block.start,
            block,
            owner,
        );
        // The pages between are full.
        if last > first {
            self.add_part(last, block.end - last * PAGE, block, owner);
        }
    }

    fn add_part(&mut self, page: u64, bytes: u64, block: &Block, owner: u32) {
        if page != self.page {
            self.end_page();
            self.page = page;
        }
        self.used += bytes;
        if self.used <= LIMIT {
            self.in_page.push((owner, block.site, bytes));
        }
    }

    fn end_page(&mut self) {
        if (1..=LIMIT).contains(&self.used) {
            self.pages += 1;
            self.in_page.sort_unstable();
            let mut before = None;
            for &(owner, site, bytes) in &self.in_page {
                let holder = self.holders.entry(owner).or_insert(Holder {
                    site,
                    ..Holder::default()
                });
                holder.pages += u64::from(before != Some(owner));
                holder.bytes += bytes;
                before = Some(owner);
            }
        }
        self.in_page.clear();
        self.used = 0;
    }

    /// Returns the number of nearly empty pages, and the holders of the most, at most `most` of them.
    pub(super) fn finish(mut self, most: usize) -> (u64, Vec<Holder>) {
        self.end_page();
        let mut holders: Vec<Holder> = self.holders.into_values().collect();
        holders.sort_unstable_by_key(|holder| {
            (std::cmp::Reverse((holder.pages, holder.bytes)), holder.site)
        });
        holders.truncate(most);
        (self.pages, holders)
    }
}
