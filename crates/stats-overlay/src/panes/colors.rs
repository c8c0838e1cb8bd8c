//! Assigns colors of the palette to series.
//!
//! A series has the same color in every pane and in the HUD, and keeps it for the session and in the
//! saved state. A new series gets its preferred color, or a free one if that is taken. A series that
//! returns gets its former color, unless another series of the pane has that by now. If a pane comes to
//! show two series that had one color in different panes, the later one changes its color in all of
//! them.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::data::selection::Selection;
use crate::panes::list::Panes;
use stats_ui::palette::{SLOTS, free_slot, may_have, preferred_slot};
use stats_ui::theme::Palette;

/// The maximum number of paths whose colors are kept while they are not shown.
const MAX_KEPT: usize = 1024;

/// The slots of the palette, by path.
#[derive(Debug, Default)]
pub(super) struct SeriesColors {
    slots: HashMap<String, usize>,
    /// The paths that were shown at the last assignment.
    shown: HashSet<String>,
    /// The revision of the panes and the palette at the last assignment.
    assigned_for: ((u64, usize), Palette),
    /// The palette that the slots belong to.
    palette: Palette,
}

impl Panes {
    /// Returns the slot of the color that a path has, or would have in an empty pane.
    pub(crate) fn slot_of(&self, path: &str) -> usize {
        let slot = self.colors.slots.get(path).copied();
        slot.unwrap_or_else(|| preferred_slot(path))
    }

    /// Gives every path one color in all panes and in the HUD. Does nothing if no selection
    /// changed.
    pub(crate) fn assign_colors(&mut self, palette: Palette) {
        let now = (self.revision(), palette);
        if std::mem::replace(&mut self.colors.assigned_for, now) == now {
            return;
        }
        let mut slots = std::mem::take(&mut self.colors.slots);
        let mut settled = std::mem::take(&mut self.colors.shown);
        if std::mem::replace(&mut self.colors.palette, palette) != palette {
            slots.clear();
        }
        let is_shown = |path: &String| self.selections().any(|selection| selection.contains(path));
        settled.retain(|path| is_shown(path) && slots.contains_key(path));
        if slots.len() > MAX_KEPT {
            slots.retain(|path, _| is_shown(path));
        }
        for path in self.to_color(&settled, &slots) {
            settled.remove(&path);
            let beside = self
                .selections()
                .filter(|selection| selection.contains(&path));
            let here: Vec<usize> = beside
                .flat_map(Selection::paths)
                .filter(|other| **other != path && settled.contains(*other))
                .filter_map(|other| slots.get(other).copied())
                .collect();
            let elsewhere = slots.values().copied();
            let free = free_slot(palette, &path, here.iter().copied(), elsewhere);
            let uses = |slot: usize| here.iter().filter(|of| **of == slot).count();
            let former = slots.get(&path).copied();
            let slot = former.filter(|former| uses(*former) <= uses(free));
            slots.insert(path.clone(), slot.unwrap_or(free));
            settled.insert(path);
        }
        for selection in self.selections_mut() {
            selection.color(&mut |path| slots.get(path).copied().unwrap_or_default());
        }
        (self.colors.slots, self.colors.shown) = (slots, settled);
    }

    /// Returns the shown paths that need a color. A path needs one if it has none, or if another series
    /// of the same pane has its color and the pane has fewer series than there are colors. Two series of
    /// different panes may have one color until a pane shows both.
    fn to_color(&self, settled: &HashSet<String>, slots: &HashMap<String, usize>) -> Vec<String> {
        let mut all = Vec::new();
        for selection in self.selections() {
            let mut taken = [false; SLOTS];
            let may_repeat = selection.selected().len() >= SLOTS;
            for path in selection.paths() {
                let slot = slots.get(path).filter(|_| settled.contains(path));
                let is_taken = slot.is_none_or(|slot| {
                    let was = std::mem::replace(&mut taken[*slot % SLOTS], true);
                    was && !may_repeat
                });
                if is_taken && !all.iter().any(|of| of == path) {
                    all.push(path.to_owned());
                }
            }
        }
        all
    }

    /// Returns the slots of the palette by path, as they are saved.
    pub(crate) fn saved_colors(&self) -> BTreeMap<String, usize> {
        let slots = self.colors.slots.iter();
        // `collect` compiles a sort.
        let mut saved = BTreeMap::new();
        saved.extend(slots.map(|(path, slot)| (path.clone(), *slot)));
        saved
    }

