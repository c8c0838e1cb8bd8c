//! The values that can be added or set: every primitive number, stored as `f64`.

/// Any primitive number, so that no call needs a cast. Stored as `f64`.
///
/// Whatever is added to a total is checked: see [`Counter::add`](crate::Counter::add). A
/// [gauge](crate::Gauge::set) that is set to an integer above 2⁵³ rounds it.
///
/// Sealed: implemented for every primitive integer and float and for nothing else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a primitive number",
    label = "a primitive integer or float is expected here",
    note = "a `Duration` is recorded with `Timer::record`"
)]
pub trait Number: Copy + sealed::Sealed {
    /// Whether the type is an integer. The sum of a finite number and a [summand](Self::to_summand)
    /// is then finite without a check.
    #[doc(hidden)]
    const IS_INTEGER: bool;

    /// Returns the number as a float.
    #[doc(hidden)]
    fn to_f64(self) -> f64;

    /// Returns the number as a float to be added to a total; `None`, which every total refuses, for
    /// an integer beyond [`EXACT`].
    ///
    /// A subtraction of unsigned integers that wraps around gives such an integer if it has 64 bits
    /// or more, and nothing that a program counts does. Narrower integers and floats give no sign
    /// of it.
    #[doc(hidden)]
    fn to_summand(self) -> Option<f64>;
}

/// The first magnitude beyond the range in which every integer is exact: 2⁵³.
pub(crate) const EXACT: u64 = 1 << 53;

mod sealed {
    pub trait Sealed {}
}

macro_rules! numbers {
    ($is_integer:literal, |$n:ident| $summand:expr; $($type:ty)*) => { $(
        impl sealed::Sealed for $type {}

        impl Number for $type {
            const IS_INTEGER: bool = $is_integer;

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn to_summand(self) -> Option<f64> {
                let $n = self;
                $summand
            }
        }
    )* };
}

numbers!(false, |n| Some(n as f64); f32 f64);
numbers!(true, |n| Some(n as f64); i8 i16 i32 u8 u16 u32);
numbers!(true, |n| summand(n); i64);
numbers!(true, |n| i64::try_from(n).ok().and_then(summand); i128 isize u64 u128 usize);

#[inline(always)]
fn summand(n: i64) -> Option<f64> {
    const LIMIT: i64 = EXACT as i64;
    (-LIMIT < n && n < LIMIT).then_some(n as f64)
}
