//! The settings of the overlay.

use std::ops::RangeInclusive;

use egui::Key;
use serde::{Deserialize, Serialize};
use stats_ui::theme::{Appearance, DEFAULT_OPACITY, OPACITY, Palette};

use super::bindings::{BindConflict, Bindings};
use super::mode::{HudSize, Mode, Place};
use super::saved_field::{self, within};

/// The settings of the overlay. All of them persist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct Settings {
    /// The key that switches to the next mode: hidden → HUD → watch → full. `None` for no key.
    /// Default: F3.
    #[serde(with = "saved_field::key")]
    pub key: Option<Key>,
    /// The keys of the full overlay, the buttons of game pads, and the tap with three fingers. Default:
    /// the standard ones.
    #[serde(skip_serializing_if = "Bindings::is_standard")]
    pub bindings: Bindings,
    /// Whether the key stops at the HUD. Default: true.
    pub cycle_hud: bool,
    /// Whether the key stops at the panes over the game. Default: true.
    pub cycle_watch: bool,
    /// Whether the key stops at the full overlay. Default: true. If all three are false, the key
    /// still stops at the full overlay.
    pub cycle_full: bool,
    /// Whether the full overlay offers the first steps: a card for each of four questions. A click on
    /// one turns it off. Default: true.
    pub first_steps: bool,
    /// The opacity of the panel and the HUD, 0.3 to 1. Default: 0.96.
    #[serde(with = "saved_field::single")]
    pub opacity: f32,
    /// The edge or corner of the screen for the panes over the game. Default: [`Place::Right`].
    #[serde(with = "saved_field::name")]
    pub watch_place: Place,
    /// The share of the screen that the panes over the game cover, 0.2 to 1: the share of its width
    /// at the left or right, of its height at the top or bottom, and of both in a corner. Default:
    /// 0.4.
    #[serde(with = "saved_field::single")]
    pub watch_share: f32,
    /// The opacity of the background of graphs over the game, 0 to 1. The background of text has at
    /// least 0.7, and lines are opaque. Default: 0.7.
    #[serde(with = "saved_field::single")]
    pub watch_opacity: f32,
    /// The size of the overlay relative to the host's UI, 0.5 to 3. Default: 1.
    #[serde(with = "saved_field::single")]
    pub scale: f32,
    /// The number of frames that the overlay's own recorder keeps, 240 to
    /// [`MAX_HISTORY`](stats_core::limits::MAX_HISTORY). Each watched series takes 8 bytes per
    /// frame. Default: 4096.
    #[serde(deserialize_with = "saved_field::whole")]
    pub history: usize,
    /// How often numbers are refreshed, in times per second, 1 to 60. Graphs move with every frame.
    /// Default: 10.
    #[serde(with = "saved_field::single")]
    pub refresh_hz: f32,
    /// Whether graphs, tables and the strip show the time of frames in seconds beside their numbers.
    /// Default: false.
    pub seconds: bool,
    /// Dark or light colors. Default: those of the host.
    #[serde(with = "saved_field::name")]
    pub appearance: Appearance,
    /// The colors of series. Default: [`Palette::Standard`].
    #[serde(with = "saved_field::name")]
    pub palette: Palette,
    /// The frame budget in milliseconds, 0.01 to 10,000, or `None`. Graphs of the frame time show
    /// it as a line. A frame that takes more than 1.1 times the budget is over it. Default: 1000 /
    /// 60.
    pub frame_budget_ms: Option<f64>,
    /// The refresh rate of the display in hertz, 10 to 1,000, or `None`. The statistics estimate
    /// missed refreshes from it. Default: `None`.
    pub display_hz: Option<f64>,
    /// The names of the [marks](stats_core::Mark) whose spans of frames are left out of the frame
    /// statistics. Default: none.
    pub excluded_marks: Vec<String>,
    /// The corner or edge of the screen for the HUD. Default: [`Place::TopRight`].
    #[serde(with = "saved_field::name")]
    pub hud_place: Place,
    /// The size and the form of the HUD. Default: [`HudSize::Medium`].
    #[serde(with = "saved_field::name")]
    pub hud_size: HudSize,
    /// Whether the HUD shows the 1 % low and the number of frames over budget. Default: true.
    pub hud_statistics: bool,
    /// Whether the overlay looks for hitches while any part of it is on screen, for its HUD, for
    /// [`PaneView::Hitches`](crate::PaneView::Hitches) and for the search word `spiking`. Costs about 5 ns per series and frame, and
    /// at most 64 bytes per series. While panes are on screen, it also keeps the recent values of
    /// all series, in 1.5 MiB and up to 50 bytes per series. Default: true.
    pub hitches: bool,
    /// Whether the overlay also looks for hitches while it is hidden, so that its list includes
    /// hitches from before it was opened. Costs as much as under the HUD, and allocates. Default:
    /// false.
    pub hitches_while_hidden: bool,
    /// Whether the scopes of the last seconds, and of the last 32 hitches with three frames on each
    /// side, are kept also while no view shows them: the flight recorder. Then a hitch that was
    /// noticed later has a [timeline](stats_core::timeline). A scope takes up to twice as long, and
    /// the scopes take up to [`TIMELINE_BYTES`](stats_core::limits::TIMELINE_BYTES); both are free
    /// again when it is turned off. It looks for hitches while the overlay is hidden, too. The
    /// environment variable `STATS_FLIGHT_RECORDER=1` turns it on for one run. Default: false.
    pub flight_recorder: bool,
    /// The time that the overlay itself may take per frame, in milliseconds, 0.01 to 10,000. If it
    /// takes more, it refreshes less often. Default: 1.
    pub overlay_budget_ms: f64,
    /// The path of the series whose spikes pause the views, even while the overlay is hidden, or
    /// `None`. Frames over budget do not pause them. Default: `None`.
    pub pause_on_spike: Option<String>,
    /// The time after the first frame during which spikes do not pause the views, in seconds, 0 to
    /// 3,600. Default: 5.
    pub pause_delay_secs: f64,
    /// The time after a resume during which spikes do not pause the views again, in seconds, 0 to
    /// 3,600. Default: 2.
    pub pause_cooldown_secs: f64,
}

