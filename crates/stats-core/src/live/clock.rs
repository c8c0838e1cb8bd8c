//! The clock of timers: the processor's cycle counter if its rate is constant, otherwise the
//! system's clock.
//!
//! Reading the cycle counter takes a fraction of the time that the system's clock takes, but its
//! rate is not known in advance. The rate is measured against the system's clock over the first
//! [`BASELINE`] of timing, without ever waiting: until then a stopwatch is an [`Instant`]. The rate
//! is stored once and never changes, so that equal spans stay equal.
//!
//! This is the only file of the crate with `unsafe` code.
//!
//! A custom clock costs nothing in programs that set none. The fast path of a scope already tests
//! whether the rate of the cycle counter is known. `set_clock` makes the rate unknown again, and
//! only the slow path calls the clock.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "reading the cycle counter is an intrinsic")
)]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;
// The standard library's clock panics in a browser; this one reads the page's clock.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use web_time::Instant;

/// The time over which the rate is measured. Each reading of both clocks is uncertain by about 20
/// ns: a millionth of this.
const BASELINE: Duration = Duration::from_millis(20);

/// Milliseconds per tick, as the bits of an `f64`; [`UNKNOWN`] until it is measured, and for good
/// if the rate is not constant.
static MS_PER_TICK: AtomicU64 = AtomicU64::new(UNKNOWN);

/// The bits of 0.0.
const UNKNOWN: u64 = 0;

/// When measuring began; `None` if there is no reliable cycle counter.
static BEGINNING: OnceLock<Option<Moment>> = OnceLock::new();

/// The clock that the program set.
static CUSTOM_CLOCK: OnceLock<CustomClock> = OnceLock::new();

/// A clock of the program, and the moment from which its time is counted.
struct CustomClock {
    clock: fn() -> Duration,
    first: Instant,
    /// Added to [`Stopped::time`], so that it is later than the times of earlier scopes.
    ticks: u64,
}

impl CustomClock {
    fn now(&self) -> Instant {
        self.first + (self.clock)()
    }
}

/// Times scopes by a clock of the program instead of the machine's clock, from now on. Returns
/// `false` and changes nothing if a clock was set before.
///
/// The clock returns the time since an arbitrary moment, and must not go back on any thread. With a
/// clock that counts only work, a test measures the same times on every machine;
/// [`Recorder::end_frame_at`](crate::Recorder::end_frame_at) sets the times of frames. Each thread
/// may have its own time. The time of a scope that begins on one thread and ends on another is then
/// meaningless.
///
/// Call it before the first scope: the time of a scope that is open during the call is meaningless.
/// The clock applies to the whole process, and cannot be changed again. A scope then costs as much
/// as on a processor without a steady cycle counter. Recorders and [spans](crate::SpanCollector)
/// still use the machine's clock.
///
/// ```
/// use std::time::Duration;
/// # let _first = stats_core::timer("clock/first").scope();
///
/// assert!(stats_core::set_clock(|| Duration::ZERO));
/// assert!(!stats_core::set_clock(|| Duration::ZERO));
/// ```
pub fn set_clock(clock: fn() -> Duration) -> bool {
    let custom = CustomClock {
        clock,
        first: Instant::now(),
        ticks: ticks(),
    };
    let is_first = CUSTOM_CLOCK.set(custom).is_ok();
    if is_first {
        // Relaxed: a scope that begins on another thread at this moment may have either clock.
        MS_PER_TICK.store(UNKNOWN, Ordering::Relaxed);
    }
    is_first
}

/// Both clocks, read together.
#[derive(Clone, Copy)]
struct Moment {
    ticks: u64,
    instant: Instant,
}

/// A started stopwatch.
#[derive(Debug)]
pub(crate) enum Stopwatch {
    Ticks(u64),
    Instant(Instant),
}

impl Stopwatch {
    #[inline(always)]
    pub(crate) fn start() -> Self {
        // Relaxed, here and below: one number that is written once.
        if MS_PER_TICK.load(Ordering::Relaxed) == UNKNOWN {
            Self::start_unmeasured()
        } else {
            Self::Ticks(ticks())
        }
    }

