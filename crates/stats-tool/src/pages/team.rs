//! The page of a team in a site about many runs.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::json;
use stats_analysis::format::{NO_VALUE, count_text, value_text, whole_text};
use stats_config::Pattern;
use stats_core::Unit;

use super::index::{Group, INDEX};
use crate::document::{Section, SectionId, Verdict};
use crate::html::{Cell, Markup, Page, element, graphs, joined, sortable};
use crate::lake::HitchRow;
use crate::metrics::is_of;
use crate::runs::RunFigures;

/// The figures of a team that have a graph over the runs.
const FIGURES: [&str; 4] = ["self", "over-budget", "high-water", "hitches"];

/// The maximum number of scenarios with graphs on a page.
const MAX_GRAPHS: usize = 12;

/// The maximum number of series to list.
const MAX_SERIES: usize = 500;

/// The maximum number of hitches to list.
const MAX_HITCHES: usize = 100;

/// A team of `stats.toml` in all runs of a site.
pub(crate) struct Team<'a> {
    pub(crate) name: &'a str,
    /// The patterns of its series.
    pub(crate) patterns: &'a [Pattern],
    /// The scenarios of the site, those with the newest runs first.
    pub(crate) groups: &'a [&'a Group],
    /// The hitches of each run of the site.
    pub(crate) hitches: &'a HashMap<PathBuf, Vec<HitchRow>>,
}

/// Returns the page of a team, with the verdict on what became of it.
pub(crate) fn team_page(team: &Team<'_>, verdict: &Verdict) -> String {
    let link = element("a", &[("href", INDEX)], "All scenarios");
    let head = joined([verdict.band(), element("p", &[], link)]);
    let mut page = Page::new(&format!("Team {}", team.name), head);
    page.part(&Section::titled("Newest runs"), team.newest_runs());
    page.part(&Section::new(SectionId::HISTORY), team.history());
    page.part(&Section::new(SectionId::SERIES), team.series());
    page.part(&Section::new(SectionId::HITCHES), team.hitch_table());
    page.finish(None, &json!({}))
}

