//! The list of panes, with one of them active.

use crate::data::selection::{FRAME_TIME, Selection};
use crate::input::pane_view::PaneView;
use crate::panes::colors::SeriesColors;
use crate::panes::pane::Pane;
use crate::persist::saved::MAX_PANES;
use crate::strip::StripView;
use crate::view::View;

/// The name that a pane has once it shows what made a frame long.
const CULPRITS: &str = "culprits";

/// All panes from top to bottom, and the counters pinned to the HUD.
///
/// There is always at least one pane. One of them is the active pane, in which the tree selects
/// counters.
pub(crate) struct Panes {
    list: Vec<Pane>,
    active: usize,
    next_id: u64,
    /// The identity of the pane that shows what made a frame long, and the paths that it has only
    /// therefore.
    culprits: Option<(u64, Vec<String>)>,
    /// The counters pinned to the HUD.
    pub(crate) pinned: Selection,
    /// The frame time, which the strip of all frames shows.
    clock: Selection,
    pub(super) colors: SeriesColors,
    pub(super) strip: StripView,
}

impl Default for Panes {
    /// Creates one pane with the frame time.
    fn default() -> Self {
        let mut panes = Self {
            list: Vec::new(),
            active: 0,
            next_id: 0,
            culprits: None,
            pinned: Selection::empty(),
            clock: Selection::new(),
            colors: SeriesColors::default(),
            strip: StripView::default(),
        };
        panes.push(Selection::new());
        panes
    }
}

impl Panes {
    /// Replaces all panes with panes that show these series, or with one empty pane if there are
    /// none. A series that was shown before keeps its history.
    pub(super) fn replace(
        &mut self,
        selections: impl IntoIterator<Item = Selection>,
        active: usize,
    ) {
        // A history ends when its last watch is dropped, so the old panes live until the new ones
        // share their watches.
        let old = std::mem::take(&mut self.list);
        for mut selection in selections {
            old.iter().for_each(|pane| selection.join(&pane.selection));
            self.push(selection);
        }
        if self.list.is_empty() {
            self.push(Selection::empty());
        }
        self.activate(active);
    }

    pub(crate) fn list(&self) -> &[Pane] {
        &self.list
    }

