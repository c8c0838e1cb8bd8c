//! The public type that records.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::Instant;

use stats_core::limits::MAX_MARK_NAME;
use stats_core::{FrameTime, MarkEvent, RecordedLength, Recorder};

use super::row::{Rows, has_waited};
use crate::blocks::{Block, Ended, Incoming, Note, Notes, Outgoing, Picture, lane};
use crate::journal::Append;
use crate::paths::{JOURNAL, beside};
use crate::writer::{Recent, RecentLimits, Size, Writer};
use crate::{CaptureError, CaptureOptions};

/// The frames that the recorder holds: those whose values are not yet known, and those that pass
/// while the disk stalls.
const HISTORY: usize = 1024;

/// A run that is being recorded.
///
/// Call [`end_frame`](Self::end_frame) at the end of each frame. The capture has a recorder of its
/// own, so it disturbs no other. Frame 0 begins when the capture is created.
///
/// Dropping it completes the file, and so does [`finish`](Self::finish), which also returns errors.
/// Both wait until the run is compressed. If the program is killed instead, the journal stays beside
/// the file (`run.parquet.journal`), with every frame up to the last second:
/// [`recover`](crate::recover()) completes it.
///
/// # Cost
///
/// A frame takes about twice as long as a [survey](stats_core::Source::survey): some nanoseconds for
/// each series. Nothing on the thread of the game allocates (except when series are registered),
/// compresses, waits, or touches a file. Another thread writes the journal twice a second. If it
/// falls behind by more than some seconds, frames are dropped, and counted in the file. What the
/// capture costs is in the file too, as [`Cost`](crate::Cost).
///
/// # Values that are known later
///
/// Values of a [`DeferredSource`](stats_core::DeferredSource), such as GPU times, are waited for,
/// up to [`LATE_FRAMES`](stats_core::limits::LATE_FRAMES) frames. Those that are not known when the
/// capture ends are null, and so is the value of the frame in which such a series is registered.
///
/// # Errors while recording
///
/// If the disk is full, the capture stops, and the frames up to then are in the journal.
/// [`error`](Self::error) says so at once and [`finish`](Self::finish) at the end; a capture that is
/// dropped prints it to standard error.
///
/// ```no_run
/// use stats_capture::{Capture, CaptureOptions};
///
/// let mut capture = Capture::create("run.parquet", CaptureOptions::default())?;
/// for _frame in 0..600 {
///     // … the frame …
///     capture.end_frame();
/// }
/// println!("recorded {}", capture.finish()?.display());
/// # Ok::<(), stats_capture::CaptureError>(())
/// ```
#[derive(Debug)]
pub struct Capture {
    recorder: Recorder,
    rows: Rows,
    block: Option<Box<Block>>,
    block_begun: Instant,
    /// For the next block.
    notes: Notes,
    cost_ns: u64,
    dropped: u64,
    pictures: SlowestFrames,
    /// Whether the thread that writes has ended; `error` says why.
    has_failed: bool,
    /// `None` after the end.
    running: Option<Running>,
    error: Arc<OnceLock<String>>,
    size: Size,
}

#[derive(Debug)]
struct Running {
    outgoing: Outgoing,
    thread: JoinHandle<Result<PathBuf, CaptureError>>,
}

/// The slowest frames of which there are pictures.
#[derive(Debug)]
struct SlowestFrames {
    most: usize,
    durations_ms: Vec<f64>,
}

impl Capture {
    /// Starts to record into a file, which appears when the capture is complete. A file of that name
    /// is replaced then. The folder is created if it is missing.
    ///
    /// # Errors
    ///
    /// - [`CaptureError::Create`] if the journal cannot be created.
    /// - [`CaptureError::JournalExists`] if there is one already.
    /// - [`CaptureError::Thread`] if no thread can be started.
    pub fn create(path: impl AsRef<Path>, options: CaptureOptions) -> Result<Self, CaptureError> {
        let path = path.as_ref().to_owned();
        let journal = beside(&path, JOURNAL);
        let append = Append::begin(&path, &journal)?;
        Self::start(options.pictures, |size| {
            let writer = Writer::new(path, journal, append, options, size);
            move |incoming: &Incoming| writer.run(incoming)
        })
    }

    /// Starts to keep the last frames in memory; [`save`](Self::save) writes them.
    pub(crate) fn keep_recent(
        options: CaptureOptions,
        limits: RecentLimits,
    ) -> Result<Self, CaptureError> {
        Self::start(0, |size| {
            let recent = Recent::new(options, limits, size);
            move |incoming: &Incoming| recent.run(incoming)
        })
    }

