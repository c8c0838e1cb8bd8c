//! A line of text that is shown for a few seconds: what was copied, where a file was saved, what
//! failed.

/// How long a notice is shown, in seconds.
const SHOWN_SECS: f64 = 6.0;

/// The last notice.
#[derive(Debug, Default)]
pub(crate) struct Notice {
    text: String,
    /// When it was first shown; `None` until the next pass, which knows the time.
    since_secs: Option<f64>,
    is_alert: bool,
}

impl Notice {
    /// Shows a text.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        *self = Self {
            text: text.into(),
            since_secs: None,
            is_alert: false,
        };
    }

    /// Shows a text about something that failed.
    pub(super) fn warn(&mut self, text: impl Into<String>) {
        *self = Self {
            text: text.into(),
            since_secs: None,
            is_alert: true,
        };
    }

    /// Returns the text to show now, and whether it is about something that failed.
    pub(super) fn shown(&mut self, now_secs: f64) -> Option<(&str, bool)> {
        let since = *self.since_secs.get_or_insert(now_secs);
        let fresh = (0.0..SHOWN_SECS).contains(&(now_secs - since));
        (fresh && !self.text.is_empty()).then_some((self.text.as_str(), self.is_alert))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_disappears_after_a_while() {
        let mut notice = Notice::default();
        assert_eq!(notice.shown(0.0), None);
        notice.say("copied");
        assert_eq!(notice.shown(100.0), Some(("copied", false)));
        assert_eq!(
            notice.shown(100.0 + SHOWN_SECS - 0.1),
            Some(("copied", false))
        );
        assert_eq!(notice.shown(100.0 + SHOWN_SECS), None);
        notice.warn("no room");
        assert_eq!(notice.shown(200.0), Some(("no room", true)));
    }
}
