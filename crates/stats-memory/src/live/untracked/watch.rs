//! Accounts for the process on a thread of its own.

use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use stats_core::{Gauge, Unit};

use super::account::{Kind, Known, Part, Stack, account};
use super::system;
use crate::live::{counts, tags, thread_names, totals};
use crate::{HeapUsage, Tag, Untracked};

static TOTAL: Gauge = Gauge::new("memory/untracked")
    .unit(Unit::Bytes)
    .describe("memory of the process that the tracker did not see allocated");
static SLACK: Gauge = Gauge::new("memory/slack")
    .unit(Unit::Bytes)
    .describe("what the inner allocator keeps free, and adds to each allocation");

/// The time between two samples.
const PERIOD: Duration = Duration::from_secs(1);

/// The thread sleeps at least this many times as long as its last sample took.
const SHARE: u32 = 100;

static IS_WATCHED: OnceLock<bool> = OnceLock::new();

static LAST: Mutex<Option<(Untracked, Vec<Part>)>> = Mutex::new(None);

fn last() -> MutexGuard<'static, Option<(Untracked, Vec<Part>)>> {
    // A sample is replaced as a whole, so a panic leaves the previous one.
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts accounting for all memory of the process, unless an earlier call did. Returns whether the
/// system reports enough for that.
///
/// `heap` returns how much memory the inner allocator uses: pass
/// [`system_heap`](crate::system_heap()) for [`System`](std::alloc::System), and `|| None` or a
/// function of yours for another one.
///
/// A thread called `stats-memory` compares the process's mappings with the tracker's totals once a
/// second, and less often if that takes it more than a hundredth of its time. It sets these gauges:
///
/// | path | meaning |
/// |---|---|
/// | `memory/untracked` | memory of the process in RAM beyond [`Totals::bytes`](crate::Totals::bytes), [`Totals::overhead_bytes`](crate::Totals::overhead_bytes) and `memory/slack` |
/// | `memory/untracked/files`, `devices`, `shared`, `stacks`, `generated-code`, `c-heap`, `other` | its parts; see [`Untracked`] |
/// | `memory/slack` | [`Untracked::slack_bytes`] |
///
/// From then on, dumps have a line for each part with a name: in the group `untracked`, with the
/// kind as scope, the name of the file, device or thread as name, and the number of mappings as
/// number of allocations. In the mode [`Records`](crate::Records), they also have a line for each run
/// of pages that are in memory or in swap space, in the mappings of the process that hold a tracked
/// allocation: the first address, the scope `resident`, the size as name, and no bytes. At most 1,024
/// mappings that can hold allocations, and 64 GiB of them, are looked at.
///
/// What the system does not tell has no gauge:
///
/// | system | parts |
/// |---|---|
/// | Linux, Android | all; `c-heap` and the slack with glibc 2.33 and later |
/// | Windows | all but `devices` |
/// | macOS, iOS | `c-heap` and `other`, without the slack |
///
/// **Limits.** On other systems this returns `false`. It has been run on Linux; for Windows and macOS
/// it compiles, and has not been run there. Listing the mappings takes milliseconds, during which calls
/// that map or unmap memory may wait. Allocated memory that was never touched is tracked but not resident, so
/// `memory/untracked` may be too small by that amount. Video memory is only seen if the driver maps
/// it.
pub fn watch_untracked(heap: fn() -> Option<HeapUsage>) -> bool {
    *IS_WATCHED.get_or_init(|| {
        let watch = || {
            thread::Builder::new()
                .name("stats-memory".to_owned())
                .spawn(move || watch(heap))
        };
        system::is_told() && watch().is_ok()
    })
}

/// Returns the memory of the process that the tracker does not see, as of the last sample. `None`
/// before the first one; see [`watch_untracked`].
#[must_use]
pub fn untracked() -> Option<Untracked> {
    last().as_ref().map(|(untracked, _)| *untracked)
}

/// Returns whether [`watch_untracked`] was called, and the system reports enough.
pub(crate) fn is_watched() -> bool {
    IS_WATCHED.get() == Some(&true)
}

/// Calls `visit` with each part of the untracked memory until it fails. The lock is held during the
/// calls, which delays the next sample.
pub(crate) fn for_each_part<E>(mut visit: impl FnMut(&Part) -> Result<(), E>) -> Result<(), E> {
    match &*last() {
        Some((_, parts)) => parts.iter().try_for_each(&mut visit),
        None => Ok(()),
    }
}

fn watch(heap: fn() -> Option<HeapUsage>) {
    let _own = Tag::of(tags::own()).enter();
    loop {
        let begun = Instant::now();
        // A sample that fails, for lack of a file descriptor for example, changes nothing.
        if let Ok(sample) = take(heap) {
            publish(&sample.0);
            *last() = Some(sample);
        }
        thread::sleep(PERIOD.max(begun.elapsed() * SHARE));
    }
}

fn take(heap: fn() -> Option<HeapUsage>) -> io::Result<(Untracked, Vec<Part>)> {
    let mappings = system::mappings()?;
    let totals = totals::totals();
    let known = Known {
        tracked_bytes: totals.bytes + totals.overhead_bytes,
        allocations: totals.allocations,
        heap: heap(),
    };
    Ok(account(&mappings, &stacks(), known, system::TOLD))
}

/// Returns the stacks of the threads that allocated something.
fn stacks() -> Vec<Stack> {
    let (mut stacks, mut buffer) = (Vec::new(), thread_names::buffer());
    counts::for_each_stack(|address, thread| {
        let name = thread_names::name(thread, &mut buffer);
        stacks.push((address, name.to_owned()));
    });
    stacks
}

fn publish(untracked: &Untracked) {
    TOTAL.set(untracked.bytes());
    if let Some(bytes) = untracked.slack_bytes {
        SLACK.set(bytes);
    }
    let parts = [
        (Kind::Files, untracked.files_bytes),
        (Kind::Devices, untracked.devices_bytes),
        (Kind::Shared, untracked.shared_bytes),
        (Kind::Stacks, untracked.stacks_bytes),
        (Kind::Code, untracked.code_bytes),
        (Kind::Heap, untracked.heap_bytes),
        (Kind::Other, Some(untracked.other_bytes)),
    ];
    for (kind, bytes) in parts {
        if let Some(bytes) = bytes {
            stats_core::gauge(&format!("memory/untracked/{}", kind.name()))
                .unit(Unit::Bytes)
                .set(bytes);
        }
    }
}
