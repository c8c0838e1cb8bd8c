//! The crate's own series.

use stats_core::{Counter, Unit, UpDownCounter};

/// The viewers that are connected.
pub(crate) static VIEWERS: UpDownCounter = UpDownCounter::new("stats/remote-viewers")
    .describe("viewers on other machines or in other processes");
/// The bytes of all messages to viewers.
pub(crate) static BYTES: Counter = Counter::new("stats/remote-bytes")
    .unit(Unit::Bytes)
    .describe("what viewers were sent");
/// The frames that viewers were not sent at first.
pub(crate) static SKIPPED: Counter = Counter::new("stats/remote-skipped-frames").describe(
    "frames left out because earlier ones still waited, for one viewer or for all: viewers ask for them later",
);

/// Registers the series that the game's thread adds to, before it does.
pub(crate) fn register() {
    let _ = SKIPPED.id();
}
