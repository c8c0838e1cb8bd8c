//! The kind of a lane as text, in the column `lane` of a file of spans.

use std::borrow::Cow;

use stats_core::timeline::LaneKind;

const THREAD: &str = "thread";
const OTHER: &str = "other profiler";
const GPU: &str = "gpu";
const OFF_BY: &str = "gpu, off by ns: ";

pub(crate) fn lane_text(kind: LaneKind) -> Cow<'static, str> {
    match kind {
        LaneKind::Gpu {
            off_by_ns: Some(ns),
        } => format!("{OFF_BY}{ns}").into(),
        LaneKind::Gpu { off_by_ns: None } => GPU.into(),
        LaneKind::OtherProfiler => OTHER.into(),
        _ => THREAD.into(),
    }
}

/// Returns the kind of a text. Unknown ones are threads.
pub(crate) fn lane_kind(text: &str) -> LaneKind {
    match text {
        OTHER => LaneKind::OtherProfiler,
        GPU => LaneKind::Gpu { off_by_ns: None },
        _ => match text.strip_prefix(OFF_BY) {
            Some(ns) => LaneKind::Gpu {
                off_by_ns: ns.parse().ok(),
            },
            None => LaneKind::Thread,
        },
    }
}
