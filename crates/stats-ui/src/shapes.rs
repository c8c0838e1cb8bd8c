//! Shapes and text that several views paint.
//!
//! Signs are shapes rather than characters: the host's font may lack symbols.

use std::hash::Hash;
use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2,
    vec2,
};

use crate::galleys;
use crate::theme::{Theme, number_font};

/// Lays out one line in one font and color. It ends with … if it is wider than `width` points.
/// Allocates nothing if it was laid out in a recent pass.
pub fn fitted(
    painter: &Painter,
    text: &str,
    font: FontId,
    color: Color32,
    width: f32,
) -> Arc<Galley> {
    let whole = galleys::lay_out_line(painter, text, &font, color);
    let job = || galleys::line(text, font.clone(), color);
    whole_or_elided(painter, whole, ((text, &font, color), &job), width)
}

/// Lays out one line that ends with … if it is wider than `width` points.
pub fn elided(painter: &Painter, job: &LayoutJob, width: f32) -> Arc<Galley> {
    let whole = galleys::lay_out(painter, job, &|| LayoutJob {
        wrap: TextWrapping::no_max_width(),
        ..job.clone()
    });
    whole_or_elided(painter, whole, (job, &|| job.clone()), width)
}

/// Lays out the name of a series in one line, in the formats of a job, as [`fitted_name`] does.
pub fn fitted_path(painter: &Painter, job: &LayoutJob, width: f32) -> Arc<Galley> {
    let whole = elided(painter, job, f32::INFINITY);
    whole_or_end(painter, whole, (job, &|| job.clone()), width)
}

/// Returns `whole`, or … and the longest end of the path that fits if it is too wide. The key
/// identifies the line that `job` returns.
fn whole_or_end(
    painter: &Painter,
    whole: Arc<Galley>,
    (key, job): (impl Hash, &dyn Fn() -> LayoutJob),
    width: f32,
) -> Arc<Galley> {
    if whole.size().x <= width && whole.rows.len() <= 1 {
        return whole;
    }
    let key = ("end", key, width.max(0.0).to_bits());
    galleys::lay_out(painter, key, &|| {
        let job = job();
        let fits = |at: usize| painter.layout_job(end_of_job(&job, at)).size().x <= width;
        end_of_job(&job, end_of(&job.text, fits))
    })
}

/// Returns … and the text of a job from a byte on, in the same formats.
fn end_of_job(job: &LayoutJob, from: usize) -> LayoutJob {
    let mut end = LayoutJob::default();
    for section in &job.sections {
        let text = section.byte_range.start.0.max(from)..section.byte_range.end.0;
        let is_last = section.byte_range.end.0 == job.text.len();
        if text.is_empty() && !is_last {
            continue;
        }
        if end.text.is_empty() {
            end.append("…", 0.0, section.format.clone());
        }
        if !text.is_empty() {
            end.append(&job.text[text], 0.0, section.format.clone());
        }
    }
    end
}

/// Returns `whole`, or an elided line if it is too wide. The key identifies the line that `job`
/// returns.
fn whole_or_elided(
    painter: &Painter,
    whole: Arc<Galley>,
    (key, job): (impl Hash, &dyn Fn() -> LayoutJob),
    width: f32,
) -> Arc<Galley> {
    if whole.size().x <= width && whole.rows.len() <= 1 {
        return whole;
    }
    let max_width = width.max(0.0);
    galleys::lay_out(painter, (key, max_width.to_bits()), &|| LayoutJob {
        wrap: TextWrapping {
            max_width,
            max_rows: 1,
            break_anywhere: true,
            overflow_character: Some('…'),
        },
        ..job()
    })
}

/// Lays out the name of a series in one line. If it is wider than `width` points, it begins with …
/// and ends as the name does: with whole segments of the path, if one fits.
pub fn fitted_name(
    painter: &Painter,
    name: &str,
    font: FontId,
    color: Color32,
    width: f32,
) -> Arc<Galley> {
    let whole = galleys::lay_out_line(painter, name, &font, color);
    let job = || galleys::line(name, font.clone(), color);
    whole_or_end(painter, whole, ((name, &font, color), &job), width)
}

