//! How far the longest usual frames are from the usual time.

/// The tail of a time that varies: how far the longest usual frames are from the usual time.
///
/// The excess beyond [`Tail::FROM`] scales has a mean, which is 0.54 scales for a normal
/// distribution, and more for one with a heavier tail. From it follows the distance that one usual
/// frame in two million exceeds. Frames that far out need not be known; they would be noticed, and
/// noticed frames are not learned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail {
    /// The mean distance from the usual time, over about a thousand frames.
    scale: f64,
    /// The number of frames that this mean includes, up to [`Tail::FRAMES`].
    frames: f64,
    /// The mean excess beyond the beginning of the tail, in scales.
    excess: f64,
    /// The number of frames that this mean includes, up to [`Tail::IN_TAIL`].
    in_tail: f64,
}

impl Default for Tail {
    fn default() -> Self {
        Self {
            scale: 0.0,
            frames: 0.0,
            excess: 0.6,
            in_tail: 20.0,
        }
    }
}

impl Tail {
    /// The distance at which the tail begins, in scales.
    const FROM: f64 = 2.0;
    /// The number of frames, and of frames in the tail, after which a mean forgets the oldest ones.
    const FRAMES: f64 = 1024.0;
    const IN_TAIL: f64 = 256.0;
    /// The largest excess that is learned, in scales.
    const MAX: f64 = 4.0;

    /// Creates a tail whose scale is known.
    pub(super) fn new(scale: f64) -> Self {
        let mut tail = Self::default();
        tail.begin(scale, super::WARM_UP_FRAMES as usize);
        tail
    }

    /// Begins with the scale of some frames.
    pub(super) fn begin(&mut self, scale: f64, frames: usize) {
        (self.scale, self.frames) = (scale, frames as f64);
    }

    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// Takes the distance of a usual frame's time from the usual time.
    pub(super) fn learn(&mut self, distance: f64) {
        self.frames = (self.frames + 1.0).min(Self::FRAMES);
        let limit = if self.scale > 0.0 {
            3.0 * self.scale
        } else {
            f64::INFINITY
        };
        self.scale += (distance.abs().min(limit) - self.scale) / self.frames;
        let excess = distance / self.scale.max(f64::MIN_POSITIVE) - Self::FROM;
        if excess > 0.0 {
            self.in_tail = (self.in_tail + 1.0).min(Self::IN_TAIL);
            self.excess += (excess.min(Self::MAX) - self.excess) / self.in_tail;
        }
    }

    /// Returns the distance, in scales, that one usual frame in two million exceeds.
    ///
    /// In units of the mean excess, the distance from the beginning of the tail is 7.8 for a normal
    /// distribution, 8 to 12 for log-normal ones, and 12 for an exponential tail.
    pub(super) fn end(&self) -> f64 {
        Self::FROM + self.excess * (3.0 + 9.0 * self.excess).clamp(7.8, 12.0)
    }
}
