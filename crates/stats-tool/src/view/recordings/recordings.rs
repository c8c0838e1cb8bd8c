//! Begins recordings, takes in what arrived, and ends them.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use stats_core::{Mark, RecordedLength, RecordingControl, RecordingStatus, SeriesId, Source};

use super::columns::new_series;
use super::control::Control;
use super::part::RecordingPart;
use super::rows::Rows;
use crate::output::say;

/// The most bytes of the frames that wait. Those that are being written take as many again.
const MAX_BYTES: usize = 256 << 20;

/// The newest rows that go to the next file, because values of them may still arrive.
const LATE_ROWS: usize = 256;

/// One place in this many is left for series that views want to show.
const FOR_VIEWS: usize = 16;

/// What is recorded.
#[derive(Clone, Copy)]
pub(in crate::view) struct Origin<'a> {
    /// The name of the program.
    pub(in crate::view) program: &'a str,
    /// The number of series that each game sends at a time.
    pub(in crate::view) max_watches: &'a [usize],
    pub(in crate::view) game_of: &'a dyn Fn(SeriesId) -> usize,
    /// The number of series that it does not send, although they are watched.
    pub(in crate::view) refused: usize,
}

/// Records all series of a running game, as far as it sends them, from one press of a key to the
/// next, into a new file in a folder.
///
/// The frames are kept in memory until the end. When they take [`MAX_BYTES`], they are written, and
/// the recording goes on in a further file.
#[derive(Debug)]
pub(in crate::view) struct Recordings {
    folder: PathBuf,
    max_bytes: usize,
    control: Arc<Control>,
    running: Option<Running>,
    /// The thread that writes the newest part.
    writing: Option<JoinHandle<()>>,
}

/// A recording in progress.
#[derive(Debug)]
struct Running {
    rows: Rows,
    /// When its first frame began.
    begun_secs: Option<f64>,
    /// The listing that was last looked at.
    generation: Option<u64>,
    /// The series that there is no room for, and those that the game does not send.
    left_out: usize,
    refused: usize,
    /// The marks of the user.
    marks: Vec<Mark>,
}

impl Recordings {
    pub(in crate::view) fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            max_bytes: MAX_BYTES,
            control: Arc::default(),
            running: None,
            writing: None,
        }
    }

    #[cfg(test)]
    pub(super) fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Returns what the overlay begins and ends recordings with.
    pub(in crate::view) fn control(&self) -> Arc<dyn RecordingControl> {
        Arc::clone(&self.control) as Arc<dyn RecordingControl>
    }

    /// Carries out what the user asked for, and takes in what arrived: once in each frame.
    pub(in crate::view) fn follow(&mut self, source: &mut dyn Source, origin: Origin<'_>) {
        let marks = self.control.take_marks();
        if self.control.take_toggle() {
            match self.running {
                Some(_) => self.end(source, origin.program),
                None => self.running = Some(Running::begin(source)),
            }
        }
        if self.writing.as_ref().is_some_and(JoinHandle::is_finished) {
            self.join();
        }
        if let Some(running) = &mut self.running {
            running.take(source, origin, marks);
            let rows = running.rows.frames.len();
            if running.rows.bytes() > self.max_bytes && rows > LATE_ROWS {
                let part = running.part(rows - LATE_ROWS, source, origin.program);
                self.write(part);
            }
        }
        let mut status = RecordingStatus::default();
        status.running = self.running.as_ref().map(Running::length);
        status.completing = usize::from(self.writing.is_some());
        self.control.set_status(status);
    }

    /// Returns what the header says of a recording in progress; empty if there is nothing to say.
    pub(in crate::view) fn note(&self) -> String {
        match &self.running {
            Some(running) if running.left_out + running.refused > 0 => {
                let columns = running.rows.columns.len();
                format!(
                    "recording {} of {} series: the game sends no more at a time (max_watches)",
                    columns.saturating_sub(running.refused),
                    columns + running.left_out
                )
            }
            _ => String::new(),
        }
    }

    /// Ends the recording in progress, and waits until everything is written. Says what became of it,
    /// because there is no overlay any more.
    pub(in crate::view) fn finish(&mut self, source: &dyn Source, program: &str) {
        self.end(source, program);
        self.join();
        while let Some(saved) = self.control.poll_saved() {
            match saved {
                Ok(path) => say(format_args!("saved the recording as {}", path.display())),
                Err(error) => say(error),
            }
        }
    }

    fn end(&mut self, source: &dyn Source, program: &str) {
        let Some(mut running) = self.running.take() else {
            return;
        };
        running.rows.take(source);
        let rows = running.rows.frames.len();
        if rows == 0 {
            let why = "No frame arrived while it was recorded, so nothing was saved. Record again \
                       once the game is connected.";
            return self.control.report(Err(why.to_owned()));
        }
        let part = running.part(rows, source, program);
        self.write(part);
    }

    /// Writes a part on a thread.
    fn write(&mut self, part: Option<RecordingPart>) {
        let Some(part) = part else {
            return;
        };
        // If the disk is slower than the game, the window waits: more must not wait in memory.
        self.join();
        let (folder, control) = (self.folder.clone(), Arc::clone(&self.control));
        let write = move || {
            let written = part.write(&folder);
            control.report(written.map_err(|error| error.to_string()));
        };
        let thread = thread::Builder::new().name("recording".to_owned());
        match thread.spawn(write) {
            Ok(thread) => self.writing = Some(thread),
            Err(error) => self.control.report(Err(format!(
                "The recording was lost, because no thread can be started ({error}). Close other programs."
            ))),
        }
    }

    /// Waits until everything is written that is being written.
    pub(super) fn join(&mut self) {
        if let Some(thread) = self.writing.take() {
            // A panic has printed its message.
            let _ = thread.join();
        }
    }
}

