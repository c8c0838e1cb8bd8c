//! Reads a journal: its values batch by batch, and everything else at once.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_ipc::{Precision, Schema, Type};
use serde::de::DeserializeOwned;
use stats_core::MarkEvent;

use super::layout::{Cells, Layout};
use super::message::{MessagePlace, Messages, Next, PREFIX, parse, read_at};
use super::seal::{column_checksums, is_sealed};
use super::{END, EVENTS, EVENTS_AT, Event, OPEN, OTHERS};
use crate::ReadError;
use crate::error::CURE_IN_TEXT;
use crate::metadata::{
    CLOCK, FORMAT, HISTOGRAMS, HistogramRecord, Marks, RUN, Run, SERIES, SeriesRecord,
};

/// The maximum number of rows in a journal: three days at a thousand frames per second.
const MAX_ROWS: u64 = 1 << 28;

/// A journal: the description of its run, and the positions of its batches.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    streams: Vec<Stream>,
    batches: Vec<BatchPlace>,
    pub(crate) rows: u64,
    pub(crate) run: Run,
    pub(crate) series: Vec<SeriesRecord>,
    pub(crate) marks: Marks,
    pub(crate) histograms: Vec<HistogramRecord>,
    /// The rest of the file, after the last batch.
    pub(crate) rest: Rest,
    /// The number of bytes that are not messages, and of batches whose frames cannot be read.
    pub(crate) damaged_bytes: u64,
    /// The frame of the last row.
    last_frame: u64,
    /// The events of the current frame, which had not ended, until they come again.
    open: Vec<Event>,
    /// What is subtracted from each column of the clock.
    origin: [i64; 3],
}

/// The content of a file after the readable part of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing: the end was written.
    Ended,
    /// Nothing, or an incomplete message: the program was killed or is still running.
    Cut,
    /// Bytes that are not messages.
    Damaged,
}

#[derive(Debug)]
struct Stream {
    /// For each series, whether its column stores whole numbers.
    are_whole: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct BatchPlace {
    message: MessagePlace,
    stream: usize,
    rows: usize,
}

/// A batch in memory.
#[derive(Debug)]
pub(crate) struct Batch {
    layout: Layout,
    body: Vec<u8>,
    stream: usize,
    /// For each column of the stream, whether it is undamaged.
    are_intact: Vec<bool>,
}

impl Batch {
    /// Returns the number of bytes in damaged columns.
    pub(crate) fn damaged_bytes(&self) -> u64 {
        let damaged = self.are_intact.iter().filter(|is_intact| !**is_intact);
        damaged.count() as u64 * 8 * self.rows() as u64
    }

    pub(crate) fn rows(&self) -> usize {
        self.layout.rows
    }

    pub(crate) fn clock(&self, column: usize) -> Option<Cells<'_>> {
        self.layout.cells(&self.body, column)
    }
}

impl Journal {
    /// Opens a journal, whether it is complete, truncated, or being written.
    pub(crate) fn open(path: &Path) -> Result<Self, ReadError> {
        let open = |source| ReadError::Open {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(open)?;
        let messages = Messages::new(file.try_clone().map_err(open)?).map_err(open)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
            streams: Vec::new(),
            batches: Vec::new(),
            rows: 0,
            run: Run::default(),
            series: Vec::new(),
            marks: Marks::default(),
            histograms: Vec::new(),
            rest: Rest::Cut,
            damaged_bytes: 0,
            last_frame: 0,
            open: Vec::new(),
            origin: [0; 3],
        };
        journal.scan(messages)?;
        if journal.run.format > FORMAT {
            return Err(ReadError::NewerFormat {
                path: path.to_owned(),
                format: journal.run.format,
            });
        }
        Ok(journal)
    }

    /// Renumbers the frames so that the first is frame 0 and begins at time 0.
    pub(crate) fn begin_at_zero(&mut self) -> Result<(), ReadError> {
        if self.batches.is_empty() {
            return Ok(());
        }
        let first = self.batch(0)?;
        let first = |column| {
            let cells = first
                .clock(column)
                .into_iter()
                .flat_map(|cells| cells.iter());
            cells.flatten().next().unwrap_or_default() as i64
        };
        let (frame, start_ns) = (first(0), first(1));
        self.origin = [frame, start_ns, 0];
        self.marks.move_back(frame.max(0) as u64);
        self.run.begin_later(start_ns);
        Ok(())
    }

