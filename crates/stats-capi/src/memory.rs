//! The memory of C libraries: an allocator for them, and groups, scopes and names for it.
//!
//! The allocator is that of the program, so a tracking allocator sees the blocks in the scope of
//! the call. C frees a block without its size, so each begins with it.

use std::alloc::{Layout, alloc, dealloc, realloc};
use std::cell::RefCell;
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, OnceLock, PoisonError};

use stats_memory::{Group, MAX_GROUPS, Scope, current_tag};

use crate::StatsStatus;
use crate::text::text;

#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: stats_memory::TrackingAllocator<std::alloc::System, stats_memory::Records> =
    stats_memory::TrackingAllocator::new(std::alloc::System);

/// The number of a group of memory. 0 names none.
pub type StatsGroup = u32;

/// The maximum number of scopes of memory that can be open on a thread.
pub const MAX_MEMORY_SCOPES: usize = 255;

/// The alignment of every block, and the bytes in front of it that hold its size.
const HEADER: usize = 16;

/// The groups by number, which begins with 1.
static GROUPS: [OnceLock<(&'static str, Group)>; MAX_GROUPS] =
    [const { OnceLock::new() }; MAX_GROUPS];

/// Held while a group is registered.
static REGISTERING: Mutex<()> = Mutex::new(());

thread_local! {
    static OPEN: RefCell<Vec<Scope>> = const { RefCell::new(Vec::new()) };
}

/// Allocates `bytes` bytes with the allocator of the program, in the scope of memory that the thread
/// is in: aligned to 16 bytes, with 16 bytes more in front. Returns null if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn stats_allocate(bytes: usize) -> *mut c_void {
    let Some(layout) = layout(bytes) else {
        return null_mut();
    };
    // SAFETY: the size is not zero.
    let base = unsafe { alloc(layout) };
    // SAFETY: the block is null, or has the layout.
    unsafe { block(base, layout) }
}

/// Changes the size of a block to `bytes` bytes, and returns it at its new place. It stays in its
/// scope of memory. Allocates if `block` is null. Returns null if there is no memory; the block is
/// unchanged then.
///
/// # Safety
///
/// `block` must be null or a block of `stats_allocate` or of this function that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_reallocate(block: *mut c_void, bytes: usize) -> *mut c_void {
    if block.is_null() {
        return stats_allocate(bytes);
    }
    let Some(layout) = layout(bytes) else {
        return null_mut();
    };
    // SAFETY: guaranteed by the caller; the new size is not zero, and the alignment is the same.
    unsafe {
        let (base, before) = parts(block);
        self::block(realloc(base, before, layout.size()), layout)
    }
}

/// Frees a block. Null has no effect.
///
/// # Safety
///
/// `block` must be null or a block of `stats_allocate` or `stats_reallocate` that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_free(block: *mut c_void) {
    if !block.is_null() {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let (base, layout) = parts(block);
            dealloc(base, layout);
        }
    }
}

/// Returns the layout of a block of `bytes` bytes with its header.
fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.checked_add(HEADER)?, HEADER).ok()
}

/// Writes the size of a block into its header, and returns the address after the header.
///
/// # Safety
///
/// `base` is null, or a block with the layout.
unsafe fn block(base: *mut u8, layout: Layout) -> *mut c_void {
    if base.is_null() {
        return null_mut();
    }
    // SAFETY: the block is aligned to 16 bytes, and has at least as many.
    unsafe {
        base.cast::<usize>().write(layout.size());
        base.add(HEADER).cast()
    }
}

/// Returns the begin and the layout of a block.
///
/// # Safety
///
/// `block` is one that [`block`] returned.
unsafe fn parts(block: *mut c_void) -> (*mut u8, Layout) {
    // SAFETY: the header is in front of the block, and holds the size of a valid layout.
    unsafe {
        let base = block.cast::<u8>().sub(HEADER);
        let size = base.cast::<usize>().read();
        (base, Layout::from_size_align_unchecked(size, HEADER))
    }
}

/// Registers or finds a group of memory. `budget_bytes` is its budget, or 0 for none; the first
/// budget of a group applies. A group of the same name in Rust is the same group.
///
/// # Safety
///
/// `name` must be null or a NUL-terminated string. `group` must be null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_group(
    name: *const c_char,
    budget_bytes: u64,
    group: *mut StatsGroup,
) -> StatsStatus {
    if group.is_null() {
        return StatsStatus::NullPointer;
    }
    // SAFETY: guaranteed by the caller.
    let name = match unsafe { text(name) } {
        Ok(name) => name,
        Err(status) => return status,
    };
    if !stats_core::ENABLED {
        return StatsStatus::Ok;
    }
    match register(name, budget_bytes) {
        Some(number) => {
            // SAFETY: it is not null, and the caller guarantees that it can be written.
            unsafe { group.write(number) };
            StatsStatus::Ok
        }
        None => StatsStatus::LimitReached,
    }
}

