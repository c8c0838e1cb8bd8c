//! The sums, compared with sums that are computed call by call.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use stats_core::SeriesId;
use stats_testing::Random;

use super::choices::{CostColumn, CostsChoices};
use super::sums::{Cost, Costs};
use crate::baseline::marked::MarkedBaseline;
use crate::baseline::saved::BaselineSeries;
use crate::data::shown_scopes::{FrameCopy, ShownScopes, self_times, within_frame};
use crate::search::query::Query;
use crate::testing::random_calls;

#[test]
fn sums_equal_those_of_every_call_by_itself() {
    let mut random = Random::new(51);
    for round in 0..20 {
        let mut calls = random_calls(&mut random);
        let mut shown = ShownScopes::default();
        shown.read(&mut calls, &[(0..6).into(), (6..12).into()], None);
        let start = random.below(12);
        let range = start..start + random.below(12 - start) + 1;
        let choices = CostsChoices {
            by_thread: round % 2 == 0,
            ..CostsChoices::default()
        };
        let mut costs = Costs::default();
        let unmarked = (&Query::default(), &MarkedBaseline::default());
        costs.update(&shown, &range, &choices, unmarked);
        assert_eq!(costs.frames as u64, range.end - range.start);
        for cost in &costs.rows {
            let (mut calls, mut total, mut itself, mut longest) = (0, 0, 0, 0);
            for frame in shown.frames() {
                for (lane, scopes) in frame.lanes() {
                    let is_chosen =
                        range.contains(&frame.index) && cost.lane.is_none_or(|of| of == lane);
                    let of_timer = (scopes.iter().zip(self_times(scopes)))
                        .filter(|(scope, _)| is_chosen && scope.series() == cost.series);
                    for (scope, self_ns) in of_timer {
                        let part = within_frame(scope);
                        total += part.end - part.start;
                        itself += self_ns;
                        if !scope.is_open() {
                            calls += 1;
                            longest = longest.max(scope.duration_ns());
                        }
                    }
                }
            }
            assert_eq!(
                (cost.calls, cost.total_ns, cost.self_ns, cost.longest_ns),
                (calls, total, itself, longest),
                "{}",
                cost.path
            );
        }
        let is_in_order = |a: &Cost, b: &Cost| (a.is_wait, -a.self_ns) <= (b.is_wait, -b.self_ns);
        assert!(costs.rows.is_sorted_by(is_in_order));
        costs.sort(CostColumn::Name);
        assert!(
            costs
                .rows
                .is_sorted_by(|a, b| (&a.path, a.lane) < (&b.path, b.lane))
        );
    }
}

#[test]
fn a_search_leaves_out_timers_and_changes_no_number_of_the_others() {
    let mut random = Random::new(52);
    let mut calls = random_calls(&mut random);
    let mut shown = ShownScopes::default();
    shown.read(&mut calls, &[(0..6).into(), (6..12).into()], None);
    let of = |search: &str| {
        let mut costs = Costs::default();
        let choices = CostsChoices::default();
        let found = (&Query::new(search), &MarkedBaseline::default());
        costs.update(&shown, &(0..12), &choices, found);
        let numbers = |cost: &Cost| {
            let times = (cost.total_ns, cost.self_ns, cost.longest_ns);
            (cost.path.clone(), cost.calls, times)
        };
        let rows: Vec<_> = costs.rows.iter().map(numbers).collect();
        (rows, costs.frames_ns)
    };
    let (all, frames_ns) = of("");
    assert_eq!(all.len(), 8);
    for (search, finds) in [
        ("TIMER/3", "timer/3"),
        ("-timer/3", ""),
        ("zero", "timer"),
        ("x", "x"),
    ] {
        let (found, time) = of(search);
        let is_found = |path: &str| match search {
            "-timer/3" => path != "timer/3",
            _ => path.starts_with(finds),
        };
        let expected = all.iter().filter(|(path, ..)| is_found(path)).cloned();
        let expected: Vec<_> = expected.collect();
        assert_eq!((found, time), (expected, frames_ns), "{search}");
    }
}

