//! The report of a run, as tables.

use std::fmt;

use crate::{Distribution, SeriesInfo, SeriesKind, Unit};

/// What a run has counted, sorted by path. [`report`](crate::report()) returns the report of the
/// current run, and [`begin_run`](crate::begin_run) returns the report of the run that it ends. A
/// run begins with the program or with `begin_run`.
///
/// Counters, timers and histograms without a value in the run are left out, and so are series with
/// [deferred](crate::DeferredSource) values, which only recorders add up.
///
/// Prints as one table for each kind: counters, timers, levels with gauges, and histograms. Columns
/// are as wide as the number of characters of their longest text, so they are aligned if all
/// characters have the same width: paths in scripts with wide characters (中文) push their row to
/// the right. Each row is one line: paths and units are cut after 120 characters, and control
/// characters in them are escaped (`\n`, `\u{1b}`). Medians and 99th percentiles are within half a
/// bucket of the sample at that rank, which is 5 % unless the histogram has a finer
/// [`Precision`](crate::Precision); everything else is exact except for rounding. To log it, use
/// the feature `log`, or a logger directly: `log::info!("{}", stats_core::report())`.
///
/// ```
/// static PACK: stats_core::Histogram = stats_core::Histogram::new("io/pack").unit(stats_core::Unit::Milliseconds);
///
/// PACK.record(5.5);
/// println!("{}", stats_core::report());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The histograms with samples.
    pub rows: Vec<ReportRow>,
    /// The counters and timers that have counted, and all levels and gauges.
    pub totals: Vec<ReportTotal>,
}

/// One histogram of a [`Report`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReportRow {
    /// The path of the histogram.
    pub path: String,
    /// The unit of all values except the count.
    pub unit: Unit,
    /// The samples that were recorded in the run, at least one.
    pub distribution: Distribution,
}

/// One counter, timer, level or gauge of a [`Report`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReportTotal {
    /// The path of the series.
    pub path: String,
    /// The kind, which says what `value` is.
    pub kind: SeriesKind,
    /// The unit of the value.
    pub unit: Unit,
    /// The sum of the run of a counter, the milliseconds of a timer, or the value of a level or a
    /// gauge when the report was made.
    pub value: f64,
    /// The number of calls of a timer in the run; `None` for all others.
    pub calls: Option<u64>,
    /// The milliseconds of a timer without those of the scopes inside; see
    /// [self time](crate::Timer#self-time).
    pub self_ms: Option<f64>,
}

