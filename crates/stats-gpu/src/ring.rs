//! The ring of slots: which frame's results are where on their way back from the GPU.
//!
//! ```text
//!          first pass        end of the frame                 answered            taken in
//!   free ─────────────▶ recording ─▶ resolving ─▶ mapping ─────────────▶ read ─────────────▶ free
//!                                        │           │                    │
//!                                        └───────────┴───▶ failed ◀───────┘
//!                                                            └── made anew ──▶ free
//! ```
//!
//! A pure state machine: what touches the device is behind [`Backend`]. Every call returns at once;
//! nothing waits for a slot. A frame that finds none free is skipped: dropping the newest rather
//! than the oldest, since the oldest is the nearest to its result.

/// Where a slot is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It waits for a frame.
    Free,
    /// Passes of the frame under way are timed into it.
    Recording,
    /// The copy of its queries is being recorded.
    Resolving,
    /// Its buffer was asked for; the answer comes some frames later.
    Mapping,
    /// Its ticks are here and are being taken in.
    Read,
    /// Something went wrong: its frame is given up, and what it holds is made anew.
    Failed,
}

/// What is known of a buffer that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing yet.
    Waiting,
    /// It can be read.
    Mapped,
    /// It never can.
    Failed,
}

/// What a slot asks of a device. Slots are named by their number; nothing here may wait.
pub(crate) trait Backend {
    /// What commands are recorded into.
    type Commands;

    /// Records the copy of a slot's queries; `false` where that cannot be done.
    fn resolve(&mut self, slot: usize, commands: &mut Self::Commands) -> bool;

    /// Asks for the copy, from the moment on at which the commands are submitted; `false` where
    /// that cannot be done.
    fn map(&mut self, slot: usize, commands: &mut Self::Commands) -> bool;

    /// Whether the copy is here.
    fn poll(&mut self, slot: usize) -> Answer;

    /// Takes the ticks out of the copy; `false` where they are not to be had.
    fn read(&mut self, slot: usize) -> bool;

    /// Makes a slot ready for another frame. One that failed is made anew: an answer may still be
    /// under way to what it held.
    fn release(&mut self, slot: usize, failed: bool);
}

/// How a frame ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Its ticks are here, so many ends of frames after its own.
    Read(u64),
    /// They never will be.
    GivenUp,
}

/// A ring of slots, each tagged with what names its frame.
#[derive(Clone, Debug)]
pub(crate) struct Ring<T> {
    slots: Vec<Slot<T>>,
    current: Current,
    /// How many frames have ended.
    ended: u64,
    /// After so many more a frame is given up.
    patience: u64,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    state: State,
    /// Of the frame in it; `None` while it is free.
    stamp: Option<T>,
    /// How many frames had ended when its own did.
    ended: u64,
}

/// What is done with the frame under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Current {
    /// It has not begun.
    None,
    /// It is timed into a slot.
    In(usize),
    /// It is not timed.
    Skipped,
}

impl<T> Ring<T> {
    /// A ring of free slots.
    pub(crate) fn new(slots: usize, patience: u64) -> Self {
        let slot = || Slot {
            state: State::Free,
            stamp: None,
            ended: 0,
        };
        Self {
            slots: (0..slots).map(|_| slot()).collect(),
            current: Current::None,
            ended: 0,
            patience,
        }
    }

    /// The slot of the frame under way, which begins with the first call; `None` where the frame is
    /// skipped. `issue` names the frame.
    pub(crate) fn slot(&mut self, issue: impl FnOnce() -> T) -> Option<usize> {
        if self.current == Current::None {
            self.current = match self.slots.iter().position(|slot| slot.state == State::Free) {
                Some(free) => {
                    self.slots[free] = Slot {
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

    /// The slot of the frame under way, where it has begun and is not skipped.
    pub(crate) const fn recording(&self) -> Option<usize> {
        match self.current {
            Current::In(slot) => Some(slot),
            Current::None | Current::Skipped => None,
        }
    }

    /// Ends the frame under way, after taking in what has come; whether it was skipped.
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
        self.slots[slot].ended = self.ended;
        self.slots[slot].state = State::Resolving;
        if backend.resolve(slot, commands) {
            self.slots[slot].state = State::Mapping;
            if backend.map(slot, commands) {
                return;
            }
        }
        self.slots[slot].state = State::Failed;
        self.settle(slot, backend, settle);
    }

    /// Takes in what has come, of whichever frame, and frees its slots. `settle` is called once for
    /// each of those frames, before its slot is free.
    pub(crate) fn collect<B: Backend>(
        &mut self,
        backend: &mut B,
        mut settle: impl FnMut(&mut B, usize, T, Fate),
    ) {
        for at in 0..self.slots.len() {
            if self.slots[at].state == State::Mapping {
                self.slots[at].state = self.state_after(at, backend.poll(at), backend);
                self.settle(at, backend, &mut settle);
            }
        }
    }

    fn state_after<B: Backend>(&self, slot: usize, answer: Answer, backend: &mut B) -> State {
        let late = self.ended - self.slots[slot].ended > self.patience;
        match answer {
            Answer::Mapped if backend.read(slot) => State::Read,
            Answer::Mapped | Answer::Failed => State::Failed,
            Answer::Waiting if late => State::Failed,
            Answer::Waiting => State::Mapping,
        }
    }

    /// Frees a slot that was read or failed.
    fn settle<B: Backend>(
        &mut self,
        at: usize,
        backend: &mut B,
        mut settle: impl FnMut(&mut B, usize, T, Fate),
    ) {
        let slot = &mut self.slots[at];
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
#[path = "ring_tests.rs"]
mod tests;
