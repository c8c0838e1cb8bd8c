//! The channels that carry full blocks to the writer thread, and empty ones back.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Mutex, PoisonError};

use super::block::Block;

/// The number of blocks. While the writer thread keeps up, most are empty. A block covers half a
/// second, so a write to the disk can take several seconds before frames are dropped.
const BLOCKS: usize = 16;

/// The game thread's end. Only [`Outgoing::wait`] blocks.
#[derive(Debug)]
pub(crate) struct Outgoing {
    full: SyncSender<Box<Block>>,
    /// Never locked: the mutex only makes a capture `Sync`, so that it can be a Bevy resource.
    empty: Mutex<Receiver<Box<Block>>>,
    /// Empty blocks, the most recently used one first.
    ready: VecDeque<Box<Block>>,
    /// How many more blocks [`take`](Self::take) takes from the back, so that each is used once.
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
    let (full, full_receiver) = sync_channel(BLOCKS);
    let (empty, empty_receiver) = sync_channel(BLOCKS);
    for _ in 0..BLOCKS {
        let mut block = Box::<Block>::default();
        prepare(&mut block);
        // There is room, and the receiver is in scope.
        let _ = empty.try_send(block);
    }
    let outgoing = Outgoing {
        full,
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
        self.full.try_send(block).map_err(|_| Ended)
    }
}

impl Incoming {
    /// Waits for a block; `None` when the capture ends.
    pub(crate) fn next(&self) -> Option<Box<Block>> {
        self.full.recv().ok()
    }

    /// Returns a block to the game thread, emptied.
    pub(crate) fn give_back(&self, mut block: Box<Block>) {
        block.clear();
        // Fails if the game thread has ended the capture.
        let _ = self.empty.try_send(block);
    }
}
