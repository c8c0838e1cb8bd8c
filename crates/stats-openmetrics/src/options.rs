//! The options of the server.

use std::net::{Ipv4Addr, SocketAddr};

/// Where [`OpenMetrics`](crate::OpenMetrics) listens, whom it answers, and the buckets of
/// histograms.
///
/// ```
/// use stats_openmetrics::OpenMetricsOptions;
///
/// let mut options = OpenMetricsOptions::default();
/// options.hosts.push("metrics.example".to_owned());
/// let bounds = vec![16.0, 33.0, 50.0, 100.0, 250.0];
/// options.bounds.push(("net/latency".to_owned(), bounds));
/// # assert_eq!(options.address.to_string(), "127.0.0.1:9464");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OpenMetricsOptions {
    /// The address to listen on, which must be a loopback address. Port 0 chooses a free port.
    /// Default: `127.0.0.1:9464`.
    pub address: SocketAddr,
    /// Names or addresses that the header `Host` of a request may have besides loopback names and
    /// addresses, in any case and with any port: that of a proxy in front of the server, for
    /// example. Default: none.
    pub hosts: Vec<String>,
    /// The upper bounds of the buckets of histograms, by path, in the unit of the histogram. They
    /// replace [those of its unit](crate#buckets), and ascend. A bound is 0, or has at most two
    /// significant digits and a magnitude from 10⁻⁹ to 10¹⁵. Without bounds, only count and sum are
    /// left. Default: none.
    pub bounds: Vec<(String, Vec<f64>)>,
}

impl Default for OpenMetricsOptions {
    fn default() -> Self {
        Self {
            address: (Ipv4Addr::LOCALHOST, 9464).into(),
            hosts: Vec::new(),
            bounds: Vec::new(),
        }
    }
}
