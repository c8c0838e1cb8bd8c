//! The survey of the first game, by the ids among all.

use stats_core::SeriesId;
use stats_core::source::{Survey, SurveyValue};

use super::joined::id_among;

/// The values of the first game in a frame, which is a frame of the axis. Those of other games are
/// unknown.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    values: Vec<f64>,
    changes: Vec<u32>,
    earlier: Vec<(SeriesId, SurveyValue)>,
}

impl Surveyed {
    /// Puts the values of the first of `games` in their places. `clock` is its frame time. It is the frame
    /// time of the axis, and has no place of its own, because it would seem to explain itself. `end` is the
    /// end of the frames.
    pub(super) fn place(
        &mut self,
        first: Survey<'_>,
        (games, clock, end): (usize, Option<SeriesId>, u64),
    ) -> Survey<'_> {
        let of_all = |id: SeriesId| match clock == Some(id) {
            true => SeriesId::new(0),
            false => id_among(games, 0, id),
        };
        let numbers = 1 + games * first.values().len();
        self.values.clear();
        self.values.resize(numbers, f64::NAN);
        self.changes.clear();
        self.changes.resize(numbers, u32::MAX);
        self.earlier.clear();
        // The values of earlier frames come first.
        let newest = first.values().iter().filter(|value| !value.is_nan());
        let earlier = first.iter().count() - newest.count();
        for (at, (id, value)) in first.iter().enumerate() {
            let id = of_all(id);
            if at < earlier {
                self.earlier.push((id, value));
                continue;
            }
            let number = id.number() as usize;
            self.values[number] = value.value;
            if let Some(frame) = value.last_change {
                self.changes[number] = frame as u32;
            }
        }
        Survey::new(&self.values, &self.changes, end).with_earlier(&self.earlier)
    }
}
