//! The frame-time statistics that the HUD shows.
//!
//! Numbers are padded to a fixed width, so that nothing moves while they fluctuate.

use std::fmt::Write as _;

use stats_core::{FrameAnalyzer, FrameRules};

use crate::data::frame_choice::{first_timed, read_times};
use crate::data::view::Data;
use stats_analysis::format::write_fixed;
use stats_ui::text::one_line;

/// The number of frames that the figures cover: ten seconds at 60 fps.
const FRAMES: u64 = 600;

/// The room for the low, in spaces: up to 9,999.9.
const CHARS: &str = "       ";

/// The figures shown until the next refresh.
#[derive(Debug, Default)]
pub(super) struct HudStatistics {
    analyzer: FrameAnalyzer,
    times_ms: Vec<f64>,
    /// The first frame that may be counted.
    pub(super) first: u64,
    /// Whether any frame time was known.
    is_known: bool,
    /// The 1 % low (integral) as fps.
    pub(super) low: String,
    /// The number of frames over budget and of all frames; empty without a budget.
    pub(super) over_budget: String,
    pub(super) any_over: bool,
    /// The names of the marked spans that contain the newest frame.
    pub(super) open: String,
}

impl HudStatistics {
    /// Recomputes all figures, without the frames in marked spans whose names are `excluded`.
    pub(super) fn read(&mut self, data: &dyn Data, rules: &FrameRules, excluded: &[String]) {
        let held = data.frames();
        let first = held.end.saturating_sub(FRAMES).max(first_timed(&held));
        read_times(
            data.frame_times(),
            &(first..held.end),
            data.marks(),
            excluded,
            &mut self.times_ms,
        );
        self.first = first;
        self.low.clear();
        self.over_budget.clear();
        (self.is_known, self.any_over) = (false, false);
        let Some(all) = self.analyzer.analyze(&self.times_ms, rules) else {
            return;
        };
        self.is_known = true;
        write_padded(all.low_integral_fps(), 1, &mut self.low);
        self.low.push_str(" fps");
        if let Some(over) = &all.over_budget {
            self.any_over = over.frames > 0;
            let (frames, all) = (over.frames, all.frames);
            // Writing to a string cannot fail.
            let _ = write!(self.over_budget, "{frames} of {all} over budget");
        }
    }

    /// Returns whether no frame time was known.
    pub(super) fn is_empty(&self) -> bool {
        !self.is_known
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
            assert_eq!(hud.low.chars().count(), 11);
            assert!(hud.over_budget.ends_with(" of 600 over budget"));
        }
        hud.read(&Values::of(vec![2616.16; 9]), &rules, &[]);
        assert_eq!(hud.low, "    0.4 fps");
        // The first frame is not timed.
        assert_eq!(hud.over_budget, "8 of 8 over budget");
        hud.read(&Values::of(vec![0.5; 9]), &rules, &[]);
        assert_eq!(hud.low, "2,000.0 fps");
        hud.read(&Values::default(), &rules, &[]);
        assert!(hud.is_empty() && hud.low.is_empty() && !hud.any_over);
    }
}
