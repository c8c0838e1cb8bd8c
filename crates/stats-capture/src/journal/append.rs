//! Writes a journal.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_ipc::MetadataVersion;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::seal::seal;
use super::{END, EVENTS, Event, OPEN};
use crate::CaptureError;
use crate::metadata::{CLOCK, HISTOGRAMS, HistogramRecord, RUN, Run, SERIES, SeriesRecord};
use crate::paths::check_targets;

/// A journal that is being written.
pub(crate) struct Append {
    out: Output,
    stream: Option<Stream>,
}

/// The destination of a journal.
enum Output {
    /// A file, and its length up to the last complete message.
    File(File, u64),
    Memory(Vec<u8>),
}

struct Stream {
    /// Encodes into memory, so that each message is written as a whole.
    writer: StreamWriter<Vec<u8>>,
    schema: Arc<Schema>,
}

/// The values of a series in consecutive frames.
#[derive(Debug)]
pub(crate) enum StreamColumn {
    /// Whole numbers; 0 for a null.
    Whole(Vec<i64>, Option<NullBuffer>),
    /// Any numbers; NaN for a null.
    Double(Vec<f64>, Option<NullBuffer>),
}

impl StreamColumn {
    /// Returns whether the numbers are whole.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(..))
    }

    fn into_array(self) -> ArrayRef {
        match self {
            Self::Whole(values, nulls) => Arc::new(Int64Array::new(values.into(), nulls)),
            Self::Double(values, nulls) => {
                Arc::new(Float64Array::new(ScalarBuffer::from(values), nulls))
            }
        }
    }
}

impl Append {
    /// Creates the journal of a capture, and the folder of the capture.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Target`], [`CaptureError::JournalExists`] and [`CaptureError::Create`].
    pub(crate) fn begin(capture: &Path, journal: &Path) -> Result<Self, CaptureError> {
        let failed = |source: io::Error| {
            let journal = journal.to_owned();
            // A link to a missing file exists, too.
            let exists = journal.symlink_metadata().is_ok();
            if source.kind() == io::ErrorKind::AlreadyExists && exists {
                CaptureError::JournalExists { journal }
            } else {
                CaptureError::Create { journal, source }
            }
        };
        let folder = capture.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder.map_err(failed)?;
        check_targets(capture)?;
        Self::create(journal).map_err(failed)
    }

