//! What a pass hands to the strip and to every pane.

use stats_core::Source;
use stats_ui::theme::Theme;

use crate::baseline::marked::MarkedBaseline;
use crate::data::budget_offer::Offer;
use crate::data::playback::Playback;
use crate::data::timeline::Timeline;
use crate::hitches::findings::Findings;
use crate::input::settings::Settings;

/// The state that the strip and all panes share, in the panel and over the game.
pub(crate) struct Shared<'a> {
    pub(crate) theme: &'a Theme,
    /// Whether the views are paused, and the spikes and extremes of every series.
    pub(crate) playback: &'a Playback,
    pub(crate) source: &'a dyn Source,
    /// The visible frames, the cursor and the selected range.
    pub(crate) timeline: &'a mut Timeline,
    pub(crate) settings: &'a mut Settings,
    pub(crate) hitches: &'a Findings,
    /// The baseline with which graphs are compared.
    pub(crate) baseline: &'a MarkedBaseline,
    /// The frame budget to offer.
    pub(crate) budget_offer: Option<Offer>,
    /// Whether to read numbers again in this pass.
    pub(crate) refresh: bool,
}
