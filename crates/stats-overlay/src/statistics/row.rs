//! A row of the statistics view as text.

use stats_analysis::format::{NumberStyle, whole_text};
use stats_core::{FrameStatistics, Unit};

/// Rows under one title.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) rows: Vec<Row>,
}

/// One row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) figure: Figure,
    /// The definition and its source.
    pub(super) help: String,
    /// The effect of a click.
    pub(super) target: Option<Target>,
}

/// The figure of a row.
#[derive(Debug)]
pub(super) enum Figure {
    /// A frame time, also shown as a frame rate.
    Time { ms: String, fps: String },
    /// Any other figure, as text.
    Text(String),
    /// A share of the time from 0 to 1, with a bar.
    Share { text: String, share: f32 },
}

/// The effect of a click on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Slowest,
    LongestRun,
    /// The next frame over 60 ms after the marked frame.
    Over60Ms,
    /// The next frame that stutters.
    Stutter,
    /// The frame budget and the display's refresh rate, in the settings.
    Settings,
}

impl Row {
    /// Returns a row on which a click does nothing.
    pub(super) fn new(name: &str, figure: Figure, help: &str) -> Self {
        Self {
            name: name.to_owned(),
            figure,
            help: help.to_owned(),
            target: None,
        }
    }

    /// Sets the effect of a click.
    pub(super) fn to(mut self, target: impl Into<Option<Target>>) -> Self {
        self.target = target.into();
        self
    }
}

impl Figure {
    /// Returns the figure in large type, and what follows it.
    pub(super) fn parts(&self) -> (String, String) {
        let text = self.text();
        let (large, small) = text.split_once(", ").unwrap_or((&text, ""));
        (large.to_owned(), small.to_owned())
    }

    /// Returns the row's figure as text.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Time { ms, fps } => format!("{ms}, {fps}"),
            Self::Text(text) | Self::Share { text, .. } => text.clone(),
        }
    }
}

impl Target {
    /// Returns the description of a click.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Slowest => "Go to the slowest frame",
            Self::LongestRun => "Go to the longest run",
            Self::Over60Ms => "Go to the next frame over 60 ms",
            Self::Stutter => "Go to the next stutter",
            Self::Settings => "Open the settings",
        }
    }
}

/// Returns the time of a frame, with two decimals.
pub(super) fn ms_text(ms: f64) -> String {
    NumberStyle::new(Unit::Milliseconds, 10.0, false).text(ms)
}

/// Returns a rate with one decimal; `– fps` for a time of zero.
fn fps_text(fps: f64) -> String {
    if fps.is_finite() {
        format!(
            "{} fps",
            NumberStyle::new(Unit::Hertz, 100.0, false).number(fps)
        )
    } else {
        "– fps".to_owned()
    }
}

/// Returns a time. If it is the time of a whole frame, its rate is added.
pub(super) fn by_ms(all: &FrameStatistics, ms: f64) -> Figure {
    if all.rules.is_frame_time {
        Figure::Time {
            ms: ms_text(ms),
            fps: fps_text(1e3 / ms),
        }
    } else {
        Figure::Text(figure_text(ms))
    }
}

/// Returns a time with three significant digits, since times of other series may be only a few
/// microseconds.
pub(super) fn figure_text(ms: f64) -> String {
    NumberStyle::steady_figure(None, Unit::Milliseconds, ms, false).text(ms)
}

/// Returns a number of frames: `1 frame`, `1,234 frames`.
pub(super) fn frames_text(count: usize) -> String {
    format!(
        "{} {}",
        whole_text(count as f64),
        if count == 1 { "frame" } else { "frames" }
    )
}
