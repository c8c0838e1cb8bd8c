//! What a frame spends below each folder: the usual times of the timers in it.
//!
//! The time of a timer contains the times of the timers inside it: those below it, and those whose
//! scopes ran inside its scopes. So a folder costs the sum of its outermost timers, and a timer costs
//! its own time. A timer that ran inside another one lately, and takes longer than that one, also ran
//! elsewhere, so both count. Such timers, timers of several threads, and times without scopes may
//! overlap, so the tree calls the cost of their folder a sum. The search for hitches knows what is usual,
//! so that no value is read.
//!
//! Lists of what there is, such as memory by name, consist of levels. They have no cost, but a size, so
//! that the largest is first, too.

use std::cmp::Reverse;
use std::collections::HashMap;

use stats_analysis::insight::Insight;
use stats_analysis::sort::sort_by;
use stats_core::{SeriesId, SeriesKind, Unit};

use crate::data::allowance::Allowance;
use crate::data::listing::Entry;
use crate::data::throttle::Throttle;
use crate::tree::outline::Outline;

/// The time between two rounds. The order of rows changes no more often.
const ROUND_SECS: f64 = 1.0;
/// The number of entries that are looked at in a unit of allowance.
const ENTRIES_IN_A_UNIT: usize = 4;
/// The maximum number of timers around a timer that are looked at.
const MOST_AROUND: usize = 32;
/// The minimum usual time of a timer around another one, as a share of the time of that one, if it
/// contains that time. Below 1, because both times are estimates.
const CONTAINS: f64 = 0.8;

/// What is known of the timers.
pub(super) trait Timers {
    /// Returns the usual value of a series by its number.
    fn usual(&self, number: u32) -> Option<f64>;

    /// Returns the number of the timer around a timer.
    fn around(&self, number: u32) -> Option<u32>;

    /// Returns a number for the thread of a timer, if it is known.
    fn lane(&self, number: u32) -> Option<u16>;
}

impl Timers for Insight {
    fn usual(&self, number: u32) -> Option<f64> {
        self.usual(number).map(|usual| usual.value)
    }

    fn around(&self, number: u32) -> Option<u32> {
        self.timer_around(number)
    }

    fn lane(&self, number: u32) -> Option<u16> {
        self.lane_of(number)
    }
}

/// The cost of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NodeCost {
    /// Milliseconds a frame.
    pub(super) ms: f64,
    /// Whether these are times of several timers that may overlap.
    pub(super) may_overlap: bool,
    /// The thread of all of its timers.
    lane: Option<u16>,
}

impl NodeCost {
    fn of(ms: f64, lane: Option<u16>) -> Self {
        Self {
            ms,
            may_overlap: false,
            lane,
        }
    }

    /// Adds a timer that is not inside one of the others.
    fn add(&mut self, ms: f64, lane: Option<u16>) {
        self.ms += ms;
        self.may_overlap |= lane.is_none() || lane != self.lane;
    }
}

/// The costs of nodes, in milliseconds a frame.
#[derive(Debug, Default)]
pub(super) struct Costs {
    of: HashMap<u32, NodeCost>,
    /// The usual values of levels, while rows are sorted. Bytes come before numbers.
    sizes: HashMap<u32, (Size, f64)>,
    next_sizes: HashMap<u32, (Size, f64)>,
    has_sizes: bool,
    /// The usual frame time; 0 while unknown.
    frame_ms: f64,
    /// The costs of the round that has begun, and the next entry of it.
    next: (HashMap<u32, NodeCost>, usize),
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
    pub(super) fn of(&self, node: u32) -> Option<NodeCost> {
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
            Some(cost) => Some((None, cost.ms)),
            None => (self.sizes.get(&node)).map(|&(size, value)| (Some(Reverse(size)), value)),
        };
        let mut ranked: Vec<(_, u32)> =
            nodes.filter_map(|node| Some((rank(node)?, node))).collect();
        sort_by(&mut ranked, |(a, _), (b, _)| {
            a.0.cmp(&b.0).then_with(|| b.1.total_cmp(&a.1))
        });
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

