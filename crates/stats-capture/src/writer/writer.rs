//! The loop of the writer thread, and what it shares with the thread that keeps the last frames.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use stats_core::for_each_series;

use super::columns::Columns;
use super::pending::Pending;
use super::pictures::Pictures;
use super::samples::Samples;
use super::span_lines::remove_span_lines;
use super::spans::Spans;
use crate::blocks::{Block, Incoming, Note};
use crate::compact::compact;
use crate::journal::{Append, Event, Journal};
use crate::metadata::{Cost, Ended, Run};
use crate::paths::{pictures_of, spans_of};
use crate::{CaptureError, CaptureOptions};

/// The maximum number of frames in a batch.
const MAX_FRAMES: usize = 600;

/// How often the histograms are written, in case the program is killed.
const HISTOGRAMS_EVERY: Duration = Duration::from_secs(60);

/// The state of the writer thread of a capture.
pub(crate) struct Writer {
    capture: PathBuf,
    journal: PathBuf,
    state: State,
}

/// A journal that is being written, and everything that it needs.
pub(super) struct State {
    pub(super) append: Append,
    pub(super) run: Run,
    columns: Columns,
    /// For each column, whether it has had a number that is not whole.
    are_double: Vec<bool>,
    pub(super) pending: Pending,
    pub(super) pictures: Pictures,
    pub(super) samples: Samples,
    spans: Option<Spans>,
    histograms_at: Instant,
    /// The frame before which all values are known.
    known_end: u64,
    frames: u64,
    has_stream: bool,
    /// The saves that the program requested in the newest block.
    pub(super) saves: Vec<Save>,
    /// The name of the last mark, if the program panicked, and what to drop when the file is complete.
    pub(super) panic: Option<(String, Sender<()>)>,
    /// The marks of the current frame, if it does not end.
    pub(super) freeze: Vec<Event>,
    pub(super) size: Size,
}

/// The complete, still locked journal of a run, and its other files.
struct Written {
    journal: Append,
    has_spans: bool,
    pictures: Pictures,
    /// Whether a panic completed it, and what to drop when the file is complete.
    panic: Option<Sender<()>>,
}

/// The size of a journal: updated by the thread that writes it, and read by the program.
pub(crate) type Size = Arc<AtomicU64>;

/// The path of a save, and the channel for its result.
pub(super) type Save = (PathBuf, Sender<Result<PathBuf, CaptureError>>);

impl Writer {
    /// Prepares to write a capture through a journal that was just created.
    pub(crate) fn new(
        capture: PathBuf,
        journal: PathBuf,
        append: Append,
        options: CaptureOptions,
        size: Size,
    ) -> Self {
        let pictures = Pictures::new(pictures_of(&capture), options.pictures);
        let spans = Spans::begin(options.spans, spans_of(&capture));
        Self {
            state: State::new(append, options, pictures, spans, size),
            capture,
            journal,
        }
    }

    /// Writes all blocks into the journal, and then the capture. Returns the path of the capture.
    pub(crate) fn run(self, incoming: &Incoming) -> Result<PathBuf, CaptureError> {
        let spans = spans_of(&self.capture);
        remove_span_lines(&spans);
        let written = self.state.write(incoming);
        let written = written.map_err(|source| CaptureError::Write {
            journal: self.journal.clone(),
            source,
        })?;
        let (capture, _) = complete(written.journal, &self.journal, self.capture, false)?;
        // Remaining files of an older capture of that name would seem to belong to the new one.
        if !written.has_spans {
            let _ = std::fs::remove_file(spans);
        }
        written.pictures.remove_others();
        if let Some(done) = written.panic {
            // Before the message: a panic inside `eprintln!` holds the lock of stderr while it waits.
            drop(done);
            eprintln!(
                "stats-capture: recorded {} until a panic",
                capture.display()
            );
        }
        Ok(capture)
    }
}

