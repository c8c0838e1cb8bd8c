//! A row group of a file of scopes in memory.

use parquet::data_type::ByteArray;

/// The columns, in the order of the file.
pub(crate) const COLUMNS: [&str; 7] = [
    "frame", "thread", "depth", "path", "begin_ns", "end_ns", "lane",
];

/// The scopes of a row group, by column.
#[derive(Debug, Default)]
pub(crate) struct SpanRows {
    pub(crate) frames: Vec<i64>,
    pub(crate) threads: Vec<ByteArray>,
    pub(crate) depths: Vec<i32>,
    pub(crate) paths: Vec<ByteArray>,
    pub(crate) begins_ns: Vec<i64>,
    pub(crate) ends_ns: Vec<i64>,
    /// Empty if they were read from a file of an earlier version or of another program.
    pub(crate) lanes: Vec<ByteArray>,
}
