//! Without the feature `enabled` nothing listens.

use std::net::TcpListener;

use stats_openmetrics::OpenMetrics;

#[test]
fn without_the_feature_the_port_stays_free() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr());
    let address = free.expect("a port is free");
    let mut metrics = OpenMetrics::serve(address).expect("it is a loopback address");
    metrics.end_frame(&stats_core::Recorder::new());
    assert!(TcpListener::bind(address).is_ok());
}
