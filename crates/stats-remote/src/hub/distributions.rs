//! Reads the histograms that a viewer asked for, and sends what they gained. The samples of all threads
//! can be read on any, so the game's thread has no part in it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use stats_core::{Distribution, Recorder, SeriesId, Source};

use super::viewer::Viewer;
use crate::wire::distribution::{Gained, MAX_BUCKETS};
use crate::wire::to_viewer::encode_gained;

/// How often a histogram is read.
const EVERY: Duration = Duration::from_millis(100);

/// The most histograms of a viewer, and the most buckets of all of them: 4 MiB.
const MAX_HISTOGRAMS: usize = 64;
const MAX_BUCKETS_OF_ALL: usize = 1 << 18;

/// What a viewer was sent of the histograms that it asked for.
#[derive(Debug, Default)]
pub(super) struct SentDistributions {
    /// `None` before the first time.
    sent: BTreeMap<u32, Option<Distribution>>,
    read: Option<Instant>,
}

impl SentDistributions {
    /// Takes note of the histograms that a viewer asks for. Too many are forgotten.
    pub(super) fn ask(&mut self, ids: &[u32]) {
        let ids = &ids[..ids.len().min(MAX_HISTOGRAMS)];
        self.sent.retain(|id, _| ids.contains(id));
        for id in ids {
            self.sent.entry(*id).or_default();
        }
    }
}

/// Sends what the histograms of a viewer gained.
pub(super) fn send_distributions(listing: &Recorder, viewer: &mut Viewer, now: Instant) {
    let is_recent = |read: Instant| now.saturating_duration_since(read) < EVERY;
    if viewer.histograms.read.is_some_and(is_recent) || !viewer.has_room() {
        return;
    }
    viewer.histograms.read = Some(now);
    let (mut messages, mut left) = (Vec::new(), MAX_BUCKETS_OF_ALL);
    for (series, sent) in &mut viewer.histograms.sent {
        let Some(read) = listing.distribution(SeriesId::new(*series)) else {
            continue;
        };
        let buckets = read.buckets().count();
        if buckets > MAX_BUCKETS.min(left) {
            continue;
        }
        left -= buckets;
        let gained = Gained::since(*series, sent.as_ref(), &read);
        messages.extend(gained.iter().map(encode_gained));
        *sent = Some(read);
    }
    for message in messages {
        viewer.send(message);
    }
}
