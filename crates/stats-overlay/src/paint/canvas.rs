//! The place where a view is drawn.

use std::fmt::Debug;
use std::hash::Hash;

use egui::{AsIdSalt, Context, Id, Painter, Rect, Ui, UiBuilder};

/// Returns a child of `ui` that fills `rect` and paints nothing outside it.
pub(crate) fn clipped_child(ui: &mut Ui, salt: impl AsIdSalt, rect: Rect) -> Ui {
    let mut child = ui.new_child(UiBuilder::new().id_salt(salt).max_rect(rect));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    child
}

/// A painter, and the id from which the ids of its parts are derived. In the panel, it also takes
/// input.
///
/// A canvas over a running game has no widgets: egui assigns the pointer to widgets, so a picture
/// without any takes no input from the game.
pub(crate) struct Canvas<'a> {
    painter: Painter,
    id: Id,
    /// The part of the panel that takes input; `None` over a game.
    ui: Option<&'a mut Ui>,
    /// The opacity of the background of plots over a game.
    opacity: f32,
}

impl<'a> Canvas<'a> {
    /// Creates a canvas over a running game. The ids of its parts are derived from `id`.
    pub(crate) fn over_game(painter: Painter, id: Id, opacity: f32) -> Self {
        Self {
            painter,
            id,
            ui: None,
            opacity,
        }
    }

    /// Creates a canvas that takes the input of a part of the panel.
    pub(crate) fn in_panel(ui: &'a mut Ui) -> Self {
        Self {
            painter: ui.painter().clone(),
            id: ui.make_persistent_id("painted"),
            ui: Some(ui),
            opacity: 1.0,
        }
    }

    /// Creates a canvas over a part of `ui` that takes no input. Nothing is painted outside `rect`.
    pub(crate) fn within(ui: &Ui, rect: Rect) -> Self {
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        Self::over_game(painter, ui.make_persistent_id("painted"), 1.0)
    }

    pub(crate) fn painter(&self) -> &Painter {
        &self.painter
    }

    /// Returns the part of the panel that takes input; `None` over a game.
    pub(crate) fn ui(&mut self) -> Option<&mut Ui> {
        self.ui.as_deref_mut()
    }

    /// Returns the opacity of the background of plots.
    pub(crate) fn opacity(&self) -> f32 {
        self.opacity
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
    pub(crate) fn make_persistent_id(&self, part: impl Hash + Debug) -> Id {
        self.id.with(part)
    }
}
