//! The formats of standard output.

use clap::ValueEnum;

/// The format of a report.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Markdown,
}
