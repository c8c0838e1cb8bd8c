//! What viewers elsewhere cost a game, and how late they see it.

mod publish;
mod viewers;

use std::ops::ControlFlow;

use stats_core::source::Listed;
use stats_core::{GaugeHandle, Recorder, Source, Watch, gauge};
use stats_remote::{Remote, RemoteOptions, RemoteSource};

/// The series of the bench with several viewers, and of that with one.
const SERIES: usize = 300;

fn main() {
    publish::run();
    viewers::run();
}

/// Starts a game with as many series.
fn game(series: usize) -> (Vec<GaugeHandle>, Remote, Recorder) {
    let gauges = (0..series).map(|n| gauge(&format!("remote-{series}/{n}")));
    let gauges = gauges.collect();
    let mut options = RemoteOptions::default();
    options.port = 0;
    let remote = Remote::start(options).expect("a port is free");
    (gauges, remote, Recorder::new())
}

/// Watches all series of a game, once they are listed.
fn watch_listed(viewer: &mut RemoteSource, series: usize, watches: &mut Vec<Watch>) {
    if !watches.is_empty() {
        return;
    }
    let (folder, mut ids) = (format!("remote-{series}/"), Vec::new());
    viewer.list(Listed::All, &mut |info| {
        if info.path.starts_with(&folder) {
            ids.push(info.id);
        }
        ControlFlow::Continue(())
    });
    if ids.len() == series {
        *watches = ids.into_iter().map(|id| viewer.watch(id)).collect();
    }
}

/// Returns the word for a bar.
fn is_kept(is: bool) -> &'static str {
    if is { "yes" } else { "**no**" }
}

/// Returns the median and the 99th percentile.
fn percentiles(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    [0.5, 0.99].map(|part| values[(part * (values.len() - 1) as f64) as usize])
}
