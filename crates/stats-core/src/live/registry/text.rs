//! Keeps run-time text forever, without an allocation for each piece.

const CHUNK_BYTES: usize = 64 * 1024;

/// Copies text into large leaked chunks.
#[derive(Debug, Default)]
pub(crate) struct Text {
    free: &'static mut [u8],
}

impl Text {
    /// Returns a copy of `text` that is never freed.
    pub(crate) fn keep(&mut self, text: &str) -> &'static str {
        if text.len() > self.free.len() {
            if text.len() > CHUNK_BYTES / 8 {
                return Box::leak(text.into());
            }
            self.free = Box::leak(vec![0; CHUNK_BYTES].into_boxed_slice());
        }
        let (kept, free) = std::mem::take(&mut self.free).split_at_mut(text.len());
        self.free = free;
        kept.copy_from_slice(text.as_bytes());
        // Cannot fail: the bytes are those of a `str`.
        std::str::from_utf8(kept).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK_BYTES, Text};

    #[test]
    fn texts_are_kept_whole_across_chunk_borders() {
        let mut text = Text::default();
        let given: Vec<String> = (0..3000)
            .map(|n| "ä/ß".repeat(n % 70))
            .chain(["x".repeat(CHUNK_BYTES * 2)])
            .collect();
        let kept: Vec<&str> = given.iter().map(|given| text.keep(given)).collect();
        assert_eq!(kept, given);
    }
}
