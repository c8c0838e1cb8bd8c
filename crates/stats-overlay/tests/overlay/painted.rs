//! What is painted in a pass: its shapes and its texts.

use egui::epaint::{ClippedShape, TextShape};
use egui::{Rect, Shape};
use egui_kittest::Harness;

/// Visits every shape of a pass, also those in groups, with the area to which it is cut.
pub(crate) fn for_each_shape<'s>(
    shapes: &'s [ClippedShape],
    mut visit: impl FnMut(&'s Shape, Rect),
) {
    fn visit_all<'s>(shape: &'s Shape, clip: Rect, visit: &mut dyn FnMut(&'s Shape, Rect)) {
        match shape {
            Shape::Vec(group) => group.iter().for_each(|shape| visit_all(shape, clip, visit)),
            _ => visit(shape, clip),
        }
    }
    for clipped in shapes {
        visit_all(&clipped.shape, clipped.clip_rect, &mut visit);
    }
}

/// Returns the texts of a pass, with the areas to which they are cut.
pub(crate) fn texts(shapes: &[ClippedShape]) -> Vec<(&TextShape, Rect)> {
    let mut texts = Vec::new();
    for_each_shape(shapes, |shape, clip| {
        if let Shape::Text(text) = shape {
            texts.push((text, clip));
        }
    });
    texts
}

/// Returns the area of a text as it is laid out. A part of it may be cut off.
pub(crate) fn area_of(text: &TextShape) -> Rect {
    Rect::from_min_size(text.pos, text.galley.size())
}

/// Returns where a text is painted.
pub(crate) fn place_of<T>(harness: &Harness<'_, T>, wanted: &str) -> Option<Rect> {
    let mut texts = texts(&harness.output().shapes).into_iter();
    let (text, _) = texts.find(|(text, _)| text.galley.text() == wanted)?;
    Some(text.visual_bounding_rect())
}

/// Returns whether a text is painted.
pub(crate) fn has_text<T>(harness: &Harness<'_, T>, wanted: &str) -> bool {
    place_of(harness, wanted).is_some()
}

/// Returns the texts on screen that are cut at their end.
pub(crate) fn elided<T>(harness: &Harness<'_, T>) -> Vec<String> {
    let texts = texts(&harness.output().shapes).into_iter();
    let elided = texts.filter(|(text, _)| text.galley.elided);
    elided
        .map(|(text, _)| text.galley.text().to_owned())
        .collect()
}

/// Returns the visible texts, with their visible areas.
pub(crate) fn painted<T>(harness: &Harness<'_, T>) -> Vec<(Rect, String)> {
    let texts = texts(&harness.output().shapes).into_iter();
    let visible = texts.map(|(text, clip)| (area_of(text).intersect(clip), text));
    visible
        .filter(|(area, _)| area.is_positive())
        .map(|(area, text)| (area, text.galley.text().to_owned()))
        .collect()
}

/// Fails if egui painted its warning about a duplicate widget id.
pub(crate) fn assert_no_clash(shapes: &[ClippedShape], what: &str) {
    let texts = texts(shapes);
    let is_warning = |(text, _): &(&TextShape, Rect)| text.galley.text().contains("use of");
    assert!(
        !texts.iter().any(is_warning),
        "two widgets of one id: {what}"
    );
}
