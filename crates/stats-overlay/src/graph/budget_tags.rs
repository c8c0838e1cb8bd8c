//! The tags of budgets at the left edge of a graph.
//!
//! A graph of many series has many budgets, so only some have a tag: those of the series under the
//! pointer, of the series shown alone, and those that are exceeded. A tag points at the line of its
//! budget. The budget of an axis that does not reach it is at the edge, with an arrow. Tags never
//! overlap each other; the highest budgets come first.

use egui::epaint::Mesh;
use egui::{Color32, Pos2, Rect, Shape, Vec2, pos2, vec2};

use super::graph_ui::GraphUi;
use super::shown::Shown;
use super::spike_marks::SPIKE_LANE;
use super::transform::Transform;
use crate::paint::canvas::Canvas;
use crate::paint::scale::Scale;
use crate::paint::series_shape::push_polygon;
use stats_analysis::format::NumberStyle;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::small_font;

/// The space beside the text of a tag, in points.
const MARGIN: f32 = 4.0;
/// The length of the tip of a tag, in points.
const TIP: f32 = 5.0;
/// The space between two tags, in points.
const GAP: f32 = 1.0;
/// The minimum width of a graph whose tags have the names of their series, in points.
const LEAST_WITH_NAME: f32 = 320.0;
/// The distance from the line of a budget at which the pointer is on it, in points.
const TO_LINE: f32 = 6.0;

/// Where the line of a budget is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Line {
    /// At this y coordinate.
    At(f32),
    /// Above the plot.
    Above,
    /// Below the plot.
    Below,
}

impl GraphUi<'_> {
    /// Draws the tags of budgets. They avoid the rectangles in `taken`.
    pub(super) fn budget_tags_ui(
        &self,
        ui: &Canvas<'_>,
        transform: &Transform,
        shown: &[Shown],
        pointer: Option<Pos2>,
        taken: &[Rect],
    ) {
        let (plot, theme) = (transform.plot(), self.pane.theme);
        let painter = ui.painter_in(plot);
        let visible = self.visible_frames(transform);
        let mut tags = Vec::new();
        for (at, (selected, shown)) in self.pane.selected.iter().zip(shown).enumerate() {
            let Some(budget) = selected.budget().filter(|_| !shown.hidden) else {
                continue;
            };
            let line = line_of(plot, budget, shown, |value| {
                Scale::new(plot, (0.0, 1.0), shown.range, self.view.mapping()).y(value)
            });
            let is_exceeded = || {
                let track = self.pane.data.track(at);
                track.is_some_and(|of| of.over_budget.within(visible.clone()).next().is_some())
            };
            let is_pointed_at = || match (pointer, line) {
                (Some(pointer), Line::At(y)) => (pointer.y - y).abs() <= TO_LINE,
                _ => self.view.pointed == Some(at),
            };
            let is_alone = || self.view.choices.solo.as_deref() == Some(&selected.path);
            if is_pointed_at() || self.view.pointed == Some(at) || is_alone() || is_exceeded() {
                let style = NumberStyle::new(selected.unit(), budget, budget.fract() == 0.0);
                let whole = selected.frame_name();
                let value = style.text(budget);
                let said = format!("budget {value} {}", one_line(&whole, 40));
                // The color says whose budget it is, too.
                let has_name = plot.width() >= LEAST_WITH_NAME;
                let text = if has_name { &said } else { &value };
                let color = theme.series(selected.slot);
                let room = plot.width() - 2.0 * MARGIN - TIP;
                let galley =
                    shapes::fitted(&painter, text, small_font(), theme.plot, room.max(0.0));
                tags.push((at, line, galley, color, said));
            }
        }
        let wanted: Vec<(Line, Vec2)> = tags
            .iter()
            .map(|(_, line, galley, ..)| (*line, galley.size() + vec2(2.0 * MARGIN + TIP, 0.0)))
            .collect();
        for (rect, (at, line, galley, color, said)) in
            places(plot, &wanted, taken).into_iter().zip(tags)
        {
            let Some(rect) = rect else { continue };
            let mut mesh = Mesh::default();
            push_tag(&mut mesh, rect, line, color);
            painter.add(Shape::mesh(mesh));
            let id = ui.make_persistent_id(("budget", at));
            accessibility::describe(ui.ctx(), id, rect, || (said, String::new()));
            painter.galley(pos2(rect.left() + MARGIN, rect.top()), galley, theme.plot);
        }
    }
}

/// Returns where the line of a budget is.
fn line_of(plot: Rect, budget: f64, shown: &Shown, y: impl Fn(f64) -> f32) -> Line {
    match budget {
        _ if budget > shown.range.1 => Line::Above,
        _ if budget < shown.range.0 => Line::Below,
        _ => Line::At(y(budget).clamp(plot.top(), plot.bottom())),
    }
}

