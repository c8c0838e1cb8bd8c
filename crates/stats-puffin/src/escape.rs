//! Converts any name to one segment of a path, and back.

use std::borrow::Cow;

use stats_core::segment::{self, UNNAMED};

/// The segments that this crate uses itself, or that the overlay uses below a timer. A name that
/// equals one of them is escaped.
const RESERVED: [&str; 9] = [
    "self",
    "calls",
    "scopes",
    "unknown",
    "over-limit",
    "further-threads",
    "dropped-frames",
    "after-gap",
    "malformed-streams",
];

/// Returns the segment of a path for the name of a scope or a thread. Different names have
/// different segments.
///
/// Most names do not change. These characters are written as `%` and two hexadecimal digits for
/// each byte of their UTF-8:
///
/// - `/`, `%` and control characters,
/// - characters without width, and those that set the direction of writing,
/// - white space at the beginning or the end,
/// - the first character of a name that equals `calls` or one of this crate's own segments: `self`
///   becomes `%73elf`.
///
/// The empty name becomes `unnamed`. Names may have any length.
///
/// ```
/// assert_eq!(stats_puffin::escape("egui::Context::run"), "egui::Context::run");
/// assert_eq!(stats_puffin::escape("load a/b"), "load a%2Fb");
/// assert_eq!(stats_puffin::escape(" 100 %"), "%20100 %25");
/// ```
#[must_use]
pub fn escape(name: &str) -> Cow<'_, str> {
    segment::escape(name, &RESERVED)
}

/// Returns the name of a segment, or `None` for segments that [`escape()`] never returns: `%`
/// without two digits after it, bytes that are not UTF-8, this crate's own segments, and names that
/// were truncated (see [`Scopes`](crate::Scopes)).
///
/// ```
/// assert_eq!(stats_puffin::unescape("load a%2Fb").as_deref(), Some("load a/b"));
/// assert_eq!(stats_puffin::unescape("self"), None);
/// ```
#[must_use]
pub fn unescape(segment: &str) -> Option<String> {
    if segment == UNNAMED {
        return Some(String::new());
    }
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        bytes.push(hex(digits[0])? << 4 | hex(digits[1])?);
        rest = after;
    }
    // `escape` writes each name in exactly one way, so any other spelling is not a segment.
    String::from_utf8(bytes)
        .ok()
        .filter(|name| escape(name) == segment)
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Returns the segment of a name that may be very long.
pub(crate) fn bounded(name: &str) -> Cow<'_, str> {
    segment::bounded(name, &RESERVED)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use stats_core::segment::MAX_NAME;
    use stats_testing::Random;

    use super::{RESERVED, bounded, escape, unescape};

    fn round_trips(name: &str) {
        let segment = escape(name);
        assert!(
            !RESERVED.contains(&&*segment) || name.is_empty(),
            "{name:?} gives {segment:?}"
        );
        assert_eq!(unescape(&segment).as_deref(), Some(name), "by {segment:?}");
    }

    #[test]
    fn unusual_names_survive_a_round_trip() {
        let odd = [
            "", "/", "%", "%2F", "%%", "a/b", " ", "  ", " a ", "\u{a0}a", "\n", "a\tb", "\0",
            "\"'`", "🦀/…", "ü", "\u{85}", "\u{200b}", "%~",
        ];
        for name in odd.into_iter().chain(RESERVED).chain(["unnamed"]) {
            round_trips(name);
        }
        round_trips(&"/".repeat(10_000));
    }

    #[test]
    fn random_names_survive_a_round_trip_and_no_two_share_a_segment() {
        let letters: Vec<char> =
            "/%2F5 \n\té\u{a0}self🦀A~\u{200b}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}\u{feff}"
                .chars()
                .collect();
        let mut random = Random::new(1);
        let mut seen = HashMap::new();
        for _ in 0..20_000 {
            let name: String = (0..random.index(7))
                .map(|_| letters[random.index(letters.len())])
                .collect();
            round_trips(&name);
            assert_eq!(
                seen.entry(escape(&name).into_owned())
                    .or_insert_with(|| name.clone()),
                &name
            );
        }
    }

    #[test]
    fn every_valid_segment_is_written_back_unchanged() {
        let letters: Vec<char> = "%2F5f0selaé /".chars().collect();
        let mut random = Random::new(2);
        for _ in 0..50_000 {
            let text: String = (0..random.index(7))
                .map(|_| letters[random.index(letters.len())])
                .collect();
            if let Some(name) = unescape(&text) {
                assert_eq!(escape(&name), text);
            }
        }
    }

    #[test]
    fn invalid_segments_have_no_name() {
        for text in [
            "%", "%2", "%2f", "%GG", "%FF", "self", "%61", "a%", "%~0", "/", " a", "",
        ] {
            assert_eq!(unescape(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_truncated_name_has_no_name() {
        assert_eq!(unescape(&bounded(&"é".repeat(MAX_NAME))), None);
    }
}
