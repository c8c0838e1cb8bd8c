//! GPU time of each pass, and the GPU memory that wgpu has allocated.
use stats_core::{DeferredSource, set_unavailable};
use stats_gpu::{GpuMemory, GpuTimer};

use super::gpu::Gpu;

/// The budget of all passes together: the same as that of the main thread.
const FRAME_BUDGET_MS: f64 = 16.0;
/// The names of the timed passes.
const PASSES: [&str; 7] = [
    "light",
    "world",
    "particles",
    "bloom",
    "composite",
    "ui",
    "small-picture",
];
/// The reason shown for their series if nothing can be timed.
const UNTIMED: &str = "no GPU timing; see gpu/frame for the reason";

/// The timer and the memory gauges of a device.
pub(super) struct Timing {
    pub(super) timer: GpuTimer,
    memory: GpuMemory,
}

impl Timing {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let _memory = stats_memory::scope!("timing");
        let timer = GpuTimer::with_adapter(&gpu.adapter, &gpu.device, &gpu.queue);
        announce((!timer.status().is_timing()).then_some(UNTIMED));
        Self {
            timer,
            memory: GpuMemory::new(&gpu.device).by_name(),
        }
    }

    /// Ends the frame. Call it before the last commands of the frame are submitted.
    pub(super) fn end_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let _memory = stats_memory::scope!("timing");
        self.timer.end_frame(encoder);
        self.memory.sample();
    }
}

/// Sets the budget of the frame's GPU time, and registers the timers of the passes before the first
/// frame is drawn, so that the tree always lists them, with the reason if they stay empty.
fn announce(unavailable: Option<&'static str>) {
    let passes = DeferredSource::new();
    passes.timer("gpu/frame").budget(FRAME_BUDGET_MS);
    for name in PASSES {
        let pass = passes
            .timer(&format!("gpu/{name}"))
            .describe("GPU time of the pass");
        set_unavailable(pass.id(), unavailable);
    }
}
