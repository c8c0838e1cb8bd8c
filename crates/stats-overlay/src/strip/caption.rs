//! The caption of the strip, which is the key of its marks, too.

use egui::{Painter, Pos2, Rect, Stroke, vec2};
use stats_analysis::format::{count_text, seconds_text, value_text, whole_text};
use stats_core::Unit;
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font};

use crate::strip::hitch_marks::{Longest, RING};

/// The height of the caption, in points.
pub(crate) const CAPTION: f32 = 14.0;
/// The room for a sign, the gap after a part, and the minimum room for a part, in points.
const SIGN: f32 = 12.0;
const GAP: f32 = 12.0;
const MIN_PART: f32 = 60.0;

/// What the caption says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Caption {
    /// The length of all frames in seconds; `None` to leave it out.
    pub(super) secs: Option<f64>,
    pub(super) longest: Option<Longest>,
    /// The frame time at the upper edge, in milliseconds.
    pub(super) top_ms: f64,
    /// The number of hitches, and whether frames are over budget, for the key.
    pub(super) hitches: usize,
    pub(super) is_over: bool,
}

/// A sign of the key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Longest,
    Hitch,
    OverBudget,
}

impl Caption {
    /// Paints the caption into `place`, and returns its width. A part without room is left out.
    pub(super) fn paint(&self, painter: &Painter, place: Rect, theme: &Theme) -> f32 {
        let mut rest = place;
        for (sign, text) in self.parts() {
            if sign.is_some_and(|_| rest.width() < MIN_PART) {
                break;
            }
            if let Some(sign) = sign {
                let center = rest.left_center() + vec2(SIGN / 2.0 - 2.0, 0.0);
                sign.paint(painter, center, theme);
                rest.min.x += SIGN;
            }
            let width = shapes::text_in(painter, rest, &text, small_font(), theme.weak);
            rest.min.x = (rest.min.x + width + GAP).min(place.right());
        }
        (rest.left() - GAP - place.left()).max(0.0)
    }

    /// Returns all parts in words, for screen readers.
    pub(super) fn text(&self) -> String {
        let texts: Vec<String> = self.parts().into_iter().map(|(_, text)| text).collect();
        texts.join(", ")
    }

    fn parts(&self) -> Vec<(Option<Sign>, String)> {
        let secs = self.secs.map(|secs| format!(", {} s", seconds_text(secs)));
        let mut parts = vec![(None, format!("all frames{}", secs.unwrap_or_default()))];
        if let Some(Longest { frame, ms }) = self.longest {
            let text = |ms| value_text(ms, Unit::Milliseconds);
            let cut = match ms > self.top_ms {
                true => format!(", drawn up to {}", text(self.top_ms)),
                false => String::new(),
            };
            let frame = whole_text(frame as f64);
            let longest = format!("longest {} in frame {frame}{cut}", text(ms));
            parts.push((Some(Sign::Longest), longest));
        }
        if self.hitches > 0 {
            let hitches = count_text(self.hitches as u64, "hitch", "hitches");
            parts.push((Some(Sign::Hitch), hitches));
        }
        if self.is_over {
            parts.push((Some(Sign::OverBudget), "over budget".to_owned()));
        }
        parts
    }
}

impl Sign {
    fn paint(self, painter: &Painter, center: Pos2, theme: &Theme) {
        match self {
            Self::Longest => {
                painter.circle_stroke(center, RING, Stroke::new(1.5, theme.text));
            }
            Self::Hitch => {
                painter.add(shapes::hitch_sign(center, theme.alert));
            }
            Self::OverBudget => {
                let bar = Rect::from_center_size(center, vec2(8.0, 2.0));
                painter.rect_filled(bar, 0.0, theme.alert);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caption_names_the_longest_frame_and_each_mark_that_is_there() {
        let mut caption = Caption {
            secs: None,
            longest: Some(Longest {
                frame: 1234,
                ms: 30.0,
            }),
            top_ms: 33.0,
            hitches: 0,
            is_over: false,
        };
        assert_eq!(
            caption.text(),
            "all frames, longest 30.00 ms in frame 1,234"
        );
        caption.secs = Some(68.25);
        caption.top_ms = 25.0;
        (caption.hitches, caption.is_over) = (1, true);
        assert_eq!(
            caption.text(),
            "all frames, 68.25 s, longest 30.00 ms in frame 1,234, drawn up to 25.00 ms, 1 hitch, over budget"
        );
        caption.longest = None;
        caption.hitches = 2;
        assert_eq!(
            caption.text(),
            "all frames, 68.25 s, 2 hitches, over budget"
        );
    }
}
