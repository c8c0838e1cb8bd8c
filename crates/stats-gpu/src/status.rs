//! Whether a device can time its passes, and how to enable that if it cannot.

use std::fmt;

/// The ability of a [`GpuTimer`](crate::GpuTimer) to time its device. If it can time nothing, the
/// displayed text says how to fix that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GpuStatus {
    /// Passes and scopes are timed.
    Timing,
    /// Passes are timed. A scope lasts from the first start to the last end of the passes in it.
    ///
    /// This is the status in browsers, on Apple's GPUs, and on every other device without
    /// [`TIMESTAMP_QUERY_INSIDE_ENCODERS`](wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS).
    TimingPasses,
    /// The device has no timestamps, and it is unknown whether its adapter has them.
    /// [`GpuTimer::with_adapter`](crate::GpuTimer::with_adapter) can tell.
    NotEnabled,
    /// The adapter has timestamps, but the device was created without them.
    NotRequested,
    /// The adapter has no timestamps.
    NotSupported,
    /// The device was lost or destroyed. Nothing is timed until
    /// [`GpuTimer::recreate`](crate::GpuTimer::recreate).
    DeviceLost,
    /// Passes are recorded, but [`GpuTimer::end_frame`](crate::GpuTimer::end_frame) is not called,
    /// so no result ever arrives. Lasts until the next call.
    NeverEnded,
    /// The feature `enabled` is off.
    Off,
}

impl GpuStatus {
    /// Returns what a device can time. With its adapter, the status of a device that can time
    /// nothing includes the reason.
    #[must_use]
    pub fn of(device: &wgpu::Device, adapter: Option<&wgpu::Adapter>) -> Self {
        Self::from_features(device.features(), adapter.map(wgpu::Adapter::features))
    }

    fn from_features(device: wgpu::Features, adapter: Option<wgpu::Features>) -> Self {
        if !stats_core::ENABLED {
            Self::Off
        } else if device.contains(FEATURES) {
            Self::Timing
        } else if device.contains(wgpu::Features::TIMESTAMP_QUERY) {
            Self::TimingPasses
        } else {
            adapter.map_or(Self::NotEnabled, |adapter| {
                if adapter.contains(wgpu::Features::TIMESTAMP_QUERY) {
                    Self::NotRequested
                } else {
                    Self::NotSupported
                }
            })
        }
    }

    /// Returns whether anything is timed.
    #[must_use]
    pub const fn is_timing(self) -> bool {
        matches!(self, Self::Timing | Self::TimingPasses)
    }

    /// Returns the text that [`Display`](fmt::Display) writes.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Timing => "GPU passes and scopes are timed",
            Self::TimingPasses => "GPU passes are timed; scopes last as long as the passes in them",
            Self::NotEnabled => {
                "GPU timing is not supported by this adapter, or was not requested: \
                 request wgpu::Features::TIMESTAMP_QUERY when you create the device"
            }
            Self::NotRequested => {
                "GPU timing was not requested: \
                 request wgpu::Features::TIMESTAMP_QUERY when you create the device"
            }
            Self::NotSupported => "GPU timing is not supported by this adapter",
            Self::DeviceLost => {
                "the GPU device was lost: call GpuTimer::recreate with the new device"
            }
            Self::NeverEnded => {
                "end_frame is never called: \
                 call GpuTimer::end_frame before the last submission of each frame"
            }
            Self::Off => "GPU timing is compiled out: turn on the feature `enabled` of stats-gpu",
        }
    }
}

impl fmt::Display for GpuStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

const FEATURES: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// Returns the features to request from an adapter so that its device can be timed: those of
/// [`wgpu::Features::TIMESTAMP_QUERY`] and [`wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS`] that
/// the adapter has.
///
/// Returns no features without the feature `enabled`.
///
/// ```no_run
/// # fn device(adapter: &wgpu::Adapter) {
/// let descriptor = wgpu::DeviceDescriptor {
///     required_features: stats_gpu::required_features(adapter),
///     ..Default::default()
/// };
/// # }
/// ```
#[must_use]
pub fn required_features(adapter: &wgpu::Adapter) -> wgpu::Features {
    if stats_core::ENABLED {
        adapter.features() & FEATURES
    } else {
        wgpu::Features::empty()
    }
}

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;

    const NONE: wgpu::Features = wgpu::Features::empty();
    const PASSES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY;

    #[test]
    fn the_advice_depends_on_the_features_of_the_adapter() {
        let cases = [
            (FEATURES, None, GpuStatus::Timing),
            (PASSES, Some(FEATURES), GpuStatus::TimingPasses),
            (NONE, None, GpuStatus::NotEnabled),
            (NONE, Some(PASSES), GpuStatus::NotRequested),
            (NONE, Some(NONE), GpuStatus::NotSupported),
            (
                wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS,
                Some(NONE),
                GpuStatus::NotSupported,
            ),
        ];
        for (device, adapter, status) in cases {
            assert_eq!(GpuStatus::from_features(device, adapter), status);
            assert_eq!(status.is_timing(), device.contains(PASSES));
        }
    }
}
