//! A process forks while it serves metrics. In a process of its own, with few threads.
#![cfg(all(unix, feature = "enabled"))]

use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Mutex, PoisonError};

use stats_openmetrics::OpenMetrics;
use stats_testing::in_child;

/// Held by each test, so that no thread of another one holds a lock when a process is forked.
static FORKING: Mutex<()> = Mutex::new(());

#[test]
fn a_child_of_a_fork_leaves_the_server_to_its_parent() {
    let _one_at_a_time = FORKING.lock().unwrap_or_else(PoisonError::into_inner);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = OpenMetrics::serve(address).expect("a port is free");
    let address = server.address();
    let mut server = Some(server);
    assert!(in_child(|| {
        drop(server.take());
        true
    }));
    assert!(TcpStream::connect(address).is_ok(), "it still listens");
    drop(server);
}

#[cfg(feature = "otlp")]
#[test]
fn a_child_of_a_fork_leaves_the_export_to_its_parent() {
    let _one_at_a_time = FORKING.lock().unwrap_or_else(PoisonError::into_inner);
    let options = stats_openmetrics::OtlpOptions::default();
    let mut otlp = Some(stats_openmetrics::Otlp::start(&options).expect("a thread starts"));
    assert!(in_child(|| {
        let begun = std::time::Instant::now();
        drop(otlp.take());
        // As long as the end of an export waits for its thread, which the child does not have.
        begun.elapsed() < std::time::Duration::from_secs(2)
    }));
    drop(otlp);
}
