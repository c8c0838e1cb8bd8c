//! The state that the overlay keeps from one run to the next: [`SavedState`] and its parts.
//!
//! Serde derives the code that reads and writes each part. A missing field has its default, and
//! `kept` collects unknown fields, which are written back. [`document`](super::document) handles
//! versions and unreadable values.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use stats_analysis::distribution::ValueScale;

use crate::data::selection::FRAME_TIME;
use crate::input::mode::{Mode, PaneView};
use crate::input::saved_field::{self, Kept, Named, within};
use crate::input::settings::Settings;

/// The maximum number of panes.
pub const MAX_PANES: usize = 16;

/// Everything about the overlay that persists: settings, presets, favorites, pinned counters, the
/// panes on screen, and baselines.
///
/// ```
/// use stats_overlay::SavedState;
///
/// let mut saved: SavedState = r#"{ "version": 1, "settings": { "key": "F9", "scale": 7 } }"#.parse()?;
/// assert_eq!((saved.settings.key, saved.settings.scale), (Some(egui::Key::F9), 3.0));
/// saved.favorites.push("renderer/draw-calls".to_owned());
/// assert_eq!(saved.to_string().parse::<SavedState>()?, saved);
/// # Ok::<(), stats_overlay::LoadError>(())
/// ```
///
/// `to_string` returns indented JSON, and `parse` reads it. Serde's traits do the same for hosts
/// that keep the state among their own settings.
///
/// - A missing field has its default. A number outside its range becomes the nearest number inside.
/// - Unknown fields, at every level, are kept and written back. Unknown names of keys and views are
///   kept too: the default is used instead, and the name stays in the document until a value other
///   than the default is chosen.
/// - A list longer than its limit ([`MAX_PANES`], [`MAX_SELECTED`](crate::MAX_SELECTED)) is cut.
///   The rest is kept but not shown, in a second list whose name ends in `_kept`.
/// - A document of a newer version is read as far as possible. The version and the rest are kept,
///   including values of other types. In a document of this version, a value of a wrong type is a
///   mistake made by hand, and causes a [`LoadError`](crate::LoadError).
///
/// Kept numbers of more than 64 bits are rounded.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SavedState {
    /// The settings.
    pub settings: Settings,
    /// The presets, in the order of the menu. Default: none.
    pub presets: Vec<Preset>,
    /// The paths that the tree lists first. Default: none.
    pub favorites: Vec<String>,
    /// The paths whose values the HUD shows. If there are none, the HUD shows the series of the
    /// active pane. Default: none.
    pub pinned: Vec<String>,
    /// The panes on screen.
    pub layout: PaneLayout,
    /// The baselines. The overlay shows the first one named `A`, and keeps the others. Default:
    /// none.
    pub baselines: Vec<SavedBaseline>,
    pub(crate) kept: Kept,
}

impl SavedState {
    /// Returns the state with every number within its range. NaN becomes the lowest number of the
    /// range.
    pub(super) fn clamped(mut self) -> Self {
        let Self {
            settings,
            layout,
            presets,
            baselines,
            ..
        } = &mut self;
        *settings = settings.clamped();
        layout.tree_share = within(PaneLayout::TREE_SHARE, layout.tree_share);
        layout.active = layout.active.min(layout.panes.len().saturating_sub(1));
        let panes = presets.iter_mut().flat_map(|preset| &mut preset.panes);
        for pane in panes.chain(&mut layout.panes) {
            pane.weight = within(SavedPane::WEIGHT, pane.weight);
        }
        // JSON has neither NaN nor infinity.
        for baseline in baselines {
            baseline.series.retain(BaselineSeries::is_finite);
        }
        self
    }
}

/// A named set of panes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct Preset {
    /// The name. Default: empty.
    pub name: String,
    /// The panes from top to bottom, at most [`MAX_PANES`]. Default: none.
    pub panes: Vec<SavedPane>,
    /// The mode in which to show the panes; `None` for the current one. Default: `None`.
    #[serde(with = "saved_field::optional_name")]
    pub mode: Option<Mode>,
    #[serde(flatten)]
    pub(crate) kept: Kept,
}

impl Preset {
    /// Creates a preset of these panes for any mode.
    #[must_use]
    pub fn new(name: &str, panes: Vec<SavedPane>) -> Self {
        Self {
            name: name.to_owned(),
            panes,
            mode: None,
            kept: Kept::new(),
        }
    }

    /// Returns the preset with a mode, such as [`Mode::Watch`].
    #[must_use]
    pub fn in_mode(self, mode: Mode) -> Self {
        Self {
            mode: Some(mode),
            ..self
        }
    }
}

/// The panes on screen, and the width of the tree beside them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct PaneLayout {
    /// The tree's share of the width, 0.1 to 0.8. Default: 0.28.
    #[serde(with = "saved_field::single")]
    pub tree_share: f32,
    /// The index of the active pane. An index beyond the last pane means the last pane. Default: 0.
    #[serde(deserialize_with = "saved_field::whole")]
    pub active: usize,
    /// The mode in which to show the panes; `None` for the current one. Default: `None`.
    #[serde(with = "saved_field::optional_name")]
    pub mode: Option<Mode>,
    /// The panes from top to bottom, at most [`MAX_PANES`]. Default: one, with the frame time.
    pub panes: Vec<SavedPane>,
    #[serde(flatten)]
    pub(crate) kept: Kept,
}

