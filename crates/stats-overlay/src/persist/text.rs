//! [`SavedState`] as JSON, and back.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::load_error::LoadError;
use super::saved::SavedState;

/// The version of the texts that this code writes. It increases with each new field.
const VERSION: u32 = 1;
/// The maximum length of a text that is read, in bytes: about a hundred times what an overlay in
/// regular use saves.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// The field `version` of a state. It is always written as [`VERSION`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Version;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            0 => Err(serde::de::Error::custom("there is no version 0")),
            1..=VERSION => Ok(Self),
            newer => Err(serde::de::Error::custom(format_args!(
                "version {newer} is newer than {VERSION}, the newest that this program reads"
            ))),
        }
    }
}

/// Returns the version of a text if it is newer than this code's.
fn newer_version(json: &str) -> Option<u32> {
    let text: Value = serde_json::from_str(json).ok()?;
    let version = u32::try_from(text.get("version")?.as_u64()?).ok();
    version.filter(|&version| version > VERSION)
}

impl Serialize for SavedState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The derived function; JSON has neither NaN nor infinity.
        Self::serialize(&self.clone().clamped(), serializer)
    }
}

impl<'de> Deserialize<'de> for SavedState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The derived function.
        Self::deserialize(deserializer).map(Self::clamped)
    }
}

