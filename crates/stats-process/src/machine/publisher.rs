//! Turns values into series.

use std::collections::HashMap;

use stats_core::{GaugeHandle, gauge, set_unavailable};

use super::figures::{FIGURES, figure_of, used_of_total};

/// The series of a machine. A series exists from its first value on.
#[derive(Debug, Default)]
pub(super) struct Publisher {
    known: HashMap<String, GaugeHandle>,
}

impl Publisher {
    /// Sets the value of a series. How much memory a GPU has is also the budget of how much of it is
    /// used, if that is known already and has no other budget. Ignores paths without a meaning, and
    /// values that are not finite.
    pub(super) fn put(&mut self, path: &str, value: f64) {
        if !value.is_finite() {
            return;
        }
        if let Some(gauge) = self.known.get(path) {
            return gauge.set(value);
        }
        let Some(figure) = figure_of(path) else {
            return;
        };
        let gauge = gauge(path).unit(figure.unit).describe(figure.description);
        gauge.set(value);
        let used = used_of_total(path).and_then(|used| self.known.get(used));
        if let Some(used) = used.copied() {
            used.budget(value);
        }
        set_unavailable(gauge.id(), None);
        self.known.insert(path.to_owned(), gauge);
    }

    /// Lists each series that has no value, with the reason.
    pub(super) fn list_missing(&self) {
        for figure in FIGURES.iter().filter(|figure| !figure.missing.is_empty()) {
            if !self.known.contains_key(figure.path) {
                let gauge = gauge(figure.path)
                    .unit(figure.unit)
                    .describe(figure.description);
                set_unavailable(gauge.id(), Some(figure.missing));
            }
        }
    }
}
