//! The distribution of frame times.

use stats_analysis::format::value_text;
use stats_core::Unit;
use stats_core::percentiles::{percentile_by_frame, percentile_by_time};

use super::markup::{Markup, element, joined};
use super::strip::tick;

const BINS: usize = 120;

/// The height of the drawing, in its units.
const HEIGHT: f64 = 300.0;

/// Logarithmic bins of frame times.
struct Bins {
    /// The logarithms of the shortest and the longest time.
    range: (f64, f64),
}

impl Bins {
    fn of(frames_ms: &[&[f64]]) -> Option<Self> {
        let positive = || frames_ms.iter().copied().flatten().filter(|ms| **ms > 0.0);
        let (min, max) = positive()
            .map(|ms| (*ms, *ms))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        // Widened, because the range of a single time would have no width.
        Some(Self {
            range: ((min / 1.1).ln(), (max * 1.1).ln()),
        })
    }

    /// Returns the position of a time on the axis, from 0 to 1.
    fn place(&self, ms: f64) -> f64 {
        let (low, high) = self.range;
        ((ms.max(1e-9).ln() - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// Returns the share of each bin; the shares add up to 1. `weight` returns the weight of a
    /// frame.
    fn shares(&self, frames_ms: &[f64], weight: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut shares = vec![0.0; BINS];
        let mut total = 0.0;
        for &ms in frames_ms {
            let at = (self.place(ms) * BINS as f64) as usize;
            shares[at.min(BINS - 1)] += weight(ms);
            total += weight(ms);
        }
        if total > 0.0 {
            shares.iter_mut().for_each(|share| *share /= total);
        }
        shares
    }
}

/// Returns the distribution of the frame times, by frame and by time.
pub(crate) fn one(frames_ms: &[f64]) -> Markup {
    let Some(bins) = Bins::of(&[frames_ms]) else {
        return Markup::default();
    };
    let by_frame = bins.shares(frames_ms, |_| 1.0);
    let by_time = bins.shares(frames_ms, |ms| ms);
    let mut content = drawing(&bins, &by_frame, &by_time);
    let lines = [
        ("median", percentile_by_frame(frames_ms, 50.0)),
        ("99 % of the frames", percentile_by_frame(frames_ms, 99.0)),
        ("99 % of the time", percentile_by_time(frames_ms, 99.0)),
    ];
    content.push(caption(
        [
            ("before", "share of the frames"),
            ("after", "share of the time"),
        ],
        &named(lines),
    ));
    element("figure", &[], content)
}

/// Returns the distributions of the frame times before and after.
pub(crate) fn two(before_ms: &[f64], after_ms: &[f64]) -> Markup {
    let Some(bins) = Bins::of(&[before_ms, after_ms]) else {
        return Markup::default();
    };
    let [first, second] = [before_ms, after_ms].map(|ms| bins.shares(ms, |_| 1.0));
    let mut content = drawing(&bins, &first, &second);
    let lines = [("before", before_ms), ("after", after_ms)].map(|(side, frames_ms)| {
        let figures = named([
            ("median", percentile_by_frame(frames_ms, 50.0)),
            ("99 % of the frames", percentile_by_frame(frames_ms, 99.0)),
            ("99 % of the time", percentile_by_time(frames_ms, 99.0)),
        ]);
        format!("{side}: {figures}")
    });
    let keys = [
        ("before", "share of the frames before"),
        ("after", "share of the frames after"),
    ];
    content.push(caption(keys, &lines.join(". ")));
    element("figure", &[], content)
}

fn named(figures: [(&str, Option<f64>); 3]) -> String {
    let known = figures.iter().filter_map(|(name, ms)| {
        let ms = value_text((*ms)?, Unit::Milliseconds);
        Some(if *name == "median" {
            format!("median {ms}")
        } else {
            format!("{name} no slower than {ms}")
        })
    });
    known.collect::<Vec<_>>().join(", ")
}

fn drawing(bins: &Bins, area: &[f64], curve: &[f64]) -> Markup {
    let highest = area.iter().chain(curve).copied().fold(0.0, f64::max);
    let y = |share: &f64| (HEIGHT * (1.0 - 0.96 * share / highest.max(1e-12))) as i32;
    let steps = |shares: &[f64]| -> String {
        let steps = shares.iter().map(|share| format!("V{}h1", y(share)));
        steps.collect()
    };
    let filled = format!("M0 {HEIGHT}{}V{HEIGHT}z", steps(area));
    let line = format!("M0 {HEIGHT}{}V{HEIGHT}", steps(curve));
    let mut paths = element("path", &[("class", "area"), ("d", &filled)], "");
    paths.push(element("path", &[("class", "curve"), ("d", &line)], ""));
    let view = format!("0 0 {BINS} {HEIGHT}");
    let svg = [
        ("viewBox", view.as_str()),
        ("preserveAspectRatio", "none"),
        ("role", "img"),
        ("aria-label", "Distribution of the frame times"),
    ];
    let mut plot = element("svg", &svg, paths);
    plot.push(element("div", &[("class", "ticks labels")], ticks(bins)));
    element("div", &[("class", "plot low")], plot)
}

/// Returns the labels of round times, at most ten.
fn ticks(bins: &Bins) -> Markup {
    let (low, high) = bins.range;
    let powers = (low / 10.0_f64.ln()).floor() as i32..=(high / 10.0_f64.ln()).ceil() as i32;
    let all = |digits: &'static [f64]| -> Vec<f64> {
        let times = powers.clone().flat_map(|power| {
            let power = 10.0_f64.powi(power);
            digits.iter().map(move |digit| digit * power)
        });
        times.filter(|ms| (low..=high).contains(&ms.ln())).collect()
    };
    let dense = all(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]);
    let usual = all(&[1.0, 2.0, 5.0]);
    let times = match (dense.len(), usual.len()) {
        (..=8, _) => dense,
        (_, ..=10) => usual,
        _ => all(&[1.0]),
    };
    let mut ticks = Vec::new();
    let mut last = f64::NEG_INFINITY;
    for ms in times {
        // Leave out labels that would touch on a narrow page.
        if bins.place(ms) - last >= 0.12 {
            last = bins.place(ms);
            ticks.push(tick(last, &format!("{} ms", (ms * 1e6).round() / 1e6)));
        }
    }
    joined(ticks)
}

fn caption(keys: [(&str, &str); 2], figures: &str) -> Markup {
    let mut caption = Markup::default();
    for (class, name) in keys {
        let class = format!("key {class}");
        caption.push(element("span", &[("class", &class)], ""));
        caption.push(name.into());
    }
    caption.push(element("p", &[], format!("{figures}.")));
    element("figcaption", &[], caption)
}

#[cfg(test)]
mod tests {
    use super::Bins;

    #[test]
    fn shares_add_up_to_one_for_any_frame_times() {
        for frames_ms in [vec![16.0], vec![0.0, 5.0], vec![1e-7, 4.0, 9000.0]] {
            let bins = Bins::of(&[&frames_ms]).expect("a positive time");
            let shares = bins.shares(&frames_ms, |ms| ms);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        assert!(Bins::of(&[&[0.0], &[]]).is_none());
    }
}
