//! The page around the parts of a report.

use serde_json::Value;
use stats_capture::Run;

use super::markup::{Markup, element, joined, json_data};
use super::table::blocks;
use super::verdict::commands;
use crate::document::Section;

/// A content security policy that forbids all requests, even if a page contains a URL. Images are
/// part of the page.
const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A page under construction.
pub(crate) struct Page {
    title: String,
    head: Markup,
    parts: Vec<(String, Markup)>,
}

impl Page {
    /// Begins a page with a title and its first content.
    pub(crate) fn new(title: &str, head: Markup) -> Self {
        Self {
            title: title.to_owned(),
            head,
            parts: Vec::new(),
        }
    }

    /// Adds a section, with graphs above its blocks, unless it has neither.
    pub(crate) fn section(&mut self, section: &Section, mut graphs: Markup) {
        graphs.push(blocks(section));
        self.part(section, graphs);
    }

    /// Adds a section with other content than its blocks, unless the content is empty.
    pub(crate) fn part(&mut self, section: &Section, content: Markup) {
        if !content.is_empty() {
            self.parts.push((section.title.clone(), content));
        }
    }

    /// Returns the page, with the command that recorded the run `recorded` and the one that wrote
    /// the page as its last part. `json` is the data that it shows.
    pub(crate) fn finish(mut self, recorded: Option<&Run>, json: &Value) -> String {
        self.part(&Section::titled("Commands"), commands(recorded));
        let mut head = element("title", &[], self.title.as_str());
        head.push(element(
            "style",
            &[],
            Markup::fixed(include_str!("style.css")),
        ));
        let links = self.parts.iter().map(|(title, _)| {
            let link = format!("#{}", id(title));
            element("a", &[("href", &link)], title.as_str())
        });
        let mut body = element("h1", &[], self.title.as_str());
        body.push(self.head);
        body.push(element("nav", &[("aria-label", "Parts")], joined(links)));
        let parts = self.parts.into_iter().map(|(title, content)| {
            let mut part = element("h2", &[], title.as_str());
            part.push(content);
            element("section", &[("id", &id(&title))], part)
        });
        body.push(element("main", &[], joined(parts)));
        let data = [("type", "application/json"), ("id", "data")];
        body.push(element("script", &data, json_data(json)));
        body.push(element(
            "script",
            &[],
            Markup::fixed(include_str!("script.js")),
        ));
        // Every element is closed, so the page can also be read as XML.
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>{}</head>\n\
             <body>{}</body></html>\n",
            head.into_string(),
            body.into_string()
        )
    }
}

/// Returns the fragment identifier of a part.
fn id(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}
