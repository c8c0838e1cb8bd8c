//! The timer of a device: what a program calls while it records a frame.

use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_core::{Counter, DeferredSeries, DeferredSource, FrameStamp, Gauge, set_unavailable};

use crate::log::Log;
use crate::names::Names;
use crate::queries::{MOST_QUERIES, Queries};
use crate::recording::{Entered, Recording};
use crate::ring::Fate;
use crate::scope::Scope;
use crate::status::GpuStatus;

/// The folder of everything that is timed.
pub(crate) const ROOT: &str = "gpu";

/// The name of the frame's extent, below [`ROOT`].
pub(crate) const FRAME: &str = "frame";

/// How many frames can be on their way back from the GPU. Drivers queue two or three; the rest is
/// for those that answer late.
const SLOTS: usize = 8;

/// After so many frames a result is no longer waited for: it would come too late for its frame, and
/// commands that are kept and never submitted would hold a slot for ever.
const PATIENCE: u64 = stats_core::limits::LATE_FRAMES;

static LATENCY: Gauge = Gauge::new("gpu/latency-frames")
    .describe("how many frames after its own the last GPU result came");
static SKIPPED: Counter = Counter::new("gpu/skipped-frames")
    .describe("frames not timed, since all results before were still under way");
static LOST: Counter =
    Counter::new("gpu/lost-frames").describe("frames whose GPU result never came");
static UNTIMED: Counter =
    Counter::new("gpu/untimed-passes").describe("passes beyond the 2,048 that a frame can time");
static REJECTED: Counter = Counter::new("gpu/rejected-intervals")
    .describe("GPU intervals thrown away: never written, backwards, absurdly long or disjoint");

/// Times the passes of a device, as timers below `gpu/`.
///
/// A pass is timed by one line in its descriptor, and the frame is ended by one call before its
/// last commands are submitted:
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
/// Times come some frames later and stand under the frame that they were recorded in; a name that
/// is used several times in a frame adds up, and its calls are counted. Names may contain `/`.
/// Beside them stand, with names that are reserved,
///
/// - `gpu/frame`: milliseconds from the frame's first begin to its last end;
/// - `gpu/latency-frames`: how many frames later the last result came;
/// - `gpu/skipped-frames`, `gpu/lost-frames`: frames that were not timed since eight were under
///   way, and that were, but gave no result; so do frames that were never
///   [ended](GpuTimer::end_frame), about;
/// - `gpu/untimed-passes`: passes beyond the 2,048 passes and scopes that a frame can time;
/// - `gpu/rejected-intervals`: intervals that are thrown away: never written, ending before they
///   begin, of 10 seconds or more, or so far from the rest of their frame.
///
/// A pass or scope with one of these names, or with `memory-allocated` or `memory-reserved`,
/// outside any scope, is timed as `gpu/pass-frame` and so on, and reported as a
/// [problem](stats_core::problems).
///
/// A frame that could not be timed reads 0, like one in which the GPU did nothing, and
/// `gpu/skipped-frames` or `gpu/lost-frames` is 1 in just that frame; one that is found to be lost
/// later counts in the frame of that moment.
///
/// Nothing waits for the GPU. Any number of threads may record at once; a pass belongs to the
/// innermost scope that is open on its own thread. Passes are to be those of the timer's own
/// device: with another device's encoder or pass, wgpu reports a validation error. Where the device
/// has no timestamps everything is a no-op, and `gpu/frame` is
/// [unavailable](stats_core::set_unavailable) with the text of the [`status`](GpuTimer::status).
///
/// # Cost
///
/// A pass takes a lock, a hash and the two queries: some hundred nanoseconds, most of them wgpu's.
/// A frame takes one more copy of its queries and one map of 16 bytes for each pass. Memory: 512
/// bytes for every 32 passes, nine times, on the device.
#[derive(Debug)]
pub struct GpuTimer {
    status: GpuStatus,
    late: DeferredSource,
    /// `None` where nothing is timed.
    live: Option<Live>,
}

#[derive(Debug)]
struct Live {
    queries: Queries,
    recording: Mutex<Recording>,
    frame: DeferredSeries,
    values: Vec<(DeferredSeries, f64)>,
}

