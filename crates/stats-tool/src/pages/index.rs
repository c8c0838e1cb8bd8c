//! The first page of a site about many runs.

use serde_json::json;

use crate::document::{Section, SectionId, Tone, Verdict};
use crate::history::History;
use crate::html::{Cell, Markup, Page, element, sortable};

/// The name of the first page.
pub(crate) const INDEX: &str = "index.html";

/// A scenario on one kind of machine, with a page of its own.
pub(crate) struct Group {
    /// The name of its page.
    pub(crate) page: String,
    pub(crate) scenario: String,
    pub(crate) platform: String,
    pub(crate) machine: String,
    pub(crate) history: History,
    /// The runs of the history with their reports, in the same order.
    pub(crate) links: Vec<RunLink>,
    /// The tone of the verdict on its history.
    pub(crate) tone: Tone,
    /// The verdict, in a sentence.
    pub(crate) verdict: String,
}

/// A team of `stats.toml`, with a page of its own.
pub(crate) struct TeamLink {
    /// The name of its page.
    pub(crate) page: String,
    pub(crate) name: String,
    /// What became of the team.
    pub(crate) verdict: Verdict,
    /// The number of hitches that the team caused in all runs.
    pub(crate) hitches: usize,
}

impl Group {
    /// Returns when the newest run began.
    pub(crate) fn newest(&self) -> &str {
        let newest = self.history.runs.last();
        newest.map_or("", |run| &run.run.started_at)
    }
}

/// Returns the page that lists the groups and the teams.
pub(crate) fn index_page(groups: &[Group], teams: &[TeamLink]) -> String {
    let bad = groups.iter().filter(|group| group.tone == Tone::Bad);
    let sentences: Vec<String> = bad
        .map(|group| format!("{} on {}: {}", group.scenario, group.machine, group.verdict))
        .collect();
    let (tone, headline) = match sentences.len() {
        _ if groups.iter().all(|group| group.tone == Tone::Unsure) => (
            Tone::Unsure,
            "There are too few runs to find changes".to_owned(),
        ),
        0 => (
            Tone::Good,
            "Nothing is worse since its last change".to_owned(),
        ),
        1 => (Tone::Bad, "One scenario is worse".to_owned()),
        count => (Tone::Bad, format!("{count} scenarios are worse")),
    };
    let verdict = Verdict {
        tone,
        headline,
        sentences,
    };
    let mut page = Page::new("Performance runs", verdict.band());
    let rows = groups.iter().map(|group| {
        let mark = mark(group.tone);
        let runs = group.history.runs.len();
        let name = [("href", group.page.as_str())];
        vec![
            Cell::text(element("a", &name, group.scenario.as_str())),
            Cell::text(format!("{mark}{}", group.verdict)),
            Cell::text(group.platform.as_str()),
            Cell::text(group.machine.as_str()),
            Cell::number(runs as f64, runs.to_string()),
            Cell::text(group.newest()),
        ]
    });
    let titles = [
        "scenario", "verdict", "platform", "machine", "runs", "newest",
    ];
    let table = sortable("Scenarios", &titles, rows.collect());
    page.part(&Section::titled("Scenarios"), table);
    if !teams.is_empty() {
        page.part(&Section::new(SectionId::TEAMS), team_table(teams));
    }
    page.finish(None, &json!({}))
}

fn team_table(teams: &[TeamLink]) -> Markup {
    let rows = teams.iter().map(|team| {
        let name = [("href", team.page.as_str())];
        let (mark, headline) = (mark(team.verdict.tone), &team.verdict.headline);
        vec![
            Cell::text(element("a", &name, team.name.as_str())),
            Cell::text(format!("{mark}{headline}")),
            Cell::number(team.hitches as f64, team.hitches.to_string()),
        ]
    });
    sortable("Teams", &["team", "verdict", "hitches"], rows.collect())
}

fn mark(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "✓ ",
        Tone::Bad => "✗ ",
        Tone::Unsure => "? ",
    }
}

/// A run, and the page of its report.
pub(crate) struct RunLink {
    pub(crate) run: String,
    pub(crate) began: String,
    pub(crate) commit: String,
    /// The address of the report; `None` if there is none.
    pub(crate) report: Option<String>,
}

/// Returns a table of runs, newest first.
pub(super) fn run_table(runs: &[RunLink]) -> Markup {
    let rows = runs.iter().rev().map(|run| {
        let name = match &run.report {
            Some(report) => element("a", &[("href", report)], run.run.as_str()),
            None => run.run.as_str().into(),
        };
        vec![
            Cell::text(name),
            Cell::text(run.began.as_str()),
            Cell::text(run.commit.as_str()),
        ]
    });
    sortable("Runs", &["run", "began", "commit"], rows.collect())
}
