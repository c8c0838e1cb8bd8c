//! Paints the card.

use egui::epaint::Mesh;
use egui::{Align2, FontId, Id, Painter, Rect, Shape, pos2, vec2};
use stats_analysis::axis::Mapping;
use stats_ui::accessibility;
use stats_ui::palette::preferred_slot;
use stats_ui::shapes;
use stats_ui::theme::{Theme, number_font, small_font};

use crate::card::model::{AROUND, Card, Line, PARTS};
use crate::data::selection::FRAME_TIME;
use crate::insight::findings::tail;
use crate::paint::line_mesh::push_line;
use crate::paint::scale::Scale;
use crate::paint::series_shape::LineStyle;

/// The height of the card, in points.
pub(crate) const HEIGHT: f32 = 94.0;
const PADDING: f32 = 6.0;
/// The height of the row of the excess, and the size of its text, in points.
const HEAD: f32 = 26.0;
const EXCESS_SIZE: f32 = 20.0;
/// The size of the names and of the shares, in points.
const NAME_SIZE: f32 = 12.0;
/// The height of a line with a bar, in points.
const LINE: f32 = 14.0;
const GRAPH_WIDTH: f32 = 92.0;
const BAR_WIDTH: f32 = 64.0;
const SHARE_WIDTH: f32 = 40.0;
/// The minimum width of the card for a graph, and for bars.
const WITH_GRAPH: f32 = 250.0;
const WITH_BARS: f32 = 180.0;
/// The opacity of a card that is no longer new.
const DIM: f32 = 0.6;
/// The passes that add the notes beside the excess, and the first line; the last one adds the foot.
const NOTES: u8 = 2;
const LINES_FROM: usize = 2;
/// The mean width of a character, in points.
const CHAR: f32 = 6.2;

/// Paints a card, or the text of an empty one, into `rect`.
pub(crate) fn card_ui(painter: &Painter, rect: Rect, theme: &Theme, card: &Card, empty: &str) {
    let edge = theme.line.gamma_multiply(0.7);
    let strength = if card.row().is_some() { 0.85 } else { 0.35 };
    let ground = theme.plot.gamma_multiply(strength);
    shapes::plate(painter, rect, 4.0, ground, edge);
    if card.row().is_none() {
        let inner = rect.shrink(PADDING);
        shapes::text_in(painter, inner, empty, small_font(), theme.weak);
        return;
    }
    let mut painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
    let stripe = rect.with_max_x(rect.left() + 3.0);
    let color = if card.is_dim { theme.weak } else { theme.alert };
    painter.rect_filled(stripe, 2.0, color);
    if card.is_dim {
        painter.multiply_opacity(DIM);
    }
    let inner = Rect::from_min_max(
        rect.min + vec2(PADDING + 4.0, PADDING),
        rect.max - vec2(PADDING, PADDING),
    );
    head_ui(&painter, inner.with_max_y(inner.top() + HEAD), theme, card);
    let mut line = Rect::from_min_size(
        pos2(inner.left(), inner.top() + HEAD),
        vec2(inner.width(), LINE),
    );
    let lines = usize::from(card.drawn).saturating_sub(LINES_FROM);
    for part in card.lines.iter().take(lines) {
        line_ui(&painter, line, theme, part);
        line = line.translate(vec2(0.0, LINE));
    }
    if card.drawn < PARTS {
        return;
    }
    let foot = inner.with_min_y(inner.bottom() - LINE);
    let frame = shapes::text_at_end(&painter, foot, &card.frame, small_font(), theme.weak);
    let rest = foot.with_max_x((frame.left() - 6.0).max(foot.left()));
    shapes::text_in(&painter, rest, &card.system, small_font(), theme.weak);
}

/// Describes a card to screen readers.
pub(crate) fn describe_card(painter: &Painter, id: Id, rect: Rect, card: &Card) {
    if card.row().is_some() {
        accessibility::describe(painter.ctx(), id, rect, || {
            ("Card".to_owned(), card.description())
        });
    }
}

