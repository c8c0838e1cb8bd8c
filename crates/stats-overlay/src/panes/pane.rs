//! One pane: its series, and the state of its views.

use egui::Vec2;

use crate::data::selection::{SelectedSeries, Selection};
use crate::input::action::Action;
use crate::input::pane_view::PaneView;
use crate::panes::shared::Shared;
use crate::panes::views::Views;
use crate::persist::saved::SavedPane;
use crate::view::{Aligned, Performed, View};

/// The maximum number of series that a title names.
const MAX_NAMED: usize = 8;

/// A set of series, and the state of each view of them.
pub(crate) struct Pane {
    /// Identifies the pane for the lifetime of the overlay, even after a move.
    pub(crate) id: u64,
    pub(crate) selection: Selection,
    /// The name that a preset gave it; empty if it has none.
    pub(crate) name: String,
    /// The view that is shown.
    pub(crate) view: PaneView,
    pub(crate) views: Views,
    /// Its share of the height, relative to the other panes.
    pub(super) weight: f32,
}

impl Pane {
    /// Creates a pane that shows a graph of these series.
    pub(super) fn new(id: u64, selection: Selection) -> Self {
        Self {
            id,
            selection,
            name: String::new(),
            view: PaneView::default(),
            views: Views::default(),
            weight: 1.0,
        }
    }

    /// Returns the name of the pane, and the names of its series without it. A pane without a name is
    /// named after the path that its series share. If they share none, the name is empty.
    pub(super) fn title(&self) -> (String, String) {
        let selected = || self.selection.selected().iter();
        let paths = selected().filter(|selected| !selected.is_clock());
        let common = common_path(paths.map(|selected| selected.path.as_str()));
        let common = common.filter(|_| self.name.is_empty());
        let within = |selected: &SelectedSeries| {
            let rest = common.and_then(|common| selected.path.strip_prefix(common));
            rest.map_or(selected.name.as_str(), |rest| rest.trim_start_matches('/'))
                .to_owned()
        };
        let series: Vec<String> = selected().take(MAX_NAMED).map(within).collect();
        let series = match series.is_empty() {
            true => "empty".to_owned(),
            false => series.join(", "),
        };
        (common.unwrap_or(&self.name).to_owned(), series)
    }

    /// Shows a view, or a graph if the pane shows that view already.
    pub(crate) fn toggle(&mut self, view: PaneView) {
        self.view = if self.view == view {
            PaneView::default()
        } else {
            view
        };
    }

    /// Performs an action on the view that is shown. If that does not have the action, performs it on
    /// the graph, whose choices can thus be made while another view is shown.
    pub(crate) fn perform(&mut self, action: Action, shared: &mut Shared<'_>) -> Performed {
        let views = &mut self.views;
        shared.with_context(&self.selection, Aligned::default(), |context| {
            match views.get_mut(self.view).perform(action, &context) {
                Performed::No => views.graph.perform(action, &context),
                performed => performed,
            }
        })
    }

    /// Returns what the view that is shown needs in a place of this size.
    pub(super) fn needs(&self, size: Vec2) -> Aligned {
        let shown = self.views.get(self.view);
        shown.needs(self.selection.selected(), size)
    }

    /// Sets its share of the height. A weight that is not finite becomes 1.
    pub(super) fn set_weight(&mut self, weight: f32) {
        self.weight = if weight.is_finite() {
            weight.clamp(*SavedPane::WEIGHT.start(), *SavedPane::WEIGHT.end())
        } else {
            1.0
        };
    }
}

/// Returns the segments with which all paths begin, but not the last segment of any; `None` if there
/// are none.
fn common_path<'a>(mut paths: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let parent = |path: &'a str| path.rsplit_once('/').map(|(parent, _)| parent);
    let mut common = parent(paths.next()?)?;
    for path in paths {
        let is_in = |folder: &str| {
            path.strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        while !is_in(common) {
            common = parent(common)?;
        }
    }
    Some(common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::FRAME_TIME;

    #[test]
    fn a_pane_has_the_name_of_the_path_that_its_series_share() {
        let title = |paths: &[&str]| Pane::new(0, Selection::of(paths.iter().copied())).title();
        let of = |name: &str, series: &str| (name.to_owned(), series.to_owned());
        assert_eq!(title(&["a/b/c", "a/b/d/e"]), of("a/b", "c, d/e"));
        assert_eq!(
            title(&["a/b", FRAME_TIME, "a/c"]),
            of("a", "b, frame time, c")
        );
        assert_eq!(title(&["a/b", "ab/c"]), of("", "a/b, ab/c"));
        assert_eq!(title(&["a/b", "a"]), of("", "a/b, a"));
        assert_eq!(title(&["a/b"]), of("a", "b"));
        assert_eq!(title(&[FRAME_TIME]), of("", "frame time"));
        assert_eq!(title(&[]), of("", "empty"));
        let mut named = Pane::new(0, Selection::of(["a/b"]));
        named.name = "AI".to_owned();
        assert_eq!(named.title(), of("AI", "a/b"));
    }
}
