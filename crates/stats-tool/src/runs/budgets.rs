//! Series that are over budget in too many frames.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};
use stats_analysis::format::{NO_VALUE, fixed_text, value_text};
use stats_analysis::insight::{Hitch, Role};
use stats_analysis::pace::{BY_SLACK, PLUS_SLACK};
use stats_config::{Budget, Config, Pattern};
use stats_core::Unit;

use super::expectations::unmatched;
use super::run_figures::{RunFigures, SeriesBudget};
use super::scenario::scenarios;
use crate::document::{Section, SectionId, Table};
use crate::output::name_of;

/// The maximum number of decimals of a share of frames, in percent.
const MAX_DECIMALS: usize = 4;

/// What a sentence says about series that are over budget in no frame.
pub(crate) const NEVER_OVER: &str = "never over budget.";

/// The budget finding of one series over all runs of a scenario.
#[derive(Clone, Debug)]
pub(crate) struct BudgetFinding {
    /// The series in the run with the largest value.
    worst: SeriesBudget,
    /// The capture of that run.
    file: String,
    /// The share of frames over budget, in percent: the mean over the runs.
    over_percent: f64,
    /// The share that is allowed, in percent.
    pub(crate) allowed_percent: f64,
    /// Whether `over_percent` exceeds `allowed_percent`.
    pub(crate) is_over: bool,
    scenario: String,
    /// Whether the runs are of several scenarios.
    are_several: bool,
    /// Whether there is only one run.
    is_only_run: bool,
}

/// What a change did to the share of frames over a budget, in the order in which a reader needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Since {
    /// It was within the budget before.
    New,
    /// By a tenth or more.
    More,
    Same,
    /// By a tenth or more.
    Less,
    /// It was over the budget before.
    Mended,
}

impl Since {
    fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::More => "more",
            Self::Same => "as before",
            Self::Less => "less",
            Self::Mended => "no longer over",
        }
    }
}

/// Returns a finding for each series with a budget, the one with the most frames over budget first.
/// Judges each scenario separately, because scenarios have different budgets.
pub(crate) fn judge_budgets(runs: &[RunFigures], config: &Config) -> Vec<BudgetFinding> {
    let mut scenarios: BTreeMap<&str, Vec<&RunFigures>> = BTreeMap::new();
    for run in runs {
        scenarios.entry(run.scenario()).or_default().push(run);
    }
    let are_several = scenarios.len() > 1;
    let is_only_run = runs.len() == 1;
    let mut found = Vec::new();
    for (name, runs) in scenarios {
        let judged = judge_scenario(&runs, config).into_iter();
        found.extend(judged.map(|finding| BudgetFinding {
            scenario: name.to_owned(),
            are_several,
            is_only_run,
            ..finding
        }));
    }
    found.sort_by(|a, b| b.over_percent.total_cmp(&a.over_percent));
    found
}

fn judge_scenario(runs: &[&RunFigures], config: &Config) -> Vec<BudgetFinding> {
    let allowed_percent = config.gate.over_budget_percent.0;
    let mut paths: Vec<&str> = Vec::new();
    let mut seen = HashSet::new();
    for budget in runs.iter().flat_map(|run| &run.budgets) {
        if seen.insert(budget.path.as_str()) {
            paths.push(&budget.path);
        }
    }
    let of = |path: &str| {
        let all = runs.iter().filter_map(|run| {
            let budget = run.budgets.iter().find(|budget| budget.path == path);
            Some((*run, budget?))
        });
        let all: Vec<(&RunFigures, &SeriesBudget)> = all.collect();
        let shares: Vec<f64> = all.iter().map(|(_, budget)| budget.over_percent).collect();
        let worst = all.iter().max_by(|a, b| a.1.most.total_cmp(&b.1.most))?;
        // The median would hide two slow runs of five.
        let over_percent = shares.iter().sum::<f64>() / shares.len() as f64;
        Some(BudgetFinding {
            worst: worst.1.clone(),
            file: name_of(&worst.0.file),
            over_percent,
            allowed_percent,
            is_over: over_percent > allowed_percent,
            scenario: String::new(),
            are_several: false,
            is_only_run: false,
        })
    };
    paths.into_iter().filter_map(of).collect()
}

