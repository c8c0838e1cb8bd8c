//! The panes over the game, and the line of messages above them.

use egui::{Color32, Context, Id, LayerId, Order, Painter, Rect, vec2};

use crate::card::model::Card;
use crate::card::ui::{HEIGHT, card_ui, describe_card};
use crate::data::selection::FRAME_TIME;
use crate::data::view::Data;
use crate::input::pane_view::PaneView;
use crate::paint::canvas::Canvas;
use crate::panes::list::Panes;
use crate::panes::shared::Shared;
use crate::panes::slowed_ui::slowed_text;
use crate::view::Aligned;
use crate::watch::layout::Layout;
use stats_analysis::format::{count_text, whole_text};
use stats_ui::accessibility;
use stats_ui::palette::fnv1a;
use stats_ui::pointer::scale_layer;
use stats_ui::retained::paint_kept;
use stats_ui::shapes;
use stats_ui::theme::{TEXT_GROUND, small_font};

/// The distance between the panes and the edges of the screen, in points.
const MARGIN: f32 = 8.0;
/// The height of the line above the panes, in points.
const HEAD: f32 = 18.0;
/// The minimum width and height of the area for the panes, and the minimum width of a text above
/// them, in points.
const MIN_SIDE: f32 = 40.0;
/// The height of the card with the gap above it, and its width, in points.
const CARD: f32 = HEIGHT + 4.0;
const CARD_WIDTH: f32 = 320.0;
/// The minimum width of the area for a card, and the minimum height that it leaves for the panes.
const MIN_CARD: f32 = 200.0;
const LEAST_PANES: f32 = 90.0;

/// Draws the panes over the game.
pub(crate) struct WatchUi<'a> {
    pub(crate) shared: Shared<'a>,
    pub(crate) panes: &'a mut Panes,
    /// The card of the newest finding, and its text without one; `None` if the overlay does not look
    /// for hitches.
    pub(crate) card: Option<(&'a Card, &'a str)>,
    /// A text for the line above the panes, and whether it is an alert.
    pub(crate) note: Option<(&'a str, bool)>,
}

/// Returns the id from which all ids of the panes are derived.
fn watch_id() -> Id {
    Id::NULL.with("stats overlay watch")
}

