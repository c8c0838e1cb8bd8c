//! The layout of the HUD, and its head and graph.
//!
//! The HUD has no widget: nothing in it can be hovered, clicked or focused, so the game gets every
//! event.

use egui::{
    Align2, Context, CornerRadius, FontId, Id, LayerId, Order, Painter, Rect, Stroke, StrokeKind,
    pos2, vec2,
};

use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::data::view::Data;
use crate::hud::graph_ui::{HudGraph, thin_for};
use crate::hud::line_ui::LINE;
use crate::hud::numbers::{FRAMES, Hud, HudState};
use crate::hud::statistics_ui;
use crate::input::settings::Settings;
use crate::paint::scale::Scale;
use stats_analysis::axis::Mapping;
use stats_ui::accessibility;
use stats_ui::palette::preferred_slot;
use stats_ui::pointer::scale_layer;
use stats_ui::shapes;
use stats_ui::theme::{SMALL_SIZE, Theme, small_font};

const WIDTH: f32 = 292.0;
/// The distance between the HUD and the edges of the screen.
const MARGIN: f32 = 8.0;
const PADDING: f32 = 9.0;
const GRAPH_HEIGHT: f32 = 40.0;
const HEAD_HEIGHT: f32 = 24.0;
const GAP: f32 = 4.0;
/// Room for the budget at the right end of its line.
const BUDGET_WIDTH: f32 = 30.0;

/// Draws the HUD.
pub(crate) struct HudUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) hud: &'a mut Hud,
    /// The values of the pinned series, by index.
    pub(crate) data: &'a dyn Data,
    /// The series that have a line. The frame time has none, because it is shown anyway.
    pub(crate) pinned: &'a [SelectedSeries],
    pub(crate) state: HudState,
    pub(crate) settings: &'a Settings,
    /// Whether to read numbers again.
    pub(crate) refresh: bool,
}

/// Returns the id that all ids in the HUD derive from.
pub(super) fn hud_id() -> Id {
    Id::NULL.with("stats overlay HUD")
}

