//! A message that is shown for a few seconds: what was copied, where a file was saved, or what
//! failed.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// How long a notice is shown, in seconds.
const SHOWN_SECS: f64 = 6.0;

/// The size of the area around the pointer that the user may be about to click, in points.
const TARGET: Vec2 = vec2(48.0, 32.0);
/// How much worse it is to cover this area than to cover the search box.
const POINTER_WEIGHT: f32 = 100.0;

/// The last notice.
#[derive(Debug, Default)]
pub(super) struct Notice {
    text: String,
    /// When it began to be shown, or would have been; `None` until the next pass, which knows the
    /// time.
    since_secs: Option<f64>,
    is_alert: bool,
}

impl Notice {
    /// Shows a text.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        *self = Self {
            text: text.into(),
            since_secs: None,
            is_alert: false,
        };
    }

    /// Shows a text about a failure.
    pub(super) fn warn(&mut self, text: impl Into<String>) {
        *self = Self {
            text: text.into(),
            since_secs: None,
            is_alert: true,
        };
    }

    /// Returns where to show a notice of this size: at the upper or the lower edge of `area`, in
    /// the middle, on the right or on the left. Chooses the first of these places that covers
    /// neither the area around the pointer nor `search`, or else the place that covers the least of
    /// them.
    pub(super) fn place(size: Vec2, area: Rect, pointer: Option<Pos2>, search: Rect) -> Rect {
        let (left, right) = (area.left() + size.x / 2.0, area.right() - size.x / 2.0);
        let (top, bottom) = (area.top() + size.y / 2.0, area.bottom() - size.y / 2.0);
        let covered = |rect: &Rect, other: Rect| {
            let both = rect.intersect(other);
            if both.is_positive() { both.area() } else { 0.0 }
        };
        let cost = |rect: &Rect| {
            let target =
                pointer.map_or(0.0, |at| covered(rect, Rect::from_center_size(at, TARGET)));
            target * POINTER_WEIGHT + covered(rect, search)
        };
        [top, bottom]
            .into_iter()
            .flat_map(|y| [area.center().x, right, left].map(|x| pos2(x, y)))
            .map(|center| Rect::from_center_size(center, size))
            .min_by(|a, b| cost(a).total_cmp(&cost(b)))
            .unwrap_or(area)
    }

    /// Notes the time in each pass, also while nothing is shown. A failure stays until somebody
    /// can see it.
    pub(super) fn note_time(&mut self, now_secs: f64) {
        if !self.is_alert && self.since_secs.is_none() {
            self.since_secs = Some(now_secs);
        }
    }

    /// Returns the text to show now, and whether it is about a failure.
    pub(super) fn shown(&mut self, now_secs: f64) -> Option<(&str, bool)> {
        let since = *self.since_secs.get_or_insert(now_secs);
        let fresh = (0.0..SHOWN_SECS).contains(&(now_secs - since));
        (fresh && !self.text.is_empty()).then_some((self.text.as_str(), self.is_alert))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_covers_neither_the_pointer_nor_the_search_box() {
        for (width, height) in [(640.0, 480.0), (1280.0, 800.0)] {
            let area = Rect::from_min_size(pos2(10.0, 40.0), vec2(width - 20.0, height - 60.0));
            let search = Rect::from_min_size(area.min, vec2(240.0, 24.0));
            for size in [vec2(120.0, 26.0), vec2(width - 60.0, 90.0)] {
                let usual = Notice::place(size, area, None, search);
                assert_eq!(usual.center().x, area.center().x);
                // At the top, a wide notice would cover the search box.
                let is_at_top = usual.top() == area.top();
                assert_eq!(is_at_top, size.x < 500.0);
                for x in 0..=64 {
                    for y in 0..=48 {
                        let at = pos2(width * x as f32 / 64.0, height * y as f32 / 48.0);
                        let placed = Notice::place(size, area, Some(at), search);
                        assert!(area.contains_rect(placed), "{placed} for {at:?}");
                        assert!(!placed.contains(at), "{placed} covers {at:?}");
                        let covers_search = placed.intersect(search).is_positive();
                        // A wide notice covers the box rather than the pointer.
                        assert!(!covers_search || size.x > 500.0, "{placed} for {at:?}");
                        if !usual.expand2(TARGET / 2.0).contains(at) {
                            assert_eq!(placed, usual, "it stays in its usual place");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_notice_disappears_after_a_while() {
        let mut notice = Notice::default();
        assert_eq!(notice.shown(0.0), None);
        notice.say("copied");
        assert_eq!(notice.shown(100.0), Some(("copied", false)));
        assert_eq!(
            notice.shown(100.0 + SHOWN_SECS - 0.1),
            Some(("copied", false))
        );
        assert_eq!(notice.shown(100.0 + SHOWN_SECS), None);
        notice.warn("no room");
        assert_eq!(notice.shown(200.0), Some(("no room", true)));
        // While nothing is shown, only a failure waits.
        notice.say("marked");
        notice.note_time(300.0);
        assert_eq!(notice.shown(301.0), Some(("marked", false)));
        assert_eq!(notice.shown(300.0 + SHOWN_SECS), None);
        notice.warn("no disk");
        notice.note_time(400.0);
        assert_eq!(notice.shown(500.0), Some(("no disk", true)));
    }
}
