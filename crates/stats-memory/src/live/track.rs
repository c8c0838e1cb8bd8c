//! How each mode counts allocations and frees.

use std::sync::atomic::Ordering;

use super::counts::{self, Page, Shard};
use super::header::{self, Header};
use super::{records, tags};
use crate::mode::{Count, Records, Tags};

/// Counts the calls of an allocator. No function allocates from that allocator, takes a lock or
/// panics.
pub trait Track {
    /// Whether allocations have a header.
    const HAS_HEADER: bool;

    /// Counts an allocation. Returns its header.
    fn allocated(address: usize, bytes: usize) -> Header;

    /// Counts a free. Called before the memory is freed.
    fn freed(header: Header, bytes: usize);

    /// Prepares for a reallocation. Returns what to pass to `reallocated`.
    fn reallocating(header: Header) -> u32;

    /// Counts a reallocation to `bytes`, and returns its header. `None` means that it failed, and
    /// that the address and the header are the old ones.
    fn reallocated(
        header: Header,
        hidden: u32,
        address: usize,
        old_bytes: usize,
        bytes: Option<usize>,
    ) -> Header;
}

impl Track for Count {
    const HAS_HEADER: bool = false;

    #[inline(always)]
    fn allocated(_: usize, bytes: usize) -> Header {
        match counts::shard() {
            Some(shard) => shard.allocated(bytes),
            None => allocated_first(bytes),
        }
        Header::NONE
    }

    #[inline(always)]
    fn freed(_: Header, bytes: usize) {
        match counts::shard() {
            Some(shard) => shard.freed(bytes),
            None => freed_first(bytes),
        }
    }

    #[inline(always)]
    fn reallocating(_: Header) -> u32 {
        0
    }

    #[inline(always)]
    fn reallocated(
        header: Header,
        _: u32,
        address: usize,
        old_bytes: usize,
        bytes: Option<usize>,
    ) -> Header {
        if let Some(bytes) = bytes {
            // The free comes first, so that the peak never includes both blocks.
            Self::freed(header, old_bytes);
            Self::allocated(address, bytes);
        }
        header
    }
}

#[cold]
#[inline(never)]
fn allocated_first(bytes: usize) {
    header::note_count();
    match counts::shard_or_claim() {
        Some(shard) => shard.allocated(bytes),
        None => counts::allocated_shared(0, bytes),
    }
}

#[cold]
#[inline(never)]
fn freed_first(bytes: usize) {
    match counts::shard_or_claim() {
        Some(shard) => shard.freed(bytes),
        None => counts::freed_shared(0, bytes),
    }
}

/// Returns the thread's shard and its page for a tag, if it has both.
#[inline(always)]
fn place(tag: u32) -> Option<(&'static Shard, &'static Page)> {
    let shard = counts::shard()?;
    Some((shard, shard.page(tag)?))
}

/// Returns the thread's shard and its page for a tag, and creates what is missing.
fn place_or_make(tag: u32) -> Option<(&'static Shard, &'static Page)> {
    header::note_headers();
    tags::serve_own_memory();
    let shard = counts::shard_or_claim()?;
    Some((shard, shard.page_or_make(tag)?))
}

#[inline(always)]
fn count_allocated(tag: u32, bytes: usize) {
    match place(tag) {
        Some((shard, page)) => shard.allocated_under(page, tag, bytes),
        None => count_allocated_first(tag, bytes),
    }
}

#[cold]
#[inline(never)]
fn count_allocated_first(tag: u32, bytes: usize) {
    match place_or_make(tag) {
        Some((shard, page)) => shard.allocated_under(page, tag, bytes),
        None => counts::allocated_shared(tag, bytes),
    }
}

#[inline(always)]
fn count_freed(tag: u32, bytes: usize) {
    match place(tag) {
        Some((shard, page)) => shard.freed_under(page, tag, bytes),
        None => count_freed_first(tag, bytes),
    }
}

#[cold]
#[inline(never)]
fn count_freed_first(tag: u32, bytes: usize) {
    match place_or_make(tag) {
        Some((shard, page)) => shard.freed_under(page, tag, bytes),
        None => counts::freed_shared(tag, bytes),
    }
}

impl Track for Tags {
    const HAS_HEADER: bool = true;

    #[inline(always)]
    fn allocated(_: usize, bytes: usize) -> Header {
        let tag = tags::current();
        count_allocated(tag, bytes);
        Header::new(tag, 0)
    }

    #[inline(always)]
    fn freed(header: Header, bytes: usize) {
        count_freed(header.tag(), bytes);
    }

    #[inline(always)]
    fn reallocating(_: Header) -> u32 {
        0
    }

    #[inline(always)]
    fn reallocated(
        header: Header,
        _: u32,
        _: usize,
        old_bytes: usize,
        bytes: Option<usize>,
    ) -> Header {
        let Some(bytes) = bytes else {
            return header;
        };
        let tag = tags::adopting().unwrap_or(header.tag());
        count_freed(header.tag(), old_bytes);
        count_allocated(tag, bytes);
        Header::new(tag, header.record())
    }
}

impl Track for Records {
    const HAS_HEADER: bool = true;

    #[inline(always)]
    fn allocated(address: usize, bytes: usize) -> Header {
        let tag = tags::current();
        // The record comes first: a dump that sees the count must also see that there are records.
        let record = match counts::shard().or_else(counts::shard_or_claim) {
            Some(shard) => records::put(
                &shard.stash,
                address,
                tag,
                bytes,
                // Relaxed: the shard is the thread's own.
                shard.thread.load(Ordering::Relaxed),
            ),
            None => records::put_shared(address, tag, bytes),
        };
        count_allocated(tag, bytes);
        Header::new(tag, record)
    }

    #[inline(always)]
    fn freed(header: Header, bytes: usize) {
        count_freed(header.tag(), bytes);
        match counts::shard() {
            Some(shard) => records::take(&shard.stash, header.record()),
            None => records::take_shared(header.record()),
        }
    }

    #[inline(always)]
    fn reallocating(header: Header) -> u32 {
        records::hide(header.record())
    }

    #[inline(always)]
    fn reallocated(
        header: Header,
        thread: u32,
        address: usize,
        old_bytes: usize,
        bytes: Option<usize>,
    ) -> Header {
        let header = Tags::reallocated(header, 0, address, old_bytes, bytes);
        records::fill(
            header.record(),
            address,
            header.tag(),
            bytes.unwrap_or(old_bytes),
            thread,
        );
        header
    }
}
