//! The position of an allocation within its pages. Pure arithmetic.

use std::alloc::Layout;

use crate::stomp::side::sealed::Side;

/// The pages of an allocation, including guards, before their address is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    side: Side,
    page: usize,
    size: usize,
    align: usize,
    /// Bytes of the pages that the program may touch.
    pub(crate) open: usize,
    /// Bytes of all pages.
    pub(crate) bytes: usize,
}

/// Returns the bytes of a slot: a page for the program and a guard page. Every span is a multiple
/// of it.
pub(super) const fn slot_bytes(page: usize) -> usize {
    2 * page
}

impl Span {
    /// Returns the span of a layout. `None` if it would be larger than the address space.
    pub(super) fn of(side: Side, page: usize, layout: Layout) -> Option<Self> {
        let (size, align, slot) = (layout.size(), layout.align(), slot_bytes(page));
        let open = size.checked_next_multiple_of(page)?;
        // The bytes that alignment may cost: a span starts at a multiple of a slot.
        let around = match side {
            Side::After if align > slot => (align - slot).checked_add(page)?,
            Side::After => page,
            Side::Before => align.max(page),
        };
        let bytes = open.checked_add(around)?.checked_next_multiple_of(slot)?;
        (bytes <= isize::MAX as usize).then_some(Self {
            side,
            page,
            size,
            align,
            open,
            bytes,
        })
    }

    /// Returns where the program's pages start, in a span that starts at `start`.
    pub(crate) fn first_page(&self, start: usize) -> usize {
        let earliest = match self.side {
            Side::After => start,
            Side::Before => start + self.page,
        };
        earliest.next_multiple_of(self.align.max(self.page))
    }

    /// Returns where the allocation starts: as close to the guard as its alignment allows.
    pub(crate) fn user(&self, start: usize) -> usize {
        let slack = match self.side {
            Side::After => self.open - self.size,
            Side::Before => 0,
        };
        // The alignment is a power of two. If it is larger than a page, it is larger than the slack
        // as well.
        self.first_page(start) + (slack & !(self.align - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks all invariants, for sizes and alignments on both sides of each boundary.
    #[test]
    fn a_block_lies_in_its_pages_as_near_to_its_guard_as_its_alignment_allows() {
        for page in [4096, 16384] {
            for side in [Side::After, Side::Before] {
                for align in (0..23).map(|bits| 1_usize << bits) {
                    for size in [
                        1,
                        2,
                        63,
                        64,
                        100,
                        page - 1,
                        page,
                        page + 1,
                        2 * page - 1,
                        2 * page,
                        10 * page + 7,
                    ] {
                        for slot in [0, 1, 2, 3, 255, 256, 257, 1023] {
                            holds(side, page, size, align, (1 << 30) + slot * slot_bytes(page));
                        }
                    }
                }
            }
        }
    }

    fn holds(side: Side, page: usize, size: usize, align: usize, start: usize) {
        let span = Span::of(side, page, Layout::from_size_align(size, align).unwrap()).unwrap();
        let (first, user) = (span.first_page(start), span.user(start));
        assert!(
            span.bytes.is_multiple_of(slot_bytes(page))
                && first.is_multiple_of(page)
                && user.is_multiple_of(align),
            "{span:?}"
        );
        assert!(span.open >= size && span.open - size < page, "{span:?}");
        assert!(
            first <= user && user + size <= first + span.open,
            "{span:?}"
        );
        match side {
            Side::After => {
                assert!(
                    start <= first && first + span.open + page <= start + span.bytes,
                    "{span:?}"
                );
                // The gap before the guard is smaller than the alignment.
                assert!(first + span.open - (user + size) < align, "{span:?}");
            }
            Side::Before => {
                assert!(
                    user == first
                        && start + page <= first
                        && first + span.open <= start + span.bytes,
                    "{span:?}"
                );
            }
        }
    }

    #[test]
    fn a_layout_larger_than_the_address_space_has_no_span() {
        let huge = Layout::from_size_align(isize::MAX as usize - 1, 1).unwrap();
        assert_eq!(Span::of(Side::After, 4096, huge), None);
        assert_eq!(Span::of(Side::Before, 4096, huge), None);
    }
}
