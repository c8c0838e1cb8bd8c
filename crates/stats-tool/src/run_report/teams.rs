//! What the series of each team of `stats.toml` did.

use stats_analysis::format::{NO_VALUE, count_text};

use super::each_once;
use super::summary::Summary;
use crate::document::{Section, SectionId, Table};
use crate::metrics::{RunMetrics, TeamFigures};

/// The maximum number of series without a team that a sentence names.
const MAX_NAMED: usize = 6;

/// Returns a row for each team, and the series that belong to none.
pub(super) fn teams(runs: &[RunMetrics], summary: &Summary) -> Section {
    let mut section = Section::new(SectionId::TEAMS);
    let all = || runs.iter().flat_map(|run| &run.teams);
    let mut table = Table::of_numbers(&[
        "team",
        "self time",
        "budgets",
        "over budget",
        "most in",
        "high water",
        "hitches",
    ]);
    for name in each_once(all().map(|team| &team.name)) {
        let of_team = || all().filter(|of| of.name == name);
        let cell = |figure: &str| summary.cell(&format!("teams/{name}/{figure}"));
        let budgets = of_team().map(|of| of.budgets).max().unwrap_or(0);
        table.row([
            name.to_owned(),
            cell("self"),
            budgets.to_string(),
            cell("over-budget"),
            worst_path(of_team()).unwrap_or_else(|| NO_VALUE.to_owned()),
            cell("high-water"),
            cell("hitches"),
        ]);
    }
    if table.rows.is_empty() {
        return section;
    }
    section.table(table);
    section.text(
        "A series in several teams counts in each. Over budget is the largest share of the frames in \
         which a series of the team is over its budget, high water the largest sum of its levels in bytes, \
         and hitches are those whose culprit is a series of the team.",
    );
    let mut teamless = each_once(runs.iter().flat_map(|run| &run.teamless));
    if !teamless.is_empty() {
        let count = count_text(
            teamless.len() as u64,
            "series with a budget is in no team",
            "series with a budget are in no team",
        );
        let more = teamless.len().saturating_sub(MAX_NAMED);
        teamless.truncate(MAX_NAMED);
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        section.text(format!("{count}: {}{more}.", teamless.join(", ")));
    }
    section
}

/// Returns the path of the series that is over its budget in the largest share of the frames; `None`
/// if none is.
fn worst_path<'a>(of_team: impl Iterator<Item = &'a TeamFigures>) -> Option<String> {
    let worst = of_team.filter_map(|of| of.worst.as_ref());
    let worst = worst.filter(|worst| worst.percent > 0.0);
    let worst = worst.max_by(|a, b| a.percent.total_cmp(&b.percent))?;
    Some(worst.path.clone())
}
