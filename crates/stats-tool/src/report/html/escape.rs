//! Text in HTML and SVG.

/// Returns text that means itself, as content and within quotes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            // Not allowed in HTML, not even escaped.
            c if c.is_control() && c != '\n' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns JSON that cannot end the element that it stands in. Within strings of JSON, `\u003c` is
/// `<`, and outside of them there is none.
pub(super) fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::{escape, escape_json};

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            escape("<b>\"a\" & 'b'\u{1}</b>"),
            "&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;\u{fffd}&lt;/b&gt;"
        );
        let json = escape_json(r#"{"a":"</script><!--&"}"#);
        assert!(!json.contains('<') && !json.contains('&'));
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["a"], "</script><!--&");
    }
}
