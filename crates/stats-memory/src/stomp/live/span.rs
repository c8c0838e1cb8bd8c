//! Where an allocation lies among its pages: arithmetic alone.

use std::alloc::Layout;

use crate::stomp::sealed::Side;

/// The pages of an allocation, guards included, before it is known where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    side: Side,
    page: usize,
    size: usize,
    align: usize,
    /// Bytes of the pages that the program may touch.
    pub(crate) open: usize,
    /// Bytes of all.
    pub(crate) bytes: usize,
}

/// Bytes that spans are multiples of: a page for the program and a page of guard.
pub(crate) const fn slot_bytes(page: usize) -> usize {
    2 * page
}

impl Span {
    /// The span of a layout; `None` where it would be larger than an address space.
    pub(crate) fn of(side: Side, page: usize, layout: Layout) -> Option<Self> {
        let (size, align, slot) = (layout.size(), layout.align(), slot_bytes(page));
        let open = size.checked_next_multiple_of(page)?;
        // What may be lost until an address is aligned: a span begins at a multiple of a slot.
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

    /// Where the program's pages begin, in a span that begins at `start`.
    pub(crate) fn first_page(&self, start: usize) -> usize {
        let earliest = match self.side {
            Side::After => start,
            Side::Before => start + self.page,
        };
        earliest.next_multiple_of(self.align.max(self.page))
    }

    /// Where the allocation begins: pushed against the guard, as far as its alignment allows.
    pub(crate) fn user(&self, start: usize) -> usize {
        let slack = match self.side {
            Side::After => self.open - self.size,
            Side::Before => 0,
        };
        // A power of two, as alignments are; where it is larger than a page, so is it than the
        // slack.
        self.first_page(start) + (slack & !(self.align - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that has to hold, for sizes and alignments on both sides of each boundary.
    #[test]
    fn a_block_lies_in_its_pages_and_touches_its_guard() {
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
                // Fewer bytes between the end and the guard than the alignment makes necessary.
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
    fn what_no_address_space_holds_has_no_span() {
        let huge = Layout::from_size_align(isize::MAX as usize - 1, 1).unwrap();
        assert_eq!(Span::of(Side::After, 4096, huge), None);
        assert_eq!(Span::of(Side::Before, 4096, huge), None);
    }
}
