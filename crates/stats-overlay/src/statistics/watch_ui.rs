//! The statistics over the game: the groups and lines that fit, painted without a widget.

use egui::{Rect, vec2};

use crate::paint::canvas::Canvas;
use crate::statistics::ui::{Flow, GUTTER, StatisticsUi, TITLE, places};
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{small_font, text_font};

/// The minimum width of a column that shows a name and its figure on one line, in points.
const MIN_WIDTH: f32 = 180.0;

impl StatisticsUi<'_> {
    /// Paints the groups of figures that fit into `rect`, in order.
    pub(super) fn watch_ui(&mut self, canvas: &Canvas<'_>, rect: Rect) {
        let painter = canvas.painter();
        self.update(canvas.ctx());
        let (theme, inner) = (self.pane.theme, rect.shrink2(vec2(8.0, 4.0)));
        if inner.height() < TITLE {
            return;
        }
        let (head, area) = inner.split_top_bottom_at_y(inner.top() + TITLE);
        shapes::text_in(painter, head, &self.view.title, text_font(), theme.text);
        let flow = Flow::of(area.width());
        let heights = self
            .view
            .groups
            .iter()
            .map(|group| flow.height(painter, group));
        let (places, _) = places(heights, flow.columns);
        for (group, (column, top)) in self.view.groups.iter().zip(places) {
            let corner = area.min + vec2(column as f32 * (flow.width + GUTTER), top);
            let mut line = Rect::from_min_size(corner, vec2(flow.width, TITLE));
            let first = group
                .rows
                .first()
                .map_or(0.0, |row| flow.row_height(painter, row));
            if line.bottom() + first > area.bottom() {
                // A title is not painted alone.
                continue;
            }
            shapes::text_in(painter, line, group.title, text_font(), theme.text);
            for row in &group.rows {
                let size = vec2(flow.width, flow.row_height(painter, row));
                line = Rect::from_min_size(line.left_bottom(), size);
                if line.bottom() > area.bottom() {
                    break;
                }
                if flow.width >= MIN_WIDTH {
                    self.figure_ui(painter, line, row);
                } else {
                    let (upper, lower) = line.split_top_bottom_at_y(line.center().y);
                    shapes::text_in(painter, upper, &row.name, text_font(), theme.text);
                    let figure = row.figure.text();
                    shapes::text_at_end(painter, lower, &figure, small_font(), theme.text);
                }
                let id = canvas.make_persistent_id(&row.name);
                accessibility::describe(canvas.ctx(), id, line, || {
                    (row.name.clone(), row.figure.text())
                });
            }
        }
    }
}
