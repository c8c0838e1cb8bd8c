//! The formats of standard output.

use clap::ValueEnum;
use serde_json::Value;

use super::document::Document;
use super::json::json_text;
use super::markdown::markdown;
use super::text::text;

/// The format of a report.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Markdown,
}

impl Format {
    /// Returns a report in this format, with a newline at the end. Makes only what the format needs.
    pub(crate) fn of(
        self,
        document: impl FnOnce() -> Document,
        json: impl FnOnce() -> Value,
    ) -> String {
        match self {
            Self::Text => text(&document()),
            Self::Markdown => markdown(&document()),
            Self::Json => json_text(&json()),
        }
    }
}