/// Returns where the longest end of a path begins that fits: some of its last segments, or some of
/// its last characters if not even one segment fits.
fn end_of(path: &str, fits: impl Fn(usize) -> bool) -> usize {
    let mut segments = path.match_indices('/').map(|(at, _)| at);
    segments.find(|at| fits(*at)).unwrap_or_else(|| {
        let starts: Vec<usize> = path.char_indices().map(|(at, _)| at).collect();
        let first = starts.partition_point(|&at| !fits(at));
        starts.get(first).copied().unwrap_or(path.len())
    })
}

/// Lays out a text of any width.
pub fn laid_out(painter: &Painter, text: &str, font: FontId, color: Color32) -> Arc<Galley> {
    fitted(painter, text, font, color, f32::INFINITY)
}

/// Paints a text of any width, and returns its area.
pub fn text_at(
    painter: &Painter,
    place: Pos2,
    anchor: Align2,
    text: &str,
    font: FontId,
    color: Color32,
) -> Rect {
    let galley = laid_out(painter, text, font, color);
    let rect = anchor.anchor_size(place, galley.size());
    painter.galley(rect.min, galley, color);
    rect
}

/// Paints one elided line at the left of `rect`, vertically centered, and returns its width.
pub fn text_in(painter: &Painter, rect: Rect, text: &str, font: FontId, color: Color32) -> f32 {
    let galley = fitted(painter, text, font, color, rect.width());
    let width = galley.size().x;
    galley_in(painter, rect, galley, color);
    width
}

/// Paints the name of a series at the left of `rect`, vertically centered, as [`fitted_name`] lays it
/// out.
pub fn name_in(painter: &Painter, rect: Rect, name: &str, font: FontId, color: Color32) {
    let galley = fitted_name(painter, name, font, color, rect.width());
    galley_in(painter, rect, galley, color);
}

/// Paints a galley at the left of `rect`, vertically centered.
pub fn galley_in(painter: &Painter, rect: Rect, galley: Arc<Galley>, color: Color32) {
    let top = rect.center().y - galley.size().y / 2.0;
    painter.galley(pos2(rect.left(), top.round()), galley, color);
}

/// Paints a number at the right of `rect`, and returns its area.
pub fn number_in(painter: &Painter, rect: Rect, text: &str, color: Color32) -> Rect {
    text_at_end(painter, rect, text, number_font(), color)
}

/// Paints one elided line at the right of `rect`, vertically centered, and returns its area.
pub fn text_at_end(
    painter: &Painter,
    rect: Rect,
    text: &str,
    font: FontId,
    color: Color32,
) -> Rect {
    let galley = fitted(painter, text, font, color, rect.width());
    let place = Align2::RIGHT_CENTER.anchor_size(rect.right_center(), galley.size());
    painter.galley(place.min, galley, color);
    place
}

/// Returns a convex polygon, given its corners relative to its center.
pub fn polygon<const N: usize>(center: Pos2, corners: [Vec2; N], color: Color32) -> Shape {
    let corners = corners.map(|corner| center + corner).to_vec();
    Shape::convex_polygon(corners, color, Stroke::NONE)
}

/// Returns the triangle of a folder. It points right if the folder is closed, and down if it is
/// open.
pub fn fold_triangle(center: Pos2, open: bool, color: Color32) -> Shape {
    let size = 3.5;
    let points = if open {
        [
            vec2(-size, -size * 0.6),
            vec2(size, -size * 0.6),
            vec2(0.0, size * 0.8),
        ]
    } else {
        [
            vec2(-size * 0.6, -size),
            vec2(size * 0.8, 0.0),
            vec2(-size * 0.6, size),
        ]
    };
    polygon(center, points, color)
}

