//! Explains a wait in part, or by two times of one thread.

use super::attribution::{
    Frame, LATE_PART, MATCH, MIN_MATCHED_MS, Other, Scope, distance, longest,
};
use super::processor::Left;
use super::structure::Place;

/// What explains a wait that neither a scope nor a time without a processor explains alone.
pub(super) struct Part {
    /// The scope, with its part of the wait.
    pub(super) scope: Scope,
    /// The series of the time without a processor that explains the rest, if any does.
    pub(super) ready: Option<u32>,
}

impl Frame<'_> {
    /// Returns what explains a wait that is longer by `ms`: a scope of another thread and the time for
    /// which that thread had no processor before it, if they add up to the wait, or else a scope that
    /// explains at least [`LATE_PART`] of it.
    ///
    /// A scope explains only one wait. It took certainly longer than usual, and longer than the pace of
    /// the frame explains. If the frame took two or more whole refreshes, the display made the wait
    /// longer, so a scope explains no part of it.
    pub(super) fn part_of(
        &self,
        (wait, ms): (usize, f64),
        scopes: &[Scope],
        left: &[Left],
    ) -> Option<Part> {
        let is_used = |at: usize| {
            let mut waited_for = scopes.iter().filter(|scope| scope.waited_in.is_some());
            waited_for.any(|scope| scope.timer == Some(at))
        };
        let mut others = self.others_excess();
        others.retain(|(at, ..)| self.is_sure(*at) && !is_used(*at) && self.is_inside(*at));
        let part = |at, ms, ready| Part {
            scope: Scope {
                timer: Some(at),
                ms,
                waited_in: Some(wait),
                before: None,
                has_run: false,
            },
            ready,
        };
        if let Some((at, share, ready)) = self.with_ready(ms, &others, left) {
            return Some(part(at, share * ms, Some(ready)));
        }
        let is_part = |other: &&Other| other.2 >= LATE_PART * ms;
        let found = longest(others.iter().filter(is_part)).filter(|_| !self.is_even())?;
        let (.., excess_ms) = others.iter().find(|(at, ..)| *at == found)?;
        Some(part(found, excess_ms.min(ms), None))
    }

    /// Returns the scope that explains a wait together with the time for which its thread had no
    /// processor, its share of both, and the series of that time.
    pub(super) fn with_ready(
        &self,
        ms: f64,
        others: &[Other],
        left: &[Left],
    ) -> Option<(usize, f64, u32)> {
        let both = others.iter().filter_map(|(at, _, excess_ms)| {
            let Place::Other(thread) = self.structure.timers[*at].place else {
                return None;
            };
            let name = self.structure.thread_name(thread)?;
            let series = self.system.ready_series(name)?;
            let ready = left.iter().find(|left| left.series == series)?;
            let sum_ms = excess_ms + ready.ms;
            let is_match =
                self.is_sure(*at) && ready.ms >= MIN_MATCHED_MS && distance(sum_ms, ms) <= MATCH;
            is_match.then_some((distance(sum_ms, ms), (*at, excess_ms / sum_ms, series)))
        });
        let nearest = both.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(nearest.1)
    }

    fn is_sure(&self, at: usize) -> bool {
        self.moment.is_sure(self.structure.timers[at].own_series())
    }
}
