//! The edges of buckets, and the search for the bucket of a value.

use super::scale::{Span, Spread, ValueScale};
use super::steps::{Step, per_decade, ratios};

/// Below this ratio of the largest to the smallest value, a logarithmic axis has buckets of equal
/// widths.
const EQUAL_BELOW: f64 = 4.0;
/// The minimum number of buckets on a linear axis, so that a single value is one bar among empty
/// ones.
const MIN_BUCKETS: f64 = 5.0;
/// The maximum number of entries of the search table.
const CELLS: u64 = 1024;

/// Adjacent buckets that cover a set of values, with round edges.
///
/// A bucket includes its lower edge and excludes its upper one. Below zero on a symmetric axis, a
/// bucket includes its upper edge instead, and the bucket around zero excludes both. The first
/// bucket also takes all values below it, and the last bucket all values above it. Only rounding at
/// the limits of `f64` can produce such values.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges {
    spread: Spread,
    /// The edges, ascending: one more than there are buckets.
    edges: Vec<f64>,
    search: Search,
}

/// How the bucket of a value is found.
#[derive(Clone, Debug, PartialEq)]
enum Search {
    /// Buckets of equal widths: buckets per unit of the value.
    Equal(f64),
    /// By magnitude. `zero_at` is the number of buckets below the one around zero, or −1 without
    /// such a bucket.
    Magnitude {
        magnitudes: Vec<f64>,
        zero_at: isize,
        table: Vec<u16>,
        shift: u32,
    },
}

impl Edges {
    /// Returns about `buckets` buckets for values of this span, at most `1.3 * buckets + 12`. Whole
    /// values may have fewer buckets. The cost is linear in the number of buckets.
    pub fn new(span: &Span, choice: ValueScale, buckets: usize) -> Self {
        let buckets = buckets.max(3);
        match choice.spread(span) {
            Spread::Linear => Self::linear(span, buckets),
            Spread::Log => Self::log(span, buckets),
            Spread::Symmetric(least) => Self::symmetric(span, least, buckets),
        }
    }

    fn linear(span: &Span, buckets: usize) -> Self {
        let step = linear_step(span, buckets);
        let (mut first, mut last) = around(span, step);
        // The ends are rounded, so that they do not move with every new extreme.
        let unit = match last - first {
            many if many >= 100.0 => 10.0,
            some if some >= 50.0 => 5.0,
            few if few >= 20.0 => 2.0,
            _ => 1.0,
        };
        (first, last) = ((first / unit).floor() * unit, (last / unit).ceil() * unit);
        let missing = MIN_BUCKETS - (last - first);
        if missing > 0.0 {
            // No bucket lies below zero if no value does.
            let below = if span.min >= 0.0 {
                (missing / 2.0).floor().min(first)
            } else {
                (missing / 2.0).floor()
            };
            (first, last) = (first - below, last + missing - below);
        }
        Self::equal(Spread::Linear, edges_of(step, first, last))
    }

    fn log(span: &Span, buckets: usize) -> Self {
        if span.max / span.min < EQUAL_BELOW {
            let step = linear_step(span, buckets);
            let (first, last) = around(span, step);
            if first >= 1.0 {
                return Self::equal(Spread::Log, edges_of(step, first, last));
            }
        }
        let decades = span.max.log10() - span.min.log10();
        let mut edges = ratios(
            span.min,
            span.max,
            per_decade(decades, buckets, span.grain == 0.0),
            buckets,
        );
        edges[0] = edges[0].min(span.min);
        Self::by_magnitude(Spread::Log, edges.clone(), edges, -1)
    }

