//! `stats gate`: budgets and regressions as an exit code.
//!
//! A gate can be inconclusive. Finding no change does not prove that there is none. The statistical
//! power decides: a change by `find_percent` must be found with a probability of 80 %.

use std::path::PathBuf;

use serde_json::{Value, json};
use stats_analysis::format::count_text;
use stats_config::Config;

use crate::comparison::{self, Comparison, Sides};
use crate::document::{Document, Format, Section, Verdict};
use crate::failure::{Failure, Outcome};
use crate::html;
use crate::input::{files, files_so_far, warn_of_common};
use crate::output::{name_of, print, say};
use crate::pages::{comparison_page, page_of_files};
use crate::runs::{
    BudgetFinding, ConfigArguments, LeftOutFrames, RunFigures, budget_section, by_importance,
    judge_budgets, read_readable, read_runs, unmatched_budgets,
};

/// The maximum number of series over budget that the verdict names.
const MAX_SENTENCES: usize = 6;

/// The note of a verdict without earlier runs.
const ONLY_BUDGETS: &str =
    "Only budgets are judged. Name earlier runs with --baseline to judge regressions too.";

/// The arguments of `stats gate`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The runs to judge: captures or logs of other programs, folders of them, patterns, or `-` for
    /// standard input
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
    /// Also write the result as one HTML file, with graphs
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Use only the runs of this scenario; runs of several scenarios cannot be compared
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    #[command(flatten)]
    config: ConfigArguments,
}

/// The result of a gate.
struct GateResult {
    over: Vec<BudgetFinding>,
    /// `None` without earlier runs.
    comparison: Option<Comparison>,
    /// The reasons why runs cannot be judged, one sentence each.
    unjudged: Vec<String>,
    /// The reasons why budgets of `stats.toml` judge nothing, one sentence each.
    unmatched: Vec<String>,
    /// The frames of the judged runs that are left out.
    left_out: Vec<LeftOutFrames>,
    /// What limits the judgment, one sentence each.
    notes: Vec<String>,
}

/// Judges runs, and prints the verdict and its reasons.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    html::check(arguments.html.as_deref())?;
    let config = arguments.config.config()?;
    let after = files(&arguments.runs)?;
    let (before, no_baseline) = files_so_far(&arguments.baseline)?;
    let (stored, no_history) = files_so_far(&arguments.history)?;
    warn_of_common(&before, &after);
    let scenario = arguments.scenario.as_deref();
    let after = read_runs(&after, scenario, &config)?;
    let before = read_runs(&before, scenario, &config)?;
    let (stored, unread) = read_readable(&stored, &config);
    let sides = Sides {
        before: &before,
        after: &after,
        stored: &stored,
    };
    let mut found = GateResult {
        over: judge_budgets(&after, &config),
        comparison: None,
        unjudged: after.iter().flat_map(unjudged).collect(),
        unmatched: unmatched_budgets(&after, &config),
        left_out: LeftOutFrames::of(&[("judged", &after)]),
        notes: Vec::new(),
    };
    found.add_empty(&no_baseline, &no_history, before.is_empty());
    if before.is_empty() {
        for failure in &unread {
            say(format_args!(
                "{failure}; the run is left out of the history"
            ));
        }
    } else {
        let mut comparison = Comparison::of(sides, &config);
        let warnings = unread.iter().map(Failure::to_string);
        comparison.warnings.extend(warnings);
        if let ([before], [after]) = (&before[..], &after[..]) {
            comparison.indicate(before, after)?;
        }
        found.comparison = Some(comparison);
    }
    let (verdict, document) = (found.verdict(), found.document(sides, &config));
    if let Some(file) = &arguments.html {
        let page = match &found.comparison {
            Some(comparison) => {
                let shown = (&verdict, &document.sections[..]);
                comparison_page(sides, comparison, shown, &found.json(), &config)?
            }
            None => {
                let runs: Vec<PathBuf> = after.iter().map(|run| run.file.clone()).collect();
                let judged = Some((verdict.clone(), found.json()));
                page_of_files(&runs, judged, &stored, &config)?
            }
        };
        html::write(file, &page)?;
    }
    let document = || document.judged("Verdict", &verdict);
    print(arguments.format.of(document, || found.json()))?;
    Ok(found.outcome())
}

