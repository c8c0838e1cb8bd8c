//! The answer to a client.

/// The answer to a client.
pub(crate) struct Response {
    pub(crate) status: &'static str,
    pub(crate) content_type: &'static str,
    pub(crate) body: String,
}

impl Response {
    /// Returns an error response, with a sentence for people.
    pub(crate) fn error(status: &'static str, sentence: &str) -> Self {
        Self {
            status,
            content_type: "text/plain; charset=utf-8",
            body: format!("{sentence}\n"),
        }
    }
}
