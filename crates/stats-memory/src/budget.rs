//! Budgets: how much of its budget a group uses at the end of each frame.

use std::fmt;

/// How much of its budget a group uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BudgetState {
    /// Up to nine tenths of the budget, or no budget.
    #[default]
    Ok,
    /// Above nine tenths.
    Near,
    /// Above the whole budget.
    Over,
}

/// A group's change from one budget state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crossing {
    /// The name of the group.
    pub group: &'static str,
    /// The state before.
    pub from: BudgetState,
    /// The state now.
    pub to: BudgetState,
    /// The group's live bytes.
    pub bytes: u64,
    /// The group's budget in bytes.
    pub budget_bytes: u64,
}

/// The usage of a group at the last [`publish`](crate::publish()).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupUsage {
    /// The name of the group.
    pub group: &'static str,
    /// The group's live bytes, as exact as [`Totals::bytes`](crate::Totals::bytes).
    pub bytes: u64,
    /// The group's live allocations.
    pub allocations: u64,
    /// The most live bytes at any [`publish`](crate::publish()).
    pub peak_bytes: u64,
    /// The group's budget in bytes; `None` without a budget.
    pub budget_bytes: Option<u64>,
    /// The group's state.
    pub state: BudgetState,
    /// The worst state so far. An unattended run can derive its exit code from it.
    pub worst: BudgetState,
}

impl BudgetState {
    /// Returns the state that follows this one if the group has `bytes` live bytes. After the group
    /// crosses a limit, the state falls back only once the bytes are 5 % of the budget below that
    /// limit, so that a group that hovers around it does not cross it in every frame.
    #[must_use]
    pub fn next(self, bytes: u64, budget_bytes: u64) -> Self {
        let part = |percent: u128| u128::from(bytes) * 100 > u128::from(budget_bytes) * percent;
        if part(100) || self == Self::Over && part(95) {
            Self::Over
        } else if part(90) || self != Self::Ok && part(85) {
            Self::Near
        } else {
            Self::Ok
        }
    }
}

/// Writes a sentence with the most live bytes of the group, and its budget.
impl fmt::Display for GroupUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            group, peak_bytes, ..
        } = self;
        write!(f, "the group '{group}' held up to {peak_bytes} bytes")?;
        match self.budget_bytes {
            Some(budget) => write!(f, "; its budget is {budget} bytes"),
            None => f.write_str("; it has no budget"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BudgetState::{self, Near, Ok, Over};

    #[test]
    fn a_limit_is_crossed_above_it_and_left_five_percent_below_it() {
        let states = |levels: &[u64]| {
            let step = |state: &mut BudgetState, bytes: &u64| {
                *state = state.next(*bytes, 1000);
                Some(*state)
            };
            levels.iter().scan(Ok, step).collect::<Vec<_>>()
        };
        assert_eq!(
            states(&[900, 901, 899, 851, 850]),
            [Ok, Near, Near, Near, Ok]
        );
        assert_eq!(
            states(&[1000, 1001, 999, 951, 950, 851, 850]),
            [Near, Over, Over, Over, Near, Near, Ok]
        );
        assert_eq!(states(&[u64::MAX, 0]), [Over, Ok]);
        assert_eq!(Ok.next(1, 0), Over);
    }
}
