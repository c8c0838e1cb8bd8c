//! Groups: the parts of a program that memory belongs to.

use std::fmt;

use crate::backend::{self, GroupPlace};

/// A group of allocations, such as rendering or physics, declared once in a `static`.
///
/// ```
/// use stats_memory::{Group, scope};
///
/// static RENDERING: Group = Group::new("rendering").budget_bytes(512 << 20);
///
/// let _scope = scope!("Level/Load", group: RENDERING);
/// ```
///
/// Groups with the same name are one group. The first budget declared for a name counts, from the
/// first use of that group.
///
/// There can be [`MAX_GROUPS`](crate::MAX_GROUPS) groups. Allocations in any further group count as
/// [`UNGROUPED`](crate::UNGROUPED): the group's own budget is ignored, and [`check`](Self::check)
/// uses the budget of ungrouped memory.
#[derive(Debug)]
pub struct Group {
    pub(crate) place: GroupPlace,
}

/// Why memory was not reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReserveError {
    /// The reservation would take the group over its budget.
    OverBudget {
        /// Bytes the group holds.
        held_bytes: u64,
        /// Bytes asked for.
        asked_bytes: u64,
        /// The group's budget in bytes.
        budget_bytes: u64,
    },
    /// The allocator is out of memory, or no allocation can be that large.
    OutOfMemory {
        /// Bytes asked for.
        asked_bytes: u64,
    },
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

impl Group {
    /// Declares a group without a budget. The empty name and [`UNGROUPED`](crate::UNGROUPED) stand
    /// for the memory that has no group: a budget declared here applies to that memory, and
    /// entering the group leaves the surrounding one.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            place: GroupPlace::new(name),
        }
    }

    /// Sets how many bytes the group may hold. The default is 0, which means no budget. Exceeding
    /// it makes no allocation fail; see [`on_crossing`](crate::on_crossing()).
    #[must_use]
    pub const fn budget_bytes(self, bytes: u64) -> Self {
        Self {
            place: self.place.budget_bytes(bytes),
        }
    }

    /// Checks that the group can hold `bytes` more within its budget, for code that can do without
    /// the memory.
    ///
    /// The limit binds only the code that asks; other threads may allocate at the same time. Reads
    /// the totals of all threads, which takes microseconds, so it is meant for large reservations.
    /// There is always room if the group has no budget, in the mode [`Count`](crate::Count), and
    /// without the feature `enabled`.
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
