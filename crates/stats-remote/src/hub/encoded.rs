//! The columns of a block, encoded once for all viewers that are sent the same.

use std::collections::BTreeMap;

use super::intake::Block;
use super::rounding::Rounding;
use crate::wire::to_game::CLOCK;
use crate::wire::to_viewer::{Column, encode_values};

pub(super) struct Encoded {
    first_frame: u64,
    frames: usize,
    clock: [Column; 2],
    series: BTreeMap<u32, Column>,
}

impl Encoded {
    /// Encodes all columns, with rounded times if there is a rounding.
    pub(super) fn new(block: &Block, rounding: Option<&Rounding>) -> Self {
        let column = |steps: Option<f64>, values: &[f64]| match steps {
            Some(steps) => Column::rounded(values, steps),
            None => Column::new(values),
        };
        let of = |id| rounding.and_then(|rounding| rounding.steps(id));
        let durations = rounding.map(|_| Rounding::DURATIONS);
        let series = block.series.iter();
        Self {
            first_frame: block.first_frame,
            frames: block.starts_secs.len(),
            clock: [
                column(of(CLOCK), &block.starts_secs),
                column(durations, &block.durations_ms),
            ],
            series: series
                .map(|(id, values)| (*id, column(of(*id), values)))
                .collect(),
        }
    }

    /// Returns the message with the series that are watched.
    pub(super) fn message(&self, number: u64, is_watched: impl Fn(&u32) -> bool) -> Vec<u8> {
        let watched = self.series.iter().filter(|(id, _)| is_watched(id));
        let columns = watched.map(|(id, column)| (*id, column));
        let [starts, durations] = &self.clock;
        let clock = [starts, durations];
        encode_values(number, self.first_frame, self.frames, clock, columns)
    }
}
