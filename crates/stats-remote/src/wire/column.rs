//! The values of one series in consecutive frames. A column is decoded without the columns before it, so
//! a block of frames that is lost damages no other block.
//!
//! | form | bytes |
//! |---|---|
//! | `ZERO` | none: every value is 0 |
//! | `SAME` | a float: every value is the same |
//! | `SAME_WHOLE` and the three after it | a whole number that is divided: every value is the same |
//! | `WHOLE` and the three after it | whole numbers that are divided: the first, then differences |
//! | `FLOATS` | for each value, what differs from the bits of the one before |
//! | `RAW` | the values |
//!
//! The bits of a value never change, those of NaN and of negative zero included. The form is not part of
//! the column, see [`to_viewer`](super::to_viewer).

use stats_core::Unit;

use super::Malformed;
use super::bytes::{Bytes, put_float, put_number, unzigzag, zigzag};

/// The largest number of frames in a column.
pub(crate) const MAX_FRAMES: usize = 1024;

const ZERO: u8 = 0;
const SAME: u8 = 1;
const SAME_WHOLE: u8 = 2;
const WHOLE: u8 = 6;
const FLOATS: u8 = 10;
const RAW: u8 = 11;

pub(crate) const FORM_BITS: u32 = 4;

/// What whole numbers are divided by, from `SAME_WHOLE` and from `WHOLE` on: a duration in milliseconds
/// or seconds may be a whole number of microseconds or nanoseconds.
const DIVISORS: [f64; 4] = [1.0, 1e3, 1e6, 1e9];

/// Appends a column, and returns its form.
pub(crate) fn encode(values: &[f64], out: &mut Vec<u8>) -> u8 {
    let first = values.first().copied().unwrap_or_default();
    let is_same = values
        .iter()
        .all(|value| value.to_bits() == first.to_bits());
    if is_same && first.to_bits() == 0 {
        return ZERO;
    }
    let (begin, values) = match is_same {
        true => (SAME_WHOLE, &values[..1]),
        false => (WHOLE, values),
    };
    for (form, divisor) in (begin..).zip(DIVISORS) {
        if encode_scaled(values, divisor, out) {
            return form;
        }
    }
    if is_same {
        put_float(out, first);
        return SAME;
    }
    let begin = out.len();
    let mut before = 0;
    for value in values {
        let changed = value.to_bits() ^ before;
        before = value.to_bits();
        // The numbers of bytes that did not change, from the top and from the bottom.
        let (top, bottom) = (changed.leading_zeros() / 8, changed.trailing_zeros() / 8);
        if changed == 0 {
            out.push(8 << 4);
            continue;
        }
        out.push((top << 4 | bottom) as u8);
        let bytes = (changed >> (bottom * 8)).to_le_bytes();
        out.extend_from_slice(&bytes[..(8 - top - bottom) as usize]);
    }
    if out.len() - begin < values.len() * 8 {
        return FLOATS;
    }
    out.truncate(begin);
    values.iter().for_each(|value| put_float(out, *value));
    RAW
}

/// Appends values that are whole numbers divided by `divisor`; appends nothing and returns false if
/// one is not.
fn encode_scaled(values: &[f64], divisor: f64, out: &mut Vec<u8>) -> bool {
    let begin = out.len();
    let mut before = 0;
    for value in values {
        let Some(number) = scaled(*value, divisor) else {
            out.truncate(begin);
            return false;
        };
        put_number(out, zigzag(number - before));
        before = number;
    }
    true
}

/// Returns the nanoseconds in a unit of time; `None` for other units.
pub(crate) const fn nanoseconds_in(unit: Unit) -> Option<f64> {
    match unit {
        Unit::Seconds => Some(1e9),
        Unit::Milliseconds => Some(1e6),
        Unit::Microseconds => Some(1e3),
        _ => None,
    }
}

/// Rounds a value to a whole number of steps; `steps` of them are one of its unit. The value changes by
/// at most half a step. A value of so many steps that a float cannot tell them apart stays the same, as do
/// NaN and infinities.
pub(crate) fn rounded(value: f64, steps: f64) -> f64 {
    let number = (value * steps).round();
    if number.abs() <= MAX_WHOLE {
        // Zero has no sign: it takes no bytes.
        number / steps + 0.0
    } else {
        value
    }
}

/// The largest whole number that is divided.
const MAX_WHOLE: f64 = (1_u64 << 52) as f64;

/// Returns the whole number that gives exactly this value if it is divided.
fn scaled(value: f64, divisor: f64) -> Option<i64> {
    let number = (value * divisor).round();
    let is_exact = || (number as i64 as f64 / divisor).to_bits() == value.to_bits();
    (number.abs() <= MAX_WHOLE && is_exact()).then_some(number as i64)
}

/// Appends the `frames` values of a column to `values`. The caller limits the number of frames.
pub(crate) fn decode(
    form: u8,
    frames: usize,
    bytes: &mut Bytes<'_>,
    values: &mut Vec<f64>,
) -> Result<(), Malformed> {
    if frames > MAX_FRAMES {
        return Err(Malformed);
    }
    match form {
        ZERO => values.extend(std::iter::repeat_n(0.0, frames)),
        SAME => values.extend(std::iter::repeat_n(bytes.float()?, frames)),
        SAME_WHOLE..WHOLE => {
            let divisor = DIVISORS[usize::from(form - SAME_WHOLE)];
            let value = unzigzag(bytes.number()?) as f64 / divisor;
            values.extend(std::iter::repeat_n(value, frames));
        }
        WHOLE..FLOATS => {
            let divisor = DIVISORS[usize::from(form - WHOLE)];
            let mut number = 0_i64;
            for _ in 0..frames {
                // A hostile difference wraps around, which gives another number.
                number = number.wrapping_add(unzigzag(bytes.number()?));
                values.push(number as f64 / divisor);
            }
        }
        FLOATS => {
            let mut bits = 0;
            for _ in 0..frames {
                bits ^= read_changed(bytes)?;
                values.push(f64::from_bits(bits));
            }
        }
        RAW => {
            for _ in 0..frames {
                values.push(bytes.float()?);
            }
        }
        _ => return Err(Malformed),
    }
    Ok(())
}

/// Reads what differs from the bits of the value before.
fn read_changed(bytes: &mut Bytes<'_>) -> Result<u64, Malformed> {
    let head = bytes.byte()?;
    let (top, bottom) = (usize::from(head >> 4), usize::from(head & 15));
    let len = 8_usize.checked_sub(top + bottom).ok_or(Malformed)?;
    let mut changed = [0; 8];
    changed[bottom..bottom + len].copy_from_slice(bytes.take(len)?);
    Ok(u64::from_le_bytes(changed))
}