    /// Returns what is subtracted from a column of the clock.
    pub(crate) fn origin(&self, column: usize) -> i64 {
        self.origin.get(column).copied().unwrap_or_default()
    }

    /// Returns whether every number of a series is whole.
    pub(crate) fn is_whole(&self, series: usize) -> bool {
        let of_stream = |stream: &Stream| stream.are_whole.get(series).copied().unwrap_or(true);
        self.streams.iter().all(of_stream)
    }

    pub(crate) fn batches(&self) -> usize {
        self.batches.len()
    }

    pub(crate) fn rows_of(&self, batch: usize) -> usize {
        self.batches.get(batch).map_or(0, |batch| batch.rows)
    }

    pub(crate) fn batch(&self, at: usize) -> Result<Batch, ReadError> {
        let (layout, checksums) = self.layout(at)?;
        let place = self.batches[at];
        let mut body = Vec::new();
        self.read(place.message.body_at(), place.message.body_len, &mut body)?;
        let found = layout.checksums(&body).into_iter().zip(checksums);
        Ok(Batch {
            are_intact: found.map(|(found, written)| found == written).collect(),
            layout,
            body,
            stream: place.stream,
        })
    }

    /// Returns the cells of a series in a batch, and whether their numbers are whole; `None` if the
    /// series did not exist or the cells are damaged.
    pub(crate) fn cells<'a>(&self, batch: &'a Batch, series: usize) -> Option<(Cells<'a>, bool)> {
        if !*batch.are_intact.get(OTHERS + series)? {
            return None;
        }
        let is_whole = *self.streams.get(batch.stream)?.are_whole.get(series)?;
        let cells = batch.layout.cells(&batch.body, CLOCK.len() + series)?;
        Some((cells, is_whole))
    }

    /// Calls `visit` for each batch with its number of rows, the cells of one column, and whether
    /// their numbers are whole. The cells are `None` in batches without the column. Reads no other
    /// column.
    pub(crate) fn for_each_cells(
        &self,
        column: JournalColumn,
        mut visit: impl FnMut(usize, Option<Cells<'_>>, bool),
    ) -> Result<(), ReadError> {
        let (mut validity, mut data) = (Vec::new(), Vec::new());
        for (at, place) in self.batches.iter().enumerate() {
            let (is_whole, position) = match column {
                JournalColumn::Clock(position) => (Some(true), position),
                JournalColumn::Series(series) => {
                    let are_whole = &self.streams[place.stream].are_whole;
                    (are_whole.get(series).copied(), CLOCK.len() + series)
                }
            };
            let Some(is_whole) = is_whole else {
                visit(place.rows, None, true);
                continue;
            };
            let (layout, checksums) = self.layout(at)?;
            let in_stream = position + usize::from(position >= EVENTS_AT);
            let (Some([of_validity, of_data]), Some(checksum)) =
                (layout.ranges(position), checksums.get(in_stream))
            else {
                return Err(self.damaged("a batch has fewer columns than its stream"));
            };
            let body_at = place.message.body_at();
            self.read(
                body_at + of_validity.start as u64,
                of_validity.len(),
                &mut validity,
            )?;
            self.read(body_at + of_data.start as u64, of_data.len(), &mut data)?;
            let cells = Cells::from_parts(&validity, &data);
            if !cells.are_intact(*checksum) {
                return Err(self.damaged("the checksum of a column is wrong"));
            }
            visit(place.rows, Some(cells), is_whole);
        }
        Ok(())
    }

    /// Reads the layout of a batch, and the checksums of its columns.
    fn layout(&self, at: usize) -> Result<(Layout, Vec<u32>), ReadError> {
        let place = self.batches[at];
        let mut metadata = Vec::new();
        self.read(
            place.message.metadata_at,
            place.message.metadata_len,
            &mut metadata,
        )?;
        let series = self.streams[place.stream].are_whole.len();
        let found = parse(&metadata).and_then(|message| {
            let batch = message
                .header_as_record_batch()
                .ok_or("a batch is missing")?;
            let layout = Layout::of(batch, series, place.message.body_len)?;
            let checksums = column_checksums(&metadata, series + OTHERS);
            Ok((layout, checksums.ok_or("a checksum is missing")?))
        });
        found
            .ok()
            .filter(|(layout, _)| is_sealed(&metadata) && layout.rows == place.rows)
            .ok_or_else(|| self.damaged("it changed while it was read"))
    }

    fn read(&self, at: u64, len: usize, into: &mut Vec<u8>) -> Result<(), ReadError> {
        read_at(&self.file, at, len, into).map_err(|source| ReadError::Open {
            path: self.path.clone(),
            source,
        })
    }

    fn damaged(&self, what: &str) -> ReadError {
        // Undamaged frames can be recovered.
        let what = if self.batches.is_empty() {
            what.to_owned()
        } else {
            format!("{what}{CURE_IN_TEXT}use `stats recover`")
        };
        ReadError::Damaged {
            path: self.path.clone(),
            what,
        }
    }

    /// Scans all messages. Skips a damaged batch if the position of the next message is certain.
    /// Other damage ends the journal, or is an error if there is no batch before it.
    fn scan(&mut self, mut messages: Messages) -> Result<(), ReadError> {
        let mut is_in_stream = false;
        loop {
            let begun = messages.at();
            let next = messages.next().map_err(|source| ReadError::Open {
                path: self.path.clone(),
                source,
            })?;
            let taken = match next {
                Next::Message(place) => {
                    let taken = self.take(&mut messages, place, is_in_stream);
                    is_in_stream = true;
                    taken
                }
                Next::EndOfStream if is_in_stream => {
                    is_in_stream = false;
                    Ok(())
                }
                Next::EndOfStream => Err("a stream ends before it begins".to_owned()),
                Next::EndOfFile | Next::Cut => break,
                // Within a stream, all messages are batches, so no schema is lost.
                Next::Damage {
                    next: Some(next), ..
                } if is_in_stream && !self.batches.is_empty() => {
                    self.damaged_bytes += next - begun;
                    messages.skip_to(next).map_err(|source| ReadError::Open {
                        path: self.path.clone(),
                        source,
                    })?;
                    Ok(())
                }
                Next::Damage { what, .. } => Err(what),
            };
            if let Err(what) = taken {
                if self.batches.is_empty() {
                    return Err(self.damaged(&what));
                }
                self.damaged_bytes += messages.len() - begun;
                self.rest = Rest::Damaged;
                break;
            }
        }
        if self.streams.is_empty() {
            return Err(ReadError::Empty {
                path: self.path.clone(),
            });
        }
        let current = match self.rows {
            0 => 0,
            _ => self.last_frame.saturating_add(1),
        };
        for event in std::mem::take(&mut self.open) {
            self.take_event(current, event);
        }
        Ok(())
    }

    fn take(
        &mut self,
        messages: &mut Messages,
        place: MessagePlace,
        is_in_stream: bool,
    ) -> Result<(), String> {
        if self.rest == Rest::Ended {
            return Err("something follows the end".into());
        }
        let metadata = messages.metadata().to_vec();
        let message = parse(&metadata)?;
        if let Some(schema) = message.header_as_schema() {
            if is_in_stream {
                return Err("a stream begins within another".into());
            }
            return self.take_schema(schema);
        }
        let Some(batch) = message.header_as_record_batch() else {
            return Err("a message is neither a schema nor a batch".into());
        };
        let Some(stream) = self.streams.last().filter(|_| is_in_stream) else {
            return Err("a batch is outside a stream".into());
        };
        let layout = Layout::of(batch, stream.are_whole.len(), place.body_len)?;
        let mut head = Vec::new();
        messages
            .read(place.body_at(), layout.head_len(), &mut head)
            .map_err(|error| error.to_string())?;
        let checksums = column_checksums(&metadata, stream.are_whole.len() + OTHERS);
        if !checksums.is_some_and(|checksums| layout.is_head_intact(&head, &checksums)) {
            if self.batches.is_empty() {
                return Err("the checksum of a clock is wrong".into());
            }
            // The metadata are undamaged, so the position of the next message is certain.
            self.damaged_bytes += PREFIX + (place.metadata_len + place.body_len) as u64;
            return Ok(());
        }
        self.take_events(&layout, &head)?;
        self.rows += layout.rows as u64;
        if self.rows > MAX_ROWS {
            return Err("it has too many rows".into());
        }
        self.batches.push(BatchPlace {
            message: place,
            stream: self.streams.len() - 1,
            rows: layout.rows,
        });
        Ok(())
    }

    fn take_schema(&mut self, schema: Schema<'_>) -> Result<(), String> {
        let text = |key: &str| {
            let all = schema.custom_metadata().into_iter().flatten();
            let mut found = all.filter(|pair| pair.key() == Some(key));
            found.next().and_then(|pair| pair.value())
        };
        let changed: Vec<(usize, SeriesRecord)> = read(text(SERIES), SERIES)?.unwrap_or_default();
        for (at, record) in changed {
            if at < self.series.len() {
                self.series[at] = record;
            } else if at == self.series.len() {
                self.series.push(record);
            } else {
                return Err("a series is missing".into());
            }
        }
        if let Some(run) = read(text(RUN), RUN)? {
            self.run = run;
        }
        // Events that cannot be parsed are from a newer version.
        let open = text(OPEN).and_then(|open| serde_json::from_str(open).ok());
        self.open = open.unwrap_or(std::mem::take(&mut self.open));
        if let Some(events) = read::<Vec<Event>>(text(END), END)? {
            let last = self.last_frame;
            events
                .into_iter()
                .for_each(|event| self.take_event(last, event));
            self.histograms = read(text(HISTOGRAMS), HISTOGRAMS)?.unwrap_or_default();
            self.rest = Rest::Ended;
            return Ok(());
        }
        let stream = Stream::of(schema)?;
        if stream.are_whole.len() != self.series.len() {
            return Err("the columns of a stream do not match its series".into());
        }
        self.streams.push(stream);
        Ok(())
    }

    fn take_events(&mut self, layout: &Layout, head: &[u8]) -> Result<(), String> {
        let frames = layout.cells(head, 0).ok_or("a batch has no frames")?;
        let frames: Vec<Option<u64>> = frames.iter().collect();
        self.last_frame = frames.last().copied().flatten().unwrap_or_default();
        layout.for_each_events(head, |row, text| {
            let frame = frames.get(row).copied().flatten().unwrap_or_default();
            // Events that cannot be parsed are from a newer version.
            let events: Vec<Event> = serde_json::from_str(text).unwrap_or_default();
            for event in events {
                self.take_event(frame, event);
            }
        })
    }

    fn take_event(&mut self, frame: u64, event: Event) {
        self.open.retain(|open| *open != event);
        match event {
            Event::Point(name) => self.marks.apply(&name, MarkEvent::Point, frame),
            Event::Begin(name) => self.marks.apply(&name, MarkEvent::Begin, frame),
            Event::End(name) => self.marks.apply(&name, MarkEvent::End, frame),
            Event::Run(run) => {
                let cost = self.run.cost;
                self.run = Run { cost, ..*run };
            }
            Event::Cost(cost) => self.run.cost = Some(cost),
            Event::Histograms(all) => self.histograms = all,
            Event::Unknown => {}
        }
    }
}

