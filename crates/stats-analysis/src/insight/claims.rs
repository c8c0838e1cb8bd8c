//! Limits each part of a frame to the time by which its path took longer.
//!
//! A scope may explain a wait although the wait is longer than the excess of the scope, and the same scope
//! may explain two waits. So each scope explains at most its own excess, in all waits together, and is one
//! part of the frame. The rest of a wait belongs to the other scopes of that thread, as far as these took
//! longer, and then to the wait itself.

use crate::sort::sort_by;
use std::collections::HashMap;

use super::attribution::{Frame, Ready, Scope};
use super::structure::Place;

/// By timer: the number of frames before this one in which it ran, and the part of its excess that no part
/// of the frame has claimed yet.
#[derive(Default)]
struct Unclaimed(HashMap<usize, (usize, f64)>);

impl Unclaimed {
    /// Takes up to `ms` of the excess of a timer. A timer explains only one frame's work: the one that
    /// is asked for first.
    fn take(&mut self, frame: &Frame<'_>, scope: &Scope, ms: f64) -> f64 {
        let Some(at) = scope.timer else { return ms };
        let frames = scope.before.map_or(0, |(frames, _)| frames);
        let own = || (frames, frame.own_excess(at, frames).max(0.0));
        let (of, left) = self.0.entry(at).or_insert_with(own);
        if *of != frames {
            return 0.0;
        }
        let ms = ms.min(*left);
        *left -= ms;
        ms
    }
}

impl Frame<'_> {
    /// Limits to their own excess: the scopes that the frame waited for, the scopes on no known thread,
    /// and the times in which other threads had no processor. Each scope and each of these threads then
    /// occurs once.
    pub(super) fn limit(
        &self,
        scopes: &mut Vec<Scope>,
        ready: &mut Vec<Ready>,
        rests: &mut Vec<(usize, f64)>,
    ) {
        let mut unclaimed = Unclaimed::default();
        let all = std::mem::take(scopes).into_iter();
        let (mut elsewhere, here): (Vec<_>, Vec<_>) = all.partition(|one| self.is_elsewhere(one));
        *scopes = here;
        sort_by(&mut elsewhere, |a, b| b.ms.total_cmp(&a.ms));
        for scope in &mut elsewhere {
            let ms = unclaimed.take(self, scope, scope.ms);
            if ms > 0.0 {
                scopes.push(Scope { ms, ..*scope });
            }
            scope.ms -= ms;
        }
        for scope in elsewhere.into_iter().filter(|left| left.ms > 0.0) {
            let left_ms = self.claim_of_thread(&scope, &mut unclaimed, scopes);
            self.give_back(scope.waited_in, left_ms, scopes, rests);
        }
        self.limit_unplaced(&mut unclaimed, scopes);
        let mut own = HashMap::new();
        for one in ready.iter_mut().filter(|one| one.waited_in.is_some()) {
            let own_ms = own.entry(one.series).or_insert_with(|| {
                let times = self.system.times(one.series, self.moment);
                times.map_or(0.0, |(value, usual)| (value - usual).max(0.0))
            });
            let left_ms = (one.ms - *own_ms).max(0.0);
            one.ms -= left_ms;
            *own_ms -= one.ms;
            self.give_back(one.waited_in, left_ms, scopes, rests);
        }
        merge(scopes);
        merge_ready(ready);
    }

    /// Returns the excess of a timer in this frame, or in an earlier one.
    fn own_excess(&self, at: usize, frames_before: usize) -> f64 {
        if frames_before == 0 {
            return self.excess[at];
        }
        let series = self.structure.timers[at].series;
        let mut before = self.moment.before.iter();
        let found = before.find(|one| one.frames == frames_before && one.series == series);
        found.map_or(0.0, |one| one.ms - one.usual_ms)
    }

    /// Returns whether the frame waited for a scope.
    pub(super) fn is_elsewhere(&self, scope: &Scope) -> bool {
        let place = scope.timer.map(|at| self.structure.timers[at].place);
        scope.waited_in.is_some() || matches!(place, Some(Place::Other(_)))
    }

    /// Explains the rest of a wait by the other scopes of the thread of `left`, and adds these to `scopes`.
    /// Returns the time that remains.
    fn claim_of_thread(
        &self,
        left: &Scope,
        unclaimed: &mut Unclaimed,
        scopes: &mut Vec<Scope>,
    ) -> f64 {
        let place = left.timer.map(|at| self.structure.timers[at].place);
        let Some(Place::Other(thread)) = place.filter(|_| left.before.is_none()) else {
            return left.ms;
        };
        let mut others = self.others_excess();
        others.retain(|(_, of, _)| *of == Some(thread));
        sort_by(&mut others, |a, b| b.2.total_cmp(&a.2));
        let mut left_ms = left.ms;
        for (at, ..) in others {
            let mut scope = Scope {
                timer: Some(at),
                ..*left
            };
            scope.ms = unclaimed.take(self, &scope, left_ms);
            left_ms -= scope.ms;
            if scope.ms > 0.0 {
                scopes.push(scope);
            }
        }
        left_ms
    }

    /// Gives the time that nothing explains back to the wait: to the rest of a declared wait, or to the
    /// scope that waited without a declaration. Without a wait, the time belongs to no scope.
    fn give_back(
        &self,
        wait: Option<usize>,
        ms: f64,
        scopes: &mut Vec<Scope>,
        rests: &mut Vec<(usize, f64)>,
    ) {
        if ms <= 0.0 {
            return;
        }
        match wait.filter(|at| self.structure.timers[*at].is_wait) {
            Some(wait) => match rests.iter_mut().find(|(at, _)| *at == wait) {
                Some((_, rest_ms)) => *rest_ms += ms,
                None => rests.push((wait, ms)),
            },
            None => scopes.push(Scope {
                timer: wait,
                ms,
                waited_in: None,
                before: None,
                has_run: false,
            }),
        }
    }

    /// Limits the scopes on no known thread. The time beyond their excess belongs to no scope.
    fn limit_unplaced(&self, unclaimed: &mut Unclaimed, scopes: &mut Vec<Scope>) {
        let mut left_ms = 0.0;
        for scope in scopes.iter_mut() {
            let place = scope.timer.map(|at| self.structure.timers[at].place);
            if place == Some(Place::Unknown) && scope.waited_in.is_none() {
                let ms = unclaimed.take(self, scope, scope.ms);
                left_ms += scope.ms - ms;
                scope.ms = ms;
            }
        }
        self.give_back(None, left_ms, scopes, &mut Vec::new());
    }
}

/// Makes all scopes of a timer one.
fn merge(scopes: &mut Vec<Scope>) {
    let mut places: HashMap<Option<usize>, usize> = HashMap::with_capacity(scopes.len());
    let mut merged: Vec<Scope> = Vec::with_capacity(scopes.len());
    for scope in scopes.drain(..) {
        let at = *places.entry(scope.timer).or_insert(merged.len());
        match merged.get_mut(at) {
            Some(known) => {
                known.ms += scope.ms;
                known.waited_in = known.waited_in.or(scope.waited_in);
                known.before = known.before.or(scope.before);
            }
            None => merged.push(scope),
        }
    }
    *scopes = merged;
}

/// Makes all times of a thread without a processor one.
fn merge_ready(ready: &mut Vec<Ready>) {
    let mut merged: Vec<Ready> = Vec::with_capacity(ready.len());
    for one in ready.drain(..) {
        match merged.iter_mut().find(|known| known.series == one.series) {
            Some(known) => known.ms += one.ms,
            None => merged.push(one),
        }
    }
    *ready = merged;
}
