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
    all: Vec<(SeriesId, Option<ShownSeries>)>,
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
    /// Returns the series at a place.
    pub(super) fn at(&self, place: u32) -> Option<&ShownSeries> {
        self.all.get(place as usize)?.1.as_ref()
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
            self.all.push((id, None));
            self.all.len() as u32 - 1
        })
    }

    /// Looks up the series that are not known.
    pub(super) fn name(&mut self, source: &dyn Source) {
        for (id, shown) in self.all.iter_mut().filter(|(_, shown)| shown.is_none()) {
            for_each_of(source, &[*id], &mut |info| {
                *shown = Some(ShownSeries {
                    path: info.path.to_owned(),
                    slot: preferred_slot(info.path),
                    is_wait: info.is_wait,
                });
            });
        }
    }
}
