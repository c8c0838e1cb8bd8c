//! Collectors that refuse an export, or do not answer.

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use stats_core::Recorder;
use stats_openmetrics::{Otlp, OtlpError, OtlpOptions};

use crate::collector::{Collector, Reply};
use crate::{alone, export_to};

/// Waits until the newest export has a result.
fn wait_for<T>(mut result: impl FnMut() -> Option<T>) -> T {
    for _ in 0..3_000 {
        if let Some(result) = result() {
            return result;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("no export in 30 seconds");
}

#[test]
fn a_collector_that_starts_later_gets_everything() {
    let _turn = alone();
    let port = TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr());
    let address = port.expect("a port is free").to_string();
    let otlp = export_to(format!("http://{address}/"));
    stats_core::counter("failures/before").add(3);
    let error = wait_for(|| otlp.error());
    assert!(
        error.contains(&format!("http://{address}/v1/metrics")) && error.contains("Start"),
        "{error}"
    );
    let collector = Collector::start_at(&address, &[]);
    let export = collector.next();
    assert_eq!(export.value("stats.counter", "failures/before"), Some(3.0));
    let failed = export.value("stats.counter", "otlp/failed-exports");
    assert!(failed >= Some(1.0), "{failed:?}");
    wait_for(|| otlp.error().is_none().then_some(()));
}

#[test]
fn an_export_that_is_not_taken_is_an_error_that_says_why() {
    let _turn = alone();
    for (reply, words) in [
        (
            Reply::Status("503 Service Unavailable"),
            "503 Service Unavailable",
        ),
        (Reply::Status("404 Not Found"), "404 Not Found"),
        (Reply::Rejected(1, "too old"), "rejected 1 value: too old"),
        (Reply::Rejected(2, "too old"), "rejected 2 values: too old"),
        (Reply::Strange, "not OTLP"),
    ] {
        let collector = Collector::start(&vec![reply; 1_000]);
        let otlp = export_to(collector.endpoint());
        let error = wait_for(|| otlp.error());
        assert!(error.contains(words), "{error}");
        assert!(error.contains(&collector.endpoint()), "{error}");
    }
}

#[test]
fn values_of_a_refused_export_are_sent_again() {
    let _turn = alone();
    let collector = Collector::start(&[
        Reply::Status("503 Service Unavailable"),
        Reply::Status("500 Internal Server Error"),
        Reply::Status("429 Too Many Requests"),
    ]);
    let otlp = export_to(collector.endpoint());
    for _ in 0..3 {
        stats_core::counter("failures/refused").add(1);
        collector.next();
    }
    stats_core::counter("failures/refused").add(1);
    drop(otlp);
    let export = collector.newest();
    assert_eq!(export.value("stats.counter", "failures/refused"), Some(4.0));
    let failed = export.value("stats.counter", "otlp/failed-exports");
    assert_eq!(failed, Some(3.0));
}

#[test]
fn a_collector_that_never_answers_blocks_neither_frames_nor_the_end() {
    let _turn = alone();
    let collector = Collector::start(&[Reply::Never]);
    let mut otlp = export_to(collector.endpoint());
    let mut recorder = Recorder::new();
    let waiting = collector.unanswered.recv().expect("it is asked");
    for _ in 0..1_000 {
        stats_core::counter("failures/slow").add(1);
        recorder.end_frame();
        otlp.end_frame(&recorder);
    }
    drop(otlp);
    // Still the first request: the end waited neither for its timeout nor for the last export.
    collector.next();
    assert!(collector.exports.try_recv().is_err());
    drop(waiting);
    // The thread goes on to the last export.
    let last = collector.next();
    assert_eq!(last.value("stats.counter", "failures/slow"), Some(1_000.0));
}

#[test]
fn endpoints_that_are_not_addresses_are_refused_with_the_cure() {
    for endpoint in [
        "",
        "localhost:4318",
        "http://",
        "http://:4318",
        "http://localhost:port",
        "http://localhost:99999",
        "http://[::1]:4318",
        "http://a@localhost:4318",
        "http://local host",
        "http://localhost/\r\nX: y",
        "http://localhost/?a=b",
        "https://localhost:4318",
    ] {
        let mut options = OtlpOptions::default();
        options.endpoint = endpoint.to_owned();
        let error = Otlp::start(&options).expect_err(endpoint);
        let is_encrypted = matches!(error, OtlpError::Encrypted(_));
        assert_eq!(is_encrypted, endpoint.starts_with("https"));
        let message = error.to_string();
        assert!(message.contains("http://localhost:4318"), "{message}");
    }
}

#[test]
fn an_endpoint_may_be_a_name() {
    let _turn = alone();
    let collector = Collector::start(&[]);
    drop(export_to(format!(
        "http://localhost:{}",
        collector.address.port()
    )));
    collector.next();
}
