//! `stats gate`: budgets and regressions as an exit code.

use std::path::PathBuf;

use serde_json::json;

use crate::compare;
use crate::comparison::{self, Comparison, Sides};
use crate::document::{Document, Section, markdown, text};
use crate::failure::{Failure, Outcome};
use crate::html::{self, Tone, Verdict};
use crate::input::files;
use crate::output::print;
use crate::report::{self, Format};
use crate::runs::{
    BudgetFinding, ConfigArguments, budget_table, judge_budgets, read_all, read_readable,
};

/// The most series over budget that the verdict names.
const MOST_SENTENCES: usize = 6;

/// What is said without earlier runs.
const ONLY_BUDGETS: &str =
    "Only budgets are judged. Name earlier runs with --baseline to judge regressions too.";

/// The arguments of `stats gate`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The runs to judge: captures, folders with captures, or patterns
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// The runs to compare with; without them, only budgets are judged
    #[arg(long, num_args = 1.., value_name = "RUN")]
    baseline: Vec<String>,
    /// Stored runs, 20 or more of the same machine and scenario, which say how much runs vary
    #[arg(long, num_args = 1.., value_name = "RUN")]
    history: Vec<String>,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Also write the result as one HTML file, with graphs
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
}

/// Judges runs, and prints why.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let config = arguments.config.config()?;
    let after = read_all(&files(&arguments.runs)?, &config)?;
    let before = read_all(&files(&arguments.baseline)?, &config)?;
    let (stored, unread) = read_readable(&files(&arguments.history)?, &config);
    let over = judge_budgets(&after, &config);
    let sides = Sides {
        before: &before,
        after: &after,
        stored: &stored,
    };
    let mut comparison = None;
    if !before.is_empty() {
        let mut found = Comparison::of(sides, &config);
        found.warnings.extend(unread.iter().map(Failure::to_string));
        if let ([before], [after]) = (&before[..], &after[..]) {
            found.indicate(before, after)?;
        }
        comparison = Some(found);
    }
    let outcome = outcome(&over, comparison.as_ref());
    if let Some(file) = &arguments.html {
        let json = json_text(&over, comparison.as_ref(), outcome);
        let verdict = verdict(&over, comparison.as_ref(), outcome);
        let page = match &comparison {
            Some(comparison) => {
                compare::page(sides, comparison, (verdict, budgets(&over)), json, &config)?
            }
            None => report::page_of(&files(&arguments.runs)?, verdict, json, &stored, &config)?,
        };
        html::write(file, &page)?;
    }
    print(match arguments.format {
        Format::Text => text(&document(&over, comparison.as_ref(), outcome)),
        Format::Markdown => markdown(&document(&over, comparison.as_ref(), outcome)),
        Format::Json => json_text(&over, comparison.as_ref(), outcome),
    })?;
    Ok(outcome)
}

fn outcome(over: &[BudgetFinding], comparison: Option<&Comparison>) -> Outcome {
    if over.iter().any(|one| one.is_over) {
        return Outcome::Worse;
    }
    comparison.map_or(Outcome::Fine, Comparison::outcome)
}

fn document(over: &[BudgetFinding], comparison: Option<&Comparison>, outcome: Outcome) -> Document {
    let mut verdict = Section::new("Verdict");
    for sentence in sentences(over, comparison) {
        verdict.text(sentence);
    }
    if comparison.is_none() {
        verdict.warning(ONLY_BUDGETS);
    }
    let mut sections = vec![verdict, budgets(over)];
    sections.extend(comparison.map(comparison::sections).unwrap_or_default());
    Document {
        title: format!("gate: {}", word(outcome)),
        sections: (sections.into_iter())
            .filter(|section| !section.blocks.is_empty())
            .collect(),
    }
}

fn sentences(over: &[BudgetFinding], comparison: Option<&Comparison>) -> Vec<String> {
    let failing = || over.iter().filter(|one| one.is_over);
    let mut sentences: Vec<String> = failing()
        .take(MOST_SENTENCES)
        .map(BudgetFinding::sentence)
        .collect();
    let more = failing().count().saturating_sub(MOST_SENTENCES);
    if more > 0 {
        sentences.push(format!("… and {more} more series are over budget."));
    }
    sentences.extend(
        comparison
            .into_iter()
            .flat_map(comparison::verdict_sentence),
    );
    sentences
}

fn budgets(over: &[BudgetFinding]) -> Section {
    let mut budgets = Section::new("Budgets");
    budgets.table(budget_table(over));
    if over.is_empty() {
        budgets
            .text("No series has a budget. Add some to [budgets] in stats.toml, or in the code.");
    }
    budgets
}

fn verdict(over: &[BudgetFinding], comparison: Option<&Comparison>, outcome: Outcome) -> Verdict {
    let mut sentences = sentences(over, comparison);
    if comparison.is_none() {
        sentences.push(ONLY_BUDGETS.to_owned());
    }
    Verdict {
        tone: match outcome {
            Outcome::Fine => Tone::Good,
            Outcome::Worse => Tone::Bad,
            _ => Tone::Unsure,
        },
        headline: format!("The gate: {}", word(outcome)),
        sentences,
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fine => "passed",
        Outcome::Worse => "FAILED",
        _ => "cannot tell",
    }
}

fn json_text(over: &[BudgetFinding], comparison: Option<&Comparison>, outcome: Outcome) -> String {
    let gate = json!({
        "format": 1,
        "verb": "gate",
        "outcome": outcome.name(),
        "budgets": over.iter().map(BudgetFinding::json).collect::<Vec<_>>(),
        "comparison": comparison.map(comparison::value),
    });
    format!("{gate:#}\n")
}
