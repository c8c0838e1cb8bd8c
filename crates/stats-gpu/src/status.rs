//! Whether a device can time its passes, and what to do where it cannot.

use std::fmt;

/// What a [`GpuTimer`](crate::GpuTimer) can do on its device. The text of those that time nothing
/// names the cure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GpuStatus {
    /// Passes and scopes are timed.
    Timing,
    /// Passes are timed; a scope lasts from the first begin to the last end of the passes in it. So
    /// it is in browsers and on Apple's GPUs, and without
    /// [`TIMESTAMP_QUERY_INSIDE_ENCODERS`](wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS).
    TimingPasses,
    /// The device has no timestamps, and it is not known whether its adapter has; see
    /// [`GpuTimer::with_adapter`](crate::GpuTimer::with_adapter).
    NotEnabled,
    /// The adapter has timestamps, but the device was made without them.
    NotRequested,
    /// The adapter has no timestamps.
    NotSupported,
    /// The device was lost or destroyed: nothing is timed until
    /// [`GpuTimer::recreate`](crate::GpuTimer::recreate).
    DeviceLost,
    /// Passes are timed, but [`GpuTimer::end_frame`](crate::GpuTimer::end_frame) is not called, so
    /// that no time ever comes back. Until it is.
    NeverEnded,
    /// The feature `enabled` is off.
    Off,
}

impl GpuStatus {
    /// What a device can do; of one that can do nothing, why, where its adapter is given.
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

    /// Whether anything is timed.
    #[must_use]
    pub const fn is_timing(self) -> bool {
        matches!(self, Self::Timing | Self::TimingPasses)
    }

    /// What it displays.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Timing => "GPU passes and scopes are timed",
            Self::TimingPasses => "GPU passes are timed, and scopes by the passes in them",
            Self::NotEnabled => {
                "GPU timing not supported by this adapter, or not asked for: \
                 request wgpu::Features::TIMESTAMP_QUERY when the device is made"
            }
            Self::NotRequested => {
                "GPU timing was not asked for: request wgpu::Features::TIMESTAMP_QUERY when the device is made"
            }
            Self::NotSupported => "GPU timing not supported by this adapter",
            Self::DeviceLost => {
                "the GPU device was lost: give GpuTimer::recreate the one that the game goes on with"
            }
            Self::NeverEnded => {
                "end_frame is never called: call GpuTimer::end_frame before the last submission of each frame"
            }
            Self::Off => "GPU timing is compiled out: switch on the feature `enabled` of stats-gpu",
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

/// What to request of an adapter so that its devices can be timed: what there is of
/// [`wgpu::Features::TIMESTAMP_QUERY`] and [`wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS`].
/// Nothing with the feature `enabled` off.
///
/// ```no_run
/// # fn device(adapter: &wgpu::Adapter) {
/// let descriptor = wgpu::DeviceDescriptor { required_features: stats_gpu::required_features(adapter), ..Default::default() };
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
    fn the_cure_depends_on_what_the_adapter_has() {
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
