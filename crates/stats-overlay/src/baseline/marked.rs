//! The statistics of the marked frames, by path.
//!
//! A series is found by its path, so a baseline from an earlier run applies to the series of this
//! run.

use std::collections::HashSet;

use stats_analysis::sort::sort_by;

use crate::baseline::saved::{BaselineSeries, SavedBaseline};
use crate::data::selection::SelectedSeries;

/// The name under which the baseline is saved.
const NAME: &str = "A";

/// The maximum number of series, which take about 2 MB of a settings file.
pub(crate) const MAX_MARKED: usize = 8192;

/// The statistics of the marked frames; empty if none are marked.
#[derive(Debug, Default)]
pub(crate) struct MarkedBaseline {
    /// In the order of their paths, each once.
    series: Vec<BaselineSeries>,
    /// Changes with the statistics.
    revision: u64,
    /// Whether it differs from the restored baseline.
    is_changed: bool,
}

impl MarkedBaseline {
    pub(crate) fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the number of series.
    pub(crate) fn len(&self) -> usize {
        self.series.len()
    }

    /// Returns the statistics of a series; `None` if it has none, or if its unit has changed.
    pub(crate) fn of(&self, selected: &SelectedSeries) -> Option<&BaselineSeries> {
        self.find(&selected.path, selected.unit().symbol())
    }

    /// Returns the statistics of a path in a unit.
    pub(crate) fn find(&self, path: &str, unit: &str) -> Option<&BaselineSeries> {
        let of = |series: &BaselineSeries| series.path.as_str().cmp(path);
        let at = self.series.binary_search_by(of).ok()?;
        self.series.get(at).filter(|series| series.unit == unit)
    }

    /// Replaces all statistics. If several series have one path, keeps the first of them. Keeps at
    /// most the first [`MAX_MARKED`] series.
    pub(crate) fn set(&mut self, series: Vec<BaselineSeries>) {
        self.replace(series);
        self.is_changed = true;
    }

    /// Adds the statistics of further series.
    pub(crate) fn add(&mut self, series: Vec<BaselineSeries>) {
        let mut all = std::mem::take(&mut self.series);
        all.extend(series);
        self.set(all);
    }

    /// Restores the baseline from the saved ones.
    pub(crate) fn restore(&mut self, saved: &[SavedBaseline]) {
        let marked = saved.iter().find(|saved| saved.name == NAME);
        self.replace(marked.map_or(Vec::new(), |marked| marked.series.clone()));
        self.is_changed = false;
    }

    /// Updates the restored baselines.
    pub(crate) fn save(&self, saved: &mut Vec<SavedBaseline>) {
        if !self.is_changed {
            return;
        }
        let at = saved.iter().position(|saved| saved.name == NAME);
        match at {
            Some(at) if self.is_empty() => _ = saved.remove(at),
            Some(at) => saved[at].series = self.series.clone(),
            None if self.is_empty() => {}
            None => saved.push(SavedBaseline {
                name: NAME.to_owned(),
                series: self.series.clone(),
            }),
        }
    }

    fn replace(&mut self, mut series: Vec<BaselineSeries>) {
        let mut known = HashSet::with_capacity(series.len());
        series.retain(|series| known.len() < MAX_MARKED && known.insert(series.path.clone()));
        sort_by(&mut series, |a, b| a.path.cmp(&b.path));
        self.series = series;
        self.revision += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(path: &str, unit: &str, mean: f64) -> BaselineSeries {
        BaselineSeries {
            path: path.to_owned(),
            unit: unit.to_owned(),
            mean,
            ..BaselineSeries::default()
        }
    }

    #[test]
    fn a_series_is_found_by_its_path_and_unit() {
        let mut marked = MarkedBaseline::default();
        marked.set(vec![
            series("b", "ms", 2.0),
            series("a", "", 1.0),
            series("b", "ms", 3.0),
        ]);
        let mean = |path, unit| marked.find(path, unit).map(|series| series.mean);
        assert_eq!(
            (mean("a", ""), mean("b", "ms")),
            (Some(1.0), Some(2.0)),
            "the first of one path remains"
        );
        assert_eq!((mean("b", "s"), mean("c", "")), (None, None));
    }

    #[test]
    fn the_first_series_remain_within_the_limit() {
        let mut marked = MarkedBaseline::default();
        marked.set(vec![series("z", "", 1.0), series("y", "", 2.0)]);
        let more = (0..MAX_MARKED).map(|at| series(&at.to_string(), "", 3.0));
        marked.add(std::iter::once(series("y", "", 4.0)).chain(more).collect());
        assert_eq!(marked.len(), MAX_MARKED);
        let mean = |path: &str| marked.find(path, "").map(|series| series.mean);
        assert_eq!((mean("z"), mean("y")), (Some(1.0), Some(2.0)));
        let last_two = [MAX_MARKED - 3, MAX_MARKED - 2].map(|at| mean(&at.to_string()));
        assert_eq!(last_two, [Some(3.0), None]);
    }

    #[test]
    fn only_a_changed_baseline_replaces_the_saved_one() {
        let named = |name: &str, series: Vec<BaselineSeries>| SavedBaseline {
            name: name.to_owned(),
            series,
        };
        let twice = [
            series("b", "", 1.0),
            series("a", "", 0.0),
            series("a", "", 0.0),
        ];
        let before = [named("A", twice.to_vec()), named("B", twice[1..2].to_vec())];
        let (mut marked, mut saved) = (MarkedBaseline::default(), before.to_vec());
        marked.restore(&saved);
        marked.save(&mut saved);
        assert_eq!((marked.len(), &saved), (2, &before.to_vec()));
        marked.set(vec![series("c", "", 4.0)]);
        marked.save(&mut saved);
        assert_eq!(saved[0].series, [series("c", "", 4.0)]);
        assert_eq!(saved[1], before[1]);
        marked.set(Vec::new());
        marked.save(&mut saved);
        assert_eq!(saved, before[1..]);
    }
}
