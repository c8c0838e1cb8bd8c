//! The rule that decides what limits a frame.

use stats_core::FrameSlice;

use super::limit::Limit;
use crate::insight::add_up_to_frame;

/// The least share of a frame in which the GPU is busy if it limits the frame.
const GPU_BUSY: f64 = 0.9;
/// The least share of a frame that it waits for the display if the display limits it.
const LEAST_WAIT: f64 = 0.05;
/// Waits for the display may be waits for the GPU only if they differ from the time of the GPU by at most
/// this share of it.
const AS_LONG: f64 = 0.25;
/// Waits follow the GPU if their difference from its time changes from frame to frame by less than this
/// multiple of what the duration changes by. They follow the display if the reverse is true.
const FOLLOWS: f64 = 0.85;
/// Frames that wait for at least this part of their time are not limited by their thread.
const MOSTLY_WAITING: f64 = 0.5;
/// The largest distance of the median frame from the period of the display, as a share of it.
const AT_REFRESH: f64 = 0.03;
/// A frame of more periods missed a refresh.
const MISSED_PERIODS: f64 = 1.5;
/// The largest number of periods for which a frame waits for the display: a swap interval is at most
/// this long.
const MOST_PERIODS: f64 = 4.0;
/// The period of the slowest display, which counts if the period is not known: 24 Hz.
const SLOWEST_MS: f64 = 1e3 / 24.0;

/// The times of a frame, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameTimes {
    pub(super) frame_ms: f64,
    pub(super) running_ms: Option<f64>,
    pub(super) ready_ms: Option<f64>,
    pub(super) blocked_ms: Option<f64>,
    pub(super) gpu_ms: Option<f64>,
    /// The declared waits for the display.
    pub(super) display_ms: f64,
    /// The declared waits for the GPU.
    pub(super) gpu_wait_ms: f64,
    /// Whether the declared waits for the display are waits like any other, because they are too long
    /// for it.
    pub(super) is_beyond_display: bool,
}

impl FrameTimes {
    /// Returns the waits for the display as far as the frame was blocked, and the time of the GPU; `None`
    /// without it.
    pub(super) fn waits_beside_gpu(&self) -> Option<[f64; 2]> {
        let most_ms = self.blocked_ms.unwrap_or(self.frame_ms).max(0.0);
        Some([self.display_ms.min(most_ms), self.gpu_ms?])
    }

    /// Returns what a frame beside this one needs to know; `None` without the time of the GPU.
    pub(super) fn beside(self) -> Option<Beside> {
        Some(Beside {
            frame_ms: self.frame_ms,
            gpu_ms: self.gpu_ms?,
        })
    }

    /// Returns the limit of a whole frame; `None` if its time is divided. Sets the wait for the
    /// display to 0 if something else missed the refresh, or if no display is that slow.
    pub(super) fn limit(&mut self, beside: [Option<Beside>; 2], refresh: Refresh) -> Option<Limit> {
        let frame_ms = self.frame_ms;
        let Some(running_ms) = self.running_ms else {
            return Some(Limit::Unknown);
        };
        if !add_up_to_frame([self.running_ms, self.ready_ms, self.blocked_ms], frame_ms) {
            return Some(Limit::Unknown);
        }
        let not_running_ms = frame_ms - running_ms - self.ready_ms.unwrap_or(0.0);
        let blocked_ms = self.blocked_ms.unwrap_or(not_running_ms).max(0.0);
        self.blocked_ms = Some(blocked_ms);
        self.display_ms = self.display_ms.clamp(0.0, blocked_ms);
        let has_waited = self.display_ms >= LEAST_WAIT * frame_ms;
        let has_missed = refresh.is_shorter_than(frame_ms / MISSED_PERIODS);
        let is_gpu_late = self.gpu_ms.is_some_and(|ms| refresh.is_shorter_than(ms));
        if has_waited && refresh.is_kept && !has_missed && !is_gpu_late {
            return Some(Limit::Display);
        }
        if self.is_gpu_busy(running_ms, beside) {
            return Some(Limit::Gpu);
        }
        if !has_waited {
            return None;
        }
        // A GPU may take longer than a refresh, so without its times only the slowest display counts.
        let is_beyond_display = match self.gpu_ms {
            Some(gpu_ms) => refresh.is_shorter_than((self.display_ms - gpu_ms) / MOST_PERIODS),
            None => self.display_ms > MOST_PERIODS * SLOWEST_MS.max(refresh.period_ms),
        };
        if is_beyond_display {
            (self.display_ms, self.is_beyond_display) = (0.0, true);
            return None;
        }
        let Some(gpu_ms) = self.gpu_ms else {
            return Some(Limit::GpuOrDisplay);
        };
        if refresh.waits == PresentWaits::Gpu {
            self.gpu_wait_ms += std::mem::take(&mut self.display_ms);
            return None;
        }
        let thread_ms = frame_ms - self.display_ms;
        if has_missed && is_gpu_late && gpu_ms >= thread_ms {
            return Some(Limit::Gpu);
        }
        if refresh.waits == PresentWaits::GpuOrDisplay && !has_missed {
            return Some(Limit::GpuOrDisplay);
        }
        if has_missed && refresh.is_shorter_than(thread_ms) {
            self.blocked_ms = Some(blocked_ms - self.display_ms);
            self.display_ms = 0.0;
            return None;
        }
        Some(Limit::Display)
    }