/// Returns the arrow in the heading of a sorted column. It points down if the largest value comes
/// first.
pub fn sort_arrow(center: Pos2, descending: bool, color: Color32) -> Shape {
    let down = if descending { 1.0 } else { -1.0 };
    let points = [
        vec2(-4.0, -3.0 * down),
        vec2(4.0, -3.0 * down),
        vec2(0.0, 4.0 * down),
    ];
    polygon(center, points, color)
}

/// Returns the sign of a value over budget: a triangle that points up.
pub fn over_budget_sign(center: Pos2, color: Color32) -> Shape {
    let points = [vec2(-4.0, 3.5), vec2(0.0, -4.0), vec2(4.0, 3.5)];
    polygon(center, points, color)
}

/// Returns the sign of a hitch: a triangle that points down.
pub fn hitch_sign(center: Pos2, color: Color32) -> Shape {
    let points = [vec2(-4.0, -3.0), vec2(4.0, -3.0), vec2(0.0, 3.0)];
    polygon(center, points, color)
}

/// Returns the sign of a value that is a spike: a diamond.
pub fn spike_sign(center: Pos2, color: Color32) -> Shape {
    let points = [
        vec2(0.0, -4.5),
        vec2(3.5, 0.0),
        vec2(0.0, 4.5),
        vec2(-3.5, 0.0),
    ];
    polygon(center, points, color)
}

