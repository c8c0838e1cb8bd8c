//! The options of a capture.

use std::collections::BTreeMap;

/// The options of a capture. Every field is optional; most describe the run.
///
/// ```
/// use stats_capture::CaptureOptions;
///
/// let mut options = CaptureOptions::default();
/// options.scenario = Some("fly-through".to_owned());
/// options.seed = Some(7);
/// # assert_eq!(options.pictures, 8);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CaptureOptions {
    /// The version or configuration of the program. Default: `debug` or `release`, as this crate
    /// was compiled.
    pub build: Option<String>,
    /// The commit that the program was built from. Default: none.
    pub commit: Option<String>,
    /// The branch that the program was built from. Default: none.
    pub branch: Option<String>,
    /// The scenario of the run; runs of the same scenario are comparable. Default: none.
    pub scenario: Option<String>,
    /// The seed of the run's random numbers. Default: none.
    pub seed: Option<u64>,
    /// The name of the graphics card. Default: none.
    pub gpu: Option<String>,
    /// The name and version of the graphics driver. Default: none.
    pub driver: Option<String>,
    /// The refresh rate of the display, in hertz. Default: none, until the host
    /// [tells](stats_core::set_refresh_hz) it.
    pub refresh_hz: Option<f64>,
    /// Other facts about the run, by name. Default: empty.
    pub labels: BTreeMap<String, String>,
    /// How many of the slowest frames keep a picture; see
    /// [`Capture::picture`](crate::Capture::picture). Default: 8.
    pub pictures: usize,
    /// The frames whose scopes are kept in `run.spans.parquet`. Default: the frames around hitches.
    pub spans: SpanFrames,
}

/// The frames whose scopes are kept.
///
/// A scope of a timer, of puffin or of the GPU is kept with its start and end, its thread, and its
/// depth; up to 33,554,432 scopes take a few bytes each. A scope takes up to twice as long while
/// scopes are collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpanFrames {
    /// No frames. Nothing is collected.
    None,
    /// Hitches, and the three frames before and after each. A hitch is a frame that the insight of
    /// stats-analysis notices, and any that takes more than 2.5 times the mean of up to 60 frames
    /// before it.
    #[default]
    Hitches,
    /// All frames.
    All,
}

impl Default for CaptureOptions {
    fn default() -> Self {
        let build = if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        };
        Self {
            build: Some(build.to_owned()),
            commit: None,
            branch: None,
            scenario: None,
            seed: None,
            gpu: None,
            driver: None,
            refresh_hz: None,
            labels: BTreeMap::new(),
            pictures: 8,
            spans: SpanFrames::Hitches,
        }
    }
}