    fn symmetric(span: &Span, least: f64, buckets: usize) -> Self {
        let decades_to = |magnitude: f64| (magnitude.max(least).log10() - least.log10()).max(0.0);
        let decades = decades_to(span.max) + decades_to(-span.min);
        let largest = span.max.max(-span.min);
        let per_decade = per_decade(decades, buckets.saturating_sub(3).max(3), span.grain == 0.0);
        let share = buckets as f64 * decades_to(largest) / decades.max(1e-9);
        let magnitudes = ratios(least, largest, per_decade, share as usize);
        // Enough magnitudes that the last edge lies beyond the value.
        let reach = |magnitude: f64| match magnitudes.partition_point(|&edge| edge <= magnitude) {
            _ if magnitude <= 0.0 => 0,
            at => at.min(magnitudes.len() - 1),
        };
        let (below, above) = (reach(-span.min), reach(span.max));
        let mut edges: Vec<f64> = magnitudes[..=below]
            .iter()
            .rev()
            .map(|edge| -edge)
            .collect();
        edges.extend_from_slice(&magnitudes[..=above]);
        let zero = magnitudes[0];
        // If one side is empty, the bucket around zero ends at zero.
        match (span.min < 0.0, span.max > 0.0) {
            (false, _) => edges[below] = 0.0,
            (_, false) => edges[below + 1] = 0.0,
            _ => {}
        }
        Self::by_magnitude(Spread::Symmetric(zero), edges, magnitudes, below as isize)
    }

    fn equal(spread: Spread, edges: Vec<f64>) -> Self {
        let count = (edges.len() - 1) as f64;
        let per_value = count / (edges[edges.len() - 1] - edges[0]);
        // If the widths are not finite, edges are searched instead.
        let per_value = if per_value.is_finite() {
            per_value
        } else {
            0.0
        };
        Self {
            spread,
            edges,
            search: Search::Equal(per_value),
        }
    }

    fn by_magnitude(spread: Spread, edges: Vec<f64>, magnitudes: Vec<f64>, zero_at: isize) -> Self {
        let (base, top) = (
            magnitudes[0].to_bits(),
            magnitudes[magnitudes.len() - 1].to_bits(),
        );
        let mut shift = 0;
        while (top - base) >> shift >= CELLS {
            shift += 1;
        }
        // For each cell, the number of edges at or below its beginning.
        let cells = 0..=(top - base) >> shift;
        let below = |cell: u64| {
            magnitudes.partition_point(|&edge| edge.to_bits() <= base + (cell << shift))
        };
        let table = cells.map(|cell| below(cell) as u16).collect();
        Self {
            spread,
            edges,
            search: Search::Magnitude {
                magnitudes,
                zero_at,
                table,
                shift,
            },
        }
    }

    /// Returns the number of buckets, at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always a bucket")]
    pub fn len(&self) -> usize {
        self.edges.len() - 1
    }

    /// Returns the lower and the upper edge of bucket `at`.
    ///
    /// # Panics
    ///
    /// Panics if `at` is not below [`len`](Self::len).
    pub fn bucket(&self, at: usize) -> (f64, f64) {
        (self.edges[at], self.edges[at + 1])
    }

    /// Returns the lowest and the highest edge.
    pub fn reach(&self) -> (f64, f64) {
        (self.edges[0], self.edges[self.edges.len() - 1])
    }

    /// Returns how values are spread over the axis.
    pub fn spread(&self) -> Spread {
        self.spread
    }

    /// Returns the bucket of a finite value. The cost hardly depends on the number of buckets. It
    /// is a multiplication or a table lookup, and a few comparisons.
    pub fn find(&self, value: f64) -> usize {
        let last = self.len() - 1;
        match &self.search {
            Search::Equal(0.0) => self
                .edges
                .partition_point(|&edge| edge <= value)
                .saturating_sub(1)
                .min(last),
            Search::Equal(per_value) => {
                let mut at = (((value - self.edges[0]) * per_value).max(0.0) as usize).min(last);
                // The product may be off by a rounding error; the edges shown on screen decide.
                while at > 0 && value < self.edges[at] {
                    at -= 1;
                }
                while at < last && value >= self.edges[at + 1] {
                    at += 1;
                }
                at
            }
            Search::Magnitude {
                magnitudes,
                zero_at,
                table,
                shift,
            } => {
                let magnitude = value.abs();
                let from = magnitudes[0];
                let mut at = 0;
                if magnitude >= from {
                    let cell = (magnitude.to_bits() - from.to_bits()) >> shift;
                    at = usize::from(table[(cell as usize).min(table.len() - 1)]);
                    while at < magnitudes.len() && magnitude >= magnitudes[at] {
                        at += 1;
                    }
                }
                let signed = if value < 0.0 {
                    zero_at - at as isize
                } else {
                    zero_at + at as isize
                };
                signed.clamp(0, last as isize) as usize
            }
        }
    }
}

