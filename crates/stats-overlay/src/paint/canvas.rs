//! Painting without widgets: nothing that is painted reacts to the pointer.

use egui::{AsIdSalt, Context, Id, Painter, Rect, Ui, UiBuilder};

/// Returns a child of `ui` that fills `rect` and paints nothing outside it.
pub(crate) fn clipped_child(ui: &mut Ui, salt: impl AsIdSalt, rect: Rect) -> Ui {
    let mut child = ui.new_child(UiBuilder::new().id_salt(salt).max_rect(rect));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    child
}

/// A painter, and the id from which the ids of its parts are derived, for screen readers.
///
/// A view that paints on a canvas works both in a panel and over a running game.
#[derive(Clone)]
pub(crate) struct Canvas {
    painter: Painter,
    id: Id,
}

impl Canvas {
    /// Creates a canvas whose parts have ids derived from `id`.
    pub(crate) fn new(painter: Painter, id: Id) -> Self {
        Self { painter, id }
    }

    /// Creates a canvas over a part of `ui`. Nothing is painted outside `rect`.
    pub(crate) fn within(ui: &Ui, rect: Rect) -> Self {
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        Self::new(painter, ui.make_persistent_id("painted"))
    }

    pub(crate) fn painter(&self) -> &Painter {
        &self.painter
    }

    pub(crate) fn ctx(&self) -> &Context {
        self.painter.ctx()
    }

    /// Returns the number of screen pixels per point of the painter's layer, which may be scaled.
    pub(crate) fn pixels_per_point(&self) -> f32 {
        let layer = self.painter.layer_id();
        let scale = self.ctx().layer_transform_to_global(layer);
        self.painter.pixels_per_point() * scale.map_or(1.0, |to_global| to_global.scaling)
    }

    /// Returns a painter that paints nothing outside `rect`.
    pub(crate) fn painter_in(&self, rect: Rect) -> Painter {
        let clip = rect.intersect(self.painter.clip_rect());
        self.painter.with_clip_rect(clip)
    }

    /// Returns the id of a part.
    pub(crate) fn make_persistent_id(&self, part: impl std::hash::Hash + std::fmt::Debug) -> Id {
        self.id.with(part)
    }
}
