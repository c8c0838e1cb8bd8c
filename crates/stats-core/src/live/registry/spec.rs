//! The facts that a caller declares about a series, at registration or later.

use crate::{Precision, SeriesKind, Unit};

/// The facts with which a series is registered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec<'a> {
    pub(crate) path: Path<'a>,
    pub(crate) kind: SeriesKind,
    /// Whether its values are deferred.
    pub(crate) is_late: bool,
    /// Whether the time of a timer is waiting.
    pub(crate) is_wait: bool,
    /// Whether a timer keeps the distribution of its calls, or a histogram its largest samples.
    pub(crate) has_calls: bool,
    /// For histograms only.
    pub(crate) precision: Option<Precision>,
    pub(crate) meta: Meta<'a>,
}

impl<'a> Spec<'a> {
    /// Returns the facts of a series with immediate values, and with no other ones.
    pub(crate) fn new(path: &'a str, kind: SeriesKind) -> Self {
        Self {
            path: Path::Borrowed(path),
            kind,
            is_late: false,
            is_wait: false,
            has_calls: false,
            precision: None,
            meta: Meta::default(),
        }
    }

    /// Returns whether the series is a timer that measures scopes, and not one whose values are
    /// deferred.
    pub(super) fn has_scopes(&self) -> bool {
        self.kind == SeriesKind::Timer && !self.is_late
    }
}

/// A path, and whether it has to be copied to be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'a> {
    Static(&'static str),
    Borrowed(&'a str),
}

/// The optional facts. Series with run-time paths rarely have any, so they are stored apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Meta<'a> {
    pub(crate) unit: Option<Unit>,
    pub(crate) budget: Option<f64>,
    pub(crate) description: Option<&'a str>,
}
