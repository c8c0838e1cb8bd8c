//! The memory of the process and of the system, as a line of the memory view.

use stats_analysis::format::value_text;
use stats_core::Unit;

use crate::data::throttle::Throttle;

/// The minimum time between two readings, so that the digits can be read, in seconds.
const EVERY_SECS: f64 = 0.5;

/// The line, and when it was read.
#[derive(Debug, Default)]
pub(super) struct MemoryUse {
    text: String,
    read: Throttle,
}

impl MemoryUse {
    /// Returns the line for the values of paths; empty if none is known.
    pub(super) fn text(&mut self, value: impl FnMut(&str) -> Option<f64>, now_secs: f64) -> &str {
        if self.read.take(now_secs, EVERY_SECS) {
            self.text = text(value);
        }
        &self.text
    }
}

/// Returns the line for the values of paths. A series that is listed only to say why it is missing is
/// 0, as no memory in use is.
fn text(mut value: impl FnMut(&str) -> Option<f64>) -> String {
    let mut known = |path: &str| value(path).filter(|value| value.is_finite() && *value > 0.0);
    let used = known("process/memory-resident").unwrap_or(0.0);
    // The two are sampled one after the other.
    let peak = known("process/memory-peak").map(|peak| value_text(peak.max(used), Unit::Bytes));
    let mut bytes = |path: &str| known(path).map(|value| value_text(value, Unit::Bytes));
    let mut of = |used: &str, total: &str| {
        let total = bytes(total)?;
        let used = bytes(used).unwrap_or_else(|| value_text(0.0, Unit::Bytes));
        Some(format!("{used} of {total}"))
    };
    let swap = of("machine/swap", "machine/swap-total");
    let video = of("machine/gpu/memory", "machine/gpu/memory-total");
    let video = video.or_else(|| bytes("machine/gpu/memory"));
    let process = [
        bytes("process/memory-resident").map(|bytes| format!("{bytes} in RAM")),
        peak.map(|bytes| format!("peak {bytes}")),
        bytes("process/memory-virtual").map(|bytes| format!("{bytes} virtual")),
    ];
    let system = [
        bytes("machine/memory-available").map(|bytes| format!("{bytes} available")),
        swap.map(|bytes| format!("{bytes} of swap space in use")),
        video.map(|bytes| format!("{bytes} of video memory in use")),
    ];
    let parts = [("Process", process), ("System", system)].map(|(whose, parts)| {
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("{whose}: {}", parts.join(", ")))
    });
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(". ")
}

#[cfg(test)]
mod tests {
    use super::{MemoryUse, text};

    const MIB: f64 = (1_u64 << 20) as f64;

    const ALL: [(&str, f64); 8] = [
        ("process/memory-resident", 100.0),
        ("process/memory-peak", 120.0),
        ("process/memory-virtual", 900.0),
        ("machine/memory-available", 500.0),
        ("machine/swap", 10.0),
        ("machine/swap-total", 40.0),
        ("machine/gpu/memory", 60.0),
        ("machine/gpu/memory-total", 80.0),
    ];

    /// Returns the line of a machine that has these series, in MiB.
    fn line(series: &[(&str, f64)]) -> String {
        text(|path| {
            let series = series.iter().find(|(other, _)| *other == path)?;
            Some(series.1 * MIB)
        })
    }

    #[test]
    fn the_line_is_read_twice_a_second() {
        let mut line = MemoryUse::default();
        // In milliseconds: when it is drawn, and when it was read. A host's clock may be set back.
        for (now, read) in [(100, 100), (101, 100), (599, 100), (600, 600), (50, 50)] {
            let mib = |_: &str| Some(f64::from(now) * MIB);
            let found = line.text(mib, f64::from(now) / 1000.0);
            let expected = format!("Process: {:.1} MiB in RAM", f64::from(read));
            assert!(found.starts_with(&expected), "{now}: {found}");
        }
    }

    #[test]
    fn the_line_has_what_is_known() {
        assert_eq!(
            line(&ALL),
            "Process: 100.0 MiB in RAM, peak 120.0 MiB, 900.0 MiB virtual. System: 500.0 MiB available, \
             10.0 MiB of 40.0 MiB of swap space in use, 60.0 MiB of 80.0 MiB of video memory in use"
        );
        assert_eq!(line(&ALL[..1]), "Process: 100.0 MiB in RAM");
        assert_eq!(line(&ALL[6..7]), "System: 60.0 MiB of video memory in use");
        assert_eq!(
            line(&[("machine/swap", 0.0), ("machine/swap-total", 40.0)]),
            "System: 0 B of 40.0 MiB of swap space in use"
        );
        assert_eq!(
            line(&[
                ("process/memory-resident", 130.0),
                ("process/memory-peak", 120.0)
            ]),
            "Process: 130.0 MiB in RAM, peak 130.0 MiB"
        );
        // Without a swap, or if a series only says why it is missing.
        assert_eq!(line(&ALL.map(|(path, _)| (path, 0.0))), "");
        assert_eq!(line(&ALL.map(|(path, _)| (path, f64::NAN))), "");
        assert_eq!(line(&[]), "");
    }
}