impl GpuTimer {
    /// A timer for a device, which is to have what [`features`](crate::features) says.
    #[must_use]
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        Self::with_status(GpuStatus::of(device, None), device, queue)
    }

    /// A timer that can also say whether it is the adapter that has no timestamps, or the device
    /// that was made without.
    #[must_use]
    pub fn with_adapter(
        adapter: &wgpu::Adapter,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
    ) -> Self {
        Self::with_status(GpuStatus::of(device, Some(adapter)), device, queue)
    }

    fn with_status(status: GpuStatus, device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let late = DeferredSource::new();
        let frame = late
            .timer(&format!("{ROOT}/{FRAME}"))
            .describe("from the first begin to the last end of what the GPU did");
        // Listed in any case, so that whoever looks for it is told why there is nothing to see.
        set_unavailable(frame.id(), (!status.is_timing()).then(|| status.text()));
        let live = status
            .is_timing()
            .then(|| Live::new(&late, frame, device, queue));
        Self { status, late, live }
    }

    /// What can be timed, as text with the cure where that is nothing. It can change: to
    /// [`DeviceLost`](GpuStatus::DeviceLost), as soon as that is noticed, and to
    /// [`NeverEnded`](GpuStatus::NeverEnded).
    #[must_use]
    pub fn status(&self) -> GpuStatus {
        let trouble = self
            .live
            .as_ref()
            .and_then(|live| live.trouble(&live.lock()));
        trouble.unwrap_or(self.status)
    }

    /// For the `timestamp_writes` of a render pass: times it under a name. `None`, which times
    /// nothing, where there are no timestamps and in a frame that is skipped.
    ///
    /// The pass is to be begun in this frame and with commands that are submitted no later than
    /// those that end it.
    #[must_use = "the name is taken: put it into the descriptor of a pass"]
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

    /// The same as [`render_pass_timestamps`](GpuTimer::render_pass_timestamps), for a compute pass.
    #[must_use = "the name is taken: put it into the descriptor of a pass"]
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

    /// A scope on an encoder, which it stands for until it is dropped: what is timed meanwhile on
    /// this thread stands below its name.
    ///
    /// Its time includes what the GPU does between its passes. GPUs may reorder and overlap work,
    /// so it can be more or less than the sum of them.
    #[must_use = "the scope ends when it is dropped: bind it, and record through it"]
    pub fn scope<'a>(&'a self, encoder: &'a mut wgpu::CommandEncoder, name: &str) -> Scope<'a> {
        let timed = self.status == GpuStatus::Timing;
        let live = self.live.as_ref();
        let entered =
            live.and_then(|live| live.begin(|recording| recording.open(&self.late, name, timed)));
        Scope::new(self, encoder, entered)
    }

    /// Ends the frame: records into `encoder` how its times come back, and takes in those of
    /// earlier frames. Never waits.
    ///
    /// The commands are to be submitted after, or together with and behind, all others of the
    /// frame; it costs least where they are those that the passes were recorded into. Submitted
    /// before them, they bring back what the queries had before: the times of an earlier frame,
    /// which nothing tells from those of this one. Commands that are never submitted cost the frame
    /// its times, and nothing else.
    pub fn end_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(live) = &mut self.live {
            live.end_frame(&self.late, encoder);
        }
    }

    /// Takes in what has come meanwhile, without waiting: for a host that is idle.
    /// [`end_frame`](GpuTimer::end_frame) does it anyway, for what wgpu has learnt at the last
    /// [`wgpu::Queue::submit`].
    pub fn collect(&mut self) {
        if let Some(live) = &mut self.live {
            live.collect(&self.late);
        }
    }

    /// Goes on with another device, after the last one was lost. Everything on the last one is
    /// released, and what was still to come of it is given up.
    pub fn recreate(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) {
        // With the last of `Late` its outstanding stamps are given up.
        *self = Self::new(device, queue);
    }

    fn pass(&self, name: &str) -> Option<(&wgpu::QuerySet, u32, u32)> {
        let live = self.live.as_ref()?;
        let (slot, query) = live.begin(|recording| recording.pass(&self.late, name))?;
        let (set, at) = live.queries.place(slot, query)?;
        Some((set, at, at + 1))
    }

    /// The set and the number of one of the queries of a scope.
    pub(crate) fn query(&self, (slot, query): (usize, u32)) -> Option<(&wgpu::QuerySet, u32)> {
        self.live.as_ref()?.queries.place(slot, query)
    }

    /// Ends a scope.
    pub(crate) fn close(&self, entered: Entered) {
        if let Some(live) = &self.live {
            live.lock().close(entered);
        }
    }
}