/// Returns the width of the buckets if all are equally wide.
fn linear_step(span: &Span, buckets: usize) -> Step {
    let magnitude = span.max.abs().max(span.min.abs());
    // Rounding the ends adds up to two buckets. The bounds are divided before they are subtracted,
    // so that nothing overflows.
    let inner = (buckets.max(4) - 2) as f64;
    let width = span.max / inner - span.min / inner;
    let single = if span.whole { 1.0 } else { magnitude * 0.01 };
    let width = match width > 0.0 {
        true => width,
        false if magnitude == 0.0 => 1.0,
        false => single,
    };
    // Below 10⁻¹² of the values' magnitude, edges would not be exact.
    let min_width = width
        .max(span.grain)
        .max(if span.whole { 1.0 } else { 0.0 })
        .max(magnitude * 1e-12);
    Step::at_least(min_width, span.binary)
}

/// Returns the numbers of the last step at or below the smallest value and of the first above the
/// largest.
fn around(span: &Span, step: Step) -> (f64, f64) {
    let width = step.width();
    let (mut first, mut last) = ((span.min / width).floor(), (span.max / width).floor() + 1.0);
    while step.times(first) > span.min {
        first -= 1.0;
    }
    while step.times(last) <= span.max && step.times(last) < f64::MAX {
        last += 1.0;
    }
    (first, last)
}

