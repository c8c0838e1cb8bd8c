//! The graph as a view of a pane: its choices in the menu, and its actions.

use egui::{Rect, Ui, Vec2};

use crate::data::selection::SelectedSeries;
use crate::graph::choices::ValueRange;
use crate::graph::graph_ui::GraphUi;
use crate::graph::legend_ui::LegendUi;
pub(crate) use crate::graph::state::GraphView;
use crate::input::action::Action;
use crate::input::saved_field::Named as _;
use crate::paint::canvas::Canvas;
use crate::paint::choice_ui::{choice, choices};
use crate::view::{Aligned, Icon, PaneContext, PaneRequest, Performed, View};
use stats_ui::theme::Theme;
use stats_ui::tooltip;

impl View for GraphView {
    fn icon(&self) -> Icon {
        &[&[(0.0, 0.8), (0.3, 0.35), (0.55, 0.65), (1.0, 0.1)]]
    }

    fn draw(
        &mut self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        pane: PaneContext<'_>,
    ) -> Option<PaneRequest> {
        GraphUi { pane, view: self }.graph_ui(canvas, rect)
    }

    fn choices_ui(
        &mut self,
        ui: &mut Ui,
        theme: &Theme,
        _selected: &[SelectedSeries],
    ) -> Option<PaneRequest> {
        let ranges = [
            (
                ValueRange::Auto,
                "Auto",
                "One range for each unit: the first unit has the left axis, the second the right \
                 one (Y). A small series beside a large one is visible with Log or Own ranges.",
            ),
            (
                ValueRange::Shared,
                "Shared range",
                "All series on one axis, whatever their units (Y)",
            ),
            (
                ValueRange::Own,
                "Own ranges",
                "Each series over the whole height, with its own range in the legend (Y). Heights \
                 of different series cannot be compared.",
            ),
        ];
        choices(ui, theme, &mut self.choices.range, &ranges);
        ui.add_space(6.0);
        let log = (
            "Log",
            "Logarithmic values: small ones are visible beside large ones (L)",
        );
        if choice(ui, theme, log, self.choices.log).clicked() {
            self.toggle_log();
        }
        let stacked = ("Stacked", "Stacked areas, for series of one unit (S)");
        if choice(ui, theme, stacked, self.is_stacked()).clicked() {
            self.toggle_stacked();
        }
        let help = "Fit the ranges of values to the data again";
        if self.is_zoomed() && tooltip::with_text(ui.button("Unzoom"), help).clicked() {
            self.unzoom();
        }
        None
    }

    fn perform(&mut self, action: Action, _pane: &PaneContext<'_>) -> Performed {
        match action {
            Action::NextRange => self.choices.range = self.choices.range.next(),
            Action::ToggleLog => self.toggle_log(),
            Action::ToggleStacked => self.toggle_stacked(),
            _ => return Performed::No,
        }
        Performed::Yes
    }

    fn unzoom(&mut self) {
        self.end_zoom();
    }

    fn free_pictures(&mut self) {
        self.free_kept();
    }

    fn needs(&self, selected: &[SelectedSeries], size: Vec2) -> Aligned {
        Aligned {
            right_axis: self.has_right_axis(selected),
            legend_beside: !selected.is_empty() && LegendUi::is_beside(size),
        }
    }
}
