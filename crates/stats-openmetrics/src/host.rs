//! The names by which the server may be asked.
//!
//! A page on the internet can make a browser connect to this machine, by a name of its own that it
//! lets point to a loopback address (DNS rebinding). To the browser, page and server then have one
//! origin, so the page could read the answer. The name is in the request, and is refused.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The names that are answered besides loopback names and addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hosts(Vec<String>);

impl Hosts {
    /// Checks names that are given. Returns the first that is not a name or an address alone.
    pub(crate) fn new(names: &[String]) -> Result<Self, String> {
        match names.iter().find(|name| !is_host(name)) {
            Some(bad) => Err(bad.clone()),
            None => Ok(Self(names.to_vec())),
        }
    }

    /// Returns whether requests to an authority, `HOST` or `HOST:PORT`, are answered. Any port is:
    /// a tunnel may have another.
    pub(crate) fn allow(&self, authority: &str) -> bool {
        let Some(host) = host_of(authority) else {
            return false;
        };
        is_loopback(host) || self.0.iter().any(|name| is_same(name, host))
    }
}

/// Returns whether a text is a name or an address, without scheme, port and path.
fn is_host(name: &str) -> bool {
    let is_name = |name: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !without_dot(name).is_empty() && name.chars().all(is_letter)
    };
    is_name(name) || name.parse::<Ipv6Addr>().is_ok()
}

/// Returns the host of an authority, without the brackets of an IPv6 address; `None` if it is not
/// an authority.
fn host_of(authority: &str) -> Option<&str> {
    let (host, rest) = match authority.strip_prefix('[') {
        Some(rest) => rest
            .split_once(']')
            .filter(|(host, _)| host.contains(':'))?,
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.len() <= 5;
    let is_complete = rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port);
    (is_complete && is_host(host)).then_some(host)
}

fn is_loopback(host: &str) -> bool {
    if let Ok(address) = host.parse::<Ipv6Addr>() {
        return address.to_canonical().is_loopback();
    }
    // Not `127.1`, nor `127.0.0.1.`, which some systems look up as names.
    host.parse::<Ipv4Addr>().map_or_else(
        |_| is_same("localhost", host),
        |address| address.is_loopback(),
    )
}

/// Returns whether two hosts are the same: names in any case, with or without the dot of the root.
fn is_same(a: &str, b: &str) -> bool {
    match (a.parse::<Ipv6Addr>(), b.parse::<Ipv6Addr>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => without_dot(a).eq_ignore_ascii_case(without_dot(b)),
    }
}

fn without_dot(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_names_and_addresses_are_allowed_with_any_port() {
        for host in [
            "localhost",
            "LocalHost",
            "localhost.",
            "127.0.0.1",
            "127.8.9.10",
            "[::1]",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
        ] {
            for port in ["", ":", ":80", ":9464", ":65535"] {
                assert!(
                    Hosts::default().allow(&format!("{host}{port}")),
                    "{host}{port}"
                );
            }
            for end in [
                ":x",
                ":-1",
                ":123456",
                ":80:80",
                "/",
                " ",
                "@evil.com",
                "\\",
                "#",
                "..",
                "%",
            ] {
                assert!(
                    !Hosts::default().allow(&format!("{host}{end}")),
                    "{host}{end}"
                );
            }
            assert!(!Hosts::default().allow(&format!("evil@{host}")));
        }
    }

    #[test]
    fn all_other_hosts_are_refused() {
        for host in [
            "",
            ":80",
            ".",
            "evil.com",
            "evil.com.",
            "evil.com@localhost",
            "localhost evil.com",
            "localhost, evil.com",
            "localhost.evil.com",
            "evil.localhost.com",
            "evillocalhost",
            "127.0.0.1.nip.io",
            "127.0.0.1.evil.com",
            "127.0.0.1.",
            "127.1",
            "2130706433",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "0.0.0.0",
            "192.168.1.1",
            "128.0.0.1",
            "[::]",
            "[::2]",
            "[fe80::1]",
            "[::ffff:10.0.0.1]",
            "[::1%lo]",
            "[127.0.0.1]",
            "[localhost]",
            "[::1",
            "[::",
            "::1",
            "::1:80",
            "loc\u{e4}lhost",
            "lo\u{212A}alhost",
            "local\u{200B}host",
        ] {
            for host in [host.to_owned(), format!("{host}:80")] {
                assert!(!Hosts::default().allow(&host), "{host}");
            }
        }
    }

    #[test]
    fn given_names_are_allowed_and_no_others() {
        let names = ["metrics.example", "Other.Example.", "10.0.0.5", "fd00::1"];
        let hosts = Hosts::new(&names.map(str::to_owned)).expect("they are names");
        for host in [
            "metrics.example:80",
            "METRICS.example.",
            "other.example",
            "10.0.0.5:9464",
            "[fd00:0::1]:80",
            "localhost",
        ] {
            assert!(hosts.allow(host), "{host}");
        }
        for host in [
            "a.metrics.example",
            "example",
            "metrics.example.com",
            "10.0.0.50",
        ] {
            assert!(!hosts.allow(host), "{host}");
        }
        for bad in [
            "",
            ".",
            "*",
            "*.example",
            "http://a",
            "a:80",
            "a/b",
            "a b",
            "[::1]",
            "\u{e4}",
        ] {
            let all = ["a".to_owned(), bad.to_owned()];
            assert_eq!(Hosts::new(&all).err().as_deref(), Some(bad));
        }
    }
}
