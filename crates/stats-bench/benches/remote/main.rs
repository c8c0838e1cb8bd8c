//! What viewers elsewhere cost a game, and how late they see it.

mod publish;
mod viewers;

use std::ops::ControlFlow;

use stats_core::source::Listed;
use stats_core::{GaugeHandle, Recorder, Source, Watch, gauge};
use stats_remote::{Remote, RemoteOptions, RemoteSource};

/// The series that are watched.
const SERIES: usize = 300;

fn main() {
    publish::run();
    viewers::run();
}

/// Starts a game with the series of the bench.
fn game() -> (Vec<GaugeHandle>, Remote, Recorder) {
    let gauges = (0..SERIES).map(|n| gauge(&format!("remote/{n}"))).collect();
    let mut options = RemoteOptions::default();
    options.port = 0;
    let remote = Remote::start(options).expect("a port is free");
    (gauges, remote, Recorder::new())
}

/// Watches all series of the bench, once they are listed.
fn watch_listed(viewer: &mut RemoteSource, watches: &mut Vec<Watch>) {
    if !watches.is_empty() {
        return;
    }
    let mut ids = Vec::new();
    viewer.list(Listed::All, &mut |info| {
        if info.path.starts_with("remote/") {
            ids.push(info.id);
        }
        ControlFlow::Continue(())
    });
    if ids.len() == SERIES {
        *watches = ids.into_iter().map(|id| viewer.watch(id)).collect();
    }
}

/// Prints the median and the 99th percentile.
fn print(label: &str, unit: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| values[(part * (values.len() - 1) as f64) as usize];
    println!(
        "| {label} | {:.0} {unit} | {:.0} {unit} |",
        at(0.5),
        at(0.99)
    );
}
