//! The upper bounds of the buckets of histograms. They do not depend on the samples: a collector
//! computes the increase of each bucket, and one that appears with samples has no increase yet.

use stats_core::{Bucket, Unit};

/// The smallest and the largest magnitude of a bound, those of the buckets of the core.
const SMALLEST: f64 = 1e-9;
const LARGEST: f64 = 1e15;

/// Returns 1, 2 and 5 × 10ⁿ over the range that is usual for a unit: durations from a microsecond
/// to 100 seconds, sizes from 10 bytes to 10 gigabytes, and most other values from 0.001 to 10⁹.
pub(crate) fn of_unit(unit: Unit) -> Vec<f64> {
    let (from, to) = match unit.symbol() {
        "s" => (-6, 2),
        "ms" => (-3, 5),
        "µs" => (0, 8),
        "ns" => (3, 11),
        "B" => (1, 10),
        "%" => (-1, 3),
        _ => (-3, 9),
    };
    let steps = (from..to).flat_map(|exponent| [1, 2, 5].map(|digit| decimal(digit, exponent)));
    steps.chain([decimal(1, to)]).collect()
}

/// Returns `digit` × 10 to the power of `exponent`, read as a decimal number, so that a bound is
/// the one that people write.
fn decimal(digit: i32, exponent: i32) -> f64 {
    let text = format!("{digit}e{exponent}");
    text.parse().unwrap_or(f64::MAX)
}

/// Checks bounds that replace those of the unit. Returns a sentence about the first error.
pub(crate) fn check(replaced: &[(String, Vec<f64>)]) -> Result<(), String> {
    for (path, bounds) in replaced {
        if let Some(bound) = bounds.iter().find(|bound| !is_bound(**bound)) {
            return Err(format!(
                "{path:?} cannot have the bound {bound:?}: the buckets of a histogram end at 0 and at \
                 numbers of two digits from 1e-9 to 1e15, such as 15, 16 or 0.25"
            ));
        }
        if let Some(pair) = bounds.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(format!(
                "the bounds of {path:?} are not in ascending order: {} is before {}",
                pair[0], pair[1]
            ));
        }
    }
    Ok(())
}

/// Returns whether a bucket of every precision ends at a number.
fn is_bound(bound: f64) -> bool {
    let is_within = (SMALLEST..=LARGEST).contains(&bound.abs());
    let text = format!("{bound:e}");
    let digits = text
        .split('e')
        .next()
        .unwrap_or("")
        .matches(|c: char| c.is_ascii_digit());
    bound == 0.0 || (is_within && digits.count() <= 2)
}

/// Returns the position of the first bound that is at or above all samples of a bucket; the number
/// of bounds if none is. `is_whole` says that all samples are whole numbers.
pub(crate) fn position(bounds: &[f64], bucket: &Bucket, is_whole: bool) -> usize {
    let end = end(bucket, is_whole);
    // A few rounding errors: both numbers are read from decimals.
    bounds.partition_point(|bound| *bound + bound.abs() * 1e-9 < end)
}

/// Returns the upper bound of the samples of a bucket; 0 for the bucket around zero.
fn end(bucket: &Bucket, is_whole: bool) -> f64 {
    if bucket.from < 0.0 && bucket.to > 0.0 {
        0.0
    } else if is_whole && bucket.to > 0.0 {
        // A positive sample is below the upper bound.
        bucket.from.max(bucket.to.ceil() - 1.0)
    } else {
        bucket.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_of_each_unit_are_tens_and_can_be_given_as_options() {
        let units = [
            Unit::Count,
            Unit::Bytes,
            Unit::Seconds,
            Unit::Milliseconds,
            Unit::Microseconds,
            Unit::Custom("ns"),
            Unit::Percent,
            Unit::Custom("bananas"),
        ];
        for unit in units {
            let bounds = of_unit(unit);
            assert!((10..50).contains(&bounds.len()), "{unit:?}: {bounds:?}");
            assert_eq!(check(&[(String::new(), bounds)]), Ok(()));
        }
        let seconds = of_unit(Unit::Seconds);
        let scaled = |unit, factor: f64| {
            let bounds = of_unit(unit).into_iter();
            bounds.map(|bound| bound / factor).collect::<Vec<_>>()
        };
        for (unit, factor) in [
            (Unit::Milliseconds, 1e3),
            (Unit::Microseconds, 1e6),
            (Unit::Custom("ns"), 1e9),
        ] {
            let same = scaled(unit, factor).into_iter().zip(&seconds);
            assert!(same.into_iter().all(|(a, b)| (a / b - 1.0).abs() < 1e-12));
        }
    }

    #[test]
    fn a_bound_that_no_bucket_has_is_refused_with_its_series() {
        let sentence = |bounds: &[f64]| check(&[("a/b".to_owned(), bounds.to_vec())]);
        for bounds in [&[][..], &[0.0], &[-16.0, 0.0, 1.6e-9, 0.25, 99.0, 1e15]] {
            assert_eq!(sentence(bounds), Ok(()), "{bounds:?}");
        }
        for bad in [16.7, f64::NAN, f64::INFINITY, 1e-10, 1.1e15, 1024.0] {
            let error = sentence(&[1.0, bad]).expect_err("it is not a bound");
            assert!(error.contains("\"a/b\"") && error.contains(&format!("bound {bad:?}:")));
        }
        for bounds in [[2.0, 1.0], [3.0, 3.0]] {
            let error = sentence(&bounds).expect_err("they do not ascend");
            assert!(error.contains("ascending"), "{error}");
        }
    }
}
