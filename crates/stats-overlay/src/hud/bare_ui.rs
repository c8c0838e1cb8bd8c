//! The HUD of one line: the frame time, the frame rate, and a notice or the newest finding.

use egui::{Align, Align2, Context, FontId, LayerId, Painter, Rect, pos2, vec2};

use crate::hud::ui::{HudUi, MARGIN, hud_id};
use stats_ui::accessibility;
use stats_ui::palette::fnv1a;
use stats_ui::shapes;
use stats_ui::text_revision::text_revision;
use stats_ui::theme::text_font;

const HEIGHT: f32 = 24.0;
const PADDING: f32 = 8.0;
const SIZE: f32 = 14.0;
/// The room for `9,999.99 ms` and for `9,999.9 fps`, in characters.
const CHARS: f32 = 11.0;
const GAP: f32 = 12.0;
/// The maximum width of the finding, in points.
const FINDING: f32 = 420.0;
/// The first pass that draws the finding.
const FINDING_FROM: u8 = 2;

impl HudUi<'_> {
    /// Paints the line. The numbers have a fixed place at the edge of the screen, and the finding is
    /// on their inner side, so that it moves nothing.
    pub(super) fn bare_ui(&mut self, ctx: &Context, layer: LayerId, screen: Rect) {
        let painter = ctx.layer_painter(layer).with_clip_rect(screen);
        self.hud.passes = self.hud.passes.saturating_add(1);
        let passes = self.hud.passes.min(FINDING_FROM);
        let mut bare = std::mem::take(&mut self.hud.bare);
        // The texts of a new font have other widths.
        let _ = text_revision(ctx);
        // A notice is shown instead of the finding.
        let notice = self.notice.map(|(text, _)| fnv1a(text));
        let finding = (self.card.revision(), notice);
        let key = (screen, *self.theme, self.hud.revision, finding, passes);
        bare.paint(&painter, key, |painter| {
            self.texts_ui(painter, screen, passes)
        });
        self.hud.bare = bare;
        if accessibility::is_on(ctx) {
            self.describe_bare(&painter, screen);
        }
    }

    fn texts_ui(&self, painter: &Painter, screen: Rect, passes: u8) {
        let (theme, hud) = (self.theme, &*self.hud);
        let font = FontId::monospace(SIZE);
        let glyph = shapes::laid_out(painter, "0", font.clone(), theme.text)
            .size()
            .x;
        let column = (glyph * CHARS).ceil();
        let room = screen.width() - 2.0 * MARGIN;
        let numbers = (2.0 * column + 2.0 * PADDING + 14.0).min(room).max(0.0);
        let color = match self.notice {
            Some((_, true)) => theme.alert,
            Some((_, false)) => theme.text,
            None => theme.text_if(!self.card.is_dim()),
        };
        let most = (room - numbers - GAP).clamp(0.0, FINDING);
        let is_drawn = passes >= FINDING_FROM;
        let notice = self.notice.filter(|_| is_drawn);
        let text = notice.map(|(text, _)| shapes::fitted(painter, text, text_font(), color, most));
        let headline = self.headline.filter(|_| is_drawn && text.is_none());
        let headline = headline.map(|line| line.fitted(painter, text_font(), color, most));
        let finding = text.or(headline);
        let more = finding.as_ref().map_or(0.0, |galley| galley.size().x + GAP);
        let align = self.settings.hud_place.align();
        let area = screen.shrink(MARGIN);
        let sheet = align.align_size_within_rect(vec2(numbers + more, HEIGHT), area);
        let edge = theme.line.gamma_multiply(0.7);
        shapes::plate(painter, sheet, 5.0, theme.hud, edge);
        // At the right edge, the numbers are at the right end.
        let is_right = align.x() == Align::Max;
        let left = if is_right {
            sheet.left() + more
        } else {
            sheet.left()
        };
        let middle = sheet.center().y;
        let end = left + PADDING + column;
        let (place, right) = (pos2(end, middle), Align2::RIGHT_CENTER);
        let color_of_time = theme.value(hud.time_over);
        shapes::text_at(
            painter,
            place,
            right,
            &hud.time,
            font.clone(),
            color_of_time,
        );
        if hud.time_over {
            let sign = pos2(end + 8.0, middle);
            painter.add(shapes::over_budget_sign(sign, theme.alert));
        }
        let place = pos2(left + numbers - PADDING, middle);
        shapes::text_at(painter, place, right, &hud.rate, font, theme.text);
        if let Some(galley) = finding {
            let left = if is_right {
                sheet.left() + PADDING
            } else {
                sheet.left() + numbers + GAP - PADDING
            };
            let place = sheet.with_min_x(left);
            shapes::galley_in(painter, place, galley, color);
        }
    }

    fn describe_bare(&self, painter: &Painter, screen: Rect) {
        let rect = self.settings.hud_place.align();
        let size = vec2(screen.width() * 0.5, HEIGHT);
        let rect = rect.align_size_within_rect(size, screen.shrink(MARGIN));
        self.describe_head(painter, [rect; 3]);
        if let Some((notice, _)) = self.notice {
            let id = hud_id().with("Notice");
            let describe = || ("Notice".to_owned(), notice.to_owned());
            accessibility::describe(painter.ctx(), id, rect, describe);
        }
    }
}
