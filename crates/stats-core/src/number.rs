//! The values that can be added or set: every primitive number, stored as `f64`.

/// Any primitive number, so that no call needs a cast. Stored as `f64`: integers above 2⁵³ are
/// rounded.
///
/// Sealed: implemented for every primitive integer and float and for nothing else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a primitive number",
    label = "a primitive integer or float is expected here",
    note = "a `Duration` is recorded with `Timer::record`"
)]
pub trait Number: Copy + sealed::Sealed {
    /// Whether every value of the type is finite, so that the check for it costs nothing.
    #[doc(hidden)]
    const ALWAYS_FINITE: bool;

    /// Returns the number as a float.
    #[doc(hidden)]
    fn to_f64(self) -> f64;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! numbers {
    ($always_finite:literal: $($type:ty)*) => { $(
        impl sealed::Sealed for $type {}

        impl Number for $type {
            const ALWAYS_FINITE: bool = $always_finite;

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )* };
}

numbers!(true: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
numbers!(false: f32 f64);
