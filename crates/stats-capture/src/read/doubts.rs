//! What is implausible about the clock of a file.
//!
//! Another program may count in another unit, or from another origin. Nothing is guessed: the
//! numbers are kept, except for an origin decades ago, and a sentence names the column.

/// The least start that is a time since 1970 rather than since the beginning of a run: ten years,
/// in nanoseconds.
const EPOCH_NS: i64 = 315_360_000_000_000_000;

/// The shortest plausible median of durations, in milliseconds: 20,000 frames per second.
const SHORTEST_MS: f64 = 0.05;

/// The longest plausible median of durations, in milliseconds: ten seconds.
const LONGEST_MS: f64 = 10_000.0;

/// The least ratio between the steps of starts and the durations, or its inverse, at which they
/// contradict each other.
const CONTRADICTION: f64 = 50.0;

/// Returns the number to subtract from all starts, in nanoseconds, and a sentence about it. `first`
/// is the start of the first frame.
pub(super) fn origin(first: Option<i64>) -> (i64, Option<String>) {
    match first {
        Some(first) if first >= EPOCH_NS => {
            let text = "start_ns counts from a time decades ago; it is read as counting from the first frame";
            (first, Some(text.to_owned()))
        }
        _ => (0, None),
    }
}

/// Returns a sentence for each implausibility of a clock. `frame_of` returns the frame of a row;
/// `is_own` is whether this crate wrote the file, so that its units are known.
pub(super) fn of_clock(
    starts_secs: &[f64],
    durations_ms: &[f64],
    frame_of: impl Fn(usize) -> u64,
    is_own: bool,
) -> Vec<String> {
    let mut doubts = Vec::new();
    let mut say_rows = |rows: Vec<usize>, what: &str, cure: &str| {
        if let Some(first) = rows.first() {
            doubts.push(match rows.len() {
                1 => format!("{what} in frame {}; {cure}", frame_of(*first)),
                count => format!(
                    "{what} in {count} frames, the first of them {}; {cure}",
                    frame_of(*first)
                ),
            });
        }
    };
    let negative = (0..durations_ms.len()).filter(|row| durations_ms[*row] < 0.0);
    let cure = "no figure counts such a frame: write how long the frame took";
    say_rows(negative.collect(), "duration_ns is negative", cure);
    let is_constant =
        starts_secs.len() > 1 && starts_secs.iter().all(|start| *start == starts_secs[0]);
    let steps = || (1..starts_secs.len()).map(|row| (row, starts_secs[row] - starts_secs[row - 1]));
    if is_constant {
        doubts.push(
            "start_ns is the same in all frames, so no time of a frame is known; write when each frame began"
                .to_owned(),
        );
    } else {
        let backward = steps().filter(|(_, step)| *step < 0.0).map(|(row, _)| row);
        let cure = "write when each frame began, in the order of the frames";
        say_rows(backward.collect(), "start_ns goes backward", cure);
    }
    let median_ms = median(durations_ms.iter().copied().filter(|ms| *ms > 0.0));
    if is_own {
        return doubts;
    }
    let Some(median_ms) = median_ms else {
        if !durations_ms.is_empty() {
            doubts.push(
                "duration_ns is not positive in any frame; write how long each frame took"
                    .to_owned(),
            );
        }
        return doubts;
    };
    let step_ms = median(steps().map(|(_, step)| step * 1e3).filter(|ms| *ms > 0.0));
    let ratio = step_ms.map_or(1.0, |step_ms| step_ms / median_ms);
    if !(1.0 / CONTRADICTION..=CONTRADICTION).contains(&ratio) {
        doubts.push(format!(
            "duration_ns and start_ns contradict each other: a frame takes {} ms and the next one begins {} ms after \
             it{}; write both in nanoseconds",
            short(median_ms),
            short(step_ms.unwrap_or(0.0)),
            unit_of(ratio)
        ));
    } else if !(SHORTEST_MS..=LONGEST_MS).contains(&median_ms) {
        doubts.push(format!(
            "half of the frames take {} ms or {}; write duration_ns and start_ns in nanoseconds",
            short(median_ms),
            if median_ms < SHORTEST_MS {
                "less"
            } else {
                "more"
            }
        ));
    }
    doubts
}

