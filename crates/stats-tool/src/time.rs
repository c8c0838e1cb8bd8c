//! The times at which runs began.

/// Converts an RFC 3339 time to UTC, as text that sorts by time. Returns other texts unchanged.
pub(crate) fn utc_text(time: &str) -> String {
    match chrono::DateTime::parse_from_rfc3339(time) {
        Ok(time) => time.to_utc().format("%Y-%m-%dT%H:%M:%S%.9fZ").to_string(),
        Err(_) => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::utc_text;

    #[test]
    fn times_in_different_zones_sort_by_time() {
        let times = [
            "2026-11-01T09:00:00+09:00",
            "2026-11-01T00:30:00Z",
            "2026-11-01T00:30:00.25Z",
            "2026-10-31T20:00:00-05:00",
        ];
        let texts: Vec<String> = times.into_iter().map(utc_text).collect();
        assert!(texts.is_sorted(), "{texts:?}");
        assert_eq!(utc_text("yesterday"), "yesterday");
    }
}