impl Team<'_> {
    /// Returns the hitches of a run whose culprit is a series of the team.
    pub(crate) fn hitches_of(&self, run: &RunFigures) -> impl Iterator<Item = &HitchRow> {
        let hitches = self.hitches.get(&run.file).into_iter().flatten();
        hitches.filter(|hitch| {
            let culprit = hitch.culprit.as_ref();
            culprit.is_some_and(|(name, _)| self.has(name))
        })
    }

    fn has(&self, path: &str) -> bool {
        is_of(self.patterns, path)
    }

    /// Returns the figures of the newest run of each scenario.
    fn newest_runs(&self) -> Markup {
        let rows = self.groups.iter().filter_map(|group| {
            let newest = group.history.runs.last()?;
            let cell = |figure: &str| {
                let metric = newest.metric(&format!("teams/{}/{figure}", self.name));
                number(metric.map(|of| (of.value, value_text(of.value, of.unit))))
            };
            let budgets = (series_of(newest))
                .filter(|series| self.has(series.path) && series.over_budget.is_some())
                .count();
            let in_all = group.history.runs.iter();
            let in_all: usize = in_all.map(|run| self.hitches_of(run).count()).sum();
            Some(vec![
                Cell::text(link(&group.page, &group.scenario)),
                Cell::text(group.platform.as_str()),
                Cell::text(group.machine.as_str()),
                Cell::text(newest.run.started_at.as_str()),
                cell("self"),
                Cell::number(budgets as f64, budgets.to_string()),
                cell("over-budget"),
                cell("high-water"),
                cell("hitches"),
                Cell::number(in_all as f64, in_all.to_string()),
            ])
        });
        let titles = [
            "scenario",
            "platform",
            "machine",
            "began",
            "self time",
            "budgets",
            "over budget",
            "high water",
            "hitches",
            "in all runs",
        ];
        let text = "Over budget is that of the series of the team with the most: the share of the frames in \
                    which it has a value that are over its budget. High water is the largest sum of the \
                    team's levels in bytes, and hitches are those whose culprit is a series of the team.";
        let table = sortable("Newest runs", &titles, rows.collect());
        joined([table, element("p", &[("class", "muted")], text)])
    }

    /// Returns the graphs of the figures of the team over the runs of each scenario.
    fn history(&self) -> Markup {
        let names = FIGURES.map(|figure| format!("teams/{}/{figure}", self.name));
        let of_group = |group: &&Group| {
            let graphs = graphs(&group.history.graphs_of(&names));
            let name = format!(
                "{} on {}, {}",
                group.scenario, group.machine, group.platform
            );
            (!graphs.is_empty()).then(|| joined([element("h3", &[], name), graphs]))
        };
        let mut drawn = self.groups.iter().filter_map(of_group);
        let mut content: Markup = drawn.by_ref().take(MAX_GRAPHS).collect();
        let more = drawn.count();
        if more > 0 {
            let text = count_text(more as u64, "more scenario has", "more scenarios have");
            content.push(element("p", &[], format!("{text} no graphs here.")));
        }
        content
    }

    /// Returns the series of the team in the newest runs, those with the most frames over their
    /// budgets first.
    fn series(&self) -> Markup {
        let mut all: Vec<(&Group, TeamSeries<'_>)> = Vec::new();
        for group in self.groups {
            let Some(newest) = group.history.runs.last() else {
                continue;
            };
            let own = series_of(newest).filter(|series| self.has(series.path));
            all.extend(own.map(|series| (*group, series)));
        }
        // A share of the frames with a value would need their number, which the summary has not.
        all.sort_by(|(_, a), (_, b)| {
            let over = |series: &TeamSeries<'_>| series.over_budget.unwrap_or(-1.0);
            (over(b).total_cmp(&over(a))).then(a.path.cmp(b.path))
        });
        if all.is_empty() {
            return element("p", &[], "The newest runs have no series of the team.");
        }
        let listed = all.iter().take(MAX_SERIES).map(|(group, series)| {
            let text = |value| Cell::number(value, value_text(value, series.unit));
            let budget = group.history.expected.budget(series.path, series.unit);
            let budget = match (budget, series.over_budget) {
                (Some(budget), _) => text(budget),
                (None, Some(_)) => Cell::number(f64::NAN, "in code"),
                (None, None) => number(None),
            };
            let over = series.over_budget.map(|over| (over, whole_text(over)));
            vec![
                Cell::text(series.path),
                Cell::text(link(&group.page, &group.scenario)),
                Cell::text(group.machine.as_str()),
                text(series.mean),
                text(series.max),
                budget,
                number(over),
            ]
        });
        let titles = [
            "series",
            "scenario",
            "machine",
            "mean",
            "most",
            "budget",
            "frames over budget",
        ];
        let table = sortable("Series", &titles, listed.collect());
        joined([listed_of("series", all.len(), MAX_SERIES), table])
    }

    /// Returns the hitches that the team caused, those of the newest runs first, and of a run the
    /// longest first.
    fn hitch_table(&self) -> Markup {
        let mut all = Vec::new();
        for group in self.groups {
            for (run, report) in group.history.runs.iter().zip(&group.links) {
                all.extend(self.hitches_of(run).map(|hitch| (run, report, hitch)));
            }
        }
        if all.is_empty() {
            return element(
                "p",
                &[],
                "No hitch of the runs has a series of the team as its culprit.",
            );
        }
        all.sort_by_cached_key(|(run, ..)| run.began());
        all.reverse();
        let of_run = |run: &RunFigures| run.file.clone();
        for chunk in all.chunk_by_mut(|(a, ..), (b, ..)| of_run(a) == of_run(b)) {
            chunk.sort_by(|(.., a), (.., b)| b.excess_ms.total_cmp(&a.excess_ms));
        }
        let listed = all.iter().take(MAX_HITCHES).map(|(run, report, hitch)| {
            let ms = |ms| Cell::number(ms, value_text(ms, Unit::Milliseconds));
            let culprit = hitch.culprit.as_ref();
            let name = match &report.report {
                Some(page) => link(page, &report.run),
                None => report.run.as_str().into(),
            };
            vec![
                Cell::text(name),
                Cell::text(run.run.started_at.as_str()),
                Cell::text(run.scenario()),
                Cell::text(run.machine.as_str()),
                Cell::number(hitch.frame as f64, hitch.frame.to_string()),
                ms(hitch.frame_ms),
                ms(hitch.excess_ms),
                Cell::text(culprit.map_or("", |(name, _)| name)),
                Cell::text(&*hitch.verdict),
            ]
        });
        let titles = [
            "run",
            "began",
            "scenario",
            "machine",
            "frame",
            "took",
            "excess",
            "culprit",
            "what moved",
        ];
        let table = sortable("Hitches", &titles, listed.collect());
        joined([listed_of("hitches", all.len(), MAX_HITCHES), table])
    }
}

/// The figures of a series in a run.
struct TeamSeries<'a> {
    path: &'a str,
    unit: Unit,
    mean: f64,
    max: f64,
    /// The number of frames over its budget; `None` without a budget.
    over_budget: Option<f64>,
}

/// Returns the series of a run, by its metrics.
fn series_of(run: &RunFigures) -> impl Iterator<Item = TeamSeries<'_>> {
    let mut by_name: HashMap<&str, f64> = HashMap::new();
    for metric in &run.metrics {
        by_name.insert(&metric.name, metric.value);
    }
    run.metrics.iter().filter_map(move |metric| {
        let path = metric.name.strip_prefix("series/")?.strip_suffix("/mean")?;
        let of = |figure: &str| {
            by_name
                .get(format!("series/{path}/{figure}").as_str())
                .copied()
        };
        Some(TeamSeries {
            path,
            unit: metric.unit,
            mean: metric.value,
            max: of("max")?,
            over_budget: of("over-budget-frames"),
        })
    })
}

fn number(value: Option<(f64, String)>) -> Cell {
    let (value, text) = value.unwrap_or((f64::NAN, NO_VALUE.to_owned()));
    Cell::number(value, text)
}

fn link(page: &str, name: &str) -> Markup {
    element("a", &[("href", page)], name)
}

/// Returns a sentence about the rows that are not listed, if there are any.
fn listed_of(nouns: &str, all: usize, max: usize) -> Markup {
    if all <= max {
        return Markup::default();
    }
    element(
        "p",
        &[],
        format!("{all} {nouns}. These are the first {max}."),
    )
}
