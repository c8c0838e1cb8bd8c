//! The distribution view.

use stats_bench::{Bar, Contest, Table};
use stats_overlay::{Mode, PaneView, SavedPane};

use crate::clock::cpu_time;
use crate::host::{FRAMES, Host, path};

const SERIES: usize = 8;
const POINTS: usize = 4096;

pub(crate) fn measure(table: &mut Table) {
    let mut host = Host::new(Mode::Full, SERIES, POINTS);
    let paths: Vec<String> = (0..SERIES).map(path).collect();
    let mut pane = SavedPane::new(paths.iter().map(String::as_str));
    pane.view = PaneView::Distribution;
    host.overlay.show_panes(&[pane]);
    host.zoom_out();
    let outcome = Contest::timed_by(cpu_time)
        .with(FRAMES, || host.live_round())
        .run();
    let ns = [outcome.ns(0)];
    table.row(
        "distributions of 8 × 4096 values, with a new frame each time: whole overlay",
        &ns,
        ns[0] / 1e6,
        "ms",
        Bar::AtMost(1.0),
    );
}
