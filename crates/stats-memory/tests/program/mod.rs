//! Tests of a process whose global allocator is the tracker, in the mode `Records`. These are
//! programs instead of test harnesses, so that nobody else allocates at the same time.
#![cfg_attr(unix, expect(unsafe_code, reason = "starts a thread of the C library"))]

use std::cell::RefCell;
use std::hint::black_box;
use std::process::ExitCode;
use std::thread;

use stats_memory::{Totals, dump, publish, scope, totals};

pub(crate) fn run() -> ExitCode {
    if !stats_memory::ENABLED {
        return ExitCode::SUCCESS;
    }
    warm_up();
    threads_that_allocate_in_destructors_leave_nothing();
    #[cfg(unix)]
    a_foreign_thread_is_tracked_like_any_other();
    a_zeroed_vector_is_not_resident();
    the_dump_allocates_nothing_and_has_thread_names();
    publishing_allocates_nothing_once_everything_is_known();
    records_move_from_a_thread_that_frees_to_one_that_allocates();
    any_number_of_threads_takes_what_a_few_do();
    groups_beyond_the_limit_count_as_ungrouped();
    tags_beyond_the_limit_are_the_scope_around_them();
    ExitCode::SUCCESS
}

fn held() -> (u64, u64) {
    let Totals {
        bytes, allocations, ..
    } = totals();
    (bytes, allocations)
}

/// Makes the standard library allocate what it keeps from the first thread on, and creates the
/// series.
fn warm_up() {
    let kept = black_box(vec![0_u8; 10_000]);
    publish();
    let mut recorder = stats_core::Recorder::new();
    let watch = recorder.watch(stats_core::find("memory/frame-bytes").unwrap());
    recorder.end_frame();
    publish();
    recorder.end_frame();
    // Allocations before the first publication belong to no frame. Those of the recorder and the
    // series belong to this one.
    let frames = recorder.history(&watch, 2);
    assert!(
        kept.len() == 10_000 && frames.iter().next() == Some(0.0),
        "{frames:?}"
    );
    thread::spawn(|| drop(black_box(vec![0_u8; 100])))
        .join()
        .unwrap();
    publish();
    publish();
}

/// Allocates in its destructor, and frees there the memory that was allocated before.
struct Late(RefCell<Vec<Box<[u8]>>>);

impl Drop for Late {
    fn drop(&mut self) {
        for bytes in 1..40 {
            self.0
                .borrow_mut()
                .push(black_box(vec![1; bytes * 50].into_boxed_slice()));
        }
        drop(black_box(String::from("gone at once")));
    }
}

thread_local! {
    static FIRST: Late = const { Late(RefCell::new(Vec::new())) };
    static SECOND: Late = const { Late(RefCell::new(Vec::new())) };
}

fn threads_that_allocate_in_destructors_leave_nothing() {
    let run = |n: usize| {
        // Touches one thread-local before the thread's first own allocation, and one after it.
        FIRST.with(|late| late.0.borrow_mut().push(vec![0; n % 900 + 1].into()));
        drop(black_box(vec![0_u8; 300]));
        SECOND.with(|late| late.0.borrow_mut().push(vec![0; 10].into()));
    };
    thread::spawn(move || run(0)).join().unwrap();
    let (before, overhead) = (held(), totals().overhead_bytes);
    for n in 0..750 {
        let threads: [_; 4] = std::array::from_fn(|at| thread::spawn(move || run(4 * n + at)));
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
    }
    assert_eq!(held(), before);
    // Shards and records are adopted: 3,000 threads take what four do, at 16 KiB each.
    assert!(totals().overhead_bytes - overhead < 10 * 16 * 1024);
}

/// A thread of the C library, which is unknown to Rust until code on it uses the standard library.
#[cfg(unix)]
fn a_foreign_thread_is_tracked_like_any_other() {
    extern "C" fn live(_: *mut libc::c_void) -> *mut libc::c_void {
        let _scope = scope!("foreign");
        SECOND.with(|late| late.0.borrow_mut().push(black_box(vec![0; 777].into())));
        std::ptr::null_mut()
    }
    let run = || {
        // SAFETY: the function takes the argument it gets, which is null, and the thread is joined
        // before its handle goes out of scope.
        unsafe {
            let mut thread = std::mem::zeroed();
            assert_eq!(
                libc::pthread_create(
                    &raw mut thread,
                    std::ptr::null(),
                    live,
                    std::ptr::null_mut()
                ),
                0
            );
            assert_eq!(libc::pthread_join(thread, std::ptr::null_mut()), 0);
        }
    };
    run();
    let before = held();
    (0..20).for_each(|_| run());
    assert_eq!(held(), before);
}

