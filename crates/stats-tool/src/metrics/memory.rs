//! Memory, and the allocations of a frame.

use stats_core::Unit;

use super::metric::MetricList;
use super::run_metrics::RunMetrics;
use super::series::SeriesFigures;

/// The series of the memory that stats-memory tracks.
pub(super) const TRACKED: &str = "memory/total";
/// The series of the memory that the process holds, from stats-process.
pub(super) const RESIDENT: &str = "process/memory-resident";

/// The folder of the video memory by label, from stats-gpu.
const VIDEO_BY_LABEL: &str = "gpu/memory-by-name/";
/// The maximum number of labels in a report.
const MAX_LABELS: usize = 10;

/// How much memory of a kind a run used, in bytes; `None` for what is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MemoryUse {
    /// Whose memory it is, and where it is.
    pub(crate) name: &'static str,
    /// Used at the end of the run.
    pub(crate) used: f64,
    /// Used at most.
    pub(crate) peak: f64,
    /// How much there is.
    pub(crate) total: Option<f64>,
}

/// Returns the memory of the process and of the system, physical and virtual, and that of the first
/// GPU, as far as the run samples it.
pub(crate) fn memory_use(run: &RunMetrics) -> Vec<MemoryUse> {
    let find = |path: &str| {
        let series = run.series.iter();
        let mut named = series.filter(|figures| figures.record.path == path);
        named.next()?.numbers.as_ref()
    };
    let installed = run.run.machine.memory_bytes.map(|bytes| bytes as f64);
    let of = |name, path, peak: Option<f64>, total| {
        let numbers = find(path)?;
        let peak = peak.map_or(numbers.max, |peak| peak.max(numbers.max));
        Some(MemoryUse {
            name,
            used: numbers.last,
            peak,
            total,
        })
    };
    let peak = find("process/memory-peak").map(|numbers| numbers.max);
    let swap = find("machine/swap-total").map(|numbers| numbers.last);
    let video = find("machine/gpu/memory-total").map(|numbers| numbers.last);
    let available = find("machine/memory-available").zip(installed);
    let of_system = available.map(|(numbers, installed)| MemoryUse {
        name: "system, physical",
        used: installed - numbers.last,
        peak: installed - numbers.min,
        total: Some(installed),
    });
    let kinds = [
        of("process, physical", RESIDENT, peak, installed),
        of("process, virtual", "process/memory-virtual", None, None),
        of_system,
        of("system, on a disk", "machine/swap", None, swap),
        of("system, video", "machine/gpu/memory", None, video),
    ];
    kinds.into_iter().flatten().collect()
}

/// A figure of the fragmentation of a run's memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FragmentationFigure {
    pub(crate) name: &'static str,
    /// In the last snapshot of the run.
    pub(crate) last: f64,
    /// The most of any snapshot.
    pub(crate) most: f64,
}

/// Returns how scattered the tracked memory was over pages, in the snapshots that the run took;
/// empty if it took none.
pub(crate) fn fragmentation(run: &RunMetrics) -> Vec<FragmentationFigure> {
    let figures = [
        ("touched pages", "memory/pages/touched"),
        ("free in them", "memory/pages/free"),
        ("largest free run", "memory/pages/largest-free-run"),
        ("nearly empty pages", "memory/pages/nearly-empty"),
    ];
    let known = figures.into_iter().filter_map(|(name, path)| {
        let mut named = run
            .series
            .iter()
            .filter(|figures| figures.record.path == path);
        let numbers = named.next()?.numbers.as_ref()?;
        Some(FragmentationFigure {
            name,
            last: numbers.last,
            most: numbers.max,
        })
    });
    known.collect()
}

/// The video memory of the buffers and textures with one label, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LabelMemory<'a> {
    pub(crate) label: &'a str,
    /// Used at the end of the run.
    pub(crate) used: f64,
    /// Used at most.
    pub(crate) peak: f64,
}

/// Returns the labels that held the most video memory at any time, the largest first, as far as the
/// run samples them.
pub(crate) fn video_memory_by_label(run: &RunMetrics) -> Vec<LabelMemory<'_>> {
    let mut labels: Vec<_> = (run.series.iter())
        .filter_map(|figures| {
            let label = figures.record.path.strip_prefix(VIDEO_BY_LABEL)?;
            let numbers = figures
                .numbers
                .as_ref()
                .filter(|numbers| numbers.max > 0.0)?;
            Some(LabelMemory {
                label,
                used: numbers.last,
                peak: numbers.max,
            })
        })
        .collect();
    labels.sort_by(|a, b| b.peak.total_cmp(&a.peak).then_with(|| a.label.cmp(b.label)));
    labels.truncate(MAX_LABELS);
    labels
}

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
