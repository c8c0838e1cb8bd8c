//! The ticked series: what they are, their watches, colours and short names.

use stats_core::{Kind, SeriesId, Source, Unit, Watch};

use crate::color;
use crate::listing::Listing;
use crate::names::short_names;

/// The path under which the frame time is ticked: a row of its own at the top of the tree, in milliseconds.
///
/// It stands for the source's own clock. A counter registered under the same path cannot be told from it; name yours
/// with a folder.
pub const FRAME_TIME: &str = "frame time";

/// How many series can be ticked at a time.
///
/// Each ticked series has a history (32 KiB with the recorder's 4,096 frames); ticking a folder of thousands by mistake
/// must not eat the game's memory.
pub const MAX_TICKED: usize = 256;

/// What is known of a ticked series once it exists.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Known {
    pub(crate) id: SeriesId,
    pub(crate) kind: Kind,
    pub(crate) unit: Unit,
    pub(crate) budget: Option<f64>,
}

/// One ticked series, in the order of ticking.
#[derive(Debug)]
pub(crate) struct Ticked {
    pub(crate) path: String,
    /// The shortest name that tells it from the other ticked ones.
    pub(crate) name: String,
    /// Its place in the palette.
    pub(crate) slot: usize,
    /// `None` while no series of this path exists.
    pub(crate) known: Option<Known>,
    pub(crate) watch: Option<Watch>,
}

impl Ticked {
    pub(crate) fn is_frame_time(&self) -> bool {
        self.path == FRAME_TIME
    }

    pub(crate) fn is_missing(&self) -> bool {
        !self.is_frame_time() && self.known.is_none()
    }

    pub(crate) fn unit(&self) -> Unit {
        match &self.known {
            _ if self.is_frame_time() => Unit::Milliseconds,
            Some(known) => known.unit,
            None => Unit::Count,
        }
    }

    pub(crate) fn budget(&self) -> Option<f64> {
        self.known.as_ref().and_then(|known| known.budget).filter(|budget| budget.is_finite())
    }
}

/// All ticked series.
#[derive(Debug)]
pub(crate) struct Selection {
    ticked: Vec<Ticked>,
    /// The generation of the listing that the missing ones were last looked for in.
    resolved_in: Option<u64>,
    /// Goes up with every change, so that what is derived is made anew only then.
    revision: u64,
}

impl Selection {
    /// The frame time alone.
    pub(crate) fn new() -> Self {
        let mut selection = Self { ticked: Vec::new(), resolved_in: None, revision: 0 };
        selection.set(FRAME_TIME, true);
        selection
    }

    pub(crate) fn ticked(&self) -> &[Ticked] {
        &self.ticked
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    pub(crate) fn contains(&self, path: &str) -> bool {
        self.ticked.iter().any(|ticked| ticked.path == path)
    }

    /// The watch on a series that is ticked.
    pub(crate) fn watch_of(&self, id: SeriesId) -> Option<Watch> {
        let ticked = self.ticked.iter().find(|ticked| ticked.known.as_ref().is_some_and(|known| known.id == id))?;
        ticked.watch.clone()
    }

    /// Ticks or unticks a path, whether a series of that path exists or not. Beyond [`MAX_TICKED`] nothing more is ticked.
    pub(crate) fn set(&mut self, path: &str, on: bool) {
        let held = self.ticked.iter().position(|ticked| ticked.path == path);
        match held {
            Some(at) if !on => {
                self.ticked.remove(at);
            }
            None if on && self.ticked.len() < MAX_TICKED => {
                let slot = color::free_slot(path, self.ticked.iter().map(|ticked| ticked.slot));
                let path = path.to_owned();
                self.ticked.push(Ticked { path, name: String::new(), slot, known: None, watch: None });
                self.resolved_in = None;
            }
            _ => return,
        }
        self.revision += 1;
        self.rename();
    }

    /// Begins the histories of ticked series that exist by now. Looks only when the listing or the ticks changed.
    pub(crate) fn resolve(&mut self, source: &mut dyn Source, listing: Option<&Listing>) {
        let generation = source.generation();
        if self.resolved_in == Some(generation) {
            return;
        }
        self.resolved_in = Some(generation);
        for at in 0..self.ticked.len() {
            if self.ticked[at].is_missing() {
                self.ticked[at].known = find(source, listing, &self.ticked[at].path);
                self.revision += u64::from(self.ticked[at].known.is_some());
            }
            let ticked = &mut self.ticked[at];
            if let (Some(known), None) = (&ticked.known, &ticked.watch) {
                ticked.watch = Some(source.watch(known.id));
            }
        }
    }

    /// Forgets what was learnt from one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        for ticked in &mut self.ticked {
            ticked.known = None;
            ticked.watch = None;
        }
        self.resolved_in = None;
        self.revision += 1;
    }

    fn rename(&mut self) {
        let paths: Vec<&str> = self.ticked.iter().map(|ticked| ticked.path.as_str()).collect();
        let names = short_names(&paths);
        for (ticked, name) in self.ticked.iter_mut().zip(names) {
            ticked.name = name;
        }
    }
}

/// Looks a path up: in the listing when that is of this generation, else with one walk through the source.
fn find(source: &dyn Source, listing: Option<&Listing>, path: &str) -> Option<Known> {
    if let Some(listing) = listing {
        let entry = listing.entry(listing.find(path)?);
        return Some(Known { id: entry.id, kind: entry.kind, unit: entry.unit, budget: entry.budget });
    }
    let timer = path.strip_suffix("/calls");
    let (mut found, mut calls) = (None, None);
    source.for_each_series(&mut |info| {
        if info.path == path {
            found = Some(Known { id: info.id, kind: info.kind, unit: info.unit, budget: info.budget });
        } else if timer == Some(info.path) {
            calls = info.calls.map(|id| Known { id, kind: Kind::TimerCalls, unit: Unit::Count, budget: None });
        }
    });
    found.or(calls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_kept_in_order_and_bounded() {
        let mut selection = Selection::new();
        assert!(selection.contains(FRAME_TIME));
        selection.set("a/count", true);
        selection.set("b/count", true);
        selection.set("a/count", true);
        let names: Vec<&str> = selection.ticked().iter().map(|ticked| ticked.name.as_str()).collect();
        assert_eq!(names, [FRAME_TIME, "a/count", "b/count"]);
        selection.set("a/count", false);
        assert_eq!(selection.ticked()[1].name, "b/count");
        for number in 0..1000 {
            selection.set(&format!("many/{number}"), true);
        }
        assert_eq!(selection.ticked().len(), MAX_TICKED);
    }

    #[test]
    fn series_ticked_together_have_colours_of_their_own() {
        let mut selection = Selection::new();
        for number in 0..color::SLOTS - 1 {
            selection.set(&format!("many/{number}"), true);
        }
        let mut slots: Vec<usize> = selection.ticked().iter().map(|ticked| ticked.slot).collect();
        slots.sort_unstable();
        slots.dedup();
        assert_eq!(slots.len(), color::SLOTS);
    }
}
