//! What wgpu says of the memory that it has of the device.

use std::time::{Duration, Instant};

use stats_core::{Gauge, Unit};

static ALLOCATED: Gauge = Gauge::new("gpu/memory-allocated")
    .unit(Unit::Bytes)
    .describe("what wgpu's buffers and textures take");
static RESERVED: Gauge = Gauge::new("gpu/memory-reserved")
    .unit(Unit::Bytes)
    .describe("what wgpu has of the driver, used or not, to give out");

/// Lists the gauge of that path, where there is one.
pub(crate) fn register(path: &str) {
    let gauges = [
        ("gpu/memory-allocated", &ALLOCATED),
        ("gpu/memory-reserved", &RESERVED),
    ];
    if let Some((_, gauge)) = gauges.into_iter().find(|(known, _)| *known == path) {
        let _ = gauge.id();
    }
}

/// wgpu's own report of its memory as gauges, `gpu/memory-allocated` and `gpu/memory-reserved`, in
/// bytes.
///
/// It knows what wgpu gave out from blocks of its own; what drivers take beside that (pipelines,
/// command buffers, the surface) is in neither. Vulkan and Direct3D 12 report it; elsewhere the
/// gauges are not even listed.
///
/// ```no_run
/// # fn run(device: &wgpu::Device) {
/// let mut memory = stats_gpu::GpuMemory::new(device); // once
/// memory.sample(); // in every frame: asks wgpu once a second
/// # }
/// ```
#[derive(Debug)]
pub struct GpuMemory {
    device: wgpu::Device,
    every: Duration,
    last: Option<Instant>,
}

impl GpuMemory {
    /// Asks at most once a second.
    #[must_use]
    pub fn new(device: &wgpu::Device) -> Self {
        Self {
            device: device.clone(),
            every: Duration::from_secs(1),
            last: None,
        }
    }

    /// Asks no more often than that. Default: one second.
    #[must_use]
    pub const fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Sets the gauges, where the last time is long enough ago; whether it did.
    ///
    /// wgpu writes a list of all allocations with their names for it, under the lock that
    /// allocating takes: time and memory grow with their number.
    pub fn sample(&mut self) -> bool {
        if !stats_core::ENABLED || self.last.is_some_and(|last| last.elapsed() < self.every) {
            return false;
        }
        self.last = Some(Instant::now());
        let Some(report) = self.device.generate_allocator_report() else {
            return false;
        };
        ALLOCATED.set(report.total_allocated_bytes);
        RESERVED.set(report.total_reserved_bytes);
        true
    }
}
