//! The files of the page, and the responses with them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The most bytes of a file.
const MAX_FILE: u64 = 64 << 20;

/// What a page may do: run its own code, and connect to the server that it came from.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; \
                      style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The page that `scripts/page` builds, in memory.
#[derive(Clone, Debug)]
pub struct Page {
    /// By the target of a request. No other file can be asked for.
    files: BTreeMap<String, File>,
}

#[derive(Clone, Debug)]
struct File {
    kind: &'static str,
    /// Whether the name changes with the contents.
    is_immutable: bool,
    gzip: Vec<u8>,
}

impl Page {
    /// Reads the page in a folder: `index.html.gz`, which is the page, and the files whose names end
    /// with `.js.gz` and `.wasm.gz`, which it loads. Others are left out.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, or if `index.html.gz` is missing.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let Some(name) = name.strip_suffix(".gz") else {
                continue;
            };
            let (target, kind) = match name.rsplit_once('.') {
                _ if name == "index.html" => ("/".to_owned(), "text/html; charset=utf-8"),
                Some((_, "js")) => (format!("/{name}"), "text/javascript; charset=utf-8"),
                // Browsers compile it while it arrives only if it is said to be this.
                Some((_, "wasm")) => (format!("/{name}"), "application/wasm"),
                _ => continue,
            };
            if entry.metadata()?.len() > MAX_FILE {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            let file = File {
                kind,
                is_immutable: target != "/",
                gzip: fs::read(entry.path())?,
            };
            files.insert(target, file);
        }
        match files.contains_key("/") {
            true => Ok(Self { files }),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Returns the head of the response to a request, and the body; `None` if there is no such file.
    pub(super) fn response(&self, target: &str) -> Option<(String, &[u8])> {
        let file = self.files.get(target)?;
        let cached = match file.is_immutable {
            true => "public, max-age=31536000, immutable",
            false => "no-cache",
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: {}\r\nContent-Encoding: gzip\r\n\
             Content-Length: {}\r\nCache-Control: {cached}\r\nContent-Security-Policy: {POLICY}\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\r\n",
            file.kind,
            file.gzip.len()
        );
        Some((head, &file.gzip))
    }
}
