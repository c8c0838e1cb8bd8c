//! The public type that records.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use stats_core::limits::MAX_MARK_NAME;
use stats_core::{
    Frame, FrameTime, MarkEvent, OwnProcess, RecordedLength, Recorder, Source as _, own_memory,
};

use super::row::{Rows, has_waited};
use crate::blocks::{Block, Ended, Incoming, Note, Notes, Outgoing, Picture, lane};
use crate::journal::Append;
use crate::paths::{JOURNAL, behind_links, beside};
use crate::thread::Thread;
use crate::writer::{HitchWatch, Recent, RecentLimits, Size, Writer};
use crate::{CaptureError, CaptureOptions};
use crate::{freezes, panics};

/// The number of frames that the recorder keeps: enough for frames with unknown values, and for
/// those that end while the disk stalls.
const HISTORY: usize = 1024;

/// A run that is being recorded.
///
/// Call [`end_frame`](Self::end_frame) at the end of each frame. The capture has its own recorder,
/// so it does not affect others. Frame 0 begins when the capture is created.
///
/// Dropping it completes the file, and so does [`finish`](Self::finish), which also returns errors.
/// Both wait until the run is compressed. In a child of `fork`, dropping it does nothing, and
/// `finish` returns an error: the file belongs to the parent; see [`stats_core`](stats_core#fork).
/// If the program is killed instead, the journal (`run.parquet.journal`) is left beside the file,
/// with every frame up to the last second, and [`recover`](crate::recover()) turns it into a
/// capture. If a frame did not end before, and somebody [watched](stats_core::FreezeWatch), the marks
/// of the frame after the last one tell what was open.
///
/// # Cost
///
/// A frame takes about twice as long as a [survey](stats_core::Source::survey): a few nanoseconds
/// per series. Recording on the game thread never waits, compresses, or accesses a file, and
/// allocates only when series are registered. Another thread writes the journal twice a second. If
/// it falls behind by more than a few seconds, frames are dropped, and counted in the file. The
/// file also contains the cost of the capture, as [`Cost`](crate::Cost).
///
/// # Values that are known later
///
/// A capture waits up to [`LATE_FRAMES`](stats_core::limits::LATE_FRAMES) frames for the values of
/// a [`DeferredSource`](stats_core::DeferredSource), such as GPU times. Values that are not known
/// when the capture ends are null, and so is the value of the frame in which such a series is
/// registered.
///
/// # Errors while recording
///
/// If the disk is full, the capture stops, and the journal keeps the frames up to that point.
/// [`error`](Self::error) reports this at once and [`finish`](Self::finish) at the end; dropping
/// the capture prints the error to standard error.
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
    /// Its end may wait for locks, so a child of `fork` leaves it to the parent.
    recorder: OwnProcess<Recorder>,
    rows: Rows,
    block: Option<Box<Block>>,
    block_begun: Instant,
    /// The notes for the next block.
    notes: Notes,
    cost_ns: u64,
    dropped: u64,
    pictures: SlowestFrames,
    /// The refresh rate of the display that the host told.
    refresh_hz: Option<f64>,
    /// The thread that ended the frame in which it was looked up last.
    frame_thread: Option<String>,
    /// Whether the writer thread has ended; `error` has the reason.
    has_failed: bool,
    /// `None` after the end.
    running: Option<Running>,
    error: Arc<OnceLock<String>>,
    size: Size,
}

#[derive(Debug)]
struct Running {
    outgoing: Outgoing,
    thread: Thread<Result<PathBuf, CaptureError>>,
}

/// The slowest frames that have a picture.
#[derive(Debug)]
struct SlowestFrames {
    max: usize,
    /// How long a frame counts; `None` for the whole run.
    time: Option<Duration>,
    /// When each frame began, in seconds, and its duration in milliseconds.
    frames: Vec<(f64, f64)>,
}

