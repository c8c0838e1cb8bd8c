//! Budgets: the state of a group, judged at the end of a frame.

use std::fmt;

use crate::for_each_group;

/// How much of its budget a group holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BudgetState {
    /// Below nine tenths, or without a budget.
    #[default]
    Ok,
    /// Above nine tenths.
    Near,
    /// Above the whole.
    Over,
}

/// A group's way from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The name of the group.
    pub group: &'static str,
    /// The state before.
    pub from: BudgetState,
    /// The state now.
    pub to: BudgetState,
    /// What the group holds.
    pub bytes: u64,
    /// Its budget.
    pub budget_bytes: u64,
}

/// What a group held at the last [`publish`](crate::publish()).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupUsage {
    /// The name of the group.
    pub group: &'static str,
    /// What it held.
    pub bytes: u64,
    /// In how many allocations.
    pub allocations: u64,
    /// The most bytes it held at any [`publish`](crate::publish()).
    pub peak_bytes: u64,
    /// Its budget.
    pub budget_bytes: Option<u64>,
    /// How it kept to it.
    pub state: BudgetState,
    /// The worst that this ever was: what an unattended run fails by.
    pub worst: BudgetState,
}

impl BudgetState {
    /// The state after this one. A limit is left 5 % of the budget below where it was crossed, so
    /// that a group that trembles around it does not cross it in every frame.
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

/// The groups that were over their budget at any [`publish`](crate::publish()) so far: what a run
/// without a user fails by.
///
/// ```
/// use std::process::ExitCode;
///
/// # fn run() {}
/// fn main() -> ExitCode {
///     run(); // with `stats_memory::publish()` in every frame
///     let over = stats_memory::groups_over_budget();
///     over.iter().for_each(|group| eprintln!("{group}"));
///     if over.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
/// }
/// ```
///
/// Empty in the mode [`Count`](crate::Count), which knows no groups, and without the feature
/// `enabled`. What a group held between two publications is not judged;
/// [`Group::check`](crate::Group::check()) is for code that is to be held to a budget at any time.
#[must_use]
pub fn groups_over_budget() -> Vec<GroupUsage> {
    let mut over = Vec::new();
    for_each_group(|group| {
        if group.worst == BudgetState::Over {
            over.push(*group);
        }
    });
    over
}

/// The most that the group held, and its budget, in a sentence.
impl fmt::Display for GroupUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            group, peak_bytes, ..
        } = self;
        write!(f, "the group '{group}' held up to {peak_bytes} bytes")?;
        match self.budget_bytes {
            Some(budget) => write!(f, ", its budget is {budget}"),
            None => f.write_str(", and has no budget"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BudgetState::{self, Near, Ok, Over};

    #[test]
    fn limits_are_crossed_above_and_left_five_percent_below() {
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
