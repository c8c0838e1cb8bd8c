//! The values of one series in consecutive frames. A column is decoded by itself, so that a block
//! that is lost damages no other.
//!
//! | form | bytes |
//! |---|---|
//! | `ZERO` | none: every value is 0 |
//! | `SAME` | a float: every value is the same |
//! | `WHOLE`, `THOUSANDTHS`, `MILLIONTHS` | whole numbers that are divided: the first, then differences |
//! | `FLOATS` | for each value, what differs from the bits of the one before |
//! | `RAW` | the values |
//!
//! The bits of a value never change, those of NaN and of negative zero included. The form is part of
//! the number before the column, see [`to_viewer`](super::to_viewer).

use super::Malformed;
use super::bytes::{Bytes, put_float, put_number, unzigzag, zigzag};

/// The largest number of frames in a column.
pub(crate) const MAX_FRAMES: usize = 1024;

const ZERO: u8 = 0;
const SAME: u8 = 1;
const WHOLE: u8 = 2;
const FLOATS: u8 = 5;
const RAW: u8 = 6;

/// The bits of the form.
pub(crate) const FORM_BITS: u32 = 3;

/// What whole numbers are divided by, from `WHOLE` on: a duration in milliseconds may be a whole
/// number of microseconds or nanoseconds.
const DIVISORS: [f64; 3] = [1.0, 1e3, 1e6];

/// Appends a column, and returns its form.
pub(crate) fn encode(values: &[f64], out: &mut Vec<u8>) -> u8 {
    let first = values.first().map_or(0, |value| value.to_bits());
    if values.iter().all(|value| value.to_bits() == first) {
        if first == 0 {
            return ZERO;
        }
        if scaled(f64::from_bits(first), DIVISORS[0]).is_none() {
            put_float(out, f64::from_bits(first));
            return SAME;
        }
    }
    for (form, divisor) in (WHOLE..).zip(DIVISORS) {
        if encode_scaled(values, divisor, out) {
            return form;
        }
    }
    let begin = out.len();
    let mut before = 0;
    for value in values {
        let changed = value.to_bits() ^ before;
        before = value.to_bits();
        // Whole bytes: those that are the same at the top, and those that are at the bottom.
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

/// Returns the whole number that gives exactly this value if it is divided.
fn scaled(value: f64, divisor: f64) -> Option<i64> {
    const MAX: f64 = (1_u64 << 52) as f64;
    let number = (value * divisor).round();
    let is_exact = || (number as i64 as f64 / divisor).to_bits() == value.to_bits();
    (number.abs() <= MAX && is_exact()).then_some(number as i64)
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
                bits ^= changed(bytes)?;
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
fn changed(bytes: &mut Bytes<'_>) -> Result<u64, Malformed> {
    let head = bytes.byte()?;
    let (top, bottom) = (usize::from(head >> 4), usize::from(head & 15));
    let len = 8_usize.checked_sub(top + bottom).ok_or(Malformed)?;
    let mut changed = [0; 8];
    changed[bottom..bottom + len].copy_from_slice(bytes.take(len)?);
    Ok(u64::from_le_bytes(changed))
}
