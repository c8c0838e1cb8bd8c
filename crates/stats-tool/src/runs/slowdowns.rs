//! The text about runs that became slower.

use stats_analysis::format::{NO_VALUE, count_text, value_text};
use stats_core::Unit;

use crate::document::{Table, capitalized};
use crate::metrics::{RunMetrics, Slower};
use crate::output::name_of;

/// A slowdown, and the name of its run if there are several runs.
pub(crate) type Named<'a> = (&'a Slower, Option<String>);

pub(crate) fn slowdowns(runs: &[RunMetrics]) -> Vec<Named<'_>> {
    let of = |run: &RunMetrics| (runs.len() > 1).then(|| name_of(&run.file));
    let all = runs.iter().flat_map(|run| {
        let slowdowns = run.explained.slowdowns.iter();
        slowdowns.map(move |slower| (slower, of(run)))
    });
    all.collect()
}

/// Returns a sentence about slowdowns: `Slower since frame 2000: 8.00 ms to 14.00 ms, 97 % render/draw.`
/// Of several, it names the largest. `None` without any.
pub(crate) fn slowdowns_text(slowdowns: &[Named<'_>]) -> Option<String> {
    let rise_ms = |slower: &Slower| slower.slowdown.to_ms - slower.slowdown.from_ms;
    let (largest, run) = (slowdowns.iter()).max_by(|a, b| rise_ms(a.0).total_cmp(&rise_ms(b.0)))?;
    let what = match slowdowns.len() {
        1 => "slower".to_owned(),
        count => format!(
            "{}, the largest",
            count_text(count as u64, "slowdown", "slowdowns")
        ),
    };
    let cause = cause_text(largest).map_or_else(String::new, |cause| format!(", {cause}"));
    let text = format!(
        "{what} {}: {}{cause}",
        when_text(largest, run),
        change_text(largest)
    );
    Some(capitalized(&text))
}

pub(crate) fn slowdown_table(slowdowns: &[Named<'_>]) -> Table {
    let mut table = Table::of_texts(&["slower", "frame time", "what grew"]);
    for (slower, run) in slowdowns {
        table.row([
            when_text(slower, run),
            change_text(slower),
            cause_text(slower).unwrap_or(NO_VALUE).to_owned(),
        ]);
    }
    table
}

/// Returns when a run was slower: `since frame 2000`.
fn when_text(slower: &Slower, run: &Option<String>) -> String {
    let first = slower.slowdown.first_frame;
    let when = match slower.last_frame {
        _ if slower.is_gradual => "little by little".to_owned(),
        None => format!("since frame {first}"),
        Some(last) => format!("in frames {first} to {last}"),
    };
    match run {
        None => when,
        Some(run) => format!("{when} in {run}"),
    }
}

/// Returns what grew: `97 % render/draw`.
fn cause_text(slower: &Slower) -> Option<&str> {
    Some(slower.cause.as_ref()?.verdict.split_once(": ")?.1)
}

/// Returns the usual frame time before and since: `8.00 ms to 14.00 ms`.
fn change_text(slower: &Slower) -> String {
    let [from, to] = [slower.slowdown.from_ms, slower.slowdown.to_ms]
        .map(|ms| value_text(ms, Unit::Milliseconds));
    format!("{from} to {to}")
}
