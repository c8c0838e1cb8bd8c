//! The format of a dump: turns bytes, in pieces of any size, into lines.
//!
//! [`reader`] finds the records in a stream of bytes, [`record`] splits one into fields,
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
