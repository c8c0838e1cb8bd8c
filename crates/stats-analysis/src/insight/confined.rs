//! Confines the scopes of a frame to the frame.
//!
//! A scope reports its time in the frame in which it ends, but it may have begun in an earlier one.
//! The self times of one thread add up to at most the duration of the frame. If they exceed it, the
//! rest passed before:
//!
//! - A scope that is far too long for the frame has begun before. How much of its time lies in the
//!   frame is not known, so it is left out. Its part is in the time in no scope.
//! - Otherwise, most of each scope lies in the frame, and the excess of all is reduced by the same
//!   factor.

use crate::sort::sort_by;
use std::collections::HashMap;

use super::structure::{Place, Structure};

/// A scope is far too long if at most this share of it fits into the frame, beside the usual time
/// of the other scopes.
pub(super) const FITS: f64 = 0.75;
/// Sums of times may exceed the duration by this share, because times are rounded.
const ROUNDING: f64 = 1e-6;
/// Clocks may differ by this share of the duration, and by this time in milliseconds.
const CLOCK_ERROR: (f64, f64) = (0.01, 0.1);

/// The self times of scopes that do not fit into a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Confined {
    /// The milliseconds that count, by the number of the timer's series.
    pub(super) own_ms: HashMap<u32, f64>,
    /// The timers whose scopes began before the frame, and their whole self time. The longest is
    /// first.
    pub(super) began_before: Vec<(usize, f64)>,
    /// Whether the times of the others still exceed the frame, such as if one is inside another.
    pub(super) overlaps: bool,
}

impl Confined {
    /// Confines the self times of a frame. `own_ms` returns the self time of a timer and the usual
    /// one.
    pub(super) fn new(
        structure: &Structure,
        frame_ms: f64,
        usual_frame_ms: f64,
        own_ms: impl Fn(usize) -> (f64, f64),
    ) -> Self {
        let mut confined = Self::default();
        let timers = structure.timers.iter().enumerate();
        let on_frame = timers.filter(|(_, timer)| timer.place == Place::Frame);
        let times: Vec<_> = on_frame.map(|(at, _)| (at, own_ms(at))).collect();
        let sum = |time: fn((f64, f64)) -> f64| times.iter().map(|(_, both)| time(*both)).sum();
        let (all_ms, usual_ms): (f64, f64) = (sum(|(now, _)| now), sum(|(_, usual)| usual));
        // Without threads and parents, the usual times may overlap.
        let overlap_ms = if usual_frame_ms > 0.0 {
            (usual_ms - usual_frame_ms).max(0.0)
        } else {
            0.0
        };
        let most_ms = frame_ms + overlap_ms;
        if all_ms <= most_ms * (1.0 + ROUNDING) {
            return confined;
        }
        let may_be_inexact = all_ms <= most_ms * (1.0 + CLOCK_ERROR.0) + CLOCK_ERROR.1;
        let room_ms = (most_ms - usual_ms).max(0.0);
        let (mut more_ms, mut less_ms) = (0.0, 0.0);
        for &(at, (now, usual)) in &times {
            // A time that is usually longer than a frame is that of several threads.
            let is_of_one_thread = usual <= usual_frame_ms.max(0.0);
            if !may_be_inexact && is_of_one_thread && FITS * now > room_ms + usual {
                confined.began_before.push((at, now));
                confined.own_ms.insert(structure.timers[at].series, usual);
            } else {
                more_ms += (now - usual).clamp(0.0, room_ms);
                less_ms += (usual - now).max(0.0);
            }
        }
        confined.overlaps = more_ms - less_ms > room_ms + ROUNDING * frame_ms;
        let part = if more_ms > 0.0 {
            ((room_ms + less_ms) / more_ms).min(1.0)
        } else {
            1.0
        };
        for &(at, (now, usual)) in &times {
            let more_ms = part * (now - usual).clamp(0.0, room_ms);
            if now - usual > more_ms {
                let series = structure.timers[at].series;
                confined.own_ms.entry(series).or_insert(usual + more_ms);
            }
        }
        sort_by(&mut confined.began_before, |a, b| b.1.total_cmp(&a.1));
        confined
    }
}
