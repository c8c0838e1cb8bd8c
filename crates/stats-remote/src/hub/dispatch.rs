//! Passes what the game sent on to the viewers that it is for.

use super::intake::{Arrival, Block};
use super::viewer::Viewer;
use crate::own_series::SKIPPED;
use crate::wire::to_viewer::{encode_newest, encode_past, encode_values};

/// Passes what the game sent on to the viewers that it is for.
pub(super) fn pass_on(arrival: Arrival, viewers: &mut [Viewer]) {
    let mut greeted = viewers.iter_mut().filter(|viewer| viewer.is_greeted);
    match arrival {
        Arrival::Block(block) => greeted.for_each(|viewer| send_block(&block, viewer)),
        Arrival::Deferred(past) => {
            let message = tungstenite::Bytes::from(encode_past(&past));
            let watches = |viewer: &&mut Viewer| viewer.watches.contains(&past.series);
            let of_series = greeted.filter(|viewer| watches(viewer) && viewer.has_room());
            of_series.for_each(|viewer| viewer.send(message.clone()));
        }
        Arrival::Past(number, past) => {
            if let Some(viewer) = greeted.find(|viewer| viewer.number == number) {
                if past.is_done {
                    viewer.answered();
                }
                viewer.send(encode_past(&past));
            }
        }
        Arrival::Newest(values) => {
            for viewer in greeted.filter(|viewer| viewer.has_room()) {
                let is_on_screen = |(id, _): &&(u32, f64)| viewer.rows.contains(id);
                let on_screen: Vec<_> = values.iter().filter(is_on_screen).copied().collect();
                if !on_screen.is_empty() {
                    viewer.send(encode_newest(&on_screen));
                }
            }
        }
    }
}

fn send_block(block: &Block, viewer: &mut Viewer) {
    if !viewer.has_room_for_block() {
        SKIPPED.add(block.frames);
        return;
    }
    viewer.block += 1;
    let ids = viewer.watches.iter();
    let columns = ids.filter_map(|id| Some((*id, block.columns.get(id)?)));
    let clock = [&block.starts_secs, &block.durations_ms];
    let message = encode_values(
        viewer.block,
        block.first_frame,
        block.frames,
        clock,
        columns,
    );
    viewer.send(message);
}
