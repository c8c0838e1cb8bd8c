//! The options of the game's side.

use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use crate::token::Token;

/// The port of [`RemoteOptions::default`].
pub const DEFAULT_PORT: u16 = 8766;

/// Where [`Remote`](crate::Remote) listens, and whom it answers.
///
/// ```
/// use stats_remote::RemoteOptions;
///
/// let mut options = RemoteOptions::default();
/// options.program = Some("server of the east".to_owned());
/// # assert!(options.address.is_loopback());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RemoteOptions {
    /// The address to listen on. `0.0.0.0` and `::` are all addresses of the machine. With any
    /// other than a loopback address, other machines can connect, and what is sent is not
    /// encrypted. Default: `127.0.0.1`, together with `::1`.
    pub address: IpAddr,
    /// The port; if another program uses it, one of the next nine. 0 chooses a free port.
    /// Default: [`DEFAULT_PORT`].
    pub port: u16,
    /// The secret that viewers have to know, for example so that they find the game again after it was
    /// started again. Default: random bits.
    pub token: Option<Token>,
    /// The name that viewers show. Default: the file name of the program.
    pub program: Option<String>,
    /// Names by which viewers reach this machine, besides `localhost` and its addresses: that of a
    /// tunnel, for example. Without port. Default: none.
    pub hosts: Vec<String>,
    /// Origins of pages, such as `https://stats.example`, that may connect besides a page that this
    /// listener itself would serve. Default: none.
    pub origins: Vec<String>,
    /// The number of series that all viewers together can watch at a time, up to 4,096. The
    /// recorder keeps a history of each, 32 KiB by default. Default: 1,024.
    pub max_watches: usize,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST.into(),
            port: DEFAULT_PORT,
            token: None,
            program: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            max_watches: 1024,
        }
    }
}

impl RemoteOptions {
    /// Reads the value of the variable `STATS_REMOTE`. `None` if it is empty or `0`.
    pub(crate) fn from_variable(value: &OsStr) -> Result<Option<Self>, RemoteError> {
        let text = value.to_string_lossy();
        if text.is_empty() || text == "0" {
            return Ok(None);
        }
        // Errors are logged, so the token is left out.
        let (before, token) = text
            .split_once('#')
            .map_or((&*text, ""), |(a, _)| (a, "#…"));
        let wrong = || RemoteError::Variable(format!("{before}{token}"));
        Self::from_text(&text).map(Some).ok_or_else(wrong)
    }

    /// Reads `1`, a port, an address, or both, and perhaps `#` and a token.
    fn from_text(text: &str) -> Option<Self> {
        let mut options = Self::default();
        let (text, token) = text
            .split_once('#')
            .map_or((text, None), |(a, b)| (a, Some(b)));
        if let Some(token) = token {
            options.token = Some(token.parse().ok()?);
        }
        if text == "1" {
            return Some(options);
        }
        if let Ok(address) = text.parse::<SocketAddr>() {
            (options.address, options.port) = (address.ip(), address.port());
        } else if let Ok(address) = text.parse() {
            options.address = address;
        } else {
            options.port = text.parse().ok()?;
        }
        Some(options)
    }
}

/// The reason why a game cannot be watched.
#[non_exhaustive]
pub enum RemoteError {
    /// The variable `STATS_REMOTE` has another value than those that
    /// [`from_env`](crate::Remote::from_env) reads.
    Variable(String),
    /// The system refused the address and its ports, or a thread, or random numbers.
    System(SocketAddr, Box<dyn Error + Send + Sync>),
}

/// Writes the same sentence as [`Display`](fmt::Display), because a `main` that returns an error
/// prints it in this form.
impl fmt::Debug for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(text) => write!(
                f,
                "the variable STATS_REMOTE is {text:?}: set it to 1, a port, an address, or an address \
                 and a port such as 127.0.0.1:{DEFAULT_PORT}, with # and 32 hexadecimal digits for a \
                 secret of your own, or unset it"
            ),
            Self::System(address, error) => write!(
                f,
                "cannot listen for viewers on {address}: {error}. Other programs may use the port and \
                 the next ones; choose another port, or 0 for any that is free"
            ),
        }
    }
}

impl Error for RemoteError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_has_a_port_an_address_or_both() {
        let of = |text| {
            let options = RemoteOptions::from_text(text)?;
            Some((options.address.to_string(), options.port))
        };
        let local = |port| Some(("127.0.0.1".to_owned(), port));
        assert_eq!(of("1"), local(DEFAULT_PORT));
        assert_eq!(of("9000"), local(9000));
        assert_eq!(of("0"), local(0));
        assert_eq!(of("::"), Some(("::".to_owned(), DEFAULT_PORT)));
        assert_eq!(of("[::1]:9000"), Some(("::1".to_owned(), 9000)));
        assert_eq!(of("10.0.0.5:80"), Some(("10.0.0.5".to_owned(), 80)));
        let digits = "0123456789abcdef0123456789abcdef";
        let options = RemoteOptions::from_text(&format!("9000#{digits}")).expect("it is right");
        assert_eq!((options.port, options.token), (9000, digits.parse().ok()));
        for bad in [
            "1#",
            "1#0",
            "yes",
            "70000",
            "localhost:80",
            " 1",
            "9000#5ec2e7",
        ] {
            assert_eq!(of(bad), None, "{bad}");
            let error = RemoteOptions::from_variable(bad.as_ref()).map(|_| ());
            let said = error.expect_err(bad).to_string();
            let has_cure = said.contains("set it to 1") && said.contains("32 hexadecimal digits");
            assert!(has_cure && !said.contains("5ec2e7"), "{said}");
        }
        for off in ["", "0"] {
            let options = RemoteOptions::from_variable(off.as_ref());
            assert!(options.expect(off).is_none());
        }
    }
}