/// Returns why a run, or a part of it, cannot be judged.
fn unjudged(run: &RunFigures) -> impl Iterator<Item = String> {
    let empty = (!run.has_frames()).then(|| {
        format!(
            "{} has no frame to judge: leave out less, or record a longer run.",
            name_of(&run.file)
        )
    });
    empty.into_iter().chain(run.damage.clone())
}

impl GateResult {
    /// Adds sentences about arguments that name no run yet, as in the first night. Without any
    /// earlier run, regressions cannot be judged.
    fn add_empty(&mut self, baseline: &[String], history: &[String], is_first_night: bool) {
        let names = |arguments: &[String]| match arguments {
            [one] => format!("{one} has no runs yet"),
            several => format!("{} have no runs yet", several.join(", ")),
        };
        if baseline.is_empty() {
            if is_first_night {
                self.notes.push(ONLY_BUDGETS.to_owned());
            }
        } else if is_first_night {
            self.unjudged.push(format!(
                "{}, so only budgets are judged: to judge regressions, copy runs that are fine into it, such as \
                 these.",
                names(baseline)
            ));
        } else {
            self.notes.push(format!("{}.", names(baseline)));
        }
        if !history.is_empty() {
            self.notes.push(format!(
                "{}, so the noise is estimated from the compared runs.",
                names(history)
            ));
        }
    }

    fn outcome(&self) -> Outcome {
        if self.over.iter().any(|one| one.is_over) {
            return Outcome::Worse;
        }
        match self.comparison.as_ref().map(Comparison::outcome) {
            None | Some(Outcome::Fine) if !self.unjudged.is_empty() => Outcome::Unknown,
            compared => compared.unwrap_or(Outcome::Fine),
        }
    }

    fn document(&self, sides: Sides<'_>, config: &Config) -> Document {
        Document {
            title: format!("gate: {}", word(self.outcome())),
            sections: match &self.comparison {
                Some(comparison) => {
                    let earlier = judge_budgets(sides.before, config);
                    comparison::sections(sides, comparison, self.budgets(Some(&earlier)))
                }
                None => vec![self.budgets(None)],
            },
        }
    }

    fn verdict(&self) -> Verdict {
        let mut sentences = self.sentences();
        sentences.extend_from_slice(&self.notes);
        let outcome = self.outcome();
        Verdict {
            tone: outcome.into(),
            headline: format!("The gate: {}", word(outcome)),
            sentences,
        }
    }

    fn sentences(&self) -> Vec<String> {
        let failing = self.over.iter().filter(|one| one.is_over);
        let failing = by_importance(failing, &[]);
        let shown = failing.iter().take(MAX_SENTENCES);
        let mut sentences: Vec<String> = shown.map(|one| one.sentence()).collect();
        let more = failing.len().saturating_sub(MAX_SENTENCES);
        if more > 0 {
            let (one, many) = ("more series is", "more series are");
            let more = count_text(more as u64, one, many);
            sentences.push(format!("… and {more} over budget."));
        }
        sentences.extend_from_slice(&self.unjudged);
        if let Some(comparison) = &self.comparison {
            sentences.extend(comparison::verdict_sentence(comparison));
        }
        sentences
    }

    /// `earlier` are the findings about the runs to compare with.
    fn budgets(&self, earlier: Option<&[BudgetFinding]>) -> Section {
        let mut budgets = budget_section(&self.over, earlier, &self.unmatched);
        // A comparison lists the frames that are left out of both sides.
        if self.comparison.is_none() {
            for sentence in LeftOutFrames::sentences(&self.left_out) {
                budgets.text(sentence);
            }
        }
        budgets
    }

    /// Returns the findings as one JSON object.
    fn json(&self) -> Value {
        json!({
            "format": 1,
            "verb": "gate",
            "outcome": self.outcome().name(),
            "budgets": self.over.iter().map(BudgetFinding::json).collect::<Vec<_>>(),
            "unjudged": self.unjudged,
            "notes": self.notes,
            "unmatched_budgets": self.unmatched,
            "left_out": self.left_out.iter().map(LeftOutFrames::json).collect::<Vec<_>>(),
            "comparison": self.comparison.as_ref().map(comparison::value),
        })
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fine => "passed",
        Outcome::Worse => "FAILED",
        _ => "cannot tell",
    }
}