/// A column of a journal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JournalColumn {
    /// A column of the clock, by its position in [`CLOCK`].
    Clock(usize),
    /// A series, by its position.
    Series(usize),
}

impl Stream {
    fn of(schema: Schema<'_>) -> Result<Self, String> {
        let fields = schema.fields().ok_or("a stream has no columns")?;
        let is_known = fields.len() >= OTHERS
            && fields
                .iter()
                .zip(CLOCK)
                .all(|(field, name)| field.name() == Some(name) && field.type_type() == Type::Int)
            && fields.get(EVENTS_AT).name() == Some(EVENTS)
            && fields.get(EVENTS_AT).type_type() == Type::Utf8;
        if !is_known {
            return Err("it is an Arrow stream, but not a capture".into());
        }
        let are_whole = fields.iter().skip(OTHERS).map(|field| {
            let is_long = |width| width == 64;
            match field.type_type() {
                Type::Int
                    if field
                        .type_as_int()
                        .is_some_and(|int| is_long(int.bitWidth())) =>
                {
                    Ok(true)
                }
                Type::FloatingPoint
                    if field
                        .type_as_floating_point()
                        .is_some_and(|float| float.precision() == Precision::DOUBLE) =>
                {
                    Ok(false)
                }
                _ => Err("a series has numbers of an unknown type".to_owned()),
            }
        });
        Ok(Self {
            are_whole: are_whole.collect::<Result<_, _>>()?,
        })
    }
}

/// Reads a JSON document of the metadata.
fn read<T: DeserializeOwned>(text: Option<&str>, key: &str) -> Result<Option<T>, String> {
    text.map(serde_json::from_str)
        .transpose()
        .map_err(|error| format!("{key} cannot be read: {error}"))
}