impl Live {
    fn new(
        late: &DeferredSource,
        frame: DeferredSeries,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
    ) -> Self {
        // So that they are listed before the first of them counts.
        let _ = (
            LATENCY.id(),
            SKIPPED.id(),
            LOST.id(),
            UNTIMED.id(),
            REJECTED.id(),
        );
        Self {
            queries: Queries::new(device, queue, SLOTS),
            recording: Mutex::new(Recording::new(
                Names::new(late.clone(), ROOT),
                SLOTS,
                PATIENCE,
                MOST_QUERIES,
            )),
            frame,
            values: Vec::new(),
        }
    }

    /// What has gone wrong since the timer was made.
    fn trouble(&self, recording: &Recording) -> Option<GpuStatus> {
        let never_ended = recording.unended.is_sure().then_some(GpuStatus::NeverEnded);
        self.queries
            .is_lost()
            .then_some(GpuStatus::DeviceLost)
            .or(never_ended)
    }

    /// Says beside the frame's series what has gone wrong, and takes it back.
    fn tell(&self, recording: &mut Recording) {
        let trouble = self.trouble(recording);
        if std::mem::replace(&mut recording.told, trouble) != trouble {
            set_unavailable(self.frame.id(), trouble.map(GpuStatus::text));
        }
    }

    /// Lets a pass or scope begin, and counts the frames that should have ended before it.
    fn begin<T>(&self, begin: impl FnOnce(&mut Recording) -> Option<T>) -> Option<T> {
        if self.queries.is_lost() {
            return None;
        }
        let mut recording = self.lock();
        let begun = begin(&mut recording);
        let lost = std::mem::take(&mut recording.unended.lost);
        if lost > 0 {
            LOST.add(lost);
            self.tell(&mut recording);
        }
        begun
    }

    fn lock(&self) -> MutexGuard<'_, Recording> {
        // Nothing panics while it is held but running out of memory, and then the state is still
        // whole.
        self.recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn end_frame(&mut self, late: &DeferredSource, encoder: &mut wgpu::CommandEncoder) {
        let (
            queries,
            Recording {
                ring,
                names,
                logs,
                untimed,
                ..
            },
        ) = (&mut self.queries, own(&mut self.recording));
        if let Some(slot) = ring.recording() {
            queries.set_used(slot, logs[slot].queries());
        }
        UNTIMED.add(std::mem::take(untimed));
        let mut desk = Desk {
            late,
            frame: self.frame,
            names,
            logs,
            values: &mut self.values,
        };
        let skipped = ring.end(queries, encoder, |queries, slot, stamp, fate| {
            desk.settle(queries, slot, stamp, fate)
        });
        SKIPPED.add(u32::from(skipped));
        let mut recording = self.lock();
        recording.unended.end();
        self.tell(&mut recording);
    }

    fn collect(&mut self, late: &DeferredSource) {
        let (
            queries,
            Recording {
                ring, names, logs, ..
            },
        ) = (&mut self.queries, own(&mut self.recording));
        queries.poll_device();
        let mut desk = Desk {
            late,
            frame: self.frame,
            names,
            logs,
            values: &mut self.values,
        };
        ring.collect(queries, |queries, slot, stamp, fate| {
            desk.settle(queries, slot, stamp, fate)
        });
        self.tell(&mut self.lock());
    }
}

fn own(recording: &mut Mutex<Recording>) -> &mut Recording {
    recording.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Where results are handed over.
struct Desk<'a> {
    late: &'a DeferredSource,
    frame: DeferredSeries,
    names: &'a Names,
    logs: &'a mut [Log],
    values: &'a mut Vec<(DeferredSeries, f64)>,
}

impl Desk<'_> {
    fn settle(&mut self, queries: &Queries, slot: usize, stamp: FrameStamp, fate: Fate) {
        let Fate::Read(latency) = fate else {
            LOST.increment();
            return self.late.give_up(stamp);
        };
        self.values.clear();
        let sum = self.logs[slot].sum(
            queries.ticks(slot),
            queries.period_ns(),
            self.names,
            self.values,
        );
        self.values.extend(sum.frame_ms.map(|ms| (self.frame, ms)));
        self.late.deliver(stamp, self.values);
        REJECTED.add(sum.rejected);
        LATENCY.set(latency as f64);
    }
}
