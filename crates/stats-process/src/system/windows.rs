//! Windows: the cycles of a thread. `GetThreadTimes` is of no use, because it advances in steps of
//! 15 ms. The system does not tell how long a thread was ready, and counts page faults for the
//! whole process only.
//!
//! On x86, these cycles are those of the time stamp counter, whose rate is constant.

#![expect(unsafe_code, reason = "the system asks for pointers")]

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use windows_sys::Win32::System::Threading::GetCurrentThread;
use windows_sys::Win32::System::WindowsProgramming::QueryThreadCycleTime;

use crate::figures::Totals;

/// Returns the totals of the calling thread. The first call takes a millisecond.
pub(crate) fn own_totals() -> Totals {
    static CYCLES_PER_MS: OnceLock<Option<f64>> = OnceLock::new();
    let rate = *CYCLES_PER_MS.get_or_init(cycles_per_ms);
    let running_ms = rate.and_then(|rate| Some(cycles()? as f64 / rate));
    Totals {
        running_ms: running_ms.unwrap_or(f64::NAN),
        ..Totals::UNKNOWN
    }
}

/// Returns the cycles in which the calling thread ran.
fn cycles() -> Option<u64> {
    let mut cycles = 0;
    // SAFETY: the handle is that of the calling thread, and the pointer is valid.
    let is_known = unsafe { QueryThreadCycleTime(GetCurrentThread(), &mut cycles) != 0 };
    is_known.then_some(cycles)
}

/// Returns the number of cycles in a millisecond. A thread that is interrupted has fewer, so the
/// most that several short spans had is right.
fn cycles_per_ms() -> Option<f64> {
    const SPANS: u32 = 5;
    let rates = (0..SPANS).filter_map(|_| {
        let (began, before) = (Instant::now(), cycles()?);
        while began.elapsed() < Duration::from_millis(1) / SPANS {
            std::hint::spin_loop();
        }
        let (passed, after) = (began.elapsed(), cycles()?);
        Some((after - before) as f64 / (passed.as_secs_f64() * 1e3))
    });
    rates.reduce(f64::max).filter(|rate| *rate > 0.0)
}