impl HudUi<'_> {
    /// Paints the HUD into the upper right corner of the screen.
    pub(crate) fn hud_ui(&mut self, ctx: &Context) {
        self.hud.update(
            self.data,
            self.pinned,
            self.state,
            self.settings,
            self.refresh,
        );
        let layer = LayerId::new(Order::Foreground, hud_id());
        let screen = scale_layer(ctx, layer, self.settings.scale);
        let painter = ctx.layer_painter(layer).with_clip_rect(screen);
        let lines = self
            .pinned
            .iter()
            .filter(|pinned| !pinned.is_frame_time())
            .count();
        let statistics = if self.settings.hud_statistics {
            statistics_ui::HEIGHT
        } else {
            0.0
        };
        let head = PADDING * 2.0 + HEAD_HEIGHT + GRAPH_HEIGHT + GAP + LINE + statistics;
        let room = ((screen.height() - 2.0 * MARGIN - head - GAP) / LINE).max(0.0) as usize;
        let shown = if lines <= room {
            lines
        } else {
            room.saturating_sub(1)
        };
        let more = if room > 0 { lines - shown } else { 0 };
        let rows = shown + usize::from(more > 0);
        let height = head + rows as f32 * LINE + if rows > 0 { GAP } else { 0.0 };
        let width = WIDTH.min(screen.width() - 2.0 * MARGIN).max(0.0);
        let corner = pos2(screen.right() - MARGIN - width, screen.top() + MARGIN);
        let sheet = Rect::from_min_size(corner, vec2(width, height));
        let edge = Stroke::new(1.0, self.theme.line.gamma_multiply(0.7));
        painter.rect(
            sheet,
            CornerRadius::same(5),
            self.theme.hud,
            edge,
            StrokeKind::Inside,
        );
        let painter = painter.with_clip_rect(sheet.intersect(screen));
        let inner = sheet.shrink(PADDING);
        self.head_ui(&painter, inner.with_max_y(inner.top() + HEAD_HEIGHT));
        let graph = Rect::from_min_size(
            inner.min + vec2(0.0, HEAD_HEIGHT),
            vec2(inner.width(), GRAPH_HEIGHT),
        );
        self.graph_ui(&painter, graph);
        self.open_ui(&painter, graph);
        let note = Rect::from_min_size(
            pos2(inner.left(), graph.bottom() + GAP),
            vec2(inner.width(), LINE),
        );
        self.note_ui(&painter, note);
        if self.settings.hud_statistics {
            self.statistics_ui(&painter, inner, note.bottom());
        }
        self.lines_ui(
            &painter,
            inner,
            note.bottom() + statistics + GAP,
            shown,
            more,
        );
    }

    /// Draws the frame time and the frame rate.
    fn head_ui(&self, painter: &Painter, head: Rect) {
        let (theme, hud) = (self.theme, &*self.hud);
        let font = FontId::monospace(17.0);
        let time_color = if hud.time_over {
            theme.alert
        } else {
            theme.text
        };
        let time = painter.text(
            head.left_top(),
            Align2::LEFT_TOP,
            &hud.time,
            font.clone(),
            time_color,
        );
        if hud.time_over {
            painter.add(shapes::over_budget_sign(
                pos2(time.right() + 10.0, time.center().y),
                theme.alert,
            ));
        }
        let rate = painter.text(
            head.right_top(),
            Align2::RIGHT_TOP,
            &hud.rate,
            font,
            theme.text,
        );
        let free = head
            .with_min_x(time.right() + 20.0)
            .with_max_x(rate.left() - 4.0)
            .with_max_y(time.bottom());
        if self.state.paused && free.is_positive() {
            shapes::text_in(painter, free, "PAUSED", small_font(), theme.accent);
        }
        let (left, right) = head.split_left_right_at_fraction(0.5);
        accessibility::describe(painter.ctx(), hud_id().with("time"), left, || {
            (
                "Frame time".to_owned(),
                hud.time.clone() + if hud.time_over { " over budget" } else { "" },
            )
        });
        accessibility::describe(painter.ctx(), hud_id().with("rate"), right, || {
            ("Frame rate".to_owned(), hud.rate.clone())
        });
    }

    /// Draws the worst frame, and how many frames are over budget.
    fn note_ui(&self, painter: &Painter, note: Rect) {
        let (theme, hud) = (self.theme, &*self.hud);
        let color = if hud.any_over {
            theme.alert
        } else {
            theme.weak
        };
        let font = FontId::monospace(SMALL_SIZE);
        let over = painter.text(
            note.right_center(),
            Align2::RIGHT_CENTER,
            &hud.over,
            font,
            color,
        );
        let mut left = over.left();
        if hud.any_over {
            painter.add(shapes::over_budget_sign(
                pos2(left - 7.0, note.center().y),
                theme.alert,
            ));
            left -= 12.0;
        }
        let worst = note.with_max_x((left - 6.0).max(note.left()));
        shapes::text_in(painter, worst, &hud.worst, small_font(), theme.weak);
        let (ctx, id) = (painter.ctx(), hud_id());
        accessibility::describe(ctx, id.with("worst"), worst, || {
            ("Worst frame".to_owned(), hud.worst.clone())
        });
        if !hud.over.is_empty() {
            let said = || {
                (
                    "Frames over budget".to_owned(),
                    format!("{} of {} ms", hud.over, hud.budget),
                )
            };
            accessibility::describe(ctx, id.with("over"), over, said);
        }
    }

    fn graph_ui(&mut self, painter: &Painter, rect: Rect) {
        let (theme, hud) = (self.theme, &mut *self.hud);
        let budget_ms = self.state.budget_ms();
        let graph = if budget_ms.is_some() {
            rect.with_max_x((rect.right() - BUDGET_WIDTH).max(rect.left()))
        } else {
            rect
        };
        painter.rect_filled(graph, 2.0, theme.plot.gamma_multiply(0.8));
        let times = self.data.frame_times();
        let end = times.frames().end;
        let times = times.within(end.saturating_sub(FRAMES)..end);
        let width = thin_for(painter, times, FRAMES, graph.width(), &mut hud.buckets);
        let frames = (end as f64 - FRAMES as f64, end as f64 - 1.0);
        let scale = Scale::new(graph, frames, (0.0, hud.top_ms), Mapping::Linear);
        if let Some(budget_ms) = budget_ms {
            // The line of a budget above the graph stays at its edge.
            let y = scale.y(budget_ms).clamp(graph.top(), graph.bottom());
            painter.hline(
                graph.left()..=graph.right() + 3.0,
                y,
                Stroke::new(1.0, theme.weak),
            );
            let label = pos2(
                rect.right(),
                y.clamp(
                    rect.top() + SMALL_SIZE / 2.0,
                    rect.bottom() - SMALL_SIZE / 2.0,
                ),
            );
            painter.text(
                label,
                Align2::RIGHT_CENTER,
                &hud.budget,
                small_font(),
                theme.weak,
            );
        }
        let painter = painter.with_clip_rect(graph.intersect(painter.clip_rect()));
        let state = self.state;
        let (color, over) = (
            theme.series(preferred_slot(FRAME_TIME)),
            move |time_ms: f64| state.is_over(time_ms),
        );
        HudGraph {
            theme,
            color,
            scale: &scale,
            width: 1.5,
            over: &over,
        }
        .paint(&painter, &hud.buckets, width);
        let worst = hud
            .worst_frame
            .and_then(|frame| Some((frame, times.at(frame)?)));
        if let Some((frame, time_ms)) = worst {
            // The mark of a frame above the graph stays at its edge.
            let tip = pos2(
                scale.x(frame as f64),
                (scale.y(time_ms) - 1.0).max(graph.top() + 6.0),
            );
            painter.add(shapes::over_budget_pointer(tip, theme.alert));
        }
    }
}
