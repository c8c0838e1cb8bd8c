//! Keeps a file that must not be lost when it is replaced, under a second name.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::load_error::LoadError;
use super::saved::SavedState;

/// The maximum number of files of one kind that are kept beside a saved one.
const MAX_KEPT: u32 = 1000;

/// Returns a label for a text that must be kept when it is replaced, because it was not read in
/// full: `damaged`, `v3` for version 3, or `other` for unknown fields. Returns `None` if nothing is
/// lost.
pub(super) fn label_of(text: &str) -> Option<String> {
    match text.parse::<SavedState>() {
        Ok(read) => has_other_fields(text, &read).then(|| "other".to_owned()),
        Err(LoadError::Newer { version, .. }) => Some(format!("v{version}")),
        Err(_) => Some(DAMAGED.to_owned()),
    }
}

/// Returns whether a text has fields that the state read from it does not have.
fn has_other_fields(text: &str, read: &SavedState) -> bool {
    fn within(value: &Value, known: &Value) -> bool {
        match (value, known) {
            (Value::Object(fields), Value::Object(known)) => fields
                .iter()
                .all(|(name, value)| known.get(name).is_some_and(|known| within(value, known))),
            (Value::Array(items), Value::Array(known)) => items
                .iter()
                .zip(known)
                .all(|(item, known)| within(item, known)),
            // A struct that is `null` by default has no fields to compare with.
            _ => true,
        }
    }
    let text = serde_json::from_str(text.trim_start_matches('\u{feff}'));
    let (Ok(text), Ok(read)) = (text, serde_json::from_str(&read.to_string())) else {
        return false;
    };
    !within(&text, &read)
}

/// The label of a text that is no saved state of any version.
pub(super) const DAMAGED: &str = "damaged";

/// Gives a file a second, unused name with this label. Returns that name.
pub(super) fn keep(path: &Path, label: &str) -> io::Result<PathBuf> {
    for number in 1..=MAX_KEPT {
        let kept = name(path, label, number);
        let linked = match fs::hard_link(path, &kept) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => copy(path, &kept),
            linked => linked,
        };
        match linked {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            linked => return linked.map(|()| kept),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("there are already {MAX_KEPT} such files beside it"),
    ))
}

/// Returns `settings.damaged.json`, then `settings.damaged-2.json`.
fn name(path: &Path, label: &str, number: u32) -> PathBuf {
    let mut name = path.file_stem().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{label}"));
    if number > 1 {
        name.push(format!("-{number}"));
    }
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Copies a file, for file systems without hard links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(to)?;
    io::copy(&mut from, &mut file)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Folder;

    #[test]
    fn only_a_text_that_was_not_read_in_full_has_a_label() {
        let written = SavedState::default().to_string();
        for (text, label) in [
            (&*written, None),
            ("{}", None),
            (r#"{"settings":{"scale":70,"key":null}}"#, None),
            (
                r#"{"layout":{"panes":[{"table":{"sort":{"path":"a"}}}]}}"#,
                None,
            ),
            (r#"{"version":1,"new":1}"#, Some("other")),
            (r#"{"settings":{"opacityy":1}}"#, Some("other")),
            (
                r#"{"presets":[{},{"panes":[{"graph":{"new":[]}}]}]}"#,
                Some("other"),
            ),
            (r#"{"version":3}"#, Some("v3")),
            (r#"{"settings":{"key":"F99"}}"#, Some("damaged")),
            ("{", Some("damaged")),
        ] {
            assert_eq!(label_of(text).as_deref(), label, "{text}");
        }
    }

    #[test]
    fn a_copy_never_replaces_a_file() {
        let folder = Folder::new("aside-copy");
        let (from, to) = (folder.0.join("from"), folder.0.join("to"));
        fs::write(&from, "text").unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "text");
        assert_eq!(
            copy(&from, &to).unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
    }
}
