//! The view of a pane with its data, for the panel and for the panes over the game.

use crate::data::pane_context::PaneContext;
use crate::data::selection::SelectedSeries;
use crate::data::snapshot::Snapshot;
use crate::data::view::Data;
use crate::distribution::ui::DistributionUi;
use crate::graph::ui::GraphUi;
use crate::hitches::ui::HitchesUi;
use crate::input::mode::PaneView;
use crate::panes::pane::Pane;
use crate::panes::shared::Shared;
use crate::statistics::ui::StatisticsUi;
use crate::table::ui::TableUi;

/// The view of a pane, ready to be drawn.
pub(crate) enum ViewUi<'a> {
    Graph(GraphUi<'a>),
    Table(TableUi<'a>),
    Distribution(DistributionUi<'a>),
    Statistics(StatisticsUi<'a>),
    Hitches(HitchesUi<'a>),
}

impl Shared<'_> {
    /// Calls `draw` with the view of a pane. If `right_axis`, a graph leaves room for an axis on
    /// the right.
    pub(crate) fn draw_view<R>(
        &mut self,
        pane: &mut Pane,
        right_axis: bool,
        draw: impl FnOnce(ViewUi<'_>) -> R,
    ) -> R {
        let selected = pane.selection.selected();
        let snapshot = self.playback.snapshot();
        let data = self.playback.data(self.source, selected);
        let spike = |at: usize, frame: u64| {
            data.track(at)
                .is_some_and(|track| track.spikes.is_spike(frame))
        };
        let context = PaneContext {
            theme: self.theme,
            timeline: self.timeline,
            data: &data,
            selected,
            absent: &|selected| absent_text(selected, snapshot),
            refresh: self.refresh,
            revision: pane.selection.revision(),
        };
        draw(match pane.view {
            PaneView::Graph => ViewUi::Graph(GraphUi {
                pane: context,
                view: &mut pane.graph,
                baseline: self.baseline,
                right_axis,
            }),
            PaneView::Table => ViewUi::Table(TableUi {
                pane: context,
                view: &mut pane.table,
                spike: &spike,
            }),
            PaneView::Distribution => ViewUi::Distribution(DistributionUi {
                pane: context,
                view: &mut pane.distribution,
            }),
            PaneView::Statistics => ViewUi::Statistics(StatisticsUi {
                pane: context,
                view: &mut pane.statistics,
                settings: self.settings,
            }),
            PaneView::Hitches => ViewUi::Hitches(HitchesUi {
                pane: context,
                view: &mut pane.hitches,
                found: self.hitches,
                is_on: self.settings.hitches,
            }),
        })
    }
}

/// Explains why a series has no values to show.
fn absent_text<'a>(selected: &'a SelectedSeries, snapshot: Option<&Snapshot>) -> &'a str {
    match (selected.unavailable(), snapshot) {
        ("", _) if selected.is_missing() => "missing: no counter has this path yet",
        // The snapshot has no distribution of a histogram that was selected later, even if the
        // histogram has earlier samples.
        ("", Some(snapshot)) if !snapshot.had(&selected.path) => "selected after the pause",
        ("", Some(snapshot)) if !snapshot.holds(&selected.path) => "recorded after the pause",
        ("", _) => "nothing recorded yet",
        (why, _) => why,
    }
}
