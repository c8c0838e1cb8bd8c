//! The scopes that C programs have begun and not ended.

use std::cell::RefCell;

use stats_core::{TimerHandle, TimerScope};

use crate::{StatsSeries, StatsStatus};

/// The maximum number of scopes that can be open on a thread.
pub const MAX_SCOPES: usize = 256;

thread_local! {
    static OPEN: RefCell<Vec<(StatsSeries, TimerScope)>> = const { RefCell::new(Vec::new()) };
}

/// Begins a scope of a timer on this thread.
pub(crate) fn begin(series: StatsSeries, timer: TimerHandle) -> Result<(), StatsStatus> {
    with_open(|open| {
        if open.len() == MAX_SCOPES {
            return Err(StatsStatus::LimitReached);
        }
        open.push((series, timer.scope()));
        Ok(())
    })
}

/// Ends the newest scope of a timer on this thread.
pub(crate) fn end(series: StatsSeries) -> Result<(), StatsStatus> {
    with_open(|open| {
        let at = open.iter().rposition(|(own, _)| *own == series);
        let (_, scope) = open.remove(at.ok_or(StatsStatus::NoScope)?);
        scope.end();
        Ok(())
    })
}

/// Runs `work` on the open scopes of this thread. A thread that is ending has none.
fn with_open(
    work: impl FnOnce(&mut Vec<(StatsSeries, TimerScope)>) -> Result<(), StatsStatus>,
) -> Result<(), StatsStatus> {
    OPEN.try_with(|open| work(&mut open.borrow_mut()))
        .unwrap_or(Err(StatsStatus::NoScope))
}
