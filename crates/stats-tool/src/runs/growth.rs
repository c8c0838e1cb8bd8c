//! The text about levels that grow until the end of a run.

use stats_analysis::format::{NO_VALUE, fixed_text, value_text};
use stats_core::Unit;

use super::hitches::named;
use crate::document::Table;
use crate::metrics::{Growth, RunMetrics};

/// Two levels in bytes whose slopes differ by less than this part of the larger one grow by the same
/// memory.
const SAME: f64 = 0.25;

/// A number of things without a budget is worth telling first from this number on.
const MANY: f64 = 1_000.0;

/// How much a level of the memory of the whole program contains, and at least one of the process.
const OF_PROGRAM: u8 = 3;

/// A level that grows, and those that grow by the same memory.
pub(crate) struct Grown<'a> {
    /// The first to reach its budget or, if none will, the smallest part of the program.
    pub(crate) growth: &'a Growth,
    /// The paths of the others.
    pub(crate) with_it: Vec<&'a str>,
}

impl Grown<'_> {
    /// Returns whether a reader wants to know it first: it has a budget, is memory, or is large.
    pub(crate) fn leads(&self) -> bool {
        let Growth {
            unit,
            newest,
            budget,
            ..
        } = self.growth;
        budget.is_some() || *unit == Unit::Bytes || *newest >= MANY
    }
}

/// Returns the levels that grow, each memory once: a part of the program comes before what contains it,
/// such as the memory of the process.
pub(crate) fn grown(all: &[Growth]) -> Vec<Grown<'_>> {
    let mut sorted: Vec<&Growth> = all.iter().collect();
    sorted.sort_by_key(|one| breadth(&one.leak.path));
    let mut groups: Vec<Vec<&Growth>> = Vec::new();
    for growth in sorted {
        let inner = groups.iter_mut().filter(|group| is_same(group, growth));
        let far = |group: &[&Growth]| (per_second(group[0]) - per_second(growth)).abs();
        match inner.min_by(|a, b| far(a).total_cmp(&far(b))) {
            Some(group) => group.push(growth),
            None => groups.push(vec![growth]),
        }
    }
    groups.into_iter().filter_map(of_group).collect()
}

fn of_group(group: Vec<&Growth>) -> Option<Grown<'_>> {
    let growth = *(group.iter()).min_by(|a, b| until(a).total_cmp(&until(b)))?;
    let others = group.iter().filter(|one| !std::ptr::eq(**one, growth));
    Some(Grown {
        growth,
        with_it: others.map(|one| one.leak.path.as_str()).collect(),
    })
}

/// Returns the path of what has a peak: `net/queue` of `net/queue-peak`, and `net` of `net/peak`. `None` if
/// the path is that of no peak.
fn peak_of(path: &str) -> Option<&str> {
    let of = path.strip_suffix("peak")?;
    of.strip_suffix(['/', '-'])
}

/// Returns how much of the memory a level of this path contains, from a part of the program to all.
fn breadth(path: &str) -> u8 {
    let mut segments = path.split('/');
    let what = match (segments.next(), segments.next()) {
        (Some("process"), _) => 4,
        (Some("memory"), Some("groups")) => 1,
        (Some("memory"), Some("scopes" | "unscoped" | "pools")) => 2,
        (Some("memory"), _) => OF_PROGRAM,
        _ => 0,
    };
    // A peak grows with the level whose peak it is.
    2 * what + u8::from(peak_of(path).is_some())
}

/// Returns in how many seconds a level reaches its budget.
fn until(growth: &Growth) -> f64 {
    growth.leak.seconds_to_budget.unwrap_or(f64::INFINITY)
}

fn per_second(growth: &Growth) -> f64 {
    growth.leak.per_second
}

/// Returns whether `outer` contains the memory that grows in a group. Each level of the group contains
/// the level before it.
fn is_same(group: &[&Growth], outer: &Growth) -> bool {
    let (inner, widest) = (group[0], group[group.len() - 1]);
    let (a, b) = (per_second(inner), per_second(outer));
    let are_bytes = inner.unit == Unit::Bytes && outer.unit == Unit::Bytes;
    let is_wider = breadth(&outer.leak.path) > breadth(&widest.leak.path);
    let is_alike = (a - b).abs() < SAME * a.max(b);
    are_bytes && is_wider && is_alike && may_contain(&outer.leak.path, group)
}

