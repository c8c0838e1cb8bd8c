//! Linux: the clock of a thread, `/proc/thread-self/schedstat` and `getrusage`.
//!
//! The file has three numbers: nanoseconds run, nanoseconds ready, and time slices. The kernel
//! refreshes the first only with its tick or when the thread leaves the processor, so the clock of
//! the thread tells it instead. The second is exact, because a thread that reads it is running. It
//! grows only when the thread gets a processor again, and `getrusage` counts how often it left one,
//! so the file is read only after that.

#![expect(unsafe_code, reason = "the C library asks for pointers")]

use std::cell::RefCell;
use std::fs::File;
use std::mem::MaybeUninit;
use std::os::unix::fs::FileExt;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::figures::Totals;

/// The file of the calling thread. It stays that of this thread, for other threads too.
const SCHEDSTAT: &str = "/proc/thread-self/schedstat";

/// The kernel's value, which libc lacks for Android.
const RUSAGE_THREAD: libc::c_int = 1;

thread_local! {
    /// `None` before it is needed.
    static READY_OF_THIS: RefCell<Option<ReadyTime>> = const { RefCell::new(None) };
}

/// The number of forks that led from the first process to this one.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Returns the number of forks that led from the first process to this one.
pub(crate) fn forks() -> u32 {
    static COUNTED: Once = Once::new();
    extern "C" fn count() {
        // Relaxed: the child has one thread. An atomic add is allowed in it.
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    COUNTED.call_once(|| {
        // SAFETY: the function has the type that is asked for, exists as long as the library, and
        // does nothing that is forbidden after a fork.
        unsafe { libc::pthread_atfork(None, None, Some(count)) };
    });
    // Relaxed: see `count`.
    FORKS.load(Ordering::Relaxed)
}

/// Returns the totals of the calling thread.
pub(crate) fn own_totals() -> Totals {
    let running_ms = clock_ms(libc::CLOCK_THREAD_CPUTIME_ID);
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the pointer is valid, and the function fills in the structure if it returns 0.
    let usage = unsafe {
        (libc::getrusage(RUSAGE_THREAD, usage.as_mut_ptr()) == 0).then(|| usage.assume_init())
    };
    let count = |count: fn(&libc::rusage) -> libc::c_long| {
        usage.as_ref().map_or(f64::NAN, |usage| count(usage) as f64)
    };
    let switches = usage.map_or(0, |usage| usage.ru_nvcsw.wrapping_add(usage.ru_nivcsw));
    let ready_ms = READY_OF_THIS.try_with(|own| {
        let mut own = own.borrow_mut();
        let own = match &mut *own {
            // In a child of `fork`, the file of the parent has the times of the parent.
            Some(own) if own.schedstat.forks == forks() => own,
            other => other.insert(ReadyTime::of_this_thread()),
        };
        own.after(switches)
    });
    Totals {
        running_ms,
        // The thread is ending.
        ready_ms: ready_ms.unwrap_or(f64::NAN),
        page_faults: count(|usage| usage.ru_minflt),
        major_page_faults: count(|usage| usage.ru_majflt),
        preemptions: count(|usage| usage.ru_nivcsw),
    }
}

/// Returns the processor time of all threads of the process, in milliseconds.
pub(crate) fn process_ms() -> Option<f64> {
    Some(clock_ms(libc::CLOCK_PROCESS_CPUTIME_ID)).filter(|ms| !ms.is_nan())
}

/// Returns the most memory that the process ever had in RAM.
pub(crate) fn peak_bytes() -> Option<f64> {
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the pointer is valid, and the function fills in the structure if it returns 0.
    let usage = unsafe {
        (libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) == 0).then(|| usage.assume_init())
    };
    usage.map(|usage| usage.ru_maxrss as f64 * 1024.0)
}

/// How long the calling thread was ready.
#[derive(Debug)]
struct ReadyTime {
    schedstat: Schedstat,
    /// How often the thread had left a processor when the file was read last.
    switches: libc::c_long,
    /// What the file said then; NaN if it could not be read.
    ms: f64,
}

impl ReadyTime {
    fn of_this_thread() -> Self {
        Self {
            schedstat: Schedstat::open(),
            switches: 0,
            ms: f64::NAN,
        }
    }

    /// Returns the time in milliseconds. The thread has left a processor `switches` times; 0 if that is
    /// not known.
    fn after(&mut self, switches: libc::c_long) -> f64 {
        if switches == 0 || switches != self.switches || self.ms.is_nan() {
            (self.switches, self.ms) = (switches, self.schedstat.ready_ms());
        }
        self.ms
    }
}

/// The file of a thread; `None` if it cannot be opened: it can be left out of the kernel, hidden in
/// a container, and a process may have too many files. Then the time stays unknown.
#[derive(Debug)]
struct Schedstat {
    file: Option<File>,
    forks: u32,
}