impl Running {
    fn begin(source: &dyn Source) -> Self {
        Self {
            rows: Rows::begin(source),
            begun_secs: None,
            generation: None,
            left_out: 0,
            refused: 0,
            marks: Vec::new(),
        }
    }

    /// Takes in what arrived, and the names of the marks of the newest frame.
    fn take(&mut self, source: &mut dyn Source, origin: Origin<'_>, marks: Vec<String>) {
        self.refused = origin.refused;
        let generation = source.generation();
        if self.generation != Some(generation) {
            self.generation = Some(generation);
            let mut room: Vec<usize> = (origin.max_watches.iter())
                .map(|most| most - most / FOR_VIEWS)
                .collect();
            for id in &self.rows.known {
                if let Some(room) = room.get_mut((origin.game_of)(*id)) {
                    *room = room.saturating_sub(1);
                }
            }
            let new = new_series(source, &self.rows.known, &room, origin.game_of);
            self.left_out = new.left_out;
            for series in new.series {
                self.rows.add(series, source);
            }
        }
        self.rows.take(source);
        let first = self.rows.frames.first();
        self.begun_secs = self.begun_secs.or(first.map(|frame| frame.start_secs));
        let newest = self.rows.next_frame.saturating_sub(1);
        let marks = marks.into_iter();
        self.marks
            .extend(marks.map(|name| Mark::new(name, newest..newest + 1, true)));
    }

    /// Removes the first rows, to be written.
    fn part(&mut self, rows: usize, source: &dyn Source, program: &str) -> Option<RecordingPart> {
        let mut part = RecordingPart::cut(&mut self.rows, rows, program)?;
        part.mark(source.marks().iter().chain(&self.marks));
        part.leave_out(self.left_out + self.refused);
        let next = self.rows.frames.first();
        self.marks
            .retain(|mark| next.is_some_and(|next| mark.frames.start >= next.index));
        Some(part)
    }

    fn length(&self) -> RecordedLength {
        let newest = self.rows.frames.last();
        let end_secs = newest.map_or(0.0, |frame| frame.start_secs + frame.duration_ms / 1e3);
        RecordedLength {
            seconds: end_secs - self.begun_secs.unwrap_or(end_secs),
            bytes: self.rows.bytes() as u64,
        }
    }
}
