//! The order of the scopes of a frame: by lane, then by begin, outer ones first.
//!
//! A clock with coarse steps lets several scopes begin and end at one moment. Times and depths then do
//! not tell which of two outer scopes an inner one is in, but the order in which they ended does:
//!
//! ```text
//! depths in the order of ends   1 0 1 0      the first scope inside each one, or itself   0 0 2 2
//! ```
//!
//! A scope comes after those that ended before the first scope inside it. It may be added after the scopes
//! inside it are in order: those that no scope is around yet.

use super::scope::{IS_INSIDE, Scope};

/// Sorts scopes. Kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    /// The scopes, each with the place of the first scope inside it in the order of ends.
    ranked: Vec<(usize, Scope)>,
    /// The scopes of a lane that have ended, but not those around them.
    ended: Vec<usize>,
}

impl Sorter {
    /// Returns the bytes that it keeps.
    pub(super) fn bytes(&self) -> usize {
        self.ranked.capacity() * size_of::<(usize, Scope)>()
            + self.ended.capacity() * size_of::<usize>()
    }

    /// Sorts scopes. The first `sorted` ones are in order already. The others are in the order in which
    /// they ended.
    pub(super) fn sort(&mut self, scopes: &mut [Scope], sorted: usize) {
        if scopes.iter().all(|scope| scope.begin_ns < scope.end_ns) {
            // Of two that begin at one moment, one is inside the other.
            scopes.sort_unstable_by_key(Scope::key);
            return;
        }
        self.ranked.clear();
        self.ranked.extend(scopes.iter().copied().enumerate());
        self.ranked
            .sort_unstable_by_key(|(at, scope)| (scope.lane, *at));
        let lanes = (self.ranked).chunk_by_mut(|(_, one), (_, other)| one.lane == other.lane);
        for lane in lanes {
            self.ended.clear();
            for at in 0..lane.len() {
                let (number, scope) = lane[at];
                if number < sorted {
                    if scope.flags & IS_INSIDE == 0 {
                        self.ended.push(at);
                    }
                    continue;
                }
                while let Some(inside) = (self.ended).pop_if(|at| lane[*at].1.depth > scope.depth) {
                    lane[at].0 = lane[inside].0;
                    lane[inside].1.flags |= IS_INSIDE;
                }
                self.ended.push(at);
            }
        }
        self.ranked.sort_unstable_by_key(|(first, scope)| {
            (scope.lane, scope.begin_ns, *first, scope.depth)
        });
        for (place, (_, scope)) in scopes.iter_mut().zip(&self.ranked) {
            *place = *scope;
        }
    }
}
