//! What a verb says, and how it is written for people.
//!
//! - [`document`](mod@document): sections of sentences and tables.
//! - [`text`](mod@text), [`markdown`](mod@markdown): how they are written.

mod document;
mod markdown;
mod text;

pub(crate) use document::{Block, Column, Document, Section, Table};
pub(crate) use markdown::markdown;
pub(crate) use text::text;
