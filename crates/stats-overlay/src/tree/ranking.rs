//! The columns of a ranking, which depend on why the series are ranked:
//!
//! - spikes: the peak, its excess, the number of spikes, and the time since the last spike;
//! - a changed mean: both means, and the factor between them;
//! - movement together with another series: the correlation, and the frames between the two.

use stats_analysis::correlation::Correlation;
use stats_core::Unit;

use crate::baseline::moved::Change;
use crate::search::spiking::{Spiked, Spiking};
use stats_analysis::format::{count_text, value_text, whole_like, whole_text};

/// A column: its heading, its width, and the minimum width of a row with it, in points.
#[derive(Debug)]
pub(super) struct RankingColumn {
    pub(super) heading: &'static str,
    pub(super) width: f32,
    pub(super) from: f32,
}

/// The columns of series that spiked, from the left to the right.
pub(super) const SPIKES: [RankingColumn; 4] = [
    column("peak", 66.0, 370.0),
    column("above usual", 72.0, 0.0),
    column("spikes", 42.0, 310.0),
    column("last", 44.0, 230.0),
];

/// The columns of series that moved away from the baseline.
pub(super) const MOVED: [RankingColumn; 3] = [
    column("in A", 70.0, 300.0),
    column("now", 70.0, 220.0),
    column("change", 56.0, 0.0),
];

/// The columns of series that moved together with another one.
pub(super) const TOGETHER: [RankingColumn; 2] = [
    column("correlation", 72.0, 0.0),
    column("frames later", 80.0, 230.0),
];

const fn column(heading: &'static str, width: f32, from: f32) -> RankingColumn {
    RankingColumn {
        heading,
        width,
        from,
    }
}

/// The columns of a series in a ranking.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) of: &'static [RankingColumn],
    /// The text in each column.
    pub(super) texts: Vec<String>,
}

/// Returns the columns of a series that spiked, and the same as a sentence.
pub(super) fn spiked(spiking: &Spiking, spiked: &Spiked) -> (Columns, String) {
    let texts = spike_texts(spiking, spiked);
    let [peak, above, count, last] = &texts;
    let often = match spiked.count {
        1 => "once".to_owned(),
        _ => format!("{count} times"),
    };
    let above = match spiked.times() {
        Some(_) => format!("{above} the usual value"),
        None => format!("{above} above usual"),
    };
    let sentence = format!("peak {peak}, {above}, {often}, last {last} ago");
    let (of, texts) = (&SPIKES, texts.to_vec());
    (Columns { of, texts }, sentence)
}

fn spike_texts(spiking: &Spiking, spiked: &Spiked) -> [String; 4] {
    let above = match spiked.times() {
        Some(times) if times < 100.0 => format!("{times:.1} ×"),
        Some(times) => format!("{} ×", whole_text(times)),
        None => {
            let excess = whole_like(spiked.peak, spiked.excess(), spiked.unit);
            format!("+{}", value_text(excess, spiked.unit))
        }
    };
    [
        value_text(spiked.peak, spiked.unit),
        above,
        whole_text(f64::from(spiked.count)),
        format!("{:.0} s", spiking.secs_since(spiked).floor()),
    ]
}

/// Returns the columns of a series that moved, and the same as a sentence.
pub(super) fn moved(change: Change, unit: Unit) -> (Columns, String) {
    let (from, to) = (value_text(change.from, unit), value_text(change.to, unit));
    let by = match change.factor() {
        Some(factor) if factor < 100.0 => format!("× {factor:.2}"),
        Some(factor) => format!("× {}", whole_text(factor)),
        None if change.to > change.from => "up".to_owned(),
        None => "down".to_owned(),
    };
    let sentence = format!("from {from} in A to {to}, {by}");
    let (of, texts) = (&MOVED, vec![from, to, by]);
    (Columns { of, texts }, sentence)
}

/// Returns the columns of a series that moved together with another one, and the same as a sentence.
pub(super) fn together(of: &Correlation) -> (Columns, String) {
    let by = format!("{:+.2}", of.coefficient).replace('-', "−");
    let later = format!("{:+}", of.lag).replace('-', "−");
    let frames = count_text(of.lag.unsigned_abs().into(), "frame", "frames");
    let when = match of.lag {
        0 => "in the same frame".to_owned(),
        1.. => format!("{frames} later"),
        _ => format!("{frames} before"),
    };
    let sentence = format!("rank correlation {by}, {when}");
    let later = if of.lag == 0 { "0".to_owned() } else { later };
    let (of, texts) = (&TOGETHER, vec![by, later]);
    (Columns { of, texts }, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_that_moved_says_from_where_to_where_and_by_which_factor() {
        let sentence = |from, to| moved(Change { from, to }, Unit::Milliseconds).1;
        assert_eq!(sentence(2.0, 5.0), "from 2.00 ms in A to 5.00 ms, × 2.50");
        assert!(sentence(2.0, 1.0).ends_with("× 0.50"));
        assert!(sentence(1.0, 2500.0).ends_with("× 2,500"));
        assert!(sentence(0.0, 3.0).ends_with("up"));
        assert!(sentence(2.0, -1.0).ends_with("down"));
    }
}
