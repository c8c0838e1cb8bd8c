//! The counters of each render pass, and their totals.
use std::time::Duration;

use stats_core::{Counter, Histogram, Timer, Unit};

use crate::sim::clock::charge;

/// How long it takes to record a draw call, for tests.
const PER_DRAW: Duration = Duration::from_micros(10);

static DRAWS: Counter = Counter::new("render/draw-calls")
    .budget(120.0)
    .describe("draw calls of the scene; those of the UI, including this overlay, are in render/ui");
static INSTANCES: Counter =
    Counter::new("render/instances").describe("instances drawn by the passes of the scene");
static VERTICES: Counter =
    Counter::new("render/vertices").describe("vertices drawn by the passes of the scene");
static BATCH: Histogram = Histogram::new("render/batch-size")
    .unit(Unit::Custom("instances"))
    .describe("instances per draw call of the scene");
static PASSES: Counter = Counter::new("render/passes").describe("render passes begun");

/// The counters of one pass.
pub(super) struct PassCounters {
    pub(super) record: Timer,
    pub(super) draws: Counter,
    pub(super) instances: Counter,
    pub(super) vertices: Counter,
    pub(super) pipelines: Counter,
    pub(super) binds: Counter,
}

/// Declares the counters of a pass below `render/<name>/`.
macro_rules! pass_counters {
    ($name:literal, $budget:literal) => {
        $crate::render::counters::PassCounters {
            record: stats_core::Timer::new(concat!("render/", $name, "/record"))
                .budget($budget)
                .describe("recording the pass on the CPU"),
            draws: stats_core::Counter::new(concat!("render/", $name, "/draw-calls"))
                .describe("draw calls of the pass"),
            instances: stats_core::Counter::new(concat!("render/", $name, "/instances"))
                .describe("instances that the pass drew"),
            vertices: stats_core::Counter::new(concat!("render/", $name, "/vertices"))
                .describe("vertices that the pass drew"),
            pipelines: stats_core::Counter::new(concat!("render/", $name, "/pipelines"))
                .describe("pipelines set in the pass"),
            binds: stats_core::Counter::new(concat!("render/", $name, "/bind-groups"))
                .describe("bind groups set in the pass"),
        }
    };
}
pub(super) use pass_counters;

/// A render pass that counts its commands.
pub(super) struct CountedPass<'encoder> {
    pass: wgpu::RenderPass<'encoder>,
    counters: &'static PassCounters,
}

impl<'encoder> CountedPass<'encoder> {
    pub(super) fn new(pass: wgpu::RenderPass<'encoder>, counters: &'static PassCounters) -> Self {
        PASSES.increment();
        Self { pass, counters }
    }

    pub(super) fn pipeline(&mut self, pipeline: &wgpu::RenderPipeline) {
        self.counters.pipelines.increment();
        self.pass.set_pipeline(pipeline);
    }

    pub(super) fn bind(&mut self, index: u32, group: &wgpu::BindGroup) {
        self.counters.binds.increment();
        self.pass.set_bind_group(index, group, &[]);
    }

    pub(super) fn buffer(&mut self, buffer: &wgpu::Buffer) {
        self.pass.set_vertex_buffer(0, buffer.slice(..));
    }

    /// Draws instances: in one call, or in one call each if `one_by_one` is set.
    pub(super) fn draw(&mut self, vertices: u32, instances: u32, one_by_one: bool) {
        if instances == 0 {
            return;
        }
        let calls = if one_by_one { instances } else { 1 };
        for call in 0..calls {
            let range = if one_by_one {
                call..call + 1
            } else {
                0..instances
            };
            BATCH.record(range.len());
            self.pass.draw(0..vertices, range);
        }
        self.count(calls, instances, u64::from(vertices) * u64::from(instances));
    }

    fn count(&self, calls: u32, instances: u32, vertices: u64) {
        charge(calls as usize, PER_DRAW);
        self.counters.draws.add(calls);
        self.counters.instances.add(instances);
        self.counters.vertices.add(vertices);
        DRAWS.add(calls);
        INSTANCES.add(instances);
        VERTICES.add(vertices);
    }
}

/// Counts a pass that egui's renderer records.
pub(super) fn count_pass() {
    PASSES.increment();
}
