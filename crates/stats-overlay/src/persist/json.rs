//! The fields of [`SavedState`] by name, and the way to JSON text and back.

use std::fmt;
use std::str::FromStr;

use serde_core::de::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::data::selection::MAX_SELECTED;
use crate::input::mode::PaneView;
use crate::input::settings::Settings;
use crate::persist::load_error::LoadError;
use crate::persist::part::{Bounded, Fields, Kept, KeyName, List, Maybe, Named, Part, Walk, Wrong};
use crate::persist::saved::{
    MAX_PANES, PaneLayout, Preset, SavedPane, SavedSort, SavedState, ValueRange,
};
use stats_analysis::distribution::ValueScale;
use stats_ui::theme::{Appearance, Palette};

/// The version that is written.
const VERSION: u64 = 1;
/// The longest text that is read, in bytes; a hundred times what a well-used overlay saves.
pub(crate) const MAX_BYTES: usize = 4 << 20;

const APPEARANCES: &[(&str, Appearance)] = &[
    ("host", Appearance::Host),
    ("dark", Appearance::Dark),
    ("light", Appearance::Light),
];
const PALETTES: &[(&str, Palette)] = &[
    ("standard", Palette::Standard),
    ("color_vision", Palette::ColorVision),
];
const VIEWS: &[(&str, PaneView)] = &[
    ("graph", PaneView::Graph),
    ("table", PaneView::Table),
    ("distribution", PaneView::Distribution),
    ("statistics", PaneView::Statistics),
];
const RANGES: &[(&str, ValueRange)] = &[
    ("auto", ValueRange::Auto),
    ("shared", ValueRange::Shared),
    ("own", ValueRange::Own),
];
const SCALES: &[(&str, ValueScale)] = &[
    ("auto", ValueScale::Auto),
    ("linear", ValueScale::Linear),
    ("log", ValueScale::Log),
];

/// Settings and what was not understood of them.
#[derive(Clone, Default)]
struct KeptSettings {
    settings: Settings,
    kept: Kept,
}

impl Fields for KeptSettings {
    fn fields(&mut self, each: &mut dyn FnMut(&'static str, &mut dyn Part)) {
        let it = &mut self.settings;
        each("key", &mut KeyName(&mut it.key));
        each("opacity", &mut Bounded(&mut it.opacity, Settings::OPACITY));
        each("scale", &mut Bounded(&mut it.scale, Settings::SCALE));
        each("history", &mut Bounded(&mut it.history, Settings::HISTORY));
        each(
            "refresh_hz",
            &mut Bounded(&mut it.refresh_hz, Settings::REFRESH_HZ),
        );
        each("appearance", &mut Named(&mut it.appearance, APPEARANCES));
        each("palette", &mut Named(&mut it.palette, PALETTES));
        each(
            "frame_budget_ms",
            &mut Maybe(&mut it.frame_budget_ms, Settings::BUDGET_MS),
        );
        each(
            "display_hz",
            &mut Maybe(&mut it.display_hz, Settings::DISPLAY_HZ),
        );
        each(
            "excluded_marks",
            &mut List(&mut it.excluded_marks, usize::MAX),
        );
        each("hud_statistics", &mut it.hud_statistics);
        each(
            "overlay_budget_ms",
            &mut Bounded(&mut it.overlay_budget_ms, Settings::BUDGET_MS),
        );
        each("pause_on_spike", &mut it.pause_on_spike);
        each(
            "pause_delay_secs",
            &mut Bounded(&mut it.pause_delay_secs, Settings::PAUSE_SECS),
        );
        each(
            "pause_cooldown_secs",
            &mut Bounded(&mut it.pause_cooldown_secs, Settings::PAUSE_SECS),
        );
    }

    fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }
}

impl Fields for SavedState {
    fn fields(&mut self, each: &mut dyn FnMut(&'static str, &mut dyn Part)) {
        let (settings, kept) = (
            std::mem::take(&mut self.settings),
            std::mem::take(&mut self.kept_settings),
        );
        let mut settings = KeptSettings { settings, kept };
        each("settings", &mut settings);
        (self.settings, self.kept_settings) = (settings.settings, settings.kept);
        each("presets", &mut List(&mut self.presets, usize::MAX));
        each("favourites", &mut List(&mut self.favourites, usize::MAX));
        each("pinned", &mut List(&mut self.pinned, usize::MAX));
        each("layout", &mut self.layout);
    }

    fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }
}

impl Fields for Preset {
    fn fields(&mut self, each: &mut dyn FnMut(&'static str, &mut dyn Part)) {
        each("name", &mut self.name);
        each("panes", &mut List(&mut self.panes, MAX_PANES));
    }

    fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }
}

