//! The export to an OpenTelemetry collector: the values that it sends, and what it does if no
//! collector takes them.

mod collector;
mod failures;
mod values;

use std::time::Duration;

use stats_openmetrics::{Otlp, OtlpOptions};

/// Series and totals belong to the process, so tests take turns.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    TURN.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Exports to an endpoint as often as possible.
fn export_to(endpoint: String) -> Otlp {
    let mut options = OtlpOptions::default();
    options.endpoint = endpoint;
    options.interval = Duration::ZERO;
    options.service_name = "a game".to_owned();
    options.attributes = vec![("service.version".to_owned(), "1.2".to_owned())];
    options.bounds = Vec::new();
    Otlp::start(&options).expect("the endpoint is an address")
}
