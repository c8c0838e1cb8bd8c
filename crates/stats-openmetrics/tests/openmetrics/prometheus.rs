//! A real Prometheus reads the server. Skipped if it is not installed.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use stats_core::Recorder;
use stats_openmetrics::OpenMetrics;

use crate::alone;
use crate::http::get;

/// A process that is ended with the test.
struct Ended(Child);

impl Drop for Ended {
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

#[test]
fn a_real_prometheus_reads_every_kind() {
    if Command::new("prometheus")
        .arg("--version")
        .output()
        .is_err()
    {
        eprintln!("skipped: Prometheus is not installed; on Debian: apt-get install prometheus");
        return;
    }
    let _turn = alone();
    let address = "127.0.0.1:0".parse().expect("it is an address");
    let mut metrics = OpenMetrics::serve(address).expect("a port is free");
    stats_core::counter("prometheus/a \"path\" \\ü").add(42);
    stats_core::gauge("prometheus/level").set(-1.5);
    stats_core::timer("prometheus/timer").record_ms(1_500.0);
    (1..=100).for_each(|n| stats_core::histogram("prometheus/samples").record(n));
    let mut recorder = Recorder::new();
    for frame in 1..=100 {
        recorder.end_frame_at(f64::from(frame) * 0.016);
        metrics.end_frame(&recorder);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prometheus");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a temporary folder can be created");
    let config = folder.join("prometheus.yml");
    let text = format!(
        "scrape_configs:\n- job_name: game\n  scrape_interval: 500ms\n  scrape_timeout: 500ms\n  static_configs:\n  - targets: ['{}']\n",
        metrics.address()
    );
    fs::write(&config, text).expect("it can be written");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr());
    let prometheus = port.expect("a port is free");
    let _process = Command::new("prometheus")
        .arg(format!("--config.file={}", config.display()))
        .arg(format!(
            "--storage.tsdb.path={}",
            folder.join("data").display()
        ))
        .arg(format!("--web.listen-address={prometheus}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(Ended)
        .expect("it is installed");
    let answers = [
        (
            "stats_counter_total{unit=\"\",path=~\"prometheus/a.*\"}",
            42.0,
        ),
        ("stats_level{path=\"prometheus/level\"}", -1.5),
        ("stats_timer_seconds_total{path=\"prometheus/timer\"}", 1.5),
        ("stats_timer_calls_total{path=\"prometheus/timer\"}", 1.0),
        (
            "stats_samples_bucket{path=\"prometheus/samples\",le=\"50.0\"}",
            49.0,
        ),
        ("stats_samples_count{path=\"prometheus/samples\"}", 100.0),
        ("stats_samples_sum{path=\"prometheus/samples\"}", 5_050.0),
        ("stats_frame_hitches_total", 0.0),
        ("up", 1.0),
    ];
    for (expression, expected) in answers {
        let escaped = expression
            .replace('"', "%22")
            .replace(' ', "%20")
            .replace('+', "%2B");
        let value = query(prometheus, &escaped);
        let targets = get(prometheus, "/api/v1/targets");
        assert_eq!(value, Some(expected), "{expression}; targets: {targets:?}");
    }
    let quantile = "histogram_quantile(0.5,stats_samples_bucket{path=%22prometheus/samples%22})";
    let median = query(prometheus, quantile);
    assert!(
        median.is_some_and(|median| (45.0..=55.0).contains(&median)),
        "{median:?}"
    );
}