    fn start<W>(most_pictures: usize, writer: impl FnOnce(Size) -> W) -> Result<Self, CaptureError>
    where
        W: FnOnce(&Incoming) -> Result<PathBuf, CaptureError> + Send + 'static,
    {
        let mut recorder = Recorder::with_history(HISTORY);
        let mut rows = Rows::default();
        rows.follow(&mut recorder);
        let (outgoing, incoming) = lane(|block| rows.prepare(block));
        let error = Arc::new(OnceLock::new());
        let size = Size::default();
        let writer = writer(Arc::clone(&size));
        let told = Arc::clone(&error);
        let thread = std::thread::Builder::new()
            .name("stats-capture".to_owned())
            .spawn(move || {
                let ended = writer(&incoming);
                if let Err(error) = &ended {
                    // The first error is the only one.
                    let _ = told.set(error.to_string());
                }
                ended
            })
            .map_err(|source| CaptureError::Thread { source })?;
        // From here on, the values of all series are counted.
        recorder.survey_values();
        Ok(Self {
            recorder,
            rows,
            block: None,
            block_begun: Instant::now(),
            notes: Notes::default(),
            cost_ns: 0,
            dropped: 0,
            pictures: SlowestFrames {
                most: most_pictures,
                durations_ms: Vec::with_capacity(most_pictures.min(1024)),
            },
            has_failed: false,
            running: Some(Running { outgoing, thread }),
            error,
            size,
        })
    }

    /// Saves the frames that are kept as a capture, and tells how that ended.
    pub(crate) fn save(&mut self, path: PathBuf, told: Sender<Result<PathBuf, CaptureError>>) {
        self.note(Note::Save(path, told));
    }

    /// Returns how much is recorded.
    pub(crate) fn length(&self) -> RecordedLength {
        let newest = self.recorder.frames().end.checked_sub(1);
        let newest = newest.and_then(|frame| self.recorder.frame(frame));
        RecordedLength {
            seconds: newest.map_or(0.0, |frame| frame.start_secs + frame.duration_ms / 1e3),
            // Relaxed: a number for people, which orders nothing.
            bytes: self.size.load(Ordering::Relaxed),
        }
    }

    /// Ends a frame.
    pub fn end_frame(&mut self) {
        let begun = Instant::now();
        if !self.has_failed {
            self.recorder.end_frame();
            self.take_row(begun);
        }
    }

    /// Ends a frame at a time that the caller gives, in seconds since the capture was created: for
    /// runs that are to be reproducible. See
    /// [`Recorder::end_frame_at`](stats_core::Recorder::end_frame_at).
    pub fn end_frame_at(&mut self, time: impl Into<FrameTime>) {
        let begun = Instant::now();
        if !self.has_failed {
            self.recorder.end_frame_at(time);
            self.take_row(begun);
        }
    }

    /// Restarts the frame clock: the frame under way begins now, and the elapsed time belongs to no
    /// frame. For pauses, and the time before a first frame. See
    /// [`Recorder::restart_frame`](stats_core::Recorder::restart_frame).
    pub fn restart_frame(&mut self) {
        self.recorder.restart_frame();
    }

    /// Marks the current frame: a span begins or ends, or something happened. See
    /// [`Recorder::mark`](stats_core::Recorder::mark), whose marks are those of its own reader: a
    /// program that shows and records a mark calls both.
    ///
    /// A file has up to 1,048,576 marks; further ones are dropped.
    pub fn mark(&mut self, name: &str, event: MarkEvent) {
        let name = if name.is_empty() { "unnamed" } else { name };
        let end = name
            .char_indices()
            .nth(MAX_MARK_NAME)
            .map_or(name.len(), |(end, _)| end);
        let frame = self.next_frame();
        if self.running.is_some() {
            self.notes.mark(frame, &name[..end], event);
        }
    }

    /// Says on which graphics card, and with which driver, the run is drawn.
    pub fn set_gpu(&mut self, name: &str, driver: &str) {
        self.note(Note::Gpu {
            name: name.to_owned(),
            driver: driver.to_owned(),
        });
    }

    /// Says the refresh rate of the display, in hertz. A number that is not finite is ignored.
    pub fn set_refresh_hz(&mut self, hz: f64) {
        if hz.is_finite() {
            self.note(Note::RefreshHz(hz));
        }
    }

    /// Says anything else about the run, by name. The last text for a name counts.
    pub fn set_label(&mut self, name: &str, text: &str) {
        self.note(Note::Label(name.to_owned(), text.to_owned()));
    }

    /// Returns the index of the frame that ended last if a picture of it would be kept: if it is one
    /// of the [slowest so far](CaptureOptions::pictures). The first two seconds are left out, in
    /// which programs load.
    ///
    /// What is on the screen now is that frame, so take the picture before the next one is drawn.
    #[must_use]
    pub fn wants_picture(&mut self) -> Option<u64> {
        let frame = self.recorder.frames().end.checked_sub(1)?;
        let frame = self.recorder.frame(frame)?;
        let is_wanted = frame.start_secs >= 2.0 && self.pictures.want(frame.duration_ms);
        (is_wanted && self.running.is_some()).then_some(frame.index)
    }

