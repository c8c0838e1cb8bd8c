//! The series of the process and of the machine that are sampled while somebody reads them.
//!
//! `figures.rs` names them and says why one may be missing, and `publisher.rs` turns values into
//! series, with `rate.rs` for totals that are shown as rates. `linux.rs`, `others.rs` and `none.rs` read a system, `graphics.rs` the GPU in the files of Linux, and
//! `nvidia.rs` that of NVIDIA.

mod figures;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod graphics;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    windows,
    target_os = "macos"
)))]
mod none;
#[cfg(all(feature = "nvidia", any(target_os = "linux", windows)))]
mod nvidia;
#[cfg(any(windows, target_os = "macos"))]
mod others;
mod publisher;
#[cfg(any(
    target_os = "linux",
    target_os = "android",
    windows,
    target_os = "macos"
))]
mod rate;
#[cfg(all(test, target_os = "linux"))]
mod tests;

use std::time::Instant;

#[cfg(any(target_os = "linux", target_os = "android"))]
use linux::System;
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    windows,
    target_os = "macos"
)))]
use none::System;
#[cfg(any(windows, target_os = "macos"))]
use others::System;
use publisher::Publisher;

/// One sample in this many, one a second, also reads what changes slowly or takes long.
const SLOW: u32 = 4;

/// Reads values, and publishes them.
pub(crate) struct Machine {
    system: System,
    #[cfg(all(feature = "nvidia", any(target_os = "linux", windows)))]
    nvidia: nvidia::Nvidia,
    publisher: Publisher,
    samples: u32,
}

impl Machine {
    pub(crate) fn new() -> Self {
        #[cfg(all(feature = "nvidia", any(target_os = "linux", windows)))]
        let nvidia = nvidia::Nvidia::new();
        #[cfg(all(feature = "nvidia", any(target_os = "linux", windows)))]
        let other_gpus = nvidia.gpus();
        #[cfg(not(all(feature = "nvidia", any(target_os = "linux", windows))))]
        let other_gpus = 0;
        Self {
            system: System::new(other_gpus),
            #[cfg(all(feature = "nvidia", any(target_os = "linux", windows)))]
            nvidia,
            publisher: Publisher::default(),
            samples: 0,
        }
    }

    /// Takes a sample. Loads and rates are known from the second one on.
    pub(crate) fn sample(&mut self, now: Instant) {
        let is_slow = self.samples.is_multiple_of(SLOW);
        let publisher = &mut self.publisher;
        let mut put = |path: &str, value: f64| publisher.put(path, value);
        self.system.read(now, is_slow, &mut put);
        #[cfg(all(feature = "nvidia", any(target_os = "linux", windows)))]
        self.nvidia.read(&mut put);
        self.samples += 1;
        // Rates are known from the second sample of their kind on. The first two may be so close
        // together that no processor's clock moved.
        if self.samples == SLOW + 1 {
            self.publisher.list_missing();
        }
    }
}
