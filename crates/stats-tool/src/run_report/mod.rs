//! The report of one run, or of several runs of the same scenario.
//!
//! - [`answer`]: what a reader wants to know first, in a few sentences.
//! - [`frames`], [`budgets`], [`parts`], [`teams`], [`series`], [`identity`], [`peers`]: its sections.
//! - [`verdict`]: whether the runs are within their budgets.
//! - [`summary`], [`json`]: the figures of all runs together.
//!
//! A new section is a file with a function that returns a [`Section`], an id in `document/document.rs`, and a
//! line in [`RunReport::document`]. [`json`] takes its figures, `pages/run.rs` its graphs, and
//! `docs/report.md` describes it.

mod answer;
mod budgets;
mod frames;
mod identity;
mod json;
mod parts;
mod peers;
mod series;
mod summary;
mod teams;
mod verdict;

use std::collections::HashSet;

use serde_json::Value;
use stats_config::Config;

use crate::document::{Document, Section, SectionId, Verdict};
use crate::failure::Failure;
use crate::metrics::{PeerFigure, RunMetrics, peer_figures};
use crate::output::name_of;
use crate::runs::{BudgetFinding, lasting, moments};
use summary::Summary;

/// The report of some runs.
pub(crate) struct RunReport<'a> {
    pub(crate) runs: &'a [RunMetrics],
    summary: Summary,
    budgets: Vec<BudgetFinding>,
    /// For each run, the figures of other programs; empty if they are not wanted.
    peers: Vec<Vec<PeerFigure>>,
}

impl<'a> RunReport<'a> {
    /// Judges runs. `budget_ms` overrides the frame budget of `stats.toml`.
    pub(crate) fn of(runs: &'a [RunMetrics], config: &Config, budget_ms: Option<f64>) -> Self {
        Self {
            runs,
            summary: Summary::of(runs),
            budgets: verdict::judged(runs, config, budget_ms),
            peers: Vec::new(),
        }
    }

    /// Adds the figures of other programs.
    pub(crate) fn add_peers(&mut self) -> Result<(), Failure> {
        let of = |run: &RunMetrics| peer_figures(&run.file, &run.left_out);
        self.peers = self.runs.iter().map(of).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Returns all sections, in the order in which every format shows them.
    pub(crate) fn document(&self) -> Document {
        let (runs, summary) = (self.runs, &self.summary);
        Document {
            title: self.title(),
            sections: vec![
                frames::frames(runs, summary),
                budgets::budgets(runs, &self.budgets),
                frames::hitches(runs, summary),
                moments(runs),
                lasting(runs),
                parts::self_time(runs, summary),
                frames::distribution(runs, summary),
                peers::peers(runs, &self.peers),
                Section::new(SectionId::PICTURES),
                frames::spans(runs, summary),
                parts::memory(runs, summary),
                teams::teams(runs, summary),
                series::series(runs),
                series::histograms(runs, summary),
                Section::new(SectionId::HISTORY),
                identity::quality(runs),
                identity::identity(runs),
                Section::new(SectionId::DEFINITIONS),
            ],
        }
    }

    /// Returns what made the runs stutter, whether they are within their budgets, and why not.
    pub(crate) fn verdict(&self) -> Verdict {
        verdict::verdict(self.runs, &self.budgets)
    }

    /// Returns what made the runs stutter and what grows, one sentence each.
    pub(crate) fn problems(&self) -> Vec<String> {
        answer::problems(self.runs)
    }

    /// Returns the figures as one JSON object.
    pub(crate) fn json(&self) -> Value {
        json::json(self.runs, &self.summary, &self.budgets, &self.peers)
    }

    /// Returns the data of a page: the same object with fewer marks.
    pub(crate) fn page_json(&self) -> Value {
        json::page_json(self.json(), self.runs.len())
    }

    fn title(&self) -> String {
        let scenario = (self.runs.first()).and_then(|run| run.run.scenario.as_deref());
        let what = match self.runs {
            [run] => name_of(&run.file),
            runs => format!("{} runs", runs.len()),
        };
        match scenario {
            Some(scenario) => format!("{scenario}: {what}"),
            None => what,
        }
    }
}

/// Returns names in the order in which they first appear, each once.
fn each_once<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    let names = names.map(String::as_str);
    names.filter(|name| seen.insert(*name)).collect()
}
