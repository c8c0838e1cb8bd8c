//! The common content of captures and journals: the part that is read when a file is opened, and
//! the columns that are read on demand.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::frames::Ticks;
use super::parquet_columns::ParquetColumns;
use crate::ReadError;
use crate::journal::{Journal, JournalColumn};
use crate::metadata::{
    CLOCK, HistogramRecord, MarkRecord, MemoryRecord, Run, SeriesRecord, scale_of,
};

/// The columns of a file.
#[derive(Debug)]
pub(super) enum Columns {
    Parquet(Box<ParquetColumns>),
    Journal(Box<Journal>),
}

/// The part of a file that is read when it is opened.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) columns: Columns,
    pub(super) run: Run,
    pub(super) series: Vec<SeriesRecord>,
    pub(super) marks: Vec<MarkRecord>,
    pub(super) histograms: Vec<HistogramRecord>,
    pub(super) memory: MemoryRecord,
    /// The number of bytes of a journal that cannot be read.
    pub(super) damaged_bytes: u64,
    /// What another program wrote in an unexpected way, one sentence each.
    pub(super) warnings: Vec<String>,
}

impl Content {
    /// Opens a file, which may be a capture or a journal.
    pub(super) fn open(path: &Path) -> Result<Self, ReadError> {
        let mut magic = [0; 4];
        let read = File::open(path).and_then(|mut file| file.read(&mut magic));
        let read = read.map_err(|source| ReadError::Open {
            path: path.to_owned(),
            source,
        })?;
        // The zeros after a shorter file match neither format.
        match &magic {
            _ if read == 0 => Err(ReadError::Damaged {
                path: path.to_owned(),
                what: "it has 0 bytes".to_owned(),
            }),
            b"PAR1" => ParquetColumns::open(path),
            [0xFF, 0xFF, 0xFF, 0xFF] => Journal::open(path).map(Self::of_journal),
            _ => Err(ReadError::NotACapture {
                path: path.to_owned(),
            }),
        }
    }

    fn of_journal(mut journal: Journal) -> Self {
        let mut series = std::mem::take(&mut journal.series);
        for (at, series) in series.iter_mut().enumerate() {
            series.scale = scale_of(series.kind, journal.is_whole(at));
        }
        Self {
            run: std::mem::take(&mut journal.run),
            series,
            marks: journal.marks.as_slice().to_vec(),
            histograms: std::mem::take(&mut journal.histograms),
            memory: MemoryRecord::default(),
            damaged_bytes: journal.damaged_bytes,
            warnings: Vec::new(),
            columns: Columns::Journal(Box::new(journal)),
        }
    }
}

impl Columns {
    /// Reads a column of the clock, by its position in [`CLOCK`].
    pub(super) fn clock(&self, column: usize) -> Result<Ticks, ReadError> {
        match self {
            Self::Parquet(file) => file.clock(CLOCK[column]),
            Self::Journal(journal) => {
                let mut values = Vec::new();
                journal.for_each_cells(JournalColumn::Clock(column), |_, cells, _| {
                    let bits = cells.into_iter().flat_map(|cells| cells.iter());
                    values.extend(bits.map(|bits| bits.unwrap_or_default() as i64));
                })?;
                Ok(Ticks::Whole(values))
            }
        }
    }

    /// Returns whether this crate wrote the file.
    pub(super) fn are_own(&self) -> bool {
        match self {
            Self::Parquet(file) => file.is_own(),
            Self::Journal(_) => true,
        }
    }

    /// Returns the error about a content that contradicts itself. `path` is that of the file.
    pub(super) fn wrong(&self, path: &Path, what: String) -> ReadError {
        match self {
            Self::Parquet(file) => file.wrong(what),
            Self::Journal(_) => ReadError::Damaged {
                path: path.to_owned(),
                what,
            },
        }
    }

    /// Reads the values of a series by row; NaN for an unknown value.
    pub(super) fn values(
        &self,
        position: usize,
        series: &SeriesRecord,
    ) -> Result<Vec<f64>, ReadError> {
        match self {
            Self::Parquet(file) => file.values(series),
            Self::Journal(journal) => {
                let mut values = Vec::new();
                journal.for_each_cells(
                    JournalColumn::Series(position),
                    |rows, cells, is_whole| {
                        let Some(cells) = cells else {
                            values.resize(values.len() + rows, f64::NAN);
                            return;
                        };
                        let scale = scale_of(series.kind, is_whole);
                        values.extend(cells.iter().map(|bits| match bits {
                            None => f64::NAN,
                            Some(bits) if is_whole => bits as i64 as f64 * scale,
                            Some(bits) => f64::from_bits(bits),
                        }));
                    },
                )?;
                Ok(values)
            }
        }
    }
}
