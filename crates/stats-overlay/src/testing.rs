//! Deterministic random data for tests.

/// A small generator (SplitMix64): the same numbers on every run and platform.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 when that is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.next() % bound }
    }

    /// A value of either sign, now and then a huge, equal or zero one.
    pub(crate) fn value(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            1 => 1e300,
            2 => -1e300,
            3 => 5.0,
            _ => (self.below(2_000_001) as f64 - 1_000_000.0) / 1000.0,
        }
    }

    /// A path of one to four segments from a small alphabet, so that prefixes are often shared.
    pub(crate) fn path(&mut self) -> String {
        const SEGMENTS: [&str; 12] = ["a", "A", "b", "ab", "a-b", "x1", "x10", "x2", "x02", "Über", "draw calls", "renderer"];
        let count = 1 + self.below(4);
        let segments: Vec<&str> = (0..count).map(|_| SEGMENTS[self.below(12) as usize]).collect();
        segments.join("/")
    }
}
