//! Instance buffers that are refilled in every frame, and count the bytes that they upload.
use stats_core::{Counter, CounterHandle, Timer, Unit, UpDownCounter};

use super::gpu::Gpu;

static UPLOAD: Timer = Timer::new("render/upload/write")
    .budget(2.0)
    .describe("handing instances to the queue");
static BYTES: Counter = Counter::new("render/upload/bytes")
    .unit(Unit::Bytes)
    .budget(2_000_000.0)
    .describe("bytes uploaded");
static GROWN: Counter =
    Counter::new("render/buffers/grown").describe("buffers replaced by larger ones");
static MEMORY: UpDownCounter = UpDownCounter::new("render/memory/buffers")
    .unit(Unit::Bytes)
    .describe("device memory of instance buffers");

/// A vertex buffer of instances.
pub(super) struct InstanceBuffer {
    buffer: wgpu::Buffer,
    label: &'static str,
    count: u32,
    bytes: CounterHandle,
}

impl InstanceBuffer {
    pub(super) fn new(gpu: &Gpu, label: &'static str) -> Self {
        let bytes = stats_core::counter(&format!("render/upload/{label}"))
            .unit(Unit::Bytes)
            .describe("bytes uploaded to this buffer");
        Self {
            buffer: create(gpu, label, 64 * 1024),
            label,
            count: 0,
            bytes,
        }
    }

    /// Replaces the contents. Recreates the buffer if it is too small.
    pub(super) fn fill<T: bytemuck::NoUninit>(&mut self, gpu: &Gpu, instances: &[T]) {
        let _scope = stats_memory::scope!(UPLOAD);
        let data: &[u8] = bytemuck::cast_slice(instances);
        if data.len() as u64 > self.buffer.size() {
            GROWN.increment();
            MEMORY.add(-(self.buffer.size() as f64));
            self.buffer = create(gpu, self.label, (data.len() as u64).next_power_of_two());
        }
        self.count = instances.len() as u32;
        if !data.is_empty() {
            gpu.queue.write_buffer(&self.buffer, 0, data);
            count_bytes(data.len());
            self.bytes.add(data.len());
        }
    }

    pub(super) const fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    pub(super) const fn count(&self) -> u32 {
        self.count
    }
}

impl Drop for InstanceBuffer {
    fn drop(&mut self) {
        MEMORY.add(-(self.buffer.size() as f64));
    }
}

/// Adds to the total of uploaded bytes, for uploads that do not go through an [`InstanceBuffer`].
pub(super) fn count_bytes(bytes: usize) {
    BYTES.add(bytes);
}

fn create(gpu: &Gpu, label: &str, size: u64) -> wgpu::Buffer {
    MEMORY.add(size);
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
