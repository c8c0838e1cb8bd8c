//! The output of a verb, for readers.
//!
//! - [`document`](mod@document): sections of sentences and tables.
//! - [`verdict`]: the verdict, in a few words and with its reasons.
//! - [`format`](mod@format): the formats of standard output.
//! - [`text`](mod@text), [`markdown`](mod@markdown): a document in these formats.
//! - [`json`]: an object as JSON.
//!
//! Text, Markdown and the pages of `pages/` show the same sections in the same order. A page adds
//! graphs. JSON has the figures instead, under names that do not depend on sections.

mod document;
mod format;
mod json;
mod markdown;
mod text;
mod verdict;

pub(crate) use document::{
    Bar, Block, Document, Section, SectionId, Table, TableColumn, capitalized,
};
pub(crate) use format::Format;
pub(crate) use json::json_text;
pub(crate) use text::{is_invisible, text};
pub(crate) use verdict::{Tone, Verdict};
