//! Looks for periodic stalls among the hitches.

use std::collections::VecDeque;

use super::super::hitch::Hitch;
use super::super::periodic::{Periodic, Search};
use super::Insight;

impl Insight {
    /// Returns the periodic stalls, including those that have [ended](Periodic::has_ended). Frames that
    /// [no player sees](Hitch::is_seen) are none. Takes about 0.2 ms with 16 hitches, 3 ms with 64 and
    /// 25 ms with 256, and up to 80 ms if there are as many long frames between the hitches.
    /// [`look_for_periodic`](Self::look_for_periodic) divides this among frames.
    pub fn periodic(&self) -> Vec<Periodic> {
        self.periodic_search()
            .finish(|frame| hitch_of(&self.hitches, frame))
    }

    /// Does a part of a search for periodic stalls, which takes 0.1 to 0.3 ms. Begins a search if none
    /// goes on. Returns the stalls if this was the last part, otherwise `None`.
    ///
    /// The stalls are those that [`periodic`](Self::periodic) would have returned when the search began.
    /// Call it after a hitch, once in each frame until it returns them. This takes one or two frames with
    /// 16 hitches, about 50 with 256, and up to 350 if there are as many long frames between the
    /// hitches.
    pub fn look_for_periodic(&mut self) -> Option<Vec<Periodic>> {
        let search = self.search.take();
        let mut search = search.unwrap_or_else(|| Box::new(self.periodic_search()));
        let found = search.step(|frame| hitch_of(&self.hitches, frame));
        self.search = Some(search).filter(|_| found.is_none());
        found
    }

    fn periodic_search(&self) -> Search {
        let began = |hitch: &Hitch| {
            let at = self.began.partition_point(|one| one.frame < hitch.frame);
            self.began.get(at).copied()
        };
        let hitches = self.hitches.iter();
        let hitches = hitches.filter_map(|hitch| Some((hitch, began(hitch)?)));
        // Older hitches are forgotten, so the frames before the first kept one do not count.
        let is_full = hitches.clone().count() >= self.max_hitches();
        let first = hitches.clone().next().filter(|_| is_full);
        let frames = first.map_or(self.frames, |(_, first)| {
            self.frames.min(self.newest.frame - first.frame + 1)
        });
        let seen = hitches.filter(|(hitch, _)| hitch.is_seen());
        Search::new(seen, &self.long, self.newest, frames)
    }
}

/// Returns the hitch of a frame among hitches in the order of their frames.
fn hitch_of(hitches: &VecDeque<Hitch>, frame: u64) -> Option<&Hitch> {
    let at = hitches.binary_search_by_key(&frame, |hitch| hitch.frame);
    hitches.get(at.ok()?)
}
