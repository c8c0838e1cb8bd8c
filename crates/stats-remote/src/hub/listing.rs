//! Lists the series for a viewer: first all of them, in parts, and then those that changed.

use std::ops::ControlFlow;

use stats_core::source::Listed;
use stats_core::{Recorder, Source};

use super::viewer::Viewer;
use crate::wire::to_viewer::ListWriter;

/// The series that are listed at a look.
const LISTED: u32 = 2048;

/// Sends a part of the listing, or what changed in it.
pub(super) fn list(listing: &Recorder, viewer: &mut Viewer) {
    if !viewer.has_room() {
        return;
    }
    let generation = listing.generation();
    let Some(next) = viewer.next_listed else {
        if generation != viewer.generation {
            list_changes(listing, viewer);
            viewer.generation = generation;
        }
        return;
    };
    if next == 0 {
        viewer.generation = generation;
    }
    let mut list = ListWriter::new();
    let (part, mut end) = (
        next..next.saturating_add(LISTED),
        next.saturating_add(LISTED),
    );
    let used = listing.list(Listed::Numbers(part), &mut |info| {
        list.push(&info);
        if list.is_full() {
            end = info.id.number() + 1;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let is_complete = used.is_none_or(|used| end >= used);
    viewer.next_listed = (!is_complete).then_some(end);
    viewer.send(list.encode(is_complete));
}

fn list_changes(listing: &Recorder, viewer: &mut Viewer) {
    let mut list = ListWriter::new();
    let changes = Listed::ChangedSince(viewer.generation);
    listing.list(changes, &mut |info| {
        list.push(&info);
        if list.is_full() {
            let full = std::mem::replace(&mut list, ListWriter::new());
            viewer.send(full.encode(false));
        }
        ControlFlow::Continue(())
    });
    viewer.send(list.encode(true));
}
