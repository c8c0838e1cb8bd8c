//! `stats query`: questions about all runs of a lake, in SQL.
//!
//! - [`questions`]: the prepared questions.
//! - [`tables`]: the tables that a question can use.
//! - [`columns`]: the types of the columns of captures.
//! - [`engine`]: DuckDB and Spark, which answer.
//! - [`answer`]: writes an answer.

mod answer;
mod columns;
mod engine;
mod questions;
mod tables;

use std::path::PathBuf;

use clap::ValueEnum;

use crate::document::{Document, Section, Table, text};
use crate::failure::{Failure, Outcome};
use crate::output::{print, say};
use engine::Engine;
use questions::{QUESTIONS, Question};
use tables::Tables;

/// The arguments of `stats query`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder that `stats summarize` has summarized
    #[arg(value_name = "DIR")]
    lake: PathBuf,
    /// The question, about the tables runs, metrics, hitches and frames. Without it and --ask, the
    /// prepared questions are listed
    #[arg(value_name = "SQL", conflicts_with = "ask")]
    sql: Option<String>,
    /// Ask a prepared question
    #[arg(long, value_name = "NAME")]
    ask: Option<String>,
    /// The engine that answers: duckdb on this computer, or a Spark cluster
    #[arg(
        long,
        value_name = "duckdb|spark://HOST:PORT",
        default_value = "duckdb"
    )]
    engine: Engine,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// The format of an answer.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
}

/// Prints the answer to a question, or the prepared questions.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let (title, sql) = match (&arguments.sql, &arguments.ask) {
        (Some(sql), _) if sql.trim().is_empty() => {
            let cure = "the question is empty; `stats query` without one lists prepared questions";
            return Err(Failure::Usage(cure.into()));
        }
        (Some(sql), _) => (sql.clone(), sql.clone()),
        (None, Some(name)) => {
            let question = Question::named(name)?;
            (question.sentence().to_owned(), question.sql.to_owned())
        }
        (None, None) => {
            print(list())?;
            return Ok(Outcome::Fine);
        }
    };
    let (mut tables, notes) = Tables::of(&arguments.lake, &sql)?;
    for note in notes {
        say(note);
    }
    let mut outcome = Outcome::Fine;
    let answer = match arguments.engine.ask(&tables, &sql) {
        Err(failure) if failure.outcome() == Outcome::Unreadable => {
            let damage = tables.remove_damaged();
            if damage.is_empty() {
                return Err(failure);
            }
            for failure in damage {
                say(format_args!("{failure}; its frames are left out"));
            }
            outcome = Outcome::Unreadable;
            arguments.engine.ask(&tables, &sql)?
        }
        answer => answer?,
    };
    print(match arguments.format {
        Format::Text => answer.text(&title),
        Format::Json => answer.json(),
        Format::Csv => answer.csv(),
    })?;
    Ok(outcome)
}

fn list() -> String {
    let mut table = Table::of_texts(&["--ask", "question"]);
    for question in &QUESTIONS {
        table.row([question.name.to_owned(), question.sentence().to_owned()]);
    }
    let mut section = Section::titled("Prepared questions");
    section.table(table);
    text(&Document {
        title: "Ask one of these with --ask, or your own in SQL.".into(),
        sections: vec![section],
    })
}
