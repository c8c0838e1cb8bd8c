//! The options of the export.

use std::time::Duration;

/// Where [`Otlp`](crate::Otlp) sends metrics, how often, and what identifies the game.
///
/// ```
/// use stats_openmetrics::OtlpOptions;
///
/// let mut options = OtlpOptions::default();
/// options.service_name = "my-game-server".to_owned();
/// # assert_eq!(options.endpoint, "http://localhost:4318");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OtlpOptions {
    /// The address of the collector, `http://HOST:PORT`; metrics are sent to `/v1/metrics` below
    /// it. Default: `http://localhost:4318`, that of a collector on this machine.
    pub endpoint: String,
    /// The time between two exports, from 100 milliseconds to a day. Default: 10 seconds.
    pub interval: Duration,
    /// The name of the program in the collector: the attribute `service.name`. Default:
    /// `unknown_service`, and the name of the executable file.
    pub service_name: String,
    /// Further attributes of the resource, such as `service.version` or
    /// `deployment.environment.name`. They replace attributes of the same name that the export sets
    /// itself. Default: none.
    pub attributes: Vec<(String, String)>,
    /// The upper bounds of the buckets of histograms, as in
    /// [`OpenMetricsOptions::bounds`](crate::OpenMetricsOptions::bounds). Default: none.
    pub bounds: Vec<(String, Vec<f64>)>,
}

impl Default for OtlpOptions {
    fn default() -> Self {
        Self {
            endpoint: "http://localhost:4318".to_owned(),
            interval: Duration::from_secs(10),
            service_name: unknown_service(),
            attributes: Vec::new(),
            bounds: Vec::new(),
        }
    }
}

/// Returns the name that OpenTelemetry's conventions give to a service without one.
fn unknown_service() -> String {
    let file = std::env::current_exe().ok();
    match file.as_deref().and_then(|file| file.file_stem()) {
        Some(name) => format!("unknown_service:{}", name.to_string_lossy()),
        None => "unknown_service".to_owned(),
    }
}
