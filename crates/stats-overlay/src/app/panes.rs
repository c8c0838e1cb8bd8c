//! The right side: the strip of all frames, and below it the panes with the borders between them.

use egui::{CursorIcon, DragAndDrop, Rangef, Rect, Sense, Stroke, Ui, UiBuilder, pos2, vec2};
use stats_core::Source;

use crate::app::pane_ui::{BAR, MovedPane, PaneUi};
use crate::app::views::{Views, with_data};
use crate::strip::StripUi;
use stats_ui::pointer::pointer_pos;
use stats_ui::theme::Theme;

/// The height of the strip of all frames.
const STRIP: f32 = 44.0;
/// Lower than this, in points, there is no strip.
const LEAST_WITH_STRIP: f32 = 240.0;
/// Between two panes.
const GAP: f32 = 5.0;

/// Strip and panes.
pub(crate) struct PanesUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) views: &'a mut Views,
    pub(crate) source: &'a dyn Source,
    /// Whether numbers are to be read anew.
    pub(crate) refresh: bool,
}

impl PanesUi<'_> {
    /// Draws strip and panes into `rect`.
    pub(crate) fn panes_ui(&mut self, ui: &mut Ui, rect: Rect) {
        self.views.linked.begin_pass();
        let mut rest = rect;
        if rect.height() >= LEAST_WITH_STRIP {
            let (strip, below) = rect.split_top_bottom_at_y(rect.top() + STRIP);
            self.strip_ui(ui, strip);
            rest = below.with_min_y(below.top() + 3.0);
        }
        let places = places(rest, self.views.panes.shares());
        let mut removed = None;
        for (at, &place) in places.iter().enumerate() {
            let id = self.views.panes.list()[at].id;
            let mut pane_ui = ui.new_child(UiBuilder::new().id_salt(("pane", id)).max_rect(place));
            pane_ui.set_clip_rect(place.intersect(ui.clip_rect()));
            let mut pane = PaneUi {
                theme: self.theme,
                views: self.views,
                source: self.source,
                at,
                refresh: self.refresh,
            };
            if pane.pane_ui(&mut pane_ui, place) {
                removed = Some(at);
            }
        }
        for at in 1..places.len() {
            let border = Rangef::new(places[at - 1].bottom() - 1.0, places[at].top() + 1.0);
            self.border_ui(
                ui,
                Rect::from_x_y_ranges(rest.x_range(), border),
                at - 1,
                rest.height(),
            );
        }
        self.move_ui(ui, &places);
        if let Some(at) = removed {
            self.views.panes.remove(at);
        }
    }

    fn strip_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let Views {
            panes,
            paused,
            linked,
            frames,
            tracks,
            settings,
            ..
        } = &mut *self.views;
        let (theme, budget_ms) = (self.theme, settings.frame_budget_ms);
        let selected = panes.active().selection.selected();
        with_data(
            paused.as_ref(),
            self.source,
            selected,
            tracks,
            frames.clone(),
            |data| {
                StripUi {
                    theme,
                    data,
                    linked,
                    budget_ms,
                }
                .strip_ui(ui, rect);
            },
        );
    }

    /// The border below a pane, which moves when it is dragged; `height` is that of all panes.
    fn border_ui(&mut self, ui: &Ui, rect: Rect, above: usize, height: f32) {
        let response = ui.interact(
            rect,
            ui.make_persistent_id(("border", above)),
            Sense::drag(),
        );
        if response.dragged() {
            self.views
                .panes
                .resize(above, response.drag_delta().y / height.max(1.0));
        }
        let active = response.hovered() || response.dragged();
        let color = if active {
            self.theme.accent
        } else {
            self.theme.line
        };
        ui.painter().hline(
            rect.x_range(),
            rect.center().y,
            Stroke::new(if active { 2.0 } else { 1.0 }, color),
        );
        response.on_hover_cursor(CursorIcon::ResizeVertical);
    }

    /// While a pane is carried: a line where it would go; it goes there when let go of.
    fn move_ui(&mut self, ui: &Ui, places: &[Rect]) {
        let Some(moved) = DragAndDrop::payload::<MovedPane>(ui.ctx()) else {
            return;
        };
        let Some(pointer) = pointer_pos(ui) else {
            return;
        };
        let Some(from) = self
            .views
            .panes
            .list()
            .iter()
            .position(|pane| pane.id == moved.0)
        else {
            return;
        };
        let to = places
            .iter()
            .filter(|place| place.center().y < pointer.y)
            .count();
        let to = if to > from { to - 1 } else { to };
        let place = places[to.min(places.len() - 1)];
        let y = if to > from {
            place.bottom()
        } else {
            place.top()
        };
        ui.painter()
            .hline(place.x_range(), y, Stroke::new(3.0, self.theme.accent));
        if ui.input(|input| input.pointer.any_released()) {
            DragAndDrop::clear_payload(ui.ctx());
            self.views.panes.reorder(from, to);
        }
    }
}

/// The places of panes with these shares of the height, which add up to 1; at least high enough for
/// their bars as long as there is room for that.
fn places(rect: Rect, shares: impl Iterator<Item = f32> + Clone) -> Vec<Rect> {
    let count = shares.clone().count() as f32;
    let room = (rect.height() - GAP * (count - 1.0)).max(0.0);
    let least = (BAR + 30.0).min(room / count);
    let free = room - least * count;
    let mut top = rect.top();
    let place = |share: f32| {
        let height = least + free * share;
        let place = Rect::from_min_size(
            pos2(rect.left(), top.round()),
            vec2(rect.width(), height.floor()),
        );
        top += height + GAP;
        place
    };
    shares.map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Pos2;

    #[test]
    fn panes_stand_below_each_other_and_have_room_for_their_bars() {
        for (count, height) in [(1, 700.0), (2, 701.5), (16, 1000.0), (16, 300.0), (3, 0.0)] {
            let rect = Rect::from_min_size(Pos2::new(10.0, 20.0), vec2(500.0, height));
            let total = (1..=count).sum::<u16>();
            let shares = (1..=count).map(|weight| f32::from(weight) / f32::from(total));
            let places = places(rect, shares);
            assert_eq!(places.len(), usize::from(count));
            assert!(
                places
                    .windows(2)
                    .all(|pair| pair[0].bottom() <= pair[1].top()),
                "{count} in {height}"
            );
            if height >= f32::from(count) * (BAR + 30.0 + GAP) {
                assert!(
                    places.iter().all(|place| place.height() >= BAR + 29.0),
                    "{count} in {height}"
                );
                assert!(
                    places
                        .iter()
                        .all(|place| place.bottom() <= rect.bottom() + 1.0),
                    "{count} in {height}"
                );
            }
        }
    }
}
