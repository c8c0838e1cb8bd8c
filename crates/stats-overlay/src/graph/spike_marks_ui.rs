//! Draws the marks of the spikes of all visible series, and finds the one at the pointer.

use egui::Pos2;

use crate::data::spike_lane::MarkedSpike;
use crate::graph::graph_ui::GraphUi;
use crate::graph::shown::Shown;
use crate::graph::spike_marks::{MarkedSeries, MarksIn, SPIKE_LANE, SpikeMarks, TO_COUNT};
use crate::graph::transform::Transform;
use crate::paint::canvas::Canvas;
use crate::paint::scale::Scale;
use stats_analysis::format::{exact_text, whole_text};
use stats_ui::accessibility;
use stats_ui::text::one_line;

impl GraphUi<'_> {
    /// Marks the spikes of all visible series.
    pub(super) fn spike_marks_ui(
        &mut self,
        canvas: &Canvas<'_>,
        transform: &Transform,
        shown: &[Shown],
        stacks: bool,
    ) {
        let (plot, frames) = (transform.plot(), transform.frames());
        if !plot.is_positive() {
            return;
        }
        let mut marks = std::mem::take(&mut self.view.spike_marks);
        let (pane, mapping) = (&self.pane, self.view.mapping());
        let series = |at: usize| {
            let shown = shown.get(at).filter(|shown| !shown.hidden)?;
            Some(MarkedSeries {
                spikes: &pane.data.track(at)?.spikes,
                scale: (!stacks).then(|| Scale::new(plot, frames, shown.range, mapping)),
                color: pane.theme.series(pane.selected[at].slot),
            })
        };
        let of = MarksIn {
            rect: plot,
            frames,
            held: pane.data.frames(),
            alert: pane.theme.alert,
            text: pane.theme.weak,
            series: &series,
            count: shown.len(),
        };
        marks.paint(&canvas.painter_in(plot), &of);
        let id = canvas.make_persistent_id("spike marks");
        let lane = plot.with_max_y(plot.top() + SPIKE_LANE);
        if marks.marks().next().is_some() {
            accessibility::describe(canvas.ctx(), id, lane, || {
                ("Marked spikes".to_owned(), self.marks_text(&marks))
            });
        }
        self.view.spike_marks = marks;
    }

    /// Returns a description of all marks for screen readers.
    fn marks_text(&self, marks: &SpikeMarks) -> String {
        let one = |mark: &MarkedSpike| {
            let selected = &self.pane.selected[mark.series];
            let others = match mark.others {
                0 => String::new(),
                others => format!(" +{}", whole_text(others as f64)),
            };
            format!(
                "frame {} {} {}{others}",
                whole_text(mark.frame as f64),
                one_line(&selected.frame_name(), 60),
                exact_text(mark.verdict.value, selected.unit())
            )
        };
        marks.marks().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Returns the frame of the mark at a place in the lane.
    pub(super) fn marked_at(&self, transform: &Transform, at: Pos2) -> Option<u64> {
        let top = transform.plot().top();
        let distance = |mark: &&MarkedSpike| (transform.x(mark.frame as f64) - at.x).abs();
        let nearest = self
            .view
            .spike_marks
            .marks()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (at.y <= top + SPIKE_LANE && distance(&nearest) <= TO_COUNT).then_some(nearest.frame)
    }
}