/// More threads than there are places for names, and the same number without a name.
fn any_number_of_threads_takes_what_a_few_do() {
    let run = |name: Option<String>| {
        let builder = thread::Builder::new().stack_size(64 << 10);
        let builder = name.into_iter().fold(builder, thread::Builder::name);
        builder
            .spawn(|| black_box(vec![0_u8; 100]))
            .unwrap()
            .join()
            .unwrap()
    };
    let most = if is_checked() { 100 } else { 5000 };
    (0..most).for_each(|n| drop(run(Some(format!("number {n}")))));
    let (before, overhead) = (held(), totals().overhead_bytes);
    let kept = run(Some("one too many".into()));
    let wanted = if is_checked() {
        ",one too many,ungrouped,100,,"
    } else {
        ",unnamed,ungrouped,100,,"
    };
    assert_eq!(found(wanted), 1);
    drop(kept);
    (0..most).for_each(|_| drop(run(None)));
    assert_eq!(
        (held(), totals().overhead_bytes),
        (before, overhead + if is_checked() { NAME } else { 0 })
    );
}

/// The bytes that the name of a thread takes.
const NAME: u64 = 56;

fn groups_beyond_the_limit_count_as_ungrouped() {
    use stats_memory::{Group, MAX_GROUPS, current_tag};
    let groups: Vec<&'static Group> = (0..5000)
        .map(|n| {
            let name: &'static str = Box::leak(format!("group {n}").into_boxed_str());
            &*Box::leak(Box::new(Group::new(name).budget_bytes(1)))
        })
        .collect();
    let tags: Vec<_> = groups
        .iter()
        .map(|group| current_tag().group(group))
        .collect();
    let known = tags
        .iter()
        .take_while(|tag| **tag != current_tag().group(groups[4999]))
        .count();
    assert!((MAX_GROUPS - 20..MAX_GROUPS).contains(&known), "{known}");
    assert!(
        tags[known..].iter().all(|tag| *tag == tags[4999])
            && groups[4999].check(usize::MAX).is_ok()
    );
    let mut recorder = stats_core::Recorder::new();
    refused(&mut recorder);
    assert_eq!(refused(&mut recorder), Some(0.0));
    let again: Vec<_> = groups
        .iter()
        .map(|group| current_tag().group(group))
        .collect();
    assert!(again == tags && refused(&mut recorder) == Some((5000 - known) as f64));
    let _scope = tags[4999].enter();
    let kept = black_box(vec![0_u8; 9876]);
    assert_eq!(found(",main,ungrouped,9876,,"), 1);
    publish();
    drop(kept);
}

/// Ends a frame, and returns how often something was refused in it.
fn refused(recorder: &mut stats_core::Recorder) -> Option<f64> {
    publish();
    recorder.end_frame();
    recorder.peek(stats_core::find("memory/refused-tags").unwrap())
}

/// Returns whether a memory checker runs the program, which slows everything down and replaces the
/// allocator.
fn is_checked() -> bool {
    std::env::var_os("STATS_MEMORY_STEPS").is_some()
}

/// Returns the resident bytes of the process, if the system reports them.
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4096)
}

fn a_zeroed_vector_is_not_resident() {
    let Some(before) = resident().filter(|_| !is_checked()) else {
        return;
    };
    let zeroes = black_box(vec![0_u8; 64 << 20]);
    let after = resident().unwrap();
    // The inner allocator may touch some memory, mimalloc 2 MiB.
    assert!(after < before + (4 << 20), "{before} {after}");
    drop(zeroes);
}

/// Searches the text without allocating.
struct Finds<'a> {
    wanted: &'a str,
    tail: [u8; 512],
    len: usize,
    found: usize,
}