/// Returns a sentence for each budget in `stats.toml` that judges no series of the runs.
pub(crate) fn unmatched_budgets(runs: &[RunFigures], config: &Config) -> Vec<String> {
    let series = runs.iter().flat_map(|run| &run.series);
    let series = series.map(|(path, unit)| (path.as_str(), Some(*unit)));
    let damaged = runs.iter().flat_map(|run| &run.damaged);
    let damaged = damaged.map(|path| (path.as_str(), None));
    let mut units: BTreeMap<&str, Option<Unit>> = series.chain(damaged).collect();
    units.insert("frame", Some(Unit::Milliseconds));
    let paths: Vec<&str> = units.keys().copied().collect();
    let expected = scenarios(runs)
        .into_iter()
        .map(|name| config.for_scenario(Some(name)));
    let budgets: BTreeMap<Pattern, Budget> = expected.flat_map(|config| config.budgets).collect();
    let of = |(pattern, budget): (Pattern, Budget)| {
        let mut matching = (units.iter()).filter(|(path, _)| pattern.matches(path));
        let Some((path, unit)) = matching.next() else {
            let mut sentences = unmatched(&[pattern], &paths, "series");
            return sentences.pop();
        };
        let judges = |unit: &Option<Unit>| unit.is_none_or(|unit| budget.in_unit(unit).is_some());
        if judges(unit) || matching.any(|(_, unit)| judges(unit)) {
            return None;
        }
        let unit = match unit.unwrap_or_default() {
            Unit::Count => {
                "a count, whose budget is a number in quotes, such as \"200\"".to_owned()
            }
            unit => format!("in {}", unit.symbol()),
        };
        Some(format!(
            "{budget} judges no series that matches {:?}; {path} is {unit}",
            pattern.as_str()
        ))
    };
    let sentences = budgets.into_iter().filter_map(of);
    sentences
        .map(|sentence| format!("[budgets] in stats.toml: {sentence}"))
        .collect()
}

/// Returns the section about budgets, with warnings about budgets of `stats.toml` that match
/// nothing. `earlier` are the findings about the runs before a change.
pub(crate) fn budget_section(
    findings: &[BudgetFinding],
    earlier: Option<&[BudgetFinding]>,
    unmatched: &[String],
) -> Section {
    let mut budgets = Section::new(SectionId::BUDGETS);
    if earlier.is_some() && !findings.is_empty() {
        budgets.text(
            "The verdicts are those of the runs after the change, with what the change did: more or less if the \
             share of frames over the budget differs by at least a tenth of it.",
        );
    }
    budgets.table(budget_table(findings, earlier));
    if findings.is_empty() {
        budgets
            .text("No series has a budget. Add some to [budgets] in stats.toml, or in the code.");
    }
    for sentence in unmatched {
        budgets.warning(sentence);
    }
    budgets
}

/// Returns how many series are over their budget only after a change.
pub(crate) fn newly_over(findings: &[BudgetFinding], earlier: &[BudgetFinding]) -> usize {
    let is_new = |one: &&BudgetFinding| {
        !one.allows_all() && one.since_any(one.same_of(earlier)) == Since::New
    };
    findings.iter().filter(is_new).count()
}

/// Returns a table of the series. Plain text lists those that were ever over budget.
fn budget_table(findings: &[BudgetFinding], earlier: Option<&[BudgetFinding]>) -> Table {
    let mut titles = vec!["series", "verdict", "budget"];
    titles.extend(match earlier {
        None => &["frames over", "allowed", "worst", "in frame"][..],
        Some(_) => &[
            "over before",
            "over after",
            "allowed",
            "worst before",
            "worst after",
            "in frame",
        ],
    });
    let mut table = Table::of_verdicts(&titles);
    // The series with the most frames over budget come first.
    let with_before = (findings.iter()).map(|one| (one, earlier.and_then(|all| one.same_of(all))));
    let (over, never): (Vec<_>, Vec<_>) = with_before.partition(|(one, before)| {
        one.is_exceeded() || before.is_some_and(BudgetFinding::is_exceeded)
    });
    let mut over = over;
    over.sort_by_key(|(one, before)| {
        let since = earlier.map_or(Since::Same, |_| one.since_any(*before));
        (!one.is_over && since != Since::Mended, since)
    });
    for (one, before) in over.iter().chain(&never) {
        let percent = |percent: f64| format!("{percent:.2} %");
        let mut row = vec![
            one.name(),
            earlier.map_or(one.word().to_owned(), |_| one.word_since(*before)),
            one.budget_text(&format!(" {PLUS_SLACK}")),
        ];
        let of_before = |text: &dyn Fn(&BudgetFinding) -> String| {
            earlier.map(|_| before.map_or(NO_VALUE.to_owned(), text))
        };
        row.extend(of_before(&|before| percent(before.over_percent)));
        row.extend([percent(one.over_percent), percent(one.allowed_percent)]);
        row.extend(of_before(&|before| {
            value_text(before.worst.most, before.worst.unit)
        }));
        row.extend([
            value_text(one.worst.most, one.worst.unit),
            one.worst.most_frame.to_string(),
        ]);
        table.row(row);
    }
    table.short(over.len(), ["series is", "series are"], NEVER_OVER)
}

