//! Texts that differ in their digits only.
//!
//! Laying out a text takes some microseconds and twenty allocations, and numbers change a few times
//! a second. In most fonts, all digits have the same width. A text with other digits is then an
//! earlier text with some glyphs replaced: egui has laid out the same digits at the same places of
//! other texts.
//!
//! With ten refreshes of the numbers a second, this saves a HUD of eight counters 15 of 22 allocations
//! and 9 % of the time of a frame, and the whole overlay 69 of 256 allocations and 6 %. Both would miss
//! the bars of their allocations without it (docs/benchmarks.md).
//!
//! A font whose digits differ in width is detected by comparing them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use egui::emath::GuiRounding as _;
use egui::epaint::Vertex;
use egui::epaint::text::{Glyph, PlacedRow};
use egui::{Galley, Rect, pos2};

/// A key of a text that is the same for other digits.
pub(super) struct Masked<'a>(pub(super) &'a str);

impl Hash for Masked<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.0.bytes() {
            state.write_u8(if byte.is_ascii_digit() { b'0' } else { byte });
        }
        state.write_u8(0xff);
    }
}

/// A line in one font and color, with any digits.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    /// The line with some digits, once for each place that shows it: the one used last is last.
    lines: Vec<Arc<Galley>>,
    /// For each digit of the line, the known glyphs.
    digits: Vec<Vec<Glyph>>,
    /// Whether other digits change more than their glyphs: they have different widths in some
    /// fonts.
    is_irregular: bool,
}

impl Pattern {
    /// Returns the line with the digits of `text`, if their glyphs are known.
    pub(super) fn line(&mut self, text: &str) -> Option<Arc<Galley>> {
        let mut digits = text.chars().filter(char::is_ascii_digit).zip(&self.digits);
        if !digits.all(|(digit, known)| known.iter().any(|glyph| glyph.chr == digit)) {
            return None;
        }
        let is_free = |line: &mut Arc<Galley>| Arc::get_mut(line).is_some();
        let mut line = match self.lines.iter_mut().position(is_free) {
            Some(at) => self.lines.remove(at),
            None => Arc::new(self.lines.first()?.as_ref().clone()),
        };
        self.write(text, Arc::make_mut(&mut line));
        self.lines.push(Arc::clone(&line));
        Some(line)
    }

    /// Replaces the digits of a line by those of `text`.
    fn write(&self, text: &str, line: &mut Galley) {
        let job = Arc::make_mut(&mut line.job);
        job.text.clear();
        job.text.push_str(text);
        let Some(placed) = line.rows.first_mut() else {
            return;
        };
        let row = Arc::make_mut(&mut placed.row);
        let mut known = self.digits.iter();
        for (glyph, digit) in row.glyphs.iter_mut().zip(text.chars()) {
            let known = digit.is_ascii_digit().then(|| known.next()).flatten();
            let new = known.and_then(|known| known.iter().find(|known| known.chr == digit));
            if let Some(new) = new.filter(|new| new.chr != glyph.chr) {
                *glyph = *new;
                let first = new.first_vertex as usize;
                let corners = row.visuals.mesh.vertices.iter_mut().skip(first);
                place(new, line.pixels_per_point, corners);
            }
        }
        row.visuals.mesh_bounds = row.visuals.mesh.calc_bounds();
        line.mesh_bounds = row.visuals.mesh_bounds.translate(placed.pos.to_vec2());
    }

    /// Remembers the glyphs of a line that egui has laid out.
    pub(super) fn learn(&mut self, line: &Arc<Galley>) {
        if self.is_irregular {
            return;
        }
        self.is_irregular = self.try_learn(line).is_none();
        if self.is_irregular {
            (self.lines, self.digits) = Default::default();
        }
    }

    /// Returns `None` if another line differs in more than the glyphs of its digits.
    fn try_learn(&mut self, line: &Arc<Galley>) -> Option<()> {
        let [placed] = &line.rows[..] else {
            return None;
        };
        let other = self.lines.first().unwrap_or(line);
        if !are_alike(placed, other.rows.first()?) || !line.job.text.chars().eq(chars(placed)) {
            return None;
        }
        if self.lines.is_empty() {
            self.lines.push(Arc::clone(line));
        }
        let digits = placed.glyphs.iter();
        let digits = digits.filter(|glyph| glyph.chr.is_ascii_digit());
        for (at, glyph) in digits.enumerate() {
            if glyph.uv_rect.is_nothing() {
                return None;
            }
            if self.digits.len() <= at {
                self.digits.push(Vec::new());
            }
            let known = &mut self.digits[at];
            match known.iter().find(|known| known.chr == glyph.chr) {
                Some(known) if known == glyph => {}
                // A font may have several glyphs of one digit.
                Some(_) => return None,
                None => known.push(*glyph),
            }
        }
        Some(())
    }
}

