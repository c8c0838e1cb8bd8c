//! Icons on the rows of the tree, painted as shapes: the host's font may lack symbols.

use egui::{Color32, Painter, Pos2, Shape, Stroke, Vec2, vec2};

/// Paints the star of a favorite around `center`: filled if it is `set`, otherwise an outline.
pub fn star(painter: &Painter, center: Pos2, set: bool, color: Color32) {
    const OUTER: f32 = 5.5;
    const INNER: f32 = 2.3;
    let point = |step: usize| {
        let radius = if step.is_multiple_of(2) { OUTER } else { INNER };
        center
            + Vec2::angled(-std::f32::consts::FRAC_PI_2 + step as f32 * std::f32::consts::PI / 5.0)
                * radius
    };
    if !set {
        painter.add(Shape::closed_line(
            (0..10).map(point).collect(),
            Stroke::new(1.0, color),
        ));
        return;
    }
    // egui fills convex shapes only: the star is five kites.
    for tip in (0..10).step_by(2) {
        let kite = vec![center, point(tip + 9), point(tip), point(tip + 1)];
        painter.add(Shape::convex_polygon(kite, color, Stroke::new(0.5, color)));
    }
}

/// Paints the pin of a series in the HUD, 11 points high. Its head is filled if it is `set`.
pub fn pin(painter: &Painter, center: Pos2, set: bool, color: Color32) {
    let head = center + vec2(0.0, -2.5);
    if set {
        painter.circle_filled(head, 3.2, color);
    } else {
        painter.circle_stroke(head, 2.8, Stroke::new(1.0, color));
    }
    painter.line_segment(
        [center + vec2(0.0, 0.5), center + vec2(0.0, 5.5)],
        Stroke::new(1.2, color),
    );
}
