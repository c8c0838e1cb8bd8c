//! The content of a window: one capture, or two.

use std::path::PathBuf;
use std::thread::JoinHandle;

use stats_capture::{CaptureFile, ReadError};
use stats_core::Source;

use super::pair::Pair;
use crate::failure::Failure;
use crate::input::open;
use crate::metrics::{Columns, RunExplanation};
use crate::runs::{ConfigArguments, rules_of};

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
    pub(super) fn explain(&self) -> Option<JoinHandle<Result<RunExplanation, Failure>>> {
        let Self::One(_, file) = self else {
            return None;
        };
        let file = file.clone();
        // This reads all columns, so it must not block the window.
        let explain = move || {
            let capture = open(&file)?;
            let rules = rules_of(&capture, &ConfigArguments::default().config()?);
            Ok(RunExplanation::of(&Columns::read(&capture)?, &rules))
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