impl Fields for PaneLayout {
    fn fields(&mut self, each: &mut dyn FnMut(&'static str, &mut dyn Part)) {
        each("tree_share", &mut Bounded(&mut self.tree_share, 0.1..=0.8));
        each("panes", &mut List(&mut self.panes, MAX_PANES));
        // Behind the panes: it is read when their number is known.
        each(
            "active",
            &mut Bounded(&mut self.active, 0..=self.panes.len().saturating_sub(1)),
        );
    }

    fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }
}

impl Fields for SavedPane {
    fn fields(&mut self, each: &mut dyn FnMut(&'static str, &mut dyn Part)) {
        each("paths", &mut List(&mut self.paths, MAX_SELECTED));
        each("view", &mut Named(&mut self.view, VIEWS));
        each("range", &mut Named(&mut self.range, RANGES));
        each("log", &mut self.log);
        each("stacked", &mut self.stacked);
        each("value_scale", &mut Named(&mut self.value_scale, SCALES));
        each("log_counts", &mut self.log_counts);
        each("per_frame", &mut self.per_frame);
        each("weight", &mut Bounded(&mut self.weight, Self::WEIGHT));
        each("solo", &mut self.solo);
        each("sort", &mut self.sort);
    }

    fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }
}

impl Fields for SavedSort {
    fn fields(&mut self, each: &mut dyn FnMut(&'static str, &mut dyn Part)) {
        each("path", &mut self.path);
        each("descending", &mut self.descending);
    }

    fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }
}

impl Settings {
    /// The same with every number within its range; NaN becomes the least.
    pub(crate) fn clamped(&self) -> Self {
        let mut settings = KeptSettings {
            settings: self.clone(),
            kept: Kept::new(),
        };
        let written = settings.write();
        settings.read(written, &mut Walk::default());
        settings.settings
    }
}

impl SavedState {
    fn to_value(&self) -> Value {
        let mut value = self.clone().write();
        if let Value::Object(fields) = &mut value {
            fields.entry("version").or_insert_with(|| VERSION.into());
        }
        value
    }

    /// Reads what is understood; a value of a wrong type is wrong in text of this version alone.
    fn from_value(mut value: Value) -> Result<Self, Wrong> {
        let version = value
            .get("version")
            .cloned()
            .unwrap_or_else(|| VERSION.into());
        let (mut saved, mut walk) = (Self::default(), Walk::default());
        if let Some(fields) = value.as_object_mut().filter(|_| version == VERSION) {
            fields.remove("version");
        }
        saved.read(value, &mut walk);
        let newer = version.as_u64().is_some_and(|version| version > VERSION);
        match walk.wrong {
            Some(wrong) if !newer => Err(wrong),
            _ if !newer && version != VERSION => Err(Wrong::version()),
            _ => Ok(saved),
        }
    }
}

impl fmt::Display for SavedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:#}", self.to_value())
    }
}

impl FromStr for SavedState {
    type Err = LoadError;

    /// Reads JSON of at most 4 MiB.
    fn from_str(text: &str) -> Result<Self, LoadError> {
        if text.len() > MAX_BYTES {
            return Err(LoadError::TooLong { path: None });
        }
        // Some editors begin a file with a byte-order mark.
        let json = text.trim_start_matches('\u{feff}');
        let value = serde_json::from_str(json).map_err(|error| LoadError::syntax(&error))?;
        Self::from_value(value).map_err(|wrong| LoadError::wrong(json, &wrong))
    }
}

impl Serialize for SavedState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SavedState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(value).map_err(|wrong| D::Error::custom(format_args!("expected {wrong}")))
    }
}

#[cfg(test)]
mod tests {
    use egui::Key;
    use serde_json::json;

    use super::*;

    fn problem(text: &str) -> String {
        text.parse::<SavedState>().unwrap_err().to_string()
    }

    #[test]
    fn names_and_defaults_never_change() {
        let pane = json!({
            "paths": ["frame time"], "view": "graph", "range": "auto", "log": false, "stacked": false,
            "value_scale": "auto", "log_counts": false, "per_frame": false, "weight": 1.0, "solo": null, "sort": null,
        });
        let expected = json!({
            "version": 1,
            "settings": {
                "key": "F3", "opacity": 0.96, "scale": 1.0, "history": 4096, "refresh_hz": 10.0, "appearance": "host",
                "palette": "standard", "frame_budget_ms": 1000.0 / 60.0, "display_hz": null,
                "excluded_marks": [], "hud_statistics": true, "overlay_budget_ms": 1.0, "pause_on_spike": null,
                "pause_delay_secs": 5.0, "pause_cooldown_secs": 2.0,
            },
            "presets": [], "favourites": [], "pinned": [],
            "layout": { "tree_share": 0.28, "active": 0, "panes": [pane] },
        });
        let text = SavedState::default().to_string();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
        assert!(
            text.starts_with("{\n  \"") && text.ends_with("}\n"),
            "{text}"
        );
    }