    /// Returns whether the GPU was busy in the frame, or in it and those beside it: it works on a
    /// frame while the next one is prepared, so the two may differ.
    fn is_gpu_busy(&self, running_ms: f64, beside: [Option<Beside>; 2]) -> bool {
        let Some(gpu_ms) = self.gpu_ms.filter(|gpu_ms| *gpu_ms >= running_ms) else {
            return false;
        };
        let [before, after] = beside.map(Option::unwrap_or_default);
        let both = Beside {
            frame_ms: before.frame_ms + after.frame_ms,
            gpu_ms: before.gpu_ms + after.gpu_ms,
        };
        [Beside::default(), before, after, both]
            .iter()
            .any(|beside| gpu_ms + beside.gpu_ms >= GPU_BUSY * (self.frame_ms + beside.frame_ms))
    }
}

/// The time of a frame beside another one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    pub(super) frame_ms: f64,
    pub(super) gpu_ms: f64,
}

/// The waits for the display beside the times of the GPU, over all frames with both, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WaitsBesideGpu {
    frame_ms: f64,
    waited_ms: f64,
    gpu_ms: f64,
    /// The sum of the changes, from frame to frame, of the difference of wait and time of the GPU.
    apart_ms: f64,
    /// The sum of the changes of the duration.
    uneven_ms: f64,
    /// The sum of the changes of the duration without the wait.
    thread_uneven_ms: f64,
}

impl WaitsBesideGpu {
    /// Adds a frame after another one: its duration, its wait and the time of the GPU. A change counts as
    /// at most the time of the GPU, so that a single long frame decides nothing.
    pub(super) fn add(
        &mut self,
        before: Option<(f64, [f64; 2])>,
        (frame_ms, [waited_ms, gpu_ms]): (f64, [f64; 2]),
    ) {
        self.frame_ms += frame_ms;
        self.waited_ms += waited_ms;
        self.gpu_ms += gpu_ms;
        if let Some((frame_before, [waited_before, gpu_before])) = before {
            let apart_ms = (waited_ms - gpu_ms) - (waited_before - gpu_before);
            self.apart_ms += apart_ms.abs().min(gpu_ms);
            self.uneven_ms += (frame_ms - frame_before).abs().min(gpu_ms);
            let thread_ms = (frame_ms - waited_ms) - (frame_before - waited_before);
            self.thread_uneven_ms += thread_ms.abs().min(gpu_ms);
        }
    }

    /// Returns whether the waits are about as long as the GPU took.
    fn are_as_long(self) -> bool {
        self.gpu_ms > 0.0 && (self.waited_ms - self.gpu_ms).abs() <= AS_LONG * self.gpu_ms
    }

    /// Returns whether the waits may pace the frames: most of the time is such a wait, or the waits make
    /// the frames more even than the thread would.
    fn may_pace(self) -> bool {
        self.waited_ms >= MOSTLY_WAITING * self.frame_ms
            || self.uneven_ms < FOLLOWS * self.thread_uneven_ms
    }

    /// Returns what waits are for that are as long as the GPU took. Waits for the GPU follow its times, so
    /// frames are as uneven as these. Waits for the display fill what the thread leaves of a refresh, so
    /// frames are even.
    fn waits(self) -> PresentWaits {
        if self.apart_ms < FOLLOWS * self.uneven_ms {
            PresentWaits::Gpu
        } else if self.uneven_ms < FOLLOWS * self.apart_ms {
            PresentWaits::Display
        } else {
            PresentWaits::GpuOrDisplay
        }
    }
}

