//! The name and the build of the program, for the header.

/// What the header says of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) build: String,
}

impl Default for Program {
    /// Returns the name of the executable, and `debug` or `release`, as this crate was compiled. In a
    /// browser, there is no name.
    fn default() -> Self {
        let build = if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        };
        Self {
            name: executable_name(),
            build: build.to_owned(),
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn executable_name() -> String {
    String::new()
}

#[cfg(not(target_arch = "wasm32"))]
fn executable_name() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    without_hash(&name).to_owned()
}

/// Returns a name without the hash that cargo adds to the names of tests.
#[cfg(not(target_arch = "wasm32"))]
fn without_hash(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            name
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_the_executable() {
        assert_eq!(without_hash("overlay-0123456789abcdef"), "overlay");
        assert_eq!(without_hash("space-game"), "space-game");
        assert_eq!(without_hash("game"), "game");
        assert_eq!(executable_name(), "stats_overlay");
    }
}