    /// Hands over a picture of a frame: four bytes a pixel (red, green, blue, opacity), by rows from
    /// the top. It becomes `run.pictures/frame-INDEX.png` beside the capture, while it is among the
    /// [slowest frames](CaptureOptions::pictures). Ignored if the number of bytes is another one, or
    /// if the frame is more than 1,024 frames ago.
    ///
    /// Allocates; call it for frames that [`wants_picture`](Self::wants_picture) names.
    pub fn picture(&mut self, frame: u64, width: u32, height: u32, rgba: Vec<u8>) {
        let bytes = 4 * u64::from(width) * u64::from(height);
        let Some(ended) = self.recorder.frame(frame) else {
            return;
        };
        if bytes > 0 && rgba.len() as u64 == bytes {
            self.pictures.take(ended.duration_ms);
            self.note(Note::Picture(Picture {
                frame,
                duration_ms: ended.duration_ms,
                width,
                height,
                rgba,
            }));
        }
    }

    /// Returns the index of the frame under way, which is the number of frames that have ended.
    #[must_use]
    pub fn next_frame(&self) -> u64 {
        self.recorder.frames().end
    }

    /// Returns the number of frames that are missing because the disk was too slow.
    #[must_use]
    pub fn dropped_frames(&self) -> u64 {
        self.dropped
    }

    /// Returns why nothing more is recorded, and what to do about it; `None` if all is well. One
    /// load.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.get().map(String::as_str)
    }

    /// Completes the capture and returns its path. Waits until the file is written.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Write`] or [`CaptureError::Compact`] if the journal or the file could not be
    /// written. What was recorded is then in the journal.
    pub fn finish(mut self) -> Result<PathBuf, CaptureError> {
        self.end()
            .unwrap_or_else(|| Err(failed_thread("it has ended")))
    }

    /// Ends the capture; `None` if it has ended before.
    fn end(&mut self) -> Option<Result<PathBuf, CaptureError>> {
        let Running {
            mut outgoing,
            thread,
        } = self.running.take()?;
        let last = self.block.take().map_or_else(|| outgoing.wait(), Ok);
        if let Ok(mut block) = last {
            self.complete(&mut block);
            // The thread that writes has ended only if it failed, which it says below.
            let _ = outgoing.send(block);
        }
        drop(outgoing);
        let ended = thread.join();
        Some(ended.unwrap_or_else(|_| Err(failed_thread("it panicked"))))
    }

    fn take_row(&mut self, begun: Instant) {
        if self.rows.follow(&mut self.recorder)
            && let Some(running) = &mut self.running
        {
            running.outgoing.renew();
        }
        let is_full = |block: &Block| !self.rows.has_room(block);
        if self.block.as_deref().is_some_and(is_full) {
            self.hand_over();
        }
        let mut block = self.block.take();
        if block.is_none() {
            block = self.empty_block(begun);
        }
        match &mut block {
            Some(block) => self.rows.push(&mut self.recorder, begun, block),
            None => self.dropped += 1,
        }
        self.block = block;
        if self.block.is_some() && has_waited(self.block_begun, begun) {
            self.hand_over();
        }
        self.cost_ns += begun.elapsed().as_nanos() as u64;
    }

    /// Returns an empty block; `None` if there is none to be had.
    fn empty_block(&mut self, now: Instant) -> Option<Box<Block>> {
        match self.running.as_mut()?.outgoing.take() {
            Ok(Some(mut block)) => {
                self.rows.prepare(&mut block);
                self.block_begun = now;
                Some(block)
            }
            Ok(None) => None,
            Err(Ended) => {
                self.has_failed = true;
                None
            }
        }
    }

    fn hand_over(&mut self) {
        if let Some(mut block) = self.block.take() {
            self.complete(&mut block);
            if let Some(running) = &self.running {
                self.has_failed |= running.outgoing.send(block).is_err();
            }
        }
    }

    fn complete(&mut self, block: &mut Block) {
        self.rows.complete(&self.recorder, block);
        std::mem::swap(&mut block.notes, &mut self.notes);
        block.cost_ns = self.cost_ns;
        block.dropped = self.dropped;
    }

    fn note(&mut self, note: Note) {
        if self.running.is_some() {
            self.notes.push(note);
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        // Nobody else can see the error.
        if let Some(Err(error)) = self.end() {
            eprintln!("stats-capture: {error}");
        }
    }
}

impl SlowestFrames {
    fn want(&self, duration_ms: f64) -> bool {
        self.durations_ms.len() < self.most
            || self.durations_ms.iter().any(|known| *known < duration_ms)
    }

    fn take(&mut self, duration_ms: f64) {
        self.durations_ms.push(duration_ms);
        if self.durations_ms.len() > self.most {
            self.durations_ms.sort_by(|a, b| b.total_cmp(a));
            self.durations_ms.truncate(self.most);
        }
    }
}

fn failed_thread(why: &str) -> CaptureError {
    CaptureError::Thread {
        source: std::io::Error::other(why),
    }
}
