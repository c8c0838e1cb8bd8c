//! The numbers of `stats.toml`, validated as they are read.

use serde::Deserialize;

/// A percentage, 0 or more.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Percent(
    /// The number of percent: 5 is 5 %.
    pub f64,
);

/// A time, 0 or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Seconds(
    /// The number of seconds.
    pub f64,
);

impl TryFrom<f64> for Percent {
    type Error = &'static str;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        let cure = "percent must be a number, 0 or more, such as 5";
        is_finite_and_not_negative(value)
            .then_some(Self(value))
            .ok_or(cure)
    }
}

impl TryFrom<f64> for Seconds {
    type Error = &'static str;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        let cure = "a time must be a number of seconds, 0 or more, such as 5";
        is_finite_and_not_negative(value)
            .then_some(Self(value))
            .ok_or(cure)
    }
}

fn is_finite_and_not_negative(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}