#[test]
fn a_change_is_the_total_of_a_frame_minus_that_of_the_baseline() {
    let mut calls = random_calls(&mut Random::new(53));
    let mut shown = ShownScopes::default();
    shown.read(&mut calls, &[(0..6).into(), (6..12).into()], None);
    let mut baseline = MarkedBaseline::default();
    let marked = |timer: u64, unit: &str, mean: f64| BaselineSeries {
        path: format!("timer/{timer}"),
        unit: unit.to_owned(),
        mean,
        ..BaselineSeries::default()
    };
    baseline.set(vec![
        marked(0, "ms", 0.0),
        marked(1, "ms", 1000.0),
        marked(2, "ms", 0.125),
        marked(3, "bytes", 1.0),
    ]);
    for by_thread in [false, true] {
        let choices = CostsChoices {
            sort: CostColumn::Change,
            by_thread,
            tree: false,
        };
        let mut costs = Costs::default();
        costs.update(&shown, &(0..12), &choices, (&Query::default(), &baseline));
        for cost in &costs.rows {
            let total = cost.total_ns as f64 / 12.0;
            let expected = match cost.path.as_str() {
                _ if by_thread => None,
                "timer/0" => Some(total),
                "timer/1" => Some(total - 1e9),
                "timer/2" => Some(total - 0.125e6),
                _ => None,
            };
            assert_eq!(cost.change_ns, expected, "{}", cost.path);
        }
        if !by_thread {
            let paths = costs.rows.iter().map(|cost| cost.path.as_str());
            let paths: Vec<&str> = paths.collect();
            // The largest increase first, and those without a baseline last.
            assert_eq!(paths[2..4], ["timer/1", "timer/3"]);
            assert!(costs.rows[0].change_ns >= costs.rows[1].change_ns);
        }
    }
}

/// The calls, the total and the self time of each key.
type Sums<K> = HashMap<K, (u64, i64, i64)>;

fn add<K: Hash + Eq>(sums: &mut Sums<K>, key: K, (calls, total, itself): (u64, i64, i64)) {
    let sum = sums.entry(key).or_default();
    (sum.0, sum.1, sum.2) = (sum.0 + calls, sum.1 + total, sum.2 + itself);
}

/// Returns the sums of each call path by its definition: the timers of the scopes around a call.
fn sums_of_call_paths(shown: &ShownScopes) -> Sums<Vec<SeriesId>> {
    let mut sums = HashMap::new();
    for (_, scopes) in shown.frames().iter().flat_map(FrameCopy::lanes) {
        for (at, (scope, self_ns)) in scopes.iter().zip(self_times(scopes)).enumerate() {
            let mut call_path = vec![scope.series()];
            let mut depth = scope.depth();
            for before in scopes[..at].iter().rev() {
                if before.depth() < depth {
                    depth = before.depth();
                    call_path.push(before.series());
                }
            }
            call_path.reverse();
            let part = within_frame(scope);
            let call = (u64::from(!scope.is_open()), part.end - part.start, self_ns);
            add(&mut sums, call_path, call);
        }
    }
    sums
}

#[test]
fn a_tree_has_the_sums_of_each_call_path_below_its_callers() {
    let mut random = Random::new(54);
    for _ in 0..5 {
        let mut calls = random_calls(&mut random);
        let mut shown = ShownScopes::default();
        shown.read(&mut calls, &[(0..6).into(), (6..12).into()], None);
        let mut choices = CostsChoices {
            tree: true,
            ..CostsChoices::default()
        };
        let mut costs = Costs::default();
        let baseline = MarkedBaseline::default();
        costs.update(&shown, &(0..12), &choices, (&Query::default(), &baseline));
        let expected = sums_of_call_paths(&shown);
        for column in [CostColumn::Itself, CostColumn::Calls, CostColumn::Name] {
            costs.sort(column);
            let (mut found, mut call_path, mut keys) = (HashMap::new(), vec![], HashSet::new());
            for cost in &costs.rows {
                assert!(cost.level <= call_path.len(), "a caller is missing");
                call_path.truncate(cost.level);
                call_path.push(cost.series);
                add(
                    &mut found,
                    call_path.clone(),
                    (cost.calls, cost.total_ns, cost.self_ns),
                );
                assert!(keys.insert(cost.key()), "two rows are the same");
            }
            assert_eq!(found.len(), costs.rows.len(), "each has one row");
            assert_eq!(found, expected);
        }
        // A search leaves out what it does not find, except for the callers.
        costs.update(
            &shown,
            &(0..12),
            &choices,
            (&Query::new("timer/3"), &baseline),
        );
        let levels = costs.rows.iter().map(|cost| cost.level);
        let next = levels.skip(1).chain([0]);
        for (cost, next) in costs.rows.iter().zip(next) {
            assert!(cost.path == "timer/3" || next > cost.level, "{}", cost.path);
        }
        let of = |costs: &Costs, path: &str| -> i64 {
            let rows = costs.rows.iter().filter(|cost| cost.path == path);
            rows.map(|cost| cost.self_ns).sum()
        };
        let in_tree = of(&costs, "timer/3");
        choices.tree = false;
        costs.update(&shown, &(0..12), &choices, (&Query::default(), &baseline));
        assert_eq!(in_tree, of(&costs, "timer/3"));
    }
}
