//! The public timer: what a program calls while it records a frame.

use stats_core::{DeferredSource, own_memory, set_unavailable};

use crate::device_timer::DeviceTimer;
use crate::own_series::{FRAME, ROOT};
use crate::scope::Scope;
use crate::status::GpuStatus;

/// Times the passes of a device, as timers below `gpu/`.
///
/// One line in a pass's descriptor times the pass, and one call ends the frame before its last
/// commands are submitted:
///
/// ```no_run
/// # fn frame(mut gpu: stats_gpu::GpuTimer, device: &wgpu::Device, queue: &wgpu::Queue) {
/// let mut encoder = device.create_command_encoder(&Default::default());
/// {
///     let mut bloom = gpu.scope(&mut encoder, "bloom"); // gpu/bloom
///     let pass = bloom.begin_render_pass(&wgpu::RenderPassDescriptor {
///         timestamp_writes: gpu.render_pass_timestamps("blur"), // gpu/bloom/blur
///         ..Default::default()
///     });
/// }
/// gpu.end_frame(&mut encoder);
/// queue.submit([encoder.finish()]);
/// # }
/// ```
///
/// Results arrive a few frames later and are attributed to the frame in which the pass was
/// recorded. The times of a name that is used several times in a frame are added up, and its calls
/// are counted. Names may contain `/`.
///
/// # Reserved names
///
/// The timer has its own series, whose names are reserved:
///
/// - `gpu/frame`: milliseconds from the frame's first start to its last end.
/// - `gpu/latency-frames`: the number of frames by which the most recent result was late.
/// - `gpu/skipped-frames`: frames that were not timed because eight frames were waiting for their
///   results.
/// - `gpu/lost-frames`: frames that were timed but gave no result, and an approximate count of
///   frames that were never [ended](GpuTimer::end_frame).
/// - `gpu/untimed-passes`: passes and scopes beyond the 2,048 that a frame can time.
/// - `gpu/rejected-intervals`: intervals that were discarded because they were never written, end
///   before they begin, last 10 seconds or longer, or lie that far from the rest of their frame.
///
/// A pass or scope outside any scope that has one of these names, or the name `memory-allocated` or
/// `memory-reserved`, is timed as `gpu/pass-frame` and so on. It is reported as a
/// [`ReservedPath`](stats_core::Problem::ReservedPath) among the [problems](stats_core::problems).
///
/// # Frames without a time
///
/// A frame that could not be timed is unknown in all series of passes and scopes. Either it was skipped,
/// its results were lost, all its intervals were rejected, or the program [left it
/// out](GpuTimer::leave_out_frame). A frame without passes reads 0.
/// `gpu/skipped-frames` is 1 in exactly the frame that was skipped. `gpu/lost-frames` counts a lost
/// result in the frame in which the loss is discovered.
///
/// # Threads and devices
///
/// Nothing waits for the GPU. Any number of threads may record at once; a pass belongs to the
/// innermost scope that is open on its own thread. Use the timer only with passes and encoders of
/// its own device: for those of another device, wgpu reports a validation error. On a device
/// without timestamps every call is a no-op, and `gpu/frame` is
/// [unavailable](stats_core::set_unavailable) with the text of the [`status`](GpuTimer::status).
///
/// # Cost
///
/// A pass takes a lock, a hash and its two queries: 1 to 3 µs, most of it in wgpu. A
/// frame takes one more copy of its queries, and mapping 16 bytes for each pass. The device memory
/// is nine times 512 bytes for every 32 passes.
#[derive(Debug)]
pub struct GpuTimer {
    status: GpuStatus,
    source: DeferredSource,
    /// `None` if the device cannot time anything.
    device: Option<DeviceTimer>,
}

