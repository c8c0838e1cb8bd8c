//! The tags of budgets at the left edge of a graph.
//!
//! A graph of many series may have many budgets. A budget has a tag if its series is under the pointer
//! or shown alone, or if it is exceeded. Of the other budgets in view, the first ones have a tag, until
//! the graph has four tags. Series with one budget on one line share a tag. A tag takes at most a tenth of
//! the width, so that it covers little of the data; if something points at the budget, it may be wider.
//! What does not fit is left out: first the name of the series and the number of others, then the word for
//! a budget. A tag points at the line of its budget, and the data shines through it. The
//! budget of an axis that does not reach it is at the edge, with an arrow that leads there. Tags never
//! overlap each other, and they are in the order of their lines. If there is no room for all of them,
//! budgets that are met are left out first, and then the lowest ones.

use egui::epaint::Mesh;
use egui::{Color32, Painter, Pos2, Rect, Vec2, pos2, vec2};
use stats_analysis::sort::sort_by;

use super::budget_texts::{BudgetTexts, Room};
use super::graph_ui::GraphUi;
use super::shown::Shown;
use super::spike_marks::SPIKE_LANE;
use super::transform::Transform;
use crate::paint::canvas::Canvas;
use crate::paint::scale::Scale;
use crate::paint::series_shape::push_polygon;
use stats_core::Unit;
use stats_ui::accessibility;

/// The space beside the text of a tag, in points.
const MARGIN: f32 = 4.0;
/// The length of the tip of a tag, in points.
const TIP: f32 = 5.0;
/// The space between two tags, in points.
const GAP: f32 = 1.0;
/// The width of the stripe in the color of the series, that of a connection to a line, and how far that
/// leads along the line, in points.
const STRIPE: f32 = 2.0;
const LINK: f32 = 1.5;
const FOOT: f32 = 6.0;
/// The opacity of a tag.
const OPACITY: f32 = 0.72;
/// Lines nearer than this are one line, in points.
const SAME: f32 = 0.5;
/// The width of an arrow before the text of a tag, in points.
const ARROW: f32 = 9.0;
/// The maximum width of a tag with the name of its series, or with the word for a budget, as a share of
/// the width of the graph: if something points at the budget, and otherwise.
const MOST_POINTED_AT: f32 = 0.6;
const MOST: f32 = 0.1;
/// Budgets that nothing points at and that are met have tags up to this number of tags.
const FEW: usize = 4;
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
        &mut self,
        ui: &Canvas<'_>,
        transform: &Transform,
        shown: &[Shown],
        pointer: Option<Pos2>,
        taken: &[Rect],
    ) {
        let (plot, theme) = (transform.plot(), self.pane.theme);
        let painter = ui.painter_in(plot);
        let mut kept = std::mem::take(&mut self.view.budget_tags);
        kept.texts.resize_with(shown.len(), || None);
        let tags = self.budget_tags(&painter, transform, shown, pointer, &mut kept.texts);
        if !tags.is_empty() {
            let wanted: Vec<Wanted> = tags.iter().map(|tag| tag.wanted).collect();
            let places = places(plot, &wanted, taken);
            let placed = || {
                let placed = places.iter().zip(&tags);
                placed.filter_map(|(rect, tag)| Some(((*rect)?, tag)))
            };
            painter.add(kept.mesh.shape(|mesh| {
                placed().for_each(|(rect, tag)| {
                    push_tag(
                        mesh,
                        rect,
                        tag.wanted.line,
                        tag.color,
                        theme.plot.gamma_multiply(OPACITY),
                    );
                });
            }));
            for (rect, tag) in placed() {
                let Some(texts) = &kept.texts[tag.at] else {
                    continue;
                };
                let line = tag.wanted.line;
                let id = ui.make_persistent_id(("budget", tag.at));
                let said = || (texts.said.clone(), line.text().to_owned());
                accessibility::describe(ui.ctx(), id, rect, said);
                let left = rect.left() + MARGIN + line.arrow();
                let galley = texts.galley.clone();
                painter.galley(pos2(left, rect.top()), galley, theme.text);
            }
        }
        self.view.budget_tags = kept;
    }

    /// Returns the tags of the budgets that have one, if there is room.
    fn budget_tags(
        &self,
        painter: &Painter,
        transform: &Transform,
        shown: &[Shown],
        pointer: Option<Pos2>,
        texts: &mut [Option<BudgetTexts>],
    ) -> Vec<Tag> {
        let visible = self.visible_frames(transform);
        let mut of_tags: Vec<Budget> = Vec::new();
        let mut others: Vec<Budget> = Vec::new();
        for (at, (selected, shown)) in self.pane.selected.iter().zip(shown).enumerate() {
            let Some(budget) = selected.budget().filter(|_| !shown.hidden) else {
                continue;
            };
            let scale = Scale::new(
                transform.plot(),
                (0.0, 1.0),
                shown.range,
                self.view.mapping(),
            );
            let line = line_of(transform.plot(), budget, shown, |value| scale.y(value));
            let is_exceeded = || {
                let track = self.pane.data.track(at);
                track.is_some_and(|of| of.over_budget.within(visible.clone()).next().is_some())
            };
            let is_on_line = || match (pointer, line) {
                (Some(pointer), Line::At(y)) => (pointer.y - y).abs() <= TO_LINE,
                _ => false,
            };
            let is_alone = || self.view.choices.solo.as_deref() == Some(&selected.path);
            let interest = if self.view.pointed == Some(at) || is_alone() {
                Interest::PointedAt
            } else if is_on_line() {
                Interest::OnLine
            } else if is_exceeded() {
                Interest::Exceeded
            } else {
                Interest::Met
            };
            // Beyond the axis, too, the highest budget is the first one.
            let of = Budget {
                at,
                budget,
                unit: selected.unit(),
                line,
                y: scale.y(budget),
                interest,
                more: 0,
            };
            if interest > Interest::Met {
                push_budget(&mut of_tags, of);
            } else if matches!(line, Line::At(_)) && shown.budget_near {
                others.push(of);
            }
        }
        for other in others {
            if of_tags.len() < FEW || of_tags.iter().any(|known| known.is_same(&other)) {
                push_budget(&mut of_tags, other);
            }
        }
        let tag = |of: &Budget| self.tag(painter, transform, of, &mut texts[of.at]);
        of_tags.iter().map(tag).collect()
    }

    /// Returns the tag of a budget.
    fn tag(
        &self,
        painter: &Painter,
        transform: &Transform,
        of: &Budget,
        texts: &mut Option<BudgetTexts>,
    ) -> Tag {
        let (selected, theme) = (&self.pane.selected[of.at], self.pane.theme);
        let beside = 2.0 * MARGIN + TIP + of.line.arrow();
        let width = transform.plot().width();
        let is_named = of.interest >= Interest::OnLine;
        let most = if is_named { MOST_POINTED_AT } else { MOST };
        let room = Room {
            with_words: width * most - beside,
            bare: width - beside,
        };
        let texts = BudgetTexts::of(texts, painter, selected, (of.budget, of.more), room);
        let size = texts.galley.size() + vec2(beside, 0.0);
        Tag {
            at: of.at,
            wanted: Wanted {
                line: of.line,
                y: of.y,
                size,
                is_met: of.interest == Interest::Met,
            },
            color: theme.series(selected.slot),
        }
    }
}

