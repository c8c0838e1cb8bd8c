//! The server: what it answers, and what a real Prometheus reads.

#[cfg(feature = "enabled")]
mod answers;
#[cfg(feature = "enabled")]
mod http;
#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(feature = "enabled")]
mod prometheus;

/// The series and the totals are those of the process, so tests take turns.
#[cfg(feature = "enabled")]
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    TURN.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
