//! The state of the distribution view between frames: the user's choices, and the distributions
//! until their next update.

use std::ops::Range;

use egui::{Rect, Ui};

use crate::data::selection::SelectedSeries;
use crate::distribution::choices::DistributionChoices;
use crate::distribution::row::Row;
use crate::distribution::ui::DistributionUi;
use crate::input::action::Action;
use crate::input::saved_field::Named as _;
use crate::paint::canvas::Canvas;
use crate::paint::choice_ui::{choices, toggle};
use crate::view::{Icon, PaneContext, PaneRequest, Performed, View};
use stats_analysis::distribution::ValueScale;
use stats_ui::list::List;
use stats_ui::theme::Theme;

/// The state of the distribution view between frames.
#[derive(Debug, Default)]
pub(crate) struct DistributionView {
    /// The choices of the user.
    pub(crate) choices: DistributionChoices,
    /// One row per series.
    pub(super) rows: Vec<Row>,
    /// The rows on screen.
    pub(super) list: List,
    /// The inputs of the rows; `None` before the first update.
    of: Option<RowsOf>,
    /// Changes whenever the rows must be recomputed; 0 means never computed.
    stamp: u64,
    /// Whether a series is a histogram.
    has_samples: bool,
    /// A reused buffer.
    pub(super) scratch: Vec<f64>,
}

/// The inputs of the distributions. If the view follows the newest frames, the frames are not part
/// of the inputs; they are read at each refresh.
#[derive(Clone, Debug, PartialEq)]
struct RowsOf {
    revision: u64,
    selected: Option<Range<u64>>,
    left: Option<f64>,
    span: f64,
    choices: DistributionChoices,
}

impl View for DistributionView {
    fn icon(&self) -> Icon {
        &[
            &[(0.0, 1.0), (0.0, 0.7), (0.25, 0.7), (0.25, 1.0)],
            &[(0.25, 1.0), (0.25, 0.05), (0.5, 0.05), (0.5, 1.0)],
            &[(0.5, 1.0), (0.5, 0.45), (0.75, 0.45), (0.75, 1.0)],
            &[(0.75, 1.0), (0.75, 0.8), (1.0, 0.8), (1.0, 1.0), (0.0, 1.0)],
        ]
    }

    fn draw(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        pane: PaneContext<'_>,
    ) -> Option<PaneRequest> {
        DistributionUi { pane, view: self }.distribution_ui(canvas, rect)
    }

    fn choices_ui(
        &mut self,
        ui: &mut Ui,
        theme: &Theme,
        _selected: &[SelectedSeries],
    ) -> Option<PaneRequest> {
        if self.has_samples {
            let of = [
                (
                    false,
                    "Samples",
                    "For a histogram: all samples of the current run",
                ),
                (
                    true,
                    "Per frame",
                    "For a histogram: its value in each frame on screen, the sum of the frame's samples",
                ),
            ];
            choices(ui, theme, &mut self.choices.per_frame, &of);
            ui.add_space(6.0);
        }
        let scales = [
            (
                ValueScale::Auto,
                "Auto",
                "Logarithmic if all values are above 0 and span more than two decades (L)",
            ),
            (ValueScale::Linear, "Linear", "Linear values (L)"),
            (
                ValueScale::Log,
                "Log",
                "Logarithmic values, on both sides of 0 if necessary (L)",
            ),
        ];
        choices(ui, theme, &mut self.choices.scale, &scales);
        ui.add_space(6.0);
        let log_counts = ("Log counts", "Logarithmic bar heights");
        toggle(ui, theme, log_counts, &mut self.choices.log_counts);
        None
    }

    /// Switches to the next scale: automatic, linear, logarithmic.
    fn perform(&mut self, action: Action, _pane: &PaneContext<'_>) -> Performed {
        if action != Action::ToggleLog {
            return Performed::No;
        }
        self.choices.scale = self.choices.scale.next();
        Performed::Yes
    }
}

impl DistributionView {
    /// Decides whether rows must be recomputed: at a refresh, or if series or frames changed.
    /// Returns the stamp of the rows.
    pub(super) fn begin(&mut self, pane: &PaneContext<'_>) -> u64 {
        let (count, revision) = (pane.selected.len(), pane.revision);
        let of = RowsOf {
            revision,
            selected: pane.frame_axis.selected_range.clone(),
            left: pane.frame_axis.left,
            span: pane.frame_axis.span,
            choices: self.choices.clone(),
        };
        let is_other = self.of.as_ref() != Some(&of);
        if self
            .of
            .as_ref()
            .is_none_or(|before| before.revision != revision)
        {
            self.rows.clear();
            self.rows.resize_with(count, Row::default);
            self.has_samples = false;
        }
        if is_other || pane.refresh {
            self.stamp += 1;
            self.of = Some(of);
            // A series that is a histogram stays one.
            self.has_samples =
                self.has_samples || (0..count).any(|at| pane.data.distribution(at).is_some());
        }
        self.stamp
    }
}
