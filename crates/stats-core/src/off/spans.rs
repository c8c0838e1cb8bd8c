//! Spans: nothing is collected.

use crate::Span;

#[derive(Debug)]
pub(crate) struct SpanCollector;

impl SpanCollector {
    pub(crate) fn begin() -> Option<Self> {
        None
    }

    pub(crate) fn take(&mut self, _: impl FnMut(Span<'_>)) {}

    pub(crate) fn lost(&self) -> u64 {
        0
    }
}

pub(crate) fn record_span(_: Span<'_>) {}

#[inline(always)]
pub(crate) fn are_spans_collected() -> bool {
    false
}