impl Capture {
    /// Starts recording into a file, which appears when the capture is complete. It then replaces
    /// any older capture of that name, including its scopes and pictures. Creates the folder if it
    /// is missing. If the path is a link, the capture is the target of the link, and the journal, the
    /// scopes and the pictures are beside the target.
    ///
    /// # Errors
    ///
    /// - [`CaptureError::Target`] if the path leads to a folder, a device or a pipe, or to a file
    ///   with content that is neither Parquet nor a journal.
    /// - [`CaptureError::NamedAsJournal`] if the path ends in `.journal`.
    /// - [`CaptureError::Create`] if the journal cannot be created.
    /// - [`CaptureError::JournalExists`] if the journal already exists.
    /// - [`CaptureError::Thread`] if no thread can be started.
    pub fn create(path: impl AsRef<Path>, options: CaptureOptions) -> Result<Self, CaptureError> {
        let _memory = own_memory("stats-capture");
        let path = behind_links(path.as_ref());
        if path.extension().is_some_and(|end| end == JOURNAL) {
            return Err(CaptureError::NamedAsJournal { path });
        }
        let journal = beside(&path, JOURNAL);
        let append = Append::begin(&path, &journal)?;
        let pictures = SlowestFrames::new(options.pictures, None);
        Self::start(pictures, |size| {
            let writer = Writer::new(path, journal, append, options, size);
            move |incoming: &Incoming| writer.run(incoming)
        })
    }

    /// Starts keeping the last frames in memory; [`save`](Self::save) writes them.
    pub(crate) fn keep_recent(
        options: CaptureOptions,
        limits: RecentLimits,
        hitches: Option<HitchWatch>,
        folder: PathBuf,
    ) -> Result<Self, CaptureError> {
        let _memory = own_memory("stats-capture");
        let pictures = SlowestFrames::new(options.pictures, Some(limits.time));
        Self::start(pictures, |size| {
            let recent = Recent::new(options, limits, hitches, (folder, size));
            move |incoming: &Incoming| recent.run(incoming)
        })
    }

    fn start<W>(
        pictures: SlowestFrames,
        writer: impl FnOnce(Size) -> W,
    ) -> Result<Self, CaptureError>
    where
        W: FnOnce(&Incoming) -> Result<PathBuf, CaptureError> + Send + 'static,
    {
        stats_process::follow_frames();
        let mut recorder = OwnProcess::new(Recorder::with_history(HISTORY));
        let mut rows = Rows::default();
        rows.follow(&mut recorder);
        let (outgoing, incoming) = lane(|block| rows.prepare(block));
        panics::watch(outgoing.slot());
        freezes::watch();
        let error = Arc::new(OnceLock::new());
        let size = Size::default();
        let writer = writer(Arc::clone(&size));
        let first_error = Arc::clone(&error);
        let thread = Thread::start(move || {
            let ended = writer(&incoming);
            if let Err(error) = &ended {
                // Never fails: the thread stops at its first error.
                let _ = first_error.set(error.to_string());
            }
            ended
        })
        .map_err(|source| CaptureError::Thread { source })?;
        // Frame 0 contains what is counted from here on.
        recorder.survey();
        Ok(Self {
            recorder,
            rows,
            block: None,
            block_begun: Instant::now(),
            notes: Notes::default(),
            cost_ns: 0,
            dropped: 0,
            pictures,
            has_failed: false,
            refresh_hz: None,
            frame_thread: None,
            running: Some(Running { outgoing, thread }),
            error,
            size,
        })
    }

    /// Saves the frames in memory as a capture, and sends the result.
    pub(crate) fn save(&mut self, path: PathBuf, result: Sender<Result<PathBuf, CaptureError>>) {
        let _memory = own_memory("stats-capture");
        self.note(Note::Save(path, result));
    }

