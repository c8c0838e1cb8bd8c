//! The channels that carry full blocks to the writer thread, and empty ones back.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvError, Sender, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::block::{Block, Note};

/// The number of blocks. While the writer thread keeps up, most are empty. A block covers half a
/// second, so a write to the disk can take several seconds before frames are dropped.
const BLOCKS: usize = 16;

/// The game thread's end. Only [`Outgoing::wait`] blocks.
#[derive(Debug)]
pub(crate) struct Outgoing {
    slot: Arc<Slot>,
    /// Never locked: the mutex only makes a capture `Sync`, so that it can be a Bevy resource.
    empty: Mutex<Receiver<Box<Block>>>,
    /// Empty blocks, the most recently used one first.
    ready: VecDeque<Box<Block>>,
    /// How many more blocks [`take`](Self::take) takes from the back, so that each is used once.
    renewing: usize,
}

/// What a panic on any thread and a freeze reach: the way to the writer thread, and between two
/// frames, if [wanted](crate::save_on_panic), the newest block.
#[derive(Debug)]
pub(crate) struct Slot {
    full: SyncSender<Box<Block>>,
    newest: Mutex<Option<Box<Block>>>,
    /// Lives until the writer thread has taken the newest freeze.
    freeze: Mutex<Weak<()>>,
}

/// How often, and in which steps, a panic waits for a block that is in use.
const WAITS: u32 = 20;
const WAIT: Duration = Duration::from_millis(1);

impl Slot {
    /// Sends the newest block to the writer thread as the last one. `name` is its last mark, and `done`
    /// is dropped when the file is complete.
    pub(crate) fn end_with(&self, name: &str, done: &Sender<()>) {
        let mut newest = None;
        // The thread of the game may be ending a frame, unless it panicked there.
        for _ in 0..WAITS {
            newest = self.newest().take();
            if newest.is_some() {
                break;
            }
            std::thread::sleep(WAIT);
        }
        let is_extra = newest.is_none();
        let mut block: Box<Block> = newest.unwrap_or_default();
        (block.is_cut, block.is_extra) = (true, is_extra);
        block.notes.push(Note::Panic(name.to_owned(), done.clone()));
        // There is room for one. After another panic, nobody reads it.
        let _ = self.full.try_send(block);
    }

    /// Tells the writer thread that the current frame does not end. `names` are its marks. Leaves it
    /// out if the writer thread has not taken the freeze before.
    pub(crate) fn tell_freeze(&self, names: &[String]) {
        let mut freeze = self.freeze.lock().unwrap_or_else(PoisonError::into_inner);
        if freeze.strong_count() > 0 {
            return;
        }
        let waiting = Arc::new(());
        *freeze = Arc::downgrade(&waiting);
        let mut block = Box::<Block>::default();
        block.is_extra = true;
        block.notes.push(Note::Freeze(names.to_vec(), waiting));
        // There is room for one. After the end, nobody reads it.
        let _ = self.full.try_send(block);
    }

    fn newest(&self) -> MutexGuard<'_, Option<Box<Block>>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The writer thread's end.
#[derive(Debug)]
pub(crate) struct Incoming {
    full: Receiver<Box<Block>>,
    empty: SyncSender<Box<Block>>,
}

/// The writer thread has ended.
#[derive(Debug)]
pub(crate) struct Ended;

/// Returns both ends, with all blocks in circulation. `prepare` is called on each block first.
pub(crate) fn lane(mut prepare: impl FnMut(&mut Block)) -> (Outgoing, Incoming) {
    // Every channel has room for all blocks, and for those of a panic and of a freeze, so that no
    // sender ever waits.
    let (full, full_receiver) = sync_channel(BLOCKS + 2);
    let (empty, empty_receiver) = sync_channel(BLOCKS);
    for _ in 0..BLOCKS {
        let mut block = Box::<Block>::default();
        prepare(&mut block);
        // There is room, and the receiver is in scope.
        let _ = empty.try_send(block);
    }
    let slot = Slot {
        full,
        newest: Mutex::new(None),
        freeze: Mutex::new(Weak::new()),
    };
    let outgoing = Outgoing {
        slot: Arc::new(slot),
        empty: Mutex::new(empty_receiver),
        ready: VecDeque::with_capacity(BLOCKS),
        renewing: BLOCKS,
    };
    let incoming = Incoming {
        full: full_receiver,
        empty,
    };
    (outgoing, incoming)
}

impl Outgoing {
    /// Makes [`take`](Self::take) use each block once in turn. Call this after rows have become
    /// longer, so that all blocks allocate the memory now.
    pub(crate) fn renew(&mut self) {
        self.renewing = BLOCKS;
    }

    /// Returns the most recently used empty block, whose memory is still in the cache; `None` if
    /// the writer thread has all blocks.
    pub(crate) fn take(&mut self) -> Result<Option<Box<Block>>, Ended> {
        loop {
            match self.empty().try_recv() {
                Ok(block) => self.ready.push_front(block),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(Ended),
            }
        }
        if self.renewing == 0 {
            return Ok(self.ready.pop_front());
        }
        self.renewing -= 1;
        Ok(self.ready.pop_back())
    }

    pub(crate) fn slot(&self) -> &Arc<Slot> {
        &self.slot
    }

    /// Leaves a block where a panic finds it. Gives it back if a panic looks for one right now.
    pub(crate) fn leave(&self, block: Option<Box<Block>>) -> Option<Box<Block>> {
        match self.slot.newest.try_lock() {
            Ok(mut newest) => std::mem::replace(&mut newest, block),
            Err(_) => block,
        }
    }

    /// Takes the block that was left, unless a panic has taken it.
    pub(crate) fn take_left(&self) -> Option<Box<Block>> {
        self.slot.newest.try_lock().ok()?.take()
    }

    /// Waits for an empty block.
    pub(crate) fn wait(&mut self) -> Result<Box<Block>, Ended> {
        match self.ready.pop_front() {
            Some(block) => Ok(block),
            None => self.empty().recv().map_err(|RecvError| Ended),
        }
    }

    fn empty(&mut self) -> &mut Receiver<Box<Block>> {
        self.empty.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a block to the writer thread.
    pub(crate) fn send(&self, block: Box<Block>) -> Result<(), Ended> {
        self.slot.full.try_send(block).map_err(|_| Ended)
    }
}

impl Incoming {
    /// Waits for a block; `None` when the capture ends.
    pub(crate) fn next(&self) -> Option<Box<Block>> {
        self.full.recv().ok()
    }

    /// Returns a block to the game thread, emptied.
    pub(crate) fn give_back(&self, mut block: Box<Block>) {
        // With more blocks, the channels would have too little room.
        if block.is_extra {
            return;
        }
        block.clear();
        // Fails if the game thread has ended the capture.
        let _ = self.empty.try_send(block);
    }
}
