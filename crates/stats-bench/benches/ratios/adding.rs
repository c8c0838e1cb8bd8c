//! Adds by one thread: to one counter repeatedly, and to sixteen counters in turn.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use stats_bench::{Bar, Contest, Table};
use stats_core::Counter;

const OPS: u64 = 64 * 1024;

static ONE: Counter = Counter::new("bench/one");

static SIXTEEN: [Counter; 16] = [
    Counter::new("bench/sixteen/0"),
    Counter::new("bench/sixteen/1"),
    Counter::new("bench/sixteen/2"),
    Counter::new("bench/sixteen/3"),
    Counter::new("bench/sixteen/4"),
    Counter::new("bench/sixteen/5"),
    Counter::new("bench/sixteen/6"),
    Counter::new("bench/sixteen/7"),
    Counter::new("bench/sixteen/8"),
    Counter::new("bench/sixteen/9"),
    Counter::new("bench/sixteen/10"),
    Counter::new("bench/sixteen/11"),
    Counter::new("bench/sixteen/12"),
    Counter::new("bench/sixteen/13"),
    Counter::new("bench/sixteen/14"),
    Counter::new("bench/sixteen/15"),
];

/// Adds to each of the sixteen counters, by one statement each, as in a game's code.
#[inline(always)]
pub(crate) fn add_to_sixteen(n: u32) {
    macro_rules! add_to_each {
        ($($at:literal)*) => { $( SIXTEEN[$at].add(n); )* };
    }
    add_to_each!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

/// The floor: `*p += n` through memory each time, as if the code between two adds were not inlined.
#[expect(
    unsafe_code,
    reason = "the floor is a plain add to memory that the compiler must not keep in a register"
)]
pub(crate) fn plain_add(cell: &mut f64, n: f64) {
    let cell: *mut f64 = cell;
    // SAFETY: the pointer comes from a live exclusive reference.
    unsafe { cell.write_volatile(cell.read_volatile() + n) }
}

pub(crate) fn measure(table: &mut Table) {
    one(table);
    sixteen(table);
}

fn one(table: &mut Table) {
    let n = black_box(3_u32);
    let x = black_box(3.5_f64);
    let mut cell = 0.0;
    let shared = AtomicU64::new(0);
    let handle = metrics::counter!("bench/stored");
    let outcome = Contest::new()
        .with(OPS, || {
            (0..OPS).for_each(|_| plain_add(&mut cell, f64::from(n)))
        })
        .with(OPS, move || (0..OPS).for_each(|_| ONE.add(n)))
        .with(OPS, move || (0..OPS).for_each(|_| ONE.add(x)))
        .with(OPS, || {
            let mut local = ONE.local();
            (0..OPS).for_each(|_| local += n);
        })
        .with(OPS, || {
            (0..OPS).for_each(|_| {
                black_box(shared.fetch_add(u64::from(n), Ordering::Relaxed));
            })
        })
        .with(OPS / 16, || {
            (0..OPS / 16).for_each(|_| metrics::counter!("bench/by-name").increment(u64::from(n)))
        })
        .with(OPS / 4, || {
            (0..OPS / 4).for_each(|_| handle.increment(u64::from(n)))
        })
        .run();
    let ns = |a, b| [outcome.ns(a), outcome.ns(b)];
    table.row(
        "`add`, one static counter / plain `*p += n`",
        &ns(1, 0),
        outcome.ratio(1, 0),
        "×",
        Bar::AtMost(1.15),
    );
    table.row(
        "the same with a float that is checked to be finite / plain `*p += n`",
        &ns(2, 0),
        outcome.ratio(2, 0),
        "×",
        Bar::AtMost(1.15),
    );
    table.row(
        "local handle, one counter / plain `*p += n`",
        &ns(3, 0),
        outcome.ratio(3, 0),
        "×",
        Bar::AtMost(1.1),
    );
    table.row(
        "`metrics` by name / `add`, one counter repeatedly",
        &ns(5, 1),
        outcome.ratio(5, 1),
        "×",
        Bar::AtLeast(30.0),
    );
    table.row(
        "a stored `metrics` handle / `add`, one counter repeatedly",
        &ns(6, 1),
        outcome.ratio(6, 1),
        "×",
        Bar::AtLeast(4.0),
    );
}

/// Consecutive adds to one cell wait for each other in any implementation. Adds to sixteen cells do
/// not, and show the cost of the work itself.
fn sixteen(table: &mut Table) {
    let n = black_box(3_u32);
    let mut cells = [0.0; 16];
    let mut locals = SIXTEEN.each_ref().map(Counter::local);
    let names: [String; 16] = std::array::from_fn(|n| format!("bench/by-name/{n}"));
    let names = names
        .each_ref()
        .map(|name| &*Box::leak(name.clone().into_boxed_str()));
    let handles = names.map(|name| metrics::counter!(name));
    let outcome = Contest::new()
        .with(OPS, || {
            (0..OPS / 16).for_each(|_| {
                cells
                    .iter_mut()
                    .for_each(|cell| plain_add(cell, f64::from(n)))
            })
        })
        .with(OPS, move || (0..OPS / 16).for_each(|_| add_to_sixteen(n)))
        .with(OPS, || {
            (0..OPS / 16).for_each(|_| locals.iter_mut().for_each(|local| *local += n))
        })
        .with(OPS / 16, || {
            (0..OPS / 256).for_each(|_| {
                names
                    .iter()
                    .for_each(|name| metrics::counter!(*name).increment(u64::from(n)))
            });
        })
        .with(OPS / 4, || {
            (0..OPS / 64).for_each(|_| {
                handles
                    .iter()
                    .for_each(|handle| handle.increment(u64::from(n)))
            })
        })
        .run();
    let ns = |a, b| [outcome.ns(a), outcome.ns(b)];
    table.row(
        "`add`, sixteen counters in turn / plain `*p += n`",
        &ns(1, 0),
        outcome.ratio(1, 0),
        "×",
        Bar::AtMost(2.5),
    );
    table.row(
        "local handles, sixteen in turn / plain `*p += n`",
        &ns(2, 0),
        outcome.ratio(2, 0),
        "×",
        Bar::AtMost(1.1),
    );
    table.row(
        "`metrics` by name / `add`, sixteen in turn",
        &ns(3, 1),
        outcome.ratio(3, 1),
        "×",
        Bar::AtLeast(30.0),
    );
    table.row(
        "stored `metrics` handles / `add`, sixteen in turn",
        &ns(4, 1),
        outcome.ratio(4, 1),
        "×",
        Bar::AtLeast(4.0),
    );
}