/// Returns the edges between two step numbers, without duplicates.
fn edges_of(step: Step, first: f64, last: f64) -> Vec<f64> {
    let mut edges: Vec<f64> = (0..=(last - first) as usize)
        .map(|at| step.times(first + at as f64))
        .collect();
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    const CHOICES: [ValueScale; 3] = [ValueScale::Auto, ValueScale::Linear, ValueScale::Log];

    fn span_of(values: &[f64]) -> Span {
        let magnitudes = values
            .iter()
            .map(|value| value.abs())
            .filter(|&magnitude| magnitude > 0.0);
        Span {
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            least: magnitudes.fold(f64::INFINITY, f64::min),
            whole: values.iter().all(|value| value.fract() == 0.0),
            grain: 0.0,
            binary: false,
        }
    }

    /// Returns values with many shapes: typical series of games, decades from the smallest to the
    /// largest floats, whole numbers, equal values.
    fn some_values(random: &mut Random) -> Vec<f64> {
        let count = 1 + random.below(400) as usize;
        let kind = random.below(7);
        let shift = random.below(600) as i32 - 300;
        let value = |random: &mut Random| match kind {
            0 => random.value(),
            1 => random.below(50) as f64,
            2 => 10f64.powi(shift) * (1.0 + random.below(1000) as f64 / 100.0),
            3 => {
                10f64.powf(random.below(6000) as f64 / 10.0 - 300.0)
                    * if random.below(2) == 0 { 1.0 } else { -1.0 }
            }
            4 => 1.0 + random.below(1000) as f64 * 1e-9,
            5 => [
                f64::MAX,
                f64::MIN,
                0.0,
                5e-324,
                -5e-324,
                f64::MIN_POSITIVE,
                1.0,
            ][random.below(7) as usize],
            _ => 10f64.powf(random.below(400) as f64 / 100.0),
        };
        match random.below(8) {
            0 => random.series(count),
            1 => vec![value(random); count],
            _ => (0..count).map(|_| value(random)).collect(),
        }
    }

    #[test]
    fn every_value_lies_in_its_bucket_and_buckets_are_adjacent_and_few() {
        let mut random = Random::new(81);
        for round in 0..6000 {
            let values = some_values(&mut random);
            let mut span = span_of(&values);
            span.binary = round % 5 == 0;
            let buckets = [4, 10, 60, 300][random.below(4) as usize];
            for choice in CHOICES {
                let edges = Edges::new(&span, choice, buckets);
                assert!(
                    edges.edges.is_sorted_by(|one, next| one < next),
                    "{choice:?} {span:?}: {:?}",
                    edges.edges
                );
                assert!(edges.edges.iter().all(|edge| edge.is_finite()));
                let (first, last) = edges.reach();
                assert!(
                    first <= span.min && last >= span.max,
                    "{choice:?} {span:?}: {first} {last}"
                );
                assert!(
                    edges.len() <= buckets * 13 / 10 + 12,
                    "{} of {buckets}: {choice:?} {span:?}",
                    edges.len()
                );
                for &value in &values {
                    let (from, to) = edges.bucket(edges.find(value));
                    let within = match edges.spread() {
                        Spread::Symmetric(least) if value.abs() < least => {
                            from <= value && value <= to
                        }
                        Spread::Symmetric(_) if value < 0.0 => from < value && value <= to,
                        _ => from <= value && (value < to || to == f64::MAX),
                    };
                    assert!(
                        within || value == last || value == first,
                        "{value} in {from}..{to}: {choice:?} {span:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_automatic_axis_is_logarithmic_beyond_two_decades() {
        let spread = |values: &[f64], choice| Edges::new(&span_of(values), choice, 100).spread();
        assert_eq!(spread(&[1.0, 100.0], ValueScale::Auto), Spread::Linear);
        assert_eq!(spread(&[1.0, 101.0], ValueScale::Auto), Spread::Log);
        assert_eq!(spread(&[0.0, 101.0], ValueScale::Auto), Spread::Linear);
        assert_eq!(
            spread(&[0.0, 101.0], ValueScale::Log),
            Spread::Symmetric(100.0)
        );
        assert_eq!(
            spread(&[-4.0, 1.0, 2.0], ValueScale::Log),
            Spread::Symmetric(1.0)
        );
        assert_eq!(spread(&[7.0, 7.0], ValueScale::Log), Spread::Linear);
        assert_eq!(spread(&[1.0, 101.0], ValueScale::Linear), Spread::Linear);
    }

    #[test]
    fn whole_numbers_have_buckets_of_whole_widths() {
        let edges = Edges::new(&span_of(&[0.0, 3.0, 12.0]), ValueScale::Auto, 200);
        assert!((0..edges.len()).all(|at| edges.bucket(at) == (at as f64, at as f64 + 1.0)));
        let edges = Edges::new(&span_of(&[3.0]), ValueScale::Auto, 200);
        assert_eq!(edges.bucket(edges.find(3.0)), (3.0, 4.0));
        assert!(edges.len() >= 5);
    }

    #[test]
    fn buckets_are_at_least_as_wide_as_the_precision_of_the_values() {
        for (min, max, grain) in [(10.0, 99.0, 1.0), (14.0, 350.0, 10.0), (0.2, 9.0, 0.1)] {
            let span = Span {
                min,
                max,
                least: min,
                whole: false,
                grain,
                binary: false,
            };
            let edges = Edges::new(&span, ValueScale::Linear, 2000);
            assert!(
                (0..edges.len())
                    .all(|at| edges.bucket(at).1 - edges.bucket(at).0 >= grain * (1.0 - 1e-12))
            );
        }
    }

    #[test]
    fn zero_has_its_own_bucket_between_two_logarithmic_sides() {
        let edges = Edges::new(
            &span_of(&[-1000.0, -1.0, 0.0, 1.0, 1000.0]),
            ValueScale::Log,
            60,
        );
        let (from, to) = edges.bucket(edges.find(0.0));
        assert_eq!((from, to), (-1.0, 1.0));
        assert_ne!(edges.find(-1.0), edges.find(0.0));
        assert_eq!(
            edges.find(0.0) - edges.find(-1000.0),
            edges.find(1000.0) - edges.find(0.0)
        );
        let edges = Edges::new(&span_of(&[0.0, 5.0, 5000.0]), ValueScale::Log, 60);
        assert_eq!(edges.reach().0, 0.0);
    }
}