/// Paints a check box: filled with `color` if selected, a dash if `None` (a folder selected in
/// part).
pub fn checkbox(
    painter: &Painter,
    rect: Rect,
    selected: Option<bool>,
    color: Color32,
    theme: &Theme,
) {
    let fill = if selected == Some(true) {
        color
    } else {
        theme.plot
    };
    let edge = if selected == Some(true) {
        color
    } else {
        theme.weak.gamma_multiply(0.8)
    };
    painter.rect(rect, 0.0, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    let at = |x: f32, y: f32| rect.min + vec2(x, y) * rect.size();
    match selected {
        Some(true) => {
            let stroke = Stroke::new(1.8, theme.plot);
            painter.line(vec![at(0.24, 0.52), at(0.43, 0.72), at(0.77, 0.30)], stroke);
        }
        None => {
            painter.line_segment([at(0.28, 0.5), at(0.72, 0.5)], Stroke::new(2.0, theme.text));
        }
        Some(false) => {}
    }
}

/// A bar with rounded corners of which a share is filled, from the left. The share is clamped to 0..=1.
pub fn share_bar(
    painter: &Painter,
    (bar, radius): (Rect, f32),
    share: f32,
    color: Color32,
    theme: &Theme,
) {
    painter.rect_filled(bar, radius, theme.grid);
    let part = bar.with_max_x(bar.left() + bar.width() * share.clamp(0.0, 1.0));
    painter.rect_filled(part, radius, color);
}

/// A filled rectangle with rounded corners and a thin edge inside it.
pub fn plate(painter: &Painter, rect: Rect, radius: f32, ground: Color32, edge: Color32) {
    let edge = Stroke::new(1.0, edge);
    painter.rect(rect, radius, ground, edge, StrokeKind::Inside);
}

/// Paints the square in the color of a series.
pub fn swatch(painter: &Painter, center: Pos2, color: Color32) {
    painter.rect_filled(Rect::from_center_size(center, Vec2::splat(9.0)), 2.0, color);
}

/// Paints the outline of the square, for a series that is not drawn.
pub fn swatch_outline(painter: &Painter, center: Pos2, color: Color32) {
    let rect = Rect::from_center_size(center, Vec2::splat(9.0));
    painter.rect_stroke(rect, 2.0, Stroke::new(1.0, color), StrokeKind::Inside);
}

/// Paints a cross, the sign for removing something.
pub fn cross(painter: &Painter, center: Pos2, color: Color32) {
    for slope in [1.0, -1.0] {
        let offset = vec2(3.5, 3.5 * slope);
        painter.line_segment([center - offset, center + offset], Stroke::new(1.3, color));
    }
}

/// Paints six dots, the sign of something that can be dragged.
pub fn grip(painter: &Painter, center: Pos2, color: Color32) {
    for x in [-2.0, 2.0] {
        for y in [-4.0, 0.0, 4.0] {
            painter.circle_filled(center + vec2(x, y), 1.0, color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_revision::text_revision;
    use crate::theme::text_font;
    use egui::text::{LayoutSection, TextFormat};
    use egui::{Context, RawInput};

    #[test]
    fn a_name_that_is_too_long_keeps_its_end() {
        let end_of = |path: &str, chars: usize| {
            let job = galleys::line(path, FontId::proportional(12.0), Color32::RED);
            let fits = |at: usize| end_of_job(&job, at).text.chars().count() <= chars;
            end_of_job(&job, end_of(path, fits)).text
        };
        assert_eq!(end_of("ai/paths/a-star", 14), "…/paths/a-star");
        assert_eq!(end_of("ai/paths/a-star", 12), "…/a-star");
        assert_eq!(end_of("ai/paths/a-star", 5), "…star");
        assert_eq!(end_of("läufer", 6), "…äufer");
        assert_eq!(end_of("a", 1), "…");
        for chars in 1..20 {
            let text = end_of("renderer/schatten/über", chars);
            assert!(
                text.chars().count() <= chars && text.starts_with('…'),
                "{text}"
            );
        }
    }

    #[test]
    fn the_end_of_a_path_keeps_the_formats_of_its_parts() {
        let format = |color| TextFormat::simple(FontId::proportional(12.0), color);
        let mut path = LayoutJob::default();
        for (text, color) in [("ai/pa", Color32::RED), ("ths", Color32::BLUE)] {
            path.append(text, 0.0, format(color));
        }
        path.append("/a-star", 0.0, format(Color32::RED));
        let parts = |at: usize| -> Vec<(String, Color32)> {
            let end = end_of_job(&path, at);
            let sections = end.sections.iter();
            let part = |section: &LayoutSection| {
                let text = &end.text[section.byte_range.start.0..section.byte_range.end.0];
                (text.to_owned(), section.format.color)
            };
            sections.map(part).collect()
        };
        let part = |text: &str, color| (text.to_owned(), color);
        let (red, blue) = (Color32::RED, Color32::BLUE);
        let from_paths = [part("…/pa", red), part("ths", blue), part("/a-star", red)];
        assert_eq!(parts(2), from_paths);
        assert_eq!(parts(8), [part("…/a-star", red)]);
        assert_eq!(parts(15), [part("…", red)]);
    }

    #[test]
    fn a_long_name_is_laid_out_once_and_alike_with_and_without_marks() {
        let (ctx, red) = (Context::default(), Color32::RED);
        let pass = |name: &str, width: f32| {
            let mut laid_out = Vec::new();
            let mut output = ctx.run_ui(RawInput::default(), |ui| {
                // The revision changes after a pass that does not ask for it.
                text_revision(ui.ctx());
                let painter = ui.ctx().debug_painter();
                let mut marked = galleys::line(&name[..12], text_font(), red);
                let format = marked.sections[0].format.clone();
                marked.append(&name[12..], 0.0, format);
                laid_out.push(fitted_name(&painter, name, text_font(), red, width));
                laid_out.push(fitted_path(&painter, &marked, width));
            });
            output.textures_delta.clear();
            laid_out
        };
        for (name, width) in [
            ("renderer/shadow-maps/cascade", 120.0),
            ("renderer/shadow-maps-of-the-sun", 90.0),
        ] {
            pass(name, width);
            let (first, second) = (pass(name, width), pass(name, width));
            assert!(first[0].text().starts_with('…') && first[0].size().x <= width);
            assert_eq!(first[0].text(), first[1].text());
            let mut pairs = first.iter().zip(&second);
            assert!(pairs.all(|(one, other)| Arc::ptr_eq(one, other)));
        }
    }
}
