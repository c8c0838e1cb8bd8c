//! The frames of runs that are left out.

use std::ops::Range;

use serde_json::{Value, json};
use stats_analysis::format::count_text;

use super::run_figures::RunFigures;
use crate::output::name_of;

/// A range of frames that is left out.
#[derive(Clone, Debug)]
pub(crate) struct LeftOutFrames {
    /// The side of the comparison: `earlier` or `later`.
    side: &'static str,
    /// The capture.
    file: String,
    /// `warm-up`, or the name of an excluded span.
    reason: String,
    frames: Range<u64>,
}

impl LeftOutFrames {
    /// Returns all ranges of some runs.
    pub(crate) fn of(sides: &[(&'static str, &[RunFigures])]) -> Vec<Self> {
        let mut all = Vec::new();
        for (side, runs) in sides {
            for run in *runs {
                let ranges = run.left_out.ranges.iter();
                all.extend(ranges.map(|(reason, frames)| Self {
                    side,
                    file: name_of(&run.file),
                    reason: reason.name().to_owned(),
                    frames: frames.clone(),
                }));
            }
        }
        all
    }

    /// Returns a sentence for each side from which frames are left out.
    pub(crate) fn sentences(all: &[Self]) -> Vec<String> {
        let mut sentences: Vec<(&str, Vec<(&str, u64)>)> = Vec::new();
        for one in all {
            let frames = one.frames.end - one.frames.start;
            if sentences.last().is_none_or(|(side, _)| *side != one.side) {
                sentences.push((one.side, Vec::new()));
            }
            let Some((_, reasons)) = sentences.last_mut() else {
                continue;
            };
            match reasons.iter_mut().find(|(reason, _)| *reason == one.reason) {
                Some((_, count)) => *count += frames,
                None => reasons.push((&one.reason, frames)),
            }
        }
        let text = |(side, reasons): (&str, Vec<(&str, u64)>)| {
            let reason = |(reason, count): &(&str, u64)| {
                format!("{reason} ({})", count_text(*count, "frame", "frames"))
            };
            let reasons: Vec<String> = reasons.iter().map(reason).collect();
            format!("Left out of the {side} runs: {}.", reasons.join(", "))
        };
        sentences.into_iter().map(text).collect()
    }

    /// Returns the range as JSON.
    pub(crate) fn json(&self) -> Value {
        json!({
            "file": self.file,
            "reason": self.reason,
            "begin": self.frames.start,
            "end": self.frames.end,
        })
    }
}
