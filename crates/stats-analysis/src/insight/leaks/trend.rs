//! Whether a level rises while it waits to be followed.

const LONGEST_ROUND: u8 = 16;

/// Whether the minima of a level rise from round to round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trend {
    pub(super) series: u32,
    /// The minima of the current round and of the previous one, which is NaN if it is not known.
    pub(super) minimum: f32,
    pub(super) before: f32,
    /// The exponent of the floor, which is a power of two for counts and bytes.
    pub(super) floor: u8,
    /// The number of rounds in which the minimum has risen since it last fell.
    pub(super) rising: u8,
    /// The duration of a round, and what is left of the current one, in rounds of five seconds.
    pub(super) round: u8,
    pub(super) left: u8,
}

impl Trend {
    pub(super) fn new(series: u32, floor: f32) -> Self {
        Self {
            series,
            minimum: f32::INFINITY,
            before: f32::NAN,
            floor: (floor.to_bits() >> 23) as u8,
            rising: 0,
            round: 1,
            left: 1,
        }
    }

    pub(super) fn floor(&self) -> f32 {
        f32::from_bits(u32::from(self.floor) << 23)
    }

    /// Begins the next round if the current one ends after these five seconds.
    pub(super) fn end_round(&mut self) {
        self.left -= 1;
        if self.left > 0 {
            return;
        }
        let minimum = std::mem::replace(&mut self.minimum, f32::INFINITY);
        if minimum.is_finite() {
            if minimum > self.before {
                self.rising = self.rising.saturating_add(1);
            }
            let has_fallen = minimum < self.before;
            self.before = minimum;
            if has_fallen {
                // The two rounds together are as long as the next one, and have this minimum.
                (self.rising, self.round) = (0, 2 * self.round);
            }
            if self.round > LONGEST_ROUND {
                (self.round, self.before) = (1, f32::NAN);
            }
        }
        self.left = self.round;
    }
}
