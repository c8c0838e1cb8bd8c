//! The tap with three fingers.

use egui::{Event, Pos2, TouchId, TouchPhase};

const FINGERS: usize = 3;
/// The maximum time from the first finger's touch to the last one's lift, in seconds.
const MAX_SECS: f64 = 0.5;
/// The maximum distance that a finger moves, in points.
const MAX_MOVE: f32 = 24.0;
/// The maximum number of fingers that are followed.
const MAX_FINGERS: usize = 16;

/// Recognizes a tap: exactly three fingers touch the screen together, stay in place, and leave it
/// within half a second.
#[derive(Debug, Default)]
pub(crate) struct ThreeFingerTap {
    /// The fingers on the screen, and where each touched it.
    fingers: Vec<(TouchId, Pos2)>,
    /// The time of the first touch, and the number of fingers since.
    began_secs: f64,
    count: usize,
    /// Whether the touch is no tap: a finger moved, or the system took it over.
    is_spoiled: bool,
}

impl ThreeFingerTap {
    /// Takes note of an event at a time in seconds. Returns whether it completes a tap.
    pub(crate) fn note(&mut self, event: &Event, now_secs: f64) -> bool {
        let Event::Touch { id, phase, pos, .. } = event else {
            return false;
        };
        match phase {
            TouchPhase::Start => self.touch(*id, *pos, now_secs),
            TouchPhase::Move => {
                let finger = self.fingers.iter().find(|(of, _)| of == id);
                // A position that is not a number is no place to stay.
                let stays = finger.is_none_or(|(_, from)| from.distance(*pos) <= MAX_MOVE);
                self.is_spoiled |= !stays;
            }
            TouchPhase::End => return self.lift(*id, now_secs),
            TouchPhase::Cancel => {
                self.is_spoiled = true;
                self.lift(*id, now_secs);
            }
        }
        false
    }

    fn touch(&mut self, id: TouchId, pos: Pos2, now_secs: f64) {
        if self.fingers.is_empty() {
            (self.began_secs, self.count, self.is_spoiled) = (now_secs, 0, false);
        }
        self.fingers.retain(|(of, _)| *of != id);
        if self.fingers.len() == MAX_FINGERS {
            // The system forgot to report lifts.
            self.fingers.clear();
        }
        self.fingers.push((id, pos));
        self.count = self.count.max(self.fingers.len());
    }

    fn lift(&mut self, id: TouchId, now_secs: f64) -> bool {
        let before = self.fingers.len();
        self.fingers.retain(|(of, _)| *of != id);
        let is_last = before > 0 && self.fingers.is_empty();
        let is_short = now_secs - self.began_secs <= MAX_SECS;
        is_last && is_short && self.count == FINGERS && !self.is_spoiled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{TouchDeviceId, pos2};

    /// Plays touches: the finger, the phase, where it is, and when. Returns the number of taps.
    fn taps(touches: &[(u64, TouchPhase, f32, f64)]) -> usize {
        let mut tap = ThreeFingerTap::default();
        let played = touches.iter().filter(|&&(finger, phase, x, secs)| {
            let event = Event::Touch {
                device_id: TouchDeviceId(0),
                id: TouchId(finger),
                phase,
                pos: pos2(x, 0.0),
                force: None,
            };
            tap.note(&event, secs)
        });
        played.count()
    }

    /// Returns the touches of `fingers` fingers, which stay for a time.
    fn of(fingers: u64, secs: f64) -> Vec<(u64, TouchPhase, f32, f64)> {
        let down =
            (0..fingers).map(|finger| (finger, TouchPhase::Start, finger as f32 * 90.0, 1.0));
        let up =
            (0..fingers).map(|finger| (finger, TouchPhase::End, finger as f32 * 90.0, 1.0 + secs));
        down.chain(up).collect()
    }

    #[test]
    fn exactly_three_fingers_tap() {
        for fingers in 0..20 {
            assert_eq!(
                taps(&of(fingers, 0.2)),
                usize::from(fingers == 3),
                "{fingers}"
            );
        }
        let twice = [of(3, 0.2), of(3, 0.5)].concat();
        assert_eq!(taps(&twice), 2);
    }

    #[test]
    fn a_long_touch_a_moved_finger_and_a_canceled_one_are_no_tap() {
        assert_eq!(taps(&of(3, 0.51)), 0);
        for (x, expected) in [(20.0, 1), (25.0, 0), (f32::NAN, 0)] {
            let mut touches = of(3, 0.2);
            touches.insert(3, (0, TouchPhase::Move, x, 1.1));
            assert_eq!(taps(&touches), expected, "{x}");
        }
        let mut touches = of(3, 0.2);
        touches[4].1 = TouchPhase::Cancel;
        assert_eq!(taps(&touches), 0);
        let again = [touches, of(3, 0.2)].concat();
        assert_eq!(taps(&again), 1, "a later touch begins anew");
    }

    #[test]
    fn a_finger_that_is_lifted_and_touches_again_does_not_count_twice() {
        let (start, end) = (TouchPhase::Start, TouchPhase::End);
        let touches = [
            (0, start, 0.0, 1.0),
            (1, start, 0.0, 1.0),
            (0, end, 0.0, 1.1),
            (0, start, 0.0, 1.2),
            (0, end, 0.0, 1.3),
            (1, end, 0.0, 1.3),
        ];
        assert_eq!(taps(&touches), 0);
    }
}