impl Report {
    /// Collects the totals and the histograms that the functions pass to their arguments.
    pub(crate) fn of(
        totals: impl FnOnce(&mut dyn FnMut(ReportTotal)),
        distributions: impl FnOnce(&mut dyn FnMut(SeriesInfo<'static>, Distribution)),
    ) -> Self {
        let mut report = Self::default();
        totals(&mut |total| report.totals.push(total));
        distributions(&mut |info, distribution| {
            if !distribution.is_empty() {
                report.rows.push(ReportRow {
                    path: info.path.to_owned(),
                    unit: info.unit,
                    distribution,
                });
            }
        });
        report.totals.sort_by(|a, b| a.path.cmp(&b.path));
        report.rows.sort_by(|a, b| a.path.cmp(&b.path));
        report
    }

    /// Returns the cells of the totals of some kinds.
    fn cells<const N: usize>(
        &self,
        kinds: &[SeriesKind],
        cells: impl Fn(&ReportTotal) -> [String; N],
    ) -> Vec<[String; N]> {
        let is_wanted = |total: &&ReportTotal| kinds.contains(&total.kind);
        self.totals.iter().filter(is_wanted).map(cells).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |total: &ReportTotal| [name(&total.path, total.unit), number(total.value)];
        let tables = [
            table(
                ["counter", "total"],
                self.cells(&[SeriesKind::Counter], value),
                2,
            ),
            table(
                ["timer [ms]", "total", "self", "calls", "average"],
                self.cells(&[SeriesKind::Timer], timer),
                5,
            ),
            table(
                ["level", "value"],
                self.cells(&[SeriesKind::UpDownCounter, SeriesKind::Gauge], value),
                2,
            ),
            table(
                HEADINGS,
                self.rows.iter().map(cells).collect(),
                HEADINGS.len() - 3,
            ),
        ];
        let filled: Vec<String> = tables.into_iter().flatten().collect();
        if filled.is_empty() {
            return f.write_str("no samples were recorded");
        }
        f.write_str(&filled.join("\n\n"))
    }
}

/// Returns the lines of a table; `None` if it has no rows. The columns from `ascending` on are in
/// order with the one before, and the rows show it.
fn table<const N: usize>(
    headings: [&str; N],
    rows: Vec<[String; N]>,
    ascending: usize,
) -> Option<String> {
    if rows.is_empty() {
        return None;
    }
    let rows: Vec<[String; N]> = [headings.map(str::to_owned)]
        .into_iter()
        .chain(rows)
        .collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |(at, row): (usize, &[String; N])| {
        let mut line = format!("{:<width$}", row[0], width = widths[0]);
        for column in 1..N {
            line += match (column >= ascending, at) {
                (false, _) => "  ",
                (true, 0) => "   ",
                (true, _) => " < ",
            };
            line += &format!("{:>width$}", row[column], width = widths[column]);
        }
        line
    };
    let lines: Vec<String> = rows.iter().enumerate().map(line).collect();
    Some(lines.join("\n"))
}

const HEADINGS: [&str; 9] = [
    "histogram",
    "sum",
    "average",
    "deviation",
    "count",
    "minimum",
    "median",
    "99 %",
    "maximum",
];

/// The number of characters of a path that are printed.
const NAME_CHARS: usize = 120;

/// Returns text for one line of a table: cut if it is longer than anyone would read, and without
/// characters that move the cursor.
fn shown(text: &str) -> String {
    let mut chars = text.chars();
    let mut shown = String::new();
    for char in chars.by_ref().take(NAME_CHARS) {
        // Some programs treat the last two as line breaks.
        if char.is_control() || matches!(char, '\u{2028}' | '\u{2029}') {
            shown.extend(char.escape_default());
        } else {
            shown.push(char);
        }
    }
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Returns the path of a series with its unit.
fn name(path: &str, unit: Unit) -> String {
    match unit.symbol() {
        "" => shown(path),
        symbol => format!("{} [{}]", shown(path), shown(symbol)),
    }
}

fn timer(total: &ReportTotal) -> [String; 5] {
    let calls = total.calls.unwrap_or(0);
    let average = if calls == 0 {
        "–".to_owned()
    } else {
        number(total.value / calls as f64)
    };
    [
        shown(&total.path),
        number(total.value),
        number(total.self_ms.unwrap_or(0.0)),
        grouped(calls.to_string()),
        average,
    ]
}

fn cells(row: &ReportRow) -> [String; HEADINGS.len()] {
    let all = &row.distribution;
    let value = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let deviation = all
        .std_dev()
        .map_or_else(String::new, |deviation| format!("±{}", number(deviation)));
    let (sum, count) = (number(all.sum()), grouped(all.count().to_string()));
    [
        name(&row.path, row.unit),
        sum,
        value(all.mean()),
        deviation,
        count,
        value(all.min()),
        value(all.median()),
        value(all.quantile(0.99)),
        value(all.max()),
    ]
}

/// Formats a number with four significant digits, or with all digits before the decimal point, in
/// groups of three.
fn number(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= 1e15 || (magnitude > 0.0 && magnitude < 1e-4) {
        return format!("{value:.3e}");
    }
    let decimals = match magnitude {
        1000.0.. => 0,
        100.0.. => 1,
        10.0.. => 2,
        1.0.. => 3,
        0.1.. => 4,
        0.01.. => 5,
        0.001.. => 6,
        0.0 => 0,
        _ => 7,
    };
    let text = format!("{magnitude:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let sign = if value < 0.0 { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", grouped(whole.to_owned()))
}

/// Separates digits into groups of three.
pub(crate) fn grouped(digits: String) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Report, ReportRow, number};
    use crate::{Distribution, Unit};

    #[test]
    fn numbers_have_four_digits_and_groups_of_three() {
        for (value, text) in [
            (0.0, "0"),
            (3326.0, "3 326"),
            (11.92, "11.92"),
            (823.2, "823.2"),
            (-5.5, "-5.5"),
            (0.01234, "0.01234"),
            (0.000145, "0.000145"),
            (0.001_041, "0.001041"),
            (0.5, "0.5"),
            (1_234_567.8, "1 234 568"),
            (1e-9, "1.000e-9"),
            (2e20, "2.000e20"),
            (100.0, "100"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn a_row_is_one_line_of_bounded_length_for_any_path() {
        let paths = [
            "x".repeat(100_000),
            "a\nb".to_owned(),
            "a\u{1b}[31mb\r\t\u{0}\u{85}\u{2028}".to_owned(),
            "\n".repeat(70_000),
        ];
        let mut distribution = Distribution::default();
        assert!(distribution.record(1.0));
        let row = |path: &String| ReportRow {
            path: path.clone(),
            unit: Unit::Custom("\u{7}"),
            distribution: distribution.clone(),
        };
        let text = Report {
            rows: paths.iter().map(row).collect(),
            ..Report::default()
        }
        .to_string();
        assert_eq!(text.lines().count(), 1 + paths.len());
        assert!(
            text.lines()
                .all(|line| line.chars().count() < 500 && !line.chars().any(char::is_control)),
            "{text}"
        );
        assert!(
            text.contains(&format!("{}… [\\u{{7}}]", "x".repeat(120))) && text.contains("a\\nb"),
            "{text}"
        );
    }

    #[test]
    fn columns_are_aligned_and_an_empty_report_says_so() {
        let row = |path: &str, unit, samples: &[f64]| {
            let mut distribution = Distribution::default();
            assert!(samples.iter().all(|sample| distribution.record(*sample)));
            ReportRow {
                path: path.to_owned(),
                unit,
                distribution,
            }
        };
        let rows = vec![
            row("ai/delta", Unit::Count, &[-3.0, 3.0]),
            row("io/pack", Unit::Milliseconds, &[5.5, 8.2, 823.2]),
        ];
        let rows = rows
            .into_iter()
            .chain([row("größe/日本", Unit::Bytes, &[123_456_789.0])])
            .collect();
        let report = Report {
            rows,
            ..Report::default()
        };
        let text = report.to_string();
        let widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{widths:?}");
        let words: Vec<String> = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        // The median is the middle of a bucket, and never beyond the extremes.
        let expected = [
            "histogram sum average deviation count minimum median 99 % maximum",
            "ai/delta 0 0 ±3 2 -3 < -3 < 3 < 3",
            "io/pack [ms] 836.9 279 ±384.8 3 5.5 < 8.25 < 823.2 < 823.2",
            "größe/日本 [B] 123 456 789 123 456 789 ±0 1 123 456 789 < 123 456 789 < 123 456 789 < 123 456 789",
        ];
        assert_eq!(words, expected, "{text}");
        assert_eq!(Report::default().to_string(), "no samples were recorded");
    }
}
