//! The numbers of a Parquet column, from any type that a program may write them as.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::schema::types::ColumnDescriptor;

/// What the stored numbers of a column mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// A plain number: signed or floating, or a boolean.
    Plain,
    /// A whole number without a sign.
    Unsigned,
    /// A number of 16 bits with a fraction.
    Half,
    /// A whole number; divided by this power of ten, it is the value.
    Decimal(f64),
    /// A time in ticks of this many nanoseconds.
    Time(i64),
}

impl Form {
    /// Returns what the numbers of a column mean; `None` if the column has no numbers.
    pub(super) fn of(column: &ColumnDescriptor) -> Option<Self> {
        let bytes = matches!(
            column.physical_type(),
            Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY
        );
        let form = match (column.logical_type_ref(), column.converted_type()) {
            (Some(LogicalType::Integer(integer)), _) if integer.is_signed => Self::Plain,
            (Some(LogicalType::Integer(_)), _) => Self::Unsigned,
            (Some(LogicalType::Float16), _) => return Some(Self::Half),
            (Some(LogicalType::Decimal(_)), _) | (None, ConvertedType::DECIMAL) => {
                return Some(Self::Decimal(10_f64.powi(column.type_scale())));
            }
            (Some(LogicalType::Timestamp(time)), _) => Self::Time(ns_of(&time.unit)),
            (Some(LogicalType::Time(time)), _) => Self::Time(ns_of(&time.unit)),
            (None, ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIME_MILLIS) => {
                Self::Time(1_000_000)
            }
            (None, ConvertedType::TIMESTAMP_MICROS | ConvertedType::TIME_MICROS) => {
                Self::Time(1_000)
            }
            (
                None,
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64,
            ) => Self::Unsigned,
            (
                None,
                ConvertedType::NONE
                | ConvertedType::INT_8
                | ConvertedType::INT_16
                | ConvertedType::INT_32
                | ConvertedType::INT_64,
            ) if column.physical_type() != Type::INT96 => Self::Plain,
            _ => return None,
        };
        // Texts and other bytes are no numbers.
        (!bytes).then_some(form)
    }
}

fn ns_of(unit: &TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000_000,
        TimeUnit::MICROS => 1_000,
        TimeUnit::NANOS => 1,
    }
}

/// A stored number, before its form is applied.
pub(super) trait Stored {
    /// Returns the number as the nearest float.
    fn real(&self, form: Form) -> f64;

    /// Returns the number as a whole number; `None` if it has a fraction, or is too large.
    fn whole(&self, form: Form) -> Option<i64>;
}

impl Stored for i64 {
    fn real(&self, form: Form) -> f64 {
        match form {
            Form::Unsigned => *self as u64 as f64,
            Form::Decimal(one) => *self as f64 / one,
            _ => *self as f64,
        }
    }

    fn whole(&self, form: Form) -> Option<i64> {
        match form {
            Form::Unsigned => (*self >= 0).then_some(*self),
            Form::Decimal(_) => self.real(form).whole(form),
            Form::Time(ns) => self.checked_mul(ns),
            _ => Some(*self),
        }
    }
}

impl Stored for i32 {
    fn real(&self, form: Form) -> f64 {
        self.as_long(form).real(form)
    }

    fn whole(&self, form: Form) -> Option<i64> {
        self.as_long(form).whole(form)
    }
}

trait AsLong {
    fn as_long(&self, form: Form) -> i64;
}

impl AsLong for i32 {
    fn as_long(&self, form: Form) -> i64 {
        match form {
            Form::Unsigned => i64::from(*self as u32),
            _ => i64::from(*self),
        }
    }
}

impl Stored for bool {
    fn real(&self, _: Form) -> f64 {
        f64::from(u8::from(*self))
    }

    fn whole(&self, _: Form) -> Option<i64> {
        Some(i64::from(*self))
    }
}

impl Stored for f64 {
    fn real(&self, _: Form) -> f64 {
        *self
    }

    fn whole(&self, _: Form) -> Option<i64> {
        // Beyond 2⁶³, a float does not fit.
        let fits = self.fract() == 0.0 && self.abs() < 9.2e18;
        fits.then_some(*self as i64)
    }
}

impl Stored for f32 {
    fn real(&self, _: Form) -> f64 {
        f64::from(*self)
    }

    fn whole(&self, form: Form) -> Option<i64> {
        f64::from(*self).whole(form)
    }
}

impl Stored for FixedLenByteArray {
    fn real(&self, form: Form) -> f64 {
        of_bytes(self.data(), form)
    }

    fn whole(&self, form: Form) -> Option<i64> {
        self.real(form).whole(form)
    }
}

impl Stored for ByteArray {
    fn real(&self, form: Form) -> f64 {
        of_bytes(self.data(), form)
    }

    fn whole(&self, form: Form) -> Option<i64> {
        self.real(form).whole(form)
    }
}

/// Returns the number that bytes stand for; NaN if they are too many.
fn of_bytes(bytes: &[u8], form: Form) -> f64 {
    match (form, bytes) {
        (Form::Half, &[low, high]) => of_half(u16::from_le_bytes([low, high])),
        // Big endian, in two's complement.
        (Form::Decimal(one), [first, ..]) if bytes.len() <= 16 => {
            let sign = if *first < 0x80 { 0 } else { -1_i128 };
            let number = (bytes.iter()).fold(sign, |sum, byte| sum << 8 | i128::from(*byte));
            number as f64 / one
        }
        _ => f64::NAN,
    }
}

/// Returns the value of a float of 16 bits: a sign, 5 bits of exponent, and 10 of fraction.
fn of_half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let value = match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 0 { value } else { -value }
}

#[cfg(test)]
mod tests {
    use super::{Form, Stored, of_bytes};

    #[test]
    fn each_form_has_its_values_at_the_limits() {
        assert_eq!((-1_i64).real(Form::Unsigned), u64::MAX as f64);
        assert_eq!((-1_i64).whole(Form::Unsigned), None);
        assert_eq!((-1_i32).whole(Form::Unsigned), Some(u32::MAX.into()));
        assert_eq!((-1_i32).whole(Form::Plain), Some(-1));
        assert_eq!(1667_i64.real(Form::Decimal(100.0)), 16.67);
        assert_eq!(1600_i64.whole(Form::Decimal(100.0)), Some(16));
        assert_eq!(1667_i64.whole(Form::Decimal(100.0)), None);
        assert_eq!(17_i64.whole(Form::Time(1000)), Some(17_000));
        assert_eq!(i64::MAX.whole(Form::Time(1000)), None);
        assert_eq!(0.5_f64.whole(Form::Plain), None);
        assert_eq!(f64::NAN.whole(Form::Plain), None);
        assert_eq!(1e19_f64.whole(Form::Plain), None);
        assert_eq!(16.5_f32.real(Form::Plain), 16.5);
        let half = |bits: u16| of_bytes(&bits.to_le_bytes(), Form::Half);
        assert_eq!(
            (half(0x3C00), half(0xC000), half(1)),
            (1.0, -2.0, 2_f64.powi(-24))
        );
        assert_eq!((half(0x7BFF), half(0x7C00)), (65504.0, f64::INFINITY));
        assert!(half(0x7C01).is_nan());
        assert_eq!(of_bytes(&[0xFF, 0xFE], Form::Decimal(10.0)), -0.2);
        assert_eq!(of_bytes(&[0x01, 0x00], Form::Decimal(1.0)), 256.0);
        assert!(of_bytes(&[0; 17], Form::Decimal(1.0)).is_nan());
    }
}
