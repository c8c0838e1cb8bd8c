//! The head of a request, and whether a connection becomes that of a viewer.

use std::net::IpAddr;

use tungstenite::handshake::derive_accept_key;

use super::hosts::Rules;

/// The largest head in bytes.
pub(crate) const MAX_HEAD: usize = 8 << 10;

/// Returns the position behind the empty line at the end of a head; `None` if it is not there yet.
pub(crate) fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let at = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some(at + 4)
}

/// A request without a body.
pub(crate) struct Head<'a> {
    first: &'a str,
    headers: Vec<(&'a str, &'a str)>,
}

/// Which rule a request breaks.
pub(crate) enum Denied {
    /// It names no host, or more than one.
    NoHost,
    /// It asks for a name that is not served.
    Host,
    /// A page of another origin asks.
    Origin,
}

impl<'a> Head<'a> {
    /// Reads a head up to and with its empty line, or returns the response that refuses it.
    pub(crate) fn parse(head: &'a [u8]) -> Result<Self, String> {
        let bad = |sentence| refusal("400 Bad Request", sentence);
        let head = str::from_utf8(head).map_err(|_| bad("The head is not text."))?;
        let mut lines = head.split("\r\n");
        let first = lines.next().unwrap_or_default();
        let mut headers = Vec::new();
        for line in lines.take_while(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').unwrap_or_default();
            let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
            if !is_name || value.contains(|c: char| c.is_control() && c != '\t') {
                return Err(bad("Each header is one line: a name, a colon and a value."));
            }
            headers.push((name, value.trim_matches([' ', '\t'])));
        }
        Ok(Self { first, headers })
    }

    /// Checks the headers `Host` and `Origin`, which every request passes, whatever it is for. `local`
    /// is the address at which it arrived.
    pub(crate) fn check(&self, rules: &Rules, local: IpAddr) -> Result<(), Denied> {
        // A header that is there twice has no value: it is unclear which one counts.
        let [host] = self.values("Host")[..] else {
            return Err(Denied::NoHost);
        };
        if !rules.allow_host(host, local) {
            return Err(Denied::Host);
        }
        match self.values("Origin")[..] {
            [] => Ok(()),
            [origin] if rules.allow_origin(origin, host) => Ok(()),
            _ => Err(Denied::Origin),
        }
    }

    /// Returns what is asked for, or the response that refuses another method than GET.
    pub(crate) fn target(&self) -> Result<&'a str, String> {
        let mut words = self.first.split(' ');
        let (method, target) = (words.next(), words.next());
        if method != Some("GET") {
            return Err(refusal("405 Method Not Allowed", "Use GET."));
        }
        Ok(target.unwrap_or_default())
    }

    /// Returns the key of a request for a WebSocket; `None` if it is for something else.
    pub(crate) fn key(&self) -> Option<&'a str> {
        let [key] = self.values("Sec-WebSocket-Key")[..] else {
            return None;
        };
        let is_of_key = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
        let is_upgrade = self.has("Upgrade", "websocket")
            && self.has("Connection", "upgrade")
            && self.has("Sec-WebSocket-Version", "13");
        (is_upgrade && key.len() == 24 && key.bytes().all(is_of_key)).then_some(key)
    }

    fn values(&self, name: &str) -> Vec<&'a str> {
        let is_same = |(of, _): &&(&str, &str)| of.eq_ignore_ascii_case(name);
        let same = self.headers.iter().filter(is_same);
        same.map(|(_, value)| *value).collect()
    }

    /// Returns whether a header has a word among those that it lists.
    fn has(&self, name: &str, word: &str) -> bool {
        let values = self.values(name);
        let mut words = values.iter().flat_map(|value| value.split(','));
        words.any(|of| of.trim().eq_ignore_ascii_case(word))
    }
}

/// Returns the response that makes a connection a WebSocket, or the one that refuses it.
pub(crate) fn answer(head: &[u8], rules: &Rules, local: IpAddr) -> Result<String, String> {
    let head = Head::parse(head)?;
    head.check(rules, local).map_err(|denied| match denied {
        Denied::NoHost => refusal("400 Bad Request", "Send one header Host."),
        Denied::Host => refusal(
            "403 Forbidden",
            "This name is not served. Ask by an address of this machine, or add the name to \
             RemoteOptions::hosts.",
        ),
        Denied::Origin => refusal(
            "403 Forbidden",
            "Pages of other origins may not connect. Add the origin to RemoteOptions::origins.",
        ),
    })?;
    if head.target()? != "/" {
        return Err(refusal("404 Not Found", "The statistics are at /."));
    }
    match head.key() {
        Some(key) => Ok(acceptance(key)),
        None => Err(refusal(
            "426 Upgrade Required",
            "The statistics of a game are here. Show them with: stats view ADDRESS",
        )),
    }
}

