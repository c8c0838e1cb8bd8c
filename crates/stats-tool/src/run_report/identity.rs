//! The identity of the runs, whether they are comparable, and the quality of the data.

use stats_analysis::format::{NO_VALUE, count_text, value_text, whole_text};
use stats_capture::Ended;
use stats_core::Unit;

use super::summary::cell_of;
use crate::document::{Section, SectionId, Table, capitalized};
use crate::metrics::{Numbers, Reason, RunMetrics};
use crate::output::name_of;
use crate::runs::{Identity, differences, identity_table, is_busy, ready_text};

pub(super) fn identity(runs: &[RunMetrics]) -> Section {
    let mut section = Section::new(SectionId::IDENTITY);
    section.table(identity_table(&["", ""], &[identities(runs)]));
    section.table(machine_table(runs));
    section
}

fn identities(runs: &[RunMetrics]) -> Vec<Identity<'_>> {
    (runs.iter()).map(|run| (&run.run, run.machine())).collect()
}

/// A figure of a series.
type FigureOf = fn(&Numbers) -> f64;

/// What the machine did in a run: the series, and the figure that tells most of it.
const MACHINE: [(&str, &str, FigureOf); 9] = [
    ("load of the processors, mean", "machine/cpu", |numbers| {
        numbers.mean
    }),
    (
        "processor time of the program, mean",
        "process/cpu",
        |numbers| numbers.mean,
    ),
    (
        "clock of the processors, mean",
        "machine/clock",
        |numbers| numbers.mean,
    ),
    (
        "temperature of the processor, most",
        "machine/temperature",
        |numbers| numbers.max,
    ),
    (
        "available memory, least",
        "machine/memory-available",
        |numbers| numbers.min,
    ),
    ("swap, most", "machine/swap", |numbers| numbers.max),
    ("load of the GPU, mean", "machine/gpu/load", |numbers| {
        numbers.mean
    }),
    ("clock of the GPU, mean", "machine/gpu/clock", |numbers| {
        numbers.mean
    }),
    (
        "temperature of the GPU, most",
        "machine/gpu/temperature",
        |numbers| numbers.max,
    ),
];

/// Returns what the machine did, as far as it is known.
fn machine_table(runs: &[RunMetrics]) -> Table {
    let mut table = Table::of_numbers(&["machine", ""]);
    for (name, path, of) in MACHINE {
        let series = || {
            runs.iter()
                .filter_map(|run| run.series.iter().find(|one| one.record.path == path))
        };
        let values = series().filter_map(|one| one.numbers.as_ref().map(of));
        if let Some(unit) = series().map(|one| one.unit).next() {
            let cell = cell_of(values, unit);
            if cell != NO_VALUE {
                table.row([name.to_owned(), cell]);
            }
        }
    }
    table
}

/// Returns a sentence about a capture that the program did not complete; `None` if it did.
pub(super) fn cut_off(run: &RunMetrics) -> Option<String> {
    let name = name_of(&run.file);
    (run.run.ended == Ended::Recovered)
        .then(|| format!("{name} was killed or crashed, so its last second may be missing."))
}

/// Returns the quality of the data.
pub(super) fn quality(runs: &[RunMetrics]) -> Section {
    let mut section = Section::new(SectionId::DATA_QUALITY);
    let mut table = Table::of_numbers(&[
        "run",
        "frames",
        "left out",
        "lost",
        "clock steps of",
        "between frames",
        "cost of the capture",
    ]);
    for run in runs {
        table.row([
            name_of(&run.file),
            whole_text(run.recorded_frames as f64),
            whole_text(run.left_out.frames() as f64),
            run.lost_frames
                .map_or(NO_VALUE.to_owned(), |frames| whole_text(frames as f64)),
            format!("{} ns", whole_text(run.timestamps.step_ns as f64)),
            value_text(run.timestamps.gap_secs, Unit::Seconds),
            run.run.cost.map_or(NO_VALUE.to_owned(), |cost| {
                format!("{:.1} µs per frame", cost.us_per_frame)
            }),
        ]);
    }
    section.table(table);
    for run in runs {
        let name = name_of(&run.file);
        if let Some(share) = run.ready_share().filter(|share| !is_busy(*share)) {
            section.text(format!("{name}: {}.", ready_text(share)));
        }
        for doubt in &run.doubts {
            section.warning(format!("{name}: {doubt}."));
        }
        for chip in &run.throttling {
            section.warning(format!("{name}: {}.", chip.text()));
        }
        for (reason, frames) in &run.left_out.ranges {
            let reason = match reason {
                Reason::WarmUp => "warm-up".to_owned(),
                Reason::Span(span) => format!("the span {span:?}"),
            };
            section.text(format!(
                "Left out: {reason}, frames {} to {} of {name}.",
                frames.start,
                frames.end - 1
            ));
        }
    }
    section
}

/// Returns what limits the figures: differences between the runs, and damage to the data.
pub(super) fn warnings(runs: &[RunMetrics]) -> Vec<String> {
    let mut warnings: Vec<String> = differences(&identities(runs))
        .iter()
        .map(|difference| capitalized(difference))
        .collect();
    for run in runs {
        let name = name_of(&run.file);
        warnings.extend(cut_off(run));
        warnings.extend(run.damage());
        let lost = run.lost_frames.unwrap_or(0);
        let dropped = run.run.cost.map_or(0, |cost| cost.dropped_frames);
        if dropped > 0 {
            warnings.push(format!(
                "{name} is missing {}, because the disk or the processor was too slow to record them.",
                count_text(dropped, "frame", "frames")
            ));
        } else if lost > 0 {
            warnings.push(format!(
                "{name} lacks {} of the numbers between the first and the last frame: {} not recorded.",
                whole_text(lost as f64),
                if lost == 1 { "that frame was" } else { "those frames were" }
            ));
        }
        if let Some(share) = run.ready_share().filter(|share| is_busy(*share)) {
            warnings.push(format!("{name}: {}.", ready_text(share)));
        }
    }
    warnings
}
