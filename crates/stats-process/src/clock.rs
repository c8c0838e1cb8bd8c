//! The time at which something is read.

use std::sync::OnceLock;
use std::time::Instant;

/// Reads something, and the time. If this took so long that the thread lost its processor in between,
/// reads both again, because the two belong to different moments. The thread then has the processor for a
/// while.
pub(crate) fn at_once<T>(read: impl Fn() -> T) -> (T, f64) {
    const LONGEST_MS: f64 = 0.02;
    const FURTHER_TRIES: u32 = 2;
    let mut before = wall_ms();
    let mut found = read();
    for _ in 0..FURTHER_TRIES {
        let after = wall_ms();
        if after - before <= LONGEST_MS {
            break;
        }
        (found, before) = (read(), after);
    }
    (found, before)
}

/// Returns the time since the first call, in milliseconds.
fn wall_ms() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3
}
