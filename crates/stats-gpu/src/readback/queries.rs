//! The slots on a device: query sets, and the buffers through which their ticks come back. The only
//! file that creates resources on the device.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

use super::slots::{Answer, Backend};

/// The largest number of queries of a frame. A pass takes two.
pub(crate) const MAX_QUERIES: u32 = wgpu::QUERY_SET_MAX_QUERIES;

/// The number of queries in a set.
///
/// For each pass that writes to a set, wgpu keeps a list as long as the set. Several short sets
/// keep the cost of a pass independent of the number of passes in the frame. The bytes of a set are
/// a multiple of [`wgpu::QUERY_RESOLVE_BUFFER_ALIGNMENT`].
const SET_SIZE: u32 = 64;

const SETS: usize = (MAX_QUERIES / SET_SIZE) as usize;

/// The query sets and buffers of every slot, created when they are first needed.
#[derive(Debug)]
pub(crate) struct Queries {
    device: wgpu::Device,
    queue: wgpu::Queue,
    slots: Vec<Slot>,
    /// The buffer that queries are resolved into before they are copied to a mappable buffer. It
    /// serves all slots, because the GPU executes the copies one after another.
    resolved: Option<wgpu::Buffer>,
    /// The ticks of the slot that was read last.
    ticks: Vec<u64>,
    /// Whether the device is known to be lost. From then on nothing is recorded: resources created
    /// on a lost device are invalid, and submitting commands that use them is a validation error,
    /// for which wgpu panics in the program's own `submit`.
    lost: AtomicBool,
}

#[derive(Debug)]
struct Slot {
    /// The query sets, filled from the front. A `OnceLock` lets a pass borrow its set while the
    /// next pass creates another.
    sets: [OnceLock<wgpu::QuerySet>; SETS],
    read: Option<wgpu::Buffer>,
    answer: Arc<AtomicU8>,
    /// The number of queries that the slot's frame took.
    used: u32,
    /// The ticks that each query had when it was last read: a query that is not written keeps them.
    before: Vec<u64>,
}

impl Queries {
    pub(crate) fn new(device: &wgpu::Device, queue: &wgpu::Queue, slots: usize) -> Self {
        let slots = (0..slots).map(|_| Slot::new()).collect();
        Self {
            device: device.clone(),
            queue: queue.clone(),
            slots,
            resolved: None,
            ticks: Vec::new(),
            lost: AtomicBool::new(false),
        }
    }

    /// Returns the query set of a slot's query, and the index of the query in that set. Creates the
    /// set if necessary. Returns `None` on a lost device.
    pub(crate) fn set_and_index(&self, slot: usize, query: u32) -> Option<(&wgpu::QuerySet, u32)> {
        let cell = &self.slots[slot].sets[(query / SET_SIZE) as usize];
        if cell.get().is_none() {
            let set = self.create_set();
            // Probed afterward: a device that is not lost now was not lost when the set was
            // created.
            self.probe();
            if !self.is_lost() {
                let _ = cell.set(set);
            }
        }
        cell.get()
            .filter(|_| !self.is_lost())
            .map(|set| (set, query % SET_SIZE))
    }

    /// Returns whether the device is known to be lost.
    pub(crate) fn is_lost(&self) -> bool {
        // Relaxed: no other memory is published with the flag.
        self.lost.load(Ordering::Relaxed)
    }

    /// Checks whether the device is lost.
    ///
    /// wgpu reports the loss to a callback, but only the program may set it. A buffer that is
    /// mapped at creation can be read at once unless it was created on a lost device.
    fn probe(&self) {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("stats-gpu"),
            size: wgpu::COPY_BUFFER_ALIGNMENT.max(wgpu::MAP_ALIGNMENT),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: true,
        });
        if buffer.get_mapped_range(..).is_err() {
            // Relaxed: a flag by itself; it publishes no data.
            self.lost.store(true, Ordering::Relaxed);
        }
    }

    /// Sets the number of queries that the slot's frame took.
    pub(crate) fn set_used(&mut self, slot: usize, used: u32) {
        self.slots[slot].used = used;
    }

    /// Returns the ticks of `slot`, which must be the slot that was read last, and the ticks that
    /// its queries had before.
    pub(crate) fn ticks(&self, slot: usize) -> (&[u64], &[u64]) {
        (&self.ticks, &self.slots[slot].before)
    }

    /// Returns the length of a tick in nanoseconds. Not cached, because browsers refine it while
    /// they run.
    pub(crate) fn period_ns(&self) -> f64 {
        f64::from(self.queue.get_timestamp_period())
    }

    /// Lets wgpu run the callbacks of buffers that are mapped by now, without waiting.
    pub(crate) fn poll_device(&self) {
        // An error means a lost device. The answers are then errors too, and arrive the same way.
        let _ = self.device.poll(wgpu::PollType::Poll);
    }

    fn create_set(&self) -> wgpu::QuerySet {
        let label = Some("stats-gpu");
        self.device.create_query_set(&wgpu::QuerySetDescriptor {
            label,
            ty: wgpu::QueryType::Timestamp,
            count: SET_SIZE,
        })
    }

    /// Creates or enlarges the buffers for a slot's queries if necessary. Returns `false` on a lost
    /// device.
    fn ensure_buffers(&mut self, slot: usize) -> bool {
        use wgpu::BufferUsages as Usage;
        let slot = &mut self.slots[slot];
        let size = u64::from(slot.used.next_multiple_of(SET_SIZE)) * u64::from(wgpu::QUERY_SIZE);
        let resolved = Self::grow(
            &self.device,
            &mut self.resolved,
            size,
            Usage::QUERY_RESOLVE | Usage::COPY_SRC,
        );
        let read = Self::grow(
            &self.device,
            &mut slot.read,
            size,
            Usage::COPY_DST | Usage::MAP_READ,
        );
        if resolved || read {
            self.probe();
        }
        !self.is_lost()
    }

    /// Recreates a buffer that is missing or too small. Returns whether it did.
    fn grow(
        device: &wgpu::Device,
        buffer: &mut Option<wgpu::Buffer>,
        size: u64,
        usage: wgpu::BufferUsages,
    ) -> bool {
        let is_too_small = buffer.as_ref().is_none_or(|buffer| buffer.size() < size);
        if is_too_small {
            let descriptor = wgpu::BufferDescriptor {
                label: Some("stats-gpu"),
                size,
                usage,
                mapped_at_creation: false,
            };
            *buffer = Some(device.create_buffer(&descriptor));
        }
        is_too_small
    }
}

