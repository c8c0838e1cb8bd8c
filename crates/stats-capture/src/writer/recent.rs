//! The last frames in memory, as compressed chunks. New chunks replace the oldest ones.
//!
//! A chunk is a journal of a few seconds that can be read by itself: it describes all series, and
//! begins the open spans again. So the concatenation of the remaining chunks is a journal, too.
//!
//! These frames have a recorder and a thread of their own, so that recordings do not affect them.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use stats_core::limits::LATE_FRAMES;

use super::hitch_watch::HitchWatch;
use super::pictures::Pictures;
use super::samples::Samples;
use super::writer::{Save, Size, State, complete};
use crate::blocks::{Block, Incoming};
use crate::journal::{Append, Event};
use crate::metadata::Ended;
use crate::panics::are_saved;
use crate::paths::{JOURNAL, behind_links, beside, new_path, pictures_of};
use crate::{CaptureError, CaptureOptions};

/// The length of a chunk.
const CHUNK_NS: i64 = 5_000_000_000;

/// The size at which a chunk ends early, in bytes before compression.
const CHUNK_BYTES: u64 = 4 << 20;

/// The compression level. Half the size would take ten times as long.
const LEVEL: i32 = 1;

/// The part of the memory that the pictures may use: one of this many.
const PICTURES_PART: u64 = 4;

/// The maximum number of panics at which a program saves the last frames.
const MAX_PANICS: u64 = 8;

/// The number of panics so far.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// The maximum number of freezes at which a program saves the last frames.
const MAX_FREEZES: u64 = 8;

/// The number of freezes so far.
static FREEZES: AtomicU64 = AtomicU64::new(0);

/// The limits of the frames in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecentLimits {
    pub(crate) time: Duration,
    pub(crate) bytes: u64,
}

/// The state of the thread that keeps the last frames.
pub(crate) struct Recent {
    state: State,
    limits: RecentLimits,
    /// Asks for a save at a hitch, if the program wants that.
    hitches: Option<HitchWatch>,
    chunks: VecDeque<Chunk>,
    current: Current,
    /// The folder for the frames before a panic.
    folder: PathBuf,
}

/// The frames that are not in a chunk yet.
struct Current {
    /// The first of them; 0 if there are none.
    first: u64,
    /// When the first of them began.
    begin_ns: Option<i64>,
    /// When the last of them ended.
    end_ns: i64,
    samples: Samples,
}

struct Chunk {
    /// Its first frame, or a later one.
    first: u64,
    compressed: Vec<u8>,
    /// The length before compression.
    len: usize,
    /// When the last frame ended.
    end_ns: i64,
    /// The samples since the chunk began.
    samples: Samples,
}

impl Recent {
    pub(crate) fn new(
        options: CaptureOptions,
        limits: RecentLimits,
        hitches: Option<HitchWatch>,
        (folder, size): (PathBuf, Size),
    ) -> Self {
        let pictures = Pictures::in_memory(options.pictures, limits.bytes / PICTURES_PART);
        Self {
            state: State::new(Append::to_memory(), options, pictures, None, size),
            limits,
            hitches,
            folder,
            chunks: VecDeque::new(),
            current: Current {
                first: 0,
                begin_ns: None,
                end_ns: 0,
                samples: Samples::begin(),
            },
        }
    }

    /// Keeps the newest frames of all blocks, and saves them on request. Returns an empty path.
    pub(crate) fn run(mut self, incoming: &Incoming) -> Result<PathBuf, CaptureError> {
        self.state.run.find_machine();
        while let Some(mut block) = incoming.next() {
            self.take(&mut block).map_err(failed)?;
            incoming.give_back(block);
        }
        Ok(PathBuf::new())
    }

