//! The wire format of Protocol Buffers: a message is a sequence of fields, and a field is a number
//! and a value.

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
}

/// How a value is written.
#[derive(Clone, Copy)]
enum Wire {
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
}

impl Message {
    /// Adds a whole number or an enum value.
    pub(super) fn number(&mut self, field: u32, value: u64) -> &mut Self {
        self.key(field, Wire::Varint);
        self.varint(value);
        self
    }

    /// Adds a float.
    pub(super) fn double(&mut self, field: u32, value: f64) -> &mut Self {
        self.key(field, Wire::Fixed64);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    /// Adds a text.
    pub(super) fn text(&mut self, field: u32, text: &str) -> &mut Self {
        self.bytes(field, text.as_bytes())
    }

    /// Adds a nested message.
    pub(super) fn message(&mut self, field: u32, message: &Self) -> &mut Self {
        self.bytes(field, &message.bytes)
    }

    /// Returns the encoded message.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Removes all fields, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) -> &mut Self {
        self.key(field, Wire::Bytes);
        self.varint(bytes.len() as u64);
        self.bytes.extend(bytes);
        self
    }

    fn key(&mut self, field: u32, wire: Wire) {
        self.varint(u64::from(field) << 3 | wire as u64);
    }

    /// Writes seven bits per byte, the least significant first. The highest bit is set if more
    /// bytes follow.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    /// The examples are from the documentation of the wire format.
    #[test]
    fn messages_are_encoded_as_documented() {
        let mut number = Message::default();
        number.number(1, 150);
        assert_eq!(number.as_bytes(), [0x08, 0x96, 0x01]);
        let mut text = Message::default();
        text.text(2, "testing");
        assert_eq!(text.as_bytes(), b"\x12\x07testing");
        let mut outer = Message::default();
        outer.message(3, &number);
        assert_eq!(outer.as_bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        let mut most = Message::default();
        most.number(1, u64::MAX);
        assert_eq!(most.as_bytes().len(), 11);
        let mut double = Message::default();
        double.double(1, 1.0);
        assert_eq!(double.as_bytes(), [0x09, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
    }
}
