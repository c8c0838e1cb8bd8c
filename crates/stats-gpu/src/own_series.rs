//! The crate's own series below `gpu/`, and the names that they take from the program.

use stats_core::{Counter, Gauge, Unit};

/// The folder of all series of this crate.
pub(crate) const ROOT: &str = "gpu";

/// The name, below [`ROOT`], of the time from a frame's first start to its last end.
pub(crate) const FRAME: &str = "frame";

pub(crate) static LATENCY: Gauge = Gauge::new("gpu/latency-frames")
    .describe("frames between the end of a frame and the arrival of its GPU results, for the most recent result");
pub(crate) static SKIPPED: Counter = Counter::new("gpu/skipped-frames").describe(
    "frames not timed because the results of eight earlier frames were still outstanding",
);
pub(crate) static LOST: Counter =
    Counter::new("gpu/lost-frames").describe("frames whose GPU results never arrived");
pub(crate) static UNTIMED: Counter = Counter::new("gpu/untimed-passes")
    .describe("passes and scopes beyond the 2,048 that a frame can time");
pub(crate) static REJECTED: Counter = Counter::new("gpu/rejected-intervals").describe(
    "GPU intervals that were discarded: never written, backwards, 10 s or longer, or that far from the rest of their frame",
);
pub(crate) static MEMORY_ALLOCATED: Gauge = Gauge::new("gpu/memory-allocated")
    .unit(Unit::Bytes)
    .describe("memory of wgpu's buffers and textures");
pub(crate) static MEMORY_RESERVED: Gauge = Gauge::new("gpu/memory-reserved")
    .unit(Unit::Bytes)
    .describe("memory that wgpu has allocated from the driver, used or not");

/// The folder of the memory of each name.
pub(crate) const MEMORY_BY_NAME: &str = "gpu/memory-by-name";

/// The names of the series and of the folder above.
const RESERVED: [&str; 9] = [
    FRAME,
    "latency-frames",
    "skipped-frames",
    "lost-frames",
    "untimed-passes",
    "rejected-intervals",
    "memory-allocated",
    "memory-reserved",
    "memory-by-name",
];

/// Returns whether a pass or scope directly below [`ROOT`] must not have this name.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Registers the series of a timer, so that they are listed before any of them changes.
pub(crate) fn register_for_timing() {
    let _ = (
        LATENCY.id(),
        SKIPPED.id(),
        LOST.id(),
        UNTIMED.id(),
        REJECTED.id(),
    );
}

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;

    #[test]
    fn every_own_series_has_a_reserved_name() {
        register_for_timing();
        let _ = (MEMORY_ALLOCATED.id(), MEMORY_RESERVED.id());
        let mut listed = Vec::new();
        stats_core::for_each_series(|info| {
            let name = info.path.strip_prefix("gpu/");
            listed.extend(
                name.and_then(|name| name.split('/').next())
                    .map(str::to_owned),
            );
        });
        listed.retain(|name| name != "memory-by-name");
        assert_eq!(listed.len(), RESERVED.len() - 2, "{listed:?}");
        assert!(listed.iter().all(|name| is_reserved(name)), "{listed:?}");
        // The frame's own series is registered by a timer, which needs a device.
        assert!(is_reserved(FRAME) && !is_reserved("shadow"));
    }
}
