//! The output of a verb, for readers.
//!
//! - [`document`](mod@document): sections of sentences and tables.
//! - [`format`](mod@format): the formats of standard output.
//! - [`text`](mod@text), [`markdown`](mod@markdown): a document in these formats.
//!
//! Text, Markdown and the pages of `html/` show the same sections.

mod document;
mod format;
mod markdown;
mod text;

pub(crate) use document::{Block, Column, Document, Section, Table};
pub(crate) use format::Format;
pub(crate) use markdown::markdown;
pub(crate) use text::{is_invisible, text};
