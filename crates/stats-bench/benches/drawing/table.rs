//! A table, compared with the one of egui_extras.

use egui::{Pos2, Rect, ScrollArea, vec2};
use egui_extras::{Column, TableBuilder};
use stats_bench::{Bar, Contest, Table};
use stats_overlay::{Mode, PaneView};

use crate::clock::cpu_time;
use crate::host::{FRAMES, Host, Screen, value};

const SERIES: usize = 64;
const ROWS: usize = 4096;

pub(crate) fn measure(table: &mut Table) {
    let mut ours = Host::new(Mode::Full, SERIES, ROWS);
    ours.overlay.set_view(PaneView::Table);
    (0..30).for_each(|_| ours.draw());
    let mut screen = Screen::default();
    let outcome = Contest::timed_by(cpu_time)
        .with(FRAMES, || ours.live_round())
        .with(FRAMES, || (0..FRAMES).for_each(|_| peer(&mut screen)))
        .run();
    let ns = [outcome.ns(0), outcome.ns(1)];
    let what = "table of 64 × 4096 values: whole overlay, with a new frame each time / egui_extras TableBuilder";
    table.row(what, &ns, outcome.ratio(0, 1), "×", Bar::AtMost(0.1));
}

/// Draws a table of the same size with rows of the same height. It formats only the visible rows,
/// as the examples of egui_extras do.
fn peer(screen: &mut Screen) {
    screen.frame(Vec::new(), |ui| {
        let rect = Rect::from_min_size(Pos2::new(540.0, 90.0), vec2(1340.0, 950.0));
        let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(rect));
        ScrollArea::horizontal().show(&mut ui, |ui| {
            let table = TableBuilder::new(ui)
                .striped(true)
                .columns(Column::exact(84.0), SERIES + 1);
            let table = table.header(20.0, |mut row| {
                (0..=SERIES).for_each(|number| {
                    drop(row.col(|ui| drop(ui.strong(format!("counter-{number}")))))
                });
            });
            table.body(|body| {
                body.rows(20.0, ROWS, |mut row| {
                    let frame = row.index() as u64;
                    row.col(|ui| drop(ui.label(frame.to_string())));
                    (0..SERIES).for_each(|number| {
                        drop(row.col(|ui| drop(ui.label(format!("{:.0}", value(number, frame))))))
                    });
                });
            });
        });
    });
}
