//! The verdict at the top of a page.

use stats_capture::Run;

use super::markup::{Markup, element, joined};
use crate::document::{Tone, Verdict};

/// The number of sentences to show at first. A click shows the others.
const MAX_SHOWN: usize = 3;

impl Verdict {
    /// Returns the band at the top of a page.
    pub(crate) fn band(&self) -> Markup {
        self.band_of(MAX_SHOWN, "verdict")
    }

    /// Returns a band with another id, which shows all sentences at first.
    pub(crate) fn band_of_all(&self, id: &str) -> Markup {
        self.band_of(self.sentences.len(), id)
    }

    fn band_of(&self, shown: usize, id: &str) -> Markup {
        let (class, sign) = match self.tone {
            Tone::Good => ("verdict good", "✓"),
            Tone::Bad => ("verdict bad", "✗"),
            Tone::Unsure => ("verdict unsure", "?"),
        };
        let mut band = element("h2", &[], format!("{sign} {}", self.headline));
        let (shown, more) = self.sentences.split_at(self.sentences.len().min(shown));
        band.push(list(shown));
        if !more.is_empty() {
            let mut rest = element("summary", &[], format!("{} more", more.len()));
            rest.push(list(more));
            band.push(element("details", &[], rest));
        }
        element("section", &[("class", class), ("id", id)], band)
    }
}

/// Returns the command that recorded the run `recorded`, and the one that wrote the page.
pub(super) fn commands(recorded: Option<&Run>) -> Markup {
    let mut content = Markup::default();
    let record = |run: &Run| {
        let command = command_line(["stats", "record", "--"], &run.command)?;
        Some(identity(run) + &command)
    };
    if let Some(command) = recorded.and_then(record) {
        content.push(element("p", &[], "Record it again:"));
        content.push(element("pre", &[], command));
    }
    let arguments: Vec<String> = (std::env::args_os().skip(1))
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    if let Some(command) = command_line(["stats"], &arguments) {
        content.push(element("p", &[], "Write this page again:"));
        content.push(element("pre", &[], command));
    }
    content
}

fn list(sentences: &[String]) -> Markup {
    let items = sentences
        .iter()
        .map(|sentence| element("li", &[], sentence.as_str()));
    element("ul", &[], joined(items))
}

/// Returns the variables that give a run its scenario and its seed.
fn identity(run: &Run) -> String {
    let scenario = run
        .scenario
        .as_deref()
        .and_then(|name| shlex::try_quote(name).ok());
    let scenario = scenario.map(|name| format!("STATS_CAPTURE_SCENARIO={name} "));
    let seed = run.seed.map(|seed| format!("STATS_CAPTURE_SEED={seed} "));
    scenario.into_iter().chain(seed).collect()
}

/// Quotes a command for a shell; `None` if it is empty or cannot be quoted.
fn command_line<const N: usize>(first: [&str; N], others: &[String]) -> Option<String> {
    let words = first.into_iter().chain(others.iter().map(String::as_str));
    let command = shlex::try_join(words).ok()?;
    (!others.is_empty()).then_some(command)
}
