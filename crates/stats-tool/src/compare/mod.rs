//! `stats compare`: the metrics that changed, and how certain that is.

use std::path::PathBuf;

use serde_json::{Value, json};
use stats_capture::CaptureFile;
use stats_config::Config;

use crate::comparison::{self, Comparison, Sides};
use crate::document::{Document, Format, Section, markdown, text};
use crate::failure::{Failure, Outcome};
use crate::history::History;
use crate::html::{self, ComparisonReport, Tone, Verdict};
use crate::input::{files, files_so_far, warn_of_common};
use crate::metrics::RunMetrics;
use crate::output::print;
use crate::runs::{
    ConfigArguments, RunFigures, budget_section, judge_budgets, read_readable, read_runs, rules_of,
    unmatched_budgets,
};

/// The arguments of `stats compare`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The runs before the change: captures, folders with captures, or patterns
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
    let outcome = found.outcome();
    let json = json(&found);
    if let Some(file) = &arguments.html {
        let verdict = verdict(&found);
        let over = judge_budgets(&after, &config);
        let budgets = budget_section(&over, &unmatched_budgets(&after, &config));
        html::write(
            file,
            &page(sides, &found, (verdict, budgets), json.to_string(), &config)?,
        )?;
    }
    print(match arguments.format {
        Format::Text => text(&document(&found)),
        Format::Markdown => markdown(&document(&found)),
        Format::Json => format!("{json:#}\n"),
    })?;
    Ok(outcome)
}

/// Returns the page of a comparison, with a verdict and a section about the budgets of the later
/// runs.
pub(crate) fn page(
    sides: Sides<'_>,
    comparison: &Comparison,
    (verdict, budgets): (Verdict, Section),
    json: String,
    config: &Config,
) -> Result<String, Failure> {
    let Sides {
        before,
        after,
        stored,
    } = sides;
    let history = (!stored.is_empty()).then(|| {
        let mut runs: Vec<RunFigures> = Vec::new();
        // Only stored runs with the machine and scenario of the later runs.
        let is_like = |run: &&RunFigures| after.first().is_none_or(|later| run.is_like(later));
        let all = stored.iter().chain(before).chain(after);
        for run in all.filter(is_like) {
            if runs.iter().all(|known| known.file != run.file) {
                runs.push(run.clone());
            }
        }
        History::of(runs, None, config)
    });
    let history = history.as_ref().map(History::graphs).unwrap_or_default();
    html::comparison_page(&ComparisonReport {
        verdict,
        comparison,
        before,
        after,
        drawn: [usual(before, config)?, usual(after, config)?],
        budgets,
        history: &history,
        json,
    })
}

fn verdict(comparison: &Comparison) -> Verdict {
    let (tone, headline) = match comparison.outcome() {
        Outcome::Fine => (Tone::Good, "Not worse"),
        Outcome::Worse => (Tone::Bad, "Worse"),
        _ => (Tone::Unsure, "Cannot tell"),
    };
    Verdict {
        tone,
        headline: headline.into(),
        sentences: comparison::verdict_sentence(comparison),
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

/// Reads the run whose mean frame time is the median of all runs.
fn usual(runs: &[RunFigures], config: &Config) -> Result<RunMetrics, Failure> {
    let mean = |run: &RunFigures| {
        let mut metrics = run.metrics.iter();
        metrics
            .find(|metric| metric.name == "frame/mean")
            .map_or(0.0, |mean| mean.value)
    };
    let mut sorted: Vec<&RunFigures> = runs.iter().collect();
    sorted.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    let run = sorted[(sorted.len() - 1) / 2];
    let capture = CaptureFile::open(&run.file)?;
    RunMetrics::of(&capture, &run.file, &rules_of(&capture, config))
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
