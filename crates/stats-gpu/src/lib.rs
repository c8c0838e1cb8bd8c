//! How long the passes of a frame take on the GPU, measured by wgpu's timestamp queries, as series
//! of [`stats_core`].
//!
//! ```no_run
//! # fn run(adapter: &wgpu::Adapter, device: &wgpu::Device, queue: &wgpu::Queue) {
//! // once; the device was made with `required_features: stats_gpu::required_features(&adapter)`
//! let mut gpu = stats_gpu::GpuTimer::with_adapter(adapter, device, queue);
//! if !gpu.status().is_timing() {
//!     println!("{}", gpu.status()); // says why, and what to do
//! }
//!
//! // in every frame
//! let mut encoder = device.create_command_encoder(&Default::default());
//! let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
//!     timestamp_writes: gpu.render_pass_timestamps("shadow"), // the timer gpu/shadow
//!     ..Default::default()
//! });
//! drop(pass);
//! gpu.end_frame(&mut encoder);
//! queue.submit([encoder.finish()]);
//! # }
//! ```
//!
//! # Frames without a time
//!
//! **A frame that could not be timed reads 0**, like one in which the GPU did nothing: histories
//! have no gaps. Which it is, the counters beside it say: `gpu/skipped-frames` is 1 in just the
//! frame that was skipped, and `gpu/lost-frames` counts in the frame in which it turned out that a
//! result never comes. Averages and percentiles over such frames are too low.
//!
//! A lost device times nothing until [`GpuTimer::recreate`]; [`GpuTimer::status`] and the listing
//! say so, and the program's own commands are not disturbed. The same where [`GpuTimer::end_frame`]
//! is never called.
//!
//! # Features
//!
//! - `enabled` (default): without it nothing is asked of the device, and every call is a no-op.
//!
//! # Internals
//!
//! A frame takes a *slot* of a ring with its first pass, and a stamp of the frame of `stats-core`
//! that it falls into. Each pass and scope is an entry in the slot's log and takes two queries of
//! its query sets. The frame's end records a copy of the queries into a buffer that can be read,
//! which wgpu maps when the commands are submitted. When the answer is there, frames later, the log
//! says which ticks are whose; they are judged one by one, and delivered as late values under the
//! frame of the stamp.
//!
//! Each step can fail, and then the frame is given up and its slot made anew: the device is lost,
//! the commands are never submitted, the answer does not come. The state machine of it knows
//! nothing of wgpu and is tested over every short schedule of such events.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod interval;
mod log;
mod memory;
mod names;
mod queries;
mod recording;
mod ring;
mod scope;
mod status;
mod timer;
mod unended;

pub use memory::GpuMemory;
pub use scope::Scope;
pub use status::{GpuStatus, required_features};
pub use timer::GpuTimer;