impl Settings {
    pub(crate) const OPACITY: RangeInclusive<f32> = OPACITY;
    pub(crate) const WATCH_SHARE: RangeInclusive<f32> = 0.2..=1.0;
    pub(crate) const WATCH_OPACITY: RangeInclusive<f32> = 0.0..=1.0;
    pub(crate) const SCALE: RangeInclusive<f32> = 0.5..=3.0;
    pub(crate) const HISTORY: RangeInclusive<usize> = 240..=stats_core::limits::MAX_HISTORY;
    pub(crate) const REFRESH_HZ: RangeInclusive<f32> = 1.0..=60.0;
    pub(crate) const BUDGET_MS: RangeInclusive<f64> = 0.01..=10_000.0;
    pub(crate) const DISPLAY_HZ: RangeInclusive<f64> = 10.0..=1000.0;
    pub(crate) const PAUSE_SECS: RangeInclusive<f64> = 0.0..=3600.0;

    /// Returns the presses that several actions claim, and the [`key`](Self::key) if an action claims
    /// it, too. Each says what it does not perform. Default: none.
    #[must_use]
    pub fn conflicts(&self) -> Vec<BindConflict> {
        self.bindings.conflicts_with(self.key)
    }

    /// Returns the mode to which the toggle key switches from `mode`.
    pub(crate) fn next_mode(&self, mode: Mode) -> Mode {
        let mut next = mode.next();
        while self.skips(next) {
            next = next.next();
        }
        next
    }

    fn skips(&self, mode: Mode) -> bool {
        match mode {
            Mode::Hidden => false,
            Mode::Hud => !self.cycle_hud,
            Mode::Watch => !self.cycle_watch,
            Mode::Full => !self.cycle_full && !self.skips_all(),
        }
    }

    /// Returns whether the toggle key skips every mode that shows something.
    pub(crate) fn skips_all(&self) -> bool {
        !(self.cycle_hud || self.cycle_watch || self.cycle_full)
    }

    /// Returns the settings with every number within its range, and with at least one mode that the
    /// toggle key shows. NaN becomes the lowest number of the range.
    pub(crate) fn clamped(&self) -> Self {
        let budget_ms = self.frame_budget_ms;
        Self {
            cycle_full: self.cycle_full || self.skips_all(),
            opacity: within(Self::OPACITY, self.opacity),
            watch_share: within(Self::WATCH_SHARE, self.watch_share),
            watch_opacity: within(Self::WATCH_OPACITY, self.watch_opacity),
            scale: within(Self::SCALE, self.scale),
            history: within(Self::HISTORY, self.history),
            refresh_hz: within(Self::REFRESH_HZ, self.refresh_hz),
            frame_budget_ms: budget_ms.map(|budget| within(Self::BUDGET_MS, budget)),
            display_hz: self.display_hz.map(|rate| within(Self::DISPLAY_HZ, rate)),
            overlay_budget_ms: within(Self::BUDGET_MS, self.overlay_budget_ms),
            pause_delay_secs: within(Self::PAUSE_SECS, self.pause_delay_secs),
            pause_cooldown_secs: within(Self::PAUSE_SECS, self.pause_cooldown_secs),
            ..self.clone()
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            key: Some(Key::F3),
            bindings: Bindings::default(),
            cycle_hud: true,
            cycle_watch: true,
            cycle_full: true,
            first_steps: true,
            opacity: DEFAULT_OPACITY,
            watch_place: Place::default(),
            watch_share: 0.4,
            watch_opacity: 0.7,
            scale: 1.0,
            history: stats_core::limits::DEFAULT_HISTORY,
            refresh_hz: 10.0,
            seconds: false,
            appearance: Appearance::Host,
            palette: Palette::Standard,
            frame_budget_ms: Some(1000.0 / 60.0),
            display_hz: None,
            excluded_marks: Vec::new(),
            hud_place: Place::TopRight,
            hud_size: HudSize::Medium,
            hud_statistics: true,
            hitches: true,
            hitches_while_hidden: false,
            flight_recorder: false,
            overlay_budget_ms: 1.0,
            pause_on_spike: None,
            pause_delay_secs: 5.0,
            pause_cooldown_secs: 2.0,
        }
    }
}
