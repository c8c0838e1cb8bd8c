//! Text on one line, and in lower case.

use std::borrow::Cow;

/// Returns `text` on one line: control characters are escaped, marks of writing direction are
/// removed, and the text ends with … after `limit` characters.
pub fn one_line(text: &str, limit: usize) -> Cow<'_, str> {
    // Most texts need no change.
    if text.len() <= limit && text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len().min(limit * 4));
    for (count, character) in text.chars().enumerate() {
        if count == limit {
            line.push('…');
            break;
        }
        match character {
            // Marks of writing direction could reorder the text around them.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            control if control.is_control() => line.extend(control.escape_default()),
            other => line.push(other),
        }
    }
    Cow::Owned(line)
}

/// Appends `text` in lower case, like [`str::to_lowercase`] except for the final sigma.
pub fn push_lower(text: &str, out: &mut String) {
    if text.is_ascii() {
        let start = out.len();
        out.push_str(text);
        out[start..].make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

/// Returns `text` in lower case; see [`push_lower`].
pub fn lower(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_lower(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_control_characters() {
        assert_eq!(one_line("a\nb\tc", 100), "a\\nb\\tc");
        assert_eq!(one_line("a\u{202e}b", 100), "ab");
        assert_eq!(one_line(&"x".repeat(10_000), 5), "xxxxx…");
    }
}
