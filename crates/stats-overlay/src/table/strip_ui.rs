//! The strip along the right edge of the table: all rows from top to bottom, with marks at the
//! spikes.

use egui::epaint::Mesh;
use egui::{Rect, Sense, Shape, Stroke, Ui};

use crate::table::ui::TableUi;
use stats_analysis::format::whole_text;
use stats_analysis::spike::IN_WORDS;
use stats_ui::accessibility;
use stats_ui::tooltip;

/// The height of a mark, in points.
const MARK: f32 = 2.0;
/// A click within this distance of a mark, in points, scrolls to its spike.
const REACH: f32 = 8.0;

impl TableUi<'_> {
    /// Draws the strip. A click scrolls to the nearest spike, or to the clicked place if no spike
    /// is near.
    pub(super) fn strip_ui(&mut self, ui: &Ui, strip: Rect) {
        let theme = self.pane.theme;
        if !strip.is_positive() {
            return;
        }
        let rows = self.view.rows(&self.pane.data.frames());
        ui.painter().rect_filled(strip, 0.0, theme.bar);
        ui.painter()
            .vline(strip.left(), strip.y_range(), (1.0, theme.line));
        let y_of =
            |row: u64| strip.top() + strip.height() * ((row as f32 + 0.5) / rows.max(1) as f32);
        let response = ui.interact(strip, ui.make_persistent_id("strip"), Sense::click());
        let clicked = response
            .interact_pointer_pos()
            .filter(|_| response.clicked())
            .map(|at| at.y);
        let mut nearest = (REACH, None);
        let mut mesh = Mesh::default();
        let mut painted = f32::NEG_INFINITY;
        for row in self.spike_rows() {
            let y = y_of(row);
            let distance = clicked.map_or(f32::INFINITY, |clicked| (clicked - y).abs());
            if distance < nearest.0 {
                nearest = (distance, Some(row));
            }
            // Marks that would cover the previous one are left out.
            if y - painted >= 1.0 {
                painted = y;
                let mark = Rect::from_x_y_ranges(
                    strip.left() + 2.0..=strip.right(),
                    y - MARK / 2.0..=y + MARK / 2.0,
                );
                mesh.add_colored_rect(mark, theme.alert);
            }
        }
        ui.painter()
            .with_clip_rect(strip.intersect(ui.clip_rect()))
            .add(Shape::mesh(mesh));
        self.paint_cursor(ui, strip, &y_of);
        if let Some(y) = clicked {
            let there = ((y - strip.top()) / strip.height() * rows as f32).max(0.0) as u64;
            self.view.reveal = self.view.frame_in(nearest.1.unwrap_or(there));
        }
        let count = self.view.spikes.len();
        accessibility::describe(ui.ctx(), response.id, strip, || {
            let frames = if count == 1 { "frame" } else { "frames" };
            ("Spikes".to_owned(), format!("{count} {frames} with spikes"))
        });
        tooltip::with(response, &mut |ui| {
            ui.label(format!(
                "Frames with spikes: {} of {}. Click to scroll there\n{IN_WORDS}",
                whole_text(count as f64),
                whole_text(rows as f64)
            ));
        });
    }

    /// Returns the rows of spikes from top to bottom.
    fn spike_rows(&self) -> impl Iterator<Item = u64> {
        let (sorted, end) = (self.view.sorted, self.view.end);
        let unsorted = self.view.spikes.frames().rev().filter(move |_| !sorted);
        let in_order = self.view.spike_rows.iter().filter(move |_| sorted);
        unsorted
            .map(move |frame| end.saturating_sub(frame + 1))
            .chain(in_order.map(|&row| row as u64))
    }

    /// Marks the frame under the pointer of any pane.
    fn paint_cursor(&self, ui: &Ui, strip: Rect, y_of: &dyn Fn(u64) -> f32) {
        // While the rows are sorted, its row would have to be searched for in every pass.
        let cursor = self.pane.frame_axis.cursor.filter(|_| !self.view.sorted);
        if let Some(row) =
            cursor.and_then(|frame| self.view.row_of(frame, &self.pane.data.frames()))
        {
            let line = Stroke::new(1.0, self.pane.theme.accent);
            ui.painter().hline(strip.x_range(), y_of(row), line);
        }
    }
}
