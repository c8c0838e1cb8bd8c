//! Decides which series share a range of values, and which axis has its numbers.
//!
//! By default, series of one unit share a range, because readers compare two lines by eye. One
//! range for each series is an option, and the axis then says so. The first unit has the axis on
//! the left, the second one the axis on the right. If there are more units, the one that the user
//! points at in the legend gets the right axis; the legend shows the ranges of all units.

use stats_core::Unit;

use crate::data::selection::SelectedSeries;
use crate::graph::choices::ValueRange;

/// Where the numbers of a series' range are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Along the left axis.
    Left,
    /// Along the right axis.
    Right,
    /// Only in the legend.
    Legend,
}

/// The inputs that determine the range of one series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) unit: Unit,
    /// The smallest and the largest value, including a budget that is near. If there are no values,
    /// the first is greater than the second.
    pub(super) values: (f64, f64),
    /// Whether the series is hidden because another series is shown alone.
    pub(super) hidden: bool,
}

impl Reach {
    fn has_values(&self) -> bool {
        self.values.0 <= self.values.1
    }
}

/// Iterates over the units of the visible series that have values, or the unit of the first one if
/// none has any. A unit may occur several times.
fn units(series: &[Reach]) -> impl Iterator<Item = Unit> + Clone {
    let visible = series.iter().filter(|reach| !reach.hidden);
    let with_values = visible.clone().filter(|reach| reach.has_values());
    let first = visible.take(usize::from(with_values.clone().next().is_none()));
    with_values.chain(first).map(|reach| reach.unit)
}

/// Returns the unit of the visible series, if they have only one.
pub(super) fn only_unit(series: &[Reach]) -> Option<Unit> {
    let mut units = units(series);
    let first = units.next();
    first.filter(|first| units.all(|unit| unit == *first))
}

/// Returns the units that have the left and the right axis. `pointed` is the unit that the user
/// last pointed at, and `has_right` says whether there is a right axis.
fn axes(series: &[Reach], pointed: Option<Unit>, has_right: bool) -> (Option<Unit>, Option<Unit>) {
    let left = units(series).next();
    let mut others = units(series).filter(|unit| Some(*unit) != left);
    let right = pointed.filter(|pointed| others.clone().any(|unit| unit == *pointed));
    let right = right.or_else(|| others.next());
    (left, right.filter(|_| has_right))
}

/// Returns a function from the index of a series to the place of its numbers.
pub(super) fn sides(
    series: &[Reach],
    ranges: ValueRange,
    pointed: Option<Unit>,
    has_right: bool,
) -> impl Fn(usize) -> Side {
    let (left, right) = axes(series, pointed, has_right);
    let visible = |at: &usize| !series[*at].hidden;
    let mut places = (0..series.len()).filter(visible);
    let first = places
        .clone()
        .find(|at| series[*at].has_values())
        .or_else(|| places.next());
    move |at| match ranges {
        ValueRange::Shared => Side::Left,
        ValueRange::Own if Some(at) == first => Side::Left,
        ValueRange::Own => Side::Legend,
        ValueRange::Auto => match Some(series[at].unit) {
            unit if unit == left => Side::Left,
            unit if unit == right => Side::Right,
            _ => Side::Legend,
        },
    }
}

/// The values that series of one unit reach together; of all units, if the unit is `None`.
pub(super) type Group = (Option<Unit>, (f64, f64));

/// Returns a function from the index of a series to the smallest and the largest value of all
/// series that share its range. `groups` is a reused buffer.
pub(super) fn shared_reaches(
    series: &[Reach],
    ranges: ValueRange,
    groups: &mut Vec<Group>,
) -> impl Fn(usize) -> (f64, f64) {
    let key = move |reach: &Reach| (ranges == ValueRange::Auto).then_some(reach.unit);
    groups.clear();
    for reach in series.iter().filter(|_| ranges != ValueRange::Own) {
        let key = key(reach);
        let at = groups.iter().position(|group| group.0 == key);
        let at = at.unwrap_or_else(|| {
            groups.push((key, (f64::INFINITY, f64::NEG_INFINITY)));
            groups.len() - 1
        });
        if !reach.hidden {
            let (lo, hi) = &mut groups[at].1;
            (*lo, *hi) = (lo.min(reach.values.0), hi.max(reach.values.1));
        }
    }
    move |at| {
        let key = key(&series[at]);
        let found = groups.iter().find(|group| group.0 == key);
        found.map_or(series[at].values, |group| group.1)
    }
}

