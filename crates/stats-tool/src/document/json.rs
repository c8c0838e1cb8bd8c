//! An object as JSON.

use std::fmt::Write;

use serde_json::Value;

use super::text::is_invisible;

/// Returns an object as JSON, with a newline at the end. Characters that a terminal would obey, or that
/// nobody sees, are escaped, so the object stays the same.
pub(crate) fn json_text(object: &Value) -> String {
    let plain = format!("{object:#}\n");
    let mut text = String::with_capacity(plain.len());
    for character in plain.chars() {
        // Between the fields only, since JSON escapes those of a string.
        if character == '\n' || !is_invisible(character) {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Never fails: a text grows.
            let _ = write!(text, "\\u{unit:04x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    #[test]
    fn no_character_controls_a_terminal_and_the_object_is_the_same() {
        let object = json!({ "\u{9b}2J\u{202e}\u{7f}": ["\u{1b}[31m\n", "\u{e0041}é🦀"] });
        let text = super::json_text(&object);
        assert!(
            !text.replace('\n', "").chars().any(super::is_invisible),
            "{text:?}"
        );
        assert!(
            text.contains("\\u009b2J\\u202e") && text.contains("é🦀"),
            "{text}"
        );
        let read: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read, object);
    }
}
