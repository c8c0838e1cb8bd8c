//! The content of a window: one capture, or two.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::JoinHandle;

use image::RgbaImage;
use stats_analysis::insight::Hitch;
use stats_capture::{CaptureFile, ReadError};
use stats_core::Source;

use super::pair::Pair;
use crate::failure::Failure;
use crate::input::open;
use crate::metrics::{Columns, RunExplanation};
use crate::output::say;
use crate::runs::{ConfigArguments, rules_of};
use crate::screens;

/// The maximum number of hitches with a picture, the longest ones: as many as the overlay keeps.
const MAX_SCREENS: usize = 16;

/// The maximum width and height of a picture in pixels: that of the overlay.
const SCREEN_PIXELS: u32 = 320;

/// What `stats explain` finds in a capture, and the pictures of its hitches by frame.
pub(super) struct Explained {
    pub(super) found: RunExplanation,
    pub(super) screens: Vec<(u64, RgbaImage)>,
}

/// One capture, or two side by side.
pub(in crate::view) enum Content {
    One(Box<CaptureFile>, PathBuf),
    Two(Box<Pair>),
}

impl Content {
    /// Opens one capture or two.
    pub(in crate::view) fn open(files: &[PathBuf]) -> Result<Self, Failure> {
        let mut opened = Vec::new();
        for file in files {
            opened.push(open(file)?);
        }
        let last = opened.pop();
        Ok(match (opened.pop(), last) {
            (Some(a), Some(b)) => Self::Two(Box::new(Pair::new(a, b))),
            (_, Some(one)) => Self::One(Box::new(one), files[0].clone()),
            (_, None) => return Err(Failure::Usage("name a capture to show".into())),
        })
    }

    pub(super) fn source(&mut self) -> &mut dyn Source {
        match self {
            Self::One(capture, _) => &mut **capture,
            Self::Two(pair) => &mut **pair,
        }
    }

    /// Returns the errors that left series empty.
    pub(super) fn errors(&self) -> Vec<&ReadError> {
        match self {
            Self::One(capture, _) => capture.errors().iter().collect(),
            Self::Two(pair) => pair.errors().collect(),
        }
    }

    /// Starts looking for the hitches of a single capture, on its own thread. Returns `None` for
    /// two captures, or if no thread can be started.
    pub(super) fn explain(&self) -> Option<JoinHandle<Result<Explained, Failure>>> {
        let Self::One(_, file) = self else {
            return None;
        };
        let file = file.clone();
        // This reads all columns, so it must not block the window.
        let explain = move || {
            let capture = open(&file)?;
            let rules = rules_of(&capture, &ConfigArguments::default().config()?);
            let found = RunExplanation::of(&Columns::read(&capture)?, &rules);
            let screens = screens_of(&capture, &found.hitches);
            Ok(Explained { found, screens })
        };
        let thread = std::thread::Builder::new().name("hitches".to_owned());
        thread.spawn(explain).ok()
    }

    /// Returns the refresh rate of the display in a single capture, if it is known.
    pub(super) fn refresh_hz(&self) -> Option<f64> {
        match self {
            Self::One(capture, _) => capture.run().refresh_hz,
            Self::Two(_) => None,
        }
    }

    /// Returns the series to show at first, instead of the frame time.
    pub(super) fn first_selected(&self) -> Option<[&'static str; 2]> {
        matches!(self, Self::Two(_)).then_some(Pair::FRAME_TIMES)
    }
}

/// Reads the pictures beside a capture of its longest hitches.
fn screens_of(capture: &CaptureFile, hitches: &[Hitch]) -> Vec<(u64, RgbaImage)> {
    let files: BTreeMap<u64, PathBuf> = capture.pictures().into_iter().collect();
    let mut pictured: Vec<(&Hitch, &PathBuf)> = hitches
        .iter()
        .filter_map(|hitch| Some((hitch, files.get(&hitch.frame)?)))
        .collect();
    pictured.sort_by(|a, b| b.0.frame_ms.total_cmp(&a.0.frame_ms));
    pictured.truncate(MAX_SCREENS);
    let read = |(hitch, file): (&Hitch, &PathBuf)| match screens::read(file, SCREEN_PIXELS) {
        Ok(picture) => Some((hitch.frame, picture.into_rgba8())),
        Err(error) => {
            say(format_args!("{} cannot be read: {error}", file.display()));
            None
        }
    };
    pictured.into_iter().filter_map(read).collect()
}
