//! The page of a history.

use serde_json::Value;

use super::definitions;
use super::index::{INDEX, RunLink, run_table};
use crate::document::{Document, SectionId, Verdict};
use crate::history::History;
use crate::html::{Markup, Page, element, graphs};

/// Returns the page of a history: first whether the project is getting better or worse since its
/// last release, then the verdict, and the sections of a document with graphs. If
/// `runs` are given, the page is part of a site: it lists them, and links to the first page.
pub(crate) fn history_page(
    direction: &Verdict,
    verdict: &Verdict,
    document: &Document,
    history: &History,
    runs: &[RunLink],
    json: &Value,
) -> String {
    let mut bands = direction.band_of_all("since-the-release");
    bands.push(verdict.band());
    if !runs.is_empty() {
        let link = element("a", &[("href", INDEX)], "All scenarios");
        bands.push(element("p", &[], link));
    }
    let mut page = Page::new(&document.title, bands);
    for section in &document.sections {
        let graphs = match section.id {
            SectionId::HISTORY => graphs(&history.graphs()),
            SectionId::RUNS if !runs.is_empty() => run_table(runs),
            SectionId::DEFINITIONS => definitions(concat!(
                include_str!("history_definitions.html"),
                include_str!("definitions.html")
            )),
            _ => Markup::default(),
        };
        page.section(section, graphs);
    }
    page.finish(None, json)
}
