//! The text about runs that became slower.

use stats_analysis::format::value_text;
use stats_core::Unit;

use crate::metrics::Slower;

/// Returns when a run became slower, by how much, and what grew with it, without the period:
/// `slower since frame 2000: 8.00 ms to 14.00 ms, 97 % render/draw`.
pub(crate) fn slower_since(slower: &Slower) -> String {
    let first = slower.slowdown.first_frame;
    let since = match slower.last_frame {
        _ if slower.is_gradual => "slower little by little".to_owned(),
        None => format!("slower since frame {first}"),
        Some(last) => format!("slower in frames {first} to {last}"),
    };
    let cause = slower.cause.as_ref().filter(|cause| cause.excess_ms > 0.0);
    let cause = cause.and_then(|cause| Some(cause.verdict.split_once(": ")?.1));
    let cause = cause.map_or_else(String::new, |cause| format!(", {cause}"));
    format!("{since}: {}{cause}", change_text(slower))
}

/// Returns the usual frame time before and since: `8.00 ms to 14.00 ms`.
fn change_text(slower: &Slower) -> String {
    let [from, to] = [slower.slowdown.from_ms, slower.slowdown.to_ms]
        .map(|ms| value_text(ms, Unit::Milliseconds));
    format!("{from} to {to}")
}
