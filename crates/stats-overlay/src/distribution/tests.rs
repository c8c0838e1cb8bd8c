//! Checks the distribution of a series against its values.

use std::ops::Range;

use crate::data::selection::{FRAME_TIME, Selection};
use crate::distribution::row::{Row, RowSource, counted, share_text};
use crate::testing::Values;
use stats_analysis::distribution::Spread;
use stats_analysis::distribution::ValueScale;
use stats_core::{Distribution, Precision};
use stats_testing::Random;

/// Returns a row of selected frames, so that frame 0 is included.
fn row_of(data: &Values, frames: Range<u64>, choice: ValueScale, per_frame: bool) -> Row {
    row(data, frames, true, choice, per_frame)
}

fn row(
    data: &Values,
    frames: Range<u64>,
    is_range: bool,
    choice: ValueScale,
    per_frame: bool,
) -> Row {
    let selection = Selection::of([FRAME_TIME]);
    let selected = &selection.selected()[0];
    let source = RowSource {
        data,
        selected,
        at: 0,
        frames,
        is_range,
        per_frame,
        choice,
    };
    let mut row = Row::default();
    row.update(&source, 1, 120, &mut Vec::new());
    row
}

#[test]
fn bars_contain_every_value_of_the_frames_and_cover_the_axis() {
    let mut random = Random::new(111);
    for _ in 0..600 {
        let length = 1 + random.below(900) as usize;
        let data = Values::of(random.series(length));
        let from = random.below(length as u64);
        for choice in [ValueScale::Auto, ValueScale::Linear, ValueScale::Log] {
            let row = row_of(&data, from..u64::MAX, choice, false);
            let bars = row.bars.unwrap();
            let values = &data.times_ms[from as usize..];
            assert_eq!(bars.counts.iter().sum::<u64>(), values.len() as u64);
            assert_eq!(bars.up_to(bars.counts.len() - 1), bars.stats.count);
            let (first, last) = bars.edges.reach();
            assert!(values.iter().all(|&value| first <= value && value <= last));
            // Count the values within the range of each bar.
            if let Spread::Linear | Spread::Log = bars.edges.spread() {
                for (at, &count) in bars.counts.iter().enumerate() {
                    let (from, to) = bars.edges.bucket(at);
                    assert_eq!(
                        count,
                        values
                            .iter()
                            .filter(|value| (from..to).contains(*value))
                            .count() as u64
                    );
                }
            }
            assert!((0..bars.counts.len()).all(|at| {
                let (from, to) = bars.shares(at);
                to <= from || bars.at_share((from + to) / 2.0) == Some(at)
            }));
        }
    }
}

#[test]
fn bars_of_samples_contain_every_sample() {
    let mut random = Random::new(112);
    for precision in [Precision::TwoDigits, Precision::ThreeDigits] {
        for _ in 0..200 {
            let mut samples = Distribution::new(precision);
            let length = 1 + random.below(900) as usize;
            for value in random.series(length) {
                samples.record(value);
            }
            for choice in [ValueScale::Auto, ValueScale::Linear, ValueScale::Log] {
                let data = Values {
                    samples: Some(samples.clone()),
                    ..Values::of(vec![1.0; 30])
                };
                let bars = row_of(&data, 0..u64::MAX, choice, false).bars;
                let Some(bars) = bars else { continue };
                assert_eq!(bars.counts.iter().sum::<u64>(), samples.count());
                assert_eq!(bars.noun, "sample");
                assert_eq!(
                    row_of(&data, 0..u64::MAX, choice, true)
                        .bars
                        .unwrap()
                        .counts
                        .iter()
                        .sum::<u64>(),
                    30
                );
            }
        }
    }
}

#[test]
fn the_text_names_the_frames() {
    // Frame 0 began with the recorder.
    let data = Values::of(vec![5000.0, 3.0, 1.0, 2.0, 4.0]);
    let row = row(&data, 0..u64::MAX, false, ValueScale::Auto, false);
    assert_eq!(row.texts.of, "4 frames on screen (without frame 0)");
    assert_eq!(
        row.texts.lines[..3],
        [
            "median 2.00 ms",
            "95 % of frames 4.00 ms",
            "99 % of frames 4.00 ms"
        ]
    );
    assert_eq!(
        row.texts.figures,
        "mean 2.50 ± 1.12 ms  min 1.00  max 4.00 ms"
    );
    let unnamed = |is_named| row.texts.quantiles(is_named);
    assert_eq!(unnamed([true; 3]), "");
    assert_eq!(
        unnamed([true, false, false]),
        "95 % of frames 4.00 ms  99 % of frames 4.00 ms"
    );
    assert_eq!(
        row_of(&data, 9..u64::MAX, ValueScale::Auto, false).texts.of,
        ""
    );
    assert_eq!(
        (counted(1, "sample"), counted(2000, "frame")),
        ("1 sample".to_owned(), "2,000 frames".to_owned())
    );
    assert_eq!(share_text(1, 100_000), "< 0.1 %");
    assert_eq!(
        (
            share_text(0, 9),
            share_text(9, 9),
            share_text(99_999, 100_000)
        ),
        ("0.0 %".into(), "100.0 %".into(), "> 99.9 %".into())
    );
}

#[test]
fn quantiles_of_samples_are_labeled_with_their_precision() {
    for (precision, within) in [
        (Precision::TwoDigits, "5 %"),
        (Precision::ThreeDigits, "0.5 %"),
        (Precision::FourDigits, "0.05 %"),
    ] {
        let mut samples = Distribution::new(precision);
        [420.3, 420.3, 700.0]
            .into_iter()
            .for_each(|sample| _ = samples.record(sample));
        let data = Values {
            samples: Some(samples),
            ..Values::of(vec![1.0])
        };
        let row = row(&data, 0..u64::MAX, false, ValueScale::Auto, false);
        assert_eq!(
            row.texts.of,
            format!("3 samples of the run, quantiles within {within}")
        );
        assert!(
            row.texts.lines[..3].iter().all(|line| line.contains(" ≈ ")),
            "{:?}",
            row.texts.lines
        );
        assert!(
            row.texts.description.contains("quantiles within"),
            "{}",
            row.texts.description
        );
    }
}

#[test]
fn each_figure_has_its_own_prefix_and_three_digits() {
    let mut values = vec![3.25; 999];
    values.push(4.5e33);
    let texts = row_of(&Values::of(values), 0..u64::MAX, ValueScale::Auto, false).texts;
    // The unit is that of the frame time.
    assert_eq!(texts.lines[0], "median 3.25 ms");
    assert!(
        texts.figures.contains("min 3.25 ms  max 4,500.0 Qms"),
        "{}",
        texts.figures
    );
}
