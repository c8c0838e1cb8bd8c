//! A process forks while the source is installed. In a process of its own, with few threads.
#![cfg(all(unix, feature = "enabled"))]

use stats_puffin::PuffinSource;
use stats_testing::in_child;

#[test]
fn a_child_of_a_fork_leaves_the_source_to_its_parent() {
    let mut source = Some(PuffinSource::install());
    assert!(in_child(|| {
        drop(source.take());
        true
    }));
    drop(source);
}
