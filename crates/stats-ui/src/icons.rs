//! The marks on rows of the tree, painted as shapes: a host may have no font with symbols.

use egui::{Color32, Painter, Pos2, Shape, Stroke, Vec2, vec2};

/// The star of a favourite around `center`; an outline where it is `set` not.
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
    // Only convex shapes are filled: five kites.
    for tip in (0..10).step_by(2) {
        let kite = vec![center, point(tip + 9), point(tip), point(tip + 1)];
        painter.add(Shape::convex_polygon(kite, color, Stroke::new(0.5, color)));
    }
}

/// The pin of what is in the HUD, its head filled where it is `set`.
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
