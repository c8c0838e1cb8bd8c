//! The display on which the program draws.

use std::sync::atomic::{AtomicU64, Ordering};

/// The bits of the rate; 0 if it is not known.
static REFRESH_HZ: AtomicU64 = AtomicU64::new(0);

/// Tells all readers the refresh rate of the display in hertz; `None` if it is not known. The overlay
/// estimates missed refreshes with it, and captures store it.
///
/// A host that knows the monitor calls it: `StatsOverlay::follow_window`, the Bevy plugin, or the
/// program. Call it again when the window moves to another monitor. A rate that is not positive and
/// finite counts as `None`. Takes a nanosecond.
pub fn set_refresh_hz(hz: Option<f64>) {
    let hz = hz.filter(|hz| hz.is_finite() && *hz > 0.0);
    if crate::ENABLED {
        // Relaxed: nothing else depends on it.
        REFRESH_HZ.store(hz.unwrap_or(0.0).to_bits(), Ordering::Relaxed);
    }
}

/// Returns the refresh rate of the display in hertz, if a host has [set](set_refresh_hz) it.
pub fn refresh_hz() -> Option<f64> {
    let hz = f64::from_bits(REFRESH_HZ.load(Ordering::Relaxed));
    (hz > 0.0).then_some(hz)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_positive_rate_is_known() {
        assert_eq!(refresh_hz(), None);
        for (set, known) in [
            (Some(59.94), Some(59.94)),
            (Some(0.0), None),
            (Some(144.0), Some(144.0)),
            (Some(f64::NAN), None),
            (Some(f64::INFINITY), None),
            (Some(-60.0), None),
            (None, None),
        ] {
            set_refresh_hz(set);
            assert_eq!(refresh_hz(), known.filter(|_| crate::ENABLED), "{set:?}");
        }
    }
}
