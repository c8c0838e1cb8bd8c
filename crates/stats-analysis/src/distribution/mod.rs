//! TODO

pub mod edges;
pub mod statistics;
pub mod steps;

/// How a distribution spreads values along its axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ValueScale {
    /// Logarithmic where all values are above 0 and span more than two decades, else linear. The
    /// default.
    #[default]
    Auto,
    /// Linear.
    Linear,
    /// Logarithmic, and symmetric around zero where there are values that are not above 0.
    Log,
}
