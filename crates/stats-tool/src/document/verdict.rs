//! The verdict of a report.

use super::document::{Document, Section};
use crate::failure::Outcome;

/// The tone of a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    #[default]
    Good,
    Bad,
    /// Nothing was judged, or no judgment is possible.
    Unsure,
}

impl From<Outcome> for Tone {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Fine => Self::Good,
            Outcome::Worse => Self::Bad,
            Outcome::Unknown | Outcome::Unreadable | Outcome::Usage => Self::Unsure,
        }
    }
}

/// The verdict of a report.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) tone: Tone,
    /// The verdict in a few words.
    pub(crate) headline: String,
    /// The reasons, one sentence each.
    pub(crate) sentences: Vec<String>,
}

impl Document {
    /// Returns the document with the reasons of a verdict at its begin, under a title. A page shows
    /// them in a band.
    pub(crate) fn judged(mut self, title: &str, verdict: &Verdict) -> Self {
        let mut section = Section::titled(title);
        for sentence in &verdict.sentences {
            section.text(sentence.as_str());
        }
        self.sections.insert(0, section);
        self
    }
}
