//! Standing still: asked for, or by itself when the chosen series has a spike.

use stats_core::Source;

use crate::app::views::Views;
use crate::data::selection::{FRAME_TIME, SelectedSeries, Selection};
use crate::data::view::Snapshot;
use stats_analysis::format::whole_text;
use stats_analysis::pace::SLACK;
use stats_ui::text::one_line;

impl Views {
    /// Whether the views stand still, or will with the next pass.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused.is_some() || self.pause_pending
    }

    /// Makes them stand still or live again. Without a source the values are copied with the next
    /// pass that has one.
    pub(crate) fn set_paused(&mut self, paused: bool, source: Option<&dyn Source>) {
        if paused == self.is_paused() {
            return;
        }
        self.pause_pending = paused && source.is_none();
        let shown = self.panes.selections().flat_map(Selection::selected);
        self.paused = source
            .filter(|_| paused)
            .map(|source| Snapshot::take(source, &self.tracks, shown));
        self.refresh.at_once();
    }

    /// Pauses where the series that the settings name has a spike, and shows that.
    pub(crate) fn pause_on_spike(&mut self, source: &mut dyn Source, now_secs: f64) {
        let paused = self.is_paused();
        let limit = match self.settings.pause_on_spike.as_deref() {
            Some(FRAME_TIME) => self
                .settings
                .frame_budget_ms
                .map(|budget_ms| budget_ms * SLACK),
            Some(path) => self
                .panes
                .selections()
                .flat_map(Selection::selected)
                .find(|selected| selected.path == path)
                .and_then(SelectedSeries::limit),
            None => None,
        };
        if let Some(frame) = self
            .spike_pause
            .look(source, &self.settings, limit, paused, now_secs)
        {
            self.set_paused(true, Some(source));
            self.look_at(frame, source);
            let path = self.settings.pause_on_spike.as_deref().unwrap_or_default();
            self.notice.say(format!(
                "Paused by a spike of {} in frame {}",
                one_line(path, 60),
                whole_text(frame as f64)
            ));
        }
    }
}