    /// Returns whether recording has ended, because of an error or of a panic.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_failed || self.error().is_some()
    }

    /// Returns the length and the size of the recording so far.
    pub(crate) fn length(&self) -> RecordedLength {
        let newest = self.recorder.frames().end.checked_sub(1);
        let newest = newest.and_then(|frame| self.recorder.frame(frame));
        RecordedLength {
            seconds: newest.map_or(0.0, |frame| frame.start_secs + frame.duration_ms / 1e3),
            // Relaxed: the number is only shown, and orders nothing.
            bytes: self.size.load(Ordering::Relaxed),
        }
    }

    /// Ends a frame.
    pub fn end_frame(&mut self) {
        let _memory = own_memory("stats-capture");
        let begun = Instant::now();
        if !self.has_failed {
            self.follow_program();
            self.recorder.end_frame();
            self.take_first_thread();
            self.take_log();
            self.take_row(begun);
        }
    }

    /// Ends a frame at a time that the caller passes, in seconds since the capture was created, for
    /// reproducible runs. See [`Recorder::end_frame_at`](stats_core::Recorder::end_frame_at).
    pub fn end_frame_at(&mut self, time: impl Into<FrameTime>) {
        let _memory = own_memory("stats-capture");
        let begun = Instant::now();
        if !self.has_failed {
            self.follow_program();
            self.recorder.end_frame_at(time);
            self.take_first_thread();
            self.take_log();
            self.take_row(begun);
        }
    }

    /// Restarts the frame clock: the current frame begins now, and the time before belongs to no
    /// frame. What was counted in that time belongs to the current frame. Call it after a pause, and
    /// before the first frame. See [`Recorder::restart_frame`](stats_core::Recorder::restart_frame).
    pub fn restart_frame(&mut self) {
        self.recorder.restart_frame();
    }

    /// Marks the current frame: a span begins or ends, or something happened. See
    /// [`Recorder::mark`](stats_core::Recorder::mark), whose marks are separate: to show a mark as
    /// well as record it, call both.
    ///
    /// A file has up to 1,048,576 marks; further ones are dropped. Up to 65,536 of them are [lines
    /// of the log](stats_core::LogLine), which a capture takes by itself. Those about a
    /// [freeze](stats_core::FreezeWatch) do not count.
    pub fn mark(&mut self, name: &str, event: MarkEvent) {
        let _memory = own_memory("stats-capture");
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

    /// Sets the name of the graphics card, and the name and version of its driver.
    pub fn set_gpu(&mut self, name: &str, driver: &str) {
        let _memory = own_memory("stats-capture");
        self.note(Note::Gpu {
            name: name.to_owned(),
            driver: driver.to_owned(),
        });
    }

    /// Keeps what the machine does sampled, and takes a new refresh rate of the display.
    fn follow_program(&mut self) {
        stats_process::keep_sampling_if_started();
        let known = stats_core::refresh_hz();
        if known != self.refresh_hz {
            self.refresh_hz = known;
            if let Some(hz) = known {
                self.set_refresh_hz(hz);
            }
        }
    }

    /// Sets the refresh rate of the display, in hertz. A number that is not finite and positive is
    /// ignored. Not needed if the host [tells](stats_core::set_refresh_hz) the rate.
    pub fn set_refresh_hz(&mut self, hz: f64) {
        if hz.is_finite() && hz > 0.0 {
            self.note(Note::RefreshHz(hz));
        }
    }

    /// Sets a label: any other fact about the run, by name. Replaces the earlier text of that name.
    pub fn set_label(&mut self, name: &str, text: &str) {
        let _memory = own_memory("stats-capture");
        self.note(Note::Label(name.to_owned(), text.to_owned()));
    }

    /// Returns the index of the newest frame if it is among the [slowest so
    /// far](CaptureOptions::pictures), so a picture of it would be kept. Returns `None` otherwise,
    /// and during the first two seconds, while programs load.
    ///
    /// That frame is still on the screen, so take the picture before the next frame is drawn.
    #[must_use]
    pub fn wants_picture(&mut self) -> Option<u64> {
        let _memory = own_memory("stats-capture");
        let frame = self.recorder.frames().end.checked_sub(1)?;
        let frame = self.recorder.frame(frame)?;
        let is_wanted = frame.start_secs >= 2.0 && self.pictures.want(&frame);
        (is_wanted && self.running.is_some()).then_some(frame.index)
    }

    /// Adds a picture of a frame: four bytes per pixel (red, green, blue, alpha), row by row from
    /// the top. It is written to `run.pictures/frame-INDEX.png` beside the capture, and kept while
    /// the frame is among the [slowest](CaptureOptions::pictures). Ignored if `rgba` does not have
    /// `width` × `height` × 4 bytes, or if the frame ended more than 1,024 frames ago.
    ///
    /// Allocates: call it only for frames that [`wants_picture`](Self::wants_picture) returns.
    pub fn picture(&mut self, frame: u64, width: u32, height: u32, rgba: Vec<u8>) {
        let _memory = own_memory("stats-capture");
        let bytes = 4 * u64::from(width) * u64::from(height);
        let Some(ended) = self.recorder.frame(frame) else {
            return;
        };
        if bytes > 0 && rgba.len() as u64 == bytes {
            self.pictures.take(&ended);
            self.note(Note::Picture(Picture {
                frame,
                duration_ms: ended.duration_ms,
                width,
                height,
                rgba,
            }));
        }
    }

    /// Returns the index of the current frame, which is the number of frames that have ended.
    #[must_use]
    pub fn next_frame(&self) -> u64 {
        self.recorder.frames().end
    }

    /// Returns the number of frames that were dropped because the disk or the processor
    /// was too slow.
    #[must_use]
    pub fn dropped_frames(&self) -> u64 {
        self.dropped
    }

    /// Returns why recording has stopped and how to fix that; `None` while recording works. Costs
    /// one load.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.get().map(String::as_str)
    }

    /// Completes the capture and returns its path. Waits until the file is written.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Write`] or [`CaptureError::Compact`] if the journal or the file could not be
    /// written. The journal then contains the recorded frames.
    pub fn finish(mut self) -> Result<PathBuf, CaptureError> {
        let _memory = own_memory("stats-capture");
        self.end().unwrap_or_else(|| {
            Err(failed_thread(
                "it has ended, or the parent of this process has it",
            ))
        })
    }

    /// Ends the capture; `None` if it has already ended, or in a child of `fork`.
    fn end(&mut self) -> Option<Result<PathBuf, CaptureError>> {
        let running = self.running.take()?;
        if running.thread.is_elsewhere() {
            // The parent writes the file. Another thread may have held a lock of the channels when
            // this process was forked, and holds it forever.
            std::mem::forget(running);
            return None;
        }
        let Running {
            mut outgoing,
            thread,
        } = running;
        let last = self.block.take().or_else(|| outgoing.take_left());
        let last = last.map_or_else(|| outgoing.wait(), Ok);
        if let Ok(mut block) = last {
            self.complete(&mut block);
            // Fails only if the writer thread has failed. Its error is returned below.
            let _ = outgoing.send(block);
        }
        drop(outgoing);
        let ended = thread.join();
        Some(ended.unwrap_or_else(|| Err(failed_thread("it panicked"))))
    }

    /// Notes the thread that ended the first frame, for a recording that ends before its first block
    /// is complete.
    fn take_first_thread(&mut self) {
        if self.next_frame() == 1 {
            self.take_thread();
        }
    }

    /// Notes the thread that ended the newest frame. Once a block, because a program may load on
    /// another thread.
    fn take_thread(&mut self) {
        let name = self.recorder.frame_thread();
        if name != self.frame_thread.as_deref()
            && let Some(name) = name.map(str::to_owned)
        {
            self.frame_thread = Some(name.clone());
            self.notes.push(Note::FrameThread(name));
        }
    }

    /// Notes the lines of the log with which the recorder marked the newest frame. Nothing else
    /// marks the recorder of a capture.
    fn take_log(&mut self) {
        let frame = self.next_frame().saturating_sub(1);
        let marks = self.recorder.marks();
        if self.running.is_none() || marks.last().is_none_or(|mark| mark.frames.start < frame) {
            return;
        }
        let first = marks.partition_point(|mark| mark.frames.start < frame);
        for mark in &marks[first..] {
            self.notes.mark(frame, &mark.name, MarkEvent::Point);
        }
    }

    fn take_row(&mut self, begun: Instant) {
        if self.rows.follow(&mut self.recorder)
            && let Some(running) = &mut self.running
        {
            running.outgoing.renew();
        }
        let is_left = panics::are_saved();
        if let Some(running) = self
            .running
            .as_ref()
            .filter(|_| is_left && self.block.is_none())
        {
            self.block = running.outgoing.take_left();
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
        if is_left
            && let Some(running) = &self.running
            && let Some(mut block) = self.block.take()
        {
            block.notes.append(&mut self.notes);
            self.block = running.outgoing.leave(Some(block));
        }
        self.cost_ns += begun.elapsed().as_nanos() as u64;
    }

    /// Returns an empty block; `None` if none is available.
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
        self.take_thread();
        self.rows.complete(&self.recorder, block);
        block.notes.append(&mut self.notes);
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
        let _memory = own_memory("stats-capture");
        // There is no caller to return the error to.
        if let Some(Err(error)) = self.end() {
            eprintln!("stats-capture: {error}");
        }
    }
}

impl SlowestFrames {
    fn new(max: usize, time: Option<Duration>) -> Self {
        Self {
            max,
            time,
            frames: Vec::with_capacity(max.saturating_add(1).min(1024)),
        }
    }

    fn want(&mut self, frame: &Frame) -> bool {
        if let Some(time) = self.time {
            let begin_secs = frame.start_secs - time.as_secs_f64();
            self.frames.retain(|(secs, _)| *secs >= begin_secs);
        }
        self.frames.len() < self.max || self.frames.iter().any(|(_, ms)| *ms < frame.duration_ms)
    }

    fn take(&mut self, frame: &Frame) {
        self.frames.push((frame.start_secs, frame.duration_ms));
        if self.frames.len() > self.max {
            self.frames.sort_by(|a, b| b.1.total_cmp(&a.1));
            self.frames.truncate(self.max);
        }
    }
}

fn failed_thread(why: &str) -> CaptureError {
    CaptureError::Thread {
        source: std::io::Error::other(why),
    }
}