/// Returns the number of a group; `None` if there are too many.
fn register(name: &str, budget_bytes: u64) -> Option<StatsGroup> {
    let _registering = REGISTERING.lock().unwrap_or_else(PoisonError::into_inner);
    // Groups are never removed, so their names are never freed. They are the statistics' own memory.
    let _own = stats_core::own_memory("stats-capi");
    let has_name = |place: &OnceLock<(&str, _)>| place.get().is_none_or(|(own, _)| *own == name);
    let at = GROUPS.iter().position(has_name)?;
    let with_budget = |name| Group::new(name).budget_bytes(budget_bytes);
    let (name, group) = GROUPS[at].get_or_init(|| {
        let name = &*Box::leak(Box::<str>::from(name));
        (name, with_budget(name))
    });
    // The first check registers the group, and its budget. A known group has no budget yet, perhaps.
    let _ = group.check(0);
    if budget_bytes > 0 {
        let _ = with_budget(name).check(0);
    }
    Some(at as StatsGroup + 1)
}

/// Checks that `bytes` more bytes fit into the budget of a group: for a library that can do without
/// the memory, or that a limit should bind, such as a script engine. Returns
/// `STATS_STATUS_OVER_BUDGET` if they do not fit. Any number fits without a budget.
#[unsafe(no_mangle)]
pub extern "C" fn stats_group_check(group: StatsGroup, bytes: usize) -> StatsStatus {
    if !stats_core::ENABLED {
        return StatsStatus::Ok;
    }
    StatsStatus::of(find(group).and_then(|group| {
        let checked = group.check(bytes);
        checked.map_err(|_| StatsStatus::OverBudget)
    }))
}

fn find(number: StatsGroup) -> Result<&'static Group, StatsStatus> {
    let place = GROUPS.get((number as usize).wrapping_sub(1));
    let (_, group) = place
        .and_then(OnceLock::get)
        .ok_or(StatsStatus::InvalidValue)?;
    Ok(group)
}

/// Begins a scope of memory on this thread: what it allocates counts toward the group, the scope and
/// the name. `group` is 0 to stay in the current group; `scope` and `name` are null for none. Scopes
/// may be nested.
///
/// Takes about 30 ns for a scope and as much for a name, and copies each the first time.
///
/// # Safety
///
/// `scope` and `name` must be null or NUL-terminated strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_memory_begin(
    group: StatsGroup,
    scope: *const c_char,
    name: *const c_char,
) -> StatsStatus {
    // SAFETY: guaranteed by the caller.
    let [scope, name] = unsafe { [optional(scope), optional(name)] };
    StatsStatus::of(scope.and_then(|scope| begin(group, scope, name?)))
}

/// Returns the text of a string; `None` for null.
///
/// # Safety
///
/// The pointer is null or that of a string, as for [`text`].
unsafe fn optional<'a>(pointer: *const c_char) -> Result<Option<&'a str>, StatsStatus> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    unsafe { text(pointer) }.map(Some)
}

fn begin(group: StatsGroup, scope: Option<&str>, name: Option<&str>) -> Result<(), StatsStatus> {
    if !stats_core::ENABLED {
        return Ok(());
    }
    let mut tag = current_tag();
    if group != 0 {
        tag = tag.group(find(group)?);
    }
    if let Some(scope) = scope {
        tag = tag.scope(scope);
    }
    if let Some(name) = name {
        tag = tag.name(name);
    }
    with_open(|open| {
        if open.len() == MAX_MEMORY_SCOPES {
            return Err(StatsStatus::LimitReached);
        }
        let own = stats_core::own_memory("stats-capi");
        open.reserve(1);
        drop(own);
        open.push(tag.enter());
        Ok(())
    })
}

/// Ends the newest scope of memory on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn stats_memory_end() -> StatsStatus {
    if !stats_core::ENABLED {
        return StatsStatus::Ok;
    }
    StatsStatus::of(with_open(|open| {
        open.pop().map(drop).ok_or(StatsStatus::NoScope)
    }))
}

/// Writes all live blocks to a file, with their sizes, groups, scopes and names, for `stats view`.
/// The allocator of the program must be a tracking allocator, in a C program that of the feature
/// `allocator`.
///
/// # Safety
///
/// `file` must be null or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stats_save_dump(file: *const c_char) -> StatsStatus {
    // SAFETY: guaranteed by the caller.
    let file = unsafe { text(file) };
    StatsStatus::of(file.and_then(|file| match stats_memory::save_dump(file) {
        Ok(_) => Ok(()),
        Err(_) => Err(StatsStatus::NotWritten),
    }))
}

/// Runs `work` on the open scopes of this thread. A thread that is ending has none.
fn with_open(
    work: impl FnOnce(&mut Vec<Scope>) -> Result<(), StatsStatus>,
) -> Result<(), StatsStatus> {
    OPEN.try_with(|open| work(&mut open.borrow_mut()))
        .unwrap_or(Err(StatsStatus::NoScope))
}
