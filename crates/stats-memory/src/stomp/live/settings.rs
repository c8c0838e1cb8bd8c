//! The settings of an allocator, from its declaration.

/// Which allocations are guarded, and how their reservation is created.
#[derive(Clone, Copy, Debug)]
pub(in crate::stomp) struct Settings {
    smallest: usize,
    largest: usize,
    pub(super) quarantine_bytes: usize,
    pub(super) has_markers: bool,
}

impl Settings {
    pub(in crate::stomp) const fn new() -> Self {
        let quarantine_bytes = if usize::BITS < 64 {
            512 << 20
        } else {
            (256_u64 << 30) as usize
        };
        Self {
            smallest: 0,
            largest: usize::MAX,
            quarantine_bytes,
            has_markers: true,
        }
    }

    pub(in crate::stomp) const fn sizes(self, smallest: usize, largest: usize) -> Self {
        Self {
            smallest,
            largest,
            ..self
        }
    }

    pub(in crate::stomp) const fn quarantine_bytes(self, quarantine_bytes: usize) -> Self {
        Self {
            quarantine_bytes,
            ..self
        }
    }

    pub(in crate::stomp) const fn without_guard_markers(self) -> Self {
        Self {
            has_markers: false,
            ..self
        }
    }

    /// Returns whether allocations of a size are guarded.
    pub(super) const fn includes(&self, size: usize) -> bool {
        self.smallest <= size && size <= self.largest
    }
}
