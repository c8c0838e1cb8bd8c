//! A running scope of a timer.

use super::clock::{Stopped, Stopwatch};
use super::place::{Call, Handle, Place};
use super::scopes::{self, Closed, Token};
use super::spans::{self, are_spans_collected};

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
        Self {
            handle,
            token: scopes::open(handle.spot()),
            // Started last, so that the cost of beginning is not part of the scope.
            stopwatch: Stopwatch::start(),
        }
    }

    #[inline(always)]
    fn add(&self, end: Stopped, closed: Closed) {
        let origin = closed.origin.at(end.time);
        self.handle
            .add_timed(Call::new(end.ms, closed.self_ms, Some(origin)));
    }

    #[cold]
    #[inline(never)]
    fn end_cold(&self, end: Stopped) {
        match scopes::close_cold(self.token, end.ms) {
            Some(closed) => self.add(end, closed),
            None => self.handle.add_timed(Call::new(end.ms, 0.0, None)),
        }
    }
}

impl Drop for OpenScope {
    #[inline(always)]
    fn drop(&mut self) {
        let end = self.stopwatch.stop();
        if are_spans_collected() {
            spans::note(
                self.handle.spot().slot(),
                scopes::depth_of(self.token),
                end.ms,
            );
        }
        match scopes::close(self.token, end.ms) {
            Some(closed) => self.add(end, closed),
            None => self.end_cold(end),
        }
    }
}
