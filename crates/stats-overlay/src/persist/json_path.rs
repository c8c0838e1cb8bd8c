//! Where in a JSON text a value is, as a person would name it.
//!
//! serde_json tells the line and the column of an error, up to which it has read the text. The
//! names before that place are the path of the value.

/// A step of a path.
enum Step<'a> {
    /// The field of an object; `None` before its name.
    Field(Option<&'a str>),
    /// The index of an item in a list.
    Item(usize),
}

/// Returns the path of the value that ends, or is about to begin, at a place that serde_json tells,
/// such as `layout.panes[1].view`. Returns `None` for the whole text.
pub(super) fn field_at(json: &str, line: usize, column: usize) -> Option<String> {
    let before: usize = json
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let mut path = Vec::new();
    let mut rest = value_before(json.get(..before + column)?);
    while let Some(at) = rest.find(['"', '{', '}', '[', ']', ',']) {
        let mark = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match (mark, path.last_mut()) {
            (b'{', _) => path.push(Step::Field(None)),
            (b'[', _) => path.push(Step::Item(0)),
            (b',', Some(Step::Field(name))) => *name = None,
            (b',', Some(Step::Item(index))) => *index += 1,
            (b'"', last) => {
                let end = string_end(rest);
                if let Some(Step::Field(name @ None)) = last {
                    *name = Some(&rest[..end]);
                }
                rest = rest.get(end + 1..).unwrap_or_default();
            }
            _ => drop(path.pop()),
        }
    }
    let mut text = String::new();
    for step in path {
        match step {
            Step::Field(None) => {}
            Step::Field(Some(name)) if text.is_empty() => text.push_str(name),
            Step::Field(Some(name)) => text.extend([".", name]),
            Step::Item(index) => text.push_str(&format!("[{index}]")),
        }
    }
    (!text.is_empty()).then_some(text)
}

/// Returns the text without a bracket that closes the object or list around its last value.
///
/// serde_json reads that bracket before it takes the place of an error about a name or a number.
fn value_before(text: &str) -> &str {
    let is_bracket = |letter| matches!(letter, '}' | ']');
    match text.strip_suffix(is_bracket) {
        Some(value) if !value.trim_end().ends_with(is_bracket) => value,
        _ => text,
    }
}

/// Returns where a JSON string ends. `text` begins after its first quotation mark.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    let ends = |byte: u8| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    };
    text.bytes().position(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the path at the end of `read`, the part of a text that was read before an error.
    fn at_end_of(read: &str) -> Option<String> {
        let line = 1 + read.matches('\n').count();
        let column = read.len() - read.rfind('\n').map_or(0, |at| at + 1);
        field_at(&format!("{read}, \"more\": 1}}"), line, column)
    }

    #[test]
    fn the_path_leads_to_the_value_that_was_read_last() {
        for (read, path) in [
            ("7", None),
            ("{\"a\": 7", Some("a")),
            ("{\"a\": ", Some("a")),
            ("{\"a\": 7}", Some("a")),
            (
                "{\"a\": [1, 2], \"b\": [{\"c\": 1}, {\"d\": \"e\"",
                Some("b[1].d"),
            ),
            ("{\"a\": [[1], [", Some("a[1][0]")),
            ("{\"a\": [[1],\n [2]", Some("a[1][0]")),
            ("{\"a\": {\"b\": [1]}", Some("a")),
            ("{\"a\": {\"b\": 1}, \"c\"", Some("c")),
            ("{\"a, {\\\"[\": \"}]\"", Some("a, {\\\"[")),
            ("{\"a\": \"\\\\\", \"b\": 1", Some("b")),
            ("{\"\u{fc}\":\n\"\u{fc}\"", Some("\u{fc}")),
        ] {
            assert_eq!(at_end_of(read).as_deref(), path, "{read}");
        }
    }
}