    #[test]
    fn what_is_missing_has_its_default() {
        for text in [
            "{}",
            "\u{feff}{}",
            r#"{"version":1,"settings":{},"layout":{}}"#,
        ] {
            assert_eq!(
                text.parse::<SavedState>().unwrap(),
                SavedState::default(),
                "{text}"
            );
        }
        let preset: SavedState = r#"{"presets":[{"panes":[{}]}]}"#.parse().unwrap();
        assert_eq!(
            preset.presets,
            [Preset::new("", vec![SavedPane::default()])]
        );
    }

    #[test]
    fn what_is_unknown_is_written_back() {
        let text = json!({
            "version": 1, "new": { "a": [1, 2.5, null] },
            "settings": { "key": "F99", "new": 18446744073709551615_u64, "palette": "sepia" },
            "presets": [{ "name": "n", "new": 0.1, "panes": [{ "new": true, "view": "pie", "sort": { "new": 1 } }] }],
            "layout": { "panes": [{ "range": "fair", "value_scale": "square", "new": "x" }], "new": {} },
        });
        let saved: SavedState = text.to_string().parse().unwrap();
        assert_eq!(
            (saved.settings.key, saved.presets[0].panes[0].view),
            (Some(Key::F3), PaneView::Graph)
        );
        let written: Value = serde_json::from_str(&saved.to_string()).unwrap();
        for place in [
            "/new",
            "/settings/key",
            "/settings/new",
            "/settings/palette",
            "/presets/0/new",
            "/presets/0/panes/0/new",
            "/presets/0/panes/0/view",
            "/presets/0/panes/0/sort/new",
            "/layout/panes/0/range",
            "/layout/panes/0/value_scale",
            "/layout/panes/0/new",
            "/layout/new",
        ] {
            assert_eq!(written.pointer(place), text.pointer(place), "{place}");
        }
        let mut changed = saved;
        changed.settings.key = None;
        changed.presets[0].panes[0].view = PaneView::Table;
        let written: Value = serde_json::from_str(&changed.to_string()).unwrap();
        assert_eq!(written.pointer("/settings/key"), Some(&Value::Null));
        assert_eq!(
            written.pointer("/presets/0/panes/0/view"),
            Some(&json!("table"))
        );
    }

    #[test]
    fn a_newer_version_is_kept_as_far_as_it_is_not_understood() {
        let text = json!({
            "version": 7,
            "settings": { "opacity": { "sheet": 0.5 }, "scale": 2.0 },
            "favourites": "all",
            "layout": { "panes": [7, { "paths": ["a", null] }], "active": [0] },
        });
        let saved: SavedState = text.to_string().parse().unwrap();
        assert_eq!((saved.settings.opacity, saved.settings.scale), (0.96, 2.0));
        assert_eq!(saved.layout.panes[0].paths, ["a"]);
        let written: Value = serde_json::from_str(&saved.to_string()).unwrap();
        for place in [
            "/version",
            "/settings/opacity",
            "/settings/scale",
            "/layout/active",
        ] {
            assert_eq!(written.pointer(place), text.pointer(place), "{place}");
        }
        assert_eq!(written.pointer("/favourites_kept"), Some(&json!(["all"])));
        assert_eq!(written.pointer("/layout/panes_kept"), Some(&json!([7])));
        assert_eq!(
            written.pointer("/layout/panes/0/paths_kept"),
            Some(&json!([null]))
        );
        assert_eq!(saved.to_string().parse::<SavedState>().unwrap(), saved);
    }

    #[test]
    fn lists_are_cut_and_lose_nothing() {
        let paths: Vec<String> = (0..MAX_SELECTED + 3)
            .map(|number| format!("many/{number}"))
            .collect();
        let panes: Vec<Value> = (0..MAX_PANES + 2)
            .map(|number| json!({ "paths": paths, "weight": number + 1 }))
            .collect();
        let saved: SavedState =
            json!({ "layout": { "panes": panes, "panes_kept": ["earlier"], "active": 99 } })
                .to_string()
                .parse()
                .unwrap();
        assert_eq!(
            (saved.layout.panes.len(), saved.layout.active),
            (MAX_PANES, MAX_PANES - 1)
        );
        assert_eq!(saved.layout.panes[3].paths, paths[..MAX_SELECTED]);
        let written: Value = serde_json::from_str(&saved.to_string()).unwrap();
        assert_eq!(
            written.pointer("/layout/panes_kept"),
            Some(&json!(["earlier", panes[MAX_PANES], panes[MAX_PANES + 1]]))
        );
        assert_eq!(
            written.pointer("/layout/panes/3/paths_kept"),
            Some(&json!(paths[MAX_SELECTED..]))
        );
        assert_eq!(saved.to_string().parse::<SavedState>().unwrap(), saved);
    }

