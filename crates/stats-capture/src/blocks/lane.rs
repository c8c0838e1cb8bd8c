//! The channels that take blocks to the writer thread and back.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Mutex, PoisonError};

use super::block::Block;

/// The number of blocks. Most blocks are empty while the writing thread keeps up. A block has half
/// a second of frames, so a write to the disk can take several seconds before frames are dropped.
const BLOCKS: usize = 16;

/// The game thread's end. Only [`Outgoing::wait`] blocks.
#[derive(Debug)]
pub(crate) struct Outgoing {
    full: SyncSender<Box<Block>>,
    /// Never locked: the mutex only makes a capture `Sync`, so that it can be a Bevy resource.
    empty: Mutex<Receiver<Box<Block>>>,
    /// Empty blocks, the most recently used one first.
    ready: VecDeque<Box<Block>>,
    /// The number of blocks that [`take`](Self::take) still takes from the back, to use each once.
    renewing: usize,
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
    // Every channel has room for all blocks, so that no sender ever waits.
    let (full, full_there) = sync_channel(BLOCKS);
    let (empty, empty_there) = sync_channel(BLOCKS);
    for _ in 0..BLOCKS {
        let mut block = Box::<Block>::default();
        prepare(&mut block);
        // There is room, and the receiver is in scope.
        let _ = empty.try_send(block);
    }
    let outgoing = Outgoing {
        full,
        empty: Mutex::new(empty_there),
        ready: VecDeque::with_capacity(BLOCKS),
        renewing: BLOCKS,
    };
    let incoming = Incoming {
        full: full_there,
        empty,
    };
    (outgoing, incoming)
}

impl Outgoing {
    /// Uses each block once in turn. Call this after rows have become longer, so that all blocks
    /// allocate the memory that frames need.
    pub(crate) fn renew(&mut self) {
        self.renewing = BLOCKS;
    }

    /// Returns an empty block: the one that was used last, whose memory is still in the cache.
    /// `None` if the writer thread has all of them.
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

    /// Hands a block over.
    pub(crate) fn send(&self, block: Box<Block>) -> Result<(), Ended> {
        self.full.try_send(block).map_err(|_| Ended)
    }
}

impl Incoming {
    /// Waits for a block; `None` when the capture ends.
    pub(crate) fn next(&self) -> Option<Box<Block>> {
        self.full.recv().ok()
    }

    /// Gives a block back.
    pub(crate) fn give_back(&self, mut block: Box<Block>) {
        block.clear();
        // Fails if the game thread has ended the capture.
        let _ = self.empty.try_send(block);
    }
}
