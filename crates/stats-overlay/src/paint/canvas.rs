//! The place where a view is drawn.

use std::fmt::Debug;
use std::hash::Hash;

use egui::{
    AsIdSalt, Color32, Context, FontId, Id, Painter, Rect, Response, ScrollArea, Sense, Ui,
    UiBuilder, vec2,
};
use stats_ui::accessibility;
use stats_ui::list::{List, View};
use stats_ui::shapes;
use stats_ui::theme::{TEXT_GROUND, Theme};

/// Returns a child of `ui` that fills `rect` and paints nothing outside it.
pub(crate) fn clipped_child(ui: &mut Ui, salt: impl AsIdSalt, rect: Rect) -> Ui {
    let mut child = ui.new_child(UiBuilder::new().id_salt(salt).max_rect(rect));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    child
}

/// The distance by which the background of a row extends past a scrolled part, in points.
const BESIDE: f32 = 4.0;
/// A row over a game may extend past the canvas by this distance, in points: a rounding error.
const ROUNDING: f32 = 0.5;

/// A painter, and the id from which the ids of its parts are derived. In the panel, it also takes
/// input.
///
/// A canvas over a running game has no widgets: egui assigns the pointer to widgets, so a picture
/// without any takes no input from the game. Nobody can scroll there, so only whole rows are drawn.
pub(crate) struct Canvas<'a> {
    painter: Painter,
    id: Id,
    /// The part of the panel that takes input; `None` over a game.
    ui: Option<&'a mut Ui>,
    /// The opacity of the background of plots; `None` in the panel.
    opacity: Option<f32>,
}

impl<'a> Canvas<'a> {
    /// Creates a canvas over a running game. The ids of its parts are derived from `id`.
    pub(crate) fn over_game(painter: Painter, id: Id, opacity: f32) -> Self {
        Self {
            painter,
            id,
            ui: None,
            opacity: Some(opacity),
        }
    }

    /// Creates a canvas that takes the input of a part of the panel.
    pub(crate) fn in_panel(ui: &'a mut Ui) -> Self {
        Self {
            painter: ui.painter().clone(),
            id: ui.make_persistent_id("painted"),
            ui: Some(ui),
            opacity: None,
        }
    }

