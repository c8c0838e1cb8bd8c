//! Thins the spikes of several series to those that can be distinguished in one lane.
//!
//! Frames are grouped into cells of equal length. The highest spike of a cell is marked and the
//! others are counted. Cells begin at multiples of their length from frame 0 on, so that the same
//! spikes are marked while views scroll.

use std::ops::Range;

use stats_analysis::spike::Verdict;
use stats_analysis::spikes::SpikeTrack;

/// A spike that has a mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MarkedSpike {
    pub(crate) frame: u64,
    /// The index of its series.
    pub(crate) series: usize,
    pub(crate) verdict: Verdict,
    /// The number of lower spikes that share the mark.
    pub(crate) others: usize,
}

/// The lengths of a lane's cells, in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    /// The length of a cell.
    pub(crate) length: u64,
    /// The minimum distance of marks in adjacent cells; at most half the length. If two marks are
    /// nearer, the lower one is left out, and the other counts it.
    pub(crate) apart: u64,
}

/// The marks of some visible frames. Its memory is reused.
#[derive(Debug, Default)]
pub(crate) struct SpikeLane {
    cells: Vec<Option<MarkedSpike>>,
}

impl SpikeLane {
    /// Finds the marks of the spikes in `frames`, rounded outward to whole cells, within the `held`
    /// frames. `series` has the spikes of each series, with its index.
    ///
    /// Visits each of these spikes once. Allocates nothing in the steady state.
    pub(crate) fn fill<'a>(
        &mut self,
        series: impl Iterator<Item = (usize, &'a SpikeTrack)>,
        frames: &Range<u64>,
        held: &Range<u64>,
        cells: Cells,
    ) {
        self.cells.clear();
        if frames.is_empty() {
            return;
        }
        let length = cells.length.max(1);
        // Include one more cell on either side: its mark decides whether a mark inside is left out.
        let first = (frames.start / length).saturating_sub(1);
        let end = frames.end.div_ceil(length).saturating_add(1);
        self.cells.resize((end - first) as usize, None);
        let whole = held.start.max(first * length)..held.end.min(end.saturating_mul(length));
        for (at, spikes) in series {
            for spike in spikes.within(whole.clone()) {
                let cell = &mut self.cells[(spike.frame / length - first) as usize];
                let mark = MarkedSpike {
                    frame: spike.frame,
                    series: at,
                    verdict: spike.verdict,
                    others: 0,
                };
                *cell = Some(cell.map_or(mark, |other| joined(other, mark)));
            }
        }
        for at in 1..self.cells.len() {
            if let (Some(left), Some(right)) = (self.cells[at - 1], self.cells[at])
                && right.frame - left.frame < cells.apart
            {
                let joined = joined(left, right);
                let is_left = (joined.frame, joined.series) == (left.frame, left.series);
                self.cells[at - 1] = is_left.then_some(joined);
                self.cells[at] = (!is_left).then_some(joined);
            }
        }
    }

    /// Iterates over the marks, oldest first. Some may be slightly outside the visible frames.
    pub(crate) fn marks(&self) -> impl Iterator<Item = &MarkedSpike> + Clone {
        self.cells.iter().flatten()
    }
}

