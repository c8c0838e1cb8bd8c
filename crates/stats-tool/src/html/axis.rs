//! The time axis, which two runs can share.

use std::collections::HashMap;

use super::recording::Recording;

/// The maximum number of marks that align a run.
const MAX_ANCHORS: usize = 1000;

/// The time axis of one run, or of two runs that are aligned by their common marks.
///
/// Both runs are at the same position at each common mark. Between two common marks, the axis is as
/// long as the slower run. A second has the same length everywhere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    /// The beginning and the common marks, in order.
    anchors: Vec<Anchor>,
    /// The length, in seconds; positive.
    pub(crate) seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Anchor {
    /// Its position on the axis, in seconds.
    at: f64,
    /// Its time in each run, in seconds.
    of_run: [f64; 2],
}

impl Axis {
    /// Returns the axis of a run.
    pub(crate) fn of(run: &Recording<'_>) -> Self {
        let seconds = run.seconds();
        Self::through(&[], [seconds, seconds])
    }

    /// Returns the axis of two runs.
    pub(crate) fn aligned(first: &Recording<'_>, second: &Recording<'_>) -> Self {
        let pairs = common(&begins(first), &begins(second));
        Self::through(&pairs, [first.seconds(), second.seconds()])
    }

    fn through(pairs: &[[f64; 2]], lengths: [f64; 2]) -> Self {
        let mut last = Anchor {
            at: 0.0,
            of_run: [0.0; 2],
        };
        let mut anchors = vec![last];
        for &of_run in pairs {
            last = Anchor {
                at: last.at + last.longest_until(of_run),
                of_run,
            };
            anchors.push(last);
        }
        Self {
            seconds: (last.at + last.longest_until(lengths)).max(1e-3),
            anchors,
        }
    }

    /// Returns the position of a moment of a run on the axis, from 0 to 1.
    pub(crate) fn place(&self, run: usize, secs: f64) -> f64 {
        let after = (self.anchors).partition_point(|anchor| anchor.of_run[run] <= secs);
        let anchor = self.anchors[after.saturating_sub(1)];
        ((anchor.at + secs - anchor.of_run[run]) / self.seconds).clamp(0.0, 1.0)
    }

    /// Returns the positions of the common marks, from 0 to 1.
    pub(crate) fn common(&self) -> impl Iterator<Item = f64> {
        let anchors = self.anchors.iter().skip(1);
        anchors.map(|anchor| anchor.at / self.seconds)
    }
}

impl Anchor {
    fn longest_until(self, of_run: [f64; 2]) -> f64 {
        (0..2)
            .map(|run| of_run[run] - self.of_run[run])
            .fold(0.0, f64::max)
    }
}

/// Returns the marks of a run, and when they begin. Marks with the same name are numbered.
fn begins<'a>(run: &Recording<'a>) -> Vec<((&'a str, usize), f64)> {
    let mut times = HashMap::new();
    let marks = run.metrics.marks_without_log().take(MAX_ANCHORS);
    let begins = marks.map(|mark| {
        let time = times.entry(mark.name.as_str()).or_insert(0);
        *time += 1;
        ((mark.name.as_str(), *time), run.begin_secs(mark.begin))
    });
    begins.collect()
}

/// Returns the times of the marks that both runs have in the same order.
fn common(first: &[((&str, usize), f64)], second: &[((&str, usize), f64)]) -> Vec<[f64; 2]> {
    let of_second: HashMap<_, _> = second.iter().copied().collect();
    let pairs: Vec<[f64; 2]> = first
        .iter()
        .filter_map(|(mark, secs)| Some([*secs, *of_second.get(mark)?]))
        .collect();
    // For each pair, the length of the longest chain that ends with it, and the previous pair in
    // that chain.
    let mut chains: Vec<(usize, Option<usize>)> = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        let before = (0..at).filter(|&before| pairs[before][1] <= pair[1]);
        let before = before.max_by_key(|&before| chains[before].0);
        chains.push((before.map_or(1, |before| chains[before].0 + 1), before));
    }
    let mut chain = Vec::new();
    let mut at = (0..pairs.len()).max_by_key(|&at| chains[at].0);
    while let Some(pair) = at {
        chain.push(pairs[pair]);
        at = chains[pair].1;
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::{Axis, common};

    #[test]
    fn common_marks_lie_at_the_same_place_and_seconds_keep_their_length() {
        let pairs = [[2.0, 3.0], [5.0, 4.0]];
        let axis = Axis::through(&pairs, [9.0, 9.0]);
        // 3 s until the first, 3 s until the second, and 5 s after it.
        assert_eq!(axis.seconds, 11.0);
        for [first, second] in pairs {
            assert_eq!(axis.place(0, first), axis.place(1, second));
        }
        let length = axis.place(0, 4.0) - axis.place(0, 3.0);
        assert!((length - 1.0 / 11.0).abs() < 1e-12);
        assert_eq!(axis.place(1, 9.0), 1.0);
        assert!(axis.place(0, 9.0) < 1.0);
    }

    #[test]
    fn marks_in_another_order_do_not_align() {
        let first = [(("a", 1), 1.0), (("b", 1), 2.0), (("c", 1), 3.0)];
        let second = [(("b", 1), 1.0), (("c", 1), 2.0), (("a", 1), 9.0)];
        assert_eq!(common(&first, &second), [[2.0, 1.0], [3.0, 2.0]]);
        assert_eq!(common(&first, &[]), [] as [[f64; 2]; 0]);
    }

    #[test]
    fn a_run_without_time_has_an_axis() {
        let axis = Axis::through(&[], [0.0, 0.0]);
        assert_eq!(axis.place(0, 0.0), 0.0);
        assert_eq!(axis.place(0, 1.0), 1.0);
    }
}
