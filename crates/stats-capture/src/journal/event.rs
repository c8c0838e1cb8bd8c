//! Events: the content of a frame other than its values.

use serde::{Deserialize, Serialize};
use stats_core::MarkEvent;

use crate::metadata::{Cost, HistogramRecord, Run};

/// An entry in a frame's list of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Event {
    /// Something happened in the frame.
    Point(String),
    /// A span begins with the frame.
    Begin(String),
    /// A span ends with the frame.
    End(String),
    /// The description of the run has changed.
    Run(Box<Run>),
    /// The cost up to the frame.
    Cost(Cost),
    /// All samples up to approximately this frame.
    Histograms(Vec<HistogramRecord>),
    /// An event that only a newer version knows.
    #[serde(other)]
    Unknown,
}

impl Event {
    pub(crate) fn of_mark(name: &str, event: MarkEvent) -> Self {
        let name = name.to_owned();
        match event {
            MarkEvent::Point => Self::Point(name),
            MarkEvent::Begin => Self::Begin(name),
            MarkEvent::End => Self::End(name),
        }
    }
}
