//! `stats gate`: budgets and regressions as an exit code.

use serde_json::json;

use crate::comparison::{self, Comparison, Sides};
use crate::document::{Document, Section, markdown, text};
use crate::failure::{Failure, Outcome};
use crate::input::files;
use crate::output::print;
use crate::report::Format;
use crate::runs::{
    BudgetFinding, ConfigArguments, budget_table, judge_budgets, read_all, read_readable,
};

/// The maximum number of series over budget that the verdict names.
const MAX_SENTENCES: usize = 6;

/// The arguments of `stats gate`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The runs to judge: captures, folders with captures, or patterns
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// The runs to compare with; without them, only budgets are judged
    #[arg(long, num_args = 1.., value_name = "RUN")]
    baseline: Vec<String>,
    /// 20 or more stored runs of the same machine and scenario, which show how much runs vary
    #[arg(long, num_args = 1.., value_name = "RUN")]
    history: Vec<String>,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    config: ConfigArguments,
}

/// Judges runs, and prints the verdict with its reasons.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let config = arguments.config.config()?;
    let after = read_all(&files(&arguments.runs)?, &config)?;
    let before = read_all(&files(&arguments.baseline)?, &config)?;
    let (stored, unread) = read_readable(&files(&arguments.history)?, &config);
    let over = judge_budgets(&after, &config);
    let mut comparison = None;
    if !before.is_empty() {
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
        comparison = Some(found);
    }
    let outcome = outcome(&over, comparison.as_ref());
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
    let failing = || over.iter().filter(|one| one.is_over);
    for one in failing().take(MAX_SENTENCES) {
        verdict.text(one.sentence());
    }
    let more = failing().count().saturating_sub(MAX_SENTENCES);
    if more > 0 {
        verdict.text(format!("… and {more} more series are over budget."));
    }
    match comparison {
        Some(comparison) => {
            for sentence in comparison::verdict_sentence(comparison) {
                verdict.text(sentence);
            }
        }
        None => verdict.warning(
            "Only budgets are judged. Name earlier runs with --baseline to judge regressions too.",
        ),
    }
    let mut budgets = Section::new("Budgets");
    budgets.table(budget_table(over));
    if over.is_empty() {
        budgets
            .text("No series has a budget. Add some to [budgets] in stats.toml, or in the code.");
    }
    let mut sections = vec![verdict, budgets];
    sections.extend(comparison.map(comparison::sections).unwrap_or_default());
    Document {
        title: format!("gate: {}", word(outcome)),
        sections: (sections.into_iter())
            .filter(|section| !section.blocks.is_empty())
            .collect(),
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
