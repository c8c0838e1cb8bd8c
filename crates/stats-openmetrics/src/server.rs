//! The server.

use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use stats_core::Source;
use tiny_http::{Header, Method, Request, Response, Server};

use crate::frames::{FrameTimes, FrameTotals};
use crate::page::Page;
use crate::series::Series;

/// How long the end of the server waits for its thread.
const END: Duration = Duration::from_secs(1);

const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers `GET /metrics` on a loopback address until it is dropped; see the
/// [documentation of the crate](crate). Dropping it waits for the answer that is being written, but at
/// most a second.
pub struct OpenMetrics {
    address: SocketAddr,
    totals: Arc<FrameTotals>,
    times: FrameTimes,
    /// The first frame that was not added yet.
    next_frame: u64,
    server: Option<Arc<Server>>,
    thread: Option<JoinHandle<()>>,
}

/// Why there is no server.
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
                 put a proxy before it that authenticates",
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
    /// If the address is not that of a loopback interface, or the system refuses it.
    pub fn serve(address: SocketAddr) -> Result<Self, ServeError> {
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let mut metrics = Self {
            address,
            totals: Arc::default(),
            times: FrameTimes::default(),
            next_frame: 0,
            server: None,
            thread: None,
        };
        if stats_core::ENABLED {
            metrics.start()?;
        }
        Ok(metrics)
    }

    fn start(&mut self) -> Result<(), ServeError> {
        let failed = |error| ServeError::System(self.address, error);
        let server = Arc::new(Server::http(self.address).map_err(failed)?);
        let totals = Arc::clone(&self.totals);
        // Here and not on the thread: what is counted from now on is exported.
        let mut series = Series::new();
        let requests = Arc::clone(&server);
        let answer = move || {
            while let Ok(request) = requests.recv() {
                answer(request, &totals, &mut series);
            }
        };
        let thread = thread::Builder::new().name("stats-openmetrics".to_owned());
        self.thread = Some(thread.spawn(answer).map_err(|error| failed(error.into()))?);
        self.address = server.server_addr().to_ip().unwrap_or(self.address);
        self.server = Some(server);
        Ok(())
    }

    /// Returns the address, with the port that was chosen.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Adds the frames of `source` that ended since the last call: once in each frame, with the source
    /// whose frame times are to be exported.
    pub fn end_frame(&mut self, source: &impl Source) {
        if !stats_core::ENABLED {
            return;
        }
        let frames = source.frames();
        for frame in self.next_frame.max(frames.start)..frames.end {
            if let Some(frame) = source.frame(frame) {
                self.times.add(frame.duration_ms, &self.totals);
            }
        }
        self.next_frame = frames.end;
    }
}

impl fmt::Debug for OpenMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenMetrics")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Drop for OpenMetrics {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.unblock();
        }
        let Some(thread) = self.thread.take() else {
            return;
        };
        let begun = Instant::now();
        while !thread.is_finished() {
            // It waits for a client that does not read its answer, and ends with it.
            if begun.elapsed() > END {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let _ = thread.join();
    }
}

/// Answers a request. A client that is gone needs no answer.
fn answer(request: Request, totals: &FrameTotals, series: &mut Series) {
    let path = request.url().split('?').next();
    if path != Some("/metrics") {
        let text = "The metrics are at /metrics.\n";
        let _ = request.respond(Response::from_string(text).with_status_code(404));
        return;
    }
    if !matches!(request.method(), Method::Get | Method::Head) {
        let _ = request.respond(Response::from_string("Use GET.\n").with_status_code(405));
        return;
    }
    let mut page = Page::default();
    totals.write(&mut page);
    series.write(&mut page);
    let mut response = Response::from_string(page.end());
    if let Ok(header) = Header::from_bytes("Content-Type", CONTENT_TYPE) {
        response.add_header(header);
    }
    let _ = request.respond(response);
}
