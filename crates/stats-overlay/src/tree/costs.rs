//! What a frame spends below each folder: the usual times of the timers in it.
//!
//! The time of a timer contains the times of the timers below it. So a folder costs the sum of its
//! outermost timers, and a timer costs its own time. The search for hitches knows what is usual, so
//! that no value is read.
//!
//! Lists of what there is, such as memory by name, consist of levels. They have no cost, but a size, so
//! that the largest is first, too.

use std::cmp::Reverse;
use std::collections::HashMap;

use stats_core::{SeriesKind, Unit};

use crate::data::allowance::Allowance;
use crate::data::listing::Entry;
use crate::data::throttle::Throttle;
use crate::tree::outline::Outline;

/// The time between two rounds. The order of rows changes no more often.
const ROUND_SECS: f64 = 1.0;
/// The number of entries that are looked at in a unit of allowance.
const ENTRIES_IN_A_UNIT: usize = 4;

/// The costs of nodes, in milliseconds a frame.
#[derive(Debug, Default)]
pub(super) struct Costs {
    of: HashMap<u32, f64>,
    /// The usual values of levels, while rows are sorted. Bytes come before numbers.
    sizes: HashMap<u32, (Size, f64)>,
    next_sizes: HashMap<u32, (Size, f64)>,
    has_sizes: bool,
    /// The usual frame time; 0 while unknown.
    frame_ms: f64,
    /// The costs of the round that has begun, and the next entry of it.
    next: (HashMap<u32, f64>, usize),
    began: Throttle,
}

/// What a level counts. Only equal ones are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Things,
    Bytes,
}

impl Size {
    fn of(unit: Unit) -> Option<Self> {
        match unit {
            Unit::Bytes => Some(Self::Bytes),
            Unit::Count => Some(Self::Things),
            _ => None,
        }
    }
}

impl Costs {
    /// Returns the cost of a node; `None` if no timer is in it, or while costs are unknown.
    pub(super) fn of(&self, node: u32) -> Option<f64> {
        self.of.get(&node).copied()
    }

    /// Returns the share of the usual frame that a cost takes, up to 1.
    pub(super) fn share(&self, cost_ms: f64) -> f32 {
        if self.frame_ms > 0.0 {
            (cost_ms / self.frame_ms).clamp(0.0, 1.0) as f32
        } else {
            0.0
        }
    }

    /// Chooses whether to also know the sizes of levels.
    pub(super) fn set_has_sizes(&mut self, has_sizes: bool) {
        self.has_sizes = has_sizes;
        if !has_sizes {
            (self.sizes, self.next_sizes) = Default::default();
        }
    }

    /// Returns whether a node has a place by its cost or its size.
    pub(super) fn is_ranked(&self, node: u32) -> bool {
        self.of.contains_key(&node) || self.sizes.contains_key(&node)
    }

