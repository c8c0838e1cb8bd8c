//! The server: its answers, and a real Prometheus that reads them.

#[cfg(feature = "enabled")]
mod answers;
#[cfg(feature = "enabled")]
mod hosts;
#[cfg(feature = "enabled")]
mod http;
#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(feature = "enabled")]
mod prometheus;

/// Series and totals belong to the process, so tests take turns.
#[cfg(feature = "enabled")]
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    TURN.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
