//! Groups: the parts of a program that memory belongs to.

use crate::backend::GroupPlace;

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
/// Groups with the same name are one group. The first budget declared for a name applies, from the
/// first use of that group.
///
/// There can be [`MAX_GROUPS`](crate::MAX_GROUPS) groups. Allocations in any further group count as
/// [`UNGROUPED`](crate::UNGROUPED): the group's own budget is ignored, and [`check`](Self::check)
/// uses the budget of ungrouped memory.
#[derive(Debug)]
pub struct Group {
    pub(crate) place: GroupPlace,
}

impl Group {
    /// Declares a group without a budget. The empty name and [`UNGROUPED`](crate::UNGROUPED) denote
    /// the memory that has no group: a budget declared here applies to that memory, and entering
    /// the group leaves the surrounding one.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            place: GroupPlace::new(name),
        }
    }

    /// Sets the budget in bytes. The default is 0, which means no budget. Exceeding it makes no
    /// allocation fail; see [`on_crossing`](crate::on_crossing()).
    #[must_use]
    pub const fn budget_bytes(self, bytes: u64) -> Self {
        Self {
            place: self.place.budget_bytes(bytes),
        }
    }
}