    /// Restores saved slots, which belong to this palette. Leaves out those that no series may have.
    pub(crate) fn restore_colors(&mut self, saved: &BTreeMap<String, usize>, palette: Palette) {
        let valid = saved
            .iter()
            .filter(|(path, slot)| **slot < SLOTS && may_have(path, **slot));
        let slots = valid
            .take(MAX_KEPT)
            .map(|(path, slot)| (path.clone(), *slot));
        self.colors = SeriesColors {
            slots: slots.collect(),
            palette,
            ..SeriesColors::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::FRAME_TIME;
    use stats_ui::palette::SLOTS;

    #[test]
    fn a_path_has_one_color_in_all_panes_and_keeps_it() {
        let mut panes = Panes::default();
        for number in 0..6 {
            panes
                .active_mut()
                .selection
                .set(&format!("a/{number}"), true);
        }
        panes.assign_colors(Palette::Standard);
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
        panes.assign_colors(Palette::Standard);
        assert_eq!(colors(&panes, "a/3"), [before; 3]);
    }

    #[test]
    fn a_path_keeps_its_color_while_it_is_not_shown_and_in_the_saved_state() {
        let mut panes = Panes::default();
        let slot_of = |panes: &Panes, path: &str| {
            let mut selected = panes.selections().flat_map(Selection::selected);
            selected
                .find(|selected| selected.path == path)
                .map(|selected| selected.slot)
        };
        let paths: Vec<String> = (0..12).map(|number| format!("kept/{number}")).collect();
        let mut first = HashMap::new();
        // Each is shown alone, then in any order together with others.
        for path in &paths {
            panes.replace([Selection::of([path.as_str()])], 0);
            panes.assign_colors(Palette::Standard);
            first.insert(path.clone(), slot_of(&panes, path));
        }
        let saved = panes.saved_colors();
        let mut restored = Panes::default();
        restored.restore_colors(&saved, Palette::Standard);
        for panes in [&mut panes, &mut restored] {
            for path in paths.iter().rev() {
                let all = [path.as_str(), "kept/0"];
                panes.replace([Selection::of(all)], 0);
                panes.assign_colors(Palette::Standard);
                assert_eq!(slot_of(panes, path), first[path], "{path}");
            }
        }
        // Saved slots that do not exist, or that are reserved, are left out.
        let reserved = preferred_slot(FRAME_TIME);
        let wrong = [("a", SLOTS), ("b", reserved), (FRAME_TIME, reserved + 1)];
        let wrong = wrong.map(|(path, slot)| (path.to_owned(), slot));
        restored.restore_colors(&BTreeMap::from(wrong), Palette::Standard);
        assert_eq!(restored.saved_colors(), BTreeMap::new());
    }

    fn slots(selection: &Selection) -> Vec<usize> {
        let selected = selection.selected().iter();
        selected.map(|selected| selected.slot).collect()
    }

    #[test]
    fn few_series_of_one_pane_have_no_neighboring_hues_however_many_panes_there_are() {
        for names in 0..100 {
            let mut panes = Panes::default();
            for pane in 0..4 {
                panes.add();
                panes.active_mut().selection.set(FRAME_TIME, pane % 2 == 0);
                for number in 0..5 {
                    let path = format!("{names}/{pane}/{number}");
                    panes.active_mut().selection.set(&path, true);
                }
                panes.assign_colors(Palette::Standard);
                let slots = slots(&panes.active().selection);
                assert_eq!(slots.len(), if pane % 2 == 0 { 6 } else { 5 });
                for (at, a) in slots.iter().enumerate() {
                    for b in &slots[..at] {
                        let steps = a.abs_diff(*b);
                        assert!((2..SLOTS - 1).contains(&steps), "{names}: {slots:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_series_gets_the_color_of_the_frame_time() {
        for palette in [Palette::Standard, Palette::ColorVision] {
            let mut panes = Panes::default();
            // The frame time is selected last, after more series than there are colors.
            panes.active_mut().selection.set(FRAME_TIME, false);
            for number in 0..3 * SLOTS {
                let path = format!("taken/{number}");
                panes.active_mut().selection.set(&path, true);
                panes.pinned.set(&path, true);
            }
            panes.assign_colors(palette);
            panes.active_mut().selection.set(FRAME_TIME, true);
            panes.assign_colors(palette);
            let reserved = preferred_slot(FRAME_TIME);
            for selected in panes.selections().flat_map(Selection::selected) {
                let has_it = selected.slot == reserved;
                assert_eq!(has_it, selected.path == FRAME_TIME, "{}", selected.path);
            }
        }
    }

    #[test]
    fn series_that_a_later_pane_shows_together_differ_in_color_there_and_keep_one_color_in_all() {
        let mut random = stats_testing::Random::new(8);
        let mut repeated = 0;
        for names in 0..200 {
            let path = |number: u64| format!("{names}/{number}");
            let mut panes = Panes::default();
            // Each pane has few of many series, so series of different panes share a color.
            for _ in 0..7 {
                panes.add();
                for _ in 0..5 {
                    let path = path(random.below(30));
                    panes.active_mut().selection.set(&path, true);
                }
                panes.assign_colors(Palette::Standard);
                let mut slot_of = HashMap::new();
                for selection in panes.selections() {
                    let slots = slots(selection);
                    let distinct: HashSet<usize> = slots.iter().copied().collect();
                    assert_eq!(distinct.len(), slots.len(), "{names}: {slots:?}");
                    for selected in selection.selected() {
                        let slot = *slot_of
                            .entry(selected.path.clone())
                            .or_insert(selected.slot);
                        assert_eq!(slot, selected.slot, "{}", selected.path);
                    }
                }
                let distinct: HashSet<usize> = slot_of.values().copied().collect();
                repeated += usize::from(distinct.len() < slot_of.len());
                let before = panes.saved_colors();
                panes.active_mut().selection.set("another", true);
                panes.active_mut().selection.set("another", false);
                panes.assign_colors(Palette::Standard);
                assert_eq!(panes.saved_colors(), before, "nothing changes again");
            }
        }
        assert!(repeated > 500, "{repeated}");
    }

    #[test]
    fn series_of_one_pane_differ_in_color_until_the_palette_is_used_up() {
        let mut panes = Panes::default();
        for number in 0..SLOTS - 1 {
            let path = format!("many/{number}");
            panes.active_mut().selection.set(&path, true);
        }
        panes.assign_colors(Palette::Standard);
        let mut slots = slots(&panes.active().selection);
        slots.sort_unstable();
        assert_eq!(slots, (0..SLOTS).collect::<Vec<_>>());
    }

    #[test]
    fn series_of_one_pane_differ_in_color_however_many_panes_there_are() {
        let mut panes = Panes::default();
        for pane in 0..6 {
            panes.add();
            for number in 0..8 {
                panes
                    .active_mut()
                    .selection
                    .set(&format!("{pane}/{number}"), true);
            }
            panes.assign_colors(Palette::Standard);
            let mut slots = slots(&panes.active().selection);
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(slots.len(), 8, "pane {pane}");
        }
    }
}
