//! The series of the scopes that are copied.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use stats_core::timeline::Scope;
use stats_core::{SeriesId, Source};
use stats_ui::palette::preferred_slot;

use crate::data::selection::for_each_of;

/// The series of all scopes so far, each at a place that it keeps, so that painting a scope looks up
/// nothing.
#[derive(Debug, Default)]
pub(super) struct ScopeSeries {
    places: HashMap<SeriesId, u32, FixedState>,
    /// `None` if the source did not list it yet.
    all: Vec<Option<ShownSeries>>,
    /// The series that the source did not list yet.
    unlisted: Vec<SeriesId>,
    /// The generation of the source that was last asked for them, and the number of places then.
    asked: Option<(u64, usize)>,
    late: u64,
}

/// The series of a scope.
#[derive(Clone, Debug)]
pub(crate) struct ShownSeries {
    pub(crate) path: String,
    /// The slot of the palette that belongs to the path.
    pub(crate) slot: usize,
    pub(crate) is_wait: bool,
}

impl ScopeSeries {
    pub(super) fn at(&self, place: u32) -> Option<&ShownSeries> {
        self.all.get(place as usize)?.as_ref()
    }

    pub(super) fn get(&self, id: SeriesId) -> Option<&ShownSeries> {
        self.at(*self.places.get(&id)?)
    }

    /// Returns the number of places.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the place of the series of a scope.
    pub(super) fn place(&mut self, scope: &Scope) -> u32 {
        let id = scope.series();
        *self.places.entry(id).or_insert_with(|| {
            self.all.push(None);
            self.unlisted.push(id);
            self.all.len() as u32 - 1
        })
    }

    /// Returns a number that changes when the source lists series later than it was asked for them.
    pub(super) fn late(&self) -> u64 {
        self.late
    }

    /// Looks up the series that are not known, unless the source was asked for all of them and has
    /// not changed its listing since. Returns whether it found any.
    pub(super) fn name(&mut self, source: &dyn Source) -> bool {
        if self.unlisted.is_empty() {
            return false;
        }
        let now = (source.generation(), self.all.len());
        let before = self.asked.replace(now);
        if before == Some(now) {
            return false;
        }
        let Self {
            places,
            all,
            unlisted,
            ..
        } = self;
        unlisted.sort_unstable();
        for_each_of(source, unlisted, &mut |info| {
            if let Some(&place) = places.get(&info.id) {
                all[place as usize] = Some(ShownSeries {
                    path: info.path.to_owned(),
                    slot: preferred_slot(info.path),
                    is_wait: info.is_wait,
                });
            }
        });
        let count = unlisted.len();
        unlisted.retain(|id| places.get(id).is_some_and(|&at| all[at as usize].is_none()));
        let has_found = unlisted.len() < count;
        let is_late = before.is_some_and(|(generation, _)| generation != now.0);
        self.late += u64::from(has_found && is_late);
        has_found
    }
}
