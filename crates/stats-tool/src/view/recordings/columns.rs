//! Which series of a source are recorded.

use std::collections::HashSet;
use std::ops::ControlFlow;

use stats_capture::{Better, RecordedKind, SeriesRecord};
use stats_core::source::Listed;
use stats_core::{SeriesId, SeriesInfo, SeriesKind, Source};

/// A series that is to be recorded.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) id: SeriesId,
    /// Its description, without the paths of others.
    pub(super) record: SeriesRecord,
    /// The timer in which it last ran.
    pub(super) parent: Option<SeriesId>,
    /// The timer or the histogram of which it is a part.
    pub(super) of: Option<SeriesId>,
}

/// What a listing has that is not recorded yet.
#[derive(Debug, Default)]
pub(super) struct New {
    /// As many as there is room for.
    pub(super) series: Vec<Recorded>,
    /// The number of those that there is no room for.
    pub(super) left_out: usize,
}

/// Lists the series that are not in `known`: first those that are listed by themselves, then their
/// parts, which are self times, calls and samples.
pub(super) fn new_series(source: &dyn Source, known: &HashSet<SeriesId>, room: usize) -> New {
    let (mut series, mut parts, mut count) = (Vec::new(), Vec::new(), 0);
    source.list(Listed::All, &mut |info| {
        if is_recorded(&info) {
            let own = Part::Own;
            for (id, part) in [
                (Some(info.id), own),
                (info.self_time, Part::SelfTime),
                (info.calls, Part::Count),
            ] {
                let Some(id) = id.filter(|id| !known.contains(id)) else {
                    continue;
                };
                count += 1;
                let list = if part == own { &mut series } else { &mut parts };
                if list.len() < room {
                    list.push(recorded(&info, id, part));
                }
            }
        }
        ControlFlow::Continue(())
    });
    series.append(&mut parts);
    series.truncate(room);
    New {
        left_out: count - series.len(),
        series,
    }
}

/// The part of a listed series that a column has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Own,
    SelfTime,
    Count,
}

/// Returns whether a series has a column: the frame time is the clock of a capture, and a gauge that
/// the program cannot read would be 0.
fn is_recorded(info: &SeriesInfo<'_>) -> bool {
    let is_unread = info.kind == SeriesKind::Gauge && info.unavailable.is_some();
    info.kind != SeriesKind::FrameTime && !is_unread
}

fn recorded(info: &SeriesInfo<'_>, id: SeriesId, part: Part) -> Recorded {
    let mut record = SeriesRecord::listed(info);
    if part == Part::Own {
        return Recorded {
            id,
            record,
            parent: info.parent,
            of: None,
        };
    }
    let path = &mut record.path;
    (record.kind, record.better) = match (part, info.kind) {
        (Part::SelfTime, _) => {
            path.push_str("/self");
            (RecordedKind::TimerSelf, Better::Lower)
        }
        (_, SeriesKind::Histogram) => {
            path.push_str("/samples");
            (RecordedKind::HistogramSamples, Better::Neither)
        }
        _ => {
            path.push_str("/calls");
            (RecordedKind::TimerCalls, Better::Neither)
        }
    };
    if part == Part::Count {
        record.unit = String::new();
        record.thread = None;
    }
    (record.wait, record.budget, record.description) = (false, None, None);
    Recorded {
        id,
        record,
        parent: None,
        of: Some(info.id),
    }
}
