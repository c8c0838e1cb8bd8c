//! The distribution of one series: its figures, bars and texts.

use std::ops::Range;

use stats_core::{FrameSlice, Precision, Unit};

use crate::data::frame_choice::{WITHOUT_FIRST, leaves_out_first};
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::distribution::axis::{ValueAxis, ValueMark};
use crate::distribution::paint::Picture;
use stats_analysis::axis::budget_is_near;
use stats_analysis::distribution::ValueScale;
use stats_analysis::distribution::{Edges, Spread};
use stats_analysis::distribution::{SHARES, ValueStats};
use stats_analysis::format::{NumberStyle, exact_text, value_text, whole_text};
use stats_analysis::pace::PLUS_SLACK;

/// The minimum distance between two labels on the axis, in buckets of minimum width.
const BUCKETS_A_MARK: usize = 15;
/// The maximum width of a labeled value, in characters without the unit.
const MARK_CHARS: usize = 9;

/// The values that a distribution covers.
#[derive(Clone, Debug, PartialEq)]
enum Of {
    /// The samples of a histogram in the current run, with the precision of its quantiles.
    Samples(Precision),
    /// The values of the frames on screen; `without_first` if frame 0 is on screen and left out.
    Visible { without_first: bool },
    /// The values of the selected frames.
    Selected(Range<u64>),
}

/// The source of a row's values.
pub(super) struct RowSource<'a> {
    pub(super) data: &'a dyn Data,
    pub(super) selected: &'a SelectedSeries,
    /// The index of the series among the selected series.
    pub(super) at: usize,
    /// The frames on screen, or the selected range.
    pub(super) frames: Range<u64>,
    pub(super) is_range: bool,
    /// Whether to show a histogram's values per frame instead of its samples.
    pub(super) per_frame: bool,
    pub(super) choice: ValueScale,
}

impl RowSource<'_> {
    /// Returns the values of the frames.
    fn window(&self) -> FrameSlice<'_> {
        let values = self.data.values(self.at);
        values.within(self.frames.start.max(u64::from(self.without_first()))..self.frames.end)
    }

    /// Returns whether frame 0 is left out. It is left out for the frame time, unless it was
    /// selected.
    fn without_first(&self) -> bool {
        self.selected.is_frame_time()
            && !self.is_range
            && leaves_out_first(&self.data.frames(), self.frames.start)
    }
}

/// The distribution of one series.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The stamp and the number of buckets of the last update.
    made: Option<(u64, usize)>,
    /// `None` if there are no values.
    pub(super) bars: Option<Bars>,
    pub(super) texts: RowTexts,
    styles: FigureStyles,
    /// A reused buffer.
    counts: Vec<u64>,
    pub(super) picture: Option<Picture>,
}

/// The styles of the figures of a row: mean, deviation, extremes and quantiles. Each has its own
/// prefix, which stays while it fits.
type FigureStyles = [Option<NumberStyle>; 4 + SHARES.len()];

/// The bars of a distribution.
#[derive(Debug)]
pub(super) struct Bars {
    pub(super) stats: ValueStats,
    pub(super) edges: Edges,
    pub(super) axis: ValueAxis,
    /// The number of values in each bucket.
    pub(super) counts: Vec<u64>,
    pub(super) tallest: u64,
    pub(super) marks: Vec<ValueMark>,
    /// What to add to the numbers of the axis, if it is narrow and far from zero.
    pub(super) offset: Option<String>,
    /// The budget, if it is on the axis.
    pub(super) budget: Option<f64>,
    /// "frame" or "sample".
    pub(super) noun: &'static str,
    /// Whether buckets are centered on whole numbers.
    centered: bool,
    unit: Unit,
}

/// The texts of a distribution.
#[derive(Debug, Default)]
pub(super) struct RowTexts {
    /// The values that it covers.
    pub(super) of: String,
    /// Count, mean, standard deviation, extremes and the share over budget.
    pub(super) figures: String,
    /// The labels of the lines: the quantiles, then the budget (empty if there is none).
    pub(super) lines: [String; SHARES.len() + 1],
    /// The text of the whole row for screen readers.
    pub(super) description: String,
}

