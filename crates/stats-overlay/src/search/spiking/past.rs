//! Which values of a series are spikes.
//!
//! A value is above the bar if its excess over the usual value is more than 7.5 scales, half of the
//! usual value, and the floor. Most values of a counter of rare events are 0, so its events are
//! compared with each other: an event is above the bar only if its excess is also more than 1.5 times
//! that of the *largest event* of the last minute. A spike raises the largest event by half only, so
//! that a single large event does not hide the next, and frequent ones become usual.
//!
//! Values above the bar belong together if fewer than 8 frames are between them. The first of them is
//! a spike. A later one is a spike only if its excess is more than 1.5 times that of the last spike
//! among them. A new level is therefore one spike, and what happens in every 8th frame is usual. The
//! first kept value of a series is no spike, because the series may have fallen to a new level since.

use stats_analysis::insight::Usual;

/// How long a spike is listed, in seconds.
pub(super) const LISTED_SECS: f64 = 60.0;
/// The factor by which an excess has to be larger than an earlier one.
const LARGER: f32 = 1.5;
/// Values above the bar with fewer frames below it between them belong together.
const NEAR: u32 = 8;

/// What is known of the values of a series so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    /// The excess of the last spike. 0 before the first spike, and NaN before the first value.
    pub(super) above: f32,
    /// The frame in which the value fell below the bar; `None` while it is above, and before it
    /// ever was.
    pub(super) fell: Option<u32>,
    /// The excess of the largest event of a series that is mostly zero, and when it was set.
    event: f32,
    event_secs: f32,
}

impl Past {
    pub(super) const NONE: Self = Self {
        above: f32::NAN,
        fell: None,
        event: 0.0,
        event_secs: f32::NEG_INFINITY,
    };

    /// Judges a value by the rule of this module. Returns whether it is a spike. The same value
    /// again changes nothing.
    pub(super) fn judge(
        &mut self,
        value: f64,
        usual: &Usual,
        (frame, now_secs): (u64, f64),
    ) -> bool {
        let (excess, now_secs) = ((value - usual.value) as f32, now_secs as f32);
        let frame = frame as u32;
        let is_event = usual.is_mostly_zero() && value != 0.0;
        let is_compared = now_secs - self.event_secs <= LISTED_SECS as f32;
        let is_large = is_compared && excess > LARGER * self.event;
        let is_on = self.above > 0.0 && self.fell.is_none();
        if excess > usual.bar() as f32 && (!is_event || is_on || is_large) {
            let is_far = |fell| frame.wrapping_sub(fell) >= NEAR;
            let last = if self.fell.is_some_and(is_far) {
                0.0
            } else {
                self.above
            };
            let is_spike = excess > LARGER * last;
            if is_spike && is_event {
                (self.event, self.event_secs) = (LARGER * self.event, now_secs);
            }
            if is_spike || self.above.is_nan() {
                self.above = excess;
            }
            self.fell = None;
            return is_spike;
        }
        if is_on {
            self.fell = Some(frame);
        } else if self.above.is_nan() {
            self.above = 0.0;
        }
        if is_event && excess > 0.0 && (excess > self.event || !is_compared) {
            (self.event, self.event_secs) = (excess, now_secs);
        }
        false
    }
}
