//! A real Prometheus reads the server, and a real VictoriaMetrics receives OTLP. The tests are
//! skipped if these programs are not installed.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use stats_core::{Recorder, Unit};
use stats_openmetrics::OpenMetrics;

use crate::alone;
use crate::http::get;

/// A process that is killed at the end of the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks Prometheus until it has a value.
fn query(prometheus: SocketAddr, expression: &str) -> Option<f64> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        let answer = get(prometheus, &format!("/api/v1/query?query={expression}"));
        let answer: Option<Value> = answer.and_then(|text| serde_json::from_str(&text).ok());
        let value = answer
            .as_ref()
            .and_then(|all| all["data"]["result"][0]["value"][1].as_str());
        if let Some(value) = value {
            return value.parse().ok();
        }
        thread::sleep(Duration::from_millis(200));
    }
    None
}

/// Returns the output of a program. If it is not installed, prints a message and returns `None`.
fn output_of(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).output();
    if output.is_err() {
        eprintln!("skipped: {program} is not installed; on Debian: apt-get install {program}");
    }
    let output = output.ok()?;
    let text = [output.stdout, output.stderr].concat();
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// Returns an empty folder for the files of a program.
fn folder(program: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(program);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a temporary folder can be created");
    folder
}

/// Starts a program that listens on a free port, and returns its address.
fn start(
    program: &str,
    arguments: impl FnOnce(SocketAddr) -> Vec<String>,
) -> (Process, SocketAddr) {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr());
    let address = port.expect("a port is free");
    let process = Command::new(program)
        .args(arguments(address))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(Process)
        .expect("it is installed");
    (process, address)
}

/// Records values of each kind.
fn count() {
    stats_core::counter("prometheus/a \"path\" \\ü").add(42);
    stats_core::gauge("prometheus/level").set(-1.5);
    stats_core::timer("prometheus/timer").record_ms(1_500.0);
    stats_core::begin_run();
    (1..=100).for_each(|n| stats_core::histogram("prometheus/samples").record(n));
}

/// The counted values, under the names that Prometheus gives them, from the page as well as from
/// OTLP.
const COUNTED: [(&str, f64); 8] = [
    (
        "stats_counter_total{unit=\"\",path=~\"prometheus/a.*\"}",
        42.0,
    ),
    ("stats_level{path=\"prometheus/level\"}", -1.5),
    ("stats_timer_seconds_total{path=\"prometheus/timer\"}", 1.5),
    ("stats_timer_calls_total{path=\"prometheus/timer\"}", 1.0),
    (
        "stats_samples_bucket{path=\"prometheus/samples\",le=~\"50([.]0)?\"}",
        50.0,
    ),
    ("stats_samples_count{path=\"prometheus/samples\"}", 100.0),
    ("stats_samples_sum{path=\"prometheus/samples\"}", 5_050.0),
    ("stats_frames_over_60_ms_total", 0.0),
];

/// Returns an expression as the value of a parameter.
fn escaped(expression: &str) -> String {
    let bytes = expression.bytes();
    bytes.map(|byte| format!("%{byte:02X}")).collect()
}

/// Asks Prometheus for the counted values.
fn check(prometheus: SocketAddr, expected: &[(&str, f64)]) {
    for (expression, expected) in expected {
        let value = query(prometheus, &escaped(expression));
        let targets = get(prometheus, "/api/v1/targets");
        assert_eq!(value, Some(*expected), "{expression}; targets: {targets:?}");
    }
    let quantile = "histogram_quantile(0.5,stats_samples_bucket{path=%22prometheus/samples%22})";
    let median = query(prometheus, quantile);
    assert!(
        median.is_some_and(|median| (45.0..=55.0).contains(&median)),
        "{median:?}"
    );
}

/// Starts a Prometheus that reads the metrics twice a second.
fn start_prometheus(metrics: &OpenMetrics) -> (Process, SocketAddr) {
    let config = format!(
        "scrape_configs:\n- job_name: game\n  scrape_interval: 500ms\n  scrape_timeout: 500ms\n  static_configs:\n  - targets: ['{}']\n",
        metrics.address()
    );
    let folder = folder("prometheus");
    let file = folder.join("prometheus.yml");
    fs::write(&file, config).expect("it can be written");
    start("prometheus", |address| {
        vec![
            format!("--config.file={}", file.display()),
            format!("--storage.tsdb.path={}", folder.join("data").display()),
            format!("--web.listen-address={address}"),
        ]
    })
}