impl GpuTimer {
    /// Creates a timer for a device, which should have been created with the
    /// [`required_features`](crate::required_features).
    #[must_use]
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        Self::with_status(GpuStatus::of(device, None), device, queue)
    }

    /// Creates a timer whose [`status`](GpuTimer::status) also distinguishes an adapter that has no
    /// timestamps from a device that was created without them.
    #[must_use]
    pub fn with_adapter(
        adapter: &wgpu::Adapter,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
    ) -> Self {
        Self::with_status(GpuStatus::of(device, Some(adapter)), device, queue)
    }

    fn with_status(status: GpuStatus, device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let _memory = own_memory("stats-gpu");
        let source = DeferredSource::new();
        let frame = source
            .timer(&format!("{ROOT}/{FRAME}"))
            .describe("time from the first start to the last end of the frame's GPU work");
        // Always listed, so that the reason for missing values can be found.
        set_unavailable(frame.id(), (!status.is_timing()).then(|| status.text()));
        let device = status
            .is_timing()
            .then(|| DeviceTimer::new(&source, frame, device, queue));
        Self {
            status,
            source,
            device,
        }
    }

    /// Returns whether passes and scopes can be timed. If not, the displayed status gives the
    /// reason and the fix.
    ///
    /// The status can change to [`DeviceLost`](GpuStatus::DeviceLost) once the loss is noticed, and
    /// to and from [`NeverEnded`](GpuStatus::NeverEnded).
    #[must_use]
    pub fn status(&self) -> GpuStatus {
        self.device
            .as_ref()
            .and_then(DeviceTimer::trouble)
            .unwrap_or(self.status)
    }

    /// Times a render pass under `name`: returns the `timestamp_writes` of its descriptor.
    ///
    /// Returns `None`, which times nothing, on a device without timestamps and in a frame that is
    /// skipped.
    ///
    /// Begin the pass in this frame, and record it into commands that are submitted no later than
    /// the commands that end the frame.
    #[must_use = "the name is recorded: put the result into the descriptor of a pass"]
    pub fn render_pass_timestamps(
        &self,
        name: &str,
    ) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let (query_set, begin, end) = self.pass(name)?;
        Some(wgpu::RenderPassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// Times a compute pass under `name`, like
    /// [`render_pass_timestamps`](GpuTimer::render_pass_timestamps).
    #[must_use = "the name is recorded: put the result into the descriptor of a pass"]
    pub fn compute_pass_timestamps(
        &self,
        name: &str,
    ) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let (query_set, begin, end) = self.pass(name)?;
        Some(wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// Opens a scope on an encoder. Record through the scope until it is dropped; passes and scopes
    /// that begin on this thread before then are listed below `name`.
    ///
    /// A scope's time includes what the GPU does between its passes. GPUs may reorder and overlap
    /// work, so the time can be more or less than the sum of the passes.
    #[must_use = "the scope ends when it is dropped: bind it, and record through it"]
    pub fn scope<'a>(&'a self, encoder: &'a mut wgpu::CommandEncoder, name: &str) -> Scope<'a> {
        let _memory = own_memory("stats-gpu");
        let has_queries = self.status == GpuStatus::Timing;
        let entered = self.device.as_ref().and_then(|device| {
            let entered =
                device.begin(|recording| recording.open(&self.source, name, has_queries))?;
            Some((device, entered))
        });
        Scope::new(encoder, entered)
    }

    /// Ends the frame: records into `encoder` the commands that copy the frame's times back, and
    /// delivers the times of earlier frames that have arrived. Never waits.
    ///
    /// Submit these commands after all others of the frame, or last in the same submission. The
    /// cheapest choice is the encoder that the passes were recorded into. Commands that are
    /// submitted before the passes copy the previous contents of the queries: the times of an
    /// earlier frame, which cannot be distinguished from those of this one. If the commands are
    /// never submitted, only the times of this frame are lost.
    pub fn end_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let _memory = own_memory("stats-gpu");
        if let Some(device) = &mut self.device {
            device.end_frame(&self.source, encoder);
        }
    }

    /// Makes the current frame unknown in all series of passes and scopes, instead of 0: for a frame
    /// whose passes are not timed, such as one that only saves a picture. Call it between two calls of
    /// [`end_frame`](GpuTimer::end_frame), in the frame of the recorder that is left out. Takes a lock
    /// and a few nanoseconds for each pass that was ever timed.
    pub fn leave_out_frame(&self) {
        if self.device.is_some() {
            self.source.give_up(self.source.issue());
        }
    }

    /// Delivers the results that have arrived, without waiting and without ending a frame: for a
    /// host that is idle. [`end_frame`](GpuTimer::end_frame) does the same for the results that
    /// wgpu learned of during the last [`wgpu::Queue::submit`].
    pub fn collect(&mut self) {
        let _memory = own_memory("stats-gpu");
        if let Some(device) = &mut self.device {
            device.collect(&self.source);
        }
    }

    /// Continues with another device, after the previous one was lost. Releases everything on the
    /// previous device and gives up its outstanding results.
    pub fn recreate(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) {
        let _memory = own_memory("stats-gpu");
        // Dropping the last clone of the source gives up its outstanding stamps.
        *self = Self::new(device, queue);
    }

    fn pass(&self, name: &str) -> Option<(&wgpu::QuerySet, u32, u32)> {
        let _memory = own_memory("stats-gpu");
        let device = self.device.as_ref()?;
        let query = device.begin(|recording| recording.pass(&self.source, name))?;
        let (set, index) = device.query(query)?;
        Some((set, index, index + 1))
    }
}
