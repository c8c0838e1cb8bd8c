//! The address of a game, as a person copies it from the game to a viewer.

use std::error::Error;
use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use crate::token::Token;

/// Where a game can be reached, and the secret that it asks for:
/// `stats://127.0.0.1:8766#0123456789abcdef0123456789abcdef`.
///
/// The secret is after `#`, the part of an address that browsers do not send. Whoever has it can
/// read the statistics of the game: do not log the address where others read. Debug output leaves
/// the secret out.
///
/// With `?rounded` before `#`, the game rounds times to whole nanoseconds for this viewer, which takes
/// fewer bytes. Other values are exact.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteAddress {
    host: String,
    port: u16,
    pub(crate) token: Token,
    pub(crate) is_rounded: bool,
}

impl RemoteAddress {
    pub(crate) fn new(host: String, port: u16, token: Token) -> Self {
        Self {
            host,
            port,
            token,
            is_rounded: false,
        }
    }

    /// Returns the name or the address of the machine, without brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Returns `HOST:PORT`: the address without the secret.
    #[must_use]
    pub fn authority(&self) -> String {
        match self.host.parse::<Ipv6Addr>() {
            Ok(host) => format!("[{host}]:{}", self.port),
            Err(_) => format!("{}:{}", self.host, self.port),
        }
    }
}

/// Writes the whole address, with the secret.
impl fmt::Display for RemoteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = if self.is_rounded { "?rounded" } else { "" };
        write!(f, "stats://{}{rounded}#{}", self.authority(), self.token)
    }
}

/// The reason why a text is not a [`RemoteAddress`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressError {
    /// It does not begin with `stats://`.
    Scheme,
    /// There is no host or no port.
    Authority,
    /// The secret after `#` is missing, or does not have 32 hexadecimal digits.
    Token,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrong = match self {
            Self::Scheme => "it does not begin with stats://",
            Self::Authority => "between stats:// and # is no HOST:PORT, alone or with ?rounded",
            Self::Token => {
                "after # are not the 32 digits of the token. A shell takes # for a comment unless the \
                 address is in quotes"
            }
        };
        write!(
            f,
            "this is not the address of a game: {wrong}. Copy the address that the game prints, \
             stats://HOST:PORT#TOKEN"
        )
    }
}

impl Error for AddressError {}

impl FromStr for RemoteAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let rest = text.strip_prefix("stats://").ok_or(AddressError::Scheme)?;
        let (authority, token) = rest.split_once('#').unwrap_or((rest, ""));
        let unrounded = authority.strip_suffix("?rounded");
        let is_rounded = unrounded.is_some();
        let authority = unrounded.unwrap_or(authority);
        let authority = authority.strip_suffix('/').unwrap_or(authority);
        let (host, port) = authority.rsplit_once(':').ok_or(AddressError::Authority)?;
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
        let host = match host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
        {
            Some(host) => host.parse::<Ipv6Addr>().ok().map(|host| host.to_string()),
            None => (!host.is_empty() && host.chars().all(is_name)).then(|| host.to_owned()),
        };
        let is_port = port.bytes().all(|digit| digit.is_ascii_digit());
        let port = port.parse().ok().filter(|port| is_port && *port > 0);
        Ok(Self {
            host: host.ok_or(AddressError::Authority)?,
            port: port.ok_or(AddressError::Authority)?,
            token: token.parse().map_err(|()| AddressError::Token)?,
            is_rounded,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGITS: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn an_address_is_read_as_it_is_written() {
        for host in ["127.0.0.1", "::1", "steam-deck.local", "localhost"] {
            let token = DIGITS.parse().expect("it is a token");
            let mut address = RemoteAddress::new(host.to_owned(), 8766, token);
            for is_rounded in [false, true] {
                address.is_rounded = is_rounded;
                let text = address.to_string();
                assert_eq!(text.parse(), Ok(address.clone()), "{text}");
                assert_eq!(text.contains("?rounded#"), is_rounded);
            }
            assert!(!format!("{address:?}").contains(DIGITS));
            assert!(!address.authority().contains('#'));
        }
        let with_slash = format!("stats://[::1]:80/#{DIGITS}").parse::<RemoteAddress>();
        assert_eq!(
            with_slash.expect("it is an address").authority(),
            "[::1]:80"
        );
    }

    #[test]
    fn what_is_wrong_with_another_text_is_said() {
        for (text, error) in [
            ("", AddressError::Scheme),
            ("127.0.0.1:8766", AddressError::Scheme),
            ("http://127.0.0.1:8766", AddressError::Scheme),
            ("stats://", AddressError::Authority),
            ("stats://localhost", AddressError::Authority),
            ("stats://localhost:", AddressError::Authority),
            ("stats://localhost:0", AddressError::Authority),
            ("stats://localhost:+80", AddressError::Authority),
            ("stats://localhost:70000", AddressError::Authority),
            ("stats://:80", AddressError::Authority),
            ("stats://a@b:80", AddressError::Authority),
            ("stats://::1:80", AddressError::Authority),
            ("stats://localhost:80?", AddressError::Authority),
            ("stats://localhost:80?exact", AddressError::Authority),
            (
                "stats://localhost:80?rounded?rounded",
                AddressError::Authority,
            ),
            ("stats://[::1:80", AddressError::Authority),
            ("stats://localhost:80", AddressError::Token),
            ("stats://localhost:80#", AddressError::Token),
            ("stats://localhost:80#123", AddressError::Token),
        ] {
            let result = text.parse::<RemoteAddress>();
            let with_token = format!("{text}#{DIGITS}").parse::<RemoteAddress>();
            assert_eq!(result, Err(error.clone()), "{text}");
            if error != AddressError::Token {
                assert_eq!(with_token, Err(error), "{text}");
            }
        }
    }
}
