//! The amount of work that a pass may do on tasks that take longer than a frame.
//!
//! Reading, searching and listing a million series takes seconds, and a frame of a game has
//! milliseconds. So such work is a state machine that continues in each pass until its allowance is
//! used up. The allowance counts *units*, and reads the clock only between steps of many units. A
//! test can set a number of units, and so decide exactly how far each pass gets.
//!
//! Work is spread over the passes of one thread. A second thread would finish earlier, but a
//! browser has none, a source can be read from one thread only, and a game may need all its cores.

use stats_ui::instant::Instant;

/// The time of a pass, in seconds. A step that has begun is finished.
const PASS_SECS: f64 = 0.000_75;
/// The units of a step. A unit takes about a quarter of a microsecond.
const STEP: usize = 256;
/// The minimum number of units of a pass, however slow the machine is. Short lists are thus
/// complete at once.
const MIN_UNITS: usize = 3072;

/// The work that is left for a pass.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    /// The units until the next check of the clock.
    step: usize,
    /// The units after that check.
    rest: usize,
    begun: Option<Instant>,
}

impl Allowance {
    /// Returns the allowance of a pass: 0.75 ms, but at least 3,072 units, which take about as
    /// long.
    pub(crate) fn of_pass() -> Self {
        Self {
            step: MIN_UNITS,
            rest: usize::MAX,
            begun: Some(Instant::now()),
        }
    }

    /// Returns the allowance of a pass that draws nothing: as many units, without reading the
    /// clock, which takes a large part of the time of such a pass.
    pub(crate) fn of_hidden_pass() -> Self {
        Self::of_units(MIN_UNITS)
    }

    /// Returns an allowance of this many units, however long they take.
    pub(crate) fn of_units(units: usize) -> Self {
        Self {
            step: 0,
            rest: units,
            begun: None,
        }
    }

    /// Returns the number of items to process now, at most `wanted`. `in_a_unit` items cost one
    /// unit. Returns 0 if the items have to wait for the next pass.
    pub(crate) fn take(&mut self, wanted: usize, in_a_unit: usize) -> usize {
        if !self.has_left() {
            return 0;
        }
        let items = wanted.min(self.step.saturating_mul(in_a_unit));
        self.step -= items.div_ceil(in_a_unit);
        items
    }

    /// Takes units for work that cannot be divided. The rest of the pass has fewer units.
    pub(crate) fn spend(&mut self, units: usize) {
        let now = units.min(self.step);
        self.step -= now;
        self.rest = self.rest.saturating_sub(units - now);
    }

    /// Returns whether anything is left.
    pub(crate) fn has_left(&mut self) -> bool {
        let is_over = |begun: Instant| begun.elapsed().as_secs_f64() >= PASS_SECS;
        if self.step == 0 && self.rest > 0 {
            if self.begun.is_some_and(is_over) {
                self.rest = 0;
            }
            self.step = self.rest.min(STEP);
            self.rest -= self.step;
        }
        self.step > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_handed_out_once() {
        for units in [0, 1, 255, 256, 257, 5000] {
            for (wanted, in_a_unit) in [(1, 1), (7, 2), (usize::MAX, 3), (1000, 1000)] {
                let mut allowance = Allowance::of_units(units);
                let mut given = 0;
                while let items @ 1.. = allowance.take(wanted, in_a_unit) {
                    assert!(items <= wanted);
                    given += items.div_ceil(in_a_unit);
                }
                assert_eq!(given, units);
                assert!(!allowance.has_left());
            }
        }
    }

    #[test]
    fn indivisible_work_takes_the_remaining_units() {
        let mut allowance = Allowance::of_units(1000);
        allowance.spend(999);
        assert_eq!(allowance.take(10, 1), 1);
        allowance.spend(5);
        assert_eq!(allowance.take(10, 1), 0);
    }
}