    #[cold]
    fn start_unmeasured() -> Self {
        if let Some(custom) = CUSTOM_CLOCK.get() {
            return Self::Instant(custom.now());
        }
        let now = Instant::now();
        if let Some(beginning) = BEGINNING.get_or_init(|| has_constant_rate().then(moment))
            && now.duration_since(beginning.instant) >= BASELINE
        {
            measure(*beginning);
        }
        Self::Instant(now)
    }

    /// Returns the time since the stopwatch was started, and the current time.
    #[inline(always)]
    pub(crate) fn stop(&self) -> Stopped {
        match self {
            Self::Ticks(start) => {
                // Relaxed: as at the start.
                let rate = f64::from_bits(MS_PER_TICK.load(Ordering::Relaxed));
                let time = ticks();
                // Saturating: the counters of different cores may differ by a few ticks.
                let ms = time.saturating_sub(*start) as f64 * rate;
                Stopped { ms, time }
            }
            Self::Instant(start) => Self::stop_unmeasured(*start),
        }
    }

    fn stop_unmeasured(start: Instant) -> Stopped {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        let custom = CUSTOM_CLOCK.get();
        let now = custom.map_or_else(Instant::now, CustomClock::now);
        let first = *FIRST.get_or_init(|| start);
        let since_first_ns = now.duration_since(first).as_nanos() as u64;
        let time = match (custom, BEGINNING.get()) {
            (Some(custom), _) => custom.ticks.saturating_add(since_first_ns),
            // The origin is the same as after the rate is measured.
            (None, Some(Some(_))) => ticks(),
            (None, _) => since_first_ns,
        };
        Stopped {
            ms: now.duration_since(start).as_secs_f64() * 1e3,
            time,
        }
    }
}

/// A moment on the machine's clock, in the unit in which it was read. [`Anchor`] converts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stamp {
    /// Ticks of the cycle counter, or nanoseconds since an arbitrary moment.
    pub(crate) word: u64,
    pub(crate) is_ns: bool,
}

impl Stamp {
    #[inline]
    pub(crate) const fn ticks(word: u64) -> Self {
        Self { word, is_ns: false }
    }

    fn of(instant: Instant) -> Self {
        Self {
            word: nanoseconds(instant) as u64,
            is_ns: true,
        }
    }
}

impl Stopwatch {
    /// Returns when it was started, even if the program has a clock of its own: then the current
    /// moment.
    #[inline]
    pub(crate) fn started(&self) -> Stamp {
        match self {
            Self::Ticks(start) => Stamp::ticks(*start),
            Self::Instant(_) if CUSTOM_CLOCK.get().is_some() => Stamp::of(Instant::now()),
            Self::Instant(start) => Stamp::of(*start),
        }
    }

    /// Returns when it was started and stopped.
    #[inline]
    pub(crate) fn stopped(&self, stopped: Stopped) -> [Stamp; 2] {
        match self {
            Self::Ticks(start) => [Stamp::ticks(*start), Stamp::ticks(stopped.time)],
            Self::Instant(_) => {
                let end = nanoseconds(Instant::now());
                let begin = end.saturating_sub((stopped.ms * 1e6) as i64);
                [begin, end].map(|ns| Stamp {
                    word: ns as u64,
                    is_ns: true,
                })
            }
        }
    }
}

/// Both clocks at one moment, to convert [`Stamp`]s of the last seconds. An error of the measured
/// rate, a millionth, is then a few microseconds at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    ticks: u64,
    ns: i64,
    ns_per_tick: f64,
}

impl Anchor {
    pub(crate) fn now() -> Self {
        let Moment { ticks, instant } = moment();
        // Relaxed: as in `Stopwatch::start`.
        let rate = f64::from_bits(MS_PER_TICK.load(Ordering::Relaxed));
        Self {
            ticks,
            ns: nanoseconds(instant),
            ns_per_tick: rate * 1e6,
        }
    }

    /// Returns the nanoseconds of a stamp since the moment from which [`nanoseconds`] counts.
    pub(crate) fn ns(&self, stamp: Stamp) -> i64 {
        if stamp.is_ns {
            return stamp.word as i64;
        }
        let ticks = stamp.word.wrapping_sub(self.ticks) as i64;
        self.ns + (ticks as f64 * self.ns_per_tick).round() as i64
    }
}

/// The moment from which [`nanoseconds`] counts.
fn epoch() -> Instant {
    static EPOCH: OnceLock<Instant> = OnceLock::new();
    *EPOCH.get_or_init(Instant::now)
}

