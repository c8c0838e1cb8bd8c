//! Reads the format of a dump: bytes in pieces of any size become lines.
//!
//! [`reader`] finds the records in a stream of bytes, [`record`] splits a record into fields,
//! [`line`](mod@line) reads the fields, and [`damage`] describes lines that cannot be read.

mod damage;
mod line;
mod reader;
mod record;

pub use damage::{DumpDamage, DumpProblem};
pub(crate) use line::Line;
pub(crate) use reader::DumpReader;

#[cfg(test)]
pub(crate) use damage::{MAX_LINE_BYTES, MAX_QUOTED_LINES};
