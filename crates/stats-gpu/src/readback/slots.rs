//! The slots, which track the results of each frame on their way back from the GPU.
//!
//! ```text
//!          first pass        end of the frame                  mapped            delivered
//!   free ─────────────▶ recording ─▶ resolving ─▶ mapping ─────────────▶ read ─────────────▶ free
//!                                        │           │                    │
//!                                        └───────────┴───▶ failed ◀───────┘
//!                                                            └── recreated ──▶ free
//! ```
//!
//! This is a pure state machine; everything that touches the device is behind [`Backend`]. Every
//! call returns at once, and nothing waits for a slot. If no slot is free, the frame is skipped.
//! The newest frame is dropped rather than the oldest, because the oldest is closest to its result.

/// The state of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The slot waits for a frame.
    Free,
    /// Passes of the current frame are timed into the slot.
    Recording,
    /// The copy of the slot's queries is being recorded.
    Resolving,
    /// The slot's buffer is being mapped, which takes a few frames.
    Mapping,
    /// The slot's ticks were read and are being delivered.
    Read,
    /// Something went wrong: the slot's frame is given up, and its contents are recreated.
    Failed,
}

/// The state of a buffer that is being mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The buffer is not mapped yet.
    Waiting,
    /// The buffer can be read.
    Mapped,
    /// The buffer will never be mapped.
    Failed,
}

/// The operations of a device that the slots need. Slots are identified by index. No method may
/// wait.
pub(crate) trait Backend {
    /// The encoder that commands are recorded into.
    type Commands;

    /// Records the copy of a slot's queries. Returns `false` if that is impossible.
    fn resolve(&mut self, slot: usize, commands: &mut Self::Commands) -> bool;

    /// Requests that the copy be mapped once the commands are submitted. Returns `false` if that is
    /// impossible.
    fn map(&mut self, slot: usize, commands: &mut Self::Commands) -> bool;

    /// Returns whether the copy is mapped.
    fn poll(&mut self, slot: usize) -> Answer;

    /// Reads the ticks from the mapped copy. Returns `false` if they cannot be read.
    fn read(&mut self, slot: usize) -> bool;

    /// Prepares a slot for another frame. The contents of a slot that failed are recreated, because
    /// an answer for the old contents may still arrive.
    fn release(&mut self, slot: usize, failed: bool);
}

/// The fate of a frame's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The frame's ticks were read after this many further frames had ended.
    Read(u64),
    /// The frame's ticks will never be read.
    GivenUp,
}

/// Some slots, each with the stamp of its frame.
#[derive(Clone, Debug)]
pub(crate) struct Slots<T> {
    all: Vec<Slot<T>>,
    current: Current,
    /// The number of frames that have ended.
    ended: u64,
    /// The number of further frames that may end before a frame is given up.
    patience: u64,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    state: State,
    /// The stamp of the slot's frame; `None` while the slot is free.
    stamp: Option<T>,
    /// The number of frames that had ended when the slot's frame ended.
    ended: u64,
}

/// The state of the current frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Current {
    /// The frame has not begun.
    None,
    /// The frame is timed into a slot.
    In(usize),
    /// The frame is not timed.
    Skipped,
}

impl<T> Slots<T> {
    /// Creates free slots.
    pub(crate) fn new(slots: usize, patience: u64) -> Self {
        let slot = || Slot {
            state: State::Free,
            stamp: None,
            ended: 0,
        };
        Self {
            all: (0..slots).map(|_| slot()).collect(),
            current: Current::None,
            ended: 0,
            patience,
        }
    }

    /// Returns the slot of the current frame, or `None` if the frame is skipped. The first call of
    /// a frame begins it: it takes a free slot and the frame's stamp from `issue`.
    pub(crate) fn slot(&mut self, issue: impl FnOnce() -> T) -> Option<usize> {
        if self.current == Current::None {
            self.current = match self.all.iter().position(|slot| slot.state == State::Free) {
                Some(free) => {
                    self.all[free] = Slot {
                        state: State::Recording,
                        stamp: Some(issue()),
                        ended: 0,
                    };
                    Current::In(free)
                }
                None => Current::Skipped,
            };
        }
        self.recording()
    }

    /// Returns the slot of the current frame, or `None` if the frame has not begun or is skipped.
    pub(crate) const fn recording(&self) -> Option<usize> {
        match self.current {
            Current::In(slot) => Some(slot),
            Current::None | Current::Skipped => None,
        }
    }

    /// Settles the frames whose results have arrived, then ends the current frame. Returns whether
    /// the current frame was skipped.
    pub(crate) fn end<B: Backend>(
        &mut self,
        backend: &mut B,
        commands: &mut B::Commands,
        mut settle: impl FnMut(&mut B, usize, T, Fate),
    ) -> bool {
        self.ended += 1;
        self.collect(backend, &mut settle);
        let current = std::mem::replace(&mut self.current, Current::None);
        if let Current::In(slot) = current {
            self.close(slot, backend, commands, settle);
        }
        current == Current::Skipped
    }

    fn close<B: Backend>(
        &mut self,
        slot: usize,
        backend: &mut B,
        commands: &mut B::Commands,
        settle: impl FnMut(&mut B, usize, T, Fate),
    ) {
        self.all[slot].ended = self.ended;
        self.all[slot].state = State::Resolving;
        if backend.resolve(slot, commands) {
            self.all[slot].state = State::Mapping;
            if backend.map(slot, commands) {
                return;
            }
        }
        self.all[slot].state = State::Failed;
        self.settle(slot, backend, settle);
    }

    /// Settles the frames whose results have arrived or failed, in any order, and frees their
    /// slots. `settle` is called once for each such frame, before its slot is freed.
    pub(crate) fn collect<B: Backend>(
        &mut self,
        backend: &mut B,
        mut settle: impl FnMut(&mut B, usize, T, Fate),
    ) {
        for at in 0..self.all.len() {
            if self.all[at].state == State::Mapping {
                self.all[at].state = self.state_after(at, backend.poll(at), backend);
                self.settle(at, backend, &mut settle);
            }
        }
    }

    fn state_after<B: Backend>(&self, slot: usize, answer: Answer, backend: &mut B) -> State {
        let is_late = self.ended - self.all[slot].ended > self.patience;
        match answer {
            Answer::Mapped if backend.read(slot) => State::Read,
            Answer::Mapped | Answer::Failed => State::Failed,
            Answer::Waiting if is_late => State::Failed,
            Answer::Waiting => State::Mapping,
        }
    }

    /// Settles and frees a slot that was read or failed; does nothing in any other state.
    fn settle<B: Backend>(
        &mut self,
        at: usize,
        backend: &mut B,
        mut settle: impl FnMut(&mut B, usize, T, Fate),
    ) {
        let slot = &mut self.all[at];
        let fate = match slot.state {
            State::Read => Fate::Read(self.ended - slot.ended),
            State::Failed => Fate::GivenUp,
            State::Free | State::Recording | State::Resolving | State::Mapping => return,
        };
        if let Some(stamp) = slot.stamp.take() {
            settle(backend, at, stamp, fate);
        }
        backend.release(at, fate == Fate::GivenUp);
        slot.state = State::Free;
    }
}

#[cfg(test)]
mod tests;
