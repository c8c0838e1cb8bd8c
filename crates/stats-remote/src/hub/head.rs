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

/// Returns the response that makes a connection a WebSocket, or the one that refuses it.
pub(crate) fn answer(head: &[u8], rules: &Rules, local: IpAddr) -> Result<String, String> {
    let bad = |sentence| refusal("400 Bad Request", sentence);
    let head = str::from_utf8(head).map_err(|_| bad("The head is not text."))?;
    let mut lines = head.split("\r\n");
    let first = lines.next().unwrap_or_default();
    let mut headers = Vec::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').unwrap_or_default();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(bad("Each header is one line: a name, a colon and a value."));
        }
        headers.push((name, value.trim_matches([' ', '\t'])));
    }
    // A header that is there twice has no value: it is unclear which one counts.
    let values = |name: &str| {
        let same = headers
            .iter()
            .filter(|(of, _)| of.eq_ignore_ascii_case(name));
        same.map(|(_, value)| *value).collect::<Vec<_>>()
    };
    let [host] = values("Host")[..] else {
        return Err(bad("Send one header Host."));
    };
    if !rules.allow_host(host, local) {
        return Err(refusal(
            "403 Forbidden",
            "This name is not served. Ask by an address of this machine, or add the name to \
             RemoteOptions::hosts.",
        ));
    }
    match values("Origin")[..] {
        [] => {}
        [origin] if rules.allow_origin(origin, host) => {}
        _ => {
            return Err(refusal(
                "403 Forbidden",
                "Pages of other origins may not connect. Add the origin to RemoteOptions::origins.",
            ));
        }
    }
    let mut words = first.split(' ');
    let (method, target) = (words.next(), words.next());
    if method != Some("GET") {
        return Err(refusal("405 Method Not Allowed", "Use GET."));
    }
    if target != Some("/") {
        return Err(refusal("404 Not Found", "The statistics are at /."));
    }
    let has = |name, word: &str| {
        let values = values(name);
        let mut words = values.iter().flat_map(|value| value.split(','));
        words.any(|of| of.trim().eq_ignore_ascii_case(word))
    };
    let key = values("Sec-WebSocket-Key");
    let is_upgrade = has("Upgrade", "websocket") && has("Connection", "upgrade");
    match key[..] {
        [key] if is_upgrade && has("Sec-WebSocket-Version", "13") && key.len() == 24 => {
            Ok(format!(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Accept: {}\r\n\r\n",
                derive_accept_key(key.as_bytes())
            ))
        }
        _ => Err(refusal(
            "426 Upgrade Required",
            "The statistics of a game are here. Show them with: stats view ADDRESS",
        )),
    }
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
            ("Origin", "http://evil.com", "403"),
            ("Origin", "null", "403"),
            ("Origin", "http://127.0.0.1:8766", "101"),
            ("Upgrade", "h2c", "426"),
            ("Connection", "close", "426"),
            ("Sec-WebSocket-Version", "8", "426"),
            ("Sec-WebSocket-Key", "short", "426"),
            ("X Y", "", "400"),
        ] {
            assert_eq!(status_with(name, value), expected, "{name}: {value}");
        }
        // A page whose name points here has this name as its origin, too.
        let mut rebound = GOOD.to_vec();
        rebound[0].1 = "evil.com:8766";
        rebound.push(("Origin", "http://evil.com:8766"));
        assert_eq!(status("GET / HTTP/1.1", &rebound), "403");
        for twice in ["Host", "Origin"] {
            let value = GOOD[0].1;
            let origin = format!("http://{value}");
            let mut headers = GOOD.to_vec();
            headers.push((twice, if twice == "Host" { value } else { &origin }));
            headers.push((twice, if twice == "Host" { value } else { &origin }));
            assert_ne!(status("GET / HTTP/1.1", &headers), "101", "{twice}");
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
