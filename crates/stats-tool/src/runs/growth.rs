//! The text about levels that grow until the end of a run.

use stats_analysis::format::{NO_VALUE, fixed_text, value_text};
use stats_core::Unit;

use super::hitches::named;
use crate::document::Table;
use crate::metrics::{Growth, RunMetrics};

/// Two levels in bytes whose slopes differ by less than this part of the larger one grow by the same
/// memory.
const SAME: f64 = 0.25;

/// A level that grows, and those that contain the same memory.
pub(crate) struct Grown<'a> {
    pub(crate) growth: &'a Growth,
    /// The paths of the others.
    pub(crate) with_it: Vec<&'a str>,
}

/// Returns the levels that grow, each memory once: a part of the program comes before what contains it,
/// such as the memory of the process.
pub(crate) fn grown(all: &[Growth]) -> Vec<Grown<'_>> {
    let mut sorted: Vec<&Growth> = all.iter().collect();
    sorted.sort_by_key(|one| breadth(&one.leak.path));
    let mut found: Vec<Grown<'_>> = Vec::new();
    for growth in sorted {
        match found.iter_mut().find(|one| is_same(one.growth, growth)) {
            Some(one) => one.with_it.push(&growth.leak.path),
            None => found.push(Grown {
                growth,
                with_it: Vec::new(),
            }),
        }
    }
    found
}

/// Returns how much of the memory a level of this path contains: a part, a group, or all.
fn breadth(path: &str) -> u8 {
    match path.split('/').next() {
        Some("process") => 2,
        Some("memory") => 1,
        _ => 0,
    }
}

/// Returns whether `outer` contains what makes `inner` grow.
fn is_same(inner: &Growth, outer: &Growth) -> bool {
    let (a, b) = (inner.leak.per_second, outer.leak.per_second);
    let are_bytes = inner.unit == Unit::Bytes && outer.unit == Unit::Bytes;
    let is_wider = breadth(&outer.leak.path) > 0;
    are_bytes && is_wider && (a - b).abs() < SAME * a.max(b)
}

/// Returns a sentence without a capital letter and a period: `ai/notes grows by 1.50 MiB a second, is at
/// 30.0 MiB, and reaches its budget of 64.0 MiB in 23 s`.
pub(crate) fn growth_text(one: &Grown<'_>) -> String {
    let Growth {
        leak, unit, newest, ..
    } = one.growth;
    let text = |value| value_text(value, *unit);
    let slower = if leak.is_slower { ", slower now" } else { "" };
    let is_at = match newest.is_nan() {
        true => String::new(),
        false => format!(", is at {}", text(*newest)),
    };
    let until = match (leak.seconds_to_budget, one.growth.budget) {
        (Some(0.0), Some(budget)) => format!(", over its budget of {}", text(budget)),
        (Some(secs), Some(budget)) => format!(
            ", and reaches its budget of {} in {}",
            text(budget),
            until_text(secs)
        ),
        _ => String::new(),
    };
    let with_it = match one.with_it.is_empty() {
        true => String::new(),
        false => format!("; with it {}", one.with_it.join(", ")),
    };
    let slope = text(leak.per_second);
    format!(
        "{} grows by {slope} a second{slower}{is_at}{until}{with_it}",
        leak.path
    )
}

/// Returns a table of the levels that grow.
pub(super) fn growth_table(runs: &[RunMetrics]) -> Table {
    let titles = [
        "level that grows",
        "with it",
        "a second",
        "at the end",
        "budget",
        "reaches it",
    ];
    let mut table = Table::of_verdicts(&titles);
    for run in runs {
        for one in grown(&run.explained.leaks) {
            let Growth {
                leak, unit, newest, ..
            } = one.growth;
            let text = |value: f64| value_text(value, *unit);
            let slower = if leak.is_slower { ", slower now" } else { "" };
            table.row([
                named(runs, run, &leak.path),
                match one.with_it.is_empty() {
                    true => NO_VALUE.to_owned(),
                    false => one.with_it.join(", "),
                },
                text(leak.per_second) + slower,
                text(*newest),
                one.growth.budget.map_or(NO_VALUE.to_owned(), text),
                match leak.seconds_to_budget {
                    None => NO_VALUE.to_owned(),
                    Some(0.0) => "is over it".to_owned(),
                    Some(secs) => format!("in {}", until_text(secs)),
                },
            ]);
        }
    }
    table
}

/// Returns a time that is an estimate, in its largest unit: `38 s`, `12 min` or `5.2 h`.
fn until_text(secs: f64) -> String {
    match secs {
        ..120.0 => format!("{} s", fixed_text(secs, 0)),
        120.0..7200.0 => format!("{} min", fixed_text(secs / 60.0, 0)),
        _ => format!("{} h", fixed_text(secs / 3600.0, 1)),
    }
}

#[cfg(test)]
mod tests {
    use stats_analysis::insight::Leak;

    use super::*;

    fn growth(path: &str, mebibytes: f64, budget: Option<f64>, secs: Option<f64>) -> Growth {
        Growth {
            leak: Leak {
                path: path.to_owned(),
                series: 0,
                per_second: mebibytes * 1_048_576.0,
                is_slower: false,
                seconds_to_budget: secs,
            },
            unit: Unit::Bytes,
            newest: 31_457_280.0,
            budget,
        }
    }

    fn texts(all: &[Growth]) -> Vec<String> {
        grown(all).iter().map(growth_text).collect()
    }

    #[test]
    fn the_same_memory_is_told_once_with_its_size_budget_and_time() {
        let all = [
            growth("process/memory-resident", 1.6, None, None),
            growth("ai/notes", 1.5, Some(67_108_864.0), Some(22.7)),
            growth("memory/groups/ai", 1.5, None, None),
            growth("net/queue", 1.5, Some(1_048_576.0), Some(0.0)),
            growth("process/memory-virtual", 4.0, None, None),
        ];
        assert_eq!(
            texts(&all),
            [
                "ai/notes grows by 1.50 MiB a second, is at 30.0 MiB, and reaches its budget of 64.0 MiB in 23 s; \
                 with it memory/groups/ai, process/memory-resident",
                "net/queue grows by 1.50 MiB a second, is at 30.0 MiB, over its budget of 1.00 MiB",
                "process/memory-virtual grows by 4.00 MiB a second, is at 30.0 MiB",
            ]
        );
    }

    #[test]
    fn an_estimated_time_has_no_more_digits_than_it_is_worth() {
        let texts = [1.0, 119.4, 246.2, 7199.0, 18_720.0].map(until_text);
        assert_eq!(texts, ["1 s", "119 s", "4 min", "120 min", "5.2 h"]);
    }
}
