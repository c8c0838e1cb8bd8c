//! Groups, by number.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What is known of a group. Number 0 stands for ungrouped memory.
#[derive(Debug)]
struct Entry {
    name: super::own::Text,
    /// 0 for no budget.
    budget_bytes: AtomicU64,
}

const MAX: usize = crate::MAX_GROUPS;

static GROUPS: [Entry; MAX] = [const {
    Entry {
        name: super::own::Text::new(),
        budget_bytes: AtomicU64::new(0),
    }
}; MAX];

/// How many groups there are, including number 0.
static COUNT: Mutex<usize> = Mutex::new(1);

/// Returns the number of a group's name. `None` if there are too many groups. Sets the budget if it
/// is not 0 and the group has none.
pub(crate) fn number(name: &'static str, budget_bytes: u64) -> Option<u32> {
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

/// Returns how many groups there are, including number 0.
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
