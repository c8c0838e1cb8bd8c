//! Whether a processor or a GPU slowed down because it became hot.

use stats_core::{FrameSlice, Source, Unit};

use super::columns::Columns;
use super::left_out::LeftOut;

/// A run is divided into this number of parts.
const PARTS: usize = 10;
/// In a shorter run, nothing is found.
const LEAST_SECS: f64 = 10.0;
/// A clock fell if it is at most this share of an earlier one.
const FELL: f64 = 0.9;
/// A part became hotter if its temperature is higher by this number of degrees.
const HOTTER: f64 = 5.0;
/// A part with a smaller share of the earlier load may be slower because it had less to do.
const SAME_LOAD: f64 = 0.8;

/// A clock that fell while its chip became hotter. The earlier value comes first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Throttling {
    /// `processor` or `GPU`.
    pub(crate) what: &'static str,
    pub(crate) mhz: [f64; 2],
    pub(crate) celsius: [f64; 2],
}

/// The series of a chip: its clock, its temperature and its load.
const CHIPS: [(&str, [&str; 3]); 2] = [
    (
        "processor",
        ["machine/clock", "machine/temperature", "machine/cpu"],
    ),
    (
        "GPU",
        [
            "machine/gpu/clock",
            "machine/gpu/temperature",
            "machine/gpu/load",
        ],
    ),
];

impl Throttling {
    /// Returns the chips that slowed down in the frames that are not left out.
    pub(super) fn all_of(columns: &Columns<'_>, left_out: &LeftOut) -> Vec<Self> {
        let capture = columns.capture;
        let frames: Vec<u64> = capture
            .frames()
            .filter(|frame| !left_out.has(*frame))
            .collect();
        let secs = frames.iter().filter_map(|frame| capture.frame(*frame));
        if secs.map(|frame| frame.duration_ms / 1e3).sum::<f64>() < LEAST_SECS {
            return Vec::new();
        }
        let of_chip = |(what, paths): &(&'static str, [&str; 3])| {
            let parts = paths.map(|path| {
                let column = columns.get(path)?;
                Some(means(&frames, column.slice()))
            });
            let [Some(mhz), Some(celsius), load] = parts else {
                return None;
            };
            let (before, after) = slowed(&mhz, &celsius, load.as_deref())?;
            let of = |parts: &[f64]| [parts[before], parts[after]];
            Some(Self {
                what,
                mhz: of(&mhz),
                celsius: of(&celsius),
            })
        };
        CHIPS.iter().filter_map(of_chip).collect()
    }

    /// Returns it as a sentence without the capital letter and the period.
    pub(crate) fn text(&self) -> String {
        let [mhz, celsius] = [(self.mhz, "MHz"), (self.celsius, "°C")].map(|(values, unit)| {
            let text = |value: f64| stats_analysis::format::value_text(value.round(), Unit::Count);
            format!("from {} to {} {unit}", text(values[0]), text(values[1]))
        });
        format!(
            "the {} slowed down: its clock fell {mhz} while it warmed up {celsius}, so early and late frames do not compare",
            self.what
        )
    }
}

/// Returns the mean of each part of the frames; NaN without a known value.
fn means(frames: &[u64], values: FrameSlice<'_>) -> Vec<f64> {
    let parts = (0..PARTS).map(|part| {
        let range = frames.len() * part / PARTS..frames.len() * (part + 1) / PARTS;
        let known = frames[range].iter().filter_map(|frame| values.at(*frame));
        let (count, sum) = known.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
        sum / count
    });
    parts.collect()
}

/// Returns two parts between which a clock fell the most while the temperature rose, although there
/// was as much to do.
fn slowed(mhz: &[f64], celsius: &[f64], load: Option<&[f64]>) -> Option<(usize, usize)> {
    let mut found = None;
    let mut least = FELL;
    for after in 0..mhz.len() {
        for before in 0..after {
            let has_work = load.is_none_or(|load| load[after] >= SAME_LOAD * load[before]);
            let ratio = mhz[after] / mhz[before];
            if has_work && celsius[after] >= celsius[before] + HOTTER && ratio <= least {
                (found, least) = (Some((before, after)), ratio);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_falls_while_its_chip_warms_up_under_the_same_load_is_throttled() {
        let mhz = [4000.0, 4200.0, 4100.0, 3000.0, 3100.0];
        let celsius = [50.0, 60.0, 80.0, 94.0, 90.0];
        let load = [80.0, 90.0, 90.0, 80.0, 90.0];
        assert_eq!(slowed(&mhz, &celsius, Some(&load)), Some((1, 3)));
        assert_eq!(slowed(&mhz, &celsius, None), Some((1, 3)));
        let idle = [80.0, 90.0, 90.0, 5.0, 5.0];
        assert_eq!(
            slowed(&mhz, &celsius, Some(&idle)),
            None,
            "it had less to do"
        );
        assert_eq!(
            slowed(&mhz, &[60.0; 5], None),
            None,
            "it did not become hotter"
        );
        let rising = [3000.0, 3100.0, 4000.0, 4100.0, 4200.0];
        assert_eq!(slowed(&rising, &celsius, None), None);
        assert_eq!(slowed(&[f64::NAN; 5], &celsius, None), None);
        assert_eq!(slowed(&mhz, &[f64::NAN; 5], None), None);
        assert_eq!(slowed(&[], &[], None), None);
    }

    #[test]
    fn the_sentence_has_both_clocks_and_both_temperatures() {
        let found = Throttling {
            what: "processor",
            mhz: [4200.4, 3100.0],
            celsius: [61.0, 94.2],
        };
        assert_eq!(
            found.text(),
            "the processor slowed down: its clock fell from 4,200 to 3,100 MHz while it warmed up from 61 to 94 °C, so early and late frames do not compare"
        );
    }

    #[test]
    fn the_parts_of_a_run_have_the_means_of_their_known_values() {
        let frames: Vec<u64> = (0..25).collect();
        let values: Vec<f64> = (0..25)
            .map(|frame| {
                if frame < 3 {
                    f64::NAN
                } else {
                    f64::from(frame)
                }
            })
            .collect();
        let found = means(&frames, FrameSlice::new(0, &values, &[]));
        assert!(found[0].is_nan() && found.len() == PARTS);
        assert_eq!(found[1..3], [3.5, 5.5]);
    }
}
