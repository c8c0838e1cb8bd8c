//! The environment variables by which `stats record`, or a script, asks a program to record itself.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::{Capture, CaptureError, CaptureOptions, RecordingOptions, Recordings, SpanFrames};

/// Starts a capture if the environment variable `STATS_CAPTURE` names a file; returns `None` if the
/// variable is unset or empty.
///
/// The other variables are those of [`CaptureOptions::from_env`].
///
/// # Errors
///
/// Those of [`Capture::create`], and [`CaptureError::Variable`].
pub fn from_env() -> Result<Option<Capture>, CaptureError> {
    let _memory = stats_core::own_memory("stats-capture");
    let path = env::var_os("STATS_CAPTURE").filter(|path| !path.is_empty());
    path.map(|path| Capture::create(path, CaptureOptions::from_env()?))
        .transpose()
}

impl Recordings {
    /// Returns recordings with the options from the environment. Starts recording if
    /// `STATS_CAPTURE` names a file.
    ///
    /// The other variables are those of [`CaptureOptions::from_env`] and
    /// [`RecordingOptions::from_env`].
    ///
    /// # Errors
    ///
    /// Those of [`start`](Self::start), and [`CaptureError::Variable`].
    pub fn from_env() -> Result<Self, CaptureError> {
        let _memory = stats_core::own_memory("stats-capture");
        let mut recordings = Self::new(RecordingOptions::from_env()?);
        if let Some(path) = env::var_os("STATS_CAPTURE").filter(|path| !path.is_empty()) {
            recordings.start(path)?;
        }
        Ok(recordings)
    }
}

impl RecordingOptions {
    /// Returns the options from the environment, with the default for each variable that is not
    /// set.
    ///
    /// | variable | field |
    /// |---|---|
    /// | `STATS_CAPTURE_FOLDER` | [`folder`](Self::folder) |
    /// | `STATS_CAPTURE_RECENT` | [`recent`](Self::recent), in seconds: `60` |
    /// | `STATS_CAPTURE_SAVE_HITCHES` | [`save_hitches`](Self::save_hitches), in seconds: `300` |
    ///
    /// [`capture`](Self::capture) comes from [`CaptureOptions::from_env`]. An empty variable counts
    /// as not set.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Variable`] if a value cannot be read.
    pub fn from_env() -> Result<Self, CaptureError> {
        let _memory = stats_core::own_memory("stats-capture");
        Self::from_variables(CaptureOptions::from_env()?, |name| env::var_os(name))
    }

    fn from_variables(
        capture: CaptureOptions,
        read: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, CaptureError> {
        let set = |name| read(name).filter(|value| !value.is_empty());
        let default = Self::default();
        let seconds = |name| {
            let duration = set(name).map(|value| {
                let value = value.to_string_lossy().into_owned();
                let seconds = value.parse::<f64>().ok();
                let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                time.ok_or_else(|| bad(name, "a number of seconds such as 60", value))
            });
            duration.transpose()
        };
        Ok(Self {
            folder: set("STATS_CAPTURE_FOLDER").map_or(default.folder, PathBuf::from),
            recent: seconds("STATS_CAPTURE_RECENT")?.unwrap_or(default.recent),
            save_hitches: seconds("STATS_CAPTURE_SAVE_HITCHES")?,
            capture,
            ..default
        })
    }
}

impl CaptureOptions {
    /// Returns the options from the environment, with the default for each variable that is not
    /// set.
    ///
    /// | variable | field |
    /// |---|---|
    /// | `STATS_CAPTURE_BUILD` | [`build`](Self::build) |
    /// | `STATS_CAPTURE_COMMIT` | [`commit`](Self::commit) |
    /// | `STATS_CAPTURE_BRANCH` | [`branch`](Self::branch) |
    /// | `STATS_CAPTURE_SCENARIO` | [`scenario`](Self::scenario) |
    /// | `STATS_CAPTURE_SEED` | [`seed`](Self::seed), a whole number below 2⁶⁴ |
    /// | `STATS_CAPTURE_LABELS` | [`labels`](Self::labels), a JSON object of texts: `{"tier":"low"}` |
    /// | `STATS_CAPTURE_SCOPES` | [`spans`](Self::spans): `hitches`, `all` or `none` |
    ///
    /// An empty variable counts as not set.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Variable`] if a value cannot be read.
    pub fn from_env() -> Result<Self, CaptureError> {
        let _memory = stats_core::own_memory("stats-capture");
        Self::from_variables(|name| {
            let value = env::var_os(name)?;
            Some(value.to_string_lossy().into_owned())
        })
    }

