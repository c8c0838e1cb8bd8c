//! The endpoint for Prometheus.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use stats_core::Source;

use crate::frames::FrameTimes;
use crate::listener::{Listener, Response};
use crate::page::page;
use crate::series::Series;

const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers `GET /metrics` on a loopback address until it is dropped; see the
/// [documentation of the crate](crate). Dropping it ends all connections.
pub struct OpenMetrics {
    address: SocketAddr,
    times: FrameTimes,
    /// Dropping it ends the server.
    _listener: Option<Listener>,
}

/// The reason why the server cannot start.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The address can be reached from other machines.
    NotLoopback(SocketAddr),
    /// The system refused the address, or a thread.
    System(SocketAddr, Box<dyn Error + Send + Sync>),
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
    /// Starts the server. Port 0 chooses a free port; see [`address`](Self::address). Without the
    /// feature `enabled`, nothing is started.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is not a loopback address, or if the system refuses it.
    pub fn serve(address: SocketAddr) -> Result<Self, ServeError> {
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let times = FrameTimes::default();
        let listener = stats_core::ENABLED.then(|| listen(address, &times));
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
fn listen(address: SocketAddr, times: &FrameTimes) -> io::Result<Listener> {
    let (frames, series) = (times.totals(), Mutex::new(Series::new()));
    let metrics = move || {
        let mut series = series.lock().unwrap_or_else(PoisonError::into_inner);
        page(frames.metrics().into_iter().chain(series.metrics()))
    };
    let answer = move |path: &str| match path {
        "/metrics" => Response {
            status: "200 OK",
            content_type: CONTENT_TYPE,
            body: metrics(),
        },
        _ => Response::error("404 Not Found", "The metrics are at /metrics."),
    };
    Listener::start(address, Arc::new(answer))
}
