//! The texts of events are marks of the frames in which they were written. Every recorder of a
//! process has them, so this test has a process of its own.
#![cfg(feature = "enabled")]

use stats_core::{LogLine, Recorder};
use stats_tracing::StatsLayer;
use tracing::{debug, error, info, trace, warn};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// Returns the lines that `work` leaves in one frame, as text.
fn lines(filter: Targets, work: impl FnOnce()) -> Vec<String> {
    let layer = StatsLayer::new().keep_log(filter);
    let subscriber = tracing_subscriber::registry().with(layer);
    let mut recorder = Recorder::new();
    tracing::subscriber::with_default(subscriber, work);
    recorder.end_frame();
    let lines = recorder.marks().iter();
    let lines = lines.map(|mark| LogLine::of_mark(&mark.name).expect("a line").to_string());
    lines.collect()
}

/// One test: the lines of a process have no owner.
#[test]
fn the_texts_of_events_are_lines_of_their_frame() {
    // Levels and targets, with the most specific target first.
    let filter = "warn,game::net=debug,noisy=off".parse().unwrap();
    let found = lines(filter, || {
        error!(target: "game", "e");
        warn!(target: "game", "w");
        info!(target: "game", "left out");
        debug!(target: "game::net::http", "d");
        trace!(target: "game::net::http", "left out");
        error!(target: "noisy", "left out");
    });
    assert_eq!(
        found,
        ["error game: e", "warn game: w", "debug game::net::http: d"]
    );

    // The message comes first, and fields of every type follow.
    let all = || Targets::new().with_default(tracing::Level::TRACE);
    let found = lines(all(), || {
        info!(target: "t", attempt = 3, name = "ada", at = ?Some(1), "retrying\n{}", "now");
        info!(target: "t", attempt = 3);
        info!(target: "t", text = %"shown");
    });
    assert_eq!(
        found,
        [
            "info t: retrying now attempt=3 name=ada at=Some(1)",
            "info t: attempt=3",
            "info t: text=shown"
        ]
    );

    // Records of the crate `log`, as tracing-log writes them.
    let filter = "off,hyper=warn".parse().unwrap();
    let found = lines(filter, || {
        warn!(target: "log", { log.target = "hyper::client", log.line = 7 }, "refused");
        info!(target: "log", { log.target = "hyper::client", log.line = 7 }, "left out");
        warn!(target: "log", { log.target = "other" }, "left out");
    });
    assert_eq!(found, ["warn hyper::client: refused"]);
    let found = lines(all(), || info!(target: "t", { log.size = 3 }, "written"));
    assert_eq!(found, ["info t: written log.size=3"]);

    // A text that fails.
    struct Odd;
    impl std::fmt::Display for Odd {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("some")?;
            Err(std::fmt::Error)
        }
    }
    let found = lines(all(), || warn!(target: "outer", "{}", Odd));
    assert_eq!(found, ["warn outer: some"]);

    // Without a filter, nothing is kept.
    let mut recorder = Recorder::new();
    let subscriber = tracing_subscriber::registry().with(StatsLayer::new());
    tracing::subscriber::with_default(subscriber, || error!("counted only"));
    recorder.end_frame();
    assert_eq!(recorder.marks(), []);
}
