//! Where the time of a lane's thread went in each frame: it ran, it was blocked, or it waited for a
//! processor. A bar below the name of the lane divides the frame.
//!
//! The system tells how long, but not when. So the bar is in no place of a call: it fills the frame
//! from its end.

use egui::epaint::Mesh;
use egui::{Rect, pos2};
use stats_analysis::format::{value_text, whole_text};
use stats_core::Unit;

use crate::data::shown_times::ThreadTimes;
use crate::timeline::calls::ms;
use crate::timeline::lanes::{BAR, LaneRow, Lanes, NAME};
use crate::timeline::paint::Picture;
use crate::timeline::ui::{at_x, row_rect};
use crate::timeline::window::PlacedFrame;

/// The least part of the frames in view that is worth words.
const TOLD: f64 = 0.01;

/// Adds the bar of each frame in which the times of the lane are known.
pub(super) fn add_division(mesh: &mut Mesh, picture: &Picture<'_>, area: Rect, row: &LaneRow) {
    let bottom = row_rect(area, row).top() + NAME - 1.0;
    let top = bottom - (BAR - 1.0);
    for frame in picture.shown {
        let Some(times) = frame.copy.times_of(row.lane) else {
            continue;
        };
        let (blocked, ready) = parts(frame, times);
        let theme = picture.theme;
        for (from, to, color) in [
            (frame.begin_ns, blocked, theme.line),
            (blocked, ready, theme.weak),
            (ready, frame.end_ns(), theme.alert),
        ] {
            let [left, right] = [from, to]
                .map(|ns| at_x(area, &picture.window, ns).clamp(area.left(), area.right()));
            if right > left {
                let place = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
                mesh.add_colored_rect(place, color);
            }
        }
    }
}

/// Returns where the blocked time begins in the bar of a frame, and where the time without a processor
/// does.
fn parts(frame: &PlacedFrame<'_>, times: ThreadTimes) -> (f64, f64) {
    let before = |end: f64, ms: f64| (end - ms.max(0.0) * 1e6).max(frame.begin_ns);
    let ready = before(frame.end_ns(), times.ready_ms);
    (before(ready, times.blocked_ms), ready)
}

/// Returns what to add to the name of a lane: the time without a processor, if it is a part of the
/// frames that matters.
pub(super) fn ready_text(lane: usize, frames: &[PlacedFrame<'_>]) -> String {
    let times = frames.iter().filter_map(|frame| frame.copy.times_of(lane));
    let ready_ms: f64 = times.map(|times| times.ready_ms).sum();
    let all_ns: i64 = frames.iter().map(|frame| frame.copy.duration_ns).sum();
    if ready_ms <= 0.0 || ready_ms < ms(all_ns) * TOLD {
        return String::new();
    }
    let time = value_text(ready_ms, Unit::Milliseconds);
    format!(" · {time} without a processor")
}

/// Returns the sentence about the frame at a time, if a height below the top of the lanes is that of a
/// name with a bar.
pub(super) fn division_at(
    lanes: &Lanes,
    shown: &[PlacedFrame<'_>],
    (y, at_ns): (f32, f64),
) -> Option<String> {
    let row = (lanes.rows().iter()).find(|row| (row.top..row.top + NAME).contains(&y))?;
    let frame = (shown.iter()).find(|frame| (frame.begin_ns..frame.end_ns()).contains(&at_ns))?;
    let times = frame.copy.times_of(row.lane)?;
    let ran_ms = (ms(frame.copy.duration_ns) - times.ready_ms - times.blocked_ms).max(0.0);
    let time = |ms| value_text(ms, Unit::Milliseconds);
    Some(format!(
        "In frame {}, the thread ran {}, was blocked {}, and waited {} for a processor. The system does \
         not tell when.",
        whole_text(frame.copy.index as f64),
        time(ran_ms),
        time(times.blocked_ms),
        time(times.ready_ms),
    ))
}