/// Returns the higher of two marks, which then counts the spikes of both. If both are equally high,
/// returns the older one. If they are also in the same frame, returns the mark of the first series.
fn joined(a: MarkedSpike, b: MarkedSpike) -> MarkedSpike {
    let order = a
        .verdict
        .height()
        .total_cmp(&b.verdict.height())
        .then((b.frame, b.series).cmp(&(a.frame, a.series)));
    MarkedSpike {
        others: a.others + b.others + 1,
        ..if order.is_gt() { a } else { b }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_core::FrameSlice;
    use stats_testing::Random;

    /// Returns the track of a series that is 10 except for some spikes.
    fn track(frames: usize, spikes: &[(usize, f64)]) -> SpikeTrack {
        let mut values = vec![10.0; frames];
        spikes
            .iter()
            .for_each(|&(frame, value)| values[frame] = value);
        let mut track = SpikeTrack::default();
        track.update(FrameSlice::new(0, &values, &[]), &mut usize::MAX.clone());
        track
    }

    fn marks(tracks: &[SpikeTrack], frames: Range<u64>, cells: Cells) -> Vec<MarkedSpike> {
        let mut lane = SpikeLane::default();
        lane.fill(tracks.iter().enumerate(), &frames, &(0..u64::MAX), cells);
        lane.marks().copied().collect()
    }

    /// Returns two series with a random spike in every tenth frame or so.
    fn random_tracks(random: &mut Random) -> [SpikeTrack; 2] {
        std::array::from_fn(|_| {
            let mut spikes = Vec::new();
            let mut frame = 130;
            while frame < 3000 {
                spikes.push((frame, 40.0 + random.below(8) as f64 * 5.0));
                let most = random.below(60);
                frame += 9 + random.below(1 + most) as usize;
            }
            track(3000, &spikes)
        })
    }

    #[test]
    fn the_highest_spike_of_a_cell_is_marked_and_the_others_are_counted() {
        let tracks = [
            track(400, &[(201, 40.0), (215, 90.0), (230, 60.0)]),
            track(400, &[(215, 70.0), (217, 90.0), (360, 40.0)]),
        ];
        let cells = Cells {
            length: 50,
            apart: 10,
        };
        let found: Vec<_> = marks(&tracks, 200..400, cells)
            .iter()
            .map(|mark| (mark.frame, mark.series, mark.others))
            .collect();
        assert_eq!(found, [(215, 0, 4), (360, 1, 0)]);
    }

    #[test]
    fn every_spike_is_marked_or_counted_and_marks_are_apart() {
        let mut random = Random::new(51);
        for _ in 0..60 {
            let tracks = random_tracks(&mut random);
            let length = 1 + random.below(60);
            let cells = Cells {
                length,
                apart: random.below(length / 2 + 1),
            };
            let marks = marks(&tracks, 0..3000, cells);
            let counted: usize = marks.iter().map(|mark| 1 + mark.others).sum();
            let all: usize = tracks.iter().map(|track| track.spikes().count()).sum();
            assert_eq!(counted, all);
            assert!(
                marks
                    .windows(2)
                    .all(|pair| pair[1].frame - pair[0].frame >= cells.apart.max(1))
            );
            let highest = |marks: &mut dyn Iterator<Item = f64>| marks.fold(0.0, f64::max);
            let all = tracks.iter().flat_map(|track| track.within(0..3000));
            assert_eq!(
                highest(&mut marks.iter().map(|mark| mark.verdict.height())),
                highest(&mut all.map(|spike| spike.verdict.height())),
                "the highest of all is marked"
            );
        }
    }

    #[test]
    fn marks_do_not_change_while_views_scroll() {
        let mut random = Random::new(52);
        for _ in 0..20 {
            let tracks = random_tracks(&mut random);
            let length = 2 + random.below(60);
            let cells = Cells {
                length,
                apart: random.below(length / 2 + 1),
            };
            let all = marks(&tracks, 0..3000, cells);
            for left in (0..2000).step_by(13) {
                let visible = left..left + 300 + random.below(300);
                let seen: Vec<MarkedSpike> = marks(&tracks, visible.clone(), cells)
                    .into_iter()
                    .filter(|mark| visible.contains(&mark.frame))
                    .collect();
                let expected: Vec<MarkedSpike> = all
                    .iter()
                    .copied()
                    .filter(|mark| visible.contains(&mark.frame))
                    .collect();
                assert_eq!(seen, expected, "{visible:?} {cells:?}");
            }
        }
    }

    #[test]
    fn filling_again_does_not_allocate() {
        let tracks = [track(3000, &[(300, 90.0), (2000, 90.0)])];
        let mut lane = SpikeLane::default();
        let mut fill = |left: u64| {
            let cells = Cells {
                length: 24,
                apart: 8,
            };
            let series = tracks.iter().enumerate();
            lane.fill(series, &(left..left + 1000), &(0..3000), cells);
            lane.cells.as_ptr()
        };
        // The number of cells varies by one or two.
        (0..100).for_each(|left| _ = fill(left));
        let before = fill(100);
        assert!((100..2000).all(|left| fill(left) == before));
    }
}
