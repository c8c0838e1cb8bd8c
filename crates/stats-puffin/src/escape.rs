//! Converts any name to one segment of a path, and back.

use std::borrow::Cow;
use std::fmt::Write;

/// The segments that this crate uses itself, or that the overlay uses below a timer. A name that
/// equals one of them is escaped.
const RESERVED: [&str; 9] = [
    "self",
    "calls",
    "scopes",
    "unknown",
    UNNAMED,
    "over-limit",
    "dropped-frames",
    "after-gap",
    "malformed-streams",
];

/// The segment of the empty name.
const UNNAMED: &str = "unnamed";

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
    if name.is_empty() {
        return Cow::Borrowed(UNNAMED);
    }
    let is_reserved = RESERVED.contains(&name);
    if !is_reserved
        && !name
            .char_indices()
            .any(|(at, letter)| must_escape(name, at, letter))
    {
        return Cow::Borrowed(name);
    }
    let mut escaped = String::with_capacity(name.len() + 8);
    for (at, letter) in name.char_indices() {
        if must_escape(name, at, letter) || (at == 0 && is_reserved) {
            push_escaped(&mut escaped, letter);
        } else {
            escaped.push(letter);
        }
    }
    Cow::Owned(escaped)
}

fn must_escape(name: &str, at: usize, letter: char) -> bool {
    let is_outermost = at == 0 || at + letter.len_utf8() == name.len();
    matches!(letter, '/' | '%')
        || letter.is_control()
        || is_invisible(letter)
        || (is_outermost && letter.is_whitespace())
}

/// Returns whether a character is invisible or changes the order of others. With such characters,
/// different names could look the same.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

fn push_escaped(escaped: &mut String, letter: char) {
    for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
        // Writing into a string does not fail.
        let _ = write!(escaped, "%{byte:02X}");
    }
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

/// The length, in bytes, of the longest name that is not truncated.
const MAX_NAME: usize = 200;

/// Returns the segment of a name that may be very long. A name of more than [`MAX_NAME`] bytes is
/// truncated and followed by `%~`, which no escape contains, and a hash of the whole name.
pub(crate) fn segment(name: &str) -> Cow<'_, str> {
    if name.len() <= MAX_NAME {
        return escape(name);
    }
    let cut = &name[..name.floor_char_boundary(MAX_NAME)];
    Cow::Owned(format!("{}%~{:016X}", escape(cut), hash(name)))
}

/// Returns the 64-bit FNV-1a hash, which is the same in every run, as paths must be. `stats-ui` has
/// a copy of the function, so that neither crate depends on the other for three lines.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use stats_testing::Random;

    use super::{MAX_NAME, RESERVED, escape, segment, unescape};

    fn is_segment(segment: &str) -> bool {
        !segment.is_empty()
            && !segment.contains('/')
            && segment.trim() == segment
            && !segment.contains(char::is_control)
            && !segment.contains(super::is_invisible)
    }

    fn round_trips(name: &str) {
        let segment = escape(name);
        assert!(is_segment(&segment), "{name:?} gives {segment:?}");
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
        for name in odd.into_iter().chain(RESERVED) {
            round_trips(name);
        }
        round_trips(&"/".repeat(10_000));
    }

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(escape("a\u{202e}b"), "a%E2%80%AEb");
        let escaped = |letter: &char| escape(&format!("a{letter}b")).contains('%');
        let all = [
            '\u{200a}'..='\u{2010}',
            '\u{2029}'..='\u{202f}',
            '\u{2065}'..='\u{206a}',
            '\u{fefe}'..='\u{ff00}',
        ];
        let which: Vec<u32> = all
            .into_iter()
            .flatten()
            .filter(escaped)
            .map(u32::from)
            .collect();
        let expected = (0x200B..=0x200F)
            .chain(0x202A..=0x202E)
            .chain(0x2066..=0x2069)
            .chain([0xFEFF]);
        assert!(which.iter().copied().eq(expected), "{which:X?}");
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
    fn a_very_long_name_is_truncated_and_stays_distinct() {
        let long = "é".repeat(MAX_NAME);
        let (one, other) = (
            segment(&long).into_owned(),
            segment(&format!("{long}!")).into_owned(),
        );
        assert_ne!(one, other);
        assert!(is_segment(&one) && one.len() < 3 * MAX_NAME + 20);
        assert_eq!(unescape(&one), None);
        let whole = "a".repeat(MAX_NAME);
        assert_eq!(segment(&whole), whole);
    }
}