/// Writes a capture from its journal, and removes the journal. Returns the path of the capture, and
/// the frame that became frame 0. `lock` keeps other processes from completing the journal at the same
/// time. If `from_zero` is set, the first frame becomes frame 0.
pub(super) fn complete(
    lock: Append,
    journal: &Path,
    capture: PathBuf,
    from_zero: bool,
) -> Result<(PathBuf, u64), CaptureError> {
    let compacted = Journal::open(journal).and_then(|mut journal| {
        if from_zero {
            journal.begin_at_zero()?;
        }
        let first = journal.origin(0).max(0).unsigned_abs();
        Ok((compact(&journal, &capture)?, first))
    });
    let (damaged_bytes, first) = compacted.map_err(|source| CaptureError::Compact {
        journal: journal.to_owned(),
        source,
    })?;
    // A file cannot be removed on Windows while it is open.
    drop(lock);
    if damaged_bytes == 0 {
        // The capture is complete, so a leftover journal does no harm.
        let _ = std::fs::remove_file(journal);
    }
    Ok((capture, first))
}

impl State {
    pub(super) fn new(
        append: Append,
        options: CaptureOptions,
        pictures: Pictures,
        spans: Option<Spans>,
        size: Size,
    ) -> Self {
        Self {
            append,
            run: Run::begin(options),
            columns: Columns::default(),
            are_double: Vec::new(),
            pending: Pending::default(),
            pictures,
            samples: Samples::begin(),
            spans,
            histograms_at: Instant::now(),
            known_end: 0,
            frames: 0,
            has_stream: false,
            saves: Vec::new(),
            panic: None,
            freeze: Vec::new(),
            size,
        }
    }

    fn write(mut self, incoming: &Incoming) -> io::Result<Written> {
        self.run.find_machine();
        while let Some(mut block) = incoming.next() {
            self.take(&mut block)?;
            let freeze = std::mem::take(&mut self.freeze);
            if !freeze.is_empty() {
                self.begin_stream(&freeze)?;
            }
            // Relaxed: the number is only shown, and orders nothing.
            self.size.store(self.append.len(), Ordering::Relaxed);
            if self.panic.is_some() {
                break;
            }
            incoming.give_back(block);
        }
        self.release(u64::MAX)?;
        self.begin_first_stream()?;
        let has_spans = self.finish_spans();
        self.run.ended = Ended::Clean;
        self.refresh();
        let series = self.columns.changed();
        let (histograms, mut events) = (self.samples.records(), self.pending.last_events());
        let (name, panic) = self.panic.take().unzip();
        events.extend(name.map(Event::Point));
        (self.append).end(&series, &self.run, &histograms, &events, &[])?;
        Ok(Written {
            journal: self.append,
            has_spans,
            pictures: self.pictures,
            panic,
        })
    }

    pub(super) fn take(&mut self, block: &mut Block) -> io::Result<()> {
        block.series.iter().for_each(|info| self.columns.take(info));
        self.pending.take(block, &self.columns);
        for (frame, name, event) in block.notes.marks() {
            self.pending.add_event(frame, Event::of_mark(name, event));
        }
        self.frames += block.frames.len() as u64;
        if block.is_cut {
            // Nothing becomes known later.
            self.known_end = u64::MAX;
        } else if !block.is_extra {
            self.run.cost = Some(Cost {
                us_per_frame: block.cost_ns as f64
                    / 1e3
                    / (self.frames + block.dropped).max(1) as f64,
                dropped_frames: block.dropped,
            });
            self.known_end = block.known_end;
        }
        self.take_notes(block);
        self.take_spans(block);
        self.note_state();
        self.release(self.known_end)
    }

    fn take_spans(&mut self, block: &Block) {
        let thread = self.run.frame_thread.as_deref();
        let spans = self.spans.as_mut();
        if let Some(Err(error)) = spans.map(|spans| spans.take(block, thread, &self.columns)) {
            self.spans = None;
            report_lost_spans(&error);
        }
    }

    fn take_notes(&mut self, block: &mut Block) {
        let mut is_changed = false;
        for note in block.notes.drain() {
            is_changed |= matches!(
                note,
                Note::Gpu { .. } | Note::RefreshHz(_) | Note::FrameThread(_) | Note::Label(..)
            );
            match note {
                Note::Gpu { name, driver } => {
                    self.run.machine.gpu = Some(name);
                    self.run.machine.driver = Some(driver);
                }
                Note::RefreshHz(hz) => self.run.refresh_hz = Some(hz),
                Note::FrameThread(name) => self.run.frame_thread = Some(name),
                Note::Label(name, text) => {
                    self.run.labels.insert(name, text);
                }
                Note::Picture(picture) => self.pictures.take(&picture),
                Note::Save(path, sender) => self.saves.push((path, sender)),
                Note::Panic(name, done) => self.panic = Some((name, done)),
                Note::Freeze(names, waiting) => {
                    drop(waiting);
                    self.freeze = names.into_iter().map(Event::Point).collect();
                }
            }
        }
        if is_changed && self.has_stream {
            let run = Box::new(self.run.clone());
            self.pending.add_event(self.newest(), Event::Run(run));
        }
    }