    fn from_variables(read: impl Fn(&str) -> Option<String>) -> Result<Self, CaptureError> {
        let text = |name| read(name).filter(|value| !value.is_empty());
        let default = Self::default();
        let seed = text("STATS_CAPTURE_SEED").map(|value| {
            let expected = "a whole number below 2^64";
            value
                .parse::<u64>()
                .map_err(|_| bad("STATS_CAPTURE_SEED", expected, value))
        });
        let labels = text("STATS_CAPTURE_LABELS").map(|value| {
            let expected = "a JSON object of texts such as {\"tier\":\"low\"}";
            serde_json::from_str::<BTreeMap<String, String>>(&value)
                .map_err(|_| bad("STATS_CAPTURE_LABELS", expected, value))
        });
        let spans = text("STATS_CAPTURE_SCOPES").map(|value| match value.as_str() {
            "hitches" => Ok(SpanFrames::Hitches),
            "all" => Ok(SpanFrames::All),
            "none" => Ok(SpanFrames::None),
            _ => Err(bad("STATS_CAPTURE_SCOPES", "hitches, all or none", value)),
        });
        Ok(Self {
            spans: spans.transpose()?.unwrap_or(default.spans),
            build: text("STATS_CAPTURE_BUILD").or(default.build),
            commit: text("STATS_CAPTURE_COMMIT"),
            branch: text("STATS_CAPTURE_BRANCH"),
            scenario: text("STATS_CAPTURE_SCENARIO"),
            seed: seed.transpose()?,
            labels: labels.transpose()?.unwrap_or_default(),
            ..default
        })
    }
}

fn bad(name: &'static str, expected: &'static str, value: String) -> CaptureError {
    CaptureError::Variable {
        name,
        expected,
        value,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::{CaptureOptions, RecordingOptions, SpanFrames};

    fn read(variables: &[(&str, &str)]) -> Result<CaptureOptions, String> {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        CaptureOptions::from_variables(|name| find(name).map(|(_, value)| (*value).to_owned()))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn variables_override_the_defaults_and_empty_ones_do_not() {
        assert_eq!(read(&[]), Ok(CaptureOptions::default()));
        let empty = ["BUILD", "COMMIT", "SEED", "LABELS", "SCOPES"]
            .map(|name| format!("STATS_CAPTURE_{name}"));
        let empty: Vec<(&str, &str)> = empty.iter().map(|name| (name.as_str(), "")).collect();
        assert_eq!(read(&empty), Ok(CaptureOptions::default()));
        let all = read(&[
            ("STATS_CAPTURE_BUILD", "nightly"),
            ("STATS_CAPTURE_COMMIT", "abc"),
            ("STATS_CAPTURE_BRANCH", "main"),
            ("STATS_CAPTURE_SCENARIO", "smoke"),
            ("STATS_CAPTURE_SEED", "18446744073709551615"),
            ("STATS_CAPTURE_LABELS", r#"{"tier":"low","map":"Über"}"#),
            ("STATS_CAPTURE_SCOPES", "all"),
        ]);
        let expected = CaptureOptions {
            build: Some("nightly".into()),
            commit: Some("abc".into()),
            branch: Some("main".into()),
            scenario: Some("smoke".into()),
            seed: Some(u64::MAX),
            labels: [("tier", "low"), ("map", "Über")]
                .map(|(name, value)| (name.into(), value.into()))
                .into(),
            spans: SpanFrames::All,
            ..CaptureOptions::default()
        };
        assert_eq!(all, Ok(expected));
    }

    #[test]
    fn recordings_read_their_folder_and_duration_from_variables() {
        let read = |recent: &str| {
            let find = |name: &str| match name {
                "STATS_CAPTURE_FOLDER" => Some("runs".into()),
                "STATS_CAPTURE_RECENT" => Some(recent.into()),
                "STATS_CAPTURE_SAVE_HITCHES" => Some("300".into()),
                _ => None,
            };
            RecordingOptions::from_variables(CaptureOptions::default(), find)
        };
        let options = read("1.5").unwrap();
        assert_eq!(options.folder, Path::new("runs"));
        assert_eq!(options.recent, Duration::from_millis(1500));
        assert_eq!(options.save_hitches, Some(Duration::from_secs(300)));
        assert_eq!(read("").unwrap().recent, Duration::ZERO);
        for bad in ["-1", "a minute", "NaN", "1e30"] {
            let error = read(bad).unwrap_err().to_string();
            assert!(error.contains("STATS_CAPTURE_RECENT"), "{error}");
        }
    }

    #[test]
    fn an_error_about_a_value_names_its_variable() {
        for (name, value) in [
            ("STATS_CAPTURE_SEED", "-1"),
            ("STATS_CAPTURE_SEED", "18446744073709551616"),
            ("STATS_CAPTURE_LABELS", "tier=low"),
            ("STATS_CAPTURE_LABELS", r#"{"tier":1}"#),
            ("STATS_CAPTURE_SCOPES", "All"),
        ] {
            let error = read(&[(name, value)]).unwrap_err();
            assert!(
                error.contains(name) && error.contains("unset it"),
                "{error}"
            );
        }
    }
}
