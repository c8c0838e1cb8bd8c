//! The state that the overlay keeps from one run to the next: [`SavedState`] and its parts.
//!
//! Serde derives the code that reads and writes each part. A missing field has its default, and an
//! unknown one is left out. The choices of a view are declared in its folder.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::text::Version;
use crate::baseline::saved::{BaselineSeries, SavedBaseline};
use crate::data::selection::FRAME_TIME;
use crate::input::mode::Mode;
use crate::input::pane_view::PaneView;
use crate::input::saved_field::{self, within};
use crate::input::settings::Settings;
use crate::views::views;

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
/// - An unknown field is left out. An unknown name, or a value of another type, is a
///   [`LoadError`](crate::LoadError), which names the field and its place in the text.
/// - Each new field increases the version of the text, and a text of a newer version is an error,
///   too.
/// - A text that could not be read in full is kept beside the next saved one; see
///   [`save`](Self::save).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, remote = "Self", expecting = "an object")]
#[non_exhaustive]
pub struct SavedState {
    pub(super) version: Version,
    /// The settings.
    pub settings: Settings,
    /// The presets, in the order of the menu. Default: none.
    pub presets: Vec<Preset>,
    /// The paths that the tree lists first. Default: none.
    pub favorites: Vec<String>,
    /// The paths whose values the HUD shows. If there are none, the HUD shows the timers with the
    /// largest self time. Default: none.
    pub pinned: Vec<String>,
    /// The colors of series, by path: indices into the palette of the settings. Default: none.
    pub colors: BTreeMap<String, usize>,
    /// The panes on screen.
    pub layout: PaneLayout,
    /// The baselines. The overlay shows the first one named `A`, and keeps the others. Default:
    /// none.
    pub baselines: Vec<SavedBaseline>,
}

impl SavedState {
    /// Returns the state with every number within its range. NaN becomes the lowest number of the
    /// range.
    pub(super) fn clamped(mut self) -> Self {
        self.settings = self.settings.clamped();
        self.layout = self.layout.clamped();
        let panes = self.presets.iter_mut().flat_map(|preset| &mut preset.panes);
        panes.for_each(SavedPane::clamp);
        for baseline in &mut self.baselines {
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
}

impl Preset {
    /// Creates a preset of these panes for any mode.
    #[must_use]
    pub fn new(name: &str, panes: Vec<SavedPane>) -> Self {
        Self {
            name: name.to_owned(),
            panes,
            mode: None,
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
    /// The budgets that were set by hand, by path, in the unit of each series. A [`SavedState`] has all
    /// of them, and a [view line](crate::StatsOverlay::view_line) has the budgets of the series in its
    /// panes. Default: none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub budgets: BTreeMap<String, f64>,
    /// The formulas that the user typed, by the paths of their series. A [`SavedState`] has all of them,
    /// and a view line has the formulas of the series in its panes. Default: none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub formulas: BTreeMap<String, String>,
}

impl PaneLayout {
    pub(crate) const TREE_SHARE: RangeInclusive<f32> = 0.1..=0.8;

    /// Returns the layout with every number within its range.
    pub(super) fn clamped(mut self) -> Self {
        self.tree_share = within(Self::TREE_SHARE, self.tree_share);
        self.active = self.active.min(self.panes.len().saturating_sub(1));
        self.panes.iter_mut().for_each(SavedPane::clamp);
        self.budgets.retain(|_, budget| budget.is_finite());
        self
    }
}

impl Default for PaneLayout {
    fn default() -> Self {
        Self {
            tree_share: 0.28,
            active: 0,
            mode: None,
            panes: vec![SavedPane::new([FRAME_TIME])],
            budgets: BTreeMap::new(),
            formulas: BTreeMap::new(),
        }
    }
}

/// Defines [`SavedPane`] with the choices of each view.
macro_rules! define {
    ($(
        $what:literal $Name:ident $folder:ident::$View:ident $(($Choices:ident))?
        $does:literal $($($Shift:literal)? $Key:ident $Toggle:ident)?;
    )*) => {
        /// A pane: its series, and how it shows them.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, expecting = "an object")]
        #[non_exhaustive]
        pub struct SavedPane {
            /// The series, in the order of selection, at most
            /// [`MAX_SELECTED`](crate::MAX_SELECTED). Default: none.
            pub paths: Vec<String>,
            /// The name of the pane; empty for the path that its series share. Default: empty.
            pub name: String,
            /// The view that shows them. Default: [`PaneView::Graph`].
            #[serde(with = "saved_field::name")]
            pub view: PaneView,
            /// The height of the pane relative to the other panes, 0.05 to 20. Default: 1.
            #[serde(with = "saved_field::single")]
            pub weight: f32,
            $($(
                #[doc = concat!("The choices about its ", stringify!($folder), ".")]
                pub $folder: crate::$folder::choices::$Choices,
            )?)*
        }

        impl Default for SavedPane {
            fn default() -> Self {
                Self {
                    paths: Vec::new(),
                    name: String::new(),
                    view: PaneView::default(),
                    weight: 1.0,
                    $($($folder: crate::$folder::choices::$Choices::default(),)?)*
                }
            }
        }
    };
}

views!(define);

impl SavedPane {
    pub(crate) const WEIGHT: RangeInclusive<f32> = 0.05..=20.0;

    fn clamp(&mut self) {
        self.weight = within(Self::WEIGHT, self.weight);
    }

    /// Creates a graph of these series.
    #[must_use]
    pub fn new<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            paths: paths.into_iter().map(str::to_owned).collect(),
            ..Self::default()
        }
    }
}
