//! The crate's own series.

use stats_core::{Counter, Unit, UpDownCounter};

/// The viewers that are connected.
pub(crate) static VIEWERS: UpDownCounter = UpDownCounter::new("stats/remote-viewers")
    .describe("viewers on other machines or in other processes");
/// The bytes of all messages to viewers.
pub(crate) static BYTES: Counter = Counter::new("stats/remote-bytes")
    .unit(Unit::Bytes)
    .describe("what viewers were sent");
/// The frames that no viewer got at once.
pub(crate) static SKIPPED: Counter = Counter::new("stats/remote-skipped-frames").describe(
    "frames that were not sent to viewers when they ended, because earlier ones still waited",
);
