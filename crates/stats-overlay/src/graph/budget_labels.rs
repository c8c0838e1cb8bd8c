//! The names of budgets beside their lines.
//!
//! Budgets can be near each other, so each label is placed above its line, below it, or beside the
//! label of a neighbor. It never covers another label, and no budget line crosses it. A label
//! without a free place is left out; the color of the line still identifies the series.

use egui::{Rect, Vec2, pos2, vec2};

use super::spike_marks::SPIKE_LANE;
use super::transform::Transform;
use super::ui::GraphUi;
use super::view::Shown;
use crate::paint::canvas::Canvas;
use crate::paint::scale::Scale;
use stats_analysis::format::NumberStyle;
use stats_ui::accessibility;
use stats_ui::text::one_line;
use stats_ui::theme::small_font;

/// The distance between a label and a line, in points.
const TO_LINE: f32 = 2.0;
/// The distance between labels in a row, in points.
const BETWEEN: f32 = 6.0;
/// The maximum distance from the line of a label to a neighboring line beside which the label may
/// be placed, in points.
const REACH: f32 = 40.0;

impl GraphUi<'_> {
    /// Labels the lines of budgets. Labels avoid the rectangles in `taken`.
    pub(super) fn budget_labels_ui(
        &self,
        ui: &Canvas<'_>,
        transform: &Transform,
        shown: &[Shown],
        taken: Vec<Rect>,
    ) {
        let plot = transform.plot();
        let painter = ui.painter_in(plot);
        let lines = self.pane.selected.iter().zip(shown).enumerate();
        let labels: Vec<_> = lines
            .filter(|(_, (_, shown))| !shown.hidden && shown.budget_near)
            .filter_map(|(at, (selected, shown))| {
                let budget = selected.budget()?;
                let style = NumberStyle::new(selected.unit(), budget, budget.fract() == 0.0);
                let whole = selected.frame_name();
                let name = one_line(&whole, 40);
                let text = format!("budget {} {name}", style.text(budget));
                let color = self.pane.theme.series(selected.slot);
                let galley = painter.layout_no_wrap(text, small_font(), color);
                let scale = Scale::new(plot, (0.0, 1.0), shown.range, self.view.mapping());
                Some((at, scale.y(budget), galley, color))
            })
            .collect();
        let wanted: Vec<(f32, Vec2)> = labels
            .iter()
            .map(|(_, y, galley, _)| (*y, galley.size() + vec2(6.0, 0.0)))
            .collect();
        for (rect, (at, _, galley, color)) in places(plot, &wanted, taken).into_iter().zip(labels) {
            let Some(rect) = rect else { continue };
            painter.rect_filled(rect, 2.0, self.pane.theme.plot.gamma_multiply(0.8));
            let id = ui.make_persistent_id(("budget", at));
            accessibility::describe(ui.ctx(), id, rect, || {
                (galley.text().to_owned(), String::new())
            });
            painter.galley(pos2(rect.left() + 3.0, rect.top()), galley, color);
        }
    }
}

/// Returns the place of each label, given the height of its line and its size.
fn places(plot: Rect, labels: &[(f32, Vec2)], mut taken: Vec<Rect>) -> Vec<Option<Rect>> {
    let mut place = |&(own, size): &(f32, Vec2)| {
        let crossed = |top: f32| {
            let mut lines = labels.iter().map(|label| label.0);
            lines.any(|y| y > top - 1.0 && y < top + size.y + 1.0)
        };
        let near = labels.iter().map(|label| label.0);
        let near = near.filter(|y| (y - own).abs() <= REACH);
        let mut tops: Vec<f32> = near
            .flat_map(|y| [y - size.y - TO_LINE, y + TO_LINE])
            .filter(|top| *top >= plot.top() + SPIKE_LANE && top + size.y <= plot.bottom())
            .filter(|&top| !crossed(top))
            .collect();
        // The nearest place comes first. If two are equally near, the upper one does.
        tops.sort_by(|a, b| {
            let distance = |top: f32| (top + size.y / 2.0 - own).abs();
            distance(*a).total_cmp(&distance(*b)).then(a.total_cmp(b))
        });
        let rect = tops.into_iter().find_map(|top| {
            let mut rect = Rect::from_min_size(pos2(plot.left() + TO_LINE + 1.0, top), size);
            while let Some(other) = taken.iter().find(|other| other.intersects(rect)) {
                rect = rect.translate(vec2(other.right() + BETWEEN - rect.left(), 0.0));
            }
            (rect.right() <= plot.right()).then_some(rect)
        })?;
        taken.push(rect);
        Some(rect)
    };
    labels.iter().map(&mut place).collect()
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
    fn a_lone_label_is_above_its_line_or_below_it_at_the_upper_edge() {
        let top = |y| places(PLOT, &[(y, SIZE)], Vec::new())[0].map(|rect| rect.top());
        assert_eq!(top(200.0), Some(186.0));
        assert_eq!(top(110.0), Some(112.0));
    }

    #[test]
    fn labels_of_neighboring_lines_are_in_free_rows() {
        let lines = [270.0, 266.0, 262.0].map(|y| (y, SIZE));
        let places = places(PLOT, &lines, Vec::new());
        let tops: Vec<f32> = places.iter().flatten().map(Rect::top).collect();
        assert_eq!(tops, [248.0; 3], "all above the highest of the three lines");
    }

    #[test]
    fn no_label_covers_another_label_or_is_crossed_by_a_line() {
        let mut random = Random::new(5);
        let mut placed = 0;
        for _ in 0..4000 {
            let size = vec2(
                60.0 + random.below(900) as f32,
                10.0 + random.below(500) as f32,
            );
            let plot = Rect::from_min_size(PLOT.min, size);
            let labels: Vec<(f32, Vec2)> = (0..=random.below(9))
                .map(|_| {
                    (
                        plot.top() + random.below(size.y as u64 + 1) as f32,
                        vec2(80.0 + random.below(120) as f32, 12.0),
                    )
                })
                .collect();
            let taken = vec![Rect::from_min_size(pos2(300.0, 130.0), vec2(90.0, 16.0))];
            let places = places(plot, &labels, taken.clone());
            let placed_now: Vec<Rect> = places.into_iter().flatten().collect();
            placed += placed_now.len();
            for (at, rect) in placed_now.iter().enumerate() {
                assert!(plot.contains_rect(*rect), "{rect:?}");
                let others = placed_now[..at].iter().chain(&taken);
                assert!(!others.into_iter().any(|other| other.intersects(*rect)));
                let crossed = |&(y, _): &(f32, Vec2)| rect.y_range().contains(y);
                assert!(!labels.iter().any(crossed), "{rect:?} {labels:?}");
            }
        }
        assert!(placed > 4000 * 2, "{placed} have a place");
    }
}
