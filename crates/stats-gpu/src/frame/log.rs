//! The log of one frame: its passes and scopes in the order in which they began, and how their
//! ticks become values.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::{Duration, Instant};

use stats_core::DeferredSeries;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use stats_core::timeline::LaneKind;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use stats_core::{Span, are_spans_collected, record_span};

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use super::clock_place::ClockPlace;
use super::interval::Ticks;
use super::names::{NameId, Names};

/// One pass or scope of a frame.
#[derive(Clone, Copy, Debug)]
struct Entry {
    name: NameId,
    /// The entry of the enclosing scope.
    parent: Option<u32>,
    /// The first of its two queries. An entry without queries lasts from the first start to the
    /// last end of the entries in it.
    query: Option<u32>,
    /// When the program recorded it, if scopes are collected.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    recorded: Option<Instant>,
}

/// The passes and scopes of one frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    entries: Vec<Entry>,
    /// The number of queries that the frame has taken.
    queries: u32,
    /// The accepted interval of each entry. Kept to reuse its memory.
    spans: Vec<Option<Ticks>>,
}

/// The name of the lane of passes.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
const LANE: &str = "GPU";

/// Where the GPU's clock lies on the program's.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[derive(Debug, Default)]
pub(crate) struct GpuPlace {
    clock: ClockPlace,
    /// A tick, and a moment of the program, from which both clocks are counted.
    origin: Option<(u64, Instant)>,
}

/// A summary of a frame's ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    /// The time from the first start to the last end in milliseconds; `None` if no interval was
    /// accepted.
    pub(crate) frame_ms: Option<f64>,
    /// The number of rejected intervals.
    pub(crate) rejected: u32,
}

impl Log {
    /// Removes all entries, for another frame.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.queries = 0;
    }

    /// Returns the number of queries that the frame has taken.
    pub(crate) const fn queries(&self) -> u32 {
        self.queries
    }

    /// Adds an entry, with its own two queries if `has_queries` is set. Returns the entry and its
    /// first query, or `None` if the queries would exceed `max_queries`.
    pub(super) fn add(
        &mut self,
        name: NameId,
        parent: Option<u32>,
        has_queries: bool,
        max_queries: u32,
    ) -> Option<(u32, Option<u32>)> {
        if has_queries && self.queries + 2 > max_queries {
            return None;
        }
        let query = has_queries.then_some(self.queries);
        self.queries += if has_queries { 2 } else { 0 };
        self.entries.push(Entry {
            name,
            parent,
            query,
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            recorded: are_spans_collected().then(Instant::now),
        });
        Some((self.entries.len() as u32 - 1, query))
    }

    pub(super) fn name(&self, entry: u32) -> NameId {
        self.entries
            .get(entry as usize)
            .map_or(Names::ROOT, |entry| entry.name)
    }

    /// Appends a value to `values` for each entry whose interval is accepted.
    ///
    /// `ticks` are the ticks of the frame by query, `before` those that the same queries had when
    /// they were last read. `period_ns` is the length of a tick.
    pub(crate) fn sum(
        &mut self,
        (ticks, before): (&[u64], &[u64]),
        period_ns: f64,
        names: &Names,
        values: &mut Vec<(DeferredSeries, f64)>,
    ) -> Sum {
        let (mut frame, mut rejected) = (None, 0);
        self.spans.clear();
        for entry in &self.entries {
            let judged = entry
                .query
                .map(|query| pair(ticks, query).judge(pair(before, query), frame, period_ns));
            rejected += u32::from(matches!(judged, Some(Err(_))));
            let span = judged.and_then(Result::ok);
            frame = union(frame, span);
            self.spans.push(span);
        }
        self.widen();
        for (entry, span) in self.entries.iter().zip(&self.spans) {
            if let (Some(span), Some(series)) = (span, names.series(entry.name)) {
                values.push((series, span.ms(period_ns)));
            }
        }
        Sum {
            frame_ms: frame.map(|frame| frame.ms(period_ns)),
            rejected,
        }
    }

    /// Records the passes and scopes that [`sum`](Self::sum) accepted for collectors of scopes, with
    /// their place on the program's clock. The standard library has no clock in a browser,
    /// so a browser shows no passes.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub(crate) fn record_spans(&self, period_ns: f64, names: &Names, place: &mut GpuPlace) {
        if !are_spans_collected() {
            return;
        }
        let spans = || self.entries.iter().zip(&self.spans);
        let accepted = || spans().filter_map(|(entry, span)| Some((entry, (*span)?)));
        let Some(last) = accepted().map(|(_, span)| span.end).max() else {
            return;
        };
        let (first_tick, epoch) = *place.origin.get_or_insert_with(|| (last, Instant::now()));
        let gpu_ns =
            |tick: u64| (tick.wrapping_sub(first_tick) as i64 as f64 * period_ns).round() as i64;
        let program_ns = |moment: Instant| {
            let after = moment.saturating_duration_since(epoch).as_nanos() as i64;
            after - epoch.saturating_duration_since(moment).as_nanos() as i64
        };
        let begun = accepted().filter(|(entry, _)| entry.query.is_some());
        let begun = begun
            .filter_map(|(entry, span)| Some((program_ns(entry.recorded?), gpu_ns(span.begin))));
        let now = program_ns(Instant::now());
        place.clock.update(begun, gpu_ns(last), now);
        let Some((offset_ns, off_by_ns)) = place.clock.get() else {
            return;
        };
        let kind = LaneKind::Gpu {
            off_by_ns: Some(off_by_ns),
        };
        let moment = |tick: u64| {
            let ns = gpu_ns(tick).saturating_add(offset_ns);
            let since = Duration::from_nanos(ns.unsigned_abs());
            let moment = if ns < 0 {
                epoch.checked_sub(since)
            } else {
                epoch.checked_add(since)
            };
            moment.unwrap_or(epoch)
        };
        for (entry, span) in accepted() {
            if let Some(series) = names.series(entry.name) {
                let (begin, end) = (moment(span.begin), moment(span.end));
                let depth = self.depth(entry);
                record_span(Span::new(series.id(), LANE, depth, begin, end).with_kind(kind));
            }
        }
    }

    /// Returns the number of scopes around an entry.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    fn depth(&self, entry: &Entry) -> u32 {
        let around = |entry: &Entry| Some(self.entries[entry.parent? as usize]);
        std::iter::successors(around(entry), around).count() as u32
    }

    /// Gives scopes without queries the extent of the entries in them.
    fn widen(&mut self) {
        // Backwards: the entries in a scope come after it.
        for at in (0..self.entries.len()).rev() {
            if let Some(parent) = self.entries[at].parent.map(|parent| parent as usize)
                && self.entries[parent].query.is_none()
            {
                self.spans[parent] = union(self.spans[parent], self.spans[at]);
            }
        }
    }
}

/// Returns the two ticks of an entry. Ticks that were not read are 0, which reads as never written.
fn pair(ticks: &[u64], query: u32) -> Ticks {
    let tick = |query: u32| ticks.get(query as usize).copied().unwrap_or(0);
    Ticks {
        begin: tick(query),
        end: tick(query + 1),
    }
}

fn union(one: Option<Ticks>, other: Option<Ticks>) -> Option<Ticks> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.union(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests;
