//! What a pass hands to the strip and to every pane.

use stats_core::Source;
use stats_ui::theme::Theme;

use crate::baseline::marked::MarkedBaseline;
use crate::cost::meter::CostMeter;
use crate::data::budget_offer::Offer;
use crate::data::frame_axis::FrameAxis;
use crate::data::playback::Playback;
use crate::data::selection::{SelectedSeries, Selection};
use crate::data::shown_scopes::ShownScopes;
use crate::data::snapshot::Snapshot;
use crate::input::settings::Settings;
use crate::insight::findings::Findings;
use crate::insight::frame_limit::{FrameLimit, LimitOf};
use crate::search::query::Query;
use crate::view::{Aligned, PaneContext};

/// The state that the strip and all panes share, in the panel and over the game.
pub(crate) struct Shared<'a> {
    pub(crate) theme: &'a Theme,
    /// Whether the views are paused, and the spikes and extremes of every series.
    pub(crate) playback: &'a Playback,
    pub(crate) source: &'a dyn Source,
    /// The scopes of the frames that the views want.
    pub(crate) scopes: &'a ShownScopes,
    /// The visible frames, the cursor and the selected range.
    pub(crate) frame_axis: &'a mut FrameAxis,
    pub(crate) settings: &'a Settings,
    pub(crate) hitches: &'a Findings,
    /// What limits the frame rate.
    pub(crate) limit: &'a FrameLimit,
    /// The baseline with which graphs are compared.
    pub(crate) baseline: &'a MarkedBaseline,
    /// What the user searches for.
    pub(crate) search: &'a Query,
    /// The frame budget to offer.
    pub(crate) budget_offer: Option<Offer>,
    /// What the overlay itself takes.
    pub(crate) cost: &'a CostMeter,
    /// Whether to read numbers again in this pass.
    pub(crate) refresh: bool,
}

impl Shared<'_> {
    /// Calls `with` with the series of a pane and their values. `aligned` is what all graphs have.
    pub(crate) fn with_context<R>(
        &mut self,
        selection: &Selection,
        aligned: Aligned,
        with: impl FnOnce(PaneContext<'_>) -> R,
    ) -> R {
        let selected = selection.selected();
        let snapshot = self.playback.snapshot();
        with(PaneContext {
            theme: self.theme,
            frame_axis: self.frame_axis,
            data: &self.playback.data(self.source, selected),
            scopes: self.scopes,
            selected,
            absent: &|selected| absent_text(selected, snapshot),
            refresh: self.refresh,
            revision: selection.revision(),
            settings: self.settings,
            found: self.hitches,
            limit: LimitOf {
                limit: self.limit,
                source: self.source,
            },
            baseline: self.baseline,
            search: self.search,
            aligned,
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