    #[test]
    fn numbers_are_brought_within_their_ranges() {
        let read = |settings: &str| {
            format!("{{\"settings\":{{{settings}}}}}")
                .parse::<SavedState>()
                .unwrap()
                .settings
        };
        let low = read(
            r#""opacity":-1,"scale":0,"history":-5,"refresh_hz":0,"frame_budget_ms":0,"pause_delay_secs":-1e300"#,
        );
        assert_eq!(
            (low.opacity, low.scale, low.history, low.refresh_hz),
            (0.3, 0.5, 240, 1.0)
        );
        assert_eq!(
            (low.frame_budget_ms, low.pause_delay_secs),
            (Some(0.01), 0.0)
        );
        let high = read(
            r#""opacity":2,"scale":1e300,"history":1e300,"refresh_hz":61,"overlay_budget_ms":1e9,"frame_budget_ms":null"#,
        );
        assert_eq!(
            (high.opacity, high.scale, high.history, high.refresh_hz),
            (1.0, 3.0, stats_core::limits::MAX_HISTORY, 60.0)
        );
        assert_eq!(
            (high.overlay_budget_ms, high.frame_budget_ms),
            (10_000.0, None)
        );
        let saved: SavedState = r#"{"layout":{"tree_share":9,"panes":[{"weight":0}],"active":-3}}"#
            .parse()
            .unwrap();
        assert_eq!(
            (
                saved.layout.tree_share,
                saved.layout.panes[0].weight,
                saved.layout.active
            ),
            (0.8, 0.05, 0)
        );
        let odd = Settings {
            opacity: f32::NAN,
            scale: f32::INFINITY,
            frame_budget_ms: Some(f64::NAN),
            ..Settings::default()
        };
        let clamped = Settings {
            opacity: 0.3,
            scale: 3.0,
            frame_budget_ms: Some(0.01),
            ..Settings::default()
        };
        assert_eq!(odd.clamped(), clamped);
    }

    #[test]
    fn damaged_text_says_where_and_what_was_expected() {
        let cure = "Correct it there, or remove it to begin with the defaults.";
        for (text, expected) in [
            ("", "line 1, column 1: EOF while parsing a value"),
            (
                "{\n  \"settings\": {,}\n}",
                "line 2, column 16: key must be a string",
            ),
            ("{}\n}", "line 2, column 1: trailing characters"),
            (
                "[1]",
                "line 1, column 1: invalid type: sequence, expected an object",
            ),
            (
                "{\n \"settings\": {\n  \"opacity\": \"much\" } }",
                "line 3, column 19: invalid type: string \"much\", expected a number from 0.3 to 1 as settings.opacity",
            ),
            (
                r#"{"layout":{"panes":[{},{"view":3}]}}"#,
                "line 1, column 32: invalid type: integer `3`, expected \"graph\" or \"table\" or \"distribution\" or \"statistics\" as \
                 layout.panes[1].view",
            ),
            (
                r#"{"settings":{"opacity":1e999}}"#,
                "line 1, column 28: number out of range",
            ),
            (
                r#"{"version":0}"#,
                "line 1, column 12: invalid type: integer `0`, expected a whole number from 1 as version",
            ),
            (
                r#"{"favourites":["a",["b"]]}"#,
                "line 1, column 20: invalid type: sequence, expected text in quotes as favourites[1]",
            ),
        ] {
            assert_eq!(
                problem(text),
                format!("saved settings, {expected}. {cure}"),
                "{text}"
            );
        }
        assert!(problem(&"[".repeat(1 << 20)).contains("recursion limit exceeded"));
        assert!(problem(&r#"{"a":"#.repeat(1 << 19)).contains("recursion limit exceeded"));
        assert!(problem(&" ".repeat(MAX_BYTES + 1)).contains("longer than 4 MiB"));
        assert!(
            problem(&format!(
                r#"{{"favourites":{{"a":"{}"}}}}"#,
                "x".repeat(100_000)
            ))
            .len()
                < 500
        );
    }

    #[test]
    fn a_host_can_keep_it_among_its_own() {
        let saved: SavedState = r#"{"settings":{"key":null,"new":1}}"#.parse().unwrap();
        let value = serde_json::to_value(&saved).unwrap();
        assert_eq!(serde_json::from_value::<SavedState>(value).unwrap(), saved);
        let error = serde_json::from_value::<SavedState>(json!({ "pinned": [1] })).unwrap_err();
        assert_eq!(error.to_string(), "expected text in quotes as pinned[0]");
    }

    #[test]
    fn every_key_is_saved_by_its_name() {
        for &key in Key::ALL {
            let mut saved = SavedState::default();
            saved.settings.key = Some(key);
            assert_eq!(
                saved.to_string().parse::<SavedState>().unwrap(),
                saved,
                "{key:?}"
            );
        }
    }
}
