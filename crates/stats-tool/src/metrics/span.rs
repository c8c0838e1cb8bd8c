//! The spans of a run: loading, a level, a fight.

use std::ops::Range;

use stats_analysis::bottleneck::Bottleneck;
use stats_core::Unit;

use super::clock::Clock;
use super::metric::MetricList;

/// All spans of one name.
#[derive(Clone, Debug)]
pub(crate) struct SpanFigures {
    pub(crate) name: String,
    /// The frames of each span, in their order.
    pub(crate) frames: Vec<Range<u64>>,
    /// The duration of the longest span, in seconds.
    pub(super) longest_secs: Option<f64>,
    /// The duration of all spans, in seconds. Overlapping time counts once.
    pub(super) total_secs: f64,
    /// The times of the frames in any of the spans. No frame is left out.
    pub(crate) clocks: Vec<Clock>,
    /// The largest number of bytes at the end of a frame in any of the spans.
    pub(super) memory_bytes: Option<f64>,
    /// What limits the frame rate in the spans.
    pub(crate) bottleneck: Bottleneck,
}

impl SpanFigures {
    pub(super) fn add_to(&self, list: &mut MetricList) {
        let of = |figure: &str| format!("spans/{}/{figure}", self.name);
        list.neutral(of("times"), self.frames.len() as f64, Unit::Count);
        list.lower(of("seconds"), self.total_secs, Unit::Seconds);
        list.lower(of("longest-seconds"), self.longest_secs, Unit::Seconds);
        list.lower(of("memory-high-water"), self.memory_bytes, Unit::Bytes);
        if let Some(frame) = self.clocks.iter().find(|clock| clock.name == "frame") {
            let frames = frame.statistics.frames as f64;
            list.neutral(of("frames"), frames, Unit::Count);
            frame.add_rates_to(list, &of(""));
        }
        for clock in &self.clocks {
            clock.add_to(list, &of(""));
        }
    }
}