impl Slot {
    fn new() -> Self {
        let answer = Arc::new(AtomicU8::new(WAITING));
        Self {
            sets: [const { OnceLock::new() }; SETS],
            read: None,
            answer,
            used: 0,
            before: Vec::new(),
        }
    }

    fn bytes(&self) -> u64 {
        u64::from(self.used) * u64::from(wgpu::QUERY_SIZE)
    }
}

impl Backend for Queries {
    type Commands = wgpu::CommandEncoder;

    fn resolve(&mut self, slot: usize, commands: &mut wgpu::CommandEncoder) -> bool {
        if self.slots[slot].used == 0 {
            return true;
        }
        if !self.ensure_buffers(slot) {
            return false;
        }
        let slot = &self.slots[slot];
        let (Some(resolved), Some(read)) = (&self.resolved, &slot.read) else {
            return false;
        };
        for (at, set) in slot.sets.iter().map_while(OnceLock::get).enumerate() {
            let begin = at as u32 * SET_SIZE;
            if begin >= slot.used {
                break;
            }
            let count = (slot.used - begin).min(SET_SIZE);
            commands.resolve_query_set(
                set,
                0..count,
                resolved,
                u64::from(begin) * u64::from(wgpu::QUERY_SIZE),
            );
        }
        commands.copy_buffer_to_buffer(resolved, 0, read, 0, slot.bytes());
        true
    }

    fn map(&mut self, slot: usize, commands: &mut wgpu::CommandEncoder) -> bool {
        let slot = &self.slots[slot];
        if slot.used == 0 {
            // Relaxed: no callback of this slot is outstanding, so no other thread stores.
            slot.answer.store(MAPPED, Ordering::Relaxed);
            return true;
        }
        let Some(read) = &slot.read else { return false };
        let pending = Pending {
            answer: Arc::clone(&slot.answer),
        };
        // Relaxed: no callback of this slot is outstanding, so no other thread stores.
        pending.answer.store(WAITING, Ordering::Relaxed);
        commands.map_buffer_on_submit(read, wgpu::MapMode::Read, 0..slot.bytes(), move |result| {
            pending.answer(result.is_ok())
        });
        true
    }

    fn poll(&mut self, slot: usize) -> Answer {
        // Acquire, paired with the Release in `Pending::answer`, although wgpu has its own locks
        // around mapped buffers.
        match self.slots[slot].answer.load(Ordering::Acquire) {
            WAITING if self.is_lost() => Answer::Failed,
            WAITING => Answer::Waiting,
            MAPPED => Answer::Mapped,
            REFUSED => {
                self.probe();
                Answer::Failed
            }
            _ => Answer::Failed,
        }
    }

    fn read(&mut self, slot: usize) -> bool {
        self.ticks.clear();
        let slot = &self.slots[slot];
        let Some(read) = slot.read.as_ref().filter(|_| slot.used > 0) else {
            return slot.used == 0;
        };
        let Ok(view) = read.get_mapped_range(0..slot.bytes()) else {
            self.probe();
            return false;
        };
        let (ticks, _) = view.as_chunks();
        self.ticks
            .extend(ticks.iter().map(|bytes| u64::from_ne_bytes(*bytes)));
        true
    }

    fn release(&mut self, slot: usize, failed: bool) {
        let slot = &mut self.slots[slot];
        if failed {
            *slot = Slot::new();
            return;
        }
        if let Some(read) = slot.read.as_ref().filter(|_| slot.used > 0) {
            read.unmap();
        }
        let kept = self.ticks.len().max(slot.before.len());
        slot.before.resize(kept, 0);
        slot.before[..self.ticks.len()].copy_from_slice(&self.ticks);
    }
}

const WAITING: u8 = 0;
const MAPPED: u8 = 1;
/// wgpu refused to map the buffer, usually because the device is lost.
const REFUSED: u8 = 2;
/// The commands were never submitted.
const DROPPED: u8 = 3;

/// The answer to a mapping request. Dropping it unanswered, as happens with commands that are never
/// submitted, answers with an error.
struct Pending {
    answer: Arc<AtomicU8>,
}

impl Pending {
    fn answer(self, mapped: bool) {
        // Release, paired with the Acquire in `poll`: a thread that sees the answer may read the
        // buffer.
        self.answer
            .store(if mapped { MAPPED } else { REFUSED }, Ordering::Release);
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // Does nothing if the request was answered. Release like the answer itself; Relaxed on
        // failure, where nothing is done.
        let _ =
            self.answer
                .compare_exchange(WAITING, DROPPED, Ordering::Release, Ordering::Relaxed);
    }
}