/// Why a budget has a tag, the strongest reason last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Interest {
    /// There is room.
    Met,
    Exceeded,
    /// The pointer is on its line.
    OnLine,
    /// The pointer is on its series, or that is shown alone.
    PointedAt,
}

/// The budget of a series, or of several on one line.
#[derive(Clone, Copy, Debug)]
struct Budget {
    /// The index of the series that the tag names: the first one of the strongest interest.
    at: usize,
    budget: f64,
    unit: Unit,
    line: Line,
    /// The y coordinate of the budget on an endless axis.
    y: f32,
    interest: Interest,
    /// The number of further series.
    more: usize,
}

impl Budget {
    fn is_same(&self, other: &Self) -> bool {
        let is_equal = self.budget == other.budget && self.unit == other.unit;
        is_equal && (self.y - other.y).abs() < SAME
    }
}

/// Adds a budget, to the tag of the same one if there is one.
fn push_budget(all: &mut Vec<Budget>, new: Budget) {
    match all.iter_mut().find(|known| known.is_same(&new)) {
        Some(known) => {
            known.more += 1;
            if new.interest > known.interest {
                (known.at, known.interest) = (new.at, new.interest);
            }
        }
        None => all.push(new),
    }
}

/// A tag, without its place.
struct Tag {
    /// The index of the series.
    at: usize,
    wanted: Wanted,
    color: Color32,
}

/// What the place of a tag depends on.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    line: Line,
    /// The y coordinate of the budget on an endless axis.
    y: f32,
    size: Vec2,
    /// Whether nothing points at the budget and it is met.
    is_met: bool,
}

impl Line {
    /// Returns the room for an arrow, in points.
    fn arrow(self) -> f32 {
        match self {
            Self::At(_) => 0.0,
            Self::Above | Self::Below => ARROW,
        }
    }

