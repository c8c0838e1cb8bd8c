//! Passes what the game sent on to the viewers that it is for.

use tungstenite::Bytes;

use super::encoded::Encoded;
use super::intake::{Arrival, Block};
use super::lanes::LaneList;
use super::rounding::Rounding;
use super::viewer::Viewer;
use crate::own_series::SKIPPED;
use crate::wire::to_viewer::{encode_newest, encode_past};

/// Passes what the game sent on to the viewers that it is for.
pub(super) fn pass_on(
    arrival: Arrival,
    viewers: &mut [Viewer],
    rounding: &Rounding,
    lanes: &mut LaneList,
) {
    let mut greeted = viewers.iter_mut().filter(|viewer| viewer.is_greeted);
    match arrival {
        Arrival::Block(block) => send_block(&block, greeted, rounding),
        Arrival::Deferred(past) => {
            let watches = |viewer: &&mut Viewer| viewer.watches.contains(&past.series);
            let of_series = greeted.filter(|viewer| watches(viewer) && viewer.has_room());
            // Exact and rounded.
            let mut messages: [Option<Bytes>; 2] = [None, None];
            for viewer in of_series {
                let message = &mut messages[usize::from(viewer.is_rounded)];
                let encode = || match viewer.is_rounded {
                    true => encode_past(&rounding.past(&past)).into(),
                    false => encode_past(&past).into(),
                };
                let message = message.get_or_insert_with(encode).clone();
                viewer.send(message);
            }
        }
        Arrival::Past(number, past) => {
            if let Some(viewer) = greeted.find(|viewer| viewer.number == number) {
                if past.is_done {
                    viewer.answered();
                }
                viewer.send(match viewer.is_rounded {
                    true => encode_past(&rounding.past(&past)),
                    false => encode_past(&past),
                });
            }
        }
        Arrival::Lane(lane) => lanes.add(lane),
        Arrival::Scopes(number, frame) => {
            if let Some(viewer) = greeted.find(|viewer| viewer.number == number) {
                lanes.send(viewer, &frame);
            }
        }
        Arrival::Newest(values) => {
            for viewer in greeted.filter(|viewer| viewer.has_room()) {
                let on_screen = values.iter().filter(|(id, _)| viewer.rows.contains(id));
                let on_screen = on_screen.map(|&(id, value)| match viewer.is_rounded {
                    true => (id, rounding.value(id, value)),
                    false => (id, value),
                });
                let on_screen: Vec<_> = on_screen.collect();
                if !on_screen.is_empty() {
                    viewer.send(encode_newest(&on_screen));
                }
            }
        }
    }
}

fn send_block<'a>(
    block: &Block,
    viewers: impl Iterator<Item = &'a mut Viewer>,
    rounding: &Rounding,
) {
    // Exact and rounded.
    let mut encoded: [Option<Encoded>; 2] = [None, None];
    for viewer in viewers {
        if !viewer.has_room_for_block() {
            SKIPPED.add(block.starts_secs.len());
            continue;
        }
        viewer.block += 1;
        let encoded = &mut encoded[usize::from(viewer.is_rounded)];
        let rounding = Some(rounding).filter(|_| viewer.is_rounded);
        let encoded = encoded.get_or_insert_with(|| Encoded::new(block, rounding));
        let message = encoded.message(viewer.block, |id| viewer.watches.contains(id));
        viewer.send(message);
    }
}
