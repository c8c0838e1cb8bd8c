//! Why a value is a spike, or why it is none, in words.

use stats_analysis::format::{exact_text, whole_like};
use stats_analysis::spike::Verdict;
use stats_core::Unit;

/// Rounds to microseconds, the precision of clocks.
pub(crate) fn round_us(time_ms: f64) -> f64 {
    (time_ms * 1000.0).round() / 1000.0
}

/// Returns why a value is a spike: `spike: 81.372 ms over its usual 16.5 ms, 5.9 times as much`.
pub(crate) fn spike_text(found: &Verdict, unit: Unit) -> String {
    let text = |value| exact_text(round_us(value), unit);
    let usual = whole_like(found.value, found.usual, unit);
    let (excess, usual) = (text(found.value - usual), text(usual));
    let mut why = format!("spike: {excess} over its usual {usual}");
    if let Some(times) = found.times() {
        why += &format!(", {times:.1} times as much");
    }
    why
}

/// Returns from which value on a frame stands out from its past. It moves with the past, so a larger
/// value elsewhere may be no spike.
pub(crate) fn bar_text(found: &Verdict, unit: Unit) -> String {
    let text = |value| exact_text(round_us(value), unit);
    let usual = whole_like(found.value, found.usual, unit);
    let is_above = found.value > found.bar;
    let (usual, bar) = (text(usual), text(found.bar));
    if is_above {
        format!("A spike begins above {bar} here: {usual} is usual.")
    } else {
        format!("No spike: one begins above {bar} here, where {usual} is usual.")
    }
}