impl fmt::Display for SavedState {
    /// Writes indented JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?;
        writeln!(f, "{text}")
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
        let read = serde_json::from_str(json).map_err(|error| LoadError::of(&error, json));
        // The fields of a newer version may have other types, so its version is looked up last.
        read.map_err(|error| match newer_version(json) {
            Some(version) => LoadError::Newer {
                path: None,
                version,
            },
            None => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use egui::Key;
    use serde_json::json;

    use super::*;
    use crate::input::settings::Settings;
    use crate::persist::saved::{Preset, SavedPane};

    fn problem(text: &str) -> String {
        text.parse::<SavedState>().unwrap_err().to_string()
    }
    #[test]
    fn names_and_defaults_never_change() {
        let pane = json!({
            "paths": ["frame time"], "name": "", "view": "graph", "weight": 1.0,
            "graph": { "range": "auto", "log": false, "stacked": false, "solo": null },
            "table": { "sort": null },
            "distribution": { "scale": "auto", "log_counts": false, "per_frame": false },
            "statistics": { "of": null },
            "costs": { "sort": "itself", "by_thread": false, "tree": false },
        });
        let expected = json!({
            "version": 1,
            "settings": {
                "key": "F3", "cycle_hud": true, "cycle_watch": true, "cycle_full": true, "first_steps": true,
                "watch_place": "right", "watch_share": 0.4, "watch_opacity": 0.7, "opacity": 0.96, "scale": 1.0, "history": 4096, "refresh_hz": 10.0, "seconds": false, "appearance": "host",
                "palette": "standard", "frame_budget_ms": 1000.0 / 60.0, "display_hz": null,
                "excluded_marks": [], "hud_place": "top_right", "hud_size": "medium", "hud_statistics": true, "hitches": true, "hitches_while_hidden": false, "flight_recorder": false, "overlay_budget_ms": 1.0, "pause_on_spike": null,
                "pause_delay_secs": 5.0, "pause_cooldown_secs": 2.0,
            },
            "presets": [], "favorites": [], "pinned": [], "colors": {}, "baselines": [],
            "layout": { "tree_share": 0.28, "active": 0, "mode": null, "panes": [pane] },
        });
        let text = SavedState::default().to_string();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
        assert!(
            text.starts_with("{\n  \"") && text.ends_with("}\n"),
            "{text}"
        );
    }

    #[test]
    fn missing_fields_have_their_defaults() {
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
    fn numbers_are_clamped_to_their_range() {
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
    fn an_error_has_the_place_and_the_expected_type() {
        let cure = "Correct it there, or begin with the defaults: the next save keeps this text beside the new one.";
        for (text, expected) in [
            ("", "line 1, column 1: EOF while parsing a value"),
            (
                "{\n  \"settings\": {,}\n}",
                "line 2, column 16: key must be a string",
            ),
            ("{}\n}", "line 2, column 1: trailing characters"),
            (
                "7",
                "line 1, column 1: invalid type: integer `7`, expected an object",
            ),
            (
                r#"{"layout":{"panes":[{"view":"pie"}]}}"#,
                "line 1, column 33: invalid value: string \"pie\", expected \"graph\" or \"table\" or \"distribution\" or \"statistics\" or \"hitches\" \
                 or \"timeline\" or \"costs\" as \
                 layout.panes[0].view",
            ),
            (
                r#"{"settings":{"key":"F99"}}"#,
                "line 1, column 25: invalid value: string \"F99\", expected the name of a key, such as \"F3\" as settings.key",
            ),
            (
                r#"{"settings":{"bindings":{"TogglePuase":["K"]}}}"#,
                "line 1, column 38: there is no action \"TogglePuase\"; docs/overlay.md lists them, such as \"TogglePause\" \
                 as settings.bindings.TogglePuase",
            ),
            (
                r#"{"settings":{"bindings":{"ToggleLog":["Ctrl+V"]}}}"#,
                "line 1, column 48: Ctrl+V shows a pasted view, and cannot be bound as settings.bindings",
            ),
            (
                "{\n \"settings\": {\n  \"opacity\": \"much\" } }",
                "line 3, column 19: invalid type: string \"much\", expected f64 as settings.opacity",
            ),
            (
                r#"{"layout":{"panes":[{},{"view":3}]}}"#,
                "line 1, column 32: invalid type: integer `3`, expected \"graph\" or \"table\" or \"distribution\" or \"statistics\" or \"hitches\" \
                 or \"timeline\" or \"costs\" as \
                 layout.panes[1].view",
            ),
            (
                r#"{"settings":{"opacity":1e999}}"#,
                "line 1, column 28: number out of range",
            ),
            (
                r#"{"version":0}"#,
                "line 1, column 13: there is no version 0 as version",
            ),
            (
                r#"{"favorites":["a",["b"]]}"#,
                "line 1, column 18: invalid type: sequence, expected a string as favorites[1]",
            ),
        ] {
            assert_eq!(
                problem(text),
                format!("saved settings, {expected}. {cure}"),
                "{text}"
            );
        }
        // Deep nesting is an error, not a stack overflow.
        for deep in ["[", r#"{"settings":"#, r#"{"a":"#] {
            assert!(
                problem(&deep.repeat(1 << 18)).contains("line 1, column"),
                "{deep}"
            );
        }
        assert!(problem(&" ".repeat(MAX_BYTES + 1)).contains("longer than 4 MiB"));
        assert!(
            problem(&format!(
                r#"{{"favorites":{{"a":"{}"}}}}"#,
                "x".repeat(100_000)
            ))
            .len()
                < 500
        );
    }

    #[test]
    fn a_host_can_embed_a_state_in_its_own_document() {
        let mut saved = SavedState::default();
        saved.settings.key = None;
        saved.settings.scale = f32::NAN;
        let value = serde_json::to_value(&saved).unwrap();
        assert_eq!(
            serde_json::from_value::<SavedState>(value).unwrap(),
            saved.clamped()
        );
        for (value, problem) in [
            (
                json!({ "pinned": [1] }),
                "invalid type: integer `1`, expected a string",
            ),
            (
                json!({ "version": 2 }),
                "version 2 is newer than 1, the newest that this program reads",
            ),
        ] {
            let error = serde_json::from_value::<SavedState>(value).unwrap_err();
            assert_eq!(error.to_string(), problem);
        }
    }

    #[test]
    fn a_text_of_a_newer_version_is_refused_whatever_its_fields_are() {
        for text in [
            r#"{"version":7}"#,
            r#"{"settings":{"opacity":{"sheet":0.5}},"new":[],"version":7}"#,
        ] {
            assert!(matches!(
                text.parse::<SavedState>(),
                Err(LoadError::Newer {
                    path: None,
                    version: 7
                })
            ));
        }
        assert!(problem(r#"{"version":7}"#).contains("version 7"));
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