    /// Continues a round, or begins one if it is time. `frame_ms` is the usual frame time. Returns
    /// whether a round ended.
    pub(super) fn update(
        &mut self,
        (frame_ms, timers): (f64, &dyn Timers),
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
                let Some(value) = timers.usual(id.number()) else {
                    continue;
                };
                let node = tree.node_of_entry(at);
                if let Some(size) = size {
                    self.next_sizes.insert(node, (size, value));
                    continue;
                }
                let lane = timers.lane(id.number());
                costs.insert(node, NodeCost::of(value, lane));
                // The frame time is not spent in its folder.
                if kind == SeriesKind::FrameTime {
                    continue;
                }
                let is_folder = |folder: &u32| !tree.node(*folder).entry().is_some_and(is_timer);
                let contains = |outer: u32| {
                    let usual = timers.usual(outer);
                    usual.is_some_and(|usual| usual >= CONTAINS * value)
                };
                for folder in tree.above(node).take_while(is_folder) {
                    let mut around = timers_around(folder, id, timers, outline).peekable();
                    let has_outer = around.peek().is_some();
                    if around.any(contains) {
                        break;
                    }
                    let cost = costs.entry(folder);
                    let cost = (cost.and_modify(|cost| cost.add(value, lane)))
                        .or_insert_with(|| NodeCost::of(value, lane));
                    cost.may_overlap |= has_outer;
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

/// Returns the timers of a folder around another one of it, the innermost one first.
fn timers_around<'a>(
    folder: u32,
    timer: SeriesId,
    timers: &'a dyn Timers,
    outline: &'a Outline,
) -> impl Iterator<Item = u32> + 'a {
    let (tree, listing) = (outline.tree(), outline.listing());
    let around = std::iter::successors(Some(timer.number()), |inner| timers.around(*inner));
    around.skip(1).take(MOST_AROUND).filter(move |number| {
        let entry = listing.entry_of(SeriesId::new(*number));
        let node = entry.map(|entry| tree.node_of_entry(entry));
        node.is_some_and(|node| tree.above(node).any(|above| above == folder))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::FRAME_TIME;
    use crate::testing::Paths;
    use crate::tree::testing::{panel_of, row_paths, update};

    /// The usual values, the timers around timers, and their threads, by number.
    #[derive(Default)]
    struct Known {
        usual: HashMap<u32, f64>,
        around: HashMap<u32, u32>,
        lanes: HashMap<u32, u16>,
    }

    impl Timers for Known {
        fn usual(&self, number: u32) -> Option<f64> {
            self.usual.get(&number).copied()
        }

        fn around(&self, number: u32) -> Option<u32> {
            self.around.get(&number).copied()
        }

        fn lane(&self, number: u32) -> Option<u16> {
            self.lanes.get(&number).copied()
        }
    }

    /// Returns a source of timers and a counter, and what is known of them. All timers run on one
    /// thread.
    fn timed() -> (Paths, Known) {
        let (mut source, mut known) = (Paths::of(&["gpu/draws"]), Known::default());
        for (path, ms) in [("sim", 5.0), ("sim/a", 4.0), ("gpu/x", 1.0), ("gpu/y", 2.0)] {
            let number = source.add(path, SeriesKind::Timer);
            known.usual.insert(number, ms);
            known.lanes.insert(number, 1);
        }
        source.add("idle/new", SeriesKind::Timer);
        (source, known)
    }

    #[test]
    fn a_timer_inside_another_one_counts_once_and_times_that_may_overlap_are_a_sum() {
        let mut source = Paths::default();
        let paths = ["a/whole", "a/part", "a/b/inner", "c/x", "c/y", "d/x", "d/y"];
        let numbers = paths.map(|path| source.add(path, SeriesKind::Timer));
        let [whole, part, inner, _, _, x, y] = numbers;
        let known = Known {
            usual: numbers
                .into_iter()
                .zip([8.0, 3.0, 2.0, 4.0, 1.0, 4.0, 1.0])
                .collect(),
            // As the path of a timer may say nothing about its scopes.
            around: [(part, whole), (inner, part)].into(),
            // The times of `c` have no scopes, and those of `d` are of two threads.
            lanes: [(whole, 1), (part, 1), (inner, 1), (x, 1), (y, 2)].into(),
        };
        let (panel, _) = panel_of(&mut source);
        let (mut costs, mut allowance) = (Costs::default(), Allowance::of_units(usize::MAX));
        costs.update((10.0, &known), &panel.outline, 0.0, &mut allowance);
        let cost = |path: &str| {
            let node = panel.tree().find(panel.listing(), path).unwrap();
            costs.of(node).map(|cost| (cost.ms, cost.may_overlap))
        };
        assert_eq!(cost("a"), Some((8.0, false)));
        assert_eq!(
            cost("a/b"),
            Some((2.0, false)),
            "it is the only one in this folder"
        );
        assert_eq!(cost("c"), Some((5.0, true)));
        assert_eq!(cost("d"), Some((5.0, true)));
    }

    #[test]
    fn a_timer_that_takes_longer_than_the_timer_around_it_counts_too() {
        for (outer_ms, wanted) in [
            (Some(5.2), (5.2, false)),
            // Both times are estimates.
            (Some(4.9), (4.9, false)),
            (Some(0.5), (5.5, true)),
            (None, (5.0, true)),
        ] {
            let mut source = Paths::default();
            let [outer, inner] =
                ["ai/flush", "ai/pool"].map(|path| source.add(path, SeriesKind::Timer));
            let mut known = Known {
                usual: [(inner, 5.0)].into(),
                around: [(inner, outer)].into(),
                lanes: [(outer, 1), (inner, 1)].into(),
            };
            known.usual.extend(outer_ms.map(|ms| (outer, ms)));
            let (panel, _) = panel_of(&mut source);
            let (mut costs, mut allowance) = (Costs::default(), Allowance::of_units(usize::MAX));
            costs.update((10.0, &known), &panel.outline, 0.0, &mut allowance);
            let node = panel.tree().find(panel.listing(), "ai").unwrap();
            let cost = costs.of(node).map(|cost| (cost.ms, cost.may_overlap));
            assert_eq!(cost, Some(wanted), "{outer_ms:?}");
        }
    }

    #[test]
    fn a_folder_costs_its_outermost_timers_and_a_timer_its_own_time() {
        let (mut source, of) = timed();
        let (panel, _) = panel_of(&mut source);
        let cost = |costs: &Costs, path: &str| {
            let node = panel.tree().find(panel.listing(), path).unwrap();
            costs.of(node).map(|cost| (cost.ms, cost.may_overlap))
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
                let wanted = wanted.map(|ms| (ms, false));
                assert_eq!(cost(&costs, path), wanted, "{path}");
            }
            assert_eq!((costs.share(3.0), costs.share(30.0)), (0.3, 1.0));
        }
    }

    #[test]
    fn levels_are_sorted_by_size_within_their_folder_after_what_costs_time() {
        let mut source = Paths::of(&["other/draws"]);
        let mut of = Known::default();
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
            of.usual.insert(number, value);
        }
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
