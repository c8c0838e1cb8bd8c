//! `stats compare`: the metrics that changed, and how certain that is.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::comparison::{self, Comparison, Sides};
use crate::document::{Document, Format, Section, Verdict};
use crate::failure::{Failure, Outcome};
use crate::html;
use crate::input::{files, files_so_far, warn_of_common};
use crate::output::print;
use crate::pages::comparison_page;
use crate::runs::{
    ConfigArguments, budget_section, judge_budgets, newly_over, read_readable, read_runs,
    unmatched_budgets,
};

/// The arguments of `stats compare`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The runs before the change: captures or logs of other programs, folders of them, patterns, or
    /// `-` for standard input
    #[arg(long, required = true, num_args = 1.., value_name = "RUN")]
    before: Vec<String>,
    /// The runs after the change
    #[arg(long, required = true, num_args = 1.., value_name = "RUN")]
    after: Vec<String>,
    /// 20 or more stored runs of the same machine and scenario, which show how much runs vary
    #[arg(long, num_args = 1.., value_name = "RUN")]
    history: Vec<String>,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Also write the comparison as one HTML file, with graphs
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Use only the runs of this scenario; runs of several scenarios cannot be compared
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    #[command(flatten)]
    config: ConfigArguments,
}

/// Compares runs, and prints the changes.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    html::check(arguments.html.as_deref())?;
    let config = arguments.config.config()?;
    let (before, after) = (files(&arguments.before)?, files(&arguments.after)?);
    warn_of_common(&before, &after);
    let scenario = arguments.scenario.as_deref();
    let before = read_runs(&before, scenario, &config)?;
    let after = read_runs(&after, scenario, &config)?;
    let (stored, unread) = read_readable(&files_so_far(&arguments.history)?.0, &config);
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
    let json = json(&found);
    let over = judge_budgets(&after, &config);
    let earlier = judge_budgets(&before, &config);
    let unmatched = unmatched_budgets(&after, &config);
    let budgets = budget_section(&over, Some(&earlier), &unmatched);
    let verdict = verdict(&found, newly_over(&over, &earlier));
    let document = document(sides, &found, budgets);
    if let Some(file) = &arguments.html {
        let shown = (&verdict, &document.sections[..]);
        let page = comparison_page(sides, &found, shown, &json, &config)?;
        html::write(file, &page)?;
    }
    let document = || document.judged("Verdict", &verdict);
    print(arguments.format.of(document, || json))?;
    Ok(found.outcome())
}

fn verdict(comparison: &Comparison, newly_over: usize) -> Verdict {
    Verdict {
        tone: comparison.outcome().into(),
        headline: comparison::headline(comparison, newly_over),
        sentences: (comparison::first_figures(comparison).into_iter())
            .chain(comparison::verdict_sentence(comparison))
            .collect(),
    }
}

fn json(found: &Comparison) -> Value {
    json!({
        "format": 1,
        "verb": "compare",
        "outcome": found.outcome().name(),
        "comparison": comparison::value(found),
    })
}

fn document(sides: Sides<'_>, found: &Comparison, budgets: Section) -> Document {
    let title = match found.outcome() {
        Outcome::Fine => "compare: not worse",
        Outcome::Worse => "compare: WORSE",
        _ => "compare: cannot tell",
    };
    Document {
        title: title.into(),
        sections: comparison::sections(sides, found, budgets),
    }
}
