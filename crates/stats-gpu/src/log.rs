//! What was timed during one frame, in the order in which it began, and what its ticks come to.

use stats_core::DeferredSeries;

use crate::interval::Ticks;
use crate::names::{NameId, Names};

/// One pass or scope of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) name: NameId,
    /// The entry of the scope that it was opened in.
    pub(crate) parent: Option<u32>,
    /// The first of its two queries. Without any it lasts from the first begin to the last end of
    /// what was opened in it.
    pub(crate) query: Option<u32>,
}

/// What was timed during one frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    entries: Vec<Entry>,
    /// How many queries it has taken.
    queries: u32,
    /// By entry: what is believed of it. Kept for its memory.
    spans: Vec<Option<Ticks>>,
}

/// What a frame's ticks come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    /// From the first begin to the last end, in milliseconds; `None` where nothing is believed.
    pub(crate) frame_ms: Option<f64>,
    /// How many intervals were thrown away.
    pub(crate) rejected: u32,
}

impl Log {
    /// Forgets the frame.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.queries = 0;
    }

    /// How many queries the frame has taken.
    pub(crate) const fn queries(&self) -> u32 {
        self.queries
    }

    /// Adds an entry with two queries of its own, where `most` are not exceeded, or without any.
    pub(crate) fn add(
        &mut self,
        name: NameId,
        parent: Option<u32>,
        timed: bool,
        most: u32,
    ) -> Option<(u32, Option<u32>)> {
        if timed && self.queries + 2 > most {
            return None;
        }
        let query = timed.then_some(self.queries);
        self.queries += if timed { 2 } else { 0 };
        self.entries.push(Entry {
            name,
            parent,
            query,
        });
        Some((self.entries.len() as u32 - 1, query))
    }

    /// The name of an entry.
    pub(crate) fn name(&self, entry: u32) -> NameId {
        self.entries
            .get(entry as usize)
            .map_or(Names::ROOT, |entry| entry.name)
    }

    /// Adds a value to `values` for everything that is believed. `ticks` are those of the frame by
    /// query, `before` those that the same queries had when they were last read; `period_ns` is the
    /// length of a tick.
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

    /// Gives scopes without queries the extent of what was opened in them.
    fn widen(&mut self) {
        // Backwards, since what was opened in a scope comes behind it.
        for at in (0..self.entries.len()).rev() {
            if let Some(parent) = self.entries[at].parent.map(|parent| parent as usize)
                && self.entries[parent].query.is_none()
            {
                self.spans[parent] = union(self.spans[parent], self.spans[at]);
            }
        }
    }
}

/// The ticks of a pass or scope; zero, which is never written, where they were not read.
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
#[path = "log_tests.rs"]
mod tests;
