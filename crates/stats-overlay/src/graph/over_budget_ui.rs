//! Draws the lane of the spans over budget of all visible series.

use std::ops::Range;

use crate::graph::graph_ui::GraphUi;
use crate::graph::over_budget::{LANE, SpansOver};
use crate::graph::shown::Shown;
use crate::graph::transform::Transform;
use crate::paint::canvas::Canvas;
use crate::paint::scale::Scale;
use stats_analysis::format::count_text;
use stats_ui::accessibility;
use stats_ui::text::one_line;

/// The maximum number of spans of a series that a description lists.
const MAX_SAID: usize = 8;

impl GraphUi<'_> {
    /// Draws the lane of the spans over budget of all visible series.
    pub(super) fn over_budget_ui(
        &mut self,
        canvas: &Canvas<'_>,
        transform: &Transform,
        shown: &[Shown],
    ) {
        let (plot, frames) = (transform.plot(), transform.frames());
        if !plot.is_positive() {
            return;
        }
        let painter = canvas.painter_in(plot);
        let visible = self.visible_frames(transform);
        let mut reused = std::mem::take(&mut self.view.over_budget);
        let all = || {
            let seen = shown.iter().enumerate().filter(|(_, shown)| !shown.hidden);
            seen.filter_map(|(at, _)| {
                let of = SpansOver {
                    spans: &self.pane.data.track(at)?.over_budget,
                    frames: visible.clone(),
                    scale: Scale::new(plot, frames, (0.0, 1.0), Default::default()),
                    color: self.pane.theme.alert,
                };
                self.pane.selected[at].budget()?;
                of.spans.within(visible.clone()).next()?;
                Some((at, of))
            })
        };
        if all().next().is_some() {
            painter.add(reused.shape(|mesh| {
                all().for_each(|(_, of)| of.push(mesh, 1.0 / painter.pixels_per_point()));
            }));
            let id = canvas.make_persistent_id("over budget");
            let lane = plot.with_max_y(plot.top() + LANE);
            accessibility::describe(canvas.ctx(), id, lane, || {
                let said: Vec<String> = all().map(|(at, of)| self.spans_text(at, &of)).collect();
                ("Over budget".to_owned(), said.join("; "))
            });
        }
        self.view.over_budget = reused;
    }

    /// Returns the spans of a series as text.
    fn spans_text(&self, at: usize, of: &SpansOver<'_>) -> String {
        let one = |span: Range<u64>| match span.end - span.start {
            1 => format!("frame {}", span.start),
            _ => format!("frames {} to {}", span.start, span.end - 1),
        };
        let spans = || of.spans.within(of.frames.clone());
        let mut said: Vec<String> = spans().take(MAX_SAID).map(one).collect();
        let more = spans().skip(MAX_SAID).count();
        if more > 0 {
            said.push(format!(
                "and {}",
                count_text(more as u64, "more span", "more spans")
            ));
        }
        let name = self.pane.selected[at].frame_name();
        format!("{} {}", one_line(&name, 60), said.join(", "))
    }
}