    /// Creates a journal in a new file, and locks the file until this value is dropped.
    ///
    /// # Errors
    ///
    /// Those of [`File::create_new`], which fails if the file exists.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = File::create_new(path)?;
        // Fails if the file system has no locks. On Windows, a lock would stop readers.
        #[cfg(unix)]
        let _ = file.try_lock();
        Ok(Self::to(file))
    }

    /// Creates a journal in an empty file.
    pub(crate) fn to(file: File) -> Self {
        Self {
            out: Output::File(file, 0),
            stream: None,
        }
    }

    /// Creates a journal in memory.
    pub(crate) fn to_memory() -> Self {
        Self {
            out: Output::Memory(Vec::new()),
            stream: None,
        }
    }

    /// Ends the stream. Removes and returns the bytes in memory; for a file, returns no bytes.
    pub(crate) fn cut(&mut self) -> io::Result<Vec<u8>> {
        self.end_stream()?;
        match &mut self.out {
            Output::File(..) => Ok(Vec::new()),
            Output::Memory(written) => Ok(std::mem::take(written)),
        }
    }

    /// Writes streams that are already encoded.
    pub(crate) fn write_encoded(&mut self, streams: &[u8]) -> io::Result<()> {
        self.end_stream()?;
        self.out.write(streams)
    }

    /// Returns the number of bytes written.
    pub(crate) fn len(&self) -> u64 {
        match &self.out {
            Output::File(_, len) => *len,
            Output::Memory(written) => written.len() as u64,
        }
    }

    /// Ends the current stream and begins another. `are_whole` says for each series whether its
    /// column stores whole numbers. `open` are events of the current frame, which may never end.
    pub(crate) fn begin_stream(
        &mut self,
        are_whole: impl Iterator<Item = bool>,
        changed: &[(usize, &SeriesRecord)],
        run: Option<&Run>,
        open: &[Event],
    ) -> io::Result<()> {
        self.end_stream()?;
        let clock = CLOCK.map(|name| Field::new(name, DataType::Int64, false));
        let mut fields = Vec::from(clock);
        fields.push(Field::new(EVENTS, DataType::Utf8, true));
        // Named by position, because the name of a series may change later.
        fields.extend(are_whole.enumerate().map(|(at, is_whole)| {
            let values = if is_whole {
                DataType::Int64
            } else {
                DataType::Float64
            };
            Field::new(at.to_string(), values, true)
        }));
        let mut metadata = HashMap::from([(SERIES.to_owned(), serde_json::to_string(changed)?)]);
        if let Some(run) = run {
            metadata.insert(RUN.to_owned(), serde_json::to_string(run)?);
        }
        if !open.is_empty() {
            metadata.insert(OPEN.to_owned(), serde_json::to_string(open)?);
        }
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        let writer = new_stream(&schema)?;
        self.stream = Some(Stream { writer, schema });
        self.flush()
    }

    /// Writes a batch of frames; the columns are those of the stream.
    pub(crate) fn write_batch(
        &mut self,
        clock: [Vec<i64>; 3],
        events: Vec<Option<String>>,
        columns: Vec<StreamColumn>,
    ) -> io::Result<()> {
        let Some(stream) = &mut self.stream else {
            return Err(io::Error::other("no stream has begun"));
        };
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len() + super::OTHERS);
        arrays.extend(clock.map(|values| Arc::new(Int64Array::from(values)) as ArrayRef));
        arrays.push(Arc::new(StringArray::from(events)));
        arrays.extend(columns.into_iter().map(StreamColumn::into_array));
        let batch = RecordBatch::try_new(Arc::clone(&stream.schema), arrays).map_err(to_io)?;
        stream.writer.write(&batch).map_err(to_io)?;
        self.flush()
    }

    /// Writes the end, which completes the journal. The lock remains. `open` is as for
    /// [`begin_stream`](Self::begin_stream).
    pub(crate) fn end(
        &mut self,
        series: &[(usize, &SeriesRecord)],
        run: &Run,
        histograms: &[HistogramRecord],
        events: &[Event],
        open: &[Event],
    ) -> io::Result<()> {
        self.end_stream()?;
        let mut metadata = HashMap::from([
            (SERIES.to_owned(), serde_json::to_string(series)?),
            (RUN.to_owned(), serde_json::to_string(run)?),
            (HISTOGRAMS.to_owned(), serde_json::to_string(histograms)?),
            (END.to_owned(), serde_json::to_string(events)?),
        ]);
        if !open.is_empty() {
            metadata.insert(OPEN.to_owned(), serde_json::to_string(open)?);
        }
        let schema = Arc::new(Schema::new_with_metadata(Vec::<Field>::new(), metadata));
        let writer = new_stream(&schema)?;
        self.stream = Some(Stream { writer, schema });
        self.end_stream()
    }

    fn end_stream(&mut self) -> io::Result<()> {
        if let Some(stream) = &mut self.stream {
            stream.writer.finish().map_err(to_io)?;
            self.flush()?;
            self.stream = None;
        }
        Ok(())
    }

    /// Writes the encoded bytes as a whole, or nothing.
    fn flush(&mut self) -> io::Result<()> {
        let Some(stream) = &mut self.stream else {
            return Ok(());
        };
        let series = stream.schema.fields().len().saturating_sub(super::OTHERS);
        let encoded = stream.writer.get_mut();
        seal(encoded, series).map_err(io::Error::other)?;
        self.out.write(encoded)?;
        encoded.clear();
        Ok(())
    }
}

impl Output {
    /// Appends bytes. If that fails, removes those that were written.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Memory(written) => written.extend_from_slice(bytes),
            Self::File(file, len) => {
                if let Err(error) = file.write_all(bytes) {
                    // If this fails too, a reader drops the incomplete message.
                    let _ = file.set_len(*len);
                    return Err(error);
                }
                *len += bytes.len() as u64;
            }
        }
        Ok(())
    }
}

fn new_stream(schema: &Schema) -> io::Result<StreamWriter<Vec<u8>>> {
    // The smallest alignment, because a batch has many small columns.
    let options = IpcWriteOptions::try_new(8, false, MetadataVersion::V5).map_err(to_io)?;
    StreamWriter::try_new_with_options(Vec::new(), schema, options).map_err(to_io)
}

fn to_io(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}