    /// Completes the file of spans, and returns whether there is one. Only prints errors, so that
    /// the capture is completed.
    fn finish_spans(&mut self) -> bool {
        let spans = self.spans.take();
        let finished = spans.map_or(Ok(false), |spans| spans.finish(&self.columns));
        finished.unwrap_or_else(|error| {
            report_lost_spans(&error);
            false
        })
    }

    /// Updates the records of all series: the parent and the thread of a timer can change without a
    /// change of the listing.
    pub(super) fn refresh(&mut self) {
        for_each_series(|info| {
            if self.columns.position(info.id.number()).is_some() {
                self.columns.take(&info);
            }
        });
    }

    /// Adds the facts that the end of the journal would contain, in case the end is never written.
    fn note_state(&mut self) {
        let newest = self.newest();
        self.pending
            .add_event(newest, Event::Cost(self.run.cost.unwrap_or_default()));
        if self.histograms_at.elapsed() >= HISTOGRAMS_EVERY {
            self.histograms_at = Instant::now();
            let records = self.samples.records();
            self.pending.add_event(newest, Event::Histograms(records));
        }
    }

    /// Returns the newest frame that would be released now.
    fn newest(&self) -> u64 {
        self.pending
            .newest_known(self.known_end)
            .unwrap_or_default()
    }

    /// Writes the frames before `known_end`.
    fn release(&mut self, known_end: u64) -> io::Result<()> {
        loop {
            let (columns, before) = (self.are_double.len(), self.are_double.clone());
            let Some(released) =
                self.pending
                    .release(known_end, MAX_FRAMES, &self.columns, &mut self.are_double)
            else {
                return Ok(());
            };
            let is_same = columns == self.columns.len() && before == self.are_double;
            if !self.has_stream || !is_same {
                self.begin_stream(&[])?;
            }
            self.append
                .write_batch(released.clock, released.events, released.columns)?;
        }
    }

    /// Ends the journal in memory and returns it. The next frames begin a new one.
    pub(super) fn cut(&mut self) -> io::Result<Vec<u8>> {
        let written = self.append.cut()?;
        self.has_stream = false;
        self.columns.mark_unwritten();
        self.pending.begin_open_spans();
        Ok(written)
    }

    /// Begins a stream if there is none, so that the journal can be read without any frame.
    pub(super) fn begin_first_stream(&mut self) -> io::Result<()> {
        if self.has_stream {
            return Ok(());
        }
        self.begin_stream(&[])
    }

    fn begin_stream(&mut self, open: &[Event]) -> io::Result<()> {
        self.refresh();
        self.are_double.resize(self.columns.len(), false);
        let are_whole = self.are_double.iter().map(|is_double| !is_double);
        let run = (!self.has_stream).then_some(&self.run);
        self.append
            .begin_stream(are_whole, &self.columns.changed(), run, open)?;
        self.columns.mark_written();
        self.has_stream = true;
        Ok(())
    }
}

fn report_lost_spans(error: &io::Error) {
    eprintln!("stats-capture: no more spans are written ({error}); make room on the disk");
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::OpenOptions;
    use std::path::PathBuf;

    use super::Writer;
    use crate::blocks::lane;
    use crate::journal::Append;
    use crate::{CaptureError, CaptureOptions};

    #[test]
    fn a_full_disk_is_an_error_that_names_the_journal_and_the_cure() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let journal = PathBuf::from("run.parquet.journal");
        let options = CaptureOptions::default();
        let (capture, append) = ("run.parquet".into(), Append::to(full));
        let writer = Writer::new(capture, journal, append, options, super::Size::default());
        let (mut outgoing, incoming) = lane(|_| {});
        let block = outgoing.wait().unwrap();
        assert!(outgoing.send(block).is_ok());
        drop(outgoing);
        let error = writer.run(&incoming).unwrap_err();
        assert!(matches!(error, CaptureError::Write { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.contains("run.parquet.journal") && text.contains("make room"),
            "{text}"
        );
    }
}
