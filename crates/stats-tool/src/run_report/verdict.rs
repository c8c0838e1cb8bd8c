//! What made runs stutter, and whether they are within their budgets.

use stats_analysis::format::count_text;
use stats_analysis::insight::Hitch;
use stats_config::{Budget, Config, Pattern};

use super::answer::problems;
use super::identity::cut_off;
use crate::document::{Tone, Verdict};
use crate::metrics::RunMetrics;
use crate::output::name_of;
use crate::runs::{BudgetFinding, RunFigures, by_importance, judge_budgets, series_budgets};

/// Judges the budgets of runs. `budget_ms` overrides the frame budget of `stats.toml`.
pub(super) fn judged(
    runs: &[RunMetrics],
    config: &Config,
    budget_ms: Option<f64>,
) -> Vec<BudgetFinding> {
    let figures = |run: &RunMetrics| {
        let mut expected = config.for_scenario(run.run.scenario.as_deref());
        let budget = budget_ms.map(Budget::try_from);
        if let (Some(Ok(budget)), Ok(frame)) = (budget, Pattern::try_from("frame".to_owned())) {
            expected.budgets.insert(frame, budget);
        }
        RunFigures {
            file: run.file.clone(),
            run: run.run.clone(),
            budgets: series_budgets(run, &expected),
            ..RunFigures::default()
        }
    };
    let figures: Vec<RunFigures> = runs.iter().map(figures).collect();
    judge_budgets(&figures, config)
}

/// Returns the verdict: what made runs stutter, whether they are within their budgets, and why not.
pub(super) fn verdict(runs: &[RunMetrics], judged: &[BudgetFinding]) -> Verdict {
    let hitches = runs.iter().flat_map(|run| run.explained.seen());
    let hitches: Vec<&Hitch> = hitches.collect();
    let failing = by_importance(judged.iter().filter(|one| one.is_over), &hitches);
    let over = failing.len();
    let mut sentences: Vec<String> = failing.iter().map(|one| one.sentence()).collect();
    for run in runs {
        let name = name_of(&run.file);
        sentences.extend(cut_off(run));
        if run.clock("frame").is_none() {
            sentences.push(format!("{name} has no frames to judge."));
        }
    }
    let all = judged.len();
    let are_only_shown = all > 0 && judged.iter().all(BudgetFinding::allows_all);
    let (tone, headline) = match (over, all, sentences.is_empty()) {
        (1.., ..) => (Tone::Bad, format!("Over {over} of {all} budgets")),
        (0, 0, _) => (Tone::Unsure, "Not judged".to_owned()),
        (0, ..) if are_only_shown => (Tone::Unsure, "Not judged".to_owned()),
        (0, _, false) => (
            Tone::Unsure,
            "Within budget, as far as the data shows".to_owned(),
        ),
        (0, _, true) => (Tone::Good, "Within budget".to_owned()),
    };
    if all == 0 {
        // The period of the display is used like a budget, but never fails a run.
        let has_period = (runs.iter().filter_map(|run| run.clock("frame")))
            .any(|frame| frame.statistics.rules.budget_ms.is_some());
        let period = if has_period {
            " Frames over the period of the display are counted, but never fail a run."
        } else {
            ""
        };
        sentences.push(format!(
            "Nothing has a budget: add some to [budgets] in stats.toml, or in the code.{period}"
        ));
    } else if are_only_shown {
        let exceeded = judged.iter().filter(|one| one.is_exceeded()).count();
        sentences.push(format!(
            "Frames are over {exceeded} of {all} budgets. None is judged, because gate.over_budget_percent is 100 in stats.toml."
        ));
    } else if over == 0 {
        sentences.push(format!(
            "No budget of {all} is exceeded in more frames than are allowed."
        ));
    }
    let headline = match hitches.len() {
        0 => headline,
        count => format!(
            "{headline}, {}",
            count_text(count as u64, "hitch", "hitches")
        ),
    };
    Verdict {
        tone,
        headline,
        sentences: problems(runs).into_iter().chain(sentences).collect(),
    }
}
