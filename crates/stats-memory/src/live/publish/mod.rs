//! Publishes the counts as series, once per frame.
//!
//! - `published`: the state of the last publication, and the changes since;
//! - `series`: the series of a scope, of a group, and of the whole process.

mod published;
mod series;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::published::Published;
use super::tags;
use crate::{Crossing, GroupUsage, Tag};

type Callback = Arc<dyn Fn(&Crossing) + Send + Sync>;

static CALLBACK: Mutex<Option<Callback>> = Mutex::new(None);

static PUBLISHED: Mutex<Published> = Mutex::new(Published::NOTHING);

/// Locks a mutex even after a panic: nothing here can be left in a state that matters, because the
/// next frame catches up.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Updates the series. Call it once per frame, before the recorder's `end_frame`.
///
/// Takes 2 ns for each tag and each thread that allocated under it or its neighbors, and about 25
/// ns for each tag that changed. A group is read on all threads if a tag of it changed. New tags
/// are registered, which allocates, in the scope `stats-memory`; otherwise nothing is allocated. At
/// most 256 new tags are registered in one call, so that no frame takes long. The others follow in
/// later frames, each with everything counted for it so far. Totals and groups are never late.
///
/// Judges the budgets of groups, and calls [`on_crossing`]'s callback. The first call begins frame
/// 0: memory allocated earlier counts as live, but belongs to no frame. If several threads allocate
/// at the same time, their work appears in the frame of the thread that publishes.
pub fn publish() {
    let own = Tag::of(tags::own()).enter();
    let crossings = lock(&PUBLISHED).update();
    drop(own);
    // Called without the lock, so that the callback may publish, or read the groups.
    let callback = lock(&CALLBACK).clone();
    if let Some(callback) = callback {
        crossings.iter().for_each(|crossing| callback(crossing));
    }
}

/// Sets the callback for a group that comes near its budget, exceeds it, or falls below it again.
/// [`publish`] calls it on its own thread, once for each crossing, and never from inside an
/// allocation. Replaces the previous callback.
pub fn on_crossing(callback: impl Fn(&Crossing) + Send + Sync + 'static) {
    // Dropped without the lock: the destructor of the previous callback may come here.
    drop(replace_callback(Arc::new(callback)));
}

fn replace_callback(callback: Callback) -> Option<Callback> {
    lock(&CALLBACK).replace(callback)
}

/// Calls `visit` with every group that ever had an allocation, and its budget, as of the last
/// [`publish`]. `visit` may call anything in this crate.
pub fn for_each_group(mut visit: impl FnMut(&GroupUsage)) {
    for number in 0..crate::MAX_GROUPS {
        // One at a time, so that the lock is not held during the call.
        let usage = lock(&PUBLISHED).usage(number);
        if let Some(usage) = usage {
            visit(&usage);
        }
    }
}
