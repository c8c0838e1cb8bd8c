//! The export to an OpenTelemetry collector: the values that it sends, and what it does if no
//! collector takes them.

mod collector;
mod failures;
mod values;

use std::time::Duration;

use stats_openmetrics::{Otlp, OtlpOptions};
use stats_testing::alone;

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
