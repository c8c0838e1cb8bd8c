//! Memory: how much is in use, how much a frame allocates, and each group against its budget.
use std::fmt::Write;

use stats_core::Recorder;
use stats_memory::{BudgetState, GroupUsage};

use crate::memory::TRACKED;
use crate::overlay::marks::LOADING;

/// Returns the whole section; empty if memory is not tracked.
pub(super) fn section(recorder: &mut Recorder) -> String {
    let mut text = String::new();
    if TRACKED {
        let totals = stats_memory::totals();
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n\nmemory: {} in {} allocations at the end, peak {}, tracker overhead {}\n{}\n",
            size(totals.bytes),
            totals.allocations,
            size(totals.peak_bytes),
            size(totals.overhead_bytes),
            frame_allocations(recorder)
        );
        text += &untracked();
        let _ = write!(
            text,
            "{:<12}{:>12}{:>13}{:>12}{:>12}",
            "group", "in use", "allocations", "peak", "budget"
        );
        stats_memory::for_each_group(|group| text += &line(group));
    }
    text
}

/// Returns a line about the memory that the tracker does not see, and an empty line; only the empty
/// line if the system does not report it.
fn untracked() -> String {
    stats_memory::untracked().map_or_else(
        || "\n".to_owned(),
        |of| {
            let parts = [
                ("files", of.files_bytes),
                ("generated code", of.code_bytes),
                ("C libraries", of.heap_bytes),
                ("devices", of.devices_bytes),
                ("shared", of.shared_bytes),
                ("stacks", of.stacks_bytes),
                ("other", Some(of.other_bytes)),
            ];
            let known = parts.map(|(name, bytes)| Some(format!("{name} {}", size(bytes?))));
            let known: Vec<_> = known.into_iter().flatten().collect();
            format!(
                "process: {} in RAM, {} untracked: {}\n\n",
                size(of.resident_bytes),
                size(of.bytes()),
                known.join(", ")
            )
        },
    )
}

/// Returns the groups that exceeded their budgets at any time, as a list for people; empty if none
/// did.
pub(super) fn over_budget() -> String {
    let mut over = Vec::new();
    stats_memory::for_each_group(|group| {
        if let (BudgetState::Over, Some(budget)) = (group.worst, group.budget_bytes) {
            over.push(format!(
                "{} (peak {} of {})",
                group.group,
                size(group.peak_bytes),
                size(budget)
            ));
        }
    });
    over.join(", ")
}

fn line(group: &GroupUsage) -> String {
    let budget = group.budget_bytes.map_or_else(|| "none".to_owned(), size);
    let (bytes, peak) = (size(group.bytes), size(group.peak_bytes));
    let line = format!(
        "\n{:<12}{bytes:>12}{:>13}{peak:>12}{budget:>12}",
        group.group, group.allocations
    );
    match group.budget_bytes {
        None => line,
        Some(_) if group.state == group.worst => format!("{line}  {}", name(group.state)),
        Some(_) => format!("{line}  {}, was {}", name(group.state), name(group.worst)),
    }
}

/// Returns the allocations per recorded frame, without the frames in which a level was loading.
fn frame_allocations(recorder: &mut Recorder) -> String {
    let mut counts = counts_without_loading(recorder);
    counts.sort_by(f64::total_cmp);
    let (Some(median), Some(worst)) = (counts.get(counts.len() / 2), counts.last()) else {
        return "allocations per frame: none recorded".to_owned();
    };
    let frames = counts.len();
    format!(
        "allocations per frame without {LOADING}: median {median}, maximum {worst}, over {frames} frames"
    )
}

fn counts_without_loading(recorder: &mut Recorder) -> Vec<f64> {
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
        BudgetState::Near => "near",
        BudgetState::Over => "OVER",
        _ => "ok",
    }
}

/// Formats bytes for people, in the largest unit of 1024 that leaves a number of at least 1, up to
/// GiB.
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
    fn sizes_change_unit_at_1024() {
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
    fn a_line_shows_the_worst_state_if_it_differs_from_the_current_one() {
        let mut group = GroupUsage::default();
        group.group = "ai";
        (group.bytes, group.allocations, group.peak_bytes) = (1024, 3, 4096);
        group.budget_bytes = Some(2048);
        group.worst = BudgetState::Over;
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
