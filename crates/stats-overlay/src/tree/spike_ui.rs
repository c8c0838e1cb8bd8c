//! The columns of a series that spiked: its peak, its excess, the number of spikes, and the time
//! since the last one.

use egui::{Color32, Painter, Rect, vec2};
use stats_core::SeriesId;

use crate::search::spiking::{Spiked, Spiking};
use crate::tree::row_paint::{Name, Trace};
use crate::tree::ui::TreeUi;
use stats_analysis::format::{value_text, whole_like, whole_text};
use stats_ui::shapes;
use stats_ui::theme::{number_font, small_font};

/// A column: its heading, its width, and the minimum width of a row with it, in points.
struct Column {
    heading: &'static str,
    width: f32,
    from: f32,
}

/// From the left to the right.
const COLUMNS: [Column; 4] = [
    column("peak", 66.0, 370.0),
    column("above usual", 72.0, 0.0),
    column("spikes", 42.0, 310.0),
    column("last", 44.0, 230.0),
];

const fn column(heading: &'static str, width: f32, from: f32) -> Column {
    Column {
        heading,
        width,
        from,
    }
}

/// The distance of the last column from the right edge of a row, in points.
const MARGIN: f32 = 10.0;

impl TreeUi<'_> {
    /// Returns the trace of a series in the ranking; `None` if it is not ranked.
    pub(super) fn spiked_trace(&self, id: SeriesId) -> Option<Trace> {
        let spiking = self.panel.ranking()?;
        spiking.get(id).map(|_| Trace::Spiked(id))
    }

    /// Returns the columns of a series as a sentence.
    pub(super) fn spike_text(&self, id: SeriesId) -> String {
        let Some((spiking, spiked)) = self.spiked(id) else {
            return String::new();
        };
        let [peak, above, count, last] = texts(spiking, spiked);
        let times = if spiked.count == 1 { "once" } else { "times" };
        let often = if spiked.count == 1 {
            times.to_owned()
        } else {
            format!("{count} {times}")
        };
        let above = match spiked.times() {
            Some(_) => format!("{above} the usual value"),
            None => format!("{above} above usual"),
        };
        format!("peak {peak}, {above}, {often}, last {last} ago")
    }

    fn spiked(&self, id: SeriesId) -> Option<(&Spiking, &Spiked)> {
        let spiking = self.panel.ranking()?;
        Some((spiking, spiking.get(id)?))
    }

    pub(super) fn spike_heading_ui(&self, painter: &Painter, row: Rect) {
        let left = row.shrink2(vec2(8.0, 0.0));
        let first = self.columns_ui(
            painter,
            row,
            COLUMNS.map(|column| column.heading.to_owned()),
            true,
        );
        let name = left.with_max_x(first);
        shapes::text_in(painter, name, "Spikes", small_font(), self.theme.weak);
    }

    /// Paints the name at `left` and the columns at the right. Returns the right edge of the space
    /// before the columns.
    pub(super) fn name_and_spike(
        &self,
        painter: &Painter,
        row: Rect,
        left: f32,
        (name, color): (Name<'_>, Color32),
        (id, icons_width): (SeriesId, f32),
    ) -> f32 {
        let texts = self
            .spiked(id)
            .map_or_else(Default::default, |(spiking, spiked)| texts(spiking, spiked));
        let right = self.columns_ui(painter, row, texts, false);
        let name_rect = row.with_min_x(left).with_max_x(right - icons_width);
        if name_rect.width() >= 12.0 {
            let galley = name.laid_out(painter, color, name_rect.width());
            shapes::galley_in(painter, name_rect, galley, color);
        }
        right
    }

    /// Paints the columns for which the row is wide enough. Returns their left edge.
    fn columns_ui(
        &self,
        painter: &Painter,
        row: Rect,
        texts: [String; 4],
        is_heading: bool,
    ) -> f32 {
        let mut right = row.right() - MARGIN;
        for (column, text) in COLUMNS.iter().zip(texts).rev() {
            if row.width() < column.from {
                continue;
            }
            let font = if is_heading {
                small_font()
            } else {
                number_font()
            };
            let (weak, room) = (self.theme.weak, column.width - 6.0);
            let galley = shapes::fitted(painter, &text, font, weak, room);
            let place = row.with_min_x(right - galley.size().x);
            shapes::galley_in(painter, place, galley, weak);
            right -= column.width;
        }
        right
    }
}

/// Returns the texts of the columns.
fn texts(spiking: &Spiking, spiked: &Spiked) -> [String; 4] {
    let above = match spiked.times() {
        Some(times) if times < 100.0 => format!("{times:.1} ×"),
        Some(times) => format!("{} ×", whole_text(times)),
        None => {
            let excess = whole_like(spiked.peak, spiked.excess(), spiked.unit);
            format!("+{}", value_text(excess, spiked.unit))
        }
    };
    [
        value_text(spiked.peak, spiked.unit),
        above,
        whole_text(f64::from(spiked.count)),
        format!("{:.0} s", spiking.secs_since(spiked).floor()),
    ]
}
