//! Shapes and texts that are kept from pass to pass until what they show changes.
//!
//! Laying out a text costs about a microsecond and a few allocations, and painting it again costs
//! neither. A view that shows the same hundred texts in most passes keeps them.

use std::sync::Arc;

use egui::epaint::ClippedShape;
use egui::{Color32, Context, Galley, Id, LayerId, Painter, Pos2, Rect, Vec2};

use crate::theme::number_font;

/// What was painted last, and what it shows.
///
/// The key contains everything that the shapes depend on, except the painter's layer and clip
/// rectangle and the state of the fonts, which are compared as well.
#[derive(Clone, Debug)]
pub struct Retained<K> {
    key: Option<(K, Place)>,
    /// Where the shapes were painted.
    origin: Pos2,
    shapes: Vec<ClippedShape>,
}

impl<K> Default for Retained<K> {
    fn default() -> Self {
        Self {
            key: None,
            origin: Pos2::ZERO,
            shapes: Vec::new(),
        }
    }
}

/// What shapes depend on beside their contents.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    layer: LayerId,
    clip_rect: Rect,
    text_revision: u64,
}

impl<K: PartialEq> Retained<K> {
    /// Paints what the previous call painted if `key` is the same, and calls `paint` otherwise.
    /// Repeating allocates nothing.
    pub fn paint(&mut self, painter: &Painter, key: K, paint: impl FnOnce(&Painter)) {
        self.paint_at(painter, Pos2::ZERO, key, paint);
    }

    /// Does the same for shapes that move with `origin`, such as those of a row that scrolls.
    pub fn paint_at(
        &mut self,
        painter: &Painter,
        origin: Pos2,
        key: K,
        paint: impl FnOnce(&Painter),
    ) {
        let (ctx, layer) = (painter.ctx(), painter.layer_id());
        let place = Place {
            layer,
            clip_rect: painter.clip_rect(),
            text_revision: text_revision(ctx),
        };
        let key = (key, place);
        if self.key.as_ref() == Some(&key) {
            let moved = origin - self.origin;
            return ctx.graphics_mut(|graphics| {
                let list = graphics.entry(layer);
                for clipped in &self.shapes {
                    let mut shape = clipped.shape.clone();
                    if moved != Vec2::ZERO {
                        shape.translate(moved);
                    }
                    list.add(clipped.clip_rect, shape);
                }
            });
        }
        self.origin = origin;
        let painted = ctx.graphics_mut(|graphics| graphics.entry(layer).next_idx().0);
        paint(painter);
        self.shapes.clear();
        ctx.graphics_mut(|graphics| {
            let list = graphics.entry(layer).all_entries();
            self.shapes.extend(list.skip(painted).cloned());
        });
        self.key = Some(key);
    }
}

/// The text that tells whether galleys of earlier passes are still valid.
#[derive(Clone, Default)]
struct Probe {
    pass: Option<u64>,
    galley: Option<Arc<Galley>>,
    revision: u64,
}

/// Returns a number that changes when texts have to be laid out again: with the fonts, with the
/// number of pixels per point, and when egui clears its glyphs to make room for others. A galley
/// from before such a change shows the wrong glyphs.
///
/// egui does not report this, but it drops all galleys of its own then. So one text is laid out in
/// every pass: while egui returns the galley of the previous pass, all galleys are valid.
pub fn text_revision(ctx: &Context) -> u64 {
    let (id, pass) = (
        Id::NULL.with("stats text revision"),
        ctx.cumulative_pass_nr(),
    );
    let mut probe: Probe = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    if probe.pass == Some(pass) {
        return probe.revision;
    }
    let galley = ctx.fonts_mut(|fonts| {
        fonts.layout_no_wrap("0".to_owned(), number_font(), Color32::PLACEHOLDER)
    });
    let is_kept = probe
        .galley
        .as_ref()
        .is_some_and(|kept| Arc::ptr_eq(kept, &galley));
    probe = Probe {
        pass: Some(pass),
        galley: Some(galley),
        revision: probe.revision + u64::from(!is_kept),
    };
    let revision = probe.revision;
    ctx.data_mut(|data| data.insert_temp(id, probe));
    revision
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Align2, RawInput};

    /// Runs a pass that paints `text`, and returns the shapes and whether they were painted anew.
    fn pass(
        ctx: &Context,
        retained: &mut Retained<&'static str>,
        text: &'static str,
    ) -> (Vec<ClippedShape>, bool) {
        let mut is_painted = false;
        let output = ctx.run_ui(RawInput::default(), |ui| {
            let painter = ui.ctx().debug_painter();
            retained.paint(&painter, text, |painter| {
                is_painted = true;
                painter.text(
                    Pos2::ZERO,
                    Align2::LEFT_TOP,
                    text,
                    number_font(),
                    Color32::RED,
                );
            });
        });
        let texts = output
            .shapes
            .into_iter()
            .filter(|clipped| matches!(clipped.shape, egui::Shape::Text(_)));
        (texts.collect(), is_painted)
    }

    #[test]
    fn shapes_are_repeated_until_their_key_or_the_fonts_change() {
        let (ctx, mut retained) = (Context::default(), Retained::default());
        let (first, is_painted) = pass(&ctx, &mut retained, "a");
        assert!(is_painted && first.len() == 1);
        let (again, is_painted) = pass(&ctx, &mut retained, "a");
        assert!(!is_painted && again == first);
        let (other, is_painted) = pass(&ctx, &mut retained, "b");
        assert!(is_painted && other != first);
        ctx.set_pixels_per_point(2.0);
        pass(&ctx, &mut retained, "b");
        assert!(pass(&ctx, &mut retained, "a").1, "another key");
        ctx.set_pixels_per_point(1.0);
        let painted = (0..2).map(|_| pass(&ctx, &mut retained, "a").1);
        assert_eq!(painted.filter(|painted| *painted).count(), 1, "once");
    }
}
