//! The names of the columns, which are unique.

use std::collections::HashMap;

use crate::metadata::{CLOCK, RecordedKind};

#[derive(Debug, Default)]
pub(super) struct Names {
    columns: HashMap<String, usize>,
}

/// The series that a column is named after.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named<'a> {
    /// A series, by its path.
    Series(&'a str),
    /// The calls or the self time of a timer, or the samples of a histogram, by its path.
    Companion(&'a str, RecordedKind),
}

impl Names {
    /// Names a column. Returns its name, and the column that must then be renamed, if any: a
    /// companion gives up its name to a series with that path.
    pub(super) fn add(&mut self, column: usize, named: Named<'_>) -> (String, Option<usize>) {
        let (name, alternative) = match named {
            Named::Series(path) if CLOCK.contains(&path) => (format!("{path} (series)"), ""),
            Named::Series(path) => {
                let before = self.columns.insert(path.to_owned(), column);
                return (path.to_owned(), before);
            }
            Named::Companion(path, RecordedKind::HistogramSamples) => {
                (format!("{path}/samples"), " (histogram)")
            }
            Named::Companion(path, RecordedKind::TimerSelf) => (format!("{path}/self"), " (timer)"),
            Named::Companion(path, _) => (format!("{path}/calls"), " (timer)"),
        };
        let name = self.unused(name, alternative);
        self.columns.insert(name.clone(), column);
        (name, None)
    }

    /// Returns the name, or the first unused variant of it.
    fn unused(&self, mut name: String, alternative: &str) -> String {
        if self.columns.contains_key(&name) {
            name.push_str(alternative);
        }
        while self.columns.contains_key(&name) {
            name.push('\'');
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::{Named, Names};
    use crate::metadata::RecordedKind::{HistogramSamples, TimerCalls};

    #[test]
    fn calls_and_samples_give_way_to_a_series_with_their_name_in_any_order_of_registration() {
        let mut names = Names::default();
        let calls = |path| Named::Companion(path, TimerCalls);
        assert_eq!(names.add(0, Named::Series("a")), ("a".into(), None));
        assert_eq!(names.add(1, calls("a")), ("a/calls".into(), None));
        assert_eq!(
            names.add(2, Named::Series("a/calls")),
            ("a/calls".into(), Some(1))
        );
        assert_eq!(names.add(1, calls("a")), ("a/calls (timer)".into(), None));
        let samples = |path| Named::Companion(path, HistogramSamples);
        assert_eq!(names.add(3, samples("a")), ("a/samples".into(), None));
        assert_eq!(
            names.add(4, Named::Series("b/samples")),
            ("b/samples".into(), None)
        );
        assert_eq!(
            names.add(5, samples("b")),
            ("b/samples (histogram)".into(), None)
        );
    }

    #[test]
    fn every_name_is_unique() {
        let mut names = Names::default();
        assert_eq!(names.add(0, Named::Series("frame")).0, "frame (series)");
        assert_eq!(names.add(1, Named::Series("a/calls")).0, "a/calls");
        assert_eq!(
            names.add(2, Named::Series("a/calls (timer)")).0,
            "a/calls (timer)"
        );
        assert_eq!(
            names.add(3, Named::Companion("a", TimerCalls)).0,
            "a/calls (timer)'"
        );
    }
}
