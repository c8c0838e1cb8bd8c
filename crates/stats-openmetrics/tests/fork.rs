//! A process forks while it serves metrics. In a process of its own, with few threads.
#![cfg(all(unix, feature = "enabled"))]

use std::net::{Ipv4Addr, SocketAddr, TcpStream};

use stats_openmetrics::OpenMetrics;
use stats_testing::in_child;

#[test]
fn a_child_of_a_fork_leaves_the_server_to_its_parent() {
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