impl WatchUi<'_> {
    /// Paints the panes where the settings place them.
    pub(crate) fn watch_ui(&mut self, ctx: &Context) {
        let settings = self.shared.settings;
        let layer = LayerId::new(Order::Foreground, watch_id());
        let screen = scale_layer(ctx, layer, settings.scale).shrink(MARGIN);
        let rect = settings.watch_place.rect_in(screen, settings.watch_share);
        if !(rect.width() >= MIN_SIDE && rect.height() >= MIN_SIDE) {
            return;
        }
        let painter = ctx.layer_painter(layer).with_clip_rect(rect);
        let mut messages = self.messages();
        let mut layout = self.layout(rect);
        let is_slowed = self.note.is_none() && !self.shared.cost.text().is_empty();
        if is_slowed || !messages.is_empty() || self.hidden(&layout) > 0 {
            let (head, rest) = rect.split_top_bottom_at_y(rect.top() + HEAD);
            layout = self.layout(rest);
            messages.extend(self.hidden_message(self.hidden(&layout)));
            self.head_ui(&painter, head, &messages, is_slowed);
        }
        let card = self.make_room(&mut layout);
        let places: Vec<_> = layout.places(self.panes.shares()).collect();
        for (at, mut place) in places {
            if let Some(after) = card {
                place = place.translate(vec2(0.0, if at > after { CARD } else { 0.0 }));
                if at == after {
                    self.card_ui(&painter, place);
                }
            }
            let painter = painter.with_clip_rect(place.intersect(rect));
            let id = watch_id().with(self.panes.list()[at].id);
            let opacity = self.shared.settings.watch_opacity;
            self.pane_ui(&mut Canvas::over_game(painter, id, opacity), at, place);
        }
    }

    /// Makes room for the card, unless a pane would no longer fit. Returns the index of the pane
    /// above it: the first graph of frame times, or else the last pane.
    fn make_room(&self, layout: &mut Layout) -> Option<usize> {
        let rect = layout.rect();
        let smaller = self.layout(rect.with_max_y(rect.bottom() - CARD));
        let fits = rect.height() >= CARD + LEAST_PANES && smaller.shown == layout.shown;
        if self.card.is_none() || rect.width() < MIN_CARD || !fits {
            return None;
        }
        let shown = smaller.shown.clone();
        *layout = smaller;
        let list = self.panes.list();
        let has_times = |at: &usize| {
            let pane = &list[*at];
            pane.view == PaneView::Graph && pane.selection.contains(FRAME_TIME)
        };
        shown.clone().find(has_times).or(shown.last())
    }

    /// Paints the card below a pane. It is painted again only if it changes.
    fn card_ui(&self, painter: &Painter, above: Rect) {
        let Some((card, empty)) = self.card else {
            return;
        };
        let width = above.width().min(CARD_WIDTH);
        let top = above.left_bottom() + vec2(0.0, CARD - HEIGHT);
        let rect = Rect::from_min_size(top, vec2(width, HEIGHT));
        let (id, theme) = (watch_id().with("card"), self.shared.theme);
        let key = (rect, *theme, card.revision(), fnv1a(empty));
        paint_kept(painter, id, key, |painter| {
            // Over a bright scene, the text needs an opaque ground.
            painter.rect_filled(rect, 4.0, theme.hud);
            card_ui(painter, rect, theme, card, empty);
        });
        describe_card(painter, id, rect, card);
    }

    fn layout(&self, rect: Rect) -> Layout {
        Layout::new(rect, self.panes.len(), self.panes.active_at())
    }

    /// Returns the number of panes that do not fit.
    fn hidden(&self, layout: &Layout) -> usize {
        self.panes.len() - layout.shown.len()
    }

    /// Returns the text about `hidden` panes that do not fit.
    fn hidden_message(&self, hidden: usize) -> Option<(String, Color32)> {
        let more = || count_text(hidden as u64, "more pane", "more panes");
        let text = || (format!("and {}", more()), self.shared.theme.text);
        (hidden > 0).then(text)
    }

    /// Returns the other texts of the line above the panes.
    fn messages(&self) -> Vec<(String, Color32)> {
        let (theme, frame_axis) = (self.shared.theme, &*self.shared.frame_axis);
        let mut messages = Vec::new();
        if self.shared.playback.is_paused() {
            let data = self.shared.playback.data(self.shared.source, &[]);
            let newest = data.frames().end.saturating_sub(1);
            let frame = whole_text(frame_axis.marked().unwrap_or(newest) as f64);
            messages.push((format!("PAUSED at frame {frame}"), theme.accent));
        } else if let Some(frame) = frame_axis.marked() {
            messages.push((
                format!("at frame {}", whole_text(frame as f64)),
                theme.accent,
            ));
        } else if !frame_axis.follows() {
            messages.push(("earlier frames".to_owned(), theme.accent));
        }
        if let Some((text, alert)) = self.note {
            let color = if alert { theme.alert } else { theme.text };
            messages.push((text.to_owned(), color));
        }
        messages
    }

    fn head_ui(
        &self,
        painter: &Painter,
        rect: Rect,
        messages: &[(String, Color32)],
        is_slowed: bool,
    ) {
        let (theme, cost) = (self.shared.theme, self.shared.cost);
        let ground = theme.plot.gamma_multiply(TEXT_GROUND);
        painter.rect_filled(rect.with_max_y(rect.bottom() - 2.0), 0.0, ground);
        let mut free = rect.shrink2(vec2(6.0, 1.0));
        for (text, color) in messages {
            if free.width() < MIN_SIDE {
                break;
            }
            let width = shapes::text_in(painter, free, text, small_font(), *color);
            free.min.x = (free.left() + width + 14.0).min(free.right());
        }
        if is_slowed && free.width() >= MIN_SIDE {
            let text = slowed_text(painter, theme, cost, free.width());
            let text = text.unwrap_or(cost.short_text());
            shapes::text_in(painter, free, text, small_font(), theme.text);
        }
        accessibility::describe(painter.ctx(), watch_id().with("head"), rect, || {
            let texts = messages.iter().map(|(text, _)| text.as_str());
            let texts: Vec<&str> = texts.chain(is_slowed.then_some(cost.text())).collect();
            ("Watch".to_owned(), texts.join(", "))
        });
    }

    /// Paints one pane with its view.
    fn pane_ui(&mut self, canvas: &mut Canvas<'_>, at: usize, rect: Rect) {
        let pane = &mut self.panes.list_mut()[at];
        let view = pane.views.get_mut(pane.view);
        // Over a game, each graph decides whether it has an axis on the right.
        let aligned = Aligned::default();
        self.shared
            .with_context(&pane.selection, aligned, |context| {
                // A canvas over a game has no clicks.
                view.draw(canvas, rect, context);
            });
    }
}
