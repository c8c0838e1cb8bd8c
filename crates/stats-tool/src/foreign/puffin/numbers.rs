//! The numbers and texts of a packet, as puffin encodes them.

/// The rest of a packet. Each method takes a value from its beginning; `None` if the packet is too
/// short for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest<'a>(pub(super) &'a [u8]);

impl<'a> Rest<'a> {
    pub(super) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    /// Takes an unsigned number of `N` bytes, the lowest first.
    pub(super) fn fixed<const N: usize>(&mut self) -> Option<u64> {
        let mut number = [0; 8];
        number[..N].copy_from_slice(self.bytes(N)?);
        Some(u64::from_le_bytes(number))
    }

    /// Takes a time in nanoseconds.
    pub(super) fn time_ns(&mut self) -> Option<i64> {
        self.fixed::<8>().map(|bits| bits as i64)
    }

    /// Takes a number: up to 250 in one byte, and otherwise after a byte that tells its size.
    pub(super) fn number(&mut self) -> Option<u64> {
        match self.byte()? {
            251 => self.fixed::<2>(),
            252 => self.fixed::<4>(),
            253 => self.fixed::<8>(),
            254.. => None,
            small => Some(small.into()),
        }
    }

    /// Takes a signed number, which is encoded as 0, −1, 1, −2 and so on.
    pub(super) fn signed(&mut self) -> Option<i64> {
        self.number()
            .map(|number| (number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Takes bytes after their number.
    pub(super) fn counted(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.number()?).ok()?;
        self.bytes(count)
    }

    /// Takes a text after the number of its bytes.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.counted()?).ok()
    }

    /// Takes what `take` takes, if a byte says that it is there.
    pub(super) fn optional<T>(
        &mut self,
        take: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            1 => Some(Some(take(self)?)),
            _ => None,
        }
    }

    /// Takes a text of a stream, whose length is one byte. It may end within a character.
    pub(super) fn short_text(&mut self) -> Option<&'a [u8]> {
        let count = self.byte()?;
        self.bytes(count.into())
    }
}

#[cfg(test)]
mod tests {
    use super::Rest;

    #[test]
    fn numbers_have_the_size_that_they_need() {
        let mut rest = Rest(&[
            250, 251, 1, 2, 252, 1, 0, 0, 0, 253, 0, 0, 0, 0, 0, 0, 0, 1, 254,
        ]);
        let numbers: Vec<_> = (0..4).map(|_| rest.number()).collect();
        assert_eq!(numbers, [Some(250), Some(513), Some(1), Some(1 << 56)]);
        assert_eq!(rest.number(), None);
        let signed = [0_u8, 1, 2, 3].map(|byte| Rest(&[byte]).signed());
        assert_eq!(signed, [Some(0), Some(-1), Some(1), Some(-2)]);
    }

    #[test]
    fn nothing_is_taken_beyond_the_end() {
        assert_eq!(Rest(&[251, 1]).number(), None);
        assert_eq!(Rest(&[3, b'a', b'b']).text(), None);
        assert_eq!(
            Rest(&[253, 255, 255, 255, 255, 255, 255, 255, 255]).counted(),
            None
        );
        assert_eq!(Rest(&[2, 0xC3, 0x28]).text(), None);
        assert_eq!(Rest(&[2, b'a', b'b']).text(), Some("ab"));
        assert_eq!(Rest(&[0]).optional(Rest::byte), Some(None));
        assert_eq!(Rest(&[1, 7]).optional(Rest::byte), Some(Some(7)));
        assert_eq!(Rest(&[2, 7]).optional(Rest::byte), None);
    }
}