/// Paints the excess, how often it happened, the age, and the frame times around it.
fn head_ui(painter: &Painter, rect: Rect, theme: &Theme, card: &Card) {
    let mut rest = rect;
    if rect.width() >= WITH_GRAPH && card.marked.is_some() {
        let graph = rect.with_min_x(rect.right() - GRAPH_WIDTH);
        graph_ui(painter, graph.with_max_y(graph.bottom() - 3.0), theme, card);
        rest.max.x = graph.left() - 8.0;
    }
    let excess = shapes::text_at(
        painter,
        rest.left_top() - vec2(0.0, 2.0),
        Align2::LEFT_TOP,
        &card.excess,
        FontId::proportional(EXCESS_SIZE),
        theme.alert,
    );
    if card.drawn < NOTES {
        return;
    }
    let notes = rest.with_min_x((excess.right() + 9.0).min(rest.right()));
    let (upper, lower) = notes.split_top_bottom_at_y(notes.center().y - 1.0);
    shapes::text_in(painter, upper, &card.repeat, small_font(), theme.text);
    let lower = lower.with_max_y(notes.bottom() - 2.0);
    shapes::text_in(painter, lower, &card.age, small_font(), theme.weak);
}

/// Paints the frame times around the marked frame, and the mark.
fn graph_ui(painter: &Painter, rect: Rect, theme: &Theme, card: &Card) {
    painter.rect_filled(rect, 2.0, theme.plot);
    let Some(marked) = card.marked else { return };
    let most_ms = card
        .times_ms
        .iter()
        .fold(0.0, |most: f64, ms| most.max(*ms));
    if most_ms.is_nan() || most_ms <= 0.0 {
        return;
    }
    let frames = (marked as f64 - AROUND as f64, (marked + AROUND) as f64);
    let plot = rect.shrink2(vec2(0.0, 1.0));
    let scale = Scale::new(plot, frames, (0.0, most_ms * 1.05), Mapping::Linear);
    let x = scale.x(marked as f64);
    let band = Rect::from_x_y_ranges(x - 1.5..=x + 1.5, rect.y_range());
    painter.rect_filled(band, 0.0, theme.alert.gamma_multiply(0.45));
    let mut mesh = Mesh::default();
    let style = LineStyle {
        color: theme.series(preferred_slot(FRAME_TIME)),
        width: 1.2,
        feather: 1.0 / painter.pixels_per_point(),
    };
    let first = marked.saturating_sub(AROUND);
    let points = (first..).zip(card.times_ms.iter().copied());
    let points = points.map(|(frame, ms)| (pos2(scale.x(frame as f64), scale.y(ms)), ms));
    let mut run = Vec::with_capacity(card.times_ms.len());
    for (point, ms) in points.chain([(pos2(0.0, 0.0), f64::NAN)]) {
        if !ms.is_nan() {
            run.push(point);
        } else if run.len() > 1 {
            push_line(&mut mesh, run.drain(..), style);
        } else {
            run.clear();
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Paints a part of the excess as a bar with its share and its name, or a text.
fn line_ui(painter: &Painter, line: Rect, theme: &Theme, part: &Line) {
    let mut rest = line;
    let Some((share, percent)) = &part.share else {
        shapes::text_in(painter, rest, &part.name, small_font(), theme.weak);
        return;
    };
    let color = part.slot.map_or(theme.weak, |slot| theme.series(slot));
    if line.width() >= WITH_BARS {
        let bar = line
            .with_max_x(line.left() + BAR_WIDTH)
            .shrink2(vec2(0.0, 3.0));
        painter.rect_filled(bar, 2.0, theme.grid);
        let width = bar.width() * share.clamp(0.0, 1.0) as f32;
        let part = bar.with_max_x(bar.left() + width.max(2.0));
        painter.rect_filled(part, 2.0, color);
        rest.min.x = bar.right() + 4.0;
    }
    let cell = rest.with_max_x((rest.left() + SHARE_WIDTH).min(rest.right()));
    shapes::text_at_end(painter, cell, percent, number_font(), theme.text);
    rest.min.x = (cell.right() + 7.0).min(rest.right());
    let name = tail(&part.name, (rest.width() / CHAR) as usize);
    shapes::text_in(
        painter,
        rest,
        &name,
        FontId::proportional(NAME_SIZE),
        theme.text,
    );
}