/// Returns findings in the order in which a reader needs them: the frame and the culprits of hitches,
/// what else moved in half of the hitches, and other series. Waits and the timers in which they ran come
/// last, because they are long if something else is.
pub(crate) fn by_importance<'a>(
    findings: impl Iterator<Item = &'a BudgetFinding>,
    hitches: &[&Hitch],
) -> Vec<&'a BudgetFinding> {
    let times = |path: &str, is: fn(Role) -> bool| {
        let has = |hitch: &&&Hitch| {
            let mut findings = hitch.findings.iter();
            findings.any(|finding| finding.path == path && is(finding.role))
        };
        hitches.iter().filter(has).count()
    };
    let mut findings: Vec<&BudgetFinding> = findings.collect();
    findings.sort_by_cached_key(|one| {
        let path = one.worst.path.as_str();
        if one.worst.is_frame() || times(path, |role| role == Role::Culprit) > 0 {
            0
        } else if one.worst.waits {
            3
        } else {
            let moved = times(path, |role| matches!(role, Role::Via | Role::MovedWith));
            if moved > 0 && 2 * moved >= hitches.len() {
                1
            } else {
                2
            }
        }
    });
    findings
}

impl BudgetFinding {
    /// Returns whether the finding is about a series of a scenario.
    pub(crate) fn is_about(&self, path: &str, scenario: &str) -> bool {
        self.scenario == scenario && self.worst.path == path
    }

