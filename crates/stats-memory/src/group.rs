//! Groups: who is accountable for memory, with what budget.

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
/// Groups of the same name are the same group; the first budget stands, from when the group was
/// first used.
///
/// There can be [`MAX_GROUPS`](crate::MAX_GROUPS). What comes in further ones counts as
/// [`UNGROUPED`](crate::UNGROUPED): their own budgets are not kept to, and [`check`](Self::check)
/// asks for that of what has no group.
#[derive(Debug)]
pub struct Group {
    pub(crate) place: GroupPlace,
}

/// Why memory was not reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReserveError {
    /// The group would be above its budget.
    OverBudget {
        /// What it holds.
        held_bytes: u64,
        /// What was asked for.
        asked_bytes: u64,
        /// Its budget.
        budget_bytes: u64,
    },
    /// The allocator has no memory left, or there is no such size.
    OutOfMemory {
        /// What was asked for.
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
                "{asked_bytes} bytes on top of {held_bytes} are more than the group's budget of {budget_bytes}: free some first, or raise it"
            ),
            Self::OutOfMemory { asked_bytes } => {
                write!(
                    f,
                    "the allocator has no {asked_bytes} bytes left: ask for less, or free some first"
                )
            }
        }
    }
}

impl std::error::Error for ReserveError {}

impl Group {
    /// A group without a budget. The empty name and [`UNGROUPED`](crate::UNGROUPED) are that of all
    /// that has no group: a budget said here is one for that, and to enter it is to leave the group
    /// around.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            place: GroupPlace::new(name),
        }
    }

    /// Says how much the group may hold; default: 0, which means no budget. Being over it makes no
    /// allocation fail; see [`on_crossing`](crate::on_crossing()).
    #[must_use]
    pub const fn budget_bytes(self, bytes: u64) -> Self {
        Self {
            place: self.place.budget_bytes(bytes),
        }
    }

    /// Whether the group can take so many bytes more and be within its budget, for code that can do
    /// without them.
    ///
    /// A hard limit for those who ask; other threads that allocate meanwhile are not held up. It
    /// reads the totals of all threads, which takes microseconds: for what is large. Without a
    /// budget, in the mode [`Count`](crate::Count) and without the feature `enabled` there is
    /// always room.
    ///
    /// # Errors
    ///
    /// [`ReserveError::OverBudget`].
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

    /// An empty vector with room for so many, in this group and within its budget; see
    /// [`check`](Self::check).
    ///
    /// # Errors
    ///
    /// [`ReserveError::OverBudget`], or [`ReserveError::OutOfMemory`] where the allocator fails.
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
