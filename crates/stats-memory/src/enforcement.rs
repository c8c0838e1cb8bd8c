//! Enforcement of budgets: limits for code that checks them, and the verdict on a run.

use std::fmt;

use crate::{BudgetState, Group, GroupUsage, backend};

impl Group {
    /// Checks that `bytes` more bytes fit into the group's budget, for code that can do without the
    /// memory.
    ///
    /// The limit binds only the code that calls this; other threads may allocate at the same time.
    /// The live bytes are exact if none does, and otherwise within 64 KiB for each thread that
    /// does. Reads one number of each thread, so it is meant for large reservations. Any number
    /// fits if the group has no budget, in the mode [`Count`](crate::Count), and without the
    /// feature `enabled`.
    ///
    /// # Errors
    ///
    /// Returns [`ReserveError::OverBudget`] if the bytes do not fit.
    pub fn check(&self, bytes: usize) -> Result<(), ReserveError> {
        let (asked_bytes, number) = (bytes as u64, self.place.number());
        let Some(budget_bytes) = backend::budget_bytes(number) else {
            return Ok(());
        };
        let held_bytes = backend::held_bytes(number);
        if held_bytes.saturating_add(asked_bytes) > budget_bytes {
            return Err(ReserveError::OverBudget {
                held_bytes,
                asked_bytes,
                budget_bytes,
            });
        }
        Ok(())
    }

    /// Creates an empty vector with room for `capacity` elements, allocated in this group and
    /// within its budget; see [`check`](Self::check).
    ///
    /// # Errors
    ///
    /// Returns [`ReserveError::OverBudget`] if the bytes do not fit, and
    /// [`ReserveError::OutOfMemory`] if the allocator fails.
    pub fn try_vec<T>(&'static self, capacity: usize) -> Result<Vec<T>, ReserveError> {
        let bytes = capacity.saturating_mul(size_of::<T>());
        self.check(bytes)?;
        let _scope = crate::current_tag().group(self).enter();
        let mut vec = Vec::new();
        vec.try_reserve_exact(capacity)
            .map_err(|_| ReserveError::OutOfMemory {
                asked_bytes: bytes as u64,
            })?;
        Ok(vec)
    }
}

/// The error if memory cannot be reserved.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReserveError {
    /// The reservation would take the group over its budget.
    OverBudget {
        /// The group's live bytes.
        held_bytes: u64,
        /// The requested bytes.
        asked_bytes: u64,
        /// The group's budget in bytes.
        budget_bytes: u64,
    },
    /// The allocator is out of memory, or no allocation can be that large.
    OutOfMemory {
        /// The requested bytes.
        asked_bytes: u64,
    },
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for ReserveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ReserveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OverBudget {
                held_bytes,
                asked_bytes,
                budget_bytes,
            } => write!(
                f,
                "reserving {asked_bytes} bytes on top of {held_bytes} exceeds the group's budget of {budget_bytes} bytes: free memory first, or raise the budget"
            ),
            Self::OutOfMemory { asked_bytes } => {
                write!(
                    f,
                    "the allocator cannot provide {asked_bytes} bytes: ask for less, or free memory first"
                )
            }
        }
    }
}

impl std::error::Error for ReserveError {}

/// Returns the groups that were over their budget at any [`publish`](crate::publish()) so far. An
/// unattended run can derive its exit code from it.
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
/// The list is empty in the mode [`Count`](crate::Count), which has no groups, and without the
/// feature `enabled`. Usage between two publications is not judged; use
/// [`Group::check`](crate::Group::check()) in code that must stay within a budget at all times.
#[must_use]
pub fn groups_over_budget() -> Vec<GroupUsage> {
    let mut over = Vec::new();
    backend::for_each_group(|group| {
        if group.worst == BudgetState::Over {
            over.push(*group);
        }
    });
    over
}
