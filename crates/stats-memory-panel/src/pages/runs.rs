//! Runs of free bytes.

/// The limits of the classes of runs, in bytes: a run belongs to the first class whose limit is
/// larger. What is smaller than the first limit is mostly headers and rounding.
pub(crate) const LIMITS: [u64; 5] = [32, 256, 1 << 10, 4 << 10, u64::MAX];

/// The free bytes by the length of the run that they are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Runs {
    /// The free bytes of each class of [`LIMITS`].
    pub(crate) bytes: [u64; LIMITS.len()],
    pub(crate) longest: u64,
}

impl Runs {
    /// Adds a run; nothing if it is empty.
    pub(super) fn add(&mut self, bytes: u64) {
        let class = LIMITS.iter().position(|&limit| bytes < limit);
        self.bytes[class.unwrap_or(LIMITS.len() - 1)] += bytes;
        self.longest = self.longest.max(bytes);
    }
}
