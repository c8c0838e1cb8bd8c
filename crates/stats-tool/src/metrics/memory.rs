//! Memory, and the allocations of a frame.

use stats_core::Unit;

use super::metric::MetricList;
use super::series::SeriesFigures;

/// The series of the memory that stats-memory tracks.
pub(super) const TRACKED: &str = "memory/total";
/// The series of the memory that the process holds, from stats-process.
pub(super) const RESIDENT: &str = "process/memory-resident";

/// The high-water marks of memory; each is `None` if the program does not count it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Memory {
    /// The largest number of allocated bytes at any time.
    pub(super) tracked_bytes: Option<f64>,
    /// The largest resident size of the process, in bytes.
    pub(super) process_bytes: Option<f64>,
    /// The largest number of allocated bytes of video memory.
    pub(super) video_bytes: Option<f64>,
    /// The mean, the 99th percentile by frame, and the maximum of the number of allocations in a
    /// frame.
    pub(super) allocations: Option<[f64; 3]>,
}

impl Memory {
    pub(super) fn of(series: &[SeriesFigures]) -> Self {
        let find = |path: &str| series.iter().find(|figures| figures.record.path == path);
        let most = |path: &str| Some(find(path)?.numbers.as_ref()?.max);
        let allocations = find("memory/frame-allocations");
        let allocations = allocations.and_then(|figures| figures.numbers.as_ref());
        Self {
            tracked_bytes: most("memory/peak").or_else(|| most(TRACKED)),
            process_bytes: most(RESIDENT),
            video_bytes: most("gpu/memory-allocated"),
            allocations: allocations.map(|numbers| [numbers.mean, numbers.p99, numbers.max]),
        }
    }

    pub(super) fn add_to(&self, list: &mut MetricList) {
        let bytes = Unit::Bytes;
        list.lower("memory/high-water".into(), self.tracked_bytes, bytes);
        list.lower(
            "memory/process-high-water".into(),
            self.process_bytes,
            bytes,
        );
        list.lower("memory/video-high-water".into(), self.video_bytes, bytes);
        for (at, figure) in ["mean", "p99-by-frame", "most"].iter().enumerate() {
            let value = self.allocations.map(|figures| figures[at]);
            list.lower(
                format!("allocations-per-frame/{figure}"),
                value,
                Unit::Count,
            );
        }
    }
}
