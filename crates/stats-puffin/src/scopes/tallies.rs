//! The sums of the current frame for each place.
//!
//! A *place* is a timer and a counter of its self time: of a call path, or of a scope over all
//! threads. Adding a call touches plain numbers; the series are written once, at the end of a
//! frame.

use stats_core::{DeferredSeries, DeferredSource, SeriesId, Unit};

/// The number of a place, in the order of creation.
pub(super) type PlaceId = u32;

/// The place of scopes beyond the limits of the tree.
pub(super) const OVER_LIMIT: PlaceId = 0;

/// All places, and their sums.
#[derive(Debug)]
pub(super) struct Tallies {
    source: DeferredSource,
    places: Vec<Tally>,
    /// The places that something was added to.
    touched: Vec<PlaceId>,
    limit: usize,
}

#[derive(Debug)]
struct Tally {
    timer: DeferredSeries,
    self_ms: Option<DeferredSeries>,
    total_ns: u64,
    self_ns: u64,
    calls: u32,
}

impl Tallies {
    /// Creates [`OVER_LIMIT`], and room for `limit` more places.
    pub(super) fn new(source: DeferredSource, limit: usize) -> Self {
        let timer = source
            .timer("puffin/over-limit")
            .describe("self time of scopes beyond the limits of the tree");
        let places = vec![Tally {
            timer,
            self_ms: None,
            total_ns: 0,
            self_ns: 0,
            calls: 0,
        }];
        Self {
            source,
            places,
            touched: Vec::new(),
            limit,
        }
    }

    /// Registers a place. Returns [`OVER_LIMIT`] if there are too many.
    pub(super) fn add_place(&mut self, path: &str, description: &str) -> PlaceId {
        let Ok(place) = PlaceId::try_from(self.places.len()) else {
            return OVER_LIMIT;
        };
        if self.is_full() {
            return OVER_LIMIT;
        }
        let timer = self.source.timer(path).describe(description);
        let self_ms = self
            .source
            .counter(&format!("{path}/self"))
            .unit(Unit::Milliseconds)
            .describe("time that no inner scope accounts for");
        self.places.push(Tally {
            timer,
            self_ms: Some(self_ms),
            total_ns: 0,
            self_ns: 0,
            calls: 0,
        });
        place
    }

    pub(super) fn timer(&self, place: PlaceId) -> SeriesId {
        let place = self.places.get(place as usize);
        place.map_or(SeriesId::new(0), |place| place.timer.id())
    }

    /// Returns whether no further place can be added.
    pub(super) fn is_full(&self) -> bool {
        self.places.len() > self.limit
    }

    /// Returns the maximum number of places.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Adds one call to a place.
    pub(super) fn add(&mut self, place: PlaceId, total_ns: u64, self_ns: u64) {
        let Some(tally) = self.places.get_mut(place as usize) else {
            return;
        };
        if tally.calls == 0 {
            self.touched.push(place);
        }
        tally.calls = tally.calls.saturating_add(1);
        tally.total_ns = tally.total_ns.saturating_add(total_ns);
        tally.self_ns = tally.self_ns.saturating_add(self_ns);
    }

    /// Moves all sums into `values`. A place gets one value for each call: the first is the sum,
    /// the others are 0.
    pub(super) fn drain_into(&mut self, values: &mut Vec<(DeferredSeries, f64)>) {
        for place in self.touched.drain(..) {
            let Some(tally) = self.places.get_mut(place as usize) else {
                continue;
            };
            values.push((tally.timer, milliseconds(tally.total_ns)));
            values.extend((1..tally.calls).map(|_| (tally.timer, 0.0)));
            values.extend(
                tally
                    .self_ms
                    .map(|series| (series, milliseconds(tally.self_ns))),
            );
            (tally.total_ns, tally.self_ns, tally.calls) = (0, 0, 0);
        }
    }
}

fn milliseconds(ns: u64) -> f64 {
    ns as f64 / 1e6
}