/// Returns whether a level may contain the memory of a group. The peak of a part of the program is about no
/// other part.
fn may_contain(outer: &str, group: &[&Growth]) -> bool {
    let of = peak_of(outer).filter(|_| breadth(outer) < 2 * OF_PROGRAM);
    of.is_none_or(|of| {
        let mut inside = (group.iter()).filter_map(|one| one.leak.path.strip_prefix(of));
        inside.any(|rest| rest.is_empty() || rest.starts_with('/'))
    })
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
    let until = (one.growth.budget).map_or_else(String::new, |budget| {
        let budget_text = text(budget);
        // The insight judges the minima of a level.
        match leak.seconds_to_budget {
            None => String::new(),
            Some(0.0) if *newest < budget => format!(", was over its budget of {budget_text}"),
            Some(0.0) => format!(", over its budget of {budget_text}"),
            Some(secs) if *newest >= budget => format!(
                ", at times over its budget of {budget_text}, and always in {}",
                until_text(secs)
            ),
            Some(secs) => format!(
                ", and reaches its budget of {budget_text} in {}",
                until_text(secs)
            ),
        }
    });
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

/// Returns a sentence for each level that grows and [leads](Grown::leads). If a level
/// grows in several runs, its sentence is of the run that reaches the budget first. If none does, it is of
/// the run with the fastest growth.
pub(crate) fn growth_sentences(runs: &[RunMetrics]) -> Vec<String> {
    let leaks = runs.iter().map(|run| run.explained.leaks.as_slice());
    sentences(&leaks.collect::<Vec<_>>())
}

fn sentences(runs: &[&[Growth]]) -> Vec<String> {
    let mut found: Vec<(Grown<'_>, usize)> = Vec::new();
    let all = runs.iter().flat_map(|leaks| grown(leaks));
    for one in all.filter(Grown::leads) {
        let path = &one.growth.leak.path;
        match (found.iter_mut()).find(|(known, _)| known.growth.leak.path == *path) {
            Some((known, count)) => {
                *count += 1;
                let urgency = |of: &Grown<'_>| (-until(of.growth), per_second(of.growth));
                if urgency(known) < urgency(&one) {
                    *known = one;
                }
            }
            None => found.push((one, 1)),
        }
    }
    let texts = found.iter().map(|(one, count)| match runs {
        [_] => growth_text(one) + ".",
        _ => format!("{}, in {count} of {} runs.", growth_text(one), runs.len()),
    });
    texts.collect()
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
    let all = runs.iter().flat_map(|run| {
        let grown = grown(&run.explained.leaks).into_iter();
        grown.map(move |one| (run, one))
    });
    let mut all: Vec<(&RunMetrics, Grown<'_>)> = all.collect();
    all.sort_by_key(|(_, one)| !one.leads());
    for (run, one) in &all {
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
            reached_text(one.growth),
        ]);
    }
    table
}

/// Returns when a level reaches its budget.
fn reached_text(growth: &Growth) -> String {
    let budget = growth.budget.unwrap_or(f64::NAN);
    match growth.leak.seconds_to_budget {
        None => NO_VALUE.to_owned(),
        Some(0.0) if growth.newest < budget => "was over it".to_owned(),
        Some(0.0) => "is over it".to_owned(),
        Some(secs) if growth.newest >= budget => {
            format!("at times; always in {}", until_text(secs))
        }
        Some(secs) => format!("in {}", until_text(secs)),
    }
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
    fn the_level_that_reaches_its_budget_first_represents_the_same_memory() {
        let all = [
            growth("ai/notes", 1.5, None, None),
            growth("memory/groups/ai/total", 1.5, Some(41_943_040.0), Some(6.7)),
            growth("memory/total", 1.6, Some(67_108_864.0), Some(20.0)),
        ];
        assert_eq!(
            texts(&all),
            [
                "memory/groups/ai/total grows by 1.50 MiB a second, is at 30.0 MiB, and reaches its budget of 40.0 MiB \
                 in 7 s; with it ai/notes, memory/total"
            ]
        );
    }

    #[test]
    fn groups_that_grow_equally_fast_are_different_memory() {
        let all = [
            growth("memory/groups/ai/total", 1.5, None, None),
            growth("memory/groups/net/total", 1.7, None, None),
            growth("process/memory-resident", 1.8, None, None),
            growth("process/memory-peak", 1.8, None, None),
        ];
        assert_eq!(
            texts(&all),
            [
                "memory/groups/ai/total grows by 1.50 MiB a second, is at 30.0 MiB",
                "memory/groups/net/total grows by 1.70 MiB a second, is at 30.0 MiB; with it process/memory-resident, \
                 process/memory-peak",
            ]
        );
    }

    #[test]
    fn the_peak_of_a_part_of_the_program_is_about_no_other_part() {
        let all = [
            growth("dialogue/speak", 1.5, None, None),
            growth("net/peak", 1.5, None, None),
            growth("net/queue", 1.5, None, None),
            growth("ai/notes", 1.5, None, None),
            growth("memory/peak", 1.5, None, None),
        ];
        let groups: Vec<_> = grown(&all)
            .iter()
            .map(|one| (one.growth.leak.path.clone(), one.with_it.join(", ")))
            .collect();
        let groups: Vec<_> = groups
            .iter()
            .map(|(path, with)| (&**path, &**with))
            .collect();
        assert_eq!(
            groups,
            [
                ("dialogue/speak", "memory/peak"),
                ("net/queue", "net/peak"),
                ("ai/notes", "")
            ]
        );
    }

    #[test]
    fn of_several_runs_the_one_that_reaches_its_budget_first_is_told() {
        let budget = Some(67_108_864.0);
        let runs = [
            vec![growth("ai/notes", 2.0, budget, Some(60.0))],
            vec![growth("ai/notes", 1.5, budget, Some(20.0))],
            vec![growth("ai/notes", 3.0, budget, None)],
        ];
        assert_eq!(
            sentences(&runs.each_ref().map(Vec::as_slice)),
            [
                "ai/notes grows by 1.50 MiB a second, is at 30.0 MiB, and reaches its budget of 64.0 MiB in 20 s, in 3 \
                 of 3 runs."
            ]
        );
    }

    #[test]
    fn a_level_that_falls_back_below_its_budget_is_told_as_it_is() {
        let all = [
            growth("ai/notes", 1.0, Some(20_971_520.0), Some(9.0)),
            growth("net/queue", 2.0, Some(41_943_040.0), Some(0.0)),
        ];
        assert_eq!(
            texts(&all),
            [
                "ai/notes grows by 1.00 MiB a second, is at 30.0 MiB, at times over its budget of 20.0 MiB, and always \
                 in 9 s",
                "net/queue grows by 2.00 MiB a second, is at 30.0 MiB, was over its budget of 40.0 MiB",
            ]
        );
        assert_eq!(
            all.each_ref().map(reached_text),
            ["at times; always in 9 s", "was over it"]
        );
    }

    #[test]
    fn sentences_of_several_runs_count_them_and_leave_out_a_few_things() {
        let entries = Growth {
            unit: Unit::Count,
            newest: 72.0,
            ..growth("paths/cache/entries", 1e-6, None, None)
        };
        let many = Growth {
            newest: 1_000.0,
            ..entries.clone()
        };
        let runs = [
            vec![growth("ai/notes", 1.5, None, None), entries],
            vec![growth("ai/notes", 2.0, None, None)],
            vec![many],
        ];
        let all = runs.each_ref().map(Vec::as_slice);
        assert_eq!(
            sentences(&all),
            [
                "ai/notes grows by 2.00 MiB a second, is at 30.0 MiB, in 2 of 3 runs.",
                "paths/cache/entries grows by 1.05 a second, is at 1,000, in 1 of 3 runs.",
            ]
        );
        let alone = sentences(&all[..1]);
        assert_eq!(
            alone,
            ["ai/notes grows by 1.50 MiB a second, is at 30.0 MiB."]
        );
    }

    #[test]
    fn an_estimated_time_has_no_more_digits_than_it_is_worth() {
        let texts = [1.0, 119.4, 246.2, 7199.0, 18_720.0].map(until_text);
        assert_eq!(texts, ["1 s", "119 s", "4 min", "120 min", "5.2 h"]);
    }
}