    fn take(&mut self, block: &mut Block) -> io::Result<()> {
        self.state.take(block)?;
        if let Some(hitches) = &mut self.hitches {
            hitches.take(block, self.state.run.frame_thread.as_deref());
        }
        if let (Some(first), Some(last)) = (block.frames.first(), block.frames.last()) {
            if self.current.begin_ns.is_none() {
                (self.current.first, self.current.begin_ns) = (first.frame, Some(first.start_ns));
            }
            self.current.end_ns = last.start_ns.saturating_add(last.duration_ns);
        }
        let begin_ns = self.current.begin_ns.unwrap_or(self.current.end_ns);
        let is_long = self.current.end_ns.saturating_sub(begin_ns) >= CHUNK_NS;
        if is_long || self.state.append.len() >= CHUNK_BYTES {
            self.cut()?;
        }
        for (path, sender) in std::mem::take(&mut self.state.saves) {
            self.cut()?;
            self.save((path, sender));
        }
        if let Some((name, done)) = self.state.panic.take() {
            self.cut()?;
            // Relaxed: a number of files, which orders nothing.
            let is_saved = PANICS.fetch_add(1, Ordering::Relaxed) < MAX_PANICS;
            let saved = is_saved.then(|| {
                let path = new_path(&self.folder, "panic");
                self.write(&path, &[Event::Point(name)], &[])
            });
            // Before the message: a panic inside `eprintln!` holds the lock of stderr while it waits.
            drop(done);
            match saved {
                Some(Ok(path)) => eprintln!("stats-capture: saved {} at a panic", path.display()),
                Some(Err(error)) => eprintln!("stats-capture: {error}"),
                None => {}
            }
        }
        let freeze = std::mem::take(&mut self.state.freeze);
        // Relaxed: a number of files, which orders nothing.
        if !freeze.is_empty()
            && are_saved()
            && FREEZES.fetch_add(1, Ordering::Relaxed) < MAX_FREEZES
        {
            if self.chunks.is_empty() {
                // Before the first block, too: then the file has only the marks.
                self.state.begin_first_stream()?;
            }
            self.cut()?;
            match self.write(&new_path(&self.folder, "freeze"), &[], &freeze) {
                Ok(path) => eprintln!("stats-capture: saved {} at a freeze", path.display()),
                Err(error) => eprintln!("stats-capture: {error}"),
            }
        }
        // Relaxed: the number is only shown, and orders nothing.
        self.state.size.store(self.bytes(), Ordering::Relaxed);
        Ok(())
    }

    /// Compresses the current frames into a chunk, and drops the oldest chunks beyond the limits.
    fn cut(&mut self) -> io::Result<()> {
        let journal = self.state.cut()?;
        let samples = std::mem::replace(&mut self.current.samples, Samples::begin());
        self.current.begin_ns = None;
        if !journal.is_empty() {
            self.chunks.push_back(Chunk {
                first: self.current.first,
                compressed: zstd::bulk::compress(&journal, LEVEL)?,
                len: journal.len(),
                end_ns: self.current.end_ns,
                samples,
            });
        }
        let begin_ns = self
            .current
            .end_ns
            .saturating_sub(nanoseconds(self.limits.time));
        while self.chunks.len() > 1
            && (self
                .chunks
                .front()
                .is_some_and(|oldest| oldest.end_ns <= begin_ns)
                || self.bytes() > self.limits.bytes)
        {
            self.chunks.pop_front();
        }
        if let Some(oldest) = self.chunks.front() {
            // Frames that waited for late values are in a later chunk than their block.
            let first = oldest.first.saturating_sub(LATE_FRAMES);
            self.state.pictures.forget_before(first);
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let chunks = self
            .chunks
            .iter()
            .map(|chunk| chunk.compressed.len() as u64);
        chunks.sum::<u64>() + self.state.append.len() + self.state.pictures.bytes()
    }

    /// Writes the chunks as a capture.
    fn save(&self, (path, sender): Save) {
        // Fails only if nobody waits for the result any more.
        let _ = sender.send(self.write(&path, &[], &[]));
    }

    /// Writes the chunks as a capture. `events` happened in the last frame, and `open` in the one
    /// after it.
    fn write(
        &self,
        path: &Path,
        events: &[Event],
        open: &[Event],
    ) -> Result<PathBuf, CaptureError> {
        let capture = behind_links(path);
        let journal = beside(&capture, JOURNAL);
        let mut append = Append::begin(&capture, &journal)?;
        let written = self.write_journal(&mut append, events, open);
        written.map_err(|source| {
            // The frames are still in memory, so they can be saved again.
            let _ = std::fs::remove_file(&journal);
            CaptureError::Write {
                journal: journal.clone(),
                source,
            }
        })?;
        let (capture, first) = complete(append, &journal, capture, true)?;
        self.state.pictures.write_to(&pictures_of(&capture), first);
        Ok(capture)
    }

    fn write_journal(
        &self,
        append: &mut Append,
        events: &[Event],
        open: &[Event],
    ) -> io::Result<()> {
        for chunk in &self.chunks {
            append.write_encoded(&zstd::bulk::decompress(&chunk.compressed, chunk.len)?)?;
        }
        let mut run = self.state.run.clone();
        run.ended = Ended::Clean;
        let samples = self
            .chunks
            .front()
            .map_or(&self.current.samples, |chunk| &chunk.samples);
        append.end(&[], &run, &samples.records(), events, open)
    }
}

fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

/// Turns the error of a failed compression into one of the capture. Writing to memory never fails.
fn failed(source: io::Error) -> CaptureError {
    CaptureError::Write {
        journal: Path::new("the last frames in memory").to_owned(),
        source,
    }
}
