//! The frame-time statistics that the HUD shows.
//!
//! Numbers are padded to a fixed width, so that nothing moves while they fluctuate.

use std::fmt::Write as _;

use stats_core::{FrameAnalyzer, FrameRules};

use crate::data::frame_choice::{first_timed, read_times};
use crate::data::view::Data;
use stats_analysis::format::{write_fixed, write_whole};
use stats_ui::text::one_line;

/// The number of frames that the figures cover: ten seconds at 60 fps.
const FRAMES: u64 = 600;

/// The room for a number, in spaces: up to 9,999.9.
const CHARS: &str = "       ";

/// The figures shown until the next refresh.
#[derive(Debug, Default)]
pub(super) struct HudStatistics {
    analyzer: FrameAnalyzer,
    times_ms: Vec<f64>,
    /// The frames that the figures cover, such as `last 600 frames`; empty if there are none.
    pub(crate) frames: String,
    pub(super) average: String,
    /// The 1 % low (integral), in ms and as fps.
    pub(super) low: String,
    /// The number of frames over budget and the longest run of them; empty without a budget.
    pub(super) over_budget: String,
    pub(super) any_over: bool,
    pub(super) over_60_ms: String,
    /// The names of the marked spans that contain the newest frame.
    pub(super) open: String,
}

impl HudStatistics {
    /// Recomputes all figures, without the frames in marked spans whose names are `excluded`.
    pub(super) fn read(&mut self, data: &dyn Data, rules: &FrameRules, excluded: &[String]) {
        let held = data.frames();
        let first = held.end.saturating_sub(FRAMES).max(first_timed(&held));
        let left_out = read_times(
            data.frame_times(),
            &(first..held.end),
            data.marks(),
            excluded,
            &mut self.times_ms,
        );
        let Self {
            frames,
            average,
            low,
            over_budget,
            over_60_ms,
            ..
        } = self;
        for text in [&mut *frames, average, low, over_budget, over_60_ms] {
            text.clear();
        }
        self.any_over = false;
        let Some(all) = self.analyzer.analyze(&self.times_ms, rules) else {
            return;
        };
        frames.push_str("last ");
        write_whole((held.end - first) as f64, frames);
        // Writing to a string cannot fail.
        let _ = match left_out {
            0 => frames.write_str(" frames, average"),
            left_out => write!(frames, " frames without {left_out}, average"),
        };
        write_padded(all.average_fps, 1, average);
        average.push_str(" fps");
        write_padded(all.p99_by_time_ms, 2, low);
        low.push_str(" ms ");
        write_padded(all.low_integral_fps(), 1, low);
        low.push_str(" fps");
        let _ = write!(over_60_ms, "over 60 ms {:>3}", all.over_60_ms.len());
        if let Some(over) = &all.over_budget {
            self.any_over = over.frames > 0;
            let (frames, run) = (over.frames, over.longest_run.len());
            let _ = write!(over_budget, "over budget {frames:>3}, run {run:>3}");
        }
    }

    /// Returns whether no frame time was known.
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Rereads the names of the open spans.
    pub(super) fn read_open(&mut self, data: &dyn Data) {
        let newest = data.frames().end.saturating_sub(1);
        let is_open = |mark: &&stats_core::Mark| {
            !mark.is_point && (mark.is_open() || mark.frames.contains(&newest))
        };
        self.open.clear();
        for mark in data.marks().iter().filter(is_open) {
            if !self.open.is_empty() {
                self.open.push_str(", ");
            }
            self.open.push_str(&one_line(&mark.name, 40));
        }
    }
}

/// Appends a number, right-aligned in [`CHARS`] characters if it is not longer.
fn write_padded(value: f64, decimals: usize, text: &mut String) {
    let start = text.len();
    write_fixed(value, decimals, text);
    let missing = CHARS.len().saturating_sub(text.len() - start);
    text.insert_str(start, &CHARS[..missing]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::frame_choice::rules;
    use crate::input::settings::Settings;
    use crate::testing::Values;
    use stats_testing::Random;

    #[test]
    fn texts_keep_their_width_while_frames_take_up_to_a_second() {
        let (mut random, mut hud) = (Random::new(31), HudStatistics::default());
        let rules = rules(&Settings::default());
        for _ in 0..300 {
            let slow = 1 + random.below(300);
            let time = |_| {
                if random.below(slow) == 0 {
                    1.0 + random.below(999) as f64
                } else {
                    1.0 + random.below(40) as f64
                }
            };
            let data = Values::of((0..700).map(time).collect());
            hud.read(&data, &rules, &[]);
            let widths = [&hud.average, &hud.low, &hud.over_budget, &hud.over_60_ms]
                .map(|text| text.chars().count());
            assert_eq!(widths, [11, 22, 24, 14]);
            assert_eq!(hud.frames, "last 600 frames, average");
        }
        // As the head writes them: `2,616.16 ms`.
        hud.read(&Values::of(vec![2616.16; 9]), &rules, &[]);
        assert_eq!(hud.low, "2,616.16 ms     0.4 fps");
        hud.read(&Values::of(vec![0.5; 9]), &rules, &[]);
        assert_eq!(hud.average, "2,000.0 fps");
        hud.read(&Values::default(), &rules, &[]);
        assert!(hud.frames.is_empty() && hud.low.is_empty() && !hud.any_over);
    }
}
