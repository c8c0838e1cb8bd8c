//! Explains a wait in part, or by two times of one thread.

use super::attribution::{
    Frame, LATE_PART, LONG_WAIT, MATCH, MIN_MATCHED_MS, Other, Scope, distance, longest,
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
    /// Returns what explains a wait that is longer by `ms`. This is a scope of another thread together with
    /// the time for which that thread had no processor before it, if the two add up to the wait. Otherwise,
    /// it is a scope that explains at least [`LATE_PART`] of the wait.
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
        for (at, _, excess_ms) in &mut others {
            *excess_ms = self.of_one_thread(*at, *excess_ms);
        }
        others.retain(|(at, ..)| self.is_sure(*at) && !is_used(*at) && self.is_inside(*at));
        let part = |at, ms, ready| {
            let mut scope = Scope {
                timer: Some(at),
                ms,
                waited_in: Some(wait),
                before: None,
                has_run: false,
            };
            scope.has_run = self.ran_elsewhere_ms(&scope, 0.0) > 0.0;
            Part { scope, ready }
        };
        if let Some((at, share, ready)) = self.with_ready(ms, &others, left) {
            return Some(part(at, share * ms, Some(ready)));
        }
        let is_part = |other: &&Other| other.2 >= LATE_PART * ms;
        let found = longest(others.iter().filter(is_part)).filter(|_| !self.is_even())?;
        let (.., excess_ms) = others.iter().find(|(at, ..)| *at == found)?;
        Some(part(found, excess_ms.min(ms), None))
    }

    /// Returns what [`with_ready`](Self::with_ready) does for a scope that the frame waited for because its
    /// thread was late: the excess of neither matches the wait.
    pub(super) fn late_with_ready(
        &self,
        scope: &Scope,
        left: &[Left],
    ) -> Option<(usize, f64, u32)> {
        let found = scope.timer.filter(|_| scope.waited_in.is_some())?;
        let thread = match self.structure.timers[found].place {
            Place::Other(thread) if scope.before.is_none() => thread,
            _ => return None,
        };
        let others = self.others_excess();
        let of_thread = others.iter().filter(|(_, of, _)| *of == Some(thread));
        let all_ms = of_thread.map(|(.., ms)| ms).sum();
        let of_found = others.iter().filter(|(at, ..)| *at == found);
        let mut times = of_found.map(|(.., ms)| *ms).chain([all_ms]);
        if times.any(|ms| distance(ms, scope.ms) <= MATCH) {
            return None;
        }
        self.with_ready(scope.ms, &others, left)
    }

    /// Returns the scope that explains a wait together with the time for which its thread had no
    /// processor, its share of both, and the series of that time. A scope that runs on several threads
    /// may have run on any of them. So it counts only if it explains a part by itself. The time for which
    /// its thread had no processor is then at most that of all threads together.
    pub(super) fn with_ready(
        &self,
        ms: f64,
        others: &[Other],
        left: &[Left],
    ) -> Option<(usize, f64, u32)> {
        let net_ms = self.system.ready_of_all_others(self.moment);
        let both = others.iter().flat_map(|(at, thread, excess_ms)| {
            let excess_ms = self.of_one_thread(*at, *excess_ms);
            let series = thread.and_then(|thread| self.ready_of_thread(thread));
            left.iter().filter_map(move |ready| {
                let ready_ms = match thread {
                    Some(_) if Some(ready.series) == series => ready.ms,
                    None if excess_ms >= LONG_WAIT * ms && self.is_inside(*at) => {
                        ready.ms.min(net_ms)
                    }
                    _ => return None,
                };
                let sum_ms = excess_ms + ready_ms;
                let is_match = self.is_sure(*at)
                    && ready_ms >= MIN_MATCHED_MS
                    && distance(sum_ms, ms) <= MATCH;
                is_match.then_some((
                    distance(sum_ms, ms),
                    (*at, excess_ms / sum_ms, ready.series),
                ))
            })
        });
        let nearest = both.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(nearest.1)
    }

    /// Returns the part of the excess of a timer that one thread certainly has.
    fn of_one_thread(&self, at: usize, excess_ms: f64) -> f64 {
        let value = |at: usize| self.moment.value(at);
        let timer = &self.structure.timers[at];
        self.structure.of_one_thread(timer, excess_ms, value)
    }

    fn ready_of_thread(&self, thread: u16) -> Option<u32> {
        let name = self.structure.thread_name(thread)?;
        self.system.ready_series(name)
    }

    fn is_sure(&self, at: usize) -> bool {
        self.moment.is_sure(self.structure.timers[at].own_series())
    }
}
