//! The last row of a file: `[key],value,[key],value`. A value may contain brackets, and the command
//! line, which comes last, contains commas and quotes.

use chrono::{DateTime, SecondsFormat};

use super::Log;

/// The pairs of keys, in lower case, and values.
#[derive(Debug, Default)]
pub(super) struct Metadata(Vec<(String, String)>);

impl Metadata {
    pub(super) fn of(line: &str) -> Self {
        let mut pairs = Vec::new();
        let mut rest = line;
        // Pairs by position, because a value may look like a key.
        while let Some((key, after)) = rest.split_once(',') {
            let key = key
                .trim()
                .trim_start_matches('[')
                .trim_end_matches(']')
                .to_lowercase();
            if key == "commandline" {
                pairs.push((key, without_quotes(after).to_owned()));
                break;
            }
            let (value, next) = after.split_once(',').unwrap_or((after, ""));
            pairs.push((key, value.trim().to_owned()));
            rest = next;
        }
        Self(pairs)
    }

    fn get(&self, key: &str) -> Option<String> {
        let found = self.0.iter().find(|(name, _)| name == key);
        found
            .map(|(_, value)| value.clone())
            .filter(|value| !value.is_empty())
    }

    /// Returns the target frame rate.
    pub(super) fn target_fps(&self) -> Option<f64> {
        let fps = self.get("targetframerate")?.parse::<f64>().ok()?;
        (fps.is_finite() && fps > 0.0).then_some(fps)
    }

    /// Adds the facts to a run.
    pub(super) fn describe(&self, log: &mut Log) {
        let run = &mut log.run;
        run.platform = self.get("platform").unwrap_or_default();
        run.build = self.get("buildversion");
        run.commit = self.get("commit");
        run.branch = self.get("branch");
        run.scenario = self.get("scenario");
        run.machine.os = self.get("os");
        run.machine.cpu = self.get("cpu");
        run.machine.gpu = self.get("desktopgpuadapter").or_else(|| self.get("gpu"));
        run.command = self.get("commandline").into_iter().collect();
        if let Some(started_at) = self.get("starttimestamp").and_then(|text| date(&text)) {
            run.started_at = started_at;
        }
        for (label, key) in [
            ("config", "config"),
            ("device profile", "deviceprofile"),
            ("engine version", "engineversion"),
            ("target frame rate", "targetframerate"),
        ] {
            log.label(label, self.get(key).unwrap_or_default());
        }
    }
}

/// Returns a time in seconds since 1970, or in the format of RFC 3339.
fn date(text: &str) -> Option<String> {
    let of_seconds = text
        .parse::<i64>()
        .ok()
        .and_then(|secs| DateTime::from_timestamp(secs, 0));
    let of_text = || Some(DateTime::parse_from_rfc3339(text).ok()?.to_utc());
    let date = of_seconds.or_else(of_text)?;
    Some(date.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

/// Removes the quotes around a command line, if there are any.
fn without_quotes(text: &str) -> &str {
    let text = text.trim();
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    // The quotes of a program's path are its own.
    match inner {
        Some(inner)
            if inner.starts_with(' ')
                || inner.matches('"').count() % 2 == 0 && !inner.contains("\" ") =>
        {
            inner.trim()
        }
        _ => text,
    }
}
