//! The layout of the HUD, and its head: the frame time and the frame rate.
//!
//! The HUD has no widget: nothing in it can be hovered, clicked or focused, so the game gets every
//! event.

use std::borrow::Cow;
use std::sync::Arc;

use egui::{
    Align2, Context, FontId, Id, LayerId, Order, Painter, Pos2, Rect, Shape, Vec2, pos2, vec2,
};

use crate::card::model::Card;
use crate::card::ui::{self as card_ui, describe_card};
use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::hud::numbers::{Hud, HudState, Places, StillKey};
use crate::hud::pinned_ui::LINE;
use crate::hud::statistics_ui;
use crate::input::mode::HudSize;
use crate::input::settings::Settings;
use crate::insight::headline::Headline;
use crate::insight::top_timers::TopTimers;
use stats_analysis::format::whole_text;
use stats_ui::accessibility;
use stats_ui::palette::fnv1a;
use stats_ui::pointer::scale_layer;
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font};

const WIDTH: f32 = 320.0;
/// The distance between the HUD and the edges of the screen.
pub(super) const MARGIN: f32 = 8.0;
const PADDING: f32 = 9.0;
const GRAPH_HEIGHT: f32 = 40.0;
const HEAD_HEIGHT: f32 = 24.0;
/// If the HUD is narrower than this, its head is smaller, and it has no statistics.
const NARROW: f32 = 240.0;
const GAP: f32 = 4.0;
/// The first passes that draw the numbers of the head, the card, and the statistics. The lines
/// follow.
const HEAD_FROM: u8 = 2;
const CARD_FROM: u8 = 3;
const STATISTICS_FROM: u8 = 4;
/// The number of lines for which the card gives way if there is little room.
const LINES_BEFORE_CARD: usize = 8;
/// What the place of the card says of frames over budget that are no hitches.
const OVER_BUT_USUAL: &str = "Frames over budget, none much longer than usual";
/// The number of lines that each of the next passes adds.
const LINES_IN_A_PASS: usize = 4;

/// Draws the HUD.
pub(crate) struct HudUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) hud: &'a mut Hud,
    /// The values of the pinned series, by index.
    pub(crate) data: &'a dyn Data,
    /// The pinned series. Each has a line, except the frame time, which the head shows.
    pub(crate) pinned: &'a [SelectedSeries],
    pub(crate) state: HudState,
    /// The newest finding, and its one-line form.
    pub(crate) card: &'a Card,
    pub(crate) headline: Option<&'a Headline>,
    /// Returns whether a frame is a hitch that the overlay noticed.
    pub(crate) is_hitch: &'a dyn Fn(u64) -> bool,
    /// A notice, and whether it is about a failure.
    pub(crate) notice: Option<(&'a str, bool)>,
    /// Whether the overlay looks for hitches.
    pub(crate) has_card: bool,
    /// The most expensive timers, which are shown if nothing is pinned.
    pub(crate) top: &'a TopTimers,
    /// Returns the slot of the color of a path.
    pub(crate) slot_of: &'a dyn Fn(&str) -> usize,
    pub(crate) settings: &'a Settings,
    /// Whether to read numbers again.
    pub(crate) refresh: bool,
}

/// Returns the id from which all ids of the HUD are derived.
pub(super) fn hud_id() -> Id {
    Id::NULL.with("stats overlay HUD")
}

