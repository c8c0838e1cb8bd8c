//! The part of a timer that exists only on a device that can time passes: the frame being recorded,
//! and the results on their way back.

use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_core::{DeferredSeries, DeferredSource, FrameStamp, set_unavailable};

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use crate::frame::GpuPlace;
use crate::frame::{Entered, Log, Names, Recording};
use crate::own_series::{self, LATENCY, LOST, REJECTED, ROOT, SKIPPED, UNTIMED};
use crate::readback::{Fate, MAX_QUERIES, Queries};
use crate::status::GpuStatus;

/// The number of frames that can wait for their results. Drivers queue two or three frames; the
/// others are for devices that answer late.
const SLOTS: usize = 8;

/// The number of frames after which a result is given up. It would be too late for its frame, and
/// commands that are kept but never submitted would otherwise occupy a slot forever.
const PATIENCE: u64 = stats_core::limits::LATE_FRAMES;

/// The state of a timer on a device that can time passes.
#[derive(Debug)]
pub(crate) struct DeviceTimer {
    queries: Queries,
    recording: Mutex<Recording>,
    /// The series of the frame's extent.
    frame: DeferredSeries,
    delivered: Delivered,
}

/// What the delivery of a frame keeps for the next one.
#[derive(Debug, Default)]
struct Delivered {
    /// The values of the frame. Kept to reuse its memory.
    values: Vec<(DeferredSeries, f64)>,
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    place: GpuPlace,
}

impl DeviceTimer {
    pub(crate) fn new(
        source: &DeferredSource,
        frame: DeferredSeries,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
    ) -> Self {
        own_series::register_for_timing();
        let names = Names::new(source.clone(), ROOT);
        Self {
            queries: Queries::new(device, queue, SLOTS),
            recording: Mutex::new(Recording::new(names, SLOTS, PATIENCE, MAX_QUERIES)),
            frame,
            delivered: Delivered::default(),
        }
    }

    /// Returns the reason why the timer does not work at present; `None` if it works.
    pub(crate) fn trouble(&self) -> Option<GpuStatus> {
        self.trouble_in(&self.lock())
    }

    /// Records the start of a pass or scope, and counts the frames that should have ended before
    /// it. Returns `None` on a lost device.
    pub(crate) fn begin<T>(&self, record: impl FnOnce(&mut Recording) -> Option<T>) -> Option<T> {
        if self.queries.is_lost() {
            return None;
        }
        let mut recording = self.lock();
        let begun = record(&mut recording);
        let lost = recording.unended.take_lost();
        if lost > 0 {
            LOST.add(lost);
            self.publish_trouble(&mut recording);
        }
        begun
    }

    /// Closes a scope.
    pub(crate) fn close(&self, entered: Entered) {
        self.lock().close(entered);
    }

    /// Returns the query set of a query of a slot, and the index of the query in that set.
    pub(crate) fn query(&self, (slot, query): (usize, u32)) -> Option<(&wgpu::QuerySet, u32)> {
        self.queries.set_and_index(slot, query)
    }

    pub(crate) fn end_frame(
        &mut self,
        source: &DeferredSource,
        encoder: &mut wgpu::CommandEncoder,
    ) {
        let (queries, recording) = (&mut self.queries, get_mut(&mut self.recording));
        if let Some(slot) = recording.slots.recording() {
            queries.set_used(slot, recording.logs[slot].queries());
        }
        UNTIMED.add(std::mem::take(&mut recording.untimed));
        let settle = delivery(
            source,
            self.frame,
            &recording.names,
            &mut recording.logs,
            &mut self.delivered,
        );
        let is_skipped = recording.slots.end(queries, encoder, settle);
        SKIPPED.add(u32::from(is_skipped));
        if is_skipped {
            source.give_up(source.issue());
        }
        recording.unended.end();
        self.publish_trouble(&mut self.lock());
    }

    pub(crate) fn collect(&mut self, source: &DeferredSource) {
        let (queries, recording) = (&mut self.queries, get_mut(&mut self.recording));
        queries.poll_device();
        let settle = delivery(
            source,
            self.frame,
            &recording.names,
            &mut recording.logs,
            &mut self.delivered,
        );
        recording.slots.collect(queries, settle);
        self.publish_trouble(&mut self.lock());
    }

    fn trouble_in(&self, recording: &Recording) -> Option<GpuStatus> {
        if self.queries.is_lost() {
            Some(GpuStatus::DeviceLost)
        } else if recording.unended.is_certain() {
            Some(GpuStatus::NeverEnded)
        } else {
            None
        }
    }

    /// Publishes a change of the trouble as the reason why the frame's series has no values.
    fn publish_trouble(&self, recording: &mut Recording) {
        let trouble = self.trouble_in(recording);
        if std::mem::replace(&mut recording.published_trouble, trouble) != trouble {
            set_unavailable(self.frame.id(), trouble.map(GpuStatus::text));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Recording> {
        // Nothing panics while the lock is held except running out of memory, which leaves the
        // state consistent.
        self.recording
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn get_mut(recording: &mut Mutex<Recording>) -> &mut Recording {
    recording.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a function that delivers the values of the frame in a slot to their series, or gives the
/// frame up. `logs` has the log of each slot.
fn delivery<'a>(
    source: &'a DeferredSource,
    frame: DeferredSeries,
    names: &'a Names,
    logs: &'a mut [Log],
    delivered: &'a mut Delivered,
) -> impl FnMut(&mut Queries, usize, FrameStamp, Fate) + 'a {
    move |queries, slot, stamp, fate| {
        let Fate::Read(latency) = fate else {
            LOST.increment();
            return source.give_up(stamp);
        };
        let values = &mut delivered.values;
        values.clear();
        let sum = logs[slot].sum(queries.ticks(slot), queries.period_ns(), names, values);
        values.extend(sum.frame_ms.map(|ms| (frame, ms)));
        REJECTED.add(sum.rejected);
        if values.is_empty() && sum.rejected > 0 {
            source.give_up(stamp);
        } else {
            source.deliver(stamp, values);
        }
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        logs[slot].record_spans(queries.period_ns(), names, &mut delivered.place);
        LATENCY.set(latency as f64);
    }
}
