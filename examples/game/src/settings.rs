//! Where the overlay's settings are kept.
use std::ffi::OsString;
use std::path::PathBuf;

/// The file in the user's config folder, as the environment names it; `None` where it names none.
pub(crate) fn file(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let config = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    config.map(|config| config.join("hollow").join("overlay.json"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Option<PathBuf> {
        file(|name| {
            pairs
                .iter()
                .find(|(of, _)| *of == name)
                .map(|(_, value)| value.into())
        })
    }

    #[test]
    fn the_config_folder_is_the_one_that_the_environment_names() {
        assert_eq!(
            with(&[("HOME", "/home/a"), ("XDG_CONFIG_HOME", "/c")]),
            Some("/c/hollow/overlay.json".into())
        );
        assert_eq!(
            with(&[("HOME", "/home/a")]),
            Some("/home/a/.config/hollow/overlay.json".into())
        );
    }

    #[test]
    fn a_folder_that_is_not_absolute_is_none() {
        assert_eq!(
            with(&[("HOME", "/home/a"), ("XDG_CONFIG_HOME", "c")]),
            Some("/home/a/.config/hollow/overlay.json".into())
        );
        assert_eq!(with(&[("XDG_CONFIG_HOME", "")]), None);
    }
}