impl Schedstat {
    /// Opens the file of the calling thread.
    fn open() -> Self {
        Self {
            file: File::open(SCHEDSTAT).ok(),
            forks: forks(),
        }
    }

    /// Returns how long the thread was ready, in milliseconds.
    fn ready_ms(&self) -> f64 {
        let mut text = [0; 80];
        let read = self.file.as_ref().map(|file| file.read_at(&mut text, 0));
        match read {
            Some(Ok(len)) => ns_ready(&text[..len]).map_or(f64::NAN, |ns| ns as f64 / 1e6),
            _ => f64::NAN,
        }
    }
}

/// Returns the second of three numbers between spaces. `None` if the third, the time slices, is 0: a
/// thread that opens its file has one, so the kernel does not count, and the second is 0 forever.
fn ns_ready(text: &[u8]) -> Option<u64> {
    let mut words = text.split(u8::is_ascii_whitespace).skip(1).map(number);
    let (ready, slices) = (words.next()??, words.next()??);
    (slices > 0).then_some(ready)
}

fn number(word: &[u8]) -> Option<u64> {
    let digits = (!word.is_empty()).then_some(word)?.iter();
    digits.copied().try_fold(0_u64, |number, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(digit.into())
    })
}

/// A thread that another one reads.
#[derive(Debug)]
pub(crate) struct OtherThread {
    clock: libc::clockid_t,
    schedstat: Schedstat,
}

impl OtherThread {
    /// Returns the calling thread, for others.
    pub(crate) fn of_this_thread() -> Option<Self> {
        let mut clock = 0;
        // SAFETY: the thread exists, because it calls this, and the pointer is valid.
        let error = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        (error == 0).then(|| Self {
            clock,
            schedstat: Schedstat::open(),
        })
    }

    /// Returns how long the thread ran, and how long it was ready before it ran the last time.
    pub(crate) fn times(&self) -> [f64; 2] {
        [clock_ms(self.clock), self.schedstat.ready_ms()]
    }
}

/// Returns a clock of a thread in milliseconds; NaN if there is no such thread any more.
fn clock_ms(clock: libc::clockid_t) -> f64 {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the pointer is valid, and the function fills in the structure if it returns 0.
    let time =
        unsafe { (libc::clock_gettime(clock, time.as_mut_ptr()) == 0).then(|| time.assume_init()) };
    time.map_or(f64::NAN, |time| {
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_of_a_fork_does_not_read_the_file_of_its_parent() {
        // The parent has run for longer than a child that has just begun.
        let first = own_totals();
        assert!(first.ready_ms.is_finite() && first.running_ms > 0.0);
        let file = || {
            READY_OF_THIS.with_borrow(|own| {
                let file = own.as_ref().and_then(|own| own.schedstat.file.as_ref());
                let link = file.map(|file| {
                    let descriptor = std::os::fd::AsRawFd::as_raw_fd(file);
                    std::fs::read_link(format!("/proc/self/fd/{descriptor}"))
                });
                link.and_then(Result::ok)
            })
        };
        let of_parent = file();
        assert!(of_parent.is_some());
        assert!(stats_testing::in_child(|| {
            own_totals();
            file().is_some_and(|own| Some(&own) != of_parent.as_ref())
        }));
        assert_eq!(file(), of_parent);
    }

    #[test]
    fn the_file_is_read_whenever_its_number_may_have_grown() {
        let file = Schedstat::open();
        let mut grown = 0;
        for round in 0..2_000 {
            let before = file.ready_ms();
            match round % 4 {
                0 => std::thread::sleep(std::time::Duration::from_micros(50)),
                1 => std::thread::yield_now(),
                _ => _ = std::hint::black_box((0..1_000).sum::<u64>()),
            }
            let ready_ms = own_totals().ready_ms;
            let after = file.ready_ms();
            // Between the two readings, it was read at one time.
            assert!(
                (before..=after).contains(&ready_ms),
                "{before} {ready_ms} {after}"
            );
            grown += usize::from(ready_ms > before);
        }
        assert!(grown > 0, "the thread never waited for a processor");
    }

    #[test]
    fn the_second_number_is_known_if_the_kernel_counts_time_slices() {
        for (text, number) in [
            ("1 23 456\n", Some(23)),
            ("0 18446744073709551615 1\n", Some(u64::MAX)),
            ("0 18446744073709551616 1\n", None),
            ("12 0 1", Some(0)),
            ("0 0 0\n", None),
            ("12 34 0\n", None),
            ("12 34\n", None),
            ("12 34", None),
            ("12 34 x\n", None),
            ("12", None),
            ("", None),
            ("1  2 3", None),
            ("1 -2 3", None),
        ] {
            assert_eq!(ns_ready(text.as_bytes()), number, "{text:?}");
        }
    }
}