impl std::io::Write for Finds<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for byte in bytes {
            if *byte == b'\n' {
                let line = std::str::from_utf8(&self.tail[..self.len]).unwrap();
                self.found += usize::from(line.ends_with(self.wanted));
                self.len = 0;
            } else if let Some(place) = self.tail.get_mut(self.len) {
                // The heading, which may be longer, is never searched for.
                *place = *byte;
                self.len += 1;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn the_dump_allocates_nothing_and_has_thread_names() {
    let make = || {
        let _scope = scope!("global");
        vec![7_u8; 4321]
    };
    let blocks = [
        make(),
        thread::Builder::new()
            .name("loader".into())
            .spawn(make)
            .unwrap()
            .join()
            .unwrap(),
    ];
    for wanted in [
        ",main,ungrouped,4321,global,",
        ",loader,ungrouped,4321,global,",
    ] {
        let mut finds = Finds {
            wanted,
            tail: [0; 512],
            len: 0,
            found: 0,
        };
        let before = totals();
        let lines = dump(&mut finds).unwrap();
        assert_eq!(totals(), before);
        assert_eq!((lines, finds.found), (before.allocations, 1), "{wanted}");
    }
    drop(blocks);
}

/// Returns how many lines of the dump end like this.
fn found(wanted: &str) -> usize {
    let mut finds = Finds {
        wanted,
        tail: [0; 512],
        len: 0,
        found: 0,
    };
    dump(&mut finds).unwrap();
    finds.found
}

fn publishing_allocates_nothing_once_everything_is_known() {
    publish();
    let before = totals();
    (0..1000).for_each(|_| publish());
    assert_eq!(totals(), before);
}

fn records_move_from_a_thread_that_frees_to_one_that_allocates() {
    let (sender, receiver) = std::sync::mpsc::sync_channel::<Vec<Box<[u8; 64]>>>(2);
    let freeing = thread::spawn(move || receiver.into_iter().for_each(drop));
    let send = || {
        sender
            .send((0..1000).map(|_| Box::new([0; 64])).collect())
            .unwrap()
    };
    (0..20).for_each(|_| send());
    let before = totals().overhead_bytes;
    (0..if is_checked() { 100 } else { 1000 }).for_each(|_| send());
    // A million records are 16 MB, and a tenth of them 1.6 MB.
    assert!(totals().overhead_bytes < before + (1 << 20));
    drop(sender);
    freeing.join().unwrap();
}

fn tags_beyond_the_limit_are_the_scope_around_them() {
    use stats_memory::{MAX_TAGS, Tag, current_tag};
    let root = current_tag();
    let tag = |n: usize| root.scope(&n.to_string());
    let mut different: Vec<Tag> = (0..MAX_TAGS + 100).map(tag).collect();
    assert!(
        different[..100]
            .iter()
            .enumerate()
            .all(|(n, made)| *made == tag(n) && *made != root)
    );
    let beyond = different.pop().unwrap();
    assert_eq!(beyond, root);
    different.retain(|tag| *tag != root);
    let last = *different.last().unwrap();
    let before = held();
    {
        let _last = last.enter();
        let _beyond = scope!("beyond");
        assert_eq!(current_tag(), last);
        drop(black_box(vec![0_u8; 1000]));
    }
    assert_eq!(held(), before);
    let mut recorder = stats_core::Recorder::new();
    refused(&mut recorder);
    assert_eq!(refused(&mut recorder), Some(0.0));
    for n in 0..7 {
        // A scope from a place in the source and one from a name are refused each time. Existing
        // tags are still found.
        let _beyond = scope!("beyond");
        let _name = stats_memory::alloc_name!("beyond");
        assert!(tag(n) != root && current_tag() == root);
    }
    assert_eq!(refused(&mut recorder), Some(14.0));
    // The statistics' own memory is neither refused nor the game's.
    let _last = last.enter();
    for _ in 0..100 {
        let _own = stats_core::own_memory("without-room");
        let block = black_box(vec![0_u8; 7654]);
        assert_eq!(found(",main,stats,7654,stats-memory,"), 1);
        drop(block);
    }
    assert_eq!(refused(&mut recorder), Some(0.0));
}
