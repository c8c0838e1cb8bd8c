//! The choice between a linear and a logarithmic axis for a set of values.

/// The smallest ratio of the largest to the smallest value that makes an automatic axis
/// logarithmic.
const LOG_FROM: f64 = 100.0;
/// Values nearer to zero than this share of the largest magnitude fall into the bucket around zero
/// of a symmetric axis.
const NEAR_ZERO: f64 = 1e-12;

/// The scale of the axis of a distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ValueScale {
    /// Logarithmic if all values are above 0 and span more than two decades, otherwise linear. The
    /// default.
    #[default]
    Auto,
    /// Linear.
    Linear,
    /// Logarithmic, and symmetric around zero if some values are not above 0.
    Log,
}

/// The properties of a set of values that determine its [`Edges`](super::Edges).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The smallest value; not NaN.
    pub min: f64,
    /// The largest value; not NaN.
    pub max: f64,
    /// The smallest magnitude other than zero; infinite if there is none.
    pub least: f64,
    /// Whether all values are whole numbers.
    pub whole: bool,
    /// The precision of the values, and so the smallest sensible width of a bucket; 0 if they are
    /// exact.
    pub grain: f64,
    /// Whether linear steps are powers of two rather than round decimal numbers, which suits bytes.
    pub binary: bool,
}

/// How an axis spreads values along its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// Equal differences have equal widths.
    Linear,
    /// Equal ratios have equal widths. All values are above 0.
    Log,
    /// Logarithmic on both sides of a bucket around zero, whose edges have this magnitude.
    Symmetric(f64),
}

impl ValueScale {
    /// Returns the spread that this scale gives to values.
    pub(super) fn spread(self, span: &Span) -> Spread {
        // A single value has no ratio to any other.
        if self == Self::Linear || span.min >= span.max {
            return Spread::Linear;
        }
        match span.min > 0.0 {
            true if self == Self::Log || span.max / span.min > LOG_FROM => Spread::Log,
            false if self == Self::Log => {
                let magnitude = span.max.abs().max(span.min.abs());
                Spread::Symmetric(span.least.max(magnitude * NEAR_ZERO).max(1e-300))
            }
            _ => Spread::Linear,
        }
    }
}