    /// Returns the ranked nodes, the first one last: those that cost something, the largest cost first,
    /// then levels, the largest first. Equal ones keep their order.
    pub(super) fn first_last(&self, nodes: impl Iterator<Item = u32>) -> Vec<u32> {
        let rank = |node| match self.of(node) {
            Some(cost) => Some((None, cost)),
            None => (self.sizes.get(&node)).map(|&(size, value)| (Some(Reverse(size)), value)),
        };
        let mut ranked: Vec<(_, u32)> =
            nodes.filter_map(|node| Some((rank(node)?, node))).collect();
        ranked.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0).then_with(|| b.1.total_cmp(&a.1)));
        ranked.iter().rev().map(|&(_, node)| node).collect()
    }

    /// Returns whether any cost is known.
    pub(super) fn are_known(&self) -> bool {
        !self.of.is_empty()
    }

    /// Forgets the costs of a listing that was replaced.
    pub(super) fn forget(&mut self) {
        *self = Self {
            has_sizes: self.has_sizes,
            ..Self::default()
        };
    }

    /// Continues a round, or begins one if it is time. `usual` is the usual frame time, and returns
    /// the usual value of a series by its number. Returns whether a round ended.
    pub(super) fn update(
        &mut self,
        (frame_ms, usual): (f64, &dyn Fn(u32) -> Option<f64>),
        outline: &Outline,
        now_secs: f64,
        allowance: &mut Allowance,
    ) -> bool {
        let (tree, listing) = (outline.tree(), outline.listing());
        let (costs, entry) = &mut self.next;
        if *entry == 0 && !self.began.take(now_secs, ROUND_SECS) {
            return false;
        }
        let is_timer = |entry: u32| listing.entry(entry).kind == SeriesKind::Timer;
        let count = tree.entry_count();
        while let taken @ 1.. = allowance.take(count.saturating_sub(*entry), ENTRIES_IN_A_UNIT) {
            for at in *entry as u32..(*entry + taken) as u32 {
                let Entry { id, kind, unit } = listing.entry(at);
                let size = Size::of(unit).filter(|_| self.has_sizes && !kind.is_per_frame());
                let is_cost = matches!(kind, SeriesKind::Timer | SeriesKind::FrameTime);
                if !is_cost && size.is_none() {
                    continue;
                }
                let Some(value) = usual(id.number()) else {
                    continue;
                };
                let node = tree.node_of_entry(at);
                if let Some(size) = size {
                    self.next_sizes.insert(node, (size, value));
                    continue;
                }
                costs.insert(node, value);
                // The frame time is not spent in its folder.
                if kind == SeriesKind::FrameTime {
                    continue;
                }
                let is_folder = |folder: &u32| !tree.node(*folder).entry().is_some_and(is_timer);
                for folder in tree.above(node).take_while(is_folder) {
                    *costs.entry(folder).or_default() += value;
                }
            }
            *entry += taken;
        }
        if *entry < count {
            return false;
        }
        self.frame_ms = frame_ms;
        (self.of, self.next) = (std::mem::take(costs), Default::default());
        self.sizes = std::mem::take(&mut self.next_sizes);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::FRAME_TIME;
    use crate::testing::Paths;
    use crate::tree::testing::{panel_of, row_paths, update};

    /// Returns a source of timers and a counter, and the usual value of each by its number.
    fn timed() -> (Paths, impl Fn(u32) -> Option<f64>) {
        let mut source = Paths::of(&["gpu/draws"]);
        let timers = ["sim", "sim/a", "gpu/x", "gpu/y", "idle/new"];
        let numbers = timers.map(|path| source.add(path, SeriesKind::Timer));
        let of = move |number: u32| {
            let at = numbers.iter().position(|&timer| timer == number)?;
            [Some(5.0), Some(4.0), Some(1.0), Some(2.0), None][at]
        };
        (source, of)
    }

    #[test]
    fn a_folder_costs_its_outermost_timers_and_a_timer_its_own_time() {
        let (mut source, of) = timed();
        let (panel, _) = panel_of(&mut source);
        let cost = |costs: &Costs, path: &str| {
            let node = panel.tree().find(panel.listing(), path).unwrap();
            costs.of(node)
        };
        for units in [1, usize::MAX] {
            let (mut costs, mut passes) = (Costs::default(), 1);
            let mut step = |now| {
                let mut allowance = Allowance::of_units(units);
                costs.update((10.0, &of), &panel.outline, now, &mut allowance)
            };
            while !step(0.0) {
                passes += 1;
            }
            assert!(!step(0.5) && step(1.0) == (passes == 1), "once a second");
            assert!(passes == 1 || units == 1);
            for (path, wanted) in [
                ("sim", Some(5.0)),
                ("sim/a", Some(4.0)),
                ("gpu", Some(3.0)),
                ("gpu/draws", None),
                ("idle", None),
            ] {
                assert_eq!(cost(&costs, path), wanted, "{path}");
            }
            assert_eq!((costs.share(3.0), costs.share(30.0)), (0.3, 1.0));
        }
    }

    #[test]
    fn levels_are_sorted_by_size_within_their_folder_after_what_costs_time() {
        let mut source = Paths::of(&["other/draws"]);
        let mut usual = HashMap::new();
        for (path, kind, unit, value) in [
            ("a/few", SeriesKind::Gauge, Unit::Count, 3.0),
            ("a/huge", SeriesKind::Gauge, Unit::Bytes, 4e9),
            ("a/large", SeriesKind::UpDownCounter, Unit::Bytes, 1e6),
            ("a/many", SeriesKind::Gauge, Unit::Count, 5e9),
            ("a/rate", SeriesKind::Counter, Unit::Bytes, 7e9),
            ("a/speed", SeriesKind::Gauge, Unit::Percent, 1e12),
            ("a/time", SeriesKind::Timer, Unit::Milliseconds, 0.1),
        ] {
            let at = source.len();
            let number = source.add(path, kind);
            source.set_unit(at, unit);
            usual.insert(number, value);
        }
        let of = |number: u32| usual.get(&number).copied();
        let (mut panel, selection) = panel_of(&mut source);
        panel.set_by_cost(true);
        let mut allowance = Allowance::of_units(usize::MAX);
        (panel.costs).update((10.0, &of), &panel.outline, 0.0, &mut allowance);
        panel.set_by_cost(true);
        update(&mut panel, &mut source, &selection);
        let rows = row_paths(&panel).into_iter();
        let rows: Vec<&str> = rows
            .filter(|path| path.starts_with("a/") && !path.ends_with("/calls"))
            .collect();
        let wanted = [
            "a/time", "a/huge", "a/large", "a/many", "a/few", "a/rate", "a/speed",
        ];
        assert_eq!(rows, wanted);
    }

    #[test]
    fn rows_are_sorted_by_cost_on_request() {
        let (mut source, of) = timed();
        let (mut panel, selection) = panel_of(&mut source);
        let mut allowance = Allowance::of_units(usize::MAX);
        (panel.costs).update((10.0, &of), &panel.outline, 0.0, &mut allowance);
        let by_name = [
            "gpu",
            "gpu/draws",
            "gpu/x",
            "gpu/y",
            "idle",
            "idle/new",
            "sim",
            "sim/a",
        ];
        let by_cost = [
            "sim",
            "sim/a",
            "gpu",
            "gpu/y",
            "gpu/x",
            "gpu/draws",
            "idle",
            "idle/new",
        ];
        for (is_by_cost, wanted) in [(true, by_cost), (false, by_name)] {
            panel.set_by_cost(is_by_cost);
            update(&mut panel, &mut source, &selection);
            let rows = row_paths(&panel).into_iter();
            let rows: Vec<&str> = rows
                .filter(|path| *path != FRAME_TIME && !path.ends_with("/calls"))
                .collect();
            assert_eq!(rows, wanted);
        }
    }
}
