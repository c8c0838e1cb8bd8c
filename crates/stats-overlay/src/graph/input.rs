//! The pointer in a graph. Dragging moves the visible frames, Shift+drag selects frames, and
//! dragging with the secondary button draws a box to zoom to. The wheel zooms, a click deselects
//! the selected frames, and a double click returns to the newest frames.

use egui::{PointerButton, Pos2, Rect, Response, Ui};

use crate::graph::graph_ui::GraphUi;
use crate::graph::shown::Shown;
use crate::graph::state::Drag;
use crate::graph::transform::Transform;
use stats_ui::pointer::press_origin;
use stats_ui::shapes;

/// The logarithm of the zoom per point of scrolling: a notch of 50 points zooms by 1.2.
const WHEEL_ZOOM: f32 = 0.004;
/// A factor this close to 1 is not a zoom. Pinching reports such a factor in every pass.
const NO_ZOOM: f64 = 1e-6;
/// The minimum width and height of a box, in points. Smaller boxes are drawn by accident.
const MIN_BOX: f32 = 6.0;

impl GraphUi<'_> {
    /// Moves, zooms and selects with the pointer in the plot.
    pub(super) fn interact(
        &mut self,
        ui: &Ui,
        response: &Response,
        transform: &Transform,
        shown: &[Shown],
    ) {
        if !response.dragged() && !response.drag_stopped() {
            // A drag that began before the graph was hidden has ended elsewhere.
            self.view.drag = None;
        }
        if let Some(pointer) = response.interact_pointer_pos() {
            self.drag(ui, response, transform, pointer);
        }
        if response.drag_stopped()
            && let Some(Drag::Box(from)) = self.view.drag.take()
            && let Some(to) = response.interact_pointer_pos()
        {
            self.zoom_to_box(transform, Rect::from_two_pos(from, to), shown);
        }
        if response.double_clicked() {
            self.pane.frame_axis.wants_newest = true;
        } else if response.clicked() {
            self.pane.frame_axis.selected_range = None;
        }
        self.wheel(ui, response, transform);
    }

    /// Starts or continues a drag.
    fn drag(&mut self, ui: &Ui, response: &Response, transform: &Transform, pointer: Pos2) {
        if response.drag_started() {
            let origin = press_origin(ui).unwrap_or(pointer);
            self.view.drag = match ui.input(|input| input.modifiers.shift) {
                _ if response.drag_started_by(PointerButton::Secondary) => Some(Drag::Box(origin)),
                true => Some(Drag::Select(frame_at(transform, origin))),
                false => Some(Drag::Pan),
            };
        }
        match self.view.drag {
            Some(Drag::Pan) if response.dragged_by(PointerButton::Primary) => {
                self.pane.frame_axis.pan(
                    frames_in(transform, -response.drag_delta().x),
                    &self.pane.data.frames(),
                );
            }
            Some(Drag::Select(from)) => {
                self.pane.frame_axis.select(
                    from,
                    frame_at(transform, pointer),
                    &self.pane.data.frames(),
                );
            }
            Some(Drag::Box(from)) => {
                self.paint_box(ui, transform, Rect::from_two_pos(from, pointer))
            }
            _ => {}
        }
    }

    fn paint_box(&self, ui: &Ui, transform: &Transform, area: Rect) {
        let painter = ui.painter().with_clip_rect(transform.plot());
        let accent = self.pane.theme.accent;
        shapes::plate(&painter, area, 0.0, accent.gamma_multiply(0.12), accent);
    }

    /// Shows the frames of a box in all panes, and its values in this one. A small box does
    /// nothing.
    fn zoom_to_box(&mut self, transform: &Transform, area: Rect, shown: &[Shown]) {
        let plot = transform.plot();
        let area = area.intersect(plot);
        if area.width() < MIN_BOX || area.height() < MIN_BOX {
            return;
        }
        let share = |y: f32| f64::from((plot.bottom() - y) / plot.height());
        self.view.zoom_to(
            self.pane.selected,
            shown,
            (share(area.bottom()), share(area.top())),
        );
        let at = |x: f32| transform.frame_at(x);
        self.pane
            .frame_axis
            .show((at(area.left()), at(area.right())));
    }

    /// The wheel zooms around the pointer. Sideways, or with Shift, it moves the visible frames.
    fn wheel(&mut self, ui: &Ui, response: &Response, transform: &Transform) {
        let Some(pointer) = response.hover_pos() else {
            return;
        };
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta, input.zoom_delta()));
        let held = self.pane.data.frames();
        if scroll.x != 0.0 {
            self.pane
                .frame_axis
                .pan(frames_in(transform, -scroll.x), &held);
        }
        let factor = f64::from((scroll.y * WHEEL_ZOOM).exp() * pinch);
        if (factor - 1.0).abs() >= NO_ZOOM {
            self.pane
                .frame_axis
                .zoom(factor, transform.frame_at(pointer.x), &held);
        }
    }
}

/// Returns the number of frames within this many points.
fn frames_in(transform: &Transform, points: f32) -> f64 {
    f64::from(points) * transform.span() / f64::from(transform.plot().width().max(1.0))
}

/// Returns the frame at a position; 0 if the position is before frame 0.
pub(super) fn frame_at(transform: &Transform, at: Pos2) -> u64 {
    transform.frame_at(at.x).round().max(0.0) as u64
}
