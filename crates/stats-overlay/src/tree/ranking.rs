//! The columns of a ranking: of a series that spiked, its peak, its excess, the number of spikes,
//! and the time since the last one.

use crate::search::spiking::{Spiked, Spiking};
use stats_analysis::format::{value_text, whole_like, whole_text};

/// A column: its heading, its width, and the minimum width of a row with it, in points.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) heading: &'static str,
    pub(super) width: f32,
    pub(super) from: f32,
}

/// The columns of series that spiked, from the left to the right.
pub(super) const SPIKES: [Column; 4] = [
    column("peak", 66.0, 370.0),
    column("above usual", 72.0, 0.0),
    column("spikes", 42.0, 310.0),
    column("last", 44.0, 230.0),
];

const fn column(heading: &'static str, width: f32, from: f32) -> Column {
    Column {
        heading,
        width,
        from,
    }
}

/// The columns of a series in a ranking.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) of: &'static [Column],
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
