//! The thread that sends the metrics.

use std::fmt;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::resource::v1::Resource;
use stats_core::{Counter, OwnProcess, Source, own_memory};

use crate::bounds;
use crate::frames::{FrameTimes, FrameTotals};
use crate::series::Series;

use super::collector::Collector;
use super::message::message;
use super::resource::resource;
use super::times::Times;
use super::{OtlpError, OtlpOptions};

/// How long dropping an [`Otlp`] waits for the last export.
const END: Duration = Duration::from_secs(2);

/// The bounds of the interval. The upper one keeps moments within the range that the system can
/// represent.
const MIN_INTERVAL: Duration = Duration::from_millis(100);
const MAX_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

static FAILED: Counter = Counter::new("otlp/failed-exports")
    .describe("exports that the collector did not take; the next one sends everything again");

/// Sends metrics to an OpenTelemetry collector until it is dropped; see the
/// [documentation of the crate](crate#opentelemetry).
///
/// Dropping it sends the metrics once more, and waits for that up to two seconds.
///
/// ```no_run
/// use stats_core::Recorder;
/// use stats_openmetrics::{Otlp, OtlpOptions};
///
/// let mut recorder = Recorder::new();
/// let mut otlp = Otlp::start(&OtlpOptions::default())?; // http://localhost:4318
///
/// // In every frame:
/// recorder.end_frame();
/// otlp.end_frame(&recorder);
/// # Ok::<(), stats_openmetrics::OtlpError>(())
/// ```
pub struct Otlp {
    times: FrameTimes,
    error: Arc<Mutex<Option<String>>>,
    /// `None` without the feature `enabled`.
    thread: Option<OwnProcess<Running>>,
}

/// The running export thread.
struct Running {
    /// Dropping it ends the thread.
    stop: Sender<()>,
    /// Disconnected when the thread has ended.
    ended: Receiver<()>,
}

impl Otlp {
    /// Starts sending. Whether a collector answers is known only after the first interval; see
    /// [`error`](Self::error). Without the feature `enabled`, nothing is started.
    ///
    /// # Errors
    ///
    /// Returns an error if the endpoint is not the address of a collector, if the bounds of a
    /// histogram are not valid, or if the system refuses a thread.
    pub fn start(options: &OtlpOptions) -> Result<Self, OtlpError> {
        let _memory = own_memory("stats-otlp");
        let collector = Collector::new(&options.endpoint)?;
        bounds::check(&options.bounds).map_err(OtlpError::Bounds)?;
        let mut otlp = Self {
            times: FrameTimes::default(),
            error: Arc::default(),
            thread: None,
        };
        if stats_core::ENABLED {
            let export = Export {
                collector,
                resource: resource(options),
                // Created before the totals, so that the totals count only later values.
                times: Times::new(),
                frames: otlp.times.totals(),
                series: Series::new(&options.bounds),
                error: Arc::clone(&otlp.error),
            };
            let interval = options.interval.clamp(MIN_INTERVAL, MAX_INTERVAL);
            otlp.thread = Some(OwnProcess::new(export.start(interval)?));
        }
        Ok(otlp)
    }

    /// Adds the frames of `source` that ended since the last call: once in each frame, with the
    /// source whose frame times are to be exported.
    pub fn end_frame(&mut self, source: &impl Source) {
        let _memory = own_memory("stats-otlp");
        self.times.add_new(source);
    }

    /// Returns why the newest export failed, and what to do; `None` if the collector took it. The
    /// counter `otlp/failed-exports` counts those that failed.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        lock(&self.error).clone()
    }
}

impl fmt::Debug for Otlp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Otlp")
            .field("error", &self.error())
            .finish_non_exhaustive()
    }
}

impl Drop for Otlp {
    fn drop(&mut self) {
        // In a child of `fork`: the parent exports.
        if let Some(Running { stop, ended }) = self.thread.take().and_then(OwnProcess::take) {
            drop(stop);
            // A collector that does not answer is left to the thread.
            let _ = ended.recv_timeout(END);
        }
    }
}

/// The state of the export thread.
struct Export {
    collector: Collector,
    resource: Resource,
    times: Times,
    frames: Arc<FrameTotals>,
    series: Series,
    error: Arc<Mutex<Option<String>>>,
}

impl Export {
    fn start(mut self, interval: Duration) -> Result<Running, OtlpError> {
        let (stop, stopped) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let run = move || {
            self.run(interval, &stopped);
            drop(end);
        };
        let thread = thread::Builder::new().name("stats-otlp".to_owned());
        // Detached: the end does not wait for a collector that does not answer.
        thread.spawn(run).map_err(OtlpError::Thread)?;
        Ok(Running { stop, ended })
    }

    /// Exports in each interval, and once at the end.
    fn run(&mut self, interval: Duration, stopped: &Receiver<()>) {
        let _memory = own_memory("stats-otlp");
        let mut next = Instant::now() + interval;
        loop {
            let until = next.saturating_duration_since(Instant::now());
            let is_last = stopped.recv_timeout(until) != Err(RecvTimeoutError::Timeout);
            self.export();
            if is_last {
                return;
            }
            // An export that took longer than the interval delays the next ones.
            next = Instant::now().max(next + interval);
        }
    }

    fn export(&mut self) {
        self.times.begin_export();
        let metrics = self
            .frames
            .metrics()
            .into_iter()
            .chain(self.series.metrics());
        let message = message(metrics, self.resource.clone(), &self.times);
        let result = self.collector.send(&message);
        if result.is_err() {
            FAILED.increment();
        }
        *lock(&self.error) = result.err();
    }
}

/// A text is whole even if its writer panicked.
fn lock(error: &Mutex<Option<String>>) -> std::sync::MutexGuard<'_, Option<String>> {
    error.lock().unwrap_or_else(PoisonError::into_inner)
}