/// Returns the response that makes a connection a WebSocket.
pub(crate) fn acceptance(key: &str) -> String {
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {}\r\n\r\n",
        derive_accept_key(key.as_bytes())
    )
}

/// Returns a response that ends the connection. It lets no page read or show it.
pub(crate) fn refusal(status: &str, sentence: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nUpgrade: websocket\r\n\
         Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Content-Security-Policy: default-src 'none'\r\nX-Frame-Options: DENY\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\r\n{sentence}\n",
        sentence.len() + 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The headers of a request that is answered.
    const GOOD: [(&str, &str); 5] = [
        ("Host", "127.0.0.1:8766"),
        ("Upgrade", "websocket"),
        ("Connection", "keep-alive, Upgrade"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];

    fn status(first: &str, headers: &[(&str, &str)]) -> String {
        let lines = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"));
        let head = format!("{first}\r\n{}\r\n", lines.collect::<String>());
        let answer = answer(
            head.as_bytes(),
            &Rules::default(),
            IpAddr::from([127, 0, 0, 1]),
        );
        let (Ok(text) | Err(text)) = answer;
        text["HTTP/1.1 ".len()..][..3].to_owned()
    }

    fn with(name: &str, value: &str) -> Vec<(String, String)> {
        let others = GOOD.iter().filter(|(of, _)| *of != name);
        let own = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
        others
            .map(own)
            .chain([(name.to_owned(), value.to_owned())])
            .collect()
    }

    fn status_with(name: &str, value: &str) -> String {
        let headers = with(name, value);
        let headers: Vec<_> = headers.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        status("GET / HTTP/1.1", &headers)
    }

    #[test]
    fn a_viewer_gets_the_key_of_the_standard() {
        let lines = GOOD
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"));
        let head = format!("GET / HTTP/1.1\r\n{}\r\n", lines.collect::<String>());
        let answer = answer(
            head.as_bytes(),
            &Rules::default(),
            IpAddr::from([127, 0, 0, 1]),
        );
        let answer = answer.expect("it is allowed");
        assert!(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
        assert_eq!(end_of_head(head.as_bytes()), Some(head.len()));
        assert_eq!(end_of_head(&head.as_bytes()[..head.len() - 1]), None);
    }

    #[test]
    fn each_rule_refuses_a_request_that_breaks_it_alone() {
        assert_eq!(status("GET / HTTP/1.1", &GOOD), "101");
        for (name, value, expected) in [
            ("Host", "evil.com", "403"),
            ("Host", "localhost:1", "101"),
            ("Origin", "http://evil.com", "403"),
            ("Origin", "http://127.0.0.1:1", "403"),
            ("Origin", "null", "403"),
            ("Origin", "http://127.0.0.1:8766", "101"),
            ("Upgrade", "h2c", "426"),
            ("Connection", "close", "426"),
            ("Sec-WebSocket-Version", "8", "426"),
            ("Sec-WebSocket-Key", "short", "426"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ: ", "426"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBs\nSBub25jZQ==", "400"),
            ("X Y", "", "400"),
        ] {
            assert_eq!(status_with(name, value), expected, "{name}: {value}");
        }
        // A page whose name points here has this name as its origin, too.
        let mut rebound = GOOD.to_vec();
        rebound[0].1 = "evil.com:8766";
        rebound.push(("Origin", "http://evil.com:8766"));
        assert_eq!(status("GET / HTTP/1.1", &rebound), "403");
        let (host, origin) = (GOOD[0], ("Origin", "http://127.0.0.1:8766"));
        for (twice, expected) in [
            ([host, host], "400"),
            ([origin, origin], "403"),
            ([origin, ("Origin", "null")], "403"),
        ] {
            let headers = [&GOOD[usize::from(twice[0] == host)..], &twice].concat();
            assert_eq!(status("GET / HTTP/1.1", &headers), expected, "{twice:?}");
        }
        assert_eq!(status("GET / HTTP/1.1", &GOOD[1..]), "400");
        assert_eq!(status("GET / HTTP/1.1", &GOOD[..1]), "426");
        assert_eq!(status("POST / HTTP/1.1", &GOOD), "405");
        assert_eq!(status("GET /etc/passwd HTTP/1.1", &GOOD), "404");
        assert_eq!(status("", &GOOD), "405");
    }

    #[test]
    fn a_refusal_lets_no_page_read_it() {
        let text = refusal("403 Forbidden", "No.");
        assert!(!text.contains("Access-Control"));
        assert!(text.contains("default-src 'none'") && text.ends_with("\r\n\r\nNo.\n"));
    }
}
