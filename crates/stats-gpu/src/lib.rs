//! GPU time of each render and compute pass, as series of [`stats_core`].
//!
//! A frame may be slow on the CPU or on the GPU, and a CPU profiler cannot tell which. This crate
//! measures the GPU's side with wgpu's timestamp queries. Each named pass becomes a timer below
//! `gpu/`, next to the counters and timers of the rest of the program. Its time appears in the
//! frame in which it was recorded, although the result arrives several frames later.
//!
//! ```no_run
//! # fn run(adapter: &wgpu::Adapter, device: &wgpu::Device, queue: &wgpu::Queue) {
//! // Once. The device was created with `stats_gpu::required_features(adapter)`.
//! let mut gpu = stats_gpu::GpuTimer::with_adapter(adapter, device, queue);
//! if !gpu.status().is_timing() {
//!     println!("{}", gpu.status()); // says why, and what to change
//! }
//!
//! // Every frame.
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
//! [`GpuMemory`] adds the memory that wgpu has allocated on the device, also by label, and
//! [`memory_dump()`] lists every allocation for the overlay's memory view.
//! [`FramePictures`] keeps small pictures of the newest frames, so that one of them can be read back
//! after its frame turned out to be a hitch.
//!
//! # Cost
//!
//! A pass takes a lock, a hash and two queries: 1 to 3 µs, most of it in wgpu.
//! [`GpuTimer`](GpuTimer#cost) lists the costs of a frame. Nothing ever waits for the GPU.
//!
//! # Limits
//!
//! - A frame times at most 2,048 passes and scopes. Further ones are counted in
//!   `gpu/untimed-passes`.
//! - At most eight frames can be waiting for their results. A frame that begins while eight are
//!   waiting is skipped.
//! - **A frame that could not be timed is unknown**, in all series of passes and scopes: graphs have
//!   a gap there. A frame without passes reads 0, unless the program [left it
//!   out](GpuTimer::leave_out_frame). `gpu/skipped-frames` is 1 in exactly the frame that was skipped. `gpu/lost-frames` counts a lost result in the frame in which the loss was
//!   discovered.
//! - After the device is lost, nothing is timed until [`GpuTimer::recreate`]. If
//!   [`GpuTimer::end_frame`] is never called, no result ever arrives. In both cases
//!   [`GpuTimer::status`] and the listing of `gpu/frame` report it, and the program's own commands
//!   are not disturbed.
//!
//! # Features
//!
//! - `enabled` (default): without it nothing is requested from the device, and every call is a
//!   no-op.
//!
//! # Internals
//!
//! The first pass of a frame takes a *slot* and a stamp of the current frame of `stats-core`. Each
//! pass and scope is an entry in the slot's log and takes two queries of the slot's query sets. The
//! end of the frame records a copy of the queries into a readable buffer, which wgpu maps once the
//! commands are submitted. When the buffer is mapped, a few frames later, the log assigns its ticks
//! to passes. Each interval is checked by itself, and the accepted ones are delivered as deferred
//! values for the stamp's frame.
//!
//! Each step can fail: the device is lost, the commands are never submitted, or no result arrives.
//! The frame is then given up and its slot is recreated. The state machine that decides this does
//! not use wgpu and is tested with every short schedule of such events.
//!
//! - **One line per pass.** `render_pass_timestamps` and `compute_pass_timestamps` return the value
//!   for the pass descriptor and borrow only the timer, so that they fit into the call that begins
//!   the pass. Ending a frame borrows the timer exclusively: the compiler ensures that no scope is
//!   open.
//! - **A frame ends with the last commands submitted.** The query copy is recorded after the
//!   passes, and wgpu maps the buffer when those commands are submitted. A separate submission
//!   would cost more than everything else.
//! - **A scope without its own timestamps spans its passes**, so that names and sums are the same
//!   in browsers and on Apple's GPUs, where encoders have no timestamps.
//! - **An unwritten query reads its previous value.** Each slot remembers its last ticks, and
//!   rejects a value that has not changed since. A zero interval is valid, because clocks are
//!   coarse.
//! - **Failed buffers are recreated**, and so is the buffer of a lost result, which may still
//!   arrive. After 64 frames, a result would be too late for its frame, so it is given up.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod memory;
mod memory_dump;
mod memory_names;
mod pictures;
mod scope;
mod status;
mod timer;

mod device_timer;
mod frame;
mod own_series;
mod readback;

pub use memory::GpuMemory;
pub use memory_dump::memory_dump;
pub use pictures::{FramePicture, FramePictures};
pub use scope::Scope;
pub use status::{GpuStatus, required_features};
pub use timer::GpuTimer;