impl HudUi<'_> {
    /// Paints the HUD where the settings place it.
    pub(crate) fn hud_ui(&mut self, ctx: &Context) {
        let layer = LayerId::new(Order::Foreground, hud_id());
        let size = self.settings.hud_size;
        let screen = scale_layer(ctx, layer, self.settings.scale * size.factor());
        let room = screen.size() - Vec2::splat(2.0 * MARGIN);
        let is_bare = size == HudSize::Line;
        let lines = self
            .pinned
            .iter()
            .filter(|pinned| !pinned.is_clock())
            .count();
        let lines = lines + self.top_lines();
        let heights = self.heights(room, lines);
        self.state.has_statistics &= !is_bare && heights.1 > 0.0;
        self.hud.update(
            self.data,
            self.pinned,
            self.state,
            self.settings,
            (self.refresh, ctx.input(|input| input.time)),
        );
        if is_bare {
            return self.bare_ui(ctx, layer, screen);
        }
        let painter = ctx.layer_painter(layer).with_clip_rect(screen);
        let head = PADDING * 2.0 + HEAD_HEIGHT + GRAPH_HEIGHT + heights.0 + heights.1;
        let room = ((room.y - head - GAP) / LINE).max(0.0) as usize;
        let shown = if lines <= room {
            lines
        } else {
            room.saturating_sub(1)
        };
        let more = if room > 0 && !self.pinned.is_empty() {
            lines - shown
        } else {
            0
        };
        let rows = shown + usize::from(more > 0);
        let height = head + rows as f32 * LINE + if rows > 0 { GAP } else { 0.0 };
        let width = WIDTH.min(screen.width() - 2.0 * MARGIN).max(0.0);
        let align = self.settings.hud_place.align();
        let sheet = align.align_size_within_rect(vec2(width, height), screen.shrink(MARGIN));
        // Whole points keep the lines sharp.
        let sheet = Rect::from_min_size(sheet.min.round(), sheet.size());
        let parts = Parts::of(sheet, heights);
        self.hud.passes = self.hud.passes.saturating_add(1);
        self.hud.shown = shown;
        let mut places = std::mem::take(&mut self.hud.places);
        let mut still = std::mem::take(&mut self.hud.still);
        let mut texts = std::mem::take(&mut self.hud.texts);
        let colors = self.pinned.iter().map(|pinned| pinned.slot as u64);
        let key = StillKey {
            sheet,
            theme: *self.theme,
            pinned: self.state.revision,
            colors: colors.fold(0, |all: u64, slot| all.wrapping_mul(31).wrapping_add(slot)),
            value_chars: self.hud.value_chars,
            budget_ms: (self.state.budget_ms()).map(|budget_ms| (budget_ms, self.hud.top_ms)),
            statistics: (self.state.has_statistics).then_some(self.hud.statistics_revision),
            lines: (shown, more),
            passes: self.hud.passes.min(complete_after(shown)),
            heights,
            card: (self.card.revision(), fnv1a(&self.hud.empty)),
            top: self.pinned.is_empty().then(|| self.top.revision()),
        };
        let is_new = still.lay_out(&painter, Pos2::ZERO, key, |painter| {
            self.still_ui(painter, &parts, key, &mut places);
        });
        let numbers = (key, self.hud.revision);
        let has_numbers = texts.lay_out(&painter, Pos2::ZERO, numbers, |painter| {
            self.numbers_ui(painter, &parts, key, &places);
        });
        let picture = &mut self.hud.picture;
        if is_new {
            still.add_to(picture.cut((0, 0)));
            picture.still = picture.size();
        }
        // The numbers are new whenever the names are.
        if has_numbers {
            texts.add_to(picture.cut(picture.still));
            (picture.texts, picture.sparks_of) = (picture.size(), None);
        }
        // The clip rectangle includes the soft edge of the sheet.
        let painter = painter.with_clip_rect(sheet.expand(1.0).intersect(screen));
        self.sparks_ui(&painter, &places);
        self.times_ui(&painter, parts.graph);
        painter.add(Shape::Mesh(Arc::clone(&self.hud.picture.mesh)));
        still.paint_texts(&painter);
        texts.paint_texts(&painter);
        self.notice_ui(&painter, parts.graph);
        if accessibility::is_on(ctx) {
            self.describe(&painter, &parts, &places);
        }
        (self.hud.still, self.hud.texts, self.hud.places) = (still, texts, places);
    }

    /// Returns the heights of the card and of the statistics, each with its gap. If the card leaves
    /// too little room for `lines`, it is a single line. With less room, both are left out.
    fn heights(&self, room: Vec2, lines: usize) -> (f32, f32) {
        let head = PADDING * 2.0 + HEAD_HEIGHT + GRAPH_HEIGHT;
        let all = statistics_ui::HEIGHT + GAP + lines.min(LINES_BEFORE_CARD) as f32 * LINE;
        let [whole, line] = [card_ui::HEIGHT, LINE].map(|height| height + 2.0 * GAP);
        let card = if !self.has_card || head + line > room.y {
            0.0
        } else if head + whole + all <= room.y {
            whole
        } else {
            line
        };
        let has_statistics = self.state.has_statistics
            && room.x >= NARROW
            && head + card + statistics_ui::HEIGHT <= room.y;
        let statistics = if has_statistics {
            statistics_ui::HEIGHT
        } else {
            0.0
        };
        (card, statistics)
    }

    /// Paints the sheet, the budget, the names, the card and the statistics.
    ///
    /// egui rasterizes a glyph when it is first drawn, which can take 0.1 ms. The first passes
    /// therefore draw the parts one after another.
    fn still_ui(&self, painter: &Painter, parts: &Parts, key: StillKey, places: &mut Places) {
        *places = Places::default();
        let edge = self.theme.line.gamma_multiply(0.7);
        shapes::plate(painter, key.sheet, 5.0, self.theme.hud, edge);
        self.budget_ui(painter, parts.graph);
        if key.passes >= CARD_FROM {
            self.card_part_ui(painter, parts.card);
        }
        if key.passes < STATISTICS_FROM {
            return;
        }
        if key.statistics.is_some() {
            self.statistics_ui(painter, parts.statistics);
        }
        let drawn = usize::from(key.passes - STATISTICS_FROM) * LINES_IN_A_PASS;
        let (shown, more) = key.lines;
        let (lines, more) = (shown.min(drawn), if shown < drawn { more } else { 0 });
        if self.pinned.is_empty() {
            return self.top_ui(painter, parts.inner, parts.lines, lines);
        }
        self.names_ui(painter, parts.inner, parts.lines, (lines, more), places);
    }

    /// Paints the card, or its one-line form if there is no room for it.
    fn card_part_ui(&self, painter: &Painter, rect: Rect) {
        let empty = self.empty_text();
        if rect.height() >= card_ui::HEIGHT {
            card_ui::card_ui(painter, rect, self.theme, self.card, &empty);
        } else if rect.height() > 0.0 {
            let (weak, text, font) = (self.theme.weak, self.theme.text, small_font());
            match self.headline {
                Some(headline) => {
                    let galley = headline.fitted(painter, font, text, rect.width());
                    shapes::galley_in(painter, rect, galley, text);
                }
                None => {
                    shapes::text_in(painter, rect, &empty, font, weak);
                }
            }
        }
    }

    /// Returns what takes the place of the card without a finding. The line below it may count frames
    /// over budget, which are no hitches, if all of them were examined.
    fn empty_text(&self) -> Cow<'_, str> {
        let is_over = self.state.has_statistics && self.hud.statistics.any_over;
        if !is_over || self.hud.to_learn.is_some() || self.hud.empty.is_empty() {
            return Cow::Borrowed(&self.hud.empty);
        }
        match self.state.examined_from {
            Some(from) if from <= self.hud.statistics.first => OVER_BUT_USUAL.into(),
            Some(from) => format!("No hitch since frame {}", whole_text(from as f64)).into(),
            None => Cow::Borrowed(&self.hud.empty),
        }
    }

    /// Paints the frame time, the frame rate and the values of the lines.
    fn numbers_ui(&self, painter: &Painter, parts: &Parts, key: StillKey, places: &Places) {
        if key.passes < HEAD_FROM {
            return;
        }
        self.head_ui(painter, parts.head);
        for line in &places.lines {
            self.value_ui(painter, line);
        }
    }

    /// Describes the HUD to screen readers.
    fn describe(&self, painter: &Painter, parts: &Parts, places: &Places) {
        let (ctx, id) = (painter.ctx(), hud_id());
        let (left, right) = parts.head.split_left_right_at_fraction(0.5);
        self.describe_head(painter, [left, right, parts.card]);
        if let Some(limit) = self.state.limit {
            accessibility::describe(ctx, id.with("limit"), parts.head, || {
                (
                    "What limits the frame rate".to_owned(),
                    limit.word().to_owned(),
                )
            });
        }
        let empty = self.empty_text();
        if self.headline.is_none() && self.has_card && !empty.is_empty() {
            accessibility::describe(ctx, id.with("no hitch"), parts.card, || {
                ("About hitches".to_owned(), empty.into_owned())
            });
        }
        describe_card(painter, id.with("card"), parts.card, self.card);
        if self.state.has_statistics {
            self.describe_statistics(painter, parts.statistics);
        }
        if self.pinned.is_empty() {
            self.describe_top(painter, parts.inner, parts.lines, self.hud.shown);
        }
        self.describe_lines(painter, places);
    }

    /// Describes the frame time, the frame rate and the newest finding, each at its place.
    pub(super) fn describe_head(&self, painter: &Painter, [time, rate, hitch]: [Rect; 3]) {
        let over = if self.hud.time_over {
            " over budget"
        } else {
            ""
        };
        for (name, rect, text) in [
            ("Frame time", time, self.hud.time.clone() + over),
            ("Frame rate", rate, self.hud.rate.clone()),
            (
                "Hitch",
                hitch,
                self.headline
                    .map_or_else(String::new, |line| line.text().to_owned()),
            ),
        ] {
            if !text.is_empty() {
                let describe = || (name.to_owned(), text.clone());
                accessibility::describe(painter.ctx(), hud_id().with(name), rect, describe);
            }
        }
    }

    /// Draws the frame time and the frame rate.
    fn head_ui(&self, painter: &Painter, head: Rect) {
        let (theme, hud) = (self.theme, &*self.hud);
        // At the smaller size, both numbers and the sign between them fit into 200 points.
        let size = if head.width() < NARROW { 12.0 } else { 17.0 };
        let font = FontId::monospace(size);
        let (left, start, color) = (
            head.left_top(),
            Align2::LEFT_TOP,
            theme.value(hud.time_over),
        );
        let time = shapes::text_at(painter, left, start, &hud.time, font.clone(), color);
        if hud.time_over {
            let sign = pos2(time.right() + 10.0, time.center().y);
            painter.add(shapes::over_budget_sign(sign, theme.alert));
        }
        let (right, end) = (head.right_top(), Align2::RIGHT_TOP);
        let rate = shapes::text_at(painter, right, end, &hud.rate, font, theme.text);
        let free = head
            .with_min_x(time.right() + 20.0)
            .with_max_x(rate.left() - 4.0)
            .with_max_y(time.bottom());
        let (note, color) = match self.state.limit {
            _ if self.state.paused => ("PAUSED", theme.accent),
            Some(limit) => (limit.word(), theme.weak),
            None => return,
        };
        if free.is_positive() {
            shapes::text_in(painter, free, note, small_font(), color);
        }
    }
}

