//! The panes: each shows a set of series as a graph or a table; all share one axis of frames.

use std::collections::HashMap;

use crate::data::selection::Selection;
use crate::distribution::view::DistributionView;
use crate::graph::view::GraphView;
use crate::input::mode::PaneView;
use crate::persist::saved::{MAX_PANES, SavedPane};
use crate::statistics::view::StatisticsView;
use crate::table::view::TableView;
use stats_ui::palette::{SLOTS, free_slot_in};
use stats_ui::theme::Palette;

/// One pane.
#[derive(Debug)]
pub(crate) struct Pane {
    /// Tells it from the others for as long as the overlay lives, wherever it stands.
    pub(crate) id: u64,
    pub(crate) selection: Selection,
    pub(crate) view: PaneView,
    pub(crate) graph: GraphView,
    pub(crate) table: TableView,
    pub(crate) distribution: DistributionView,
    pub(crate) statistics: StatisticsView,
    /// Its share of the height, relative to those of the others.
    pub(crate) weight: f32,
    /// What it was restored from, with what was not understood of that.
    pub(crate) restored: SavedPane,
}

/// All panes, and the counters pinned to the HUD.
///
/// There is always at least one pane, and one of them is the active one: that which the tree ticks.
#[derive(Debug)]
pub(crate) struct Panes {
    list: Vec<Pane>,
    active: usize,
    next_id: u64,
    /// What the HUD shows.
    pub(crate) pinned: Selection,
    /// The frame time, for the strip of all frames.
    clock: Selection,
    /// The place in the palette of every path that is shown anywhere, so that it has one colour in
    /// all panes.
    slots: HashMap<String, usize>,
    /// What the slots were dealt for.
    dealt_for: (u64, usize, Palette),
    /// The palette that they are places in.
    palette: Palette,
}

impl Panes {
    /// One pane with the frame time.
    pub(crate) fn new() -> Self {
        let mut panes = Self {
            list: Vec::new(),
            active: 0,
            next_id: 0,
            pinned: Selection::empty(),
            clock: Selection::new(),
            slots: HashMap::new(),
            dealt_for: (0, 0, Palette::default()),
            palette: Palette::default(),
        };
        panes.push(Selection::new());
        panes
    }