/// What the declared waits for the display are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PresentWaits {
    Display,
    /// A present may wait until the GPU is done.
    Gpu,
    GpuOrDisplay,
}

/// The refresh of the display.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refresh {
    /// The period of the slowest display if it is not known.
    period_ms: f64,
    /// Whether the median frame lasts for one period.
    is_kept: bool,
    waits: PresentWaits,
}

impl Refresh {
    /// `beside_gpu` are the waits for the display in all frames.
    pub(super) fn of(
        hz: Option<f64>,
        frame_ms: FrameSlice<'_>,
        beside_gpu: WaitsBesideGpu,
    ) -> Self {
        let known_ms = hz.filter(|hz| *hz > 0.0).map(|hz| 1e3 / hz);
        let follows = beside_gpu.waits();
        let is_paced = known_ms.is_some_and(|period_ms| is_at_refreshes(frame_ms, period_ms));
        let is_even = is_even(frame_ms);
        // Frames are paced at a rate that is not the known one: the window is on another display.
        let is_elsewhere = known_ms.is_some_and(|period_ms| {
            !is_paced
                && !is_median_at_refreshes(frame_ms, period_ms)
                && is_mostly_below(frame_ms, MOST_PERIODS * period_ms)
                && (is_even || follows == PresentWaits::Display)
                && beside_gpu.may_pace()
        });
        let period_ms = known_ms.filter(|_| !is_elsewhere);
        let is_shorter_than_gpu = beside_gpu.waited_ms < beside_gpu.gpu_ms;
        let waits = if is_paced {
            PresentWaits::Display
        } else if beside_gpu.are_as_long() {
            if is_even && known_ms.is_none() {
                PresentWaits::GpuOrDisplay
            } else {
                follows
            }
        } else if is_elsewhere && is_shorter_than_gpu && follows != PresentWaits::Display {
            PresentWaits::GpuOrDisplay
        } else {
            PresentWaits::Display
        };
        Self {
            period_ms: period_ms.unwrap_or(SLOWEST_MS),
            is_kept: period_ms.is_some_and(|period_ms| is_median(frame_ms, period_ms)),
            waits,
        }
    }

    /// Returns whether a time is certainly longer than a period.
    fn is_shorter_than(self, ms: f64) -> bool {
        ms > self.period_ms
    }
}

/// Returns whether the median of values differs from `period` by at most [`AT_REFRESH`].
fn is_median(values: FrameSlice<'_>, period: f64) -> bool {
    let (mut below, mut above, mut all) = (0, 0, 0);
    for value in values.iter().filter(|value| value.is_finite()) {
        all += 1;
        below += usize::from(value < period * (1.0 - AT_REFRESH));
        above += usize::from(value > period * (1.0 + AT_REFRESH));
    }
    2 * below < all && 2 * above < all
}

/// Returns whether more than half of the values are below a limit.
fn is_mostly_below(values: FrameSlice<'_>, limit: f64) -> bool {
    let (mut below, mut all) = (0, 0);
    for value in values.iter().filter(|value| value.is_finite()) {
        all += 1;
        below += usize::from(value < limit);
    }
    2 * below > all
}

/// Returns whether the median of values is 1 to [`MOST_PERIODS`] periods, within [`AT_REFRESH`].
fn is_median_at_refreshes(values: FrameSlice<'_>, period: f64) -> bool {
    let mut periods = (1..=MOST_PERIODS as u32).map(|count| f64::from(count) * period);
    periods.any(|periods| is_median(values, periods))
}

/// Returns whether at least half of the values are 1 to [`MOST_PERIODS`] periods, within
/// [`AT_REFRESH`].
fn is_at_refreshes(values: FrameSlice<'_>, period: f64) -> bool {
    let (mut at, mut all) = (0, 0);
    for value in values.iter().filter(|value| value.is_finite()) {
        let periods = (value / period).round().clamp(1.0, MOST_PERIODS) * period;
        all += 1;
        at += usize::from((value - periods).abs() <= AT_REFRESH * periods);
    }
    2 * at >= all
}

/// Returns whether at least half of the values differ from the one before by at most [`AT_REFRESH`]:
/// a display paces frames evenly.
fn is_even(values: FrameSlice<'_>) -> bool {
    let (mut even, mut all, mut before) = (0, 0, None);
    for value in values.iter().filter(|value| value.is_finite()) {
        if let Some(before) = before.replace(value) {
            all += 1;
            even += usize::from((value - before).abs() <= AT_REFRESH * before);
        }
    }
    2 * even >= all
}
