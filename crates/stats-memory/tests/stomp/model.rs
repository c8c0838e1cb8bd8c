//! Random allocations, reallocations and frees by several threads. Each block is compared with its
//! expected contents.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::thread;

use stats_testing::Random;

use crate::child::Case;
use crate::child::End::Well;

pub(crate) const ALL: &[Case] = &[("random operations", random, Well)];

struct Block {
    address: usize,
    layout: Layout,
    pattern: u8,
}

impl Block {
    fn bytes(&self) -> &'static mut [u8] {
        // SAFETY: allocated with this layout, alive, and without another owner.
        unsafe {
            std::slice::from_raw_parts_mut(
                std::ptr::with_exposed_provenance_mut(self.address),
                self.layout.size(),
            )
        }
    }

    fn check(&self) {
        assert!(
            self.bytes().iter().all(|byte| *byte == self.pattern),
            "the content of a block has changed"
        );
    }

    fn fill(&self) {
        self.bytes().fill(self.pattern);
    }
}

fn size(random: &mut Random) -> usize {
    match random.index(4) {
        0 => 1 + random.index(64),
        1 => 1 + random.index(5000),
        2 => (1 + random.index(4)) * 4096 + random.index(3) - 1,
        _ => 1 + random.index(70_000),
    }
}

fn make(random: &mut Random) -> Block {
    let layout = Layout::from_size_align(size(random), 1 << random.index(15)).unwrap();
    let is_zeroed = random.index(3) == 0;
    // SAFETY: the size is not zero.
    let address = unsafe {
        if is_zeroed {
            alloc_zeroed(layout)
        } else {
            alloc(layout)
        }
    }
    .expose_provenance();
    assert!(address != 0 && address.is_multiple_of(layout.align()));
    let mut block = Block {
        address,
        layout,
        pattern: 0,
    };
    if is_zeroed {
        block.check();
    }
    block.pattern = random.index(256) as u8;
    block.fill();
    block
}

fn resize(block: &mut Block, random: &mut Random) {
    block.check();
    let (size, old) = (size(random), block.layout);
    // SAFETY: alive, with this layout; the size is not zero.
    let moved = unsafe {
        realloc(
            std::ptr::with_exposed_provenance_mut(block.address),
            old,
            size,
        )
    };
    block.address = moved.expose_provenance();
    block.layout = Layout::from_size_align(size, old.align()).unwrap();
    assert!(block.address != 0 && block.address.is_multiple_of(old.align()));
    assert!(
        block.bytes()[..size.min(old.size())]
            .iter()
            .all(|byte| *byte == block.pattern),
        "a move lost content"
    );
    block.fill();
}

fn free(block: &Block) {
    block.check();
    // SAFETY: alive, with this layout.
    unsafe {
        dealloc(
            std::ptr::with_exposed_provenance_mut(block.address),
            block.layout,
        )
    };
}

fn random() {
    let threads = [1, 2, 3, 4].map(|seed| thread::spawn(move || run(&mut Random::new(seed))));
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
}

fn run(random: &mut Random) {
    let mut live: Vec<Block> = Vec::new();
    for _ in 0..8000 {
        match random.index(5) {
            0 | 1 => live.push(make(random)),
            2 if !live.is_empty() => {
                let index = random.index(live.len());
                resize(&mut live[index], random);
            }
            _ if !live.is_empty() => free(&live.swap_remove(random.index(live.len()))),
            _ => {}
        }
        if live.len() > 300 {
            live.drain(..200).for_each(|block| free(&block));
        }
    }
    do_not_overlap(&live);
    live.iter().for_each(free);
}

fn do_not_overlap(live: &[Block]) {
    let mut ranges: Vec<_> = live
        .iter()
        .map(|block| (block.address, block.address + block.layout.size()))
        .collect();
    ranges.sort_unstable();
    assert!(
        ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0),
        "blocks overlap"
    );
    live.iter().for_each(Block::check);
}