    /// Panes with these series instead; one without any where there are none. What was shown before
    /// keeps its history.
    pub(crate) fn replace(
        &mut self,
        selections: impl IntoIterator<Item = Selection>,
        active: usize,
    ) {
        // The old ones live until the new ones have joined their histories, which would end
        // otherwise.
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

    pub(crate) fn activate(&mut self, at: usize) {
        self.active = at.min(self.list.len() - 1);
    }

    /// Makes the pane so many places on the active one; behind the last comes the first.
    pub(crate) fn activate_next(&mut self, steps: isize) {
        let count = self.list.len() as isize;
        self.active = (self.active as isize + steps).rem_euclid(count) as usize;
    }

    /// Adds an empty pane below and makes it the active one; false where there are [`MAX_PANES`].
    pub(crate) fn add(&mut self) -> bool {
        let fits = self.push(Selection::empty());
        if fits {
            self.active = self.list.len() - 1;
        }
        fits
    }

    /// Removes a pane; the last one is emptied instead.
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

    /// Moves a pane to another place among the others.
    pub(crate) fn reorder(&mut self, from: usize, to: usize) {
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

    /// Moves the border below a pane by a share of the height of all.
    pub(crate) fn resize(&mut self, at: usize, share: f32) {
        let total: f32 = self.list.iter().map(|pane| pane.weight).sum();
        let [upper, lower] = &mut self.list[at..at + 2] else {
            return;
        };
        let both = upper.weight + lower.weight;
        let least = (total * 0.06).min(both / 2.0);
        upper.weight = (upper.weight + share * total).clamp(least, both - least);
        lower.weight = both - upper.weight;
    }

    /// The shares of the height that the panes have, which add up to 1.
    pub(crate) fn shares(&self) -> impl Iterator<Item = f32> + Clone {
        let total: f32 = self.list.iter().map(|pane| pane.weight).sum();
        self.list.iter().map(move |pane| pane.weight / total)
    }

    /// The series of all panes and of the HUD, pane by pane.
    pub(crate) fn selections(&self) -> impl Iterator<Item = &Selection> {
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

    /// Gives every path one colour in all panes. Those that have one keep it; a new one gets its
    /// own where it is free.
    pub(crate) fn deal_colors(&mut self, palette: Palette) {
        // Every change but the removal of a pane makes the greatest revision greater.
        let newest = self
            .selections()
            .map(Selection::revision)
            .max()
            .unwrap_or(0);
        let now = (newest, self.list.len(), palette);
        if std::mem::replace(&mut self.dealt_for, now) == now {
            return;
        }
        let mut slots = std::mem::take(&mut self.slots);
        if std::mem::replace(&mut self.palette, palette) != palette {
            slots.clear();
        }
        slots.retain(|path, _| self.selections().any(|selection| selection.contains(path)));
        for selection in self.selections_mut() {
            let mut here: Vec<usize> = selection
                .selected()
                .iter()
                .filter_map(|selected| slots.get(&selected.path).copied())
                .collect();
            selection.color(&mut |path| {
                if let Some(&slot) = slots.get(path) {
                    return slot;
                }
                // A colour twice in one pane is worse than any number of times in others.
                let many = here.len() * SLOTS;
                let taken = slots
                    .values()
                    .copied()
                    .chain(here.iter().copied().cycle().take(many));
                let slot = free_slot_in(palette, path, taken);
                here.push(slot);
                slots.insert(path.to_owned(), slot);
                slot
            });
        }
        self.slots = slots;
    }

    fn push(&mut self, selection: Selection) -> bool {
        if self.list.len() >= MAX_PANES {
            return false;
        }
        let (id, view) = (self.next_id, PaneView::Graph);
        self.next_id += 1;
        self.list.push(Pane {
            id,
            selection,
            view,
            graph: GraphView::default(),
            table: TableView::default(),
            distribution: DistributionView::default(),
            statistics: StatisticsView::default(),
            weight: 1.0,
            restored: SavedPane::default(),
        });
        true
    }
}

impl Pane {
    /// A table becomes a graph, anything else a table.
    pub(crate) fn toggle_table(&mut self) {
        self.view = match self.view {
            PaneView::Table => PaneView::Graph,
            PaneView::Graph | PaneView::Distribution | PaneView::Statistics => PaneView::Table,
        };
    }

    /// A distribution becomes a graph, anything else a distribution.
    pub(crate) fn toggle_distribution(&mut self) {
        self.view = if self.view == PaneView::Distribution {
            PaneView::Graph
        } else {
            PaneView::Distribution
        };
    }

    /// Logarithmic values, or not, in the view that is shown.
    pub(crate) fn toggle_log(&mut self) {
        match self.view {
            PaneView::Distribution => self.distribution.choose_next(),
            PaneView::Graph | PaneView::Table | PaneView::Statistics => self.graph.toggle_log(),
        }
    }

    /// The statistics become a graph, anything else the statistics.
    pub(crate) fn toggle_statistics(&mut self) {
        self.view = if self.view == PaneView::Statistics {
            PaneView::Graph
        } else {
            PaneView::Statistics
        };
    }

    /// Asks for a share of the height; of what is no number, the usual one.
    pub(crate) fn set_weight(&mut self, weight: f32) {
        self.weight = if weight.is_finite() {
            weight.clamp(*SavedPane::WEIGHT.start(), *SavedPane::WEIGHT.end())
        } else {
            1.0
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::FRAME_TIME;
    use stats_testing::Random;

    #[test]
    fn there_is_always_an_active_pane() {
        let mut random = Random::new(5);
        let mut panes = Panes::new();
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
    fn moving_and_removing_panes_leaves_the_active_one_active() {
        let mut panes = Panes::new();
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
    fn a_path_has_one_colour_in_all_panes_and_keeps_it() {
        let mut panes = Panes::new();
        for number in 0..6 {
            panes
                .active_mut()
                .selection
                .set(&format!("a/{number}"), true);
        }
        panes.deal_colors(Palette::Standard);
        let colors = |panes: &Panes, path: &str| -> Vec<usize> {
            let all = panes.selections().flat_map(Selection::selected);
            all.filter(|selected| selected.path == path)
                .map(|selected| selected.slot)
                .collect()
        };
        let before = colors(&panes, "a/3")[0];
        panes.add();
        panes.active_mut().selection.set("a/3", true);
        panes.pinned.set("a/3", true);
        panes.activate(0);
        panes.active_mut().selection.set(FRAME_TIME, false);
        panes.active_mut().selection.set("a/0", false);
        panes.deal_colors(Palette::Standard);
        assert_eq!(colors(&panes, "a/3"), [before; 3]);
    }

    #[cfg(feature = "enabled")]
    #[test]
    fn what_other_panes_show_as_well_keeps_its_history() {
        let (counter, mut recorder) = (
            stats_core::counter("panes/kept"),
            stats_core::Recorder::new(),
        );
        let mut panes = Panes::new();
        panes.active_mut().selection.set("panes/kept", true);
        panes.active_mut().selection.resolve(&mut recorder);
        counter.add(7);
        recorder.end_frame();
        panes.replace([Selection::of(["panes/kept"])], 0);
        panes.active_mut().selection.resolve(&mut recorder);
        let watch = panes.active().selection.selected()[0]
            .watch
            .clone()
            .unwrap();
        assert_eq!(recorder.history(&watch, 10).last(), Some(7.0));
    }

    #[test]
    fn however_many_series_there_are_those_of_one_pane_differ() {
        let mut panes = Panes::new();
        for pane in 0..6 {
            panes.add();
            for number in 0..8 {
                panes
                    .active_mut()
                    .selection
                    .set(&format!("{pane}/{number}"), true);
            }
            panes.deal_colors(Palette::Standard);
            let mut slots: Vec<usize> = panes
                .active()
                .selection
                .selected()
                .iter()
                .map(|selected| selected.slot)
                .collect();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), 8, "pane {pane}");
        }
    }

    #[test]
    fn the_last_pane_is_emptied_rather_than_removed() {
        let mut panes = Panes::new();
        panes.remove(0);
        assert_eq!(
            (panes.len(), panes.active().selection.selected().len()),
            (1, 0)
        );
    }
}
