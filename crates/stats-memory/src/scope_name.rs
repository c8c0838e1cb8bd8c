//! The name of a scope: a text, or a timer, which runs while the scope is open.

use std::fmt::Debug;

use stats_core::{Timer, TimerScope};

use crate::backend::{Scope, Site};

/// A type that can name the site of a scope.
#[doc(hidden)]
pub trait ScopeName: Debug + Sync {
    /// Returns the name. It never changes after the site was first entered.
    fn name(&'static self) -> &'static str;
}

impl ScopeName for &'static str {
    fn name(&'static self) -> &'static str {
        self
    }
}

impl ScopeName for Timer {
    fn name(&'static self) -> &'static str {
        self.path()
    }
}

/// An argument of [`scope!`](crate::scope!).
#[doc(hidden)]
pub trait Enter {
    /// Leaves the scope, and stops its timer, when it is dropped.
    type Guard;

    /// Enters the scope of a site with this name.
    fn enter(&self, site: &Site) -> Self::Guard;
}

impl Enter for &'static str {
    type Guard = Scope;

    #[inline(always)]
    fn enter(&self, site: &Site) -> Scope {
        site.enter()
    }
}

impl Enter for Timer {
    type Guard = TimedScope;

    #[inline(always)]
    fn enter(&self, site: &Site) -> TimedScope {
        TimedScope {
            _time: self.scope(),
            _memory: site.enter(),
        }
    }
}

/// Keeps a thread in a [`Scope`], and times it, until it is dropped. [`scope!`](crate::scope!)
/// returns it for a timer.
#[derive(Debug)]
#[must_use = "the scope ends when this is dropped"]
pub struct TimedScope {
    // Dropped first, so that the time includes leaving the scope.
    _memory: Scope,
    _time: TimerScope,
}
