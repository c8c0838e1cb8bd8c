//! Groups, by number.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::table;
use crate::live::own::Text;

/// The description of a group. Number 0 is ungrouped memory.
#[derive(Debug)]
struct Entry {
    name: Text,
    /// The budget; 0 for none.
    budget_bytes: AtomicU64,
}

const MAX: usize = crate::MAX_GROUPS;

static GROUPS: [Entry; MAX] = [const {
    Entry {
        name: Text::new(),
        budget_bytes: AtomicU64::new(0),
    }
}; MAX];

/// The number of groups, including number 0.
static COUNT: Mutex<usize> = Mutex::new(1);

/// Returns the number of a group's name. `None` if there are too many groups. Sets the budget if it
/// is not 0 and the group has none.
fn number_of(name: &'static str, budget_bytes: u64) -> Option<u32> {
    let mut count = COUNT.lock().unwrap_or_else(PoisonError::into_inner);
    let is_none = name.is_empty() || name == crate::UNGROUPED;
    let found = if is_none {
        Some(0)
    } else {
        (1..*count).find(|number| GROUPS[*number].name.get() == name)
    };
    let number = found.or_else(|| (*count < MAX).then_some(*count))?;
    if number == *count {
        GROUPS[number].name.set(name);
        *count += 1;
    }
    let entry = &GROUPS[number];
    // Relaxed, here and where it is read: a single number, written with the lock held.
    if entry.budget_bytes.load(Ordering::Relaxed) == 0 {
        entry.budget_bytes.store(budget_bytes, Ordering::Relaxed);
    }
    Some(number as u32)
}

/// Returns the number of groups, including number 0.
pub(crate) fn count() -> usize {
    *COUNT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the name of a group.
pub(crate) fn name(number: u32) -> &'static str {
    match GROUPS.get(number as usize).map(|group| group.name.get()) {
        Some("") | None => crate::UNGROUPED,
        Some(name) => name,
    }
}

/// Returns the budget of a group. `None` if it has none.
pub(crate) fn budget_bytes(number: u32) -> Option<u64> {
    let budget = GROUPS
        .get(number as usize)?
        .budget_bytes
        .load(Ordering::Relaxed);
    (budget != 0).then_some(budget)
}

/// The number of a group that was not used yet.
const UNKNOWN: u32 = u32::MAX;

/// The number of a group beyond the limit. It never changes: groups are never removed, so there
/// will be no room for this name later.
const REFUSED: u32 = u32::MAX - 1;

/// The number of a group, found when it is first used.
#[derive(Debug)]
pub(crate) struct GroupPlace {
    name: &'static str,
    budget_bytes: u64,
    number: AtomicU32,
}

impl GroupPlace {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self {
            name,
            budget_bytes: 0,
            number: AtomicU32::new(UNKNOWN),
        }
    }

    pub(crate) const fn budget_bytes(self, bytes: u64) -> Self {
        Self {
            name: self.name,
            budget_bytes: bytes,
            number: AtomicU32::new(UNKNOWN),
        }
    }

    /// Returns whether this is the group with a number other than 0. For allocators: it takes no
    /// lock.
    #[inline]
    pub(crate) fn is(&self, number: u32) -> bool {
        // Relaxed: a single number, which never changes again. Until it is known here, another
        // `static` may have registered the same group.
        match self.number.load(Ordering::Relaxed) {
            UNKNOWN => self.has_name_of(number),
            known => known == number,
        }
    }

    #[cold]
    fn has_name_of(&self, number: u32) -> bool {
        name(number) == self.name
    }

    /// Returns the number. If there are too many groups, counts a refusal and returns 0, that of no
    /// group.
    pub(crate) fn number(&self) -> u32 {
        self.number_if_possible().unwrap_or_else(|| {
            table::refuse();
            0
        })
    }

    /// Returns the number. `None` if there are too many groups, without counting a refusal.
    pub(super) fn number_if_possible(&self) -> Option<u32> {
        // Relaxed, both: as in `is`.
        let mut number = self.number.load(Ordering::Relaxed);
        if number == UNKNOWN {
            number = number_of(self.name, self.budget_bytes).unwrap_or(REFUSED);
            self.number.store(number, Ordering::Relaxed);
        }
        (number != REFUSED).then_some(number)
    }

    /// Returns whether there were too many groups when this one was first used.
    pub(super) fn is_refused(&self) -> bool {
        // Relaxed: as in `is`.
        self.number.load(Ordering::Relaxed) == REFUSED
    }
}
