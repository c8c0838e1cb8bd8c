//! The names by which a viewer may ask, and the origins of pages that may.
//!
//! A page on the internet can make a browser connect to this machine, by a name of its own that it
//! lets point here (DNS rebinding). To the browser, page and game then have one origin. The name is in
//! the request, and is refused. A page under its own name says so in `Origin`.

use std::net::{IpAddr, Ipv6Addr};

/// Whom a game answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Names besides `localhost` and the addresses of the machine.
    pub(crate) hosts: Vec<String>,
    /// Origins besides that of the listener.
    pub(crate) origins: Vec<String>,
}

impl Rules {
    /// Returns whether requests to an authority, `HOST` or `HOST:PORT`, are answered. `local` is the
    /// address at which the connection arrived. Any port is right: a tunnel may have another.
    pub(crate) fn allow_host(&self, authority: &str, local: IpAddr) -> bool {
        let Some(host) = host_of(authority) else {
            return false;
        };
        if let Ok(address) = host.parse::<IpAddr>() {
            let address = address.to_canonical();
            if address.is_loopback() || address == local.to_canonical() {
                return true;
            }
        }
        let is_same = |name: &str| without_dot(name).eq_ignore_ascii_case(without_dot(host));
        is_same("localhost") || self.hosts.iter().any(|name| is_same(name))
    }

    /// Returns whether a page of an origin may connect. `host` is the value of the header `Host`.
    pub(crate) fn allow_origin(&self, origin: &str, host: &str) -> bool {
        let own = origin.strip_prefix("http://");
        own.is_some_and(|own| own.eq_ignore_ascii_case(host))
            || self
                .origins
                .iter()
                .any(|allowed| allowed == origin && origin != "null")
    }
}

/// Returns the host of an authority, without the brackets of an IPv6 address; `None` if it is not
/// an authority.
fn host_of(authority: &str) -> Option<&str> {
    let (host, rest) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, rest) = rest.split_once(']')?;
            (host.parse::<Ipv6Addr>().is_ok().then_some(host)?, rest)
        }
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.len() <= 5;
    let is_complete = rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port);
    (is_complete && !host.is_empty()).then_some(host)
}

fn without_dot(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        Rules {
            hosts: vec!["Stats.example".to_owned(), "10.0.0.5".to_owned()],
            origins: vec!["https://stats.example".to_owned(), "null".to_owned()],
        }
    }

    #[test]
    fn loopback_the_own_address_and_given_names_are_allowed_with_any_port() {
        let local = "192.168.1.7".parse().expect("it is an address");
        for host in [
            "localhost",
            "LocalHost.",
            "127.0.0.1",
            "127.8.9.10",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "192.168.1.7",
            "[::ffff:192.168.1.7]",
            "stats.example",
            "10.0.0.5",
        ] {
            for port in ["", ":", ":80", ":65535"] {
                assert!(
                    rules().allow_host(&format!("{host}{port}"), local),
                    "{host}{port}"
                );
            }
            for end in [":x", ":-1", ":123456", ":80:80", "/", " ", "@evil.com"] {
                assert!(
                    !rules().allow_host(&format!("{host}{end}"), local),
                    "{host}{end}"
                );
            }
        }
    }

    #[test]
    fn other_names_and_addresses_are_refused() {
        let local = "192.168.1.7".parse().expect("it is an address");
        for host in [
            "",
            ":80",
            "evil.com",
            "localhost.evil.com",
            "127.0.0.1.evil.com",
            "a.stats.example",
            "example",
            "127.1",
            "2130706433",
            "0x7f.0.0.1",
            "0.0.0.0",
            "192.168.1.8",
            "[::]",
            "[::1",
            "::1",
            "[localhost]",
            "[127.0.0.1]",
        ] {
            assert!(!rules().allow_host(host, local), "{host}");
        }
    }

    #[test]
    fn only_the_own_origin_and_given_ones_are_allowed() {
        let host = "127.0.0.1:8766";
        for origin in ["http://127.0.0.1:8766", "https://stats.example"] {
            assert!(rules().allow_origin(origin, host), "{origin}");
        }
        for origin in [
            "null",
            "",
            "http://127.0.0.1",
            "http://127.0.0.1:8767",
            "https://127.0.0.1:8766",
            "http://evil.com",
            "http://127.0.0.1:8766.evil.com",
            "https://stats.example.evil.com",
        ] {
            assert!(!rules().allow_origin(origin, host), "{origin}");
        }
    }
}
