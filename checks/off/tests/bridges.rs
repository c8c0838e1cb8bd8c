//! Without the feature, the calls that a game makes once register, start, open and write nothing.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use stats_capi::functions::{stats_add, stats_counter, stats_end_frame};
use stats_capi::{StatsStatus, take_marks};
use stats_capture::{Capture, CaptureOptions};
use stats_config::Config;
use stats_core::{FrameTime, Recorder, frame_budget_ms};
use stats_metrics::StatsRecorder;
use stats_openmetrics::{OpenMetrics, Otlp, OtlpOptions};
use stats_puffin::PuffinSource;
use stats_remote::{Remote, RemoteOptions};
use stats_tracing::StatsLayer;
use tracing_subscriber::prelude::*;

/// A single test, because threads, files and ports belong to the whole process.
#[test]
fn no_crate_registers_a_series_or_starts_a_thread() {
    let mut recorder = Recorder::new();
    // Kept until the end, so that any threads they started are still running.
    let _exports = (openmetrics(&recorder), otlp(&recorder));
    let _remote = remote(&mut recorder);
    let _puffin = PuffinSource::install();
    capture();
    assert!(!stats_process::start());
    assert!(!stats_process::follow_frames() && !stats_process::follow_thread());
    metrics::with_local_recorder(&StatsRecorder::new(), || {
        metrics::counter!("off", "label" => "value").increment(1);
    });
    let subscriber = tracing_subscriber::registry().with(StatsLayer::new());
    tracing::subscriber::with_default(subscriber, || {
        tracing::info_span!("off").in_scope(|| tracing::warn!("off"));
    });
    capi();
    let config = Config::parse("[budgets]\nframe = 16.6\n[series]\nsum = \"a + b\"\n");
    let config = config.expect("it is a configuration");
    config.apply_budgets();
    config.define_series().expect("nothing is added");
    assert_eq!(frame_budget_ms(), None);
    stats_core::for_each_series(|series| panic!("{} is registered", series.path));
    assert_eq!(own_threads(), Vec::<String>::new());
}

fn openmetrics(recorder: &Recorder) -> OpenMetrics {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr());
    let address = free.expect("a port is free");
    let mut metrics = OpenMetrics::serve(address).expect("it is a loopback address");
    metrics.end_frame(recorder);
    assert!(TcpListener::bind(address).is_ok(), "nothing listens");
    metrics
}

fn remote(recorder: &mut Recorder) -> Remote {
    let mut remote = Remote::start(RemoteOptions::default()).expect("nothing can fail");
    remote.publish(recorder);
    let address = (remote.address().host(), remote.address().port());
    assert!(TcpListener::bind(address).is_ok(), "nothing listens");
    assert!(Remote::from_env().expect("nothing is read").is_none());
    remote
}

fn otlp(recorder: &Recorder) -> Otlp {
    let collector = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = collector.local_addr().expect("it has an address");
    let mut options = OtlpOptions::default();
    options.endpoint = format!("http://{address}");
    options.interval = Duration::ZERO;
    let start = || Otlp::start(&options).expect("it is an address");
    let mut otlp = start();
    otlp.end_frame(recorder);
    assert_eq!(otlp.error(), None);
    // Dropping one sends nothing either.
    drop(start());
    let asked = collector
        .set_nonblocking(true)
        .and_then(|()| collector.accept());
    assert!(asked.is_err(), "nothing is sent");
    otlp
}

fn capture() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("off.parquet");
    let _ = fs::remove_file(&file);
    let mut capture = Capture::create(&file, CaptureOptions::default()).expect("it does nothing");
    capture.end_frame_at(FrameTime::from(1.0));
    capture.finish().expect("it does nothing");
    assert!(!file.exists());
}

fn capi() {
    let mut series = 7;
    // SAFETY: both pointers are valid.
    let status = unsafe { stats_counter(c"off".as_ptr(), &raw mut series) };
    assert_eq!((status, series), (StatsStatus::Ok, 7));
    assert_eq!(stats_add(series, 1.0), StatsStatus::Ok);
    assert_eq!(stats_end_frame(), StatsStatus::Ok);
    take_marks(|name, _| panic!("{name} is marked"));
}

/// Returns the names of the threads that crates of this project started, where the system lists
/// them.
fn own_threads() -> Vec<String> {
    let threads = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    threads
        .filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok())
        .filter(|name| name.starts_with("stats-"))
        .collect()
}
