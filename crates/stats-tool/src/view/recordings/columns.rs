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
    /// The series for which there is room.
    pub(super) series: Vec<Recorded>,
    /// The number of series for which there is no room.
    pub(super) left_out: usize,
}

/// Lists the series that are not in `known`: first those that are listed by themselves, then their
/// parts, which are self times, calls and samples. `room` has the number of series that each game may add.
pub(super) fn new_series(
    source: &dyn Source,
    known: &HashSet<SeriesId>,
    room: &[usize],
    game_of: &dyn Fn(SeriesId) -> usize,
) -> New {
    let (mut series, mut parts, mut count) = (Vec::new(), Vec::new(), 0);
    let [mut room_of_series, mut room_of_parts] = [room.to_vec(), room.to_vec()];
    source.list(Listed::All, &mut |info| {
        if is_recorded(&info) {
            let own = SeriesPart::Own;
            for (id, part) in [
                (Some(info.id), own),
                (info.self_time, SeriesPart::SelfTime),
                (info.calls, SeriesPart::Count),
            ] {
                let Some(id) = id.filter(|id| !known.contains(id)) else {
                    continue;
                };
                count += 1;
                let (list, room) = match part == own {
                    true => (&mut series, &mut room_of_series),
                    false => (&mut parts, &mut room_of_parts),
                };
                if has_room(room, game_of(id)) {
                    list.push(recorded(&info, id, part));
                }
            }
        }
        ControlFlow::Continue(())
    });
    let parts = parts.into_iter();
    series.extend(parts.filter(|part: &Recorded| has_room(&mut room_of_series, game_of(part.id))));
    New {
        left_out: count - series.len(),
        series,
    }
}

/// Takes a place of a game; false if it has none.
fn has_room(room: &mut [usize], game: usize) -> bool {
    let place = room.get_mut(game).filter(|room| **room > 0);
    place.map(|room| *room -= 1).is_some()
}

/// The part of a listed series that a column has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SeriesPart {
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

fn recorded(info: &SeriesInfo<'_>, id: SeriesId, part: SeriesPart) -> Recorded {
    let mut record = SeriesRecord::listed(info);
    if part == SeriesPart::Own {
        return Recorded {
            id,
            record,
            parent: info.parent,
            of: None,
        };
    }
    let path = &mut record.path;
    (record.kind, record.better) = match (part, info.kind) {
        (SeriesPart::SelfTime, _) => {
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
    if part == SeriesPart::Count {
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
