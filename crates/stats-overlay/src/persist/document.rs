//! [`SavedState`] as a JSON document, and back.
//!
//! Serde derives both directions; see [`saved`](super::saved). Every type collects unknown fields
//! with `#[serde(flatten)]`. A [`Shape`] sets aside the values that the derived code cannot read.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::load_error::LoadError;
use super::saved::{
    BaselineSeries, MAX_PANES, PaneLayout, Preset, SavedBaseline, SavedPane, SavedSort, SavedState,
};
use super::shape::Shape;
use crate::data::selection::MAX_SELECTED;
use crate::input::saved_field::Kept;
use crate::input::settings::Settings;

/// The version of the documents that this code writes.
const VERSION: u64 = 1;
/// The maximum length of a text that is read, in bytes: about a hundred times what an overlay in
/// regular use saves.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// The fields of a [`SavedState`], which implements serde's traits by hand.
#[derive(Serialize, Deserialize)]
#[serde(remote = "SavedState", expecting = "an object")]
struct Fields {
    #[serde(default)]
    settings: Settings,
    #[serde(default)]
    presets: Vec<Preset>,
    #[serde(default, alias = "favourites")]
    favorites: Vec<String>,
    #[serde(default)]
    pinned: Vec<String>,
    #[serde(default)]
    layout: PaneLayout,
    #[serde(default)]
    baselines: Vec<SavedBaseline>,
    #[serde(flatten)]
    kept: Kept,
}

/// A state as serde reads and writes it, with the unreadable values set aside.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Document(#[serde(with = "Fields")] SavedState);

/// The version alone.
#[derive(Deserialize)]
#[serde(default)]
struct Head {
    version: NonZeroU64,
}

impl Default for Head {
    fn default() -> Self {
        Self {
            version: NonZeroU64::MIN,
        }
    }
}

const STATE: Shape = Shape::of::<Document>(
    &[],
    &[
        ("settings", Shape::of::<Settings>(&[], &[])),
        ("presets", Shape::of::<Preset>(PANES, &[("panes", PANE)])),
        ("layout", Shape::of::<PaneLayout>(PANES, &[("panes", PANE)])),
        (
            "baselines",
            Shape::of::<SavedBaseline>(&[], &[("series", Shape::of::<BaselineSeries>(&[], &[]))]),
        ),
    ],
);
const PANES: &[(&str, usize)] = &[("panes", MAX_PANES)];
const PANE: Shape = Shape::of::<SavedPane>(
    &[("paths", MAX_SELECTED)],
    &[("sort", Shape::of::<SavedSort>(&[], &[]))],
);

/// An error with the path of the field that caused it.
type FieldError<E> = serde_path_to_error::Error<E>;

/// Returns whether a newer version wrote the document.
fn is_newer<'de, D: Deserializer<'de>>(document: D) -> Result<bool, FieldError<D::Error>> {
    let head: Head = serde_path_to_error::deserialize(document)?;
    Ok(head.version.get() > VERSION)
}

/// Returns the version of a document if it is newer than this code's.
pub(super) fn newer_version(text: &str) -> Option<u64> {
    let head: Head = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    Some(head.version.get()).filter(|&version| version > VERSION)
}

/// Returns an error unless every known field of a document has a value of its type.
fn check<'de, D: Deserializer<'de>>(document: D) -> Result<(), FieldError<D::Error>> {
    serde_path_to_error::deserialize(document).map(|_: Document| ())
}

impl SavedState {
    fn to_document(&self) -> Result<Value, serde_json::Error> {
        let mut document = serde_json::to_value(Document(self.clone().clamped()))?;
        STATE.put_back(&mut document);
        if let Value::Object(fields) = &mut document {
            fields.entry("version").or_insert_with(|| VERSION.into());
        }
        Ok(document)
    }

    /// Reads everything that can be read and keeps the rest.
    fn from_document(mut document: Value, is_newer: bool) -> Result<Self, serde_json::Error> {
        if let Some(fields) = document.as_object_mut().filter(|_| !is_newer) {
            fields.remove("version");
        }
        STATE.set_aside(&mut document);
        // Read by reference, as everywhere in this file. Reading by value would compile serde's
        // code once more.
        let Document(saved) = Document::deserialize(&document)?;
        Ok(saved.clamped())
    }
}

impl fmt::Display for SavedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:#}", self.to_document().map_err(|_| fmt::Error)?)
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
        let reader = || serde_json::Deserializer::from_str(json);
        let document = serde_json::from_str(json).map_err(|error| LoadError::syntax(&error))?;
        // Read the text again, because only errors about text contain a line and a column.
        let is_newer = is_newer(&mut reader()).map_err(|error| LoadError::field(&error))?;
        if !is_newer {
            check(&mut reader()).map_err(|error| LoadError::field(&error))?;
        }
        Self::from_document(document, is_newer).map_err(|error| LoadError::syntax(&error))
    }
}

impl Serialize for SavedState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document = self.to_document().map_err(serde::ser::Error::custom)?;
        document.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SavedState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Value::deserialize(deserializer)?;
        let damaged = |error: FieldError<serde_json::Error>| {
            D::Error::custom(format_args!("{} as {}", error.inner(), error.path()))
        };
        let is_newer = is_newer(&document).map_err(damaged)?;
        if !is_newer {
            check(&document).map_err(damaged)?;
        }
        Self::from_document(document, is_newer).map_err(D::Error::custom)
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
            "statistics_of": null,
        });
        let expected = json!({
            "version": 1,
            "settings": {
                "key": "F3", "cycle_hud": true, "cycle_watch": true, "cycle_full": true,
                "watch_place": "right", "watch_share": 0.4, "watch_opacity": 0.55, "opacity": 0.96, "scale": 1.0, "history": 4096, "refresh_hz": 10.0, "appearance": "host",
                "palette": "standard", "frame_budget_ms": 1000.0 / 60.0, "display_hz": null,
                "excluded_marks": [], "hud_statistics": true, "hitches": true, "hitches_while_hidden": false, "overlay_budget_ms": 1.0, "pause_on_spike": null,
                "pause_delay_secs": 5.0, "pause_cooldown_secs": 2.0,
            },
            "presets": [], "favorites": [], "pinned": [], "baselines": [],
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
                "line 3, column 19: invalid type: string \"much\", expected f64 as settings.opacity",
            ),
            (
                r#"{"layout":{"panes":[{},{"view":3}]}}"#,
                "line 1, column 32: invalid type: integer `3`, expected \"graph\" or \"table\" or \"distribution\" or \"statistics\" or \"hitches\" as \
                 layout.panes[1].view",
            ),
            (
                r#"{"settings":{"opacity":1e999}}"#,
                "line 1, column 28: number out of range",
            ),
            (
                r#"{"version":0}"#,
                "line 1, column 12: invalid value: integer `0`, expected a nonzero u64 as version",
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
        assert!(problem(&"[".repeat(1 << 20)).contains("recursion limit exceeded"));
        assert!(problem(&r#"{"a":"#.repeat(1 << 19)).contains("recursion limit exceeded"));
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
        let saved: SavedState = r#"{"settings":{"key":null,"new":1}}"#.parse().unwrap();
        let value = serde_json::to_value(&saved).unwrap();
        assert_eq!(serde_json::from_value::<SavedState>(value).unwrap(), saved);
        let error = serde_json::from_value::<SavedState>(json!({ "pinned": [1] })).unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid type: integer `1`, expected a string as pinned[0]"
        );
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