fn chars(row: &PlacedRow) -> impl Iterator<Item = char> {
    row.glyphs.iter().map(|glyph| glyph.chr)
}

/// Returns whether two rows are the same apart from the glyphs of their digits.
fn are_alike(row: &PlacedRow, other: &PlacedRow) -> bool {
    let with_digit = |glyph: &Glyph, digit: &Glyph| {
        let mut glyph = *glyph;
        if glyph.chr.is_ascii_digit() && digit.chr.is_ascii_digit() {
            (glyph.chr, glyph.uv_rect) = (digit.chr, digit.uv_rect);
        }
        glyph
    };
    let glyphs = row.glyphs.iter().zip(&other.glyphs);
    (row.pos, row.size, row.glyphs.len()) == (other.pos, other.size, other.glyphs.len())
        && glyphs
            .map(|(a, b)| (with_digit(a, b), b))
            .all(|(a, b)| a == *b)
}

/// Moves the corners of a glyph to where egui places them.
fn place<'a>(glyph: &Glyph, pixels_per_point: f32, corners: impl Iterator<Item = &'a mut Vertex>) {
    let uv = glyph.uv_rect;
    let min = (glyph.pos + uv.offset).round_to_pixels(pixels_per_point);
    let rect = Rect::from_min_max(min, min + uv.size);
    let [uv_min, uv_max] = [uv.min, uv.max].map(|[x, y]| pos2(f32::from(x), f32::from(y)));
    let uv = Rect::from_min_max(uv_min, uv_max);
    let places = [
        (rect.left_top(), uv.left_top()),
        (rect.right_top(), uv.right_top()),
        (rect.left_bottom(), uv.left_bottom()),
        (rect.right_bottom(), uv.right_bottom()),
    ];
    for (corner, (pos, uv)) in corners.zip(places) {
        (corner.pos, corner.uv) = (pos, uv);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{lay_out_line, line};
    use super::*;
    use crate::text_revision::text_revision;
    use crate::theme::{number_font, small_font};
    use egui::{Color32, Context, RawInput};
    use stats_testing::Random;

    /// Lays out a text in each font, and returns how many of them egui did not lay out.
    fn check(ctx: &Context, text: &str) -> usize {
        let mut replaced = 0;
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            text_revision(ui.ctx());
            let painter = ui.ctx().debug_painter();
            for font in [number_font(), small_font()] {
                let kept = lay_out_line(&painter, text, &font, Color32::RED);
                let new = painter.layout_job(line(text, font, Color32::RED));
                assert_eq!(kept, new, "{text}");
                replaced += usize::from(!Arc::ptr_eq(&kept, &new));
            }
        });
        output.textures_delta.clear();
        replaced
    }

    #[test]
    fn a_text_with_other_digits_is_the_one_that_egui_lays_out() {
        for pixels_per_point in [1.0, 1.1, 1.25, 1.5, 2.0] {
            let (ctx, mut random, mut replaced) = (Context::default(), Random::new(5), 0);
            ctx.set_pixels_per_point(pixels_per_point);
            for _ in 0..300 {
                let number = random.below(10_000);
                for text in [
                    format!("{}.{:02} ms", number / 100, number % 100),
                    format!("worst {number} at 1,{number:04}"),
                    format!("{number}\nµs"),
                ] {
                    replaced += check(&ctx, &text);
                }
            }
            assert!(replaced > 600, "{replaced} at {pixels_per_point}");
        }
    }

    #[test]
    fn texts_that_are_shown_do_not_change() {
        let ctx = Context::default();
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            let painter = ui.ctx().debug_painter();
            let texts: Vec<String> = (0..40).map(|number| (number % 10).to_string()).collect();
            let lay_out =
                |text: &String| lay_out_line(&painter, text, &number_font(), Color32::RED);
            let galleys: Vec<_> = texts.iter().map(lay_out).collect();
            let shown = galleys.iter().map(|galley| galley.text());
            assert!(shown.eq(texts.iter()));
        });
        output.textures_delta.clear();
    }
}
