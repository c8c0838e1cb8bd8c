//! The endpoint for Prometheus.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

use stats_core::{Source, own_memory};

use crate::bounds;
use crate::frames::FrameTimes;
use crate::host::Hosts;
use crate::listener::{Answers, Listener};
use crate::options::OpenMetricsOptions;
use crate::page::page;
use crate::response::Response;
use crate::series::Series;

const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers `GET /metrics` on a loopback address until it is dropped; see the
/// [documentation of the crate](crate), also for [whom it answers](crate#security). Dropping it
/// ends all connections.
pub struct OpenMetrics {
    address: SocketAddr,
    times: FrameTimes,
    /// Dropping it ends the server.
    _listener: Option<Listener>,
}

/// The reason why the server cannot start.
#[non_exhaustive]
pub enum ServeError {
    /// The address can be reached from other machines.
    NotLoopback(SocketAddr),
    /// A name of [`OpenMetricsOptions::hosts`] is not a name or an address alone.
    Host(String),
    /// [`OpenMetricsOptions::bounds`] are not bounds of a histogram, for the reason given.
    Bounds(String),
    /// The system refused the address, or a thread.
    System(SocketAddr, Box<dyn Error + Send + Sync>),
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLoopback(address) => write!(
                f,
                "{address} can be reached from other machines: serve on 127.0.0.1:{} or [::1]:{}, and \
                 put an authenticating proxy in front of it",
                address.port(),
                address.port()
            ),
            Self::Host(name) => write!(
                f,
                "{name:?} is not a name: write a name or an address alone, such as metrics.example, \
                 without scheme, port and wildcards"
            ),
            Self::Bounds(reason) => f.write_str(reason),
            Self::System(address, error) => write!(
                f,
                "cannot serve on {address}: {error}. Another program may use the port; choose another, \
                 or 0 for any that is free"
            ),
        }
    }
}

impl Error for ServeError {}

impl OpenMetrics {
    /// Starts the server on an address, with the other options at their defaults. Port 0 chooses a
    /// free port; see [`address`](Self::address).
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not a loopback address, or if the system refuses it.
    pub fn serve(address: SocketAddr) -> Result<Self, ServeError> {
        Self::start(&OpenMetricsOptions {
            address,
            ..OpenMetricsOptions::default()
        })
    }

    /// Starts the server. Without the feature `enabled`, nothing is started.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not a loopback address or if the system refuses it, and
    /// if a host or the bounds of a histogram are not valid.
    pub fn start(options: &OpenMetricsOptions) -> Result<Self, ServeError> {
        let _memory = own_memory("stats-openmetrics");
        let address = options.address;
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let hosts = Hosts::new(&options.hosts).map_err(ServeError::Host)?;
        bounds::check(&options.bounds).map_err(ServeError::Bounds)?;
        let times = FrameTimes::default();
        let listen = || listen(address, hosts, &options.bounds, &times);
        let listener = stats_core::ENABLED.then(listen);
        let listener = listener
            .transpose()
            .map_err(|error| ServeError::System(address, error.into()))?;
        Ok(Self {
            address: listener.as_ref().map_or(address, Listener::address),
            times,
            _listener: listener,
        })
    }

    /// Returns the address, with the port that was chosen.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Adds the frames of `source` that ended since the last call: once in each frame, with the
    /// source whose frame times are to be exported.
    pub fn end_frame(&mut self, source: &impl Source) {
        let _memory = own_memory("stats-openmetrics");
        self.times.add_new(source);
    }
}

impl fmt::Debug for OpenMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenMetrics")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Starts a listener that answers with the metrics. Totals begin now.
fn listen(
    address: SocketAddr,
    hosts: Hosts,
    bounds: &[(String, Vec<f64>)],
    times: &FrameTimes,
) -> io::Result<Listener> {
    let (frames, series) = (times.totals(), Mutex::new(Series::new(bounds)));
    let metrics = move || {
        let mut series = series.lock().unwrap_or_else(PoisonError::into_inner);
        page(frames.metrics().into_iter().chain(series.page_metrics()))
    };
    let answer = move |path: &str| match path {
        "/metrics" => Response {
            status: "200 OK",
            content_type: CONTENT_TYPE,
            body: metrics(),
        },
        _ => Response::error("404 Not Found", "The metrics are at /metrics."),
    };
    let answer = Box::new(answer);
    Listener::start(address, Answers { hosts, answer })
}
