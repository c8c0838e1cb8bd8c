//! What the overlay remembers from one run to the next: one struct, as JSON text.

use stats_analysis::distribution::ValueScale;

use crate::input::mode::PaneView;
use std::ops::RangeInclusive;

use crate::data::selection::FRAME_TIME;
use crate::input::settings::Settings;
use crate::persist::part::Kept;

/// How many panes there are at most.
pub const MAX_PANES: usize = 16;

/// Everything about the overlay that persists: settings, presets, favourites, pinned counters, and
/// what is on screen.
///
/// ```
/// use stats_overlay::SavedState;
///
/// let mut saved: SavedState = r#"{ "version": 1, "settings": { "key": "F9", "scale": 7 } }"#.parse()?;
/// assert_eq!((saved.settings.key, saved.settings.scale), (Some(egui::Key::F9), 3.0));
/// saved.favourites.push("renderer/draw-calls".to_owned());
/// assert_eq!(saved.to_string().parse::<SavedState>()?, saved);
/// # Ok::<(), stats_overlay::LoadError>(())
/// ```
///
/// `to_string` gives indented JSON, `parse` reads it; so do serde's traits, for hosts that keep it
/// among settings of their own.
///
/// - What is missing has its default. A number beyond its range becomes the nearest within it.
/// - Fields that are not known, at every level, are kept and written back. So are names that are
///   not known, of a key or of a view: the default holds in their place, and the name stays until
///   something other than the default is chosen.
/// - A list longer than what is shown ([`MAX_PANES`], [`MAX_SELECTED`](crate::MAX_SELECTED)) is cut;
///   the rest is kept beside it, under the list's name with `_kept` behind it, and not shown.
/// - Text of a newer version is read as far as it is understood; the rest, values of other types
///   too, is kept, and so is the version. In text of this version a value of a wrong type is a
///   [`LoadError`](crate::LoadError), since it was a slip of the hand.
///
/// Kept numbers beyond 64 bits are rounded.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SavedState {
    /// What the user set.
    pub settings: Settings,
    /// Named layouts to go back to, in the order in which they are offered. Default: none.
    pub presets: Vec<Preset>,
    /// The paths that are listed first in the tree. Default: none.
    pub favourites: Vec<String>,
    /// The paths whose values the HUD shows; where there are none, those of the active pane.
    /// Default: none.
    pub pinned: Vec<String>,
    /// What is on screen.
    pub layout: PaneLayout,
    pub(crate) kept: Kept,
    pub(crate) kept_settings: Kept,
}

/// Panes under a name.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Preset {
    /// What it is called. Default: empty.
    pub name: String,
    /// From top to bottom, at most [`MAX_PANES`]. Default: none.
    pub panes: Vec<SavedPane>,
    pub(crate) kept: Kept,
}

impl Preset {
    /// Panes under this name.
    #[must_use]
    pub fn new(name: &str, panes: Vec<SavedPane>) -> Self {
        Self {
            name: name.to_owned(),
            panes,
            kept: Kept::new(),
        }
    }
}

/// What is on screen and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PaneLayout {
    /// The share of the width that the tree has, 0.1 to 0.8. Default: 0.28.
    pub tree_share: f32,
    /// Which pane the keys are for, counted from 0; of more than there are, the last. Default: 0.
    pub active: usize,
    /// From top to bottom, at most [`MAX_PANES`]. Default: one, with the frame time.
    pub panes: Vec<SavedPane>,
    pub(crate) kept: Kept,
}

impl Default for PaneLayout {
    fn default() -> Self {
        let pane = SavedPane {
            paths: vec![FRAME_TIME.to_owned()],
            ..SavedPane::default()
        };
        Self {
            tree_share: 0.28,
            active: 0,
            panes: vec![pane],
            kept: Kept::new(),
        }
    }
}

/// One pane: some series in one of the views.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SavedPane {
    /// The series, in the order of ticking, at most [`MAX_SELECTED`](crate::MAX_SELECTED). Default:
    /// none.
    pub paths: Vec<String>,
    /// What they are shown as. Default: [`PaneView::Graph`].
    pub view: PaneView,
    /// Whether the series share a range of values. Default: [`ValueRange::Auto`].
    pub range: ValueRange,
    /// Values of a graph on a logarithmic axis. Default: off.
    pub log: bool,
    /// Series stacked as areas. Default: off.
    pub stacked: bool,
    /// How a distribution spreads values along its axis. Default: [`ValueScale::Auto`].
    pub value_scale: ValueScale,
    /// Bars of a distribution as high as the logarithm of their counts. Default: off.
    pub log_counts: bool,
    /// Of a histogram, the distribution of its values per frame rather than of its samples.
    /// Default: off.
    pub per_frame: bool,
    /// Its height relative to the other panes', 0.05 to 20. Default: 1.
    pub weight: f32,
    /// The path of the only series that is drawn; `None` for all. Default: `None`.
    pub solo: Option<String>,
    /// The column that the table is sorted by; `None` for the order of frames. Default: `None`.
    pub sort: Option<SavedSort>,
    pub(crate) kept: Kept,
}

impl Default for SavedPane {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            view: PaneView::Graph,
            range: ValueRange::Auto,
            log: false,
            stacked: false,
            value_scale: ValueScale::Auto,
            log_counts: false,
            per_frame: false,
            weight: 1.0,
            solo: None,
            sort: None,
            kept: Kept::new(),
        }
    }
}

impl SavedPane {
    pub(crate) const WEIGHT: RangeInclusive<f32> = 0.05..=20.0;

    /// A graph of these series.
    #[must_use]
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            paths: paths.into_iter().map(str::to_owned).collect(),
            ..Self::default()
        }
    }
}

/// What a table is sorted by.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SavedSort {
    /// The path of the column. Default: empty, the frame's number.
    pub path: String,
    /// The largest first. Default: off.
    pub descending: bool,
    pub(crate) kept: Kept,
}

impl SavedSort {
    /// Sorted by the column of this path.
    #[must_use]
    pub fn new(path: &str, descending: bool) -> Self {
        Self {
            path: path.to_owned(),
            descending,
            kept: Kept::new(),
        }
    }
}

/// Whether the series of a graph share one range of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueRange {
    /// They share one where they have one unit and comparable values. The default.
    #[default]
    Auto,
    /// They share one.
    Shared,
    /// Each has its own, from its least to its largest value.
    Own,
}
