//! The series that tell what limits the frame rate.

use std::sync::Arc;

use stats_core::{FrameSlice, SeriesInfo, SeriesKind};

use super::rule::{FrameTimes, Refresh};
use super::values::Values;
use super::verdict::Bottleneck;
use crate::insight::{in_ms, is_display_wait};

/// The largest number of series.
pub(super) const MAX_SERIES: usize = 64;
/// The last segments of the paths of waits for the GPU.
const GPU_WAITS: [&str; 2] = ["fence", "gpu"];

/// What a series tells about the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    Running,
    Ready,
    Blocked,
    GpuFrame,
    GpuPass,
    DisplayWait,
    GpuWait,
    Wait,
}

impl Evidence {
    fn of(info: &SeriesInfo<'_>, frame_thread: Option<&str>) -> Option<Self> {
        match info.path {
            "frame/running" => return Some(Self::Running),
            "frame/ready" => return Some(Self::Ready),
            "frame/blocked" => return Some(Self::Blocked),
            _ => {}
        }
        if info.kind != SeriesKind::Timer {
            let is_pass = info.kind == SeriesKind::Gauge && info.path.ends_with("/elapsed_gpu");
            return is_pass.then_some(Self::GpuPass);
        }
        let is_on_gpu = info.path.starts_with("gpu/")
            && (info.is_deferred
                || info
                    .thread
                    .is_none_or(|name| name.eq_ignore_ascii_case("gpu")));
        if info.is_wait {
            let is_elsewhere =
                matches!((info.thread, frame_thread), (Some(own), Some(frame)) if own != frame);
            let last = info.path.rsplit('/').next().unwrap_or(info.path);
            let kind = if is_display_wait(info.path) {
                Self::DisplayWait
            } else if GPU_WAITS.contains(&last) {
                Self::GpuWait
            } else {
                Self::Wait
            };
            return (!is_elsewhere).then_some(kind);
        }
        match info.path {
            "gpu/frame" if is_on_gpu => Some(Self::GpuFrame),
            path if is_on_gpu || path.ends_with("/elapsed_gpu") => Some(Self::GpuPass),
            _ => None,
        }
    }
}

/// A series and the milliseconds in its unit.
#[derive(Clone, Debug)]
struct Timed<T> {
    path: Arc<str>,
    evidence: Evidence,
    in_ms: f64,
    series: T,
}

/// The series that tell what limits the frame rate. `T` stands for a series, such as a
/// [`Watch`](stats_core::Watch).
#[derive(Clone, Debug)]
pub struct BottleneckSeries<T> {
    all: Vec<Timed<T>>,
}

impl<T> Default for BottleneckSeries<T> {
    fn default() -> Self {
        Self { all: Vec::new() }
    }
}

impl<T> BottleneckSeries<T> {
    /// Adds a listed series if it tells anything, or replaces what it tells. `series` is called if it
    /// is new. Ignores the series beyond the first 64. `frame_thread` is the
    /// [thread](stats_core::Source::frame_thread) that ends the frames. Returns whether the series tells
    /// anything.
    pub fn add(
        &mut self,
        info: &SeriesInfo<'_>,
        frame_thread: Option<&str>,
        series: impl FnOnce() -> T,
    ) -> bool {
        let evidence = Evidence::of(info, frame_thread);
        let (Some(evidence), Some(in_ms)) = (evidence, in_ms(info.unit)) else {
            // A wait may have moved to another thread.
            if info.is_wait {
                self.all.retain(|known| &*known.path != info.path);
            }
            return false;
        };
        if let Some(known) = self.all.iter_mut().find(|known| &*known.path == info.path) {
            (known.evidence, known.in_ms) = (evidence, in_ms);
            return true;
        }
        if self.all.len() >= MAX_SERIES {
            return false;
        }
        self.all.push(Timed {
            path: info.path.into(),
            evidence,
            in_ms,
            series: series(),
        });
        true
    }

    /// Returns all series, for changes.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.all.iter_mut().map(|one| &mut one.series)
    }

    /// Forgets all series.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    /// Returns whether no series tells anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the end of the frames whose values are all known, which is at most that of
    /// `frame_ms`. The times of the GPU are known a few frames late.
    pub fn known_end<'a>(
        &self,
        values: impl Fn(&T) -> FrameSlice<'a>,
        frame_ms: FrameSlice<'_>,
    ) -> u64 {
        let ends = self.all.iter().map(|one| values(&one.series).frames().end);
        ends.filter(|end| *end > 0)
            .fold(frame_ms.frames().end, u64::min)
    }

    /// Tells what limits the frames of `frame_ms`, whose values are their durations in milliseconds;
    /// a frame of NaN does not count. `refresh_hz` is the refresh rate of the display, if it is known.
    pub fn judge<'a>(
        &self,
        values: impl Fn(&T) -> FrameSlice<'a>,
        frame_ms: FrameSlice<'_>,
        refresh_hz: Option<f64>,
    ) -> Bottleneck {
        let of_gpu = [Evidence::GpuFrame, Evidence::GpuPass, Evidence::GpuWait];
        let knows_gpu = of_gpu.into_iter().any(|one| self.has(one));
        let mut found = Bottleneck::new(knows_gpu, self.has(Evidence::Ready));
        let mut slices = [FrameSlice::default(); MAX_SERIES];
        for (slice, one) in slices.iter_mut().zip(&self.all) {
            *slice = values(&one.series);
        }
        let mut kinds = [None; MAX_SERIES];
        for (at, (kind, one)) in kinds.iter_mut().zip(&self.all).enumerate() {
            *kind = Some(one.evidence).filter(|_| self.is_outermost(at));
        }
        let series = Values {
            count: self.all.len(),
            kinds,
            slices,
            in_ms: std::array::from_fn(|at| self.all.get(at).map_or(0.0, |one| one.in_ms)),
            frame_ms,
        };
        let refresh = Refresh::of(refresh_hz, frame_ms, series.waits_beside_gpu());
        let mut waits = [0.0; MAX_SERIES];
        let (mut before, first) = (None, frame_ms.frames().start);
        let mut times = series.of_frame(first);
        for frame in frame_ms.frames() {
            let after = series.of_frame(frame + 1);
            if let Some(times) = times {
                let beside = [before, after].map(|one| one.and_then(FrameTimes::beside));
                let wait = |at: usize, is_beyond_display: bool| {
                    let value = series.value(at, frame);
                    value.filter(|_| series.is_wait(at, is_beyond_display))
                };
                found.add(times, beside, refresh, (&wait, self.all.len()), &mut waits);
            }
            (before, times) = (times, after);
        }
        found.name_waits(&waits, |at| &self.all[at].path);
        found
    }

    fn has(&self, evidence: Evidence) -> bool {
        self.all.iter().any(|one| one.evidence == evidence)
    }

    /// Returns whether a series is no pass of the GPU inside another one, by their paths.
    fn is_outermost(&self, at: usize) -> bool {
        let is_pass = |one: &&Timed<T>| one.evidence == Evidence::GpuPass;
        let inner = &self.all[at];
        let mut passes = self.all.iter().filter(is_pass);
        let is_around = |outer: &Timed<T>| {
            let rest = inner.path.strip_prefix(&*outer.path);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        !is_pass(&inner) || !passes.any(is_around)
    }
}
