//! The secret that a viewer has to know.

use std::fmt;
use std::hint::black_box;
use std::str::FromStr;

/// 128 random bits, which a viewer sends to prove that it was given the address. Written as 32
/// hexadecimal digits.
///
/// Debug output shows no digits, so that a log of options has no secret.
#[derive(Clone, Copy)]
pub struct Token([u8; 16]);

impl Token {
    /// Returns the token of these bits, all of which should be random.
    #[must_use]
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Returns 16 bytes that nobody can guess.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn random_bytes() -> Result<[u8; 16], getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(bytes)
    }

    pub(crate) const fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

/// Takes the same time wherever two tokens differ, so that the time of a refusal tells nothing.
impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        let bytes = self.0.iter().zip(&other.0);
        let differs = bytes.fold(0, |differs, (a, b)| black_box(differs | (a ^ b)));
        black_box(differs) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Token {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = text.as_bytes();
        let (pairs, rest) = digits.as_chunks::<2>();
        if pairs.len() != 16 || !rest.is_empty() {
            return Err(());
        }
        let digit = |digit: u8| (digit as char).to_digit(16).ok_or(());
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            *byte = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_is_written_and_shows_no_digits_in_debug_output() {
        let token = Token::new(*b"0123456789abcde\xff");
        let text = token.to_string();
        assert_eq!(text, "303132333435363738396162636465ff");
        assert!(text.parse() == Ok(token));
        assert!(text.to_uppercase().parse() == Ok(token));
        assert_eq!(format!("{token:?}"), "Token(..)");
        for bad in [
            "",
            "30",
            &text[1..],
            &format!("{text}0"),
            &text.replace('f', "g"),
        ] {
            assert!(bad.parse::<Token>().is_err(), "{bad}");
        }
    }

    #[test]
    fn tokens_that_differ_in_any_bit_are_different() {
        let token = Token::new([0x5a; 16]);
        for bit in 0..128 {
            let mut other = *token.bytes();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(token != Token::new(other), "{bit}");
        }
    }
}
