//! Where the GPU's clock lies on the clock of the program.
//!
//! wgpu cannot read both clocks at one moment, so the distance between them is only bounded. A pass
//! begins on the GPU no earlier than the program recorded it, and ends no later than the program
//! read its times. Each frame gives such bounds, and the tightest of the last seconds count. If the
//! GPU has nothing else to do, it begins a pass soon after the program submitted it, so the earliest
//! place is the likely one.

/// By how much two clocks may drift apart in each nanosecond: crystals differ by less.
const DRIFT: f64 = 100e-6;

/// The bounds of the distance from the GPU's clock to the program's. All times are nanoseconds, each
/// clock's since a moment of its own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClockPlace(Option<Bounds>);

#[derive(Clone, Copy, Debug)]
struct Bounds {
    earliest: i64,
    latest: i64,
    /// When they were updated, on the program's clock.
    now: i64,
}

impl ClockPlace {
    /// Adds what a frame says. `begun` are passes: when the program recorded each, and when the GPU
    /// began it. `ended` is when the GPU ended the last one, and `now` is the current time.
    pub(crate) fn update(&mut self, begun: impl Iterator<Item = (i64, i64)>, ended: i64, now: i64) {
        let earliest = begun
            .map(|(recorded, begun)| recorded.saturating_sub(begun))
            .max();
        let Some(earliest) = earliest else { return };
        let latest = now.saturating_sub(ended);
        let frame = Bounds {
            earliest: earliest.min(latest),
            latest,
            now,
        };
        let both = self.0.map(|known| known.widened(now).and(frame));
        // The bounds exclude each other, so one of the clocks was set.
        self.0 = both
            .filter(|both| both.earliest <= both.latest)
            .or(Some(frame));
    }

    /// Returns what to add to a time of the GPU, and by how much that may be too little.
    pub(crate) fn get(&self) -> Option<(i64, u64)> {
        let bounds = self.0?;
        Some((bounds.earliest, bounds.latest.abs_diff(bounds.earliest)))
    }
}

impl Bounds {
    /// Returns the bounds after the clocks drifted until `now`.
    fn widened(self, now: i64) -> Self {
        let drift = (now.saturating_sub(self.now).max(0) as f64 * DRIFT).ceil() as i64;
        Self {
            earliest: self.earliest.saturating_sub(drift),
            latest: self.latest.saturating_add(drift),
            now,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            earliest: self.earliest.max(other.earliest),
            latest: self.latest.min(other.latest),
            now: other.now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ClockPlace;

    /// Runs frames on a GPU whose clock is behind by `distance` and drifts by `drift`. Returns the
    /// place after each.
    fn run(distance: i64, drift: f64, delays: impl Fn(i64) -> (i64, i64)) -> Vec<(i64, i64, u64)> {
        let mut place = ClockPlace::default();
        let frame = |index: i64| {
            let recorded = index * 16_000_000;
            let (until_begun, until_read) = delays(index);
            let of_gpu = |ns: i64| ns - distance + (ns as f64 * drift) as i64;
            let (begun, ended) = (recorded + until_begun, recorded + until_begun + 3_000_000);
            let now = ended + until_read;
            place.update([(recorded, of_gpu(begun))].into_iter(), of_gpu(ended), now);
            let (offset, off_by) = place.get().expect("it is known");
            (begun - of_gpu(begun), offset, off_by)
        };
        (0..2000).map(frame).collect()
    }

    #[test]
    fn the_true_place_is_within_the_bounds_and_the_bounds_become_tight() {
        for distance in [0, -7_000_000_000, 1 << 50] {
            for drift in [0.0, 50e-6, -50e-6] {
                let delays = |index: i64| {
                    (
                        200_000 + index * 7919 % 4_000_000,
                        900_000 + index * 104_729 % 30_000_000,
                    )
                };
                for (frame, (truth, offset, off_by)) in
                    run(distance, drift, delays).into_iter().enumerate()
                {
                    // The drift within a pass.
                    let slack = 1_000;
                    assert!(offset <= truth + slack, "{frame}: {offset} {truth}");
                    assert!(truth <= offset + off_by as i64 + slack, "{frame}");
                    assert!(frame < 200 || off_by < 3_000_000, "{frame}: {off_by}");
                }
            }
        }
    }

    #[test]
    fn a_clock_that_is_set_anew_is_placed_anew_and_no_pass_says_nothing() {
        let mut place = ClockPlace::default();
        place.update(std::iter::empty(), 5, 10);
        assert_eq!(place.get(), None);
        place.update([(1_000, 0)].into_iter(), 500, 2_000);
        assert_eq!(place.get(), Some((1_000, 500)));
        place.update([(3_000, 1_000_000)].into_iter(), 1_000_500, 4_000);
        assert_eq!(place.get(), Some((-997_000, 500)));
    }
}