/// Waits until Prometheus has read this number of samples of a histogram.
fn wait_for_count(prometheus: SocketAddr, path: &str, count: u64) {
    let expression = format!("stats_samples_count{{path=\"{path}\"}}");
    let begun = Instant::now();
    while query(prometheus, &escaped(&expression)) != Some(count as f64) {
        let waited = begun.elapsed();
        assert!(waited < Duration::from_secs(30), "{path} has {count}");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_real_prometheus_computes_the_share_of_slow_samples() {
    const PATH: &str = "prometheus/latency";
    if output_of("prometheus", "--version").is_none() {
        return;
    }
    let _turn = alone();
    let address = "127.0.0.1:0".parse().expect("it is an address");
    let metrics = OpenMetrics::serve(address).expect("a port is free");
    let latency = stats_core::histogram(PATH).unit(Unit::Milliseconds);
    let fast = |count: u32| (0..count).for_each(|n| latency.record(4.0 + f64::from(n % 13)));
    // In the first reading, so in no increase. Without them, Prometheus would extrapolate each
    // bucket differently.
    const FIRST: u32 = 3_700;
    fast(FIRST);
    let (_process, prometheus) = start_prometheus(&metrics);
    wait_for_count(prometheus, PATH, u64::from(FIRST));
    let (mut count, mut slow) = (0, 0);
    for step in 0..10 {
        fast(370);
        // The first slow samples come late, and some are slower than all before.
        let slow_ms: &[f64] = match step {
            0..=3 => &[],
            4 => &[130.0, 90.0],
            7 => &[460.0, 110.0],
            _ => &[31.0],
        };
        slow_ms.iter().for_each(|ms| latency.record(*ms));
        if step == 6 {
            // The totals go on over the runs of a server.
            stats_core::begin_run();
        }
        count += 370 + slow_ms.len() as u64;
        slow += slow_ms.iter().filter(|ms| **ms > 100.0).count() as u64;
        wait_for_count(prometheus, PATH, u64::from(FIRST) + count);
    }
    let increase = |name: &str| format!("increase({name}[10m])");
    let below = increase(&format!(
        "stats_samples_bucket{{path=\"{PATH}\",le=\"100.0\"}}"
    ));
    let all = increase(&format!("stats_samples_count{{path=\"{PATH}\"}}"));
    let share = format!("1 - sum({below}) / sum({all})");
    let share = query(prometheus, &escaped(&share)).expect("it has values");
    let expected = slow as f64 / count as f64;
    assert!((share - expected).abs() < 1e-9, "{share}, not {expected}");
}

#[test]
fn a_real_prometheus_reads_every_kind() {
    if output_of("prometheus", "--version").is_none() {
        return;
    }
    let _turn = alone();
    let address = "127.0.0.1:0".parse().expect("it is an address");
    let mut metrics = OpenMetrics::serve(address).expect("a port is free");
    count();
    let mut recorder = Recorder::new();
    for frame in 1..=100 {
        recorder.end_frame_at(f64::from(frame) * 0.016);
        metrics.end_frame(&recorder);
    }
    let (_process, prometheus) = start_prometheus(&metrics);
    check(prometheus, &COUNTED);
    check(
        prometheus,
        &[("up", 1.0), ("stats_frame_seconds_count", 100.0)],
    );
}

/// VictoriaMetrics receives OTLP, gives metrics the same names as Prometheus, and answers the same
/// queries.
#[cfg(feature = "otlp")]
#[test]
fn a_real_victoria_metrics_receives_otlp_with_the_same_names() {
    use stats_openmetrics::{Otlp, OtlpOptions};

    const NAMES: &str = "-opentelemetry.usePrometheusNaming";
    let Some(help) = output_of("victoria-metrics", "-help") else {
        return;
    };
    if !help.contains(NAMES) {
        eprintln!("skipped: this victoria-metrics is too old for OTLP");
        return;
    }
    let _turn = alone();
    let folder = folder("victoria-metrics");
    let (_process, database) = start("victoria-metrics", |address| {
        vec![
            NAMES.to_owned(),
            format!("-httpListenAddr={address}"),
            format!("-storageDataPath={}", folder.display()),
            "-search.latencyOffset=1ms".to_owned(),
            "-search.disableCache".to_owned(),
        ]
    });
    let mut options = OtlpOptions::default();
    options.endpoint = format!("http://{database}/opentelemetry");
    options.interval = Duration::from_millis(500);
    options.service_name = "a game".to_owned();
    let mut otlp = Otlp::start(&options).expect("the endpoint is an address");
    count();
    let mut recorder = Recorder::new();
    for frame in 1..=100 {
        recorder.end_frame_at(f64::from(frame) * 0.016);
        otlp.end_frame(&recorder);
    }
    check(database, &COUNTED);
    check(
        database,
        &[("stats_frame_seconds_count{service_name=\"a game\"}", 100.0)],
    );
    assert_eq!(otlp.error(), None);
}
