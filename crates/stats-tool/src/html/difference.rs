//! The difference between two groups of runs by scope or team.

use std::collections::BTreeMap;

use super::markup::{Markup, element, joined};
use super::table::{Cell, sortable};
use crate::metrics::FramePart;
use crate::runs::RunFigures;
use stats_analysis::format::{count_text, fixed_text};

/// The maximum number of scopes to list. The others are summed.
const MAX_SCOPES: usize = 25;

/// The mean time of a part of the frame before and after, over the runs of each side.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Change {
    pub(crate) name: String,
    pub(crate) before_ms: f64,
    pub(crate) after_ms: f64,
}

impl Change {
    fn ms(&self) -> f64 {
        self.after_ms - self.before_ms
    }
}

/// Returns the changes of all parts of the frame, the largest first. They add up to the change of
/// the mean frame time. `None` if a run has no self times.
pub(crate) fn changes(
    before: &[RunFigures],
    after: &[RunFigures],
    of: fn(&RunFigures) -> Option<Vec<FramePart>>,
) -> Option<Vec<Change>> {
    let mut changes: BTreeMap<String, Change> = BTreeMap::new();
    for (is_after, runs) in [(false, before), (true, after)] {
        for run in runs {
            for part in of(run)? {
                let change = changes.entry(part.name.clone()).or_default();
                let ms = part.ms / runs.len() as f64;
                if is_after {
                    change.after_ms += ms;
                } else {
                    change.before_ms += ms;
                }
                change.name = part.name;
            }
        }
    }
    let mut changes: Vec<Change> = changes.into_values().collect();
    changes.sort_by(|a, b| b.ms().abs().total_cmp(&a.ms().abs()));
    Some(changes)
}

/// Returns a waterfall table, in which each bar begins where the previous one ends.
pub(crate) fn waterfall(name: &str, mut changes: Vec<Change>) -> Markup {
    if changes.len() > MAX_SCOPES {
        let rest = changes.split_off(MAX_SCOPES);
        changes.push(Change {
            name: count_text(rest.len() as u64, "other", "others"),
            before_ms: rest.iter().map(|change| change.before_ms).sum(),
            after_ms: rest.iter().map(|change| change.after_ms).sum(),
        });
    }
    // The start and end of each step, relative to the time before.
    let mut steps = Vec::new();
    let mut now = 0.0;
    for change in &changes {
        steps.push((now, now + change.ms()));
        now += change.ms();
    }
    let whole = Change {
        name: "whole frame".into(),
        before_ms: changes.iter().map(|change| change.before_ms).sum(),
        after_ms: changes.iter().map(|change| change.after_ms).sum(),
    };
    steps.push((0.0, now));
    changes.push(whole);
    let ends = || steps.iter().flat_map(|(from, to)| [*from, *to]);
    let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
    let rows = changes.iter().zip(&steps).map(|(change, step)| {
        vec![
            Cell::text(change.name.as_str()),
            number(change.before_ms),
            number(change.after_ms),
            Cell::number(change.ms(), signed(change.ms())),
            Cell::text(bar(*step, (low, high))),
        ]
    });
    let titles = [
        "self time of a frame",
        "before",
        "after",
        "difference",
        "adds up from the top",
    ];
    sortable(name, &titles, rows.collect())
}

fn signed(ms: f64) -> String {
    let sign = if ms >= 0.0 { "+" } else { "" };
    format!("{sign}{} ms", fixed_text(ms, 3))
}

fn number(ms: f64) -> Cell {
    Cell::number(ms, format!("{} ms", fixed_text(ms, 3)))
}

fn bar((from, to): (f64, f64), (low, high): (f64, f64)) -> Markup {
    let place = |ms: f64| {
        let span = if high > low { high - low } else { 1.0 };
        1000.0 * (ms - low) / span
    };
    let (begin, end) = (place(from.min(to)), place(from.max(to)));
    let class = if to > from { "more" } else { "less" };
    let path = format!("M{begin:.1} 1H{end:.1}V9H{begin:.1}z");
    let zero = format!("M{:.1} 0V10", place(0.0));
    let svg = [
        ("class", "bar"),
        ("viewBox", "0 0 1000 10"),
        ("preserveAspectRatio", "none"),
        ("aria-hidden", "true"),
    ];
    let paths = [
        element("path", &[("class", class), ("d", &path)], ""),
        element("path", &[("class", "rule"), ("d", &zero)], ""),
    ];
    element("svg", &svg, joined(paths))
}

#[cfg(test)]
mod tests {
    use super::{Change, changes};
    use crate::metrics::FramePart;
    use crate::runs::RunFigures;

    #[test]
    fn changes_of_several_runs_add_up() {
        let parts = |run: &RunFigures| {
            let ms = run.file.to_string_lossy().parse().ok()?;
            let part = |name: &str, ms| FramePart {
                name: name.into(),
                ms,
            };
            Some(vec![part("ai", ms), part("render", 1.0)])
        };
        let run = |name: &str| RunFigures {
            file: name.into(),
            ..RunFigures::default()
        };
        let (before, after) = ([run("1"), run("3")], [run("5")]);
        let found = changes(&before, &after, parts).expect("self times");
        let change = |name: &str, before_ms, after_ms| Change {
            name: name.into(),
            before_ms,
            after_ms,
        };
        assert_eq!(found, [change("ai", 2.0, 5.0), change("render", 1.0, 1.0)]);
        assert_eq!(changes(&before, &[run("none")], parts), None);
    }
}
