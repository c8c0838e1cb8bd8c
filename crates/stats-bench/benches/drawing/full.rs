//! The whole overlay as the demo game shows it: two panes of eight counters each, the strip, and a
//! tree of about three hundred counters.

use stats_bench::{Bar, Contest, Table};
use stats_core::counter;
use stats_overlay::{Mode, SavedPane};

use crate::clock::cpu_time;
use crate::host::{FRAMES, Host, allocations, path};
use crate::peer::Peer;

pub(crate) fn measure(table: &mut Table) {
    for number in 0..300_usize {
        let _ = counter(&format!(
            "{}/part-{}/count-{number}",
            ["ai", "audio", "net"][number % 3],
            number % 20
        ));
    }
    let mut host = with_panes(false);
    contest(table, "two panes of 8 counters, tree, strip", &mut host);
    allocations(table, "the whole overlay", &mut host, 200.0);
    drop(host);
    let what = "the same, with one of the panes stacked";
    contest(table, what, &mut with_panes(true));
}

fn contest(table: &mut Table, what: &str, host: &mut Host) {
    let mut plot = Peer::new(4096);
    let outcome = Contest::timed_by(cpu_time)
        .with(FRAMES, || host.live_round())
        .with(FRAMES, || plot.live_round())
        .run();
    table.row(
        &format!("whole overlay: {what} / egui_plot, 8 × 4096 points"),
        &[outcome.ns(0), outcome.ns(1)],
        outcome.ratio(0, 1),
        "×",
        Bar::AtMost(0.35),
    );
}

/// Creates a full overlay with two panes.
fn with_panes(is_stacked: bool) -> Host {
    let mut host = Host::new(Mode::Full, 16, 4096);
    let paths: Vec<String> = (0..16).map(path).collect();
    let pane = |from: usize| SavedPane::new(paths[from..from + 8].iter().map(String::as_str));
    let mut second = pane(8);
    second.graph.stacked = is_stacked;
    host.overlay.show_panes(&[pane(0), second]);
    (0..120).for_each(|_| host.draw());
    host
}
