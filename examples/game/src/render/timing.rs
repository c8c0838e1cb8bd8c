//! How long the passes take on the graphics device, and what memory it gives out.
use stats_core::{DeferredSource, set_unavailable};
use stats_gpu::{GpuMemory, GpuTimer};

use super::gpu::Gpu;

/// The passes as they are timed.
const PASSES: [&str; 6] = ["light", "world", "particles", "bloom", "composite", "ui"];
/// What is said of them where nothing is timed.
const UNTIMED: &str = "no GPU timing: gpu/frame says why";

/// The timer of a device, and its memory.
pub(crate) struct Timing {
    pub(crate) timer: GpuTimer,
    memory: GpuMemory,
}

impl Timing {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let _memory = stats_memory::scope!("timing");
        let timer = GpuTimer::with_adapter(&gpu.adapter, &gpu.device, &gpu.queue);
        announce((!timer.status().is_timing()).then_some(UNTIMED));
        Self {
            timer,
            memory: GpuMemory::new(&gpu.device),
        }
    }

    /// Ends the frame, with its last commands.
    pub(crate) fn end_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let _memory = stats_memory::scope!("timing");
        self.timer.end_frame(encoder);
        self.memory.sample();
    }
}

/// Lists the passes before the first of them is drawn, and where none is ever timed: whoever looks
/// for one finds it, or why it is empty.
fn announce(unavailable: Option<&'static str>) {
    let passes = DeferredSource::new();
    for name in PASSES {
        let pass = passes
            .timer(&format!("gpu/{name}"))
            .describe("drawing the pass on the graphics device");
        set_unavailable(pass.id(), unavailable);
    }
}