    /// Returns a part that takes no input. Nothing is painted outside `rect`.
    pub(crate) fn still(&self, rect: Rect) -> Canvas<'static> {
        Canvas {
            painter: self.painter_in(rect),
            id: self.id,
            ui: None,
            opacity: self.opacity,
        }
    }

    /// Calls `draw` with a part. Nothing is painted outside `rect`.
    pub(crate) fn part<R>(
        &mut self,
        salt: &'static str,
        rect: Rect,
        draw: impl FnOnce(&mut Canvas<'_>) -> R,
    ) -> R {
        match self.ui.as_deref_mut() {
            Some(ui) => draw(&mut Canvas::in_panel(&mut clipped_child(ui, salt, rect))),
            None => draw(&mut self.still(rect)),
        }
    }

    pub(crate) fn painter(&self) -> &Painter {
        &self.painter
    }

    /// Returns the part of the panel that takes input; `None` over a game.
    pub(crate) fn ui(&mut self) -> Option<&mut Ui> {
        self.ui.as_deref_mut()
    }

    /// Returns whether the canvas is over a running game.
    pub(crate) fn is_over_game(&self) -> bool {
        self.opacity.is_some()
    }

    /// Returns the state of the pointer in a part. Over a game, returns `None`.
    pub(crate) fn interact(&self, rect: Rect, id: Id, sense: Sense) -> Option<Response> {
        let ui = self.ui.as_ref()?;
        Some(ui.interact(rect, id, sense))
    }

    /// Returns the color of texts that matter less. Over a game, they need all contrast.
    pub(crate) fn weak(&self, theme: &Theme) -> Color32 {
        theme.text_if(self.is_over_game())
    }

    /// Returns the background of plots.
    pub(crate) fn plot_color(&self, theme: &Theme) -> Color32 {
        theme.plot.gamma_multiply(self.opacity.unwrap_or(1.0))
    }

    /// Paints the background of texts.
    pub(crate) fn ground(&self, rect: Rect, theme: &Theme) {
        let opacity = self.opacity.map_or(1.0, |opacity| opacity.max(TEXT_GROUND));
        let ground = theme.plot.gamma_multiply(opacity);
        self.painter.rect_filled(rect, 0.0, ground);
    }

    /// Returns the part of a row to draw; `None` if the row is out of sight. Over a game, this is
    /// the visible part, if that has the height `least`.
    pub(crate) fn row(&self, rect: Rect, least: f32) -> Option<Rect> {
        let clip = self.painter.clip_rect();
        if !self.is_over_game() {
            return clip.intersects(rect).then_some(rect);
        }
        let is_whole =
            rect.top() >= clip.top() - ROUNDING && rect.top() + least <= clip.bottom() + ROUNDING;
        is_whole.then(|| rect.with_max_y(rect.bottom().min(clip.bottom())))
    }

    /// Draws a part that the user can scroll. `draw` gets the place of its contents and returns
    /// their height.
    pub(crate) fn scroll(
        &mut self,
        rect: Rect,
        draw: &mut dyn FnMut(&mut Canvas<'_>, Rect) -> f32,
    ) {
        let Some(mut part) = self.scrolled(rect) else {
            draw(&mut self.still(rect), rect);
            return;
        };
        let area = ScrollArea::vertical().auto_shrink([false, false]);
        area.animated(false).show(&mut part, |ui| {
            let place = ui.available_rect_before_wrap();
            // The scroll bar floats over the right edge.
            let bar = ui.spacing().scroll.bar_width;
            let free = place.with_max_x((place.right() - bar).max(place.left()));
            let height = draw(&mut Canvas::in_panel(ui), free);
            ui.allocate_space(vec2(place.width(), height));
        });
    }

    /// Draws a list with the height `height`. Over a game, where nobody can scroll, the list begins
    /// at `top`. Both are in points.
    pub(crate) fn list(
        &mut self,
        rect: Rect,
        (list, height, top): (&mut List, f64, f64),
        draw: &mut dyn FnMut(&mut Canvas<'_>, &View),
    ) {
        match self.scrolled(rect) {
            Some(mut part) => list.show(&mut part, rect, (0.0, height), &mut |ui, view| {
                draw(&mut Canvas::in_panel(ui), view);
            }),
            None => draw(&mut self.still(rect), &View::at(rect, top)),
        }
    }

    /// Returns the part of the panel for rows in `rect`; `None` over a game.
    fn scrolled(&mut self, rect: Rect) -> Option<Ui> {
        let ui = self.ui.as_deref_mut()?;
        let mut part = ui.new_child(UiBuilder::new().id_salt("scrolled").max_rect(rect));
        part.set_clip_rect(rect.expand2(vec2(BESIDE, 0.0)).intersect(ui.clip_rect()));
        Some(part)
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

    /// Describes a part to screen readers and tests, by a name and what it says.
    pub(crate) fn describe(
        &self,
        part: impl Hash + Debug,
        rect: Rect,
        label: impl FnOnce() -> (String, String),
    ) {
        accessibility::describe(self.ctx(), self.make_persistent_id(part), rect, label);
    }

    /// Paints a line of text, and describes it by a name.
    pub(crate) fn label(
        &self,
        (part, name): (&'static str, &str),
        rect: Rect,
        text: &str,
        (font, color): (FontId, Color32),
    ) {
        shapes::text_in(&self.painter, rect, text, font, color);
        self.describe(part, rect, || (name.to_owned(), text.to_owned()));
    }

    pub(crate) fn make_persistent_id(&self, part: impl Hash + Debug) -> Id {
        self.id.with(part)
    }
}
