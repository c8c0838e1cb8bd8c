//! The memory that wgpu has allocated on the device.

use std::time::{Duration, Instant};

use crate::memory_names::MemoryNames;
use crate::own_series::{MEMORY_ALLOCATED, MEMORY_RESERVED};

/// Samples wgpu's report of its own memory into the gauges `gpu/memory-allocated` and
/// `gpu/memory-reserved`, in bytes.
///
/// The report covers the memory that wgpu's own allocator manages. Memory that drivers use for
/// other things (pipelines, command buffers, the surface) is in neither gauge. The Vulkan and
/// Direct3D 12 backends report their memory; on other backends the gauges are not listed.
///
/// ```no_run
/// # fn run(device: &wgpu::Device) {
/// let mut memory = stats_gpu::GpuMemory::new(device); // once
/// memory.sample(); // every frame: asks wgpu once a second
/// # }
/// ```
#[derive(Debug)]
pub struct GpuMemory {
    device: wgpu::Device,
    every: Duration,
    last: Option<Instant>,
    /// `None` if the names are not asked for.
    names: Option<MemoryNames>,
}

impl GpuMemory {
    /// Creates a sampler that asks wgpu at most once a second.
    #[must_use]
    pub fn new(device: &wgpu::Device) -> Self {
        Self {
            device: device.clone(),
            every: Duration::from_secs(1),
            last: None,
            names: None,
        }
    }

    /// Also keeps the memory of each label, in bytes: the buffers and textures that are labeled
    /// `terrain/heights` have the gauge `gpu/memory-by-name/terrain/heights`, and those without a
    /// label have the names that wgpu gives them, `Unlabeled buffer` and `Unlabeled texture`. So the
    /// tree says which texture it is. Of a label with more than eight segments between `/`, the first
    /// ones are one folder.
    ///
    /// 256 labels have a gauge, the largest first; the gauge `others` has the rest. A label keeps its
    /// gauge, which is 0 while nothing has the label. Once one of the labels that differ in their numbers
    /// alone is gone, new ones share a gauge, with `#` for each number. A sample hashes each label.
    #[must_use]
    pub fn by_name(mut self) -> Self {
        self.names = Some(MemoryNames::default());
        self
    }

    /// Sets the shortest time between two samples. Default: one second. Memory that is taken and given
    /// back between two samples is in none of them: wgpu's allocator keeps no high-water mark. With
    /// [`Duration::ZERO`], each call samples.
    #[must_use]
    pub const fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Sets the gauges if the previous sample is old enough. Returns whether it did.
    ///
    /// For each sample, wgpu builds a list of all allocations with their names, under its
    /// allocator's lock. Time and memory are linear in the number of allocations.
    pub fn sample(&mut self) -> bool {
        let _memory = stats_core::own_memory("stats-gpu");
        if !stats_core::ENABLED || self.last.is_some_and(|last| last.elapsed() < self.every) {
            return false;
        }
        self.last = Some(Instant::now());
        let Some(report) = self.device.generate_allocator_report() else {
            return false;
        };
        MEMORY_ALLOCATED.set(report.total_allocated_bytes);
        MEMORY_RESERVED.set(report.total_reserved_bytes);
        if let Some(names) = &mut self.names {
            let allocations = report.allocations.iter();
            names.set(allocations.map(|one| (one.name.as_str(), one.size)));
        }
        true
    }
}
