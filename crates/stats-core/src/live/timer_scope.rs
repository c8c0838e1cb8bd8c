//! A running scope of a timer.

use super::clock::{Stopped, Stopwatch};
use super::place::{Call, Handle, Place};
use super::scopes::{self, Closed, Token};
use super::spans::{self, are_spans_collected};
use crate::ScopeTime;

/// A running scope, which ends when it is dropped.
#[derive(Debug)]
pub(crate) struct OpenScope {
    handle: Handle,
    token: Token,
    stopwatch: Stopwatch,
}

impl OpenScope {
    #[inline(always)]
    pub(crate) fn begin(place: &impl Place) -> Self {
        let handle = place.handle();
        let open = Self {
            handle,
            token: scopes::open(handle.spot()),
            // Started last, so that the cost of beginning is not part of the scope.
            stopwatch: Stopwatch::start(),
        };
        if are_spans_collected() {
            spans::note_begin(handle.spot().slot(), open.token, open.stopwatch.started());
        }
        open
    }

    /// Ends the scope, and returns how long it took.
    #[inline(always)]
    pub(crate) fn end(self) -> ScopeTime {
        let time = self.close();
        std::mem::forget(self);
        time
    }

    /// Returns whether this thread has ended a frame since the scope began.
    pub(crate) fn is_stale(&self) -> bool {
        scopes::is_stale(self.token)
    }

    #[inline(always)]
    fn close(&self) -> ScopeTime {
        let end = self.stopwatch.stop();
        if are_spans_collected() {
            spans::note_end(
                self.handle.spot().slot(),
                self.token,
                self.stopwatch.stopped(end),
            );
        }
        match scopes::close(self.token, end.ms) {
            Some(closed) => self.add(end, closed),
            None => self.close_cold(end),
        }
    }

    #[inline(always)]
    fn add(&self, end: Stopped, closed: Closed) -> ScopeTime {
        let (ms, self_ms) = (end.ms, closed.self_ms);
        let origin = closed.origin.at(end.time);
        self.handle.add_timed(Call::new(ms, self_ms, Some(origin)));
        ScopeTime { ms, self_ms }
    }

    #[cold]
    #[inline(never)]
    fn close_cold(&self, end: Stopped) -> ScopeTime {
        if let Some(closed) = scopes::close_cold(self.token, end.ms) {
            return self.add(end, closed);
        }
        let (ms, self_ms) = (end.ms, 0.0);
        self.handle.add_timed(Call::new(ms, self_ms, None));
        ScopeTime { ms, self_ms }
    }
}

impl Drop for OpenScope {
    #[inline(always)]
    fn drop(&mut self) {
        self.close();
    }
}
