//! The sums, compared with sums that are computed call by call.

use stats_testing::Random;

use super::choices::{CostColumn, CostsChoices};
use super::sums::{Cost, Costs};
use crate::baseline::marked::MarkedBaseline;
use crate::baseline::saved::BaselineSeries;
use crate::data::shown_scopes::{ShownScopes, self_times, within_frame};
use crate::search::query::Query;
use crate::testing::random_calls;

#[test]
fn sums_equal_those_of_every_call_by_itself() {
    let mut random = Random::new(51);
    for round in 0..20 {
        let mut calls = random_calls(&mut random);
        let mut shown = ShownScopes::default();
        shown.read(&mut calls, &[0..6, 6..12], None);
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
    shown.read(&mut calls, &[0..6, 6..12], None);
    let of = |search: &str| {
        let mut costs = Costs::default();
        let choices = CostsChoices::default();
        let found = (&Query::new(search), &MarkedBaseline::default());
        costs.update(&shown, &(0..12), &choices, found);
        (costs.rows, costs.frames_ns)
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
        let is_found = |cost: &&Cost| match search {
            "-timer/3" => cost.path != "timer/3",
            _ => cost.path.starts_with(finds),
        };
        let expected: Vec<Cost> = all.iter().filter(is_found).cloned().collect();
        assert_eq!((found, time), (expected, frames_ns), "{search}");
    }
}

#[test]
fn a_change_is_the_total_of_a_frame_minus_that_of_the_baseline() {
    let mut calls = random_calls(&mut Random::new(53));
    let mut shown = ShownScopes::default();
    shown.read(&mut calls, &[0..6, 6..12], None);
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
