//! What a frame has brought to each place so far.

use stats_core::{DeferredSeries, DeferredSource, Unit};

/// The number of a place, in the order in which they were made.
pub(crate) type PlaceId = u32;

/// The place of what has found none.
pub(crate) const OVER_LIMIT: PlaceId = 0;

/// All places and what they have got.
#[derive(Debug)]
pub(crate) struct Tallies {
    late: DeferredSource,
    places: Vec<Tally>,
    /// Those that got something.
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
    /// The place of what finds none, and room for `limit` more.
    pub(crate) fn new(late: DeferredSource, limit: usize) -> Self {
        let timer = late
            .timer("puffin/over-limit")
            .describe("Self time of scopes that found no place in the tree");
        let places = vec![Tally {
            timer,
            self_ms: None,
            total_ns: 0,
            self_ns: 0,
            calls: 0,
        }];
        Self {
            late,
            places,
            touched: Vec::new(),
            limit,
        }
    }

    /// Registers a place; [`OVER_LIMIT`] where there are too many.
    pub(crate) fn make(&mut self, path: &str, description: &str) -> PlaceId {
        let Ok(place) = PlaceId::try_from(self.places.len()) else {
            return OVER_LIMIT;
        };
        if self.is_full() {
            return OVER_LIMIT;
        }
        let timer = self.late.timer(path).describe(description);
        let self_ms = self
            .late
            .counter(&format!("{path}/self"))
            .unit(Unit::Milliseconds)
            .describe("The time that no inner scope accounts for");
        self.places.push(Tally {
            timer,
            self_ms: Some(self_ms),
            total_ns: 0,
            self_ns: 0,
            calls: 0,
        });
        place
    }

    /// Whether no place can be made any more.
    pub(crate) fn is_full(&self) -> bool {
        self.places.len() > self.limit
    }

    /// The most places.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Adds one call.
    pub(crate) fn add(&mut self, place: PlaceId, total_ns: u64, self_ns: u64) {
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

    /// Moves all that was added into `values`: for each call of a place one value, of which the
    /// first is the sum.
    pub(crate) fn drain_into(&mut self, values: &mut Vec<(DeferredSeries, f64)>) {
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
