//! The map of a snapshot.

use std::ops::Range;

use super::block::{Block, put_in_order};
use super::cells::{Cell, Cells};
use super::extents::touched;
use super::fragmentation::Fragmentation;
use super::nearly_empty::{Holder, NearlyEmpty};
use super::runs::Runs;

/// The maximum number of holders.
const MAX_HOLDERS: usize = 32;

/// Which pages the allocations of a dump are in.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PageMap {
    pub(crate) figures: Fragmentation,
    pub(crate) runs: Runs,
    /// Who holds nearly empty pages, the most first. A page counts for each of its holders.
    pub(crate) holders: Vec<Holder>,
    pub(crate) cells: Vec<Cell>,
}

impl PageMap {
    /// Computes the map. `group` and `owner` return the group and the owner of a site; `resident` are
    /// the pages that are in memory. Returns `None` if the addresses are of no use.
    ///
    /// Takes the time to sort the blocks; their sizes do not matter.
    pub(crate) fn new(
        mut blocks: Vec<Block>,
        resident: &[Range<u64>],
        group: impl Fn(u32) -> u32,
        owner: impl Fn(u32) -> u32,
    ) -> Option<Self> {
        if !put_in_order(&mut blocks) {
            return None;
        }
        let extents = touched(&blocks, resident);
        let (mut cells, mut nearly_empty) = (Cells::new(&extents), NearlyEmpty::default());
        let (mut runs, mut place, mut blocks) = (Runs::default(), 0, blocks.iter().peekable());
        for extent in &extents {
            let mut end = extent.start;
            while let Some(block) = blocks.next_if(|block| block.start < extent.end) {
                runs.add(block.start - end);
                end = block.end;
                let before = place + (block.start - extent.start);
                cells.add(before, block.end - block.start, group(block.site));
                nearly_empty.add(block, owner(block.site));
            }
            runs.add(extent.end - end);
            place += extent.end - extent.start;
        }
        let (nearly_empty_pages, holders) = nearly_empty.finish(MAX_HOLDERS);
        Some(Self {
            figures: Fragmentation {
                touched_bytes: place,
                free_bytes: runs.bytes.iter().sum(),
                largest_free_run_bytes: runs.longest,
                nearly_empty_pages,
                knows_resident_pages: !resident.is_empty(),
            },
            runs,
            holders,
            cells: cells.finish(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::PAGE;
    use super::*;
    use stats_testing::{Random, rounds};

    const BASE: u64 = 0x7f00_0000_0000;

    /// Returns the map of blocks of a site, each an offset and a size.
    fn map(blocks: &[(u64, u64)], resident: &[Range<u64>]) -> PageMap {
        let blocks = blocks
            .iter()
            .map(|&(at, bytes)| Block::new(BASE + at, bytes, 3));
        let moved = |range: &Range<u64>| BASE + range.start..BASE + range.end;
        let resident: Vec<_> = resident.iter().map(moved).collect();
        PageMap::new(blocks.collect(), &resident, |_| 7, |site| site).expect("addresses of use")
    }

    fn figures(map: &PageMap) -> (u64, u64, u64, u64) {
        let Fragmentation {
            touched_bytes,
            free_bytes,
            largest_free_run_bytes,
            nearly_empty_pages,
            ..
        } = map.figures;
        (
            touched_bytes,
            free_bytes,
            largest_free_run_bytes,
            nearly_empty_pages,
        )
    }

    #[test]
    fn a_page_of_which_every_second_block_is_free_is_half_free() {
        let blocks: Vec<_> = (0..32).map(|at| (at * 128, 64)).collect();
        let map = map(&blocks, &[]);
        assert_eq!(figures(&map), (4096, 2048, 64, 0));
        assert_eq!(map.runs.bytes, [0, 2048, 0, 0, 0]);
        assert_eq!(map.figures.free_share(), 0.5);
        let cell = Cell {
            address: BASE,
            bytes: 4096,
            used: 2048,
            group: Some(7),
        };
        assert_eq!(map.cells, [cell]);
    }

    #[test]
    fn a_page_with_one_small_block_is_nearly_empty() {
        let blocks: Vec<_> = (0..10).map(|at| (at * PAGE, 64)).collect();
        let map = map(&blocks, &[]);
        assert_eq!(figures(&map), (40_960, 40_320, 4032, 10));
        let holder = Holder {
            site: 3,
            pages: 10,
            bytes: 640,
        };
        assert_eq!(map.holders, [holder]);
        // At most an eighth of a page.
        for (bytes, pages) in [(512, 1), (513, 0)] {
            assert_eq!(
                super::tests::map(&[(0, bytes)], &[])
                    .figures
                    .nearly_empty_pages,
                pages
            );
        }
    }

    #[test]
    fn pages_in_memory_without_a_block_are_free() {
        // Eight pages in a row, of which the last holds one block at its end, and one elsewhere.
        let map = map(
            &[(8 * PAGE - 64, 64)],
            &[0..8 * PAGE, 100 * PAGE..101 * PAGE],
        );
        assert_eq!(figures(&map), (9 * PAGE, 9 * PAGE - 64, 8 * PAGE - 64, 1));
        assert_eq!(map.runs.bytes, [0, 0, 0, 0, 9 * PAGE - 64]);
        let used: Vec<_> = map.cells.iter().map(|cell| cell.used).collect();
        assert_eq!(used, [0, 0, 0, 0, 0, 0, 0, 64, 0]);
        assert_eq!(map.cells[8].address, BASE + 100 * PAGE);
        assert_eq!(map.cells[8].group, None);
        // Without them, only the page of the block is known.
        let alone = super::tests::map(&[(8 * PAGE - 64, 64)], &[]);
        assert_eq!(figures(&alone), (PAGE, PAGE - 64, PAGE - 64, 1));
        assert!(map.figures.knows_resident_pages && !alone.figures.knows_resident_pages);
    }

    #[test]
    fn addresses_that_cannot_be_right_make_no_map() {
        let new = |blocks: Vec<Block>| PageMap::new(blocks, &[], |_| 0, |site| site);
        assert_eq!(new(Vec::new()), None);
        assert_eq!(
            new(vec![Block::new(4096, 64, 0); 40]),
            None,
            "all at one place"
        );
        assert_eq!(new(vec![Block::new(4096, 0, 0)]), None, "nothing");
        // The largest sizes take no longer than others.
        let map = new(vec![Block::new(1, u64::MAX, 0)]).expect("a block up to the end");
        assert_eq!(figures(&map), (1 << 48, 1, 1, 0));
        assert_eq!(map.cells.len(), 2048);
        assert_eq!(
            map.cells.iter().map(|cell| cell.used).sum::<u64>(),
            (1 << 48) - 1
        );
        assert_eq!(new(vec![Block::new(u64::MAX, 5, 0)]), None);
    }

    /// Compares all figures with those that a table of all bytes gives.
    #[test]
    fn figures_are_those_of_a_table_of_bytes() {
        const PAGES: usize = 12;
        let mut random = Random::new(45);
        for _ in 0..rounds(2000) {
            // The owner of each byte, and whether its page is touched.
            let mut bytes = vec![0_u32; PAGES * PAGE as usize];
            let mut is_touched = [false; PAGES];
            let (mut blocks, mut at) = (Vec::new(), random.index(3000));
            loop {
                let most = [16, 400, 9000][random.index(3)];
                let size = 1 + random.index(most);
                if at + size > bytes.len() {
                    break;
                }
                let site = 1 + random.index(4) as u32;
                bytes[at..at + size].fill(site);
                blocks.push(Block::new(BASE + at as u64, size as u64, site));
                is_touched[at / 4096..=(at + size - 1) / 4096].fill(true);
                at += size + [0, 8, random.index(300), random.index(12_000)][random.index(4)];
            }
            let mut resident = Vec::new();
            for _ in 0..random.index(4) {
                let start = random.index(PAGES);
                let end = start + random.index(PAGES - start + 1);
                is_touched[start..end].fill(true);
                resident.push(BASE + start as u64 * PAGE..BASE + end as u64 * PAGE);
            }
            // In any order.
            for at in (1..blocks.len()).rev() {
                blocks.swap(at, random.index(at + 1));
            }
            let map = PageMap::new(blocks.clone(), &resident, |site| site % 2, |site| site / 2);
            if blocks.is_empty() {
                assert_eq!(map, None);
                continue;
            }
            let map = map.expect("no block overlaps another");
            let (mut runs, mut run, mut nearly_empty) = (Runs::default(), 0, 0);
            let mut holders = [(0, 0); 3];
            let mut used = Vec::new();
            for (page, bytes) in bytes.chunks(PAGE as usize).enumerate() {
                if !is_touched[page] {
                    runs.add(std::mem::take(&mut run));
                    continue;
                }
                for &owner in bytes {
                    if owner == 0 {
                        run += 1;
                    } else {
                        runs.add(std::mem::take(&mut run));
                    }
                }
                let live = bytes.iter().filter(|owner| **owner > 0).count();
                used.push(live as u64);
                if (1..=512).contains(&live) {
                    nearly_empty += 1;
                    for (owner, (pages, held)) in holders.iter_mut().enumerate() {
                        let of = |site: &&u32| **site > 0 && **site as usize / 2 == owner;
                        let count = bytes.iter().filter(of).count() as u64;
                        *pages += u64::from(count > 0);
                        *held += count;
                    }
                }
            }
            runs.add(run);
            let touched = is_touched.iter().filter(|touched| **touched).count() as u64 * PAGE;
            let free = touched - used.iter().sum::<u64>();
            assert_eq!(figures(&map), (touched, free, runs.longest, nearly_empty));
            assert_eq!(map.runs, runs);
            let cells: Vec<_> = map.cells.iter().map(|cell| cell.used).collect();
            assert_eq!(cells, used);
            let mut found = [(0, 0); 3];
            for holder in &map.holders {
                found[holder.site as usize / 2] = (holder.pages, holder.bytes);
            }
            assert_eq!(found, holders);
        }
    }
}
