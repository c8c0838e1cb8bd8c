//! Paths that are put together while the program is compiled, for [`path!`](crate::path!).

/// Returns the number of bytes of a module's path with `/` instead of `::`.
#[doc(hidden)]
#[must_use]
pub const fn __module_len(module: &str) -> usize {
    let (bytes, mut at, mut len) = (module.as_bytes(), 0, 0);
    while at < bytes.len() {
        at += separator(bytes, at);
        len += 1;
    }
    len
}

/// Returns the bytes of a module's path with `/` instead of `::`.
#[doc(hidden)]
#[must_use]
pub const fn __module<const LEN: usize>(module: &str) -> [u8; LEN] {
    let (bytes, mut at, mut to) = (module.as_bytes(), 0, 0);
    let mut path = [b'/'; LEN];
    while at < bytes.len() {
        let step = separator(bytes, at);
        if step == 1 {
            path[to] = bytes[at];
        }
        at += step;
        to += 1;
    }
    path
}

/// Returns how many bytes of the module's path become one of the path.
const fn separator(bytes: &[u8], at: usize) -> usize {
    let is_separator = bytes[at] == b':' && at + 1 < bytes.len() && bytes[at + 1] == b':';
    if is_separator { 2 } else { 1 }
}

/// Returns the bytes of a prefix and a name with `/` between them.
#[doc(hidden)]
#[must_use]
pub const fn __joined<const LEN: usize>(prefix: &str, name: &str) -> [u8; LEN] {
    let (prefix, name) = (prefix.as_bytes(), name.as_bytes());
    let mut path = [b'/'; LEN];
    let mut at = 0;
    while at < prefix.len() {
        path[at] = prefix[at];
        at += 1;
    }
    let mut at = 0;
    while at < name.len() {
        path[prefix.len() + 1 + at] = name[at];
        at += 1;
    }
    path
}

/// Returns bytes of the functions above as text.
#[doc(hidden)]
#[must_use]
pub const fn __text(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // Whole texts with ASCII between them are UTF-8.
        Err(_) => panic!("a path of whole texts is UTF-8"),
    }
}