/// Adds a tag: a plate with a tip at its right that points at the line, or up or down.
fn push_tag(mesh: &mut Mesh, rect: Rect, line: Line, color: Color32) {
    let plate = rect.with_max_x(rect.right() - TIP);
    mesh.add_colored_rect(plate, color);
    let (right, half) = (plate.right(), rect.height() / 2.0);
    let middle = match line {
        Line::At(y) => y.clamp(rect.top(), rect.bottom()),
        Line::Above => rect.top(),
        Line::Below => rect.bottom(),
    };
    let corners = [
        pos2(right, (middle - half).max(rect.top())),
        pos2(rect.right(), middle),
        pos2(right, (middle + half).min(rect.bottom())),
    ];
    push_polygon(mesh, corners, color);
}

/// Returns the place of each tag, given its line and its size: centered on its line, or as near to
/// it as the tags above and below it allow.
fn places(plot: Rect, tags: &[(Line, Vec2)], taken: &[Rect]) -> Vec<Option<Rect>> {
    let (first, last) = (plot.top() + SPIKE_LANE, plot.bottom());
    let middle = |line: Line| match line {
        Line::At(y) => y,
        Line::Above => first,
        Line::Below => last,
    };
    let mut order: Vec<usize> = (0..tags.len()).collect();
    order.sort_by(|&a, &b| middle(tags[a].0).total_cmp(&middle(tags[b].0)));
    let mut placed: Vec<Option<Rect>> = vec![None; tags.len()];
    for at in order {
        let (line, size) = tags[at];
        let wanted = (middle(line) - size.y / 2.0).clamp(first, (last - size.y).max(first));
        let is_free = |top: f32| {
            let rect = Rect::from_min_size(pos2(plot.left(), top), size);
            let mut others = placed.iter().flatten().chain(taken);
            let is_inside = rect.top() >= first && rect.bottom() <= last + 0.01;
            let is_free = is_inside
                && rect.right() <= plot.right()
                && !others.any(|of| of.expand2(vec2(0.0, GAP * 0.99)).intersects(rect));
            is_free.then_some(rect)
        };
        // At the line, or directly beside the tags and texts that are there already.
        let beside = placed
            .iter()
            .flatten()
            .chain(taken)
            .flat_map(|of| [of.bottom() + GAP, of.top() - GAP - size.y]);
        let mut tops: Vec<f32> = std::iter::once(wanted).chain(beside).collect();
        tops.sort_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs()));
        placed[at] = tops.into_iter().find_map(is_free);
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    const PLOT: Rect = Rect {
        min: pos2(60.0, 100.0),
        max: pos2(860.0, 280.0),
    };
    const SIZE: Vec2 = vec2(150.0, 12.0);

    #[test]
    fn a_lone_tag_is_on_its_line_or_at_the_edge_of_an_axis_that_does_not_reach_it() {
        let top = |line| places(PLOT, &[(line, SIZE)], &[])[0].map(|rect| rect.top());
        assert_eq!(top(Line::At(200.0)), Some(194.0));
        assert_eq!(top(Line::At(100.0)), Some(112.0));
        assert_eq!(top(Line::Above), Some(112.0));
        assert_eq!(top(Line::Below), Some(268.0));
    }

    #[test]
    fn a_budget_beyond_the_axis_is_at_its_edge() {
        let shown = crate::graph::state::tests::up_to(10.0);
        let line = |budget| line_of(PLOT, budget, &shown, |_| 150.0);
        assert_eq!(line(10.1), Line::Above);
        assert_eq!(line(-0.1), Line::Below);
        assert_eq!(line(10.0), Line::At(150.0));
    }

    #[test]
    fn no_tag_covers_another_tag_or_text() {
        let mut random = Random::new(5);
        let mut placed = 0;
        for _ in 0..4000 {
            let size = vec2(
                60.0 + random.below(900) as f32,
                30.0 + random.below(500) as f32,
            );
            let plot = Rect::from_min_size(PLOT.min, size);
            let tags: Vec<(Line, Vec2)> = (0..=random.below(9))
                .map(|_| {
                    let y = plot.top() + random.below(size.y as u64 + 1) as f32;
                    let line = match random.below(8) {
                        0 => Line::Above,
                        1 => Line::Below,
                        _ => Line::At(y),
                    };
                    (line, vec2(80.0 + random.below(120) as f32, 12.0))
                })
                .collect();
            let taken = [Rect::from_min_size(pos2(70.0, 130.0), vec2(90.0, 16.0))];
            let places = places(plot, &tags, &taken);
            let placed_now: Vec<Rect> = places.into_iter().flatten().collect();
            placed += placed_now.len();
            for (at, rect) in placed_now.iter().enumerate() {
                assert!(plot.expand(0.1).contains_rect(*rect), "{rect:?}");
                let others = placed_now[..at].iter().chain(&taken);
                assert!(!others.into_iter().any(|other| other.intersects(*rect)));
            }
        }
        assert!(placed > 4000 * 3, "{placed} have a place");
    }
}
