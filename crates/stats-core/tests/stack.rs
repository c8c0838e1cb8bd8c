//! The stack that the first value of a thread takes, in a process of its own: the first values of a
//! process register series, too.
#![cfg(feature = "enabled")]
#![expect(
    unsafe_code,
    reason = "the bytes that a call has left on the stack belong to no variable"
)]

use std::hint::black_box;
use std::ptr;
use std::thread;

use stats_core::{Counter, Gauge, Histogram, Timer, UpDownCounter};

/// The number of bytes that are painted: more than any call takes.
const AREA: usize = 256 * 1024;

const PAINT: u8 = 0xa5;

/// Fills the stack below the caller, and returns the address of the deepest byte.
#[inline(never)]
fn paint() -> usize {
    black_box(&mut [PAINT; AREA]).as_ptr().expose_provenance()
}

/// Returns the number of painted bytes that were overwritten, from the deepest one on.
#[inline(never)]
fn overwritten(deepest: usize) -> usize {
    let bytes = ptr::with_exposed_provenance::<u8>(deepest);
    // SAFETY: the stack of this thread is larger. No value that is read has an effect except on
    // the result.
    let is_painted = |at: &usize| unsafe { bytes.add(*at).read_volatile() == PAINT };
    AREA - (0..AREA).take_while(is_painted).count()
}

/// Returns the number of bytes of the stack that `work` takes on a new thread.
fn stack_of(work: fn()) -> usize {
    let thread = thread::Builder::new().stack_size(8 * AREA).spawn(move || {
        let deepest = paint();
        work();
        overwritten(deepest)
    });
    let thread = thread.expect("a thread starts");
    thread.join().expect("it does not panic")
}

static COUNTER: Counter = Counter::new("test/stack/counter");
static LEVEL: UpDownCounter = UpDownCounter::new("test/stack/level");
static GAUGE: Gauge = Gauge::new("test/stack/gauge");
static TIMER: Timer = Timer::new("test/stack/timer");
static SAMPLES: Histogram = Histogram::new("test/stack/samples");

#[test]
fn the_first_value_of_a_thread_takes_little_stack() {
    let nothing = stack_of(|| {});
    assert!(nothing < 1024, "the measurement itself: {nothing}");
    let large = stack_of(|| {
        black_box(&mut [1_u8; 20_000]);
    });
    assert!((20_000..21_000).contains(&large), "{large}");
    let works: [(&str, fn()); 8] = [
        ("counter", || COUNTER.add(1)),
        ("counter of a path", || {
            stats_core::counter("test/stack/path").add(1)
        }),
        ("local counter", || {
            let mut local = COUNTER.local();
            local += 1;
        }),
        ("level", || LEVEL.increment()),
        ("gauge", || GAUGE.set(1)),
        ("scope", || TIMER.time(|| {})),
        ("sample", || SAMPLES.record(1)),
        ("refused value", || COUNTER.add(f64::NAN)),
    ];
    let check = |which: &str| {
        for (name, work) in works {
            let bytes = stack_of(work);
            assert!(bytes <= 8 * 1024, "{name}, {which}: {bytes}");
        }
    };
    check("first of the process");
    // This thread takes the storage that those threads have left, so that others make their own.
    works.iter().for_each(|(_, work)| work());
    check("first of a thread");
}