/// Returns the pass that completes a HUD with this number of lines.
fn complete_after(lines: usize) -> u8 {
    u8::try_from(lines / LINES_IN_A_PASS + usize::from(STATISTICS_FROM) + 1).unwrap_or(u8::MAX)
}

/// The rectangles of the HUD's parts.
struct Parts {
    inner: Rect,
    head: Rect,
    graph: Rect,
    card: Rect,
    statistics: Rect,
    /// The upper edge of the lines.
    lines: f32,
}

impl Parts {
    /// `heights` are those of the card and of the statistics.
    fn of(sheet: Rect, heights: (f32, f32)) -> Self {
        let inner = sheet.shrink(PADDING);
        let graph = Rect::from_min_size(
            inner.min + vec2(0.0, HEAD_HEIGHT),
            vec2(inner.width(), GRAPH_HEIGHT),
        );
        let below = |top: f32, height: f32| {
            Rect::from_min_size(pos2(inner.left(), top), vec2(inner.width(), height))
        };
        let card = (heights.0 - 2.0 * GAP).max(0.0);
        let card = below(graph.bottom() + GAP, card);
        let statistics = below(graph.bottom() + heights.0, heights.1);
        Self {
            inner,
            head: inner.with_max_y(inner.top() + HEAD_HEIGHT),
            graph,
            card,
            statistics,
            lines: statistics.bottom() + GAP,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::Selection;
    use crate::hud::numbers::FRAMES;
    use crate::testing::Values;
    use egui::epaint::Mesh;
    use stats_testing::Random;

    /// Adds a frame to the frame time and two series. The values of the second one arrive some
    /// frames late.
    fn push(data: &mut Values, random: &mut Random) {
        data.times_ms.push(10.0 + random.below(100) as f64 / 10.0);
        let [(_, times), (_, early), (_, late)] = &mut data.series[..] else {
            unreachable!()
        };
        times.clone_from(&data.times_ms);
        early.push(random.below(1000) as f64);
        let end = times.len().saturating_sub(random.below(4) as usize);
        late.extend((late.len()..end).map(|frame| (frame % 7) as f64));
    }

    /// What a pass shows, apart from the values.
    #[derive(Default)]
    struct Shown {
        refresh: bool,
        slot: usize,
        frame_budget_ms: Option<f64>,
        has_statistics: bool,
        hitches: u64,
    }

    /// Draws a pass, and returns the mesh.
    fn drawn(ctx: &Context, hud: &mut Hud, data: &Values, shown: &Shown) -> Mesh {
        let mut selection = Selection::new();
        selection.set("a/count", true);
        selection.set("b/count", true);
        selection.color(&mut |path| shown.slot + usize::from(path == "a/count"));
        hud.empty = format!("hitch {}", shown.hitches);
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            HudUi {
                theme: &Theme::new(true),
                hud,
                data,
                pinned: selection.selected(),
                state: HudState {
                    frame_budget_ms: shown.frame_budget_ms,
                    has_statistics: shown.has_statistics,
                    ..HudState::default()
                },
                card: &Card::default(),
                headline: None,
                is_hitch: &|frame| shown.hitches > 0 && frame % 50 == 7,
                notice: None,
                has_card: shown.hitches > 0,
                top: &TopTimers::default(),
                slot_of: &|_| 0,
                settings: &Settings::default(),
                refresh: shown.refresh,
            }
            .hud_ui(ui.ctx());
        });
        output.textures_delta.clear();
        hud.picture.mesh.as_ref().clone()
    }