    pub(crate) fn list_mut(&mut self) -> &mut [Pane] {
        &mut self.list
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn active_at(&self) -> usize {
        self.active
    }

    pub(crate) fn active(&self) -> &Pane {
        &self.list[self.active]
    }

    pub(crate) fn active_mut(&mut self) -> &mut Pane {
        &mut self.list[self.active]
    }

    /// Returns the selection of the active pane, which the caller may change, and the series pinned
    /// to the HUD.
    pub(crate) fn active_and_pinned_mut(&mut self) -> (&mut Selection, &Selection) {
        (&mut self.list[self.active].selection, &self.pinned)
    }

    /// Activates a pane, or the last one if the index is beyond it.
    pub(super) fn activate(&mut self, at: usize) {
        self.active = at.min(self.list.len() - 1);
    }

    /// Activates the pane `steps` places below the active one, wrapping around at both ends.
    pub(crate) fn activate_next(&mut self, steps: isize) {
        let count = self.list.len() as isize;
        self.active = (self.active as isize + steps).rem_euclid(count) as usize;
    }

    /// Adds an empty pane at the bottom and activates it. Returns false if there are already
    /// [`MAX_PANES`].
    pub(crate) fn add(&mut self) -> bool {
        let fits = self.push(Selection::empty());
        if fits {
            self.active = self.list.len() - 1;
        }
        fits
    }

    /// Activates a graph with `paths`, the series that made a frame long, and takes those of the call
    /// before out of it. It is the graph of the call before, or else the topmost one of nothing but the
    /// frame time, or a new one above all others. If there are already [`MAX_PANES`], it is the active
    /// pane.
    pub(crate) fn show_culprits(&mut self, paths: &[String]) {
        let is_empty = |pane: &Pane| {
            let mut shown = pane.selection.paths();
            pane.view == PaneView::Graph
                && pane.name.is_empty()
                && shown.all(|path| path == FRAME_TIME)
        };
        let before = self.culprits.take();
        let known = |pane: &Pane| before.as_ref().is_some_and(|(id, _)| *id == pane.id);
        if let Some(at) = self.list.iter().position(known) {
            self.active = at;
        } else if let Some(at) = self.list.iter().position(is_empty) {
            self.active = at;
            CULPRITS.clone_into(&mut self.list[at].name);
        } else if self.push(Selection::new()) {
            self.reorder(self.list.len() - 1, 0);
            self.active = 0;
            CULPRITS.clone_into(&mut self.list[0].name);
        }
        let pane = &mut self.list[self.active];
        let old = before.filter(|(id, _)| *id == pane.id);
        let old = old.map_or(Vec::new(), |(_, paths)| paths);
        let has = |list: &[String], path: &str| list.iter().any(|one| one == path);
        let kept: Vec<String> = (pane.selection.paths().filter(|path| !has(&old, path)))
            .map(str::to_owned)
            .collect();
        let new: Vec<String> = (paths.iter().filter(|path| !has(&kept, path)).cloned()).collect();
        let mut selection = Selection::of(kept.iter().chain(&new).map(String::as_str));
        selection.join(&pane.selection);
        (pane.selection, pane.view) = (selection, PaneView::Graph);
        self.culprits = Some((pane.id, new));
    }

    /// Removes a pane. The only pane is emptied instead.
    pub(crate) fn remove(&mut self, at: usize) {
        if self.list.len() == 1 {
            self.list[0].selection = Selection::empty();
        } else if at < self.list.len() {
            self.list.remove(at);
            self.activate(if self.active > at {
                self.active - 1
            } else {
                self.active
            });
        }
    }

    /// Moves a pane to another place in the list.
    pub(super) fn reorder(&mut self, from: usize, to: usize) {
        let to = to.min(self.list.len() - 1);
        if from >= self.list.len() || from == to {
            return;
        }
        let active = self.list[self.active].id;
        let pane = self.list.remove(from);
        self.list.insert(to, pane);
        self.active = self
            .list
            .iter()
            .position(|pane| pane.id == active)
            .unwrap_or(0);
    }

    /// Moves the active pane by a number of places, and stops at both ends.
    pub(crate) fn move_active(&mut self, by: isize) {
        self.reorder(self.active, self.active.saturating_add_signed(by));
    }

    /// Moves the border below a pane by a share of the total height.
    pub(super) fn resize(&mut self, at: usize, share: f32) {
        let total: f32 = self.list.iter().map(|pane| pane.weight).sum();
        let Some([upper, lower]) = self.list.get_mut(at..at + 2) else {
            return;
        };
        let both = upper.weight + lower.weight;
        let min_weight = (total * 0.06).min(both / 2.0);
        upper.weight = (upper.weight + share * total).clamp(min_weight, both - min_weight);
        lower.weight = both - upper.weight;
    }

    /// Returns each pane's share of the height; the shares add up to 1.
    pub(crate) fn shares(&self) -> impl Iterator<Item = f32> + Clone {
        let total: f32 = self.list.iter().map(|pane| pane.weight).sum();
        self.list.iter().map(move |pane| pane.weight / total)
    }

    /// Returns the highest revision of all selections, and the number of panes. Every change to a
    /// selection changes one of the two.
    pub(crate) fn revision(&self) -> (u64, usize) {
        let revisions = self.selections().map(Selection::revision);
        (revisions.max().unwrap_or(0), self.len())
    }

    /// Frees the pictures of the strip and of all views, while they are not on screen.
    pub(crate) fn free_pictures(&mut self) {
        self.strip = StripView::default();
        self.each_view(|view| view.free_pictures());
    }

    /// Returns the series of all panes, then those of the HUD and the strip.
    pub(crate) fn selections(&self) -> impl Iterator<Item = &Selection> + Clone {
        self.list
            .iter()
            .map(|pane| &pane.selection)
            .chain([&self.pinned, &self.clock])
    }

    pub(crate) fn selections_mut(&mut self) -> impl Iterator<Item = &mut Selection> {
        self.list
            .iter_mut()
            .map(|pane| &mut pane.selection)
            .chain([&mut self.pinned, &mut self.clock])
    }

    /// Deselects what only single views have selected. Returns whether any was selected.
    pub(crate) fn deselect(&mut self) -> bool {
        let mut any = false;
        self.each_view(|view| any |= view.deselect());
        any
    }

    /// Calls `change` with every view of every pane.
    pub(crate) fn each_view(&mut self, mut change: impl FnMut(&mut dyn View)) {
        for pane in &mut self.list {
            pane.views.each(&mut change);
        }
    }

    /// Forgets everything about the current source, before another one is shown.
    pub(crate) fn detach(&mut self) {
        self.selections_mut().for_each(Selection::detach);
        self.strip = StripView::default();
        self.each_view(|view| view.forget_frames());
    }

    fn push(&mut self, selection: Selection) -> bool {
        if self.list.len() >= MAX_PANES {
            return false;
        }
        self.list.push(Pane::new(self.next_id, selection));
        self.next_id += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn there_is_always_an_active_pane() {
        let mut random = Random::new(5);
        let mut panes = Panes::default();
        for _ in 0..5000 {
            let (a, b) = (random.below(20) as usize, random.below(20) as usize);
            match random.below(6) {
                0 | 1 => _ = panes.add(),
                2 => panes.remove(a),
                3 => panes.reorder(a, b),
                4 => panes.activate_next(a as isize - 10),
                _ if a + 1 < panes.len() => panes.resize(a, b as f32 / 10.0 - 1.0),
                _ => panes.activate(a),
            }
            assert!((1..=MAX_PANES).contains(&panes.len()) && panes.active_at() < panes.len());
            let shares: Vec<f32> = panes.shares().collect();
            assert!(
                (shares.iter().sum::<f32>() - 1.0).abs() < 1e-3
                    && shares.iter().all(|&share| share > 0.0),
                "{shares:?}"
            );
        }
    }

    #[test]
    fn moving_and_removing_other_panes_keeps_the_active_pane() {
        let mut panes = Panes::default();
        for _ in 0..4 {
            panes.add();
        }
        panes.activate(2);
        let id = panes.active().id;
        panes.reorder(2, 4);
        assert_eq!((panes.active().id, panes.active_at()), (id, 4));
        panes.reorder(0, 4);
        panes.remove(0);
        assert_eq!((panes.active().id, panes.active_at()), (id, 2));
    }

    #[test]
    fn culprits_have_a_pane_of_their_own_in_which_the_next_ones_replace_them() {
        let owned =
            |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
        let paths = |pane: &Pane| {
            pane.selection
                .paths()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        // The first pane shows only the frame time.
        let mut panes = Panes::default();
        for names in [&["a", "b"][..], &["c"], &["c"], &["a"]] {
            panes.show_culprits(&owned(names));
            assert_eq!(
                paths(panes.active()),
                owned(&[&[FRAME_TIME], names].concat())
            );
        }
        assert_eq!((panes.len(), panes.active().name.as_str()), (1, CULPRITS));
        // What the user adds stays.
        panes.active_mut().selection.set("of/the/user", true);
        panes.show_culprits(&owned(&["of/the/user", "d"]));
        panes.show_culprits(&owned(&["e"]));
        assert_eq!(
            paths(panes.active()),
            owned(&[FRAME_TIME, "of/the/user", "e"])
        );
        // Other panes stay as they are.
        let mut panes = Panes::default();
        panes.active_mut().view = PaneView::Timeline;
        panes.add();
        panes.active_mut().selection.set("of/the/user", true);
        for names in [["a"], ["b"]] {
            panes.activate(panes.len() - 1);
            panes.show_culprits(&owned(&names));
            assert_eq!((panes.len(), panes.active_at()), (3, 0));
            assert_eq!(paths(panes.active()), owned(&[FRAME_TIME, names[0]]));
            assert_eq!(panes.list()[1].view, PaneView::Timeline);
            assert_eq!(paths(&panes.list()[2]), owned(&["of/the/user"]));
        }
        // Without room, the active pane has them.
        panes.remove(0);
        while panes.add() {
            panes.active_mut().selection.set("of/the/user", true);
        }
        for name in ["c", "d"] {
            panes.show_culprits(&owned(&[name]));
            assert_eq!(paths(panes.active()), owned(&["of/the/user", name]));
            assert_eq!(panes.active().name, "");
        }
    }

    #[cfg(feature = "enabled")]
    #[test]
    fn replacing_the_panes_keeps_the_history_of_a_series_in_both() {
        let (counter, mut recorder) = (
            stats_core::counter("panes/kept"),
            stats_core::Recorder::new(),
        );
        let mut panes = Panes::default();
        panes.active_mut().selection.set("panes/kept", true);
        panes
            .active_mut()
            .selection
            .resolve(&mut recorder, &Default::default());
        counter.add(7);
        recorder.end_frame();
        panes.replace([Selection::of(["panes/kept"])], 0);
        panes
            .active_mut()
            .selection
            .resolve(&mut recorder, &Default::default());
        let watch = panes.active().selection.selected()[0]
            .watch
            .clone()
            .unwrap();
        assert_eq!(recorder.history(&watch, 10).last(), Some(7.0));
    }

    #[test]
    fn the_last_pane_is_emptied_rather_than_removed() {
        let mut panes = Panes::default();
        panes.remove(0);
        assert_eq!(
            (panes.len(), panes.active().selection.selected().len()),
            (1, 0)
        );
    }
}