    /// Returns the words for a screen reader.
    fn text(self) -> &'static str {
        match self {
            Self::At(_) => "",
            Self::Above => "above the axis",
            Self::Below => "below the axis",
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

/// Adds a tag: a plate with a tip at its right that points at the line of the budget. If the line is
/// not beside the plate, a connection leads to it. If it is beyond the axis, an arrow points up or down.
fn push_tag(mesh: &mut Mesh, rect: Rect, line: Line, color: Color32, ground: Color32) {
    let plate = rect.with_max_x(rect.right() - TIP);
    mesh.add_colored_rect(plate, ground);
    mesh.add_colored_rect(plate.with_max_x(plate.left() + STRIPE), color);
    let (right, half) = (plate.right(), rect.height() / 2.0);
    let Line::At(y) = line else {
        let (middle, reach) = (rect.center().y, half - 3.0);
        let to = if line == Line::Above { -reach } else { reach };
        let x = rect.left() + MARGIN;
        let arrow = [
            pos2(x, middle - to),
            pos2(x + 2.0 * reach, middle - to),
            pos2(x + reach, middle + to),
        ];
        push_polygon(mesh, arrow, color);
        return;
    };
    let middle = y.clamp(rect.top(), rect.bottom());
    let corners = [
        pos2(right, (middle - half).max(rect.top())),
        pos2(rect.right(), middle),
        pos2(right, (middle + half).min(rect.bottom())),
    ];
    push_polygon(mesh, corners, color);
    if y != middle {
        let link = Rect::from_two_pos(pos2(rect.right() - LINK, middle), pos2(rect.right(), y));
        let foot = pos2(rect.right() - LINK, y - LINK / 2.0);
        mesh.add_colored_rect(link, color);
        mesh.add_colored_rect(Rect::from_min_size(foot, vec2(FOOT, LINK)), color);
    }
}

/// Returns the place of each tag: centered on its line, or as near to it as the tags above and below it
/// and the rectangles in `taken` allow. Keeps the order of the lines.
fn places(plot: Rect, tags: &[Wanted], taken: &[Rect]) -> Vec<Option<Rect>> {
    let mut order: Vec<usize> = (0..tags.len()).collect();
    order.retain(|&at| tags[at].size.x <= plot.width());
    sort_by(&mut order, |&a, &b| tags[a].y.total_cmp(&tags[b].y));
    let mut placed = vec![None; tags.len()];
    // Without room for all, budgets that are met are left out first, and then the lowest ones.
    while !order.is_empty() {
        if let Some(tops) = tops(plot, &order, tags, taken) {
            for (&at, top) in order.iter().zip(tops) {
                placed[at] = Some(Rect::from_min_size(pos2(plot.left(), top), tags[at].size));
            }
            break;
        }
        let other = order.iter().rposition(|&at| tags[at].is_met);
        order.remove(other.unwrap_or(order.len() - 1));
    }
    placed
}

/// Returns the upper edges of tags from the highest to the lowest line; `None` without room for all.
fn tops(plot: Rect, order: &[usize], tags: &[Wanted], taken: &[Rect]) -> Option<Vec<f32>> {
    let (first, last) = (plot.top() + SPIKE_LANE, plot.bottom());
    let at = |top: f32, size: Vec2| Rect::from_min_size(pos2(plot.left(), top), size);
    // Returns the text that is in the way of a tag.
    let hit = |top, size| {
        let wide = at(top, size).expand2(vec2(0.0, GAP * 0.99));
        taken.iter().find(|of| of.intersects(wide))
    };
    // Each tag gives way downward to what is above it.
    let mut tops = Vec::with_capacity(order.len());
    let mut free = first;
    for &tag in order {
        let Wanted { line, size, .. } = tags[tag];
        let middle = match line {
            Line::At(y) => y,
            Line::Above => first,
            Line::Below => last,
        };
        let wanted = (middle - size.y / 2.0).min(last - size.y);
        let mut top = wanted.max(free);
        while let Some(text) = hit(top, size) {
            top = text.bottom() + GAP;
        }
        tops.push(top);
        free = top + size.y + GAP;
    }
    // Then upward to what is below it, from the lower edge on.
    let mut free = last;
    for (top, &tag) in tops.iter_mut().zip(order).rev() {
        let size = tags[tag].size;
        if *top + size.y > free {
            *top = free - size.y;
            while let Some(text) = hit(*top, size) {
                *top = text.top() - GAP - size.y;
            }
        }
        if *top < first {
            return None;
        }
        free = *top - GAP;
    }
    Some(tops)
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

    /// Returns a tag of this size. A budget beyond the axis is 50 points away from it.
    fn wanted(line: Line, size: Vec2) -> Wanted {
        let y = match line {
            Line::At(y) => y,
            Line::Above => PLOT.top() - 50.0,
            Line::Below => PLOT.bottom() + 50.0,
        };
        Wanted {
            line,
            y,
            size,
            is_met: false,
        }
    }

    #[test]
    fn equal_budgets_on_one_line_share_a_tag() {
        let budget = |at, budget, unit, y| Budget {
            at,
            budget,
            unit,
            line: Line::At(y),
            y,
            interest: Interest::Met,
            more: 0,
        };
        let (ms, count) = (Unit::Milliseconds, Unit::Count);
        let mut all = Vec::new();
        for of in [
            budget(0, 4.0, ms, 200.0),
            budget(1, 4.0, ms, 200.2),
            budget(2, 4.0, count, 200.0),
            budget(3, 4.0, ms, 120.0),
            budget(4, 4.01, ms, 200.0),
        ] {
            push_budget(&mut all, of);
        }
        let tags: Vec<_> = all.iter().map(|of| (of.at, of.more)).collect();
        assert_eq!(tags, [(0, 1), (2, 0), (3, 0), (4, 0)]);
        // It names the one that something points at.
        for (at, interest) in [
            (5, Interest::Exceeded),
            (6, Interest::PointedAt),
            (7, Interest::OnLine),
        ] {
            let of = budget(at, 4.0, ms, 200.0);
            push_budget(&mut all, Budget { interest, ..of });
        }
        assert_eq!((all[0].at, all[0].more), (6, 4));
    }

    #[test]
    fn a_lone_tag_is_on_its_line_or_at_the_edge_of_an_axis_that_does_not_reach_it() {
        let top = |line| places(PLOT, &[wanted(line, SIZE)], &[])[0].map(|rect| rect.top());
        assert_eq!(top(Line::At(200.0)), Some(194.0));
        assert_eq!(top(Line::At(100.0)), Some(112.0));
        assert_eq!(top(Line::Above), Some(112.0));
        assert_eq!(top(Line::Below), Some(268.0));
    }

    #[test]
    fn tags_of_two_near_lines_keep_their_order() {
        let of = |ys: [f32; 2]| {
            let tags = ys.map(|y| wanted(Line::At(y), SIZE));
            let places = places(PLOT, &tags, &[]);
            [places[0], places[1]].map(|place| place.unwrap().top())
        };
        assert_eq!(of([200.0, 204.0]), [194.0, 207.0]);
        assert_eq!(of([204.0, 200.0]), [207.0, 194.0]);
        // At the lower edge, the upper one gives way.
        assert_eq!(of([270.0, 274.0]), [255.0, 268.0]);
    }

    #[test]
    fn a_budget_that_is_met_gives_way_to_those_that_are_exceeded() {
        let exceeded = [130.0, 140.0, 250.0].map(|y| wanted(Line::At(y), SIZE));
        let met = Wanted {
            is_met: true,
            ..wanted(Line::At(120.0), SIZE)
        };
        let plot = PLOT.with_max_y(PLOT.top() + SPIKE_LANE + 4.0 * (SIZE.y + GAP));
        let tags = [met, exceeded[0], exceeded[1], exceeded[2]];
        assert!(places(plot, &tags, &[]).iter().all(Option::is_some));
        let plot = plot.with_max_y(plot.bottom() - 4.0);
        let placed: Vec<bool> = places(plot, &tags, &[])
            .iter()
            .map(Option::is_some)
            .collect();
        assert_eq!(placed, [false, true, true, true]);
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
            let tags: Vec<Wanted> = (0..=random.below(9))
                .map(|_| {
                    let y = plot.top() + random.below(size.y as u64 + 1) as f32;
                    let line = match random.below(8) {
                        0 => Line::Above,
                        1 => Line::Below,
                        _ => Line::At(y),
                    };
                    wanted(line, vec2(80.0 + random.below(120) as f32, 12.0))
                })
                .collect();
            let taken = [Rect::from_min_size(pos2(70.0, 130.0), vec2(90.0, 16.0))];
            let places = places(plot, &tags, &taken);
            for (a, above) in tags.iter().zip(&places) {
                for (b, below) in tags.iter().zip(&places).filter(|(b, _)| a.y < b.y) {
                    let Some(below) = below else { continue };
                    let above = above.filter(|above| above.bottom() <= below.top());
                    let fits = a.size.x <= plot.width();
                    assert!(!fits || above.is_some(), "{a:?} {b:?}");
                }
            }
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