/// Returns whether these series need a right axis. By default, they do if they have several units.
/// Ignores paths that no counter has yet, so that nothing moves while values arrive.
pub(super) fn needs_right_axis(selected: &[SelectedSeries], solo: Option<&str>) -> bool {
    let is_alone = |solo: &str| selected.iter().any(|selected| selected.path == solo);
    let mut units = selected
        .iter()
        .filter(|selected| !selected.is_missing())
        .map(SelectedSeries::unit);
    let first = units.next();
    !solo.is_some_and(is_alone) && units.any(|unit| Some(unit) != first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    const UNITS: [Unit; 4] = [
        Unit::Milliseconds,
        Unit::Bytes,
        Unit::Count,
        Unit::Custom("gold"),
    ];

    fn random_series(random: &mut Random) -> Vec<Reach> {
        let one = |random: &mut Random| {
            let lo = random.below(2000) as f64 - 500.0;
            let values = match random.below(5) {
                0 => (f64::INFINITY, f64::NEG_INFINITY),
                _ => (lo, lo + 10f64.powi(random.below(12) as i32)),
            };
            Reach {
                unit: UNITS[random.below(4) as usize],
                values,
                hidden: random.below(4) == 0,
            }
        };
        (0..1 + random.below(12)).map(|_| one(random)).collect()
    }

    fn all<T>(series: &[Reach], of: impl Fn(usize) -> T) -> Vec<T> {
        (0..series.len()).map(of).collect()
    }

    #[test]
    fn series_of_one_unit_share_a_range_by_default_however_much_they_differ() {
        let mut random = Random::new(71);
        for _ in 0..3000 {
            let series = random_series(&mut random);
            let reaches = all(
                &series,
                shared_reaches(&series, ValueRange::Auto, &mut Vec::new()),
            );
            for (one, reach) in series.iter().zip(&reaches) {
                for (other, of) in series.iter().zip(&reaches) {
                    assert!(one.unit != other.unit || reach == of);
                }
                let seen = !one.hidden && one.has_values();
                assert!(!seen || (reach.0 <= one.values.0 && one.values.1 <= reach.1));
            }
            let shared = all(
                &series,
                shared_reaches(&series, ValueRange::Shared, &mut Vec::new()),
            );
            assert!(shared.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }

    #[test]
    fn every_visible_series_has_numbers_and_each_axis_has_one_range() {
        let mut random = Random::new(72);
        for _ in 0..3000 {
            let series = random_series(&mut random);
            let pointed = random.below(2) == 0;
            let pointed = pointed.then(|| UNITS[random.below(4) as usize]);
            for ranges in [ValueRange::Auto, ValueRange::Shared, ValueRange::Own] {
                let reaches = all(&series, shared_reaches(&series, ranges, &mut Vec::new()));
                let sides = all(&series, sides(&series, ranges, pointed, true));
                let seen = (0..series.len()).filter(|&at| !series[at].hidden);
                let seen: Vec<usize> = seen.filter(|&at| series[at].has_values()).collect();
                for side in [Side::Left, Side::Right] {
                    let mut of = seen.iter().filter(|&&at| sides[at] == side);
                    let Some(first) = of.next() else {
                        assert!(
                            side == Side::Right || seen.is_empty(),
                            "no numbers: {series:?}"
                        );
                        continue;
                    };
                    assert!(of.all(|&at| reaches[at] == reaches[*first]));
                }
                let mut units = Vec::new();
                for &at in &seen {
                    if !units.contains(&series[at].unit) {
                        units.push(series[at].unit);
                    }
                }
                let in_legend = seen.iter().any(|&at| sides[at] == Side::Legend);
                assert!(ranges != ValueRange::Auto || in_legend == (units.len() > 2));
            }
        }
    }

    #[test]
    fn the_right_axis_has_the_second_unit_or_the_one_pointed_at() {
        let reach = |unit| Reach {
            unit,
            values: (0.0, 1.0),
            hidden: false,
        };
        let series = [UNITS[0], UNITS[1], UNITS[2], UNITS[1]].map(reach);
        use Side::{Left, Legend, Right};
        let sides = |pointed, right| all(&series, sides(&series, ValueRange::Auto, pointed, right));
        assert_eq!(sides(None, true), [Left, Right, Legend, Right]);
        assert_eq!(sides(Some(UNITS[2]), true), [Left, Legend, Right, Legend]);
        assert_eq!(sides(Some(UNITS[0]), true), [Left, Right, Legend, Right]);
        assert_eq!(sides(Some(UNITS[3]), false), [Left, Legend, Legend, Legend]);
    }

    #[test]
    fn series_with_values_have_the_axes_first() {
        let mut series = [UNITS[0], UNITS[1]].map(|unit| Reach {
            unit,
            values: (0.0, 1.0),
            hidden: false,
        });
        series[0].values = (f64::INFINITY, f64::NEG_INFINITY);
        for ranges in [ValueRange::Auto, ValueRange::Own] {
            assert_eq!(
                sides(&series, ranges, None, true)(1),
                Side::Left,
                "{ranges:?}"
            );
        }
    }
}
