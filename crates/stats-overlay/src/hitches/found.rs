//! The findings of the insight, as the views show them.

use std::collections::VecDeque;
use std::ops::Range;

use stats_analysis::insight::{Finding, Hitch, Insight, Leak, MAX_HITCHES, Periodic, Role};
use stats_core::Unit;

/// The maximum number of characters of a path in the HUD's line.
const HEADLINE_PATH: usize = 30;

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowId {
    /// A growing level, by the number of its series.
    Leak(u32),
    /// A periodic stall, by its first frame.
    Periodic(u64),
    /// A hitch, by its frame.
    Hitch(u64),
}

/// The findings, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Found {
    hitches: VecDeque<Hitch>,
    /// The growing levels, with their units.
    leaks: Vec<(Leak, Unit)>,
    periodic: Vec<Periodic>,
    /// The newest hitch, and its verdict with a short path.
    headline: Option<(u64, String)>,
    /// Whether the source reports the values of all series; `None` before it was asked.
    pub(super) can_tell: Option<bool>,
    revision: u64,
}

impl Found {
    /// Returns a number that changes with what was found.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns whether the source reports the values of all series, as far as is known.
    pub(super) fn can_tell(&self) -> bool {
        self.can_tell != Some(false)
    }

    /// Copies the hitches of an insight, starting at a frame.
    pub(super) fn take_hitches(&mut self, insight: &Insight, from: u64) {
        let known = self.hitches.partition_point(|hitch| hitch.frame < from);
        self.hitches.truncate(known);
        let hitches = insight.hitches();
        let first = hitches.partition_point(|hitch| hitch.frame < from);
        self.hitches.extend(hitches.range(first..).cloned());
        let more = self.hitches.len().saturating_sub(MAX_HITCHES);
        self.hitches.drain(..more);
        self.headline = self
            .hitches
            .back()
            .map(|hitch| (hitch.frame, headline(hitch)));
        self.revision += 1;
    }

    pub(super) fn set_leaks(&mut self, leaks: Vec<(Leak, Unit)>) {
        if leaks != self.leaks {
            self.leaks = leaks;
            self.revision += 1;
        }
    }

    pub(super) fn set_periodic(&mut self, periodic: Vec<Periodic>) {
        if periodic != self.periodic {
            self.periodic = periodic;
            self.revision += 1;
        }
    }

    /// Returns the newest hitch as a short line, unless it was before the frame `first`.
    pub(crate) fn headline(&self, first: u64) -> Option<&str> {
        let (frame, text) = self.headline.as_ref()?;
        (*frame >= first).then_some(text)
    }

    /// Returns the rows to show of these frames: leaks, periodic stalls, then hitches, newest first.
    pub(super) fn rows(&self, frames: Range<u64>) -> impl Iterator<Item = RowId> {
        let leaks = self.leaks.iter().map(|(leak, _)| RowId::Leak(leak.series));
        let periodic = self
            .periodic
            .iter()
            .map(|comb| RowId::Periodic(comb.first_frame));
        let hitches = self.hitches.iter().rev().map(|hitch| hitch.frame);
        let hitches = hitches.filter(move |frame| frames.contains(frame));
        leaks.chain(periodic).chain(hitches.map(RowId::Hitch))
    }

    pub(crate) fn hitch(&self, frame: u64) -> Option<&Hitch> {
        let at = self.hitches.partition_point(|hitch| hitch.frame < frame);
        self.hitches.get(at).filter(|hitch| hitch.frame == frame)
    }

    pub(super) fn leak(&self, series: u32) -> Option<&(Leak, Unit)> {
        self.leaks.iter().find(|(leak, _)| leak.series == series)
    }

    pub(super) fn comb(&self, first_frame: u64) -> Option<&Periodic> {
        self.periodic
            .iter()
            .find(|comb| comb.first_frame == first_frame)
    }

    /// Returns the paths of a row's series. For a hitch: the culprits, the scopes above them, and
    /// the series that moved with them.
    pub(crate) fn paths(&self, row: RowId) -> Vec<&str> {
        match row {
            RowId::Leak(series) => self
                .leak(series)
                .map(|(leak, _)| leak.path.as_str())
                .into_iter()
                .collect(),
            RowId::Periodic(first) => {
                let comb = self.comb(first).filter(|comb| comb.series.is_some());
                comb.map(|comb| comb.path.as_str()).into_iter().collect()
            }
            RowId::Hitch(frame) => {
                let findings = self.hitch(frame).map_or(&[][..], |hitch| &hitch.findings);
                let known = findings.iter().filter(|finding| finding.series.is_some());
                known.map(|finding| finding.path.as_str()).collect()
            }
        }
    }
}

/// Returns the verdict with the end of a long path.
fn headline(hitch: &Hitch) -> String {
    let path = hitch.findings.first().map_or("", |finding: &Finding| {
        if finding.role == Role::Unaccounted {
            ""
        } else {
            &finding.path
        }
    });
    let (short, verdict) = (tail(path, HEADLINE_PATH), drawable(&hitch.verdict));
    if short == path {
        verdict
    } else {
        verdict.replacen(path, &short, 1)
    }
}

/// Returns a verdict without arrows, which egui's default font lacks.
pub(super) fn drawable(verdict: &str) -> String {
    verdict.replace('→', "to")
}

/// Returns the last segments of a path that has more characters than `most`, after `…/`.
pub(super) fn tail(path: &str, most: usize) -> String {
    let mut rest = path;
    while rest.chars().count() > most
        && let Some((_, inner)) = rest.split_once('/')
    {
        rest = inner;
    }
    if rest.len() == path.len() {
        path.to_owned()
    } else {
        format!("…/{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_is_shortened_to_its_last_segments() {
        assert_eq!(tail("ai/paths", 8), "ai/paths");
        assert_eq!(tail("ai/paths", 7), "…/paths");
        assert_eq!(tail("game/ai/paths", 8), "…/ai/paths");
        assert_eq!(tail("one-long-segment", 4), "one-long-segment");
        assert_eq!(tail("", 4), "");
    }
}
