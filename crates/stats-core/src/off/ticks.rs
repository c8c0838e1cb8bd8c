//! A second clock: it has no ticks.

use crate::FrameTime;

#[derive(Debug)]
pub(crate) struct TickClock;

impl TickClock {
    pub(crate) fn new(_: &str) -> Self {
        Self
    }

    pub(crate) fn show(&self, _: &str) {}

    pub(crate) fn begin(&self) {}

    pub(crate) fn end(&self, _: Option<FrameTime>) {}
}