    /// Returns the finding about the same series before a change.
    fn same_of<'a>(&self, earlier: &'a [Self]) -> Option<&'a Self> {
        // Two scenarios, one on each side, are compared although their names differ.
        let is_same = |other: &&Self| {
            other.is_about(&self.worst.path, &self.scenario)
                || !(self.are_several || other.are_several) && other.worst.path == self.worst.path
        };
        earlier.iter().find(is_same)
    }

    /// Returns the scenario if the runs are of several.
    fn shown_scenario(&self) -> Option<&str> {
        self.are_several.then_some(self.scenario.as_str())
    }

    /// Returns the verdict in a word.
    pub(crate) fn word(&self) -> &'static str {
        match (self.is_over, self.is_exceeded()) {
            _ if self.allows_all() => "not judged",
            (true, _) => "OVER",
            (false, true) => "allowed",
            (false, false) => "fine",
        }
    }

    /// Returns the verdict in a word, and what a change did.
    fn word_since(&self, before: Option<&Self>) -> String {
        match self.since_any(before) {
            _ if self.allows_all() => self.word().to_owned(),
            Since::Mended => Since::Mended.word().to_owned(),
            since if self.is_over => format!("{}, {}", self.word(), since.word()),
            _ => self.word().to_owned(),
        }
    }

    /// Returns what a change did, also to a series that only the runs after it have.
    fn since_any(&self, before: Option<&Self>) -> Since {
        match before {
            Some(before) => self.since(before),
            None if self.is_over => Since::New,
            None => Since::Same,
        }
    }

    /// Returns what a change did to the share of frames over the budget.
    fn since(&self, before: &Self) -> Since {
        let (then, now) = (before.over_percent, self.over_percent);
        match (before.is_over, self.is_over) {
            (false, true) => Since::New,
            (true, false) => Since::Mended,
            _ if now >= 1.1 * then && now > then => Since::More,
            _ if now <= 0.9 * then && now < then => Since::Less,
            _ => Since::Same,
        }
    }

    /// Returns the name of the series, and the scenario if there are several.
    fn name(&self) -> String {
        let name = &self.worst.name;
        match self.shown_scenario() {
            Some(scenario) => format!("{name} in {scenario}"),
            None => name.clone(),
        }
    }

    /// Returns the budget, with the slack in words for that of the frame.
    fn budget_text(&self, slack: &str) -> String {
        let text = value_text(self.worst.budget, self.worst.unit);
        if self.worst.is_frame() {
            text + slack
        } else {
            text
        }
    }

    /// Returns whether any share of frames may be over the budget, so that it is not judged.
    pub(crate) fn allows_all(&self) -> bool {
        self.allowed_percent >= 100.0
    }

    /// Returns whether a frame is over the budget.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.over_percent > 0.0
    }

    /// Returns the finding as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let of_file = if self.is_only_run {
            String::new()
        } else {
            format!(" of {}", self.file)
        };
        // The two must not read alike.
        let differ = |decimals: &usize| {
            let [over, allowed] =
                [self.over_percent, self.allowed_percent].map(|one| fixed_text(one, *decimals));
            over != allowed
        };
        let decimals = (1..MAX_DECIMALS).find(differ).unwrap_or(MAX_DECIMALS);
        format!(
            "{} is over its budget of {} in {} % of the frames ({} % are allowed), worst {}, frame {}{of_file}.",
            self.name(),
            self.budget_text(&format!(" {BY_SLACK} or more")),
            fixed_text(self.over_percent, decimals),
            fixed_text(self.allowed_percent, decimals),
            value_text(self.worst.most, self.worst.unit),
            self.worst.most_frame,
        )
    }

    /// Returns the finding as JSON.
    pub(crate) fn json(&self) -> Value {
        json!({
            "path": self.worst.path,
            "scenario": self.shown_scenario(),
            "budget": self.worst.budget,
            "limit": self.worst.limit(),
            "unit": self.worst.unit.symbol(),
            "over_percent": self.over_percent,
            "allowed_percent": self.allowed_percent,
            "most": self.worst.most,
            "most_frame": self.worst.most_frame,
            "most_file": self.file,
            "is_over": self.is_over,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(over_percent: f64) -> BudgetFinding {
        BudgetFinding {
            worst: SeriesBudget {
                path: "flock/step".into(),
                name: "flock/step".into(),
                budget: 5.0,
                unit: Unit::Milliseconds,
                over_percent,
                most: 9.0,
                most_frame: 3,
                waits: false,
            },
            file: String::new(),
            over_percent,
            allowed_percent: 1.0,
            is_over: over_percent > 1.0,
            scenario: String::new(),
            are_several: false,
            is_only_run: false,
        }
    }

    #[test]
    fn a_share_that_is_hardly_too_large_does_not_read_like_the_allowed_one() {
        let shares = |over_percent| {
            let sentence = finding(over_percent).sentence();
            let shares = sentence
                .split(" in ")
                .nth(1)
                .and_then(|rest| rest.split(", worst").next());
            shares.unwrap_or_default().to_owned()
        };
        assert_eq!(shares(2.2), "2.2 % of the frames (1.0 % are allowed)");
        assert_eq!(shares(1.02), "1.02 % of the frames (1.00 % are allowed)");
        assert_eq!(
            shares(1.0004),
            "1.0004 % of the frames (1.0000 % are allowed)"
        );
    }

    #[test]
    fn a_comparison_tells_a_new_excess_from_one_that_became_better() {
        let word = |before, after| finding(after).word_since(Some(&finding(before)));
        assert_eq!(word(0.0, 2.2), "OVER, new");
        assert_eq!(word(0.5, 2.2), "OVER, new");
        assert_eq!(word(41.0, 52.0), "OVER, more");
        assert_eq!(word(51.0, 52.0), "OVER, as before");
        assert_eq!(word(52.1, 41.8), "OVER, less");
        assert_eq!(word(52.1, 0.5), "no longer over");
        assert_eq!(word(0.0, 0.5), "allowed");
        assert_eq!(word(0.5, 0.5), "allowed");
        assert_eq!(finding(2.2).word_since(None), "OVER, new");
        assert_eq!(finding(0.5).word_since(None), "allowed");
    }

    #[test]
    fn series_over_their_budgets_come_before_those_that_are_allowed_to_be() {
        let named = |path: &str, over_percent| {
            let mut one = finding(over_percent);
            (one.worst.path, one.worst.name) = (path.into(), path.into());
            one
        };
        let after = [
            named("a", 0.5),
            named("b", 52.0),
            named("c", 2.2),
            named("d", 0.4),
        ];
        let before = [named("a", 0.1), named("b", 51.0), named("d", 52.0)];
        assert_eq!(newly_over(&after, &before), 1, "c is new");
        let table = budget_table(&after, Some(&before));
        let paths = table
            .rows
            .iter()
            .map(|row| (row[0].as_str(), row[1].as_str()));
        assert_eq!(
            paths.collect::<Vec<_>>(),
            [
                ("c", "OVER, new"),
                ("b", "OVER, as before"),
                ("d", "no longer over"),
                ("a", "allowed")
            ]
        );
    }
}