    #[test]
    fn the_graph_has_a_triangle_for_each_hitch_and_none_for_the_slowest_frame() {
        let (ctx, mut hud) = (Context::default(), Hud::default());
        let mut data = Values {
            series: vec![(0, Vec::new()); 3],
            ..Values::default()
        };
        let mut random = Random::new(24);
        // A budget that no frame exceeds adds no tick.
        for _ in 0..FRAMES {
            push(&mut data, &mut random);
        }
        let mut triangles = |hitches| {
            let shown = Shown {
                refresh: true,
                frame_budget_ms: Some(100.0),
                hitches,
                ..Shown::default()
            };
            (0..12).for_each(|_| drop(drawn(&ctx, &mut hud, &data, &shown)));
            let mesh = drawn(&ctx, &mut hud, &data, &shown);
            let alert = Theme::new(true).alert;
            let corners = mesh.vertices.iter().filter(|vertex| vertex.color == alert);
            corners.count() / 3
        };
        assert_eq!(triangles(0), 0);
        assert_eq!(triangles(1), FRAMES as usize / 50 + 1);
    }

    #[test]
    fn kept_parts_equal_redrawn_parts() {
        let (ctx, mut random) = (Context::default(), Random::new(23));
        let (mut kept, mut new) = (Hud::default(), Hud::default());
        let mut data = Values {
            series: vec![(0, Vec::new()); 3],
            ..Values::default()
        };
        let (mut shown, mut were_kept) = (Shown::default(), [0; 2]);
        for pass in 0..600 {
            (0..random.below(3)).for_each(|_| push(&mut data, &mut random));
            shown.refresh = pass % 11 == 0;
            match random.below(40) {
                0 => shown.slot = random.below(8) as usize,
                1 => shown.frame_budget_ms = [None, Some(16.0), Some(9.0)][pass % 3],
                2 => shown.has_statistics = !shown.has_statistics,
                3 => shown.hitches = random.below(3),
                _ => {}
            }
            let before = (kept.picture.sparks_of, kept.picture.times_of);
            let picture = drawn(&ctx, &mut kept, &data, &shown);
            were_kept[0] += usize::from(kept.picture.sparks_of == before.0);
            were_kept[1] += usize::from(kept.picture.times_of == before.1);
            (new.still, new.texts) = Default::default();
            assert!(picture == drawn(&ctx, &mut new, &data, &shown), "{pass}");
            assert!(picture.is_valid());
        }
        assert!(were_kept.iter().all(|&kept| kept > 100), "{were_kept:?}");
    }
}