/// Returns the nanoseconds since an arbitrary moment of the process.
pub(crate) fn nanoseconds(instant: Instant) -> i64 {
    let epoch = epoch();
    let after = instant.saturating_duration_since(epoch).as_nanos() as i64;
    after - epoch.saturating_duration_since(instant).as_nanos() as i64
}

/// Returns the moment of a number of [`nanoseconds`].
pub(crate) fn instant(ns: i64) -> Instant {
    let since = Duration::from_nanos(ns.unsigned_abs());
    let moment = if ns < 0 {
        epoch().checked_sub(since)
    } else {
        epoch().checked_add(since)
    };
    moment.unwrap_or_else(epoch)
}

/// The reading of a stopwatch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped {
    /// The milliseconds since the start; never negative.
    pub(crate) ms: f64,
    /// The time in ticks since an arbitrary origin. The tick and the origin are the same for all
    /// threads.
    pub(crate) time: u64,
}

fn measure(beginning: Moment) {
    let now = moment();
    let ms = now.instant.duration_since(beginning.instant).as_secs_f64() * 1e3;
    let rate = ms / now.ticks.saturating_sub(beginning.ticks) as f64;
    // From 1 MHz to 100 GHz. Anything else is not a cycle counter.
    if (1e-8..=1e-3).contains(&rate) {
        // Only the first rate is stored: see the module documentation.
        let _ = MS_PER_TICK.compare_exchange(
            UNKNOWN,
            rate.to_bits(),
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
    }
}

/// Reads both clocks at one moment: of several readings, the one with the shortest interruption.
fn moment() -> Moment {
    let read = || {
        let before = ticks();
        let instant = Instant::now();
        let after = ticks();
        (
            after.saturating_sub(before),
            Moment {
                ticks: before.midpoint(after),
                instant,
            },
        )
    };
    let mut best = read();
    for _ in 0..4 {
        let next = read();
        if next.0 < best.0 {
            best = next;
        }
    }
    best.1
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn ticks() -> u64 {
    // SAFETY: `rdtsc` exists on every x86-64 processor and touches no memory.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// Returns whether the counter ticks at one rate in all clock speeds and power states: "invariant
/// TSC", leaf 8000_0007h, EDX bit 8 (Intel SDM volume 3, 19.17.1; AMD APM volume 3, appendix
/// E.4.6).
#[cfg(target_arch = "x86_64")]
fn has_constant_rate() -> bool {
    use std::arch::x86_64::__cpuid;
    __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx & (1 << 8) != 0
}

#[cfg(not(target_arch = "x86_64"))]
fn ticks() -> u64 {
    0
}

#[cfg(not(target_arch = "x86_64"))]
fn has_constant_rate() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::{BASELINE, MS_PER_TICK, Stopwatch, UNKNOWN, has_constant_rate};
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};

    #[test]
    fn times_have_one_origin_before_and_after_the_rate_is_known() {
        let early = Stopwatch::start().stop().time;
        while MS_PER_TICK.load(Ordering::Relaxed) == UNKNOWN && has_constant_rate() {
            Stopwatch::start();
        }
        let late = Stopwatch::start().stop().time;
        // One second on a 10 GHz processor.
        assert!(
            late >= early && late - early < 10_000_000_000,
            "{early} {late}"
        );
    }

    #[test]
    fn agrees_with_the_system_clock_before_and_after_the_rate_is_known() {
        let begun = Instant::now();
        while begun.elapsed() < BASELINE * 3 {
            let outer = Instant::now();
            let stopwatch = Stopwatch::start();
            let inner = Instant::now();
            std::thread::sleep(Duration::from_millis(2));
            let inner_ms = inner.elapsed().as_secs_f64() * 1e3;
            let ms = stopwatch.stop().ms;
            let outer_ms = outer.elapsed().as_secs_f64() * 1e3;
            // Between an interval inside it and one around it, even on a busy machine.
            assert!(
                inner_ms * 0.999 <= ms && ms <= outer_ms * 1.001,
                "{inner_ms} <= {ms} <= {outer_ms}"
            );
        }
        assert_eq!(
            MS_PER_TICK.load(Ordering::Relaxed) != UNKNOWN,
            has_constant_rate()
        );
    }
}
