//! A process forks while viewers may connect. In a process of its own, with few threads.
#![cfg(all(unix, feature = "enabled"))]

use std::net::TcpStream;

use stats_core::Recorder;
use stats_remote::{Remote, RemoteOptions};
use stats_testing::in_child;

#[test]
fn a_child_of_a_fork_leaves_the_viewers_to_its_parent() {
    let mut options = RemoteOptions::default();
    options.port = 0;
    let mut remote = Some(Remote::start(options).expect("a port is free"));
    let address = remote.as_ref().map(|remote| remote.address().authority());
    assert!(in_child(|| {
        let mut recorder = Recorder::new();
        if let Some(mut remote) = remote.take() {
            recorder.end_frame();
            remote.publish(&mut recorder);
        }
        true
    }));
    assert!(
        TcpStream::connect(address.expect("it has one")).is_ok(),
        "it still listens"
    );
}
