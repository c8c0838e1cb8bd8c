//! The head of a request, and whether it may be answered.

use std::io::{self, BufRead, BufReader, Read};

use crate::host::Hosts;
use crate::response::Response;

/// The maximum size of a request in bytes.
pub(crate) const MAX_REQUEST: u64 = 16 << 10;

/// A request without a body.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    target: String,
    /// The names and values of the headers; `None` if a line is not a header.
    headers: Option<Vec<(String, String)>>,
}

impl Request {
    /// Reads a request up to the empty line at its end.
    pub(crate) fn read(stream: impl Read) -> io::Result<Self> {
        let mut lines = BufReader::new(stream.take(MAX_REQUEST));
        let first = next_line(&mut lines)?;
        let mut words = first.split(' ').map(str::to_owned);
        let mut next = || words.next().unwrap_or_default();
        let (method, target) = (next(), next());
        let mut headers = Some(Vec::new());
        loop {
            let line = next_line(&mut lines)?;
            if line.is_empty() {
                break;
            }
            headers = headers.zip(header(&line)).map(|(mut headers, header)| {
                headers.push(header);
                headers
            });
        }
        Ok(Self {
            method,
            target,
            headers,
        })
    }

    /// Returns the path of the target, without its query. The target of a request to a proxy is a
    /// whole address.
    pub(crate) fn path(&self) -> &str {
        let (_, path) = self.parts();
        path.split('?').next().unwrap_or_default()
    }

    /// Returns the answer to a request that is not for this server, or comes from a page of another
    /// origin; `None` if the request may be answered.
    pub(crate) fn refusal(&self, hosts: &Hosts) -> Option<Response> {
        let bad = |sentence| Some(Response::error("400 Bad Request", sentence));
        let forbidden = |sentence| Some(Response::error("403 Forbidden", sentence));
        if self.headers.is_none() {
            return bad("Each header is one line: a name, a colon and a value.");
        }
        let Ok(Some(host)) = self.header("Host") else {
            return bad("Send one header Host.");
        };
        // Of a whole address, its authority counts. Both are checked: they should be the same.
        let is_allowed = |authority| hosts.allow(authority);
        if !is_allowed(host) || !self.parts().0.is_none_or(is_allowed) {
            return forbidden(
                "This name is not served. Ask for localhost or 127.0.0.1, or add the name to \
                 OpenMetricsOptions::hosts.",
            );
        }
        if self.is_of_other_page(host) {
            return forbidden("Pages of other origins may not read the metrics.");
        }
        None
    }

    /// Returns the authority of a target that is a whole address, and the rest of the target.
    fn parts(&self) -> (Option<&str>, &str) {
        match without_scheme(&self.target) {
            None => (None, &self.target),
            Some(rest) => {
                let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
                let (authority, path) = rest.split_at(end);
                (Some(authority), path)
            }
        }
    }

    /// Returns whether a browser sends the request for a page of another origin. A page that only
    /// links here cannot read the answer.
    fn is_of_other_page(&self, host: &str) -> bool {
        let is_same =
            |origin| without_scheme(origin).is_some_and(|origin| origin.eq_ignore_ascii_case(host));
        let is = |name, value| self.header(name) == Ok(Some(value));
        let is_origin_other = match self.header("Origin") {
            Ok(origin) => !origin.is_none_or(is_same),
            Err(Repeated) => true,
        };
        let is_site_other = match self.header("Sec-Fetch-Site") {
            Ok(site) => !site.is_none_or(|site| matches!(site, "same-origin" | "none")),
            Err(Repeated) => true,
        };
        let is_link = is("Sec-Fetch-Mode", "navigate") && is("Sec-Fetch-Dest", "document");
        is_origin_other || (is_site_other && !is_link)
    }

    /// Returns the value of a header, if there is one.
    fn header(&self, name: &str) -> Result<Option<&str>, Repeated> {
        let headers = self.headers.iter().flatten();
        let mut values = headers.filter(|(of, _)| of.eq_ignore_ascii_case(name));
        match (values.next(), values.next()) {
            (first, None) => Ok(first.map(|(_, value)| &value[..])),
            _ => Err(Repeated),
        }
    }
}

/// A header is there more than once, so it is unclear which one counts.
#[derive(Debug, PartialEq)]
struct Repeated;

/// Returns what follows the scheme of an address; `None` if the text is not an address.
fn without_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once("://")?;
    let is_known = ["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    is_known.then_some(rest)
}

/// Returns the name and the value of a header. There is no white space before the colon, and a line
/// does not go on with the next.
fn header(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_graphic());
    is_name.then(|| (name.to_owned(), value.trim_matches([' ', '\t']).to_owned()))
}

/// Reads a line, without its end. Bytes that are not UTF-8 become U+FFFD, which is in no name that
/// is answered.
fn next_line(lines: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    lines.read_until(b'\n', &mut line)?;
    let Some(line) = line.strip_suffix(b"\n") else {
        return Err(io::ErrorKind::UnexpectedEof.into());
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Ok(String::from_utf8_lossy(line).into_owned())
}
