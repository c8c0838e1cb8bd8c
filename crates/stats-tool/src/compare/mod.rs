//! `stats compare`: what changed, with its certainty.

use std::path::PathBuf;

use serde_json::json;

use crate::comparison::{self, Comparison, Sides};
use crate::failure::{Failure, Outcome};
use crate::input::files;
use crate::output::print;
use crate::report::{Document, Format, Section, markdown, text, write_judgment};
use crate::runs::{ConfigArguments, read_all, read_readable};

/// The arguments of `stats compare`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The runs before the change: captures, folders with captures, or patterns
    #[arg(long, required = true, num_args = 1.., value_name = "RUN")]
    before: Vec<String>,
    /// The runs after the change
    #[arg(long, required = true, num_args = 1.., value_name = "RUN")]
    after: Vec<String>,
    /// Stored runs, 20 or more of the same machine and scenario, which say how much runs vary
    #[arg(long, num_args = 1.., value_name = "RUN")]
    history: Vec<String>,
    /// Also write the result to this file, which needs no other file and no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    config: ConfigArguments,
}

/// Compares runs, and prints what changed.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let config = arguments.config.config()?;
    let before = read_all(&files(&arguments.before)?, &config)?;
    let after = read_all(&files(&arguments.after)?, &config)?;
    let (stored, unread) = read_readable(&files(&arguments.history)?, &config);
    let sides = Sides {
        before: &before,
        after: &after,
        stored: &stored,
    };
    let mut found = Comparison::of(sides, &config);
    found.warnings.extend(unread.iter().map(Failure::to_string));
    if let ([before], [after]) = (&before[..], &after[..]) {
        found.indicate(before, after)?;
    }
    let outcome = found.outcome();
    if let Some(file) = &arguments.html {
        write_judgment(file, &document(&found), &[], &json_text(&found))?;
    }
    print(match arguments.format {
        Format::Text => text(&document(&found)),
        Format::Markdown => markdown(&document(&found)),
        Format::Json => json_text(&found),
    })?;
    Ok(outcome)
}

fn json_text(found: &Comparison) -> String {
    let compared = json!({
        "format": 1,
        "verb": "compare",
        "outcome": found.outcome().name(),
        "comparison": comparison::value(found),
    });
    format!("{compared:#}\n")
}

fn document(found: &Comparison) -> Document {
    let title = match found.outcome() {
        Outcome::Fine => "compare: not worse",
        Outcome::Worse => "compare: WORSE",
        _ => "compare: cannot tell",
    };
    let mut verdict = Section::new("Verdict");
    for sentence in comparison::verdict_sentence(found) {
        verdict.text(sentence);
    }
    let mut sections = vec![verdict];
    sections.extend(comparison::sections(found));
    Document {
        title: title.into(),
        sections: (sections.into_iter())
            .filter(|section| !section.blocks.is_empty())
            .collect(),
    }
}
