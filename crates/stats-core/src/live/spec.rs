//! What is said of a series when it is registered, or later.

use crate::{Precision, SeriesKind, Unit};

/// What a caller knows of a series that it wants registered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec<'a> {
    pub(crate) path: Path<'a>,
    pub(crate) kind: SeriesKind,
    /// Whether its values are known later.
    pub(crate) is_late: bool,
    /// Of a histogram.
    pub(crate) precision: Option<Precision>,
    pub(crate) meta: Meta<'a>,
}

/// A path, and whether it has to be copied to be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'a> {
    Static(&'static str),
    Borrowed(&'a str),
}

/// The optional facts. Rare among run-time series, so they are stored apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Meta<'a> {
    pub(crate) unit: Option<Unit>,
    pub(crate) budget: Option<f64>,
    pub(crate) description: &'a str,
}