impl Row {
    /// Recomputes the row if the stamp or the number of buckets changed.
    pub(super) fn update(
        &mut self,
        source: &RowSource<'_>,
        stamp: u64,
        buckets: usize,
        scratch: &mut Vec<f64>,
    ) {
        if self.made == Some((stamp, buckets)) {
            return;
        }
        self.made = Some((stamp, buckets));
        self.picture = None;
        if let Some(bars) = self.bars.take() {
            self.counts = bars.counts;
        }
        let samples = if source.per_frame {
            None
        } else {
            source.data.distribution(source.at)
        };
        let mut counts = std::mem::take(&mut self.counts);
        counts.clear();
        let (of, bars) = match samples {
            Some(samples) => {
                let stats = ValueStats::of_samples(&samples);
                let values = samples.buckets().map(|bucket| (bucket.value, bucket.count));
                (
                    Of::Samples(samples.precision()),
                    stats.map(|stats| Bars::new(source, stats, buckets, "sample", counts, values)),
                )
            }
            None => {
                let window = source.window();
                scratch.clear();
                let (older, newer) = window.as_slices();
                scratch.extend_from_slice(older);
                scratch.extend_from_slice(newer);
                scratch.retain(|value| value.is_finite());
                let stats = ValueStats::of_values(
                    scratch,
                    source.selected.limit(),
                    source.choice == ValueScale::Log,
                );
                let values = scratch.iter().map(|&value| (value, 1));
                let visible = Of::Visible {
                    without_first: source.without_first(),
                };
                let of = if source.is_range {
                    Of::Selected(source.frames.clone())
                } else {
                    visible
                };
                (
                    of,
                    stats.map(|stats| Bars::new(source, stats, buckets, "frame", counts, values)),
                )
            }
        };
        self.texts = RowTexts::default();
        if let Some(bars) = &bars {
            self.texts = RowTexts::new(source.selected, &of, bars, &mut self.styles);
        }
        self.bars = bars;
    }
}

impl Bars {
    fn new(
        source: &RowSource<'_>,
        stats: ValueStats,
        buckets: usize,
        noun: &'static str,
        mut counts: Vec<u64>,
        values: impl Iterator<Item = (f64, u64)>,
    ) -> Self {
        let unit = source.selected.unit();
        let mut span = stats.span;
        // A histogram's own buckets are decimal.
        span.binary = unit == Unit::Bytes && span.grain == 0.0;
        let edges = Edges::new(&span, source.choice, buckets);
        counts.resize(edges.len(), 0);
        for (value, count) in values {
            counts[edges.find(value)] += count;
        }
        let tallest = counts.iter().copied().max().unwrap_or(0);
        let budget = source.selected.budget().filter(|&budget| {
            stats.over.is_some() && budget_is_near(budget, (stats.max, stats.max), false)
        });
        let axis = ValueAxis::new(&edges, span.whole, budget);
        // A budget far below all values is not shown on the axis.
        let budget = budget.filter(|&budget| (0.0..=1.0).contains(&axis.share(budget)));
        let (from, to) = edges.reach();
        let style = NumberStyle::for_axis(unit, (from, to), MARK_CHARS);
        let marks = axis.marks((buckets / BUCKETS_A_MARK).max(2), style);
        let centered = span.whole && edges.spread() == Spread::Linear;
        Self {
            stats,
            edges,
            axis,
            counts,
            tallest,
            marks,
            offset: style.offset_text(),
            budget,
            noun,
            centered,
            unit,
        }
    }

    /// Returns the start and end of a bar along the axis.
    pub(super) fn shares(&self, at: usize) -> (f64, f64) {
        let (from, to) = self.edges.bucket(at);
        let shift = if self.centered { 0.5 } else { 0.0 };
        (self.axis.share(from - shift), self.axis.share(to - shift))
    }

    /// Returns the bar at a position along the axis.
    pub(super) fn at_share(&self, share: f64) -> Option<usize> {
        (0..self.counts.len()).find(|&at| {
            let (from, to) = self.shares(at);
            (from..to).contains(&share)
        })
    }

    /// Returns the number of values in this bar and all bars before it.
    pub(super) fn up_to(&self, at: usize) -> u64 {
        self.counts[..=at].iter().sum()
    }

    /// Returns the lowest and highest value of a bar.
    pub(super) fn range_text(&self, at: usize) -> String {
        let (from, to) = self.edges.bucket(at);
        let text = |value| {
            if self.unit == Unit::Bytes {
                value_text(value, self.unit)
            } else {
                exact_text(value, self.unit)
            }
        };
        match to - from {
            one if self.centered && one <= 1.0 => text(from),
            _ if self.centered => format!("{} … {}", text(from), text(to - 1.0)),
            _ => format!("{} … {}", text(from), text(to)),
        }
    }
}

