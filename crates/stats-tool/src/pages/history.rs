//! The page of a history.

use super::definitions;
use super::index::{INDEX, RunLink, run_table};
use crate::document::{Document, SectionId, Verdict};
use crate::history::History;
use crate::html::{Markup, Page, element, graphs};

/// Returns the page of a history: the verdict, and the sections of a document with graphs. If
/// `runs` are given, the page is part of a site: it lists them, and links to the first page.
pub(crate) fn history_page(
    verdict: &Verdict,
    document: &Document,
    history: &History,
    runs: &[RunLink],
    json: &str,
) -> String {
    let mut verdict = verdict.band();
    if !runs.is_empty() {
        let link = element("a", &[("href", INDEX)], "All scenarios");
        verdict.push(element("p", &[], link));
    }
    let mut page = Page::new(&document.title, verdict);
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
