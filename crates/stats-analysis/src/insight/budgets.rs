//! Which series are over their budgets, frame by frame.

/// A series crosses its budget again only after this many frames within it, so that a value around
/// its budget is one crossing.
const FRAMES_WITHIN: u8 = 60;

/// The budgets of series, and how long each has been within its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Budgets {
    /// In ascending order of the numbers, so that a frame reads the values in order.
    series: Vec<Budgeted>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Budgeted {
    number: u32,
    budget: f64,
    watch: Watch,
}

/// Notices that a value becomes larger than its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Watch {
    /// The number of frames that have to be within the limit before the next crossing.
    to_pass: u8,
}

impl Watch {
    /// Takes a value. Returns whether it crosses the limit. An unknown value is within it.
    pub(super) fn crosses(&mut self, value: f64, limit: f64) -> bool {
        let was_within = self.to_pass == 0;
        if value > limit {
            self.to_pass = FRAMES_WITHIN;
            return was_within;
        }
        self.to_pass = self.to_pass.saturating_sub(1);
        false
    }
}

impl Budgets {
    /// Returns the budget of a series.
    pub(super) fn get(&self, number: u32) -> Option<f64> {
        let place = self.place(number).ok()?;
        Some(self.series[place].budget)
    }

    /// Sets or removes the budget of a series. A new budget can be crossed at once.
    pub(super) fn set(&mut self, number: u32, budget: Option<f64>) {
        match (self.place(number), budget) {
            (Ok(place), Some(budget)) if self.series[place].budget == budget => {}
            (Ok(place), Some(budget)) => self.series[place] = Budgeted::new(number, budget),
            (Ok(place), None) => _ = self.series.remove(place),
            (Err(place), Some(budget)) => self.series.insert(place, Budgeted::new(number, budget)),
            (Err(_), None) => {}
        }
    }

    /// Takes the values of a frame. Calls `visit` with the number, the value and the budget of each
    /// series that crosses its budget.
    pub(super) fn take(&mut self, values: &[f64], mut visit: impl FnMut(u32, f64, f64)) {
        for one in &mut self.series {
            let value = values.get(one.number as usize).copied();
            let value = value.unwrap_or(f64::NAN);
            if one.watch.crosses(value, one.budget) {
                visit(one.number, value, one.budget);
            }
        }
    }

    fn place(&self, number: u32) -> Result<usize, usize> {
        // Listings come in ascending order, so most places are at the end.
        match self.series.last() {
            Some(last) if last.number < number => Err(self.series.len()),
            _ => self.series.binary_search_by_key(&number, |one| one.number),
        }
    }
}

impl Budgeted {
    fn new(number: u32, budget: f64) -> Self {
        Self {
            number,
            budget,
            watch: Watch::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn budgets_are_those_that_were_set_last() {
        let mut random = stats_testing::Random::new(3);
        let (mut budgets, mut expected) = (Budgets::default(), BTreeMap::new());
        for _ in 0..2_000 {
            let number = random.below(40) as u32;
            let budget = (random.below(3) > 0).then(|| random.below(5) as f64);
            budgets.set(number, budget);
            match budget {
                Some(budget) => _ = expected.insert(number, budget),
                None => _ = expected.remove(&number),
            }
            let found = (0..40).filter_map(|number| Some((number, budgets.get(number)?)));
            assert!(found.eq(expected.iter().map(|(number, budget)| (*number, *budget))));
        }
    }

    #[test]
    fn a_crossing_needs_sixty_frames_within_the_budget_before_it() {
        // After some frames within the budget, a value is over it.
        for within in 0..2 * u64::from(FRAMES_WITHIN) {
            let mut budgets = Budgets::default();
            budgets.set(1, Some(10.0));
            let mut crossings = Vec::new();
            for frame in 0..=within + 1 {
                let is_over = frame == 0 || frame == within + 1;
                let value = if is_over { 10.5 } else { 10.0 };
                budgets.take(&[f64::NAN, value], |number, value, budget| {
                    crossings.push((frame, number, value, budget));
                });
            }
            let mut expected = vec![(0, 1, 10.5, 10.0)];
            if within >= u64::from(FRAMES_WITHIN) {
                expected.push((within + 1, 1, 10.5, 10.0));
            }
            assert_eq!(crossings, expected, "{within}");
        }
    }

    #[test]
    fn unknown_and_missing_values_cross_nothing() {
        let mut budgets = Budgets::default();
        budgets.set(0, Some(1.0));
        budgets.set(9, Some(1.0));
        budgets.take(&[f64::NAN], |_, _, _| unreachable!());
        budgets.take(&[], |_, _, _| unreachable!());
    }
}