impl RowTexts {
    fn new(selected: &SelectedSeries, of: &Of, bars: &Bars, styles: &mut FigureStyles) -> Self {
        let stats = &bars.stats;
        let [mean, deviation, min, max, quantiles @ ..] = figures(stats, selected.unit(), styles);
        let count = counted(stats.count, bars.noun);
        // The other descriptions of the covered values include their number.
        let values = if let Of::Selected(_) = of {
            format!("{}  ", counted(stats.count, "value"))
        } else {
            String::new()
        };
        // A value that represents a whole bucket is not exact, whatever its digits.
        let about = if matches!(of, Of::Samples(_)) {
            "≈ "
        } else {
            ""
        };
        let of = match of {
            Of::Samples(precision) => {
                let percent = (precision.max_error() * 1e4).round() / 1e2;
                format!("{count} of the run, quantiles within {percent} %")
            }
            Of::Visible {
                without_first: true,
            } => format!("{count} on screen{WITHOUT_FIRST}"),
            Of::Visible {
                without_first: false,
            } => format!("{count} on screen"),
            Of::Selected(range) => format!("selected frames {}..{}", range.start, range.end),
        };
        let budget_text = |budget: f64| {
            NumberStyle::new(selected.unit(), budget, budget.fract() == 0.0).text(budget)
        };
        let over = stats.over.zip(selected.budget());
        let figures = format!(
            "{values}mean {}  min {}{}",
            pair(mean, "± ", deviation),
            pair(min, " max ", max),
            over.map_or(String::new(), |(over, budget)| format!(
                "  {} over the budget of {}{}",
                share_text(over, stats.count),
                budget_text(budget),
                if selected.is_frame_time() {
                    format!(" {PLUS_SLACK}")
                } else {
                    String::new()
                }
            ))
        );
        let name = |percent: usize| {
            if percent == 50 {
                "median".to_owned()
            } else {
                format!("{percent} % of {}s", bars.noun)
            }
        };
        let line = |at: usize| {
            format!(
                "{} {about}{}",
                name(SHARES[at]),
                quantiles[at].1.text(quantiles[at].0)
            )
        };
        let budget = over
            .filter(|_| bars.budget.is_some())
            .map_or(String::new(), |(_, budget)| {
                format!("budget {}", budget_text(budget))
            });
        let lines = [line(0), line(1), line(2), budget];
        let description = format!("{of}, {}, {}, {}, {figures}", lines[0], lines[1], lines[2]);
        Self {
            of,
            figures,
            lines,
            description,
        }
    }

    /// Returns the quantiles on one line, without those that the plot labels.
    pub(super) fn quantiles(&self, is_named: [bool; SHARES.len()]) -> String {
        let lines = self.lines.iter().zip(is_named);
        let unnamed: Vec<&str> = lines
            .filter(|(_, is_named)| !is_named)
            .map(|(line, _)| line.as_str())
            .collect();
        unnamed.join("  ")
    }
}

/// Returns the figures of a row with their styles, in the order of [`FigureStyles`].
fn figures(
    stats: &ValueStats,
    unit: Unit,
    styles: &mut FigureStyles,
) -> [(f64, NumberStyle); 4 + SHARES.len()] {
    let [median, p95, p99] = stats.quantiles;
    let values = [
        stats.mean,
        stats.deviation,
        stats.min,
        stats.max,
        median,
        p95,
        p99,
    ];
    let whole = values[2..].iter().all(|value| value.fract() == 0.0);
    std::array::from_fn(|at| {
        let style = NumberStyle::steady_figure(styles[at], unit, values[at], whole && at > 1);
        styles[at] = Some(style);
        (values[at], style)
    })
}

/// Formats two figures, with one unit if both have the same.
fn pair(
    (one, style): (f64, NumberStyle),
    between: &str,
    (other, of): (f64, NumberStyle),
) -> String {
    let first = if style.has_unit_of(&of) {
        style.number(one)
    } else {
        style.text(one)
    };
    format!("{first} {between}{}", of.text(other))
}

/// Returns a count with its noun: frames or samples.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        whole_text(count as f64),
        if count == 1 { "" } else { "s" }
    )
}

/// Returns a share in percent. It is never 0 if `part` is above 0, and never 100 if `part` is below
/// `all`.
pub(super) fn share_text(part: u64, all: u64) -> String {
    let percent = 100.0 * part as f64 / all.max(1) as f64;
    match percent {
        _ if part > 0 && percent < 0.1 => "< 0.1 %".to_owned(),
        _ if part < all && percent > 99.9 => "> 99.9 %".to_owned(),
        _ => value_text(percent, Unit::Percent),
    }
}
