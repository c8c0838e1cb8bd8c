//! The layout of the panes: the strip of all frames, and below it the panes and their borders.

use egui::{CursorIcon, DragAndDrop, Rangef, Rect, Sense, Stroke, Ui, pos2, vec2};

use crate::paint::canvas::clipped_child;
use crate::panes::budget_offer_ui::{OFFER, budget_offer_ui};
use crate::panes::list::Panes;
use crate::panes::pane_ui::{BAR, MovedPane, PaneUi, view_in};
use crate::panes::shared::Shared;
use crate::panes::slowed_ui::{least_width, slowed_ui};
use crate::strip::{CAPTION, StripUi};
use crate::view::{Aligned, PaneRequest};
use stats_ui::pointer::pointer_pos;

/// The height of the strip of all frames with its caption, in points.
const STRIP: f32 = 50.0;
/// The minimum height at which there is a strip, in points.
const MIN_WITH_STRIP: f32 = 240.0;
/// The minimum gap between the caption of the strip and the text beside it, in points.
const CAPTION_GAP: f32 = 24.0;
/// The gap between two panes, in points.
const GAP: f32 = 5.0;
/// The gap between two panes, and the minimum height of a pane, which has room for its bar.
const SIZES: (f32, f32) = (GAP, BAR + 30.0);

/// Draws the strip and the panes below it.
pub(crate) struct PanesUi<'a> {
    pub(crate) shared: Shared<'a>,
    pub(crate) panes: &'a mut Panes,
    /// Whether the panes show their views, and not only the bars above them.
    pub(crate) has_views: bool,
}

impl PanesUi<'_> {
    /// Draws the strip and the panes into `rect`. Returns a click that changes more than the panes.
    pub(crate) fn panes_ui(&mut self, ui: &mut Ui, rect: Rect) -> Option<PaneRequest> {
        let (mut rest, mut request) = (rect, None);
        if rect.height() >= MIN_WITH_STRIP {
            let (strip, below) = rect.split_top_bottom_at_y(rect.top() + STRIP);
            self.strip_ui(ui, strip);
            rest = below.with_min_y(below.top() + 3.0);
            if let Some(offer) = self.shared.budget_offer {
                let (line, below) = rest.split_top_bottom_at_y(rest.top() + OFFER);
                request = budget_offer_ui(ui, self.shared.theme, offer, line);
                rest = below.with_min_y(below.top() + 3.0);
            }
        }
        let places = places(rest, self.panes.shares(), 1.0, SIZES);
        let needs = self.panes.list().iter().zip(&places);
        let needs = needs.map(|(pane, place)| pane.needs(view_in(*place).size()));
        let aligned = needs.fold(Aligned::default(), Aligned::or);
        let mut removed = None;
        for (at, &place) in places.iter().enumerate() {
            let id = self.panes.list()[at].id;
            let mut pane_ui = clipped_child(ui, ("pane", id), place);
            let mut pane = PaneUi {
                shared: &mut self.shared,
                panes: self.panes,
                has_view: self.has_views,
                at,
                aligned,
                request: None,
            };
            if pane.pane_ui(&mut pane_ui, place) {
                removed = Some(at);
            }
            request = pane.request.or(request);
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
            self.panes.remove(at);
        }
        request
    }

    fn strip_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let shared = &mut self.shared;
        let beside = match shared.playback.is_paused() {
            true => 0.0,
            false => least_width(ui.painter(), shared.theme, shared.cost),
        };
        let mut strip = std::mem::take(&mut self.panes.strip);
        let selected = self.panes.active().selection.selected();
        StripUi {
            theme: shared.theme,
            data: &shared.playback.data(shared.source, selected),
            frame_axis: shared.frame_axis,
            budget_ms: shared.settings.frame_budget_ms,
            seconds: shared.settings.seconds,
            found: shared.settings.hitches.then_some(shared.hitches),
            beside: if beside > 0.0 {
                beside + CAPTION_GAP
            } else {
                0.0
            },
            view: &mut strip,
        }
        .strip_ui(ui, rect);
        let (width, caption) = (strip.caption_width(), rect.with_max_y(rect.top() + CAPTION));
        self.panes.strip = strip;
        if !self.shared.playback.is_paused() {
            let place = caption.shrink2(vec2(4.0, 0.0));
            let free = place.with_min_x((place.left() + width + CAPTION_GAP).min(place.right()));
            slowed_ui(ui, self.shared.theme, self.shared.cost, free);
        }
    }

    /// Draws the border below a pane and moves it while it is dragged. `height` is the height of
    /// all panes.
    fn border_ui(&mut self, ui: &Ui, rect: Rect, above: usize, height: f32) {
        let response = ui.interact(
            rect,
            ui.make_persistent_id(("border", above)),
            Sense::drag(),
        );
        if response.dragged() {
            self.panes
                .resize(above, response.drag_delta().y / height.max(1.0));
        }
        let active = response.hovered() || response.dragged();
        let color = if active {
            self.shared.theme.accent
        } else {
            self.shared.theme.line
        };
        ui.painter().hline(
            rect.x_range(),
            rect.center().y,
            Stroke::new(if active { 2.0 } else { 1.0 }, color),
        );
        response.on_hover_cursor(CursorIcon::ResizeVertical);
    }

    /// While a pane is dragged, draws a line at its new place, and moves it there on release.
    fn move_ui(&mut self, ui: &Ui, places: &[Rect]) {
        let Some(moved) = DragAndDrop::payload::<MovedPane>(ui.ctx()) else {
            return;
        };
        let Some(pointer) = pointer_pos(ui) else {
            return;
        };
        let Some(from) = self.panes.list().iter().position(|pane| pane.id == moved.0) else {
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
        let line = Stroke::new(3.0, self.shared.theme.accent);
        ui.painter().hline(place.x_range(), y, line);
        if ui.input(|input| input.pointer.any_released()) {
            DragAndDrop::clear_payload(ui.ctx());
            self.panes.reorder(from, to);
        }
    }
}

/// Lays out panes by their shares of the height, which add up to `total`. Each pane has at least
/// the height `least`, provided that all of them then fit.
pub(crate) fn places(
    rect: Rect,
    shares: impl Iterator<Item = f32> + Clone,
    total: f32,
    (gap, least): (f32, f32),
) -> Vec<Rect> {
    let count = shares.clone().count() as f32;
    let room = (rect.height() - gap * (count - 1.0)).max(0.0);
    let min_height = least.min(room / count);
    let free = room - min_height * count;
    let mut top = rect.top();
    let place = |share: f32| {
        let height = min_height + free * share / total;
        let place = Rect::from_min_size(
            pos2(rect.left(), top.round()),
            vec2(rect.width(), height.floor()),
        );
        top += height + gap;
        place
    };
    shares.map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Pos2;

    #[test]
    fn panes_are_stacked_and_have_room_for_their_bars() {
        for (count, height) in [(1, 700.0), (2, 701.5), (16, 1000.0), (16, 300.0), (3, 0.0)] {
            let rect = Rect::from_min_size(Pos2::new(10.0, 20.0), vec2(500.0, height));
            let total = (1..=count).sum::<u16>();
            let shares = (1..=count).map(|weight| f32::from(weight) / f32::from(total));
            let places = places(rect, shares, 1.0, SIZES);
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
