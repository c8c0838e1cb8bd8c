//! Path segments for names that were not written as paths.

use std::borrow::Cow;
use std::fmt::Write;

/// The segment of the empty name.
pub const UNNAMED: &str = "unnamed";

/// The length, in bytes, of the longest name that [`bounded`] keeps whole.
pub const MAX_NAME: usize = 200;

/// Returns the path segment for a name. Different names have different segments, and most names do
/// not change. For sources whose names come from elsewhere, and may contain anything.
///
/// These characters are written as `%` and two hexadecimal digits for each byte of their UTF-8:
///
/// - `/`, `%` and control characters,
/// - characters without width, and those that set the direction of writing,
/// - white space at the beginning or the end,
/// - the first character of a name that equals [`UNNAMED`] or one of `reserved`, which are the
///   segments that the source uses itself.
///
/// The empty name becomes [`UNNAMED`].
///
/// ```
/// use stats_core::segment::escape;
///
/// assert_eq!(escape("egui::Context::run", &[]), "egui::Context::run");
/// assert_eq!(escape("GET /users", &[]), "GET %2Fusers");
/// assert_eq!(escape("self", &["self"]), "%73elf");
/// ```
#[must_use]
pub fn escape<'a>(name: &'a str, reserved: &[&str]) -> Cow<'a, str> {
    if name.is_empty() {
        return Cow::Borrowed(UNNAMED);
    }
    let is_reserved = name == UNNAMED || reserved.contains(&name);
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

/// Returns the path segment for a name that may be very long. If the name has at most [`MAX_NAME`]
/// bytes, the segment is what [`escape`] returns. A longer name is truncated and followed by `%~`, which no
/// escape contains, and a hash of the whole name.
#[must_use]
pub fn bounded<'a>(name: &'a str, reserved: &[&str]) -> Cow<'a, str> {
    if name.len() <= MAX_NAME {
        return escape(name, reserved);
    }
    let cut = &name[..name.floor_char_boundary(MAX_NAME)];
    Cow::Owned(format!("{}%~{:016X}", escape(cut, reserved), hash(name)))
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

/// Returns the 64-bit FNV-1a hash, which is the same in every run, as paths must be. `stats-ui` has
/// the same function: neither crate should depend on the other for three lines.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use stats_testing::Random;

    use super::{MAX_NAME, bounded, escape, is_invisible};

    fn is_segment(segment: &str) -> bool {
        !segment.is_empty()
            && !segment.contains('/')
            && segment.trim() == segment
            && !segment.contains(char::is_control)
            && !segment.contains(is_invisible)
    }

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(escape("a\u{202e}b", &[]), "a%E2%80%AEb");
        let escaped = |letter: &char| escape(&format!("a{letter}b"), &[]).contains('%');
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
    fn every_name_is_a_segment_and_no_two_names_share_one() {
        let letters: Vec<char> = "/%2F \n\té\u{a0}self🦀\u{200b}\u{202e}".chars().collect();
        let mut random = Random::new(1);
        let mut seen = HashMap::new();
        let reserved = ["self", "calls", "unnamed"].map(str::to_owned);
        for name in (0..20_000)
            .map(|_| {
                let length = random.index(7);
                let letters = (0..length).map(|_| letters[random.index(letters.len())]);
                letters.collect::<String>()
            })
            .chain(reserved)
            .chain([String::new()])
        {
            let segment = escape(&name, &["self", "calls"]).into_owned();
            assert!(is_segment(&segment), "{name:?} gives {segment:?}");
            assert!(!["self", "calls"].contains(&&*segment));
            assert_eq!(seen.entry(segment).or_insert_with(|| name.clone()), &name);
        }
    }

    #[test]
    fn a_very_long_name_is_truncated_and_stays_distinct() {
        let long = "é".repeat(MAX_NAME);
        let longer = format!("{long}!");
        let (one, other) = (bounded(&long, &[]), bounded(&longer, &[]));
        assert_ne!(one, other);
        assert!(is_segment(&one) && one.len() < 3 * MAX_NAME + 20);
        let whole = "a".repeat(MAX_NAME);
        assert_eq!(bounded(&whole, &[]), whole);
    }
}