impl PaneLayout {
    pub(crate) const TREE_SHARE: RangeInclusive<f32> = 0.1..=0.8;
}

impl Default for PaneLayout {
    fn default() -> Self {
        Self {
            tree_share: 0.28,
            active: 0,
            mode: None,
            panes: vec![SavedPane::new([FRAME_TIME])],
            kept: Kept::new(),
        }
    }
}

/// A pane: its series, and how it shows them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct SavedPane {
    /// The series, in the order of selection, at most [`MAX_SELECTED`](crate::MAX_SELECTED).
    /// Default: none.
    pub paths: Vec<String>,
    /// The view that shows them. Default: [`PaneView::Graph`].
    #[serde(with = "saved_field::name")]
    pub view: PaneView,
    /// Which series of a graph share a range of values. Default: [`ValueRange::Auto`].
    #[serde(with = "saved_field::name")]
    pub range: ValueRange,
    /// Whether a graph's axis of values is logarithmic. Default: false.
    pub log: bool,
    /// Whether a graph stacks its series as areas. Default: false.
    pub stacked: bool,
    /// How a distribution spreads values along its axis. Default: [`ValueScale::Auto`].
    #[serde(with = "saved_field::name")]
    pub value_scale: ValueScale,
    /// Whether the height of a distribution's bars is the logarithm of their counts. Default:
    /// false.
    pub log_counts: bool,
    /// Whether the distribution of a histogram covers its values per frame instead of its samples.
    /// Default: false.
    pub per_frame: bool,
    /// The height of the pane relative to the other panes, 0.05 to 20. Default: 1.
    #[serde(with = "saved_field::single")]
    pub weight: f32,
    /// The path of the only series that a graph draws; `None` for all. Default: `None`.
    pub solo: Option<String>,
    /// The path of the series whose statistics are shown: the frame time, or a series of the pane
    /// in milliseconds; `None` for the first such series. Default: `None`.
    pub statistics_of: Option<String>,
    /// The column that sorts a table; `None` for the order of frames. Default: `None`.
    pub sort: Option<SavedSort>,
    #[serde(flatten)]
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
            statistics_of: None,
            sort: None,
            kept: Kept::new(),
        }
    }
}

impl SavedPane {
    pub(crate) const WEIGHT: RangeInclusive<f32> = 0.05..=20.0;

    /// Creates a graph of these series.
    #[must_use]
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            paths: paths.into_iter().map(str::to_owned).collect(),
            ..Self::default()
        }
    }
}

/// The order of a table's rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct SavedSort {
    /// The path of the column. Default: empty, for the frame's number.
    pub path: String,
    /// Whether the largest value comes first. Default: false.
    pub descending: bool,
    #[serde(flatten)]
    pub(crate) kept: Kept,
}

impl SavedSort {
    /// Creates the order by the column with this path.
    #[must_use]
    pub fn new(path: &str, descending: bool) -> Self {
        Self {
            path: path.to_owned(),
            descending,
            kept: Kept::new(),
        }
    }
}

/// The statistics of some frames, with which later frames are compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct SavedBaseline {
    /// The name. Default: empty.
    pub name: String,
    /// The statistics of each series. A series with a number that is not finite is not saved.
    /// Default: none.
    pub series: Vec<BaselineSeries>,
    #[serde(flatten)]
    pub(crate) kept: Kept,
}

/// The statistics of one series in a baseline, in its unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct BaselineSeries {
    /// The path. Default: empty.
    pub path: String,
    /// The symbol of the unit, such as `ms`; empty for a plain number. The statistics are ignored
    /// if the series has another unit. Default: empty.
    pub unit: String,
    /// The number of values. Default: 0.
    #[serde(deserialize_with = "saved_field::whole")]
    pub count: usize,
    /// The arithmetic mean. Default: 0.
    pub mean: f64,
    /// The smallest value. Default: 0.
    pub min: f64,
    /// The 5th percentile by nearest rank, the lower edge of the band. Default: 0.
    pub p5: f64,
    /// The 95th percentile by nearest rank, the upper edge of the band. Default: 0.
    pub p95: f64,
    /// The largest value. Default: 0.
    pub max: f64,
    #[serde(flatten)]
    pub(crate) kept: Kept,
}

impl BaselineSeries {
    fn is_finite(&self) -> bool {
        let numbers = [self.mean, self.min, self.p5, self.p95, self.max];
        numbers.iter().all(|number| number.is_finite())
    }
}

/// Which series of a graph share a range of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueRange {
    /// Series of one unit share a range. The default.
    #[default]
    Auto,
    /// All series share one range, whatever their units.
    Shared,
    /// Each series has its own range, from its smallest to its largest value.
    Own,
}

impl Named for ValueRange {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("shared", Self::Shared),
        ("own", Self::Own),
    ];
}
