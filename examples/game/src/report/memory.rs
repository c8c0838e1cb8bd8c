//! What a run that plays itself says of its memory: what was held, what a frame allocates, and each
//! group against its budget.
use std::fmt::Write;

use stats_core::Recorder;
use stats_memory::{BudgetState, GroupUsage};

use crate::events::LOADING;

/// The whole text; nothing without the tracker.
pub(crate) fn report(recorder: &mut Recorder) -> String {
    let mut text = String::new();
    if super::TRACKED {
        let totals = stats_memory::totals();
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n\nmemory: {} held at the end in {} allocations, {} at most, {} for the tracker itself\n{}\n\n",
            size(totals.bytes),
            totals.allocations,
            size(totals.peak_bytes),
            size(totals.overhead_bytes),
            frame_allocations(recorder)
        );
        let _ = write!(
            text,
            "{:<12}{:>12}{:>13}{:>12}{:>12}",
            "group", "held", "allocations", "peak", "budget"
        );
        stats_memory::for_each_group(|group| text += &line(group));
    }
    text
}

fn line(group: &GroupUsage) -> String {
    let budget = group.budget_bytes.map_or_else(|| "none".to_owned(), size);
    let (held, peak) = (size(group.bytes), size(group.peak_bytes));
    let told = format!(
        "\n{:<12}{held:>12}{:>13}{peak:>12}{budget:>12}",
        group.group, group.allocations
    );
    match group.budget_bytes {
        None => told,
        Some(_) if group.state == group.worst => format!("{told}  {}", name(group.state)),
        Some(_) => format!("{told}  {}, was {}", name(group.state), name(group.worst)),
    }
}

/// The groups that were ever over their budgets, in words; empty where none was.
pub(crate) fn over_budget() -> String {
    let mut over = Vec::new();
    stats_memory::for_each_group(|group| {
        if let (BudgetState::Over, Some(budget)) = (group.worst, group.budget_bytes) {
            over.push(format!(
                "{} ({} at most, of {})",
                group.group,
                size(group.peak_bytes),
                size(budget)
            ));
        }
    });
    over.join(", ")
}

/// How many allocations the frames made that the recorder holds, without those of loading.
fn frame_allocations(recorder: &mut Recorder) -> String {
    let mut counts = without_loading(recorder);
    counts.sort_by(f64::total_cmp);
    let (Some(median), Some(worst)) = (counts.get(counts.len() / 2), counts.last()) else {
        return "allocations of a frame: none recorded".to_owned();
    };
    let frames = counts.len();
    format!(
        "allocations of a frame without {LOADING}: {median} in the median, {worst} at most, of {frames} frames"
    )
}

fn without_loading(recorder: &mut Recorder) -> Vec<f64> {
    let Some(id) = stats_core::find("memory/frame-allocations") else {
        return Vec::new();
    };
    let watch = recorder.watch(id);
    let history = recorder.history_capacity();
    let frame_times = recorder
        .frame_times(history)
        .without_marked(recorder.marks(), &[LOADING]);
    let counts: Vec<f64> = recorder.history(&watch, history).iter().collect();
    // Both end with the newest frame.
    let pairs = counts.iter().rev().zip(frame_times.iter().rev());
    pairs
        .filter(|(count, ms)| count.is_finite() && !ms.is_nan())
        .map(|(count, _)| *count)
        .collect()
}

const fn name(state: BudgetState) -> &'static str {
    match state {
        BudgetState::Ok => "ok",
        BudgetState::Near => "near",
        BudgetState::Over => "OVER",
    }
}

/// Bytes for people: as many units of 1024 as leave a number to be read.
fn size(bytes: u64) -> String {
    const KIB: f64 = 1024.0;
    let bytes = bytes as f64;
    match bytes {
        _ if bytes < KIB => format!("{bytes} B"),
        _ if bytes < KIB * KIB => format!("{:.1} KiB", bytes / KIB),
        _ if bytes < KIB * KIB * KIB => format!("{:.1} MiB", bytes / KIB / KIB),
        _ => format!("{:.1} GiB", bytes / KIB / KIB / KIB),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_change_their_unit_at_1024() {
        assert_eq!(
            [0, 1023, 1024, (1 << 20) - 1].map(size),
            ["0 B", "1023 B", "1.0 KiB", "1024.0 KiB"]
        );
        assert_eq!(
            [1 << 20, 1 << 30, 5 << 39].map(size),
            ["1.0 MiB", "1.0 GiB", "2560.0 GiB"]
        );
    }

    #[test]
    fn a_line_says_the_worst_where_it_is_over() {
        let budget_bytes = Some(2048);
        let (state, worst) = (BudgetState::Ok, BudgetState::Over);
        let mut group = GroupUsage {
            group: "ai",
            bytes: 1024,
            allocations: 3,
            peak_bytes: 4096,
            budget_bytes,
            state,
            worst,
        };
        assert_eq!(
            line(&group)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            "ai 1.0 KiB 3 4.0 KiB 2.0 KiB ok, was OVER"
        );
        group.worst = BudgetState::Ok;
        assert!(line(&group).ends_with("  ok"));
        group.budget_bytes = None;
        assert!(line(&group).ends_with("none"));
    }
}