/// Returns the guess about the unit of durations that are this many times too short.
fn unit_of(ratio: f64) -> &'static str {
    let is = |times: f64| (0.5..2.0).contains(&(ratio / times));
    if is(1e3) {
        ", as if duration_ns were in microseconds"
    } else if is(1e6) {
        ", as if duration_ns were in milliseconds"
    } else if is(1e9) {
        ", as if duration_ns were in seconds"
    } else if is(1e-3) {
        ", as if start_ns were in microseconds"
    } else if is(1e-6) {
        ", as if start_ns were in milliseconds"
    } else if is(1e-9) {
        ", as if start_ns were in seconds"
    } else {
        ""
    }
}

fn short(ms: f64) -> String {
    format!("{}", (ms * 1e6).round() / 1e6)
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::{of_clock, origin};

    /// Sixty frames of 10 ms, with a change.
    fn doubts(change: impl Fn(usize, &mut f64, &mut f64)) -> Vec<String> {
        let (mut starts, mut durations) = (Vec::new(), Vec::new());
        for row in 0..60 {
            let (mut start, mut duration) = (row as f64 * 0.01, 10.0);
            change(row, &mut start, &mut duration);
            starts.push(start);
            durations.push(duration);
        }
        of_clock(&starts, &durations, |row| row as u64 + 7, false)
    }

    #[test]
    fn each_implausible_clock_has_one_sentence_that_names_the_column() {
        assert_eq!(doubts(|_, _, _| ()), [""; 0]);
        // A pause, and a jitter, are plausible.
        assert_eq!(
            doubts(|row, start, _| *start += if row > 30 { 9.0 } else { 0.0 }),
            [""; 0]
        );
        type Change = fn(usize, &mut f64, &mut f64);
        let cases: [(Change, &str); 9] = [
            (
                |_, _, ms| *ms /= 1e3,
                "as if duration_ns were in microseconds",
            ),
            (
                |_, _, ms| *ms /= 1e6,
                "as if duration_ns were in milliseconds",
            ),
            (|_, _, ms| *ms *= 1e3, "as if start_ns were in microseconds"),
            (
                |_, start, ms| (*start, *ms) = (*start / 1e3, *ms / 1e3),
                "take 0.01 ms or less",
            ),
            (
                |row, _, ms| *ms = if row == 3 { -1.0 } else { *ms },
                "duration_ns is negative in frame 10;",
            ),
            (
                |row, _, ms| *ms = if row < 3 { -1.0 } else { *ms },
                "in 3 frames, the first of them 7;",
            ),
            (
                |_, start, _| *start = 0.0,
                "start_ns is the same in all frames",
            ),
            (
                |row, start, _| *start -= if row == 9 { 5.0 } else { 0.0 },
                "start_ns goes backward in frame 16;",
            ),
            (
                |_, _, ms| *ms = 0.0,
                "duration_ns is not positive in any frame",
            ),
        ];
        for (change, expected) in cases {
            let found = doubts(change);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains(expected), "{found:?}");
        }
        assert_eq!(of_clock(&[], &[], |_| 0, false), [""; 0]);
    }

    #[test]
    fn a_clock_since_1970_counts_from_its_first_frame() {
        assert_eq!(origin(Some(5)), (0, None));
        let (ns, text) = origin(Some(1_764_187_200_000_000_000));
        assert_eq!(ns, 1_764_187_200_000_000_000);
        assert!(text.is_some_and(|text| text.starts_with("start_ns ")));
        assert_eq!(origin(None), (0, None));
    }
}
