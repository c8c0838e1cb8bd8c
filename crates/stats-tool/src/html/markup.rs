//! Pieces of HTML in which every text is escaped.

use serde_json::Value;

use crate::document::is_invisible;

/// A piece of HTML. It is well-formed, also as XML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Markup(String);

impl Markup {
    /// Escapes the characters of a text that have a meaning in HTML.
    pub(crate) fn text(text: &str) -> Self {
        Self(escaped(text))
    }

    /// Returns markup that is part of this program.
    pub(crate) fn fixed(markup: &'static str) -> Self {
        Self(markup.to_owned())
    }

    /// Adds a piece at the end.
    pub(crate) fn push(&mut self, piece: Self) {
        self.0 += &piece.0;
    }

    /// Returns whether the piece is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl From<&str> for Markup {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Markup {
    fn from(text: String) -> Self {
        Self::text(&text)
    }
}

impl FromIterator<Markup> for Markup {
    fn from_iter<I: IntoIterator<Item = Markup>>(pieces: I) -> Self {
        let mut all = Self::default();
        pieces.into_iter().for_each(|piece| all.push(piece));
        all
    }
}

/// Returns an element with its content. The values of attributes are escaped.
pub(crate) fn element(
    name: &str,
    attributes: &[(&str, &str)],
    content: impl Into<Markup>,
) -> Markup {
    let tag = tag(name, attributes);
    Markup(format!("<{tag}>{}</{name}>", content.into().0))
}

/// Returns an image. `source` is a `data:` URL.
pub(crate) fn image(source: &str, alternative: &str) -> Markup {
    let tag = tag("img", &[("src", source), ("alt", alternative)]);
    Markup(format!("<{tag}/>"))
}

fn tag(name: &str, attributes: &[(&str, &str)]) -> String {
    let mut tag = name.to_owned();
    for (attribute, value) in attributes {
        tag += &format!(" {attribute}=\"{}\"", escaped(value));
    }
    tag
}

/// Concatenates pieces.
pub(crate) fn joined(pieces: impl IntoIterator<Item = Markup>) -> Markup {
    pieces.into_iter().collect()
}

/// Returns a JSON document, escaped so that it cannot end the element around it.
pub(crate) fn json_data(json: &Value) -> Markup {
    // In JSON, these characters occur only in strings.
    let data = json
        .to_string()
        .replace('&', "\\u0026")
        .replace('<', "\\u003c")
        .replace('>', "\\u003e");
    Markup(data)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            _ if is_invisible(character) => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{Markup, element, json_data};

    #[test]
    fn text_cannot_end_an_element_or_an_attribute() {
        let hostile = "</td><script>\"'&\u{0}\u{202e}";
        let cell = element("td", &[("title", hostile)], hostile);
        let text = "&lt;/td&gt;&lt;script&gt;&quot;&#39;&amp;\u{fffd}\u{fffd}";
        let expected = format!("<td title=\"{text}\">{text}</td>");
        assert_eq!(cell.into_string(), expected);
    }

    #[test]
    fn data_is_the_same_document_and_cannot_end_its_element() {
        let json = serde_json::json!({ "</script><!--": "&\"\\" });
        let Markup(data) = json_data(&json);
        assert!(!data.contains(['<', '>', '&']));
        let read: serde_json::Value = serde_json::from_str(&data).expect("JSON");
        assert_eq!(read, json);
    }
}
