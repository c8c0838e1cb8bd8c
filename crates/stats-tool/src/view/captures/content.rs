//! The content of a window: one capture, or two.

use std::path::PathBuf;

use stats_capture::{CaptureFile, ReadError};
use stats_core::Source;

use super::pair::Pair;
use crate::failure::Failure;

/// One capture, or two side by side.
pub(in crate::view) enum Content {
    One(Box<CaptureFile>),
    Two(Box<Pair>),
}

impl Content {
    /// Opens one capture or two.
    pub(in crate::view) fn open(files: &[PathBuf]) -> Result<Self, Failure> {
        let mut opened = Vec::new();
        for file in files {
            opened.push(CaptureFile::open(file)?);
        }
        let last = opened.pop();
        Ok(match (opened.pop(), last) {
            (Some(a), Some(b)) => Self::Two(Box::new(Pair::new(a, b))),
            (_, Some(one)) => Self::One(Box::new(one)),
            (_, None) => return Err(Failure::Usage("name a capture to show".into())),
        })
    }

    pub(super) fn source(&mut self) -> &mut dyn Source {
        match self {
            Self::One(capture) => &mut **capture,
            Self::Two(pair) => &mut **pair,
        }
    }

    /// Returns the errors that left series empty.
    pub(super) fn errors(&self) -> Vec<&ReadError> {
        match self {
            Self::One(capture) => capture.errors().iter().collect(),
            Self::Two(pair) => pair.errors().collect(),
        }
    }

    /// Returns the series to show at first, instead of the frame time.
    pub(super) fn first_selected(&self) -> Option<[&'static str; 2]> {
        matches!(self, Self::Two(_)).then_some(Pair::FRAME_TIMES)
    }
}
