//! Scopes, and the cost of publishing them.
#![expect(unsafe_code, reason = "an allocator is called directly")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;

use stats_bench::{Bar, Contest, Table};
use stats_core::Timer;
use stats_memory::{Tag, Tags, TrackingAllocator, current_tag, publish, scope};

static TAGS: TrackingAllocator<System, Tags> = TrackingAllocator::new(System);

const SCOPES: u64 = 20_000;

/// Different stacks of scopes.
const STACKS: usize = 4_000;

/// An allocation that stays live from frame to frame, so that every published number of its tag
/// changes.
struct Held {
    tag: Tag,
    start: *mut u8,
    layout: Layout,
}

impl Held {
    fn new(tag: Tag) -> Self {
        let layout = Layout::new::<[u8; 48]>();
        let _scope = tag.enter();
        Self {
            tag,
            // SAFETY: the size is not zero.
            start: unsafe { TAGS.alloc(layout) },
            layout,
        }
    }

    /// Allocates another one under the same tag.
    fn beside(&self) -> Self {
        Self::new(self.tag)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { TAGS.dealloc(black_box(self.start), self.layout) };
    }
}

pub(crate) fn measure(table: &mut Table) {
    let outcome = Contest::new()
        .with(SCOPES, || {
            (0..SCOPES).for_each(|n| {
                black_box(n);
            });
        })
        .with(SCOPES, || {
            (0..SCOPES).for_each(|n| {
                let _scope = scope!("bench");
                black_box(n);
            });
        })
        .run();
    table.row(
        "enter and leave a scope, ns",
        &[outcome.ns(1), outcome.ns(0)],
        outcome.ns(1),
        "ns",
        Bar::AtMost(3.0),
    );
    timed(table);
    replacing(table);
    finding(table);
    publishing(table);
}

static TIMER: Timer = Timer::new("bench/timed-scope");

/// Measures a timed scope: as one line of code, and as two.
fn timed(table: &mut Table) {
    let outcome = Contest::new()
        .with(SCOPES, || {
            (0..SCOPES).for_each(|n| {
                let _time = TIMER.scope();
                let _memory = scope!("bench/timed-scope");
                black_box(n);
            });
        })
        .with(SCOPES, || {
            (0..SCOPES).for_each(|n| {
                let _scope = scope!(TIMER);
                black_box(n);
            });
        })
        .run();
    table.row(
        "a timed scope by one line / by a timer and a scope",
        &[outcome.ns(1), outcome.ns(0)],
        outcome.ratio(1, 0),
        "×",
        Bar::AtMost(1.05),
    );
}

/// Measures scopes that each end after the next one starts.
fn replacing(table: &mut Table) {
    let tags = [current_tag().scope("first"), current_tag().scope("second")];
    let outcome = Contest::new()
        .with(SCOPES, || {
            let mut phase = tags[0].enter();
            for n in 0..SCOPES as usize {
                let next = tags[n % 2].enter();
                drop(std::mem::replace(&mut phase, next));
            }
        })
        .run();
    table.row(
        "replace a scope with the next, ns",
        &[],
        outcome.ns(0),
        "ns",
        Bar::AtMost(20.0),
    );
}

/// Measures finding existing tags by names of several lengths.
fn finding(table: &mut Table) {
    let names = |len| (0..64_u64).map(move |n| format!("{n:0>len$}")).collect();
    let [short, middle, long]: [Vec<String>; 3] = [8, 24, 64].map(names);
    let find = |names: &[String]| {
        for name in names {
            black_box(current_tag().scope(black_box(name)));
        }
    };
    let outcome = Contest::new()
        .with(64, || find(&short))
        .with(64, || find(&middle))
        .with(64, || find(&long))
        .run();
    table.row(
        "find a tag by a name of 24 bytes, ns",
        &[],
        outcome.ns(1),
        "ns",
        Bar::AtMost(20.0),
    );
    // A hash that reads byte by byte takes four times as long.
    table.row(
        "find a tag by a name of 64 bytes / of 8 bytes",
        &[outcome.ns(2), outcome.ns(0)],
        outcome.ratio(2, 0),
        "×",
        Bar::AtMost(2.0),
    );
}

fn publishing(table: &mut Table) {
    let tags: Vec<Tag> = (0..STACKS)
        .map(|n| {
            current_tag()
                .scope(&format!("outer-{}", n / 50))
                .scope(&format!("inner-{n}"))
        })
        .collect();
    let held: Vec<Held> = tags.iter().copied().map(Held::new).collect();
    // A second thread has its own cells for all of them.
    std::thread::scope(|scope| {
        scope.spawn(|| tags.iter().copied().for_each(|tag| drop(Held::new(tag))));
    });
    // New tags are registered in parts, until all are.
    let timed = |_| {
        let begun = std::time::Instant::now();
        publish();
        begun.elapsed().as_secs_f64() * 1e3
    };
    let longest = (0..=STACKS / 256).map(timed).fold(0.0, f64::max);
    let mut beside: Vec<Held> = Vec::with_capacity(held.len());
    let outcome = Contest::new()
        .with(1, publish)
        .with_own_clock(1, || {
            // Alternates between one more allocation for each, and one fewer.
            if beside.is_empty() {
                beside.extend(held.iter().map(Held::beside))
            } else {
                beside.clear()
            }
            let begun = std::time::Instant::now();
            publish();
            begun.elapsed()
        })
        .run();
    let us = |at| outcome.ns(at) / 1e3;
    table.row(
        "publish 4,000 new tags, the longest of the 16 frames, ms",
        &[],
        longest,
        "ms",
        Bar::AtMost(6.0),
    );
    table.row(
        "publish 4,000 tags of two threads, unchanged, µs",
        &[],
        us(0),
        "µs",
        Bar::AtMost(50.0),
    );
    table.row(
        "the same, each with one allocation more or fewer than before, µs",
        &[],
        us(1),
        "µs",
        Bar::AtMost(50.0),
    );
}
